import lodash from 'lodash';
import type { Attempt, Plan } from './mutationRuns.mts';

/** What scripts/mutationEnvironment.cjs records of a test file. */
export interface RecordedFile {
	file: string;
	/** The switches that were reached outside of tests. */
	outside: number[];
	tests: RecordedTest[];
}

interface RecordedTest {
	/** Its number in the file. */
	test: number;
	milliseconds: number;
	isGreen: boolean;
	/** The switches that it reached. */
	reached: number[];
}

/** The tests that reach a change, by their files. */
type Tests = ReadonlyMap<string, readonly RecordedTest[]>;

/** The tests of a file that can try a change. */
interface Candidate {
	id: number;
	tests: readonly RecordedTest[];
	/** How much it is worth to try the change with this file. */
	weight: number;
}

/** A slower test is tried only where there is no other. */
const FAST = 4_000;

/** The tests that reach each of these changes, without those that fail anyway. */
export function testsReaching(
	ids: readonly number[],
	recorded: readonly RecordedFile[],
): Map<number, Tests> {
	const wanted = new Set(ids);
	const reaching = new Map<number, Map<string, RecordedTest[]>>();
	for (const { file, tests } of recorded) {
		for (const test of tests.filter(({ isGreen }) => isGreen)) {
			for (const id of test.reached.filter((each) => wanted.has(each))) {
				const files = reaching.get(id) ?? new Map<string, RecordedTest[]>();
				reaching.set(id, files.set(file, [...(files.get(file) ?? []), test]));
			}
		}
	}
	return reaching;
}

/**
 * Which tests of which files try which changes, in as little time as possible.
 *
 * @param attempts what was tried before
 * @param filesEach how many files have tried each change in the end
 */
export function plansFor(
	reaching: ReadonlyMap<number, Tests>,
	attempts: readonly Attempt[],
	filesEach: number,
): [file: string, plan: Plan][] {
	const tried = new Set(attempts.map(({ id, test }) => `${id} ${test.split('#')[0]}`));
	const missing = new Map<number, number>();
	const open = new Map<string, Candidate[]>();
	for (const [id, tests] of reaching) {
		const files = withFastTests(tests);
		const left = files.filter(([file]) => !tried.has(`${id} ${file}`));
		missing.set(id, filesEach - (files.length - left.length));
		left.forEach(([file, ofFile], rank) => {
			const candidate = { id, tests: ofFile, weight: 1 / (1 + rank) };
			open.set(file, [...(open.get(file) ?? []), candidate]);
		});
	}
	const plans: [string, Plan][] = [];
	for (;;) {
		for (const [file, candidates] of open) {
			const wanted = candidates.filter(({ id }) => (missing.get(id) ?? 0) > 0);
			if (wanted.length > 0) open.set(file, wanted);
			else open.delete(file);
		}
		const best = lodash.maxBy([...open], ([file, candidates]) => worthOf(file, candidates));
		if (!best) return plans;
		const [file, candidates] = best;
		for (const { id } of candidates) missing.set(id, (missing.get(id) ?? 0) - 1);
		plans.push([file, planOf(candidates)]);
		open.delete(file);
	}
}

function planOf(candidates: readonly Candidate[]): Plan {
	const plan: Plan = new Map();
	for (const { id, tests } of candidates) {
		for (const { test } of tests) plan.set(test, [...(plan.get(test) ?? []), id]);
	}
	return plan;
}

/**
 * Each file's narrowest and widest test that is fast, the file with the narrowest first; where there
 * are none, the fastest of all.
 */
function withFastTests(tests: Tests): [file: string, tests: RecordedTest[]][] {
	const all = [...tests].flatMap(([file, ofFile]) => ofFile.map((test) => ({ file, test })));
	const fast = all.filter(({ test }) => test.milliseconds < FAST);
	const used = fast.length > 0 ? fast : lodash.sortBy(all, 'test.milliseconds').slice(0, 1);
	const byWidth = lodash.sortBy(used, ({ test }) => test.reached.length);
	return Object.entries(lodash.groupBy(byWidth, 'file')).map(([file, ofFile]) => [
		file,
		lodash.uniq([...ofFile.slice(0, 1), ...ofFile.slice(-1)]).map(({ test }) => test),
	]);
}

/** A narrow test is more likely to notice a change, and a file takes its time to load. */
function worthOf(file: string, candidates: readonly Candidate[]): number {
	const loading = file.startsWith('test/engine/') ? 8_000 : 3_000;
	const trying = lodash.sumBy(candidates, ({ tests }) => lodash.sumBy(tests, 'milliseconds'));
	return lodash.sumBy(candidates, 'weight') / (loading + trying);
}
