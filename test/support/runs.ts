import fc from 'fast-check';

/** How many more random cases than in `npm test` properties try: PROPERTY_RUNS=10 makes it ten times. */
const factor = Number(process.env.PROPERTY_RUNS ?? 1);

/** How many random cases a property tries; `usual` of them in `npm test`. */
export const runs = (usual: number): number => Math.ceil(usual * factor);

/** The cases that each run of the tests tries, beside those that once failed. */
const FIXED_SEED = 41;

/**
 * Tries a property on as many fixed cases as on random ones. A failure prints the seed of its cases:
 * add it to `seeds`, which every later run tries as well.
 * @param usual cases of each seed, and of the random ones in `npm test`
 */
export async function holds<Case>(
	property: fc.IAsyncProperty<Case> | fc.IProperty<Case>,
	usual: number,
	{ seeds = [], ...parameters }: fc.Parameters<Case> & { seeds?: readonly number[] } = {},
): Promise<void> {
	for (const seed of [FIXED_SEED, ...seeds]) {
		await fc.assert(property, { ...parameters, seed, numRuns: usual });
	}
	await fc.assert(property, { ...parameters, numRuns: runs(usual) });
}

/**
 * The values to try in one of many similar tests. `npm test` tries one of `of` in each, others in
 * the next one; a longer run tries all of them in each.
 */
export const someOf = <T>(values: readonly T[], test: number, of = 5): T[] =>
	factor > 1 ? [...values] : values.filter((_, index) => (index + test) % of === 0);
