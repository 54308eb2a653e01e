/**
 * Changes the code in one place at a time and says which changes no test notices.
 *
 *     npm run mutation -- --sample 100 --seed 7      random places, weighted by lines
 *     npm run mutation -- --values                   each constant and default of a field once
 *     npm run mutation -- --in nodes/MessagingService/policy   only there
 *     npm run mutation -- --projects unit            without the engine tests
 *     npm run mutation -- --minutes 10               ends after that time
 *
 * It goes on where it was stopped, works on a copy, and runs the unit tests that reach the function
 * first, then the files of engine tests that do, the narrowest first.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
	cpSync,
	existsSync,
	globSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import lodash from 'lodash';
import { functionsWith, mutationsOf, type Mutation } from './mutations.mts';

const { values: options } = parseArgs({
	options: {
		sample: { type: 'string', default: '100' },
		seed: { type: 'string', default: '1' },
		values: { type: 'boolean', default: false },
		in: { type: 'string', default: '' },
		minutes: { type: 'string', default: '0' },
		projects: { type: 'string', default: 'unit,engine' },
	},
});
const folder = path.resolve('.local', 'mutation');
const tree = path.join(folder, 'tree');
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const projects = options.projects.split(',');
const coverageFile = path.join(folder, `coverage-${projects.join('-')}-${commit}.jsonl`);
const kind = options.values ? 'values' : `sample-${options.sample}-seed-${options.seed}`;
const resultsFile = path.join(
	folder,
	`${kind}${options.in.replaceAll('/', '-')}-${projects.join('-')}-${commit}.json`,
);
const sources = globSync(['nodes/**/*.ts', 'credentials/*.ts'])
	.filter((file) => !/\/data\/|returns|schemas\.ts$/.test(file))
	.sort();
const isEnded = deadline(Number(options.minutes));
/** A change that makes an endless loop is noticed by the time that its tests take. */
const TIMEOUT = 240_000;
const TIMEOUT_OF_MANY = 900_000;

type Outcome = Mutation & { killedBy: string | undefined };

copyTree();
if (!existsSync(coverageFile)) await recordCoverage();
const coverage = readFileSync(coverageFile, 'utf8')
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as { test: string; functions: string[] });
const results: Outcome[] = existsSync(resultsFile)
	? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Outcome[])
	: [];
const chosen = choose();
for (const mutation of chosen.slice(results.length)) {
	if (isEnded()) break;
	const killedBy = await attempt(mutation);
	results.push({ ...mutation, killedBy });
	writeFileSync(resultsFile, JSON.stringify(results));
	const { file, line, what } = mutation;
	console.log(`${killedBy === undefined ? 'SURVIVED' : 'killed  '} ${file}:${line} ${what}`);
}
report();

/** The code, the tests and what they need, without what is built or local. */
function copyTree(): void {
	rmSync(tree, { recursive: true, force: true });
	mkdirSync(tree, { recursive: true });
	const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
		encoding: 'utf8',
	});
	for (const file of files.trim().split('\n')) {
		if (existsSync(file)) cpSync(file, path.join(tree, file));
	}
	symlinkSync(path.resolve('node_modules'), path.join(tree, 'node_modules'));
}

async function recordCoverage(): Promise<void> {
	console.log('Recording which tests reach which functions ...');
	rmSync(`${coverageFile}.part`, { force: true });
	const env = { RECORD_COVERAGE: `${coverageFile}.part` };
	const isGreen = await jest(['--selectProjects', ...projects], 30 * 60_000, env);
	if (!isGreen) console.log('Some tests fail without any change, or alone on this machine.');
	cpSync(`${coverageFile}.part`, coverageFile);
}

/** @returns whether all tests passed */
async function jest(
	args: string[],
	timeout: number,
	env: NodeJS.ProcessEnv = {},
): Promise<boolean> {
	const child = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...args], {
		cwd: tree,
		env: { ...process.env, ...env },
		stdio: 'ignore',
		timeout,
		killSignal: 'SIGKILL',
	});
	return await new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)));
}

/** @returns the tests that noticed the change */
async function attempt(mutation: Mutation): Promise<string | undefined> {
	const { file, start, end, text } = mutation;
	const place = path.join(tree, file);
	const original = readFileSync(place, 'utf8');
	writeFileSync(place, `${original.slice(0, start)}${text}${original.slice(end)}`);
	try {
		for (const tests of testsOf(placesOf(mutation))) {
			const args = ['--selectProjects', ...projects, '--bail', '--runTestsByPath', ...tests];
			const timeout = tests.length > 10 ? TIMEOUT_OF_MANY : TIMEOUT;
			if (!(await jest(args, timeout))) return tests.join(' ');
		}
		return undefined;
	} finally {
		writeFileSync(place, original);
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
function testsOf(places: readonly string[]): string[][] {
	const reaching = coverage
		.filter(({ functions }) => functions.some((name) => places.includes(name)))
		.sort((a, b) => a.functions.length - b.functions.length)
		.map(({ test }) => test);
	const unit = reaching.filter((test) => test.startsWith('test/unit/'));
	const engine = reaching.filter((test) => test.startsWith('test/engine/'));
	const groups = [
		...[unit.slice(0, 5), unit.slice(5)],
		...[engine.slice(0, 3), engine.slice(3, 10), engine.slice(10)],
	];
	return groups.filter((tests) => tests.length > 0);
}

function choose(): Mutation[] {
	const files = sources.filter((file) => file.startsWith(options.in));
	const all = files.flatMap(mutationsOf);
	if (options.values) return all.filter(({ isValue }) => isValue);
	const byLine = lodash.groupBy(all, ({ file, line }) => `${file}:${line}`);
	const lines = files.flatMap((file) =>
		readFileSync(file, 'utf8')
			.split('\n')
			.map((_, index) => byLine[`${file}:${index + 1}`] ?? []),
	);
	const random = randomFrom(Number(options.seed));
	const picked = new Set<Mutation>();
	while (picked.size < Math.min(Number(options.sample), all.length)) {
		const ofLine = lines[Math.floor(random() * lines.length)] ?? [];
		const mutation = ofLine[Math.floor(random() * ofLine.length)];
		if (mutation !== undefined) picked.add(mutation);
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
	const scores = lodash.groupBy(results, ({ file }) => path.dirname(file));
	for (const [where, ofFolder] of Object.entries(scores).sort()) {
		const killed = ofFolder.filter(({ killedBy }) => killedBy !== undefined).length;
		console.log(`${String(killed).padStart(4)} of ${ofFolder.length} killed in ${where}`);
	}
	const survivors = results.filter(({ killedBy }) => killedBy === undefined);
	console.log(
		`\n${results.length - survivors.length} of ${results.length} killed (${chosen.length} chosen).`,
	);
	for (const { file, line, what } of survivors) console.log(`  ${file}:${line}  ${what}`);
}

/** @param minutes 0: no limit */
function deadline(minutes: number): () => boolean {
	const end = Date.now() + minutes * 60_000;
	return () => minutes > 0 && Date.now() > end;
}
