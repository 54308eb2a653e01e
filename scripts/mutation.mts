/**
 * Changes the code in one place at a time and says which changes no test notices.
 *
 *     npm run mutation -- --in nodes/MessagingService/policy   all places there
 *     npm run mutation -- --sample 1000 --seed 7   random places, weighted by lines
 *     npm run mutation -- --values                 each constant and default of a field once
 *     npm run mutation -- --minutes 10             ends after that time
 *
 * It goes on where it was stopped, and works on a copy in which each change is a switch: a test file
 * is loaded once, and its tests run once for each change that they reach.
 */
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import lodash from 'lodash';
import { functionsWith, type Mutation } from './mutations.mts';
import { plansFor, testsReaching, type RecordedFile } from './mutationPlans.mts';
import { isKill, passes, runPlan, type Attempt, type Plan } from './mutationRuns.mts';
import { makeTree, sources, stateFolder } from './mutationTree.mts';

const { values: options } = parseArgs({
	options: {
		in: { type: 'string', default: '' },
		sample: { type: 'string', default: '' },
		seed: { type: 'string', default: '1' },
		values: { type: 'boolean', default: false },
		minutes: { type: 'string', default: '0' },
	},
});
/** Processes that run at a time. */
const WORKERS = 2;
/** The test files that try a change: one, and those that survive go on to more. */
const FILES_EACH = [1, 4, 12];
const RECORDING_TIMEOUT = 45 * 60_000;
const LOADING_TIMEOUT = 240_000;

const isEnded = deadline(Number(options.minutes));
const folder = stateFolder();
const [recordFile, coverageFile, attemptsFile] = ['record', 'functions', 'attempts'].map((name) =>
	path.join(folder, `${name}.jsonl`),
) as [string, string, string];
const testFiles = globSync(['test/{unit,engine}/**/*.test.ts']).filter(
	(file) => !file.startsWith('test/engine/more/'),
);
const mutations = makeTree();
await record();

const recorded = linesOf<RecordedFile>(recordFile);
const coverage = linesOf<{ test: string; functions: string[] }>(coverageFile);
const attempts = linesOf<Attempt>(attemptsFile);
const killed = new Set(attempts.filter(isKill).map(({ id }) => id));
const chosen = choose();
const reaching = testsReaching(chosen, recorded);
console.log(`${chosen.length} changes, ${reaching.size} of them reached by a test.`);
for (const filesEach of FILES_EACH) await tryReached(filesEach);
await tryLoaded();
report();

async function record(): Promise<void> {
	const known = new Set(linesOf<RecordedFile>(recordFile).map(({ file }) => file));
	for (const project of ['unit', 'engine']) {
		const missing = testFiles.filter(
			(file) => file.startsWith(`test/${project}/`) && !known.has(file),
		);
		if (missing.length === 0 || isEnded()) continue;
		console.log(`Recording which changes ${missing.length} ${project} test files reach ...`);
		const args = [`--maxWorkers=${WORKERS}`, '--runTestsByPath', ...missing];
		const env = { MUTATION_RECORD: recordFile, RECORD_COVERAGE: coverageFile };
		const isGreen = await passes(args, env, RECORDING_TIMEOUT);
		if (!isGreen) console.log('Tests that fail without any change are left out.');
	}
}

function linesOf<Line>(file: string): Line[] {
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
	return lines.map((line) => JSON.parse(line) as Line);
}

/** Tries what no test has noticed so far with tests of some files, as few of them as it takes. */
async function tryReached(filesEach: number): Promise<void> {
	const open = new Map([...reaching].filter(([id]) => !killed.has(id)));
	const queue = plansFor(open, attempts, filesEach);
	console.log(`${queue.length} test files to run with changes.`);
	await inParallel(queue, async ([file, all], worker) => {
		const plan: Plan = new Map();
		for (const [test, ids] of all) {
			const left = ids.filter((id) => !killed.has(id));
			if (left.length > 0) plan.set(test, left);
		}
		const size = new Set([...plan.values()].flat()).size;
		const found = await runPlan(file, plan, path.join(folder, `log-${worker}.jsonl`), isEnded);
		keep(found);
		console.log(`${found.filter(isKill).length} of ${size} noticed by ${file}`);
	});
}

/**
 * Tries what takes effect while modules are loaded, or only the first time that a test comes to it:
 * each change needs processes of its own.
 */
async function tryLoaded(): Promise<void> {
	const loaded = new Set(recorded.flatMap((file) => file.outside));
	for (const { id } of attempts) loaded.add(id);
	for (const { id, outcome } of attempts) if (outcome !== 'missed') loaded.delete(id);
	const left = chosen.filter((id) => loaded.has(id));
	console.log(`${left.length} changes that take effect when modules are loaded.`);
	await inParallel(left, async (id) => keep(await attemptsOnLoading(id)));
}

async function attemptsOnLoading(id: number): Promise<Attempt[]> {
	const found: Attempt[] = [];
	for (const tests of groupsFor(placesOf(mutations[id] as Mutation))) {
		const args = ['--runInBand', '--bail', '--runTestsByPath', ...tests];
		const isGreen = await passes(args, { MUTATION_ON: String(id) }, LOADING_TIMEOUT);
		if (isEnded()) return [];
		found.push({ id, test: tests.join(' '), outcome: isGreen ? 'survived' : 'killed' });
		if (!isGreen) break;
	}
	return found;
}

async function inParallel<Task>(
	tasks: readonly Task[],
	work: (task: Task, worker: number) => Promise<void>,
): Promise<void> {
	const queue = [...tasks];
	const worker = async (number: number) => {
		for (let task = queue.shift(); task !== undefined && !isEnded(); task = queue.shift()) {
			await work(task, number);
		}
	};
	await Promise.all(lodash.range(WORKERS).map(worker));
}

function keep(found: readonly Attempt[]): void {
	for (const attempt of found) {
		attempts.push(attempt);
		if (isKill(attempt)) killed.add(attempt.id);
		appendFileSync(attemptsFile, `${JSON.stringify(attempt)}\n`);
	}
}

/** The functions that a change concerns: the one around it, or those that name the constant. */
function placesOf({ file, within, constant }: Mutation): string[] {
	const using =
		constant === undefined
			? []
			: sources.flatMap((each) => functionsWith(each, constant).map((name) => `${each}#${name}`));
	// A constant can be a function itself.
	return using.length > 0 ? [...using, `${file}#${constant}`] : [`${file}#${within}`];
}

/** The unit tests that reach one of these functions, then the engine files that do, in groups, the narrowest first. */
function groupsFor(places: readonly string[]): string[][] {
	const red = new Set(
		recorded.filter(({ tests }) => tests.some(({ isGreen }) => !isGreen)).map(({ file }) => file),
	);
	const reaching = coverage
		.filter(
			({ test, functions }) => !red.has(test) && functions.some((name) => places.includes(name)),
		)
		.sort((a, b) => a.functions.length - b.functions.length)
		.map(({ test }) => test);
	const unit = reaching.filter((test) => test.startsWith('test/unit/'));
	const engine = reaching.filter((test) => test.startsWith('test/engine/'));
	const groups = [unit.slice(0, 5), unit.slice(5), engine.slice(0, 3), engine.slice(3, 10)];
	return groups.filter((tests) => tests.length > 0);
}

function choose(): number[] {
	const all = mutations.flatMap(({ file, isValue }, id) =>
		file.startsWith(options.in) && (isValue || !options.values) ? [id] : [],
	);
	if (options.sample === '') return all;
	const byLine = lodash.groupBy(all, (id) => `${mutations[id]?.file}:${mutations[id]?.line}`);
	const lines = sources
		.filter((file) => file.startsWith(options.in))
		.flatMap((file) =>
			readFileSync(file, 'utf8')
				.split('\n')
				.map((_, index) => byLine[`${file}:${index + 1}`] ?? []),
		);
	const random = randomFrom(Number(options.seed));
	const picked = new Set<number>();
	while (picked.size < Math.min(Number(options.sample), all.length)) {
		const ofLine = lines[Math.floor(random() * lines.length)] ?? [];
		const id = ofLine[Math.floor(random() * ofLine.length)];
		if (id !== undefined) picked.add(id);
	}
	return [...picked];
}
/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

function report(): void {
	const tried = lodash.groupBy(attempts, ({ id }) => id);
	const loaded = new Set(recorded.flatMap((file) => file.outside));
	const [waiting, done] = lodash.partition(
		chosen,
		(id) => !tried[id] && (reaching.has(id) || loaded.has(id)),
	);
	const results = done.map((id) => ({ ...(mutations[id] as Mutation), id }));
	const scores = lodash.groupBy(results, ({ file }) => path.dirname(file));
	for (const [where, ofFolder] of Object.entries(scores).sort()) {
		const killedHere = ofFolder.filter(({ id }) => killed.has(id)).length;
		console.log(`${String(killedHere).padStart(4)} of ${ofFolder.length} killed in ${where}`);
	}
	const survivors = results.filter(({ id }) => !killed.has(id));
	console.log(
		`\n${results.length - survivors.length} of ${results.length} killed, ${waiting.length} not tried yet.`,
	);
	for (const { id, file, line, what } of survivors) {
		const tests = tried[id]?.length ?? 0;
		const tries = tests === 0 ? 'no test reaches it' : `tests: ${tests}`;
		console.log(`  ${file}:${line}  ${what}  | ${tries}`);
	}
}

/** @param minutes 0: no limit */
function deadline(minutes: number): () => boolean {
	const end = Date.now() + minutes * 60_000;
	return () => minutes > 0 && Date.now() > end;
}
