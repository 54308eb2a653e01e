/**
 * The whole test run, or the steps that are named:
 *
 *     npm test
 *     npm test -- unit engine
 *     npm run test:compat
 *
 * The last line says how much passed and failed: the tests of every suite, and lint and type check
 * as one check each. The exit code is 0 only if nothing failed and every step ran something; the
 * queue step may be left out, and says so, on a machine that has no Redis or PostgreSQL to offer.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { installDebianPackages } from '../host/debian.ts';
import { duration } from '../host/progress.mjs';
import { provideQueuePrograms } from '../host/queue/programs.ts';
import { localFolder, repository } from '../host/runtime.mjs';
import { coverageOptions, isCoverageEnough } from './coverage.mts';
import { runOfficialChecks } from './official/checks.mts';

/** What a step's checks came to. */
interface Outcome {
	passed: number;
	failed: number;
	/** Why the step could not run on this machine: no failure, but said in the summary. */
	notRun?: string;
}

interface Step {
	name: string;
	what: string;
	run: () => Promise<Outcome>;
	/** Runs only when it is named. */
	isExtra?: true;
}

/** What we read of Jest's report. */
interface JestReport {
	success: boolean;
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	numRuntimeErrorTestSuites: number;
	numTotalTests: number;
}

const reports = path.join(localFolder, 'test-reports');
const chromium = '/usr/bin/chromium';

/** Runs a program file, named by its place in node_modules or its absolute path; its output is ours. */
async function runTool(file: string, args: string[], environment: NodeJS.ProcessEnv = {}) {
	const child = spawn(process.execPath, [path.resolve(repository, 'node_modules', file), ...args], {
		cwd: repository,
		env: { ...process.env, ...environment },
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	running = child;
	const code = await new Promise<number>((resolve) => {
		child.once('error', (error) => {
			console.error(error.message);
			resolve(1);
		});
		child.once('exit', (exitCode) => {
			resolve(exitCode ?? 1);
		});
	});
	running = undefined;
	return code;
}

let running: ReturnType<typeof spawn> | undefined;

/** One check made of several commands: passed when all of them end well. */
async function check(...commands: [file: string, ...args: string[]][]): Promise<Outcome> {
	for (const [file, ...args] of commands) {
		if ((await runTool(file, args)) !== 0) return { passed: 0, failed: 1 };
	}
	return { passed: 1, failed: 0 };
}

/** Runs one Jest project and counts by its report. A suite that does not run is a failure, and so is none. */
async function jest(
	project: string,
	options: string[] = [],
	environment: NodeJS.ProcessEnv = {},
	name = project,
): Promise<Outcome> {
	mkdirSync(reports, { recursive: true });
	const file = path.join(reports, `${name}.json`);
	rmSync(file, { force: true });
	const code = await runTool(
		'jest/bin/jest.js',
		[
			...['--selectProjects', project],
			...['--json', '--outputFile', file],
			...coverageOptions(project),
			...options,
		],
		environment,
	);
	if (!existsSync(file)) {
		console.error(`The ${name} tests did not run.`);
		return { passed: 0, failed: 1 };
	}
	const report = JSON.parse(readFileSync(file, 'utf8')) as JestReport;
	const { numPassedTests: passed, numPendingTests: skipped } = report;
	if (skipped > 0) console.error(`${String(skipped)} ${name} tests were skipped.`);
	const failed = report.numFailedTests + report.numRuntimeErrorTestSuites + skipped;
	if (report.numTotalTests === 0) console.error(`There is no ${name} test.`);
	const broken = failed === 0 && (code !== 0 || !report.success || passed === 0);
	return { passed, failed: broken ? 1 : failed };
}

/** Chromium for the browser test: Debian's, installed when we may. */
async function provideChromium(): Promise<void> {
	if (existsSync(chromium)) return;
	try {
		await installDebianPackages(['chromium'], '1 min');
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		console.error(`The browser test needs Chromium at ${chromium}. ${reason}`);
	}
}

const tsc = 'typescript/bin/tsc';

/** Tests of forms and canvas as the editor of n8n 2 shows them, and of what always runs the newest n8n. */
const editorOfN8n2 = ['test/e2e/walk', 'test/e2e/exampleEditor', 'test/e2e/dev'];

/** Kills n8n again and again: too slow to run with both versions. */
const onlyOnNewest = [...editorOfN8n2, 'test/e2e/pollTrigger'];

const steps: Step[] = [
	{
		name: 'lint',
		what: 'ESLint, all rules, and the words of the glossary',
		run: async () =>
			await check(
				['eslint/bin/eslint.js', '.', '--max-warnings', '0'],
				[path.join(repository, 'scripts', 'words.mts')],
			),
	},
	{
		name: 'typecheck',
		what: 'TypeScript, package and tools',
		run: async () =>
			await check([tsc, '-p', 'tsconfig.json', '--noEmit'], [tsc, '-p', 'tsconfig.tools.json']),
	},
	{
		name: 'official',
		what: "n8n's scanner on the packed package, and n8n's lint on the sources",
		run: runOfficialChecks,
	},
	{ name: 'unit', what: 'unit tests', run: async () => await jest('unit') },
	{
		name: 'engine',
		what: "the nodes in n8n's execution engine, against the sandbox",
		run: async () => await jest('engine'),
	},
	{
		name: 'coverage',
		what: 'lines and branches that the unit and engine tests reach',
		run: async () => {
			const isEnough = isCoverageEnough();
			return { passed: isEnough ? 1 : 0, failed: isEnough ? 0 : 1 };
		},
	},
	{
		name: 'sandbox',
		what: 'the local stand-in service, and what starts n8n',
		run: async () => await jest('sandbox'),
	},
	{
		name: 'e2e',
		what: 'the packed package in a real n8n, and a real browser',
		run: async () => {
			await provideChromium();
			return await jest('e2e', ['--runInBand'], { E2E_N8N: 'newest' });
		},
	},
	{
		name: 'compat',
		what: 'the same on the oldest n8n that is supported',
		isExtra: true,
		run: async () => {
			await provideChromium();
			console.log(`Left out, for they run on n8n 2 only: ${onlyOnNewest.join(', ')}`);
			const options = ['--runInBand', '--testPathIgnorePatterns', ...onlyOnNewest];
			return await jest('e2e', options, { E2E_N8N: 'oldest' }, 'compat');
		},
	},
	{
		name: 'queue',
		what: 'the same in queue mode: Redis, PostgreSQL, two workers, a webhook processor',
		run: async () => {
			try {
				await provideQueuePrograms();
			} catch (error) {
				const notRun = error instanceof Error ? error.message : String(error);
				console.error(notRun);
				return { passed: 0, failed: 0, notRun };
			}
			return await jest('queue', ['--runInBand']);
		},
	},
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
	console.error(
		`No such step: ${unknown.join(', ')}. There are: ${steps.map(({ name }) => name).join(', ')}.`,
	);
	process.exit(2);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => {
		running?.kill(signal);
		console.error(`Stopped by ${signal}.`);
		running?.once('exit', () => process.exit(1));
		if (running === undefined) process.exit(1);
	});
}

const selected = steps.filter(({ name, isExtra }) =>
	wanted.length === 0 ? isExtra !== true : wanted.includes(name),
);
const results: { name: string; outcome: Outcome; milliseconds: number }[] = [];
for (const { name, what, run } of selected) {
	console.log(`\n=== ${name}: ${what}`);
	const started = Date.now();
	let outcome: Outcome;
	try {
		outcome = await run();
	} catch (error) {
		console.error(error instanceof Error ? error.message : String(error));
		outcome = { passed: 0, failed: 1 };
	}
	const milliseconds = Date.now() - started;
	results.push({ name, outcome, milliseconds });
}

const sum = (count: (outcome: Outcome) => number) =>
	results.reduce((total, { outcome }) => total + count(outcome), 0);
const passed = sum((outcome) => outcome.passed);
const failed = sum((outcome) => outcome.failed);

console.log('\n=== summary');
for (const { name, outcome, milliseconds } of results) {
	const counts =
		outcome.notRun === undefined
			? `${String(outcome.passed)} passed, ${String(outcome.failed)} failed`
			: `not run: ${outcome.notRun}`;
	console.log(`${name.padEnd(10)} ${counts.padEnd(24)} ${duration(milliseconds)}`);
}
const notRun = results.filter(({ outcome }) => outcome.notRun !== undefined);
const left = notRun.length === 0 ? '' : `, not run: ${notRun.map(({ name }) => name).join(', ')}`;
console.log(`\n${String(passed)} passed, ${String(failed)} failed${left}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
