/** How much longer than in `npm test` properties run: PROPERTY_RUNS=10 makes it ten times. */
const factor = Number(process.env.PROPERTY_RUNS ?? 1);

/** How many cases a property tries; `usual` of them in `npm test`. */
export const runs = (usual: number): number => Math.ceil(usual * factor);

/**
 * The values to try in one of many similar tests. `npm test` tries one of `of` in each, others in
 * the next one; a longer run tries all of them in each.
 */
export const someOf = <T>(values: readonly T[], test: number, of = 5): T[] =>
	factor > 1 ? [...values] : values.filter((_, index) => (index + test) % of === 0);
