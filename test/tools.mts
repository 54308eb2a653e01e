/** Runs the tools of a test run, and counts what they say. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { localFolder, repository } from '../host/runtime.mjs';

/** What a step's checks came to. */
export interface Outcome {
	passed: number;
	failed: number;
	/** Why the step could not run on this machine: no failure, but said in the summary. */
	notRun?: string;
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

/** Every tool and every sandbox compiles much the same modules. */
const compileCache = { NODE_COMPILE_CACHE: path.join(localFolder, 'compile-cache') };

/** The tools that run now. */
const running = new Set<ChildProcess>();

/** Passes a signal on to the tools that run, and waits until they have ended. */
export async function stopTools(signal: NodeJS.Signals): Promise<void> {
	const ends = [...running].map(async (child) => {
		child.kill(signal);
		await new Promise((resolve) => child.once('exit', resolve));
	});
	await Promise.all(ends);
}

/** Runs a program file, named by its place in node_modules or its absolute path; its output is ours. */
async function runTool(
	file: string,
	args: string[],
	environment: NodeJS.ProcessEnv = {},
): Promise<number> {
	const child = spawn(process.execPath, [path.resolve(repository, 'node_modules', file), ...args], {
		cwd: repository,
		env: { ...process.env, ...compileCache, ...environment },
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	running.add(child);
	const code = await new Promise<number>((resolve) => {
		child.once('error', (error) => {
			console.error(error.message);
			resolve(1);
		});
		child.once('exit', (exitCode) => {
			resolve(exitCode ?? 1);
		});
	});
	running.delete(child);
	return code;
}

/** One check made of several commands: passed when all of them end well. */
export async function check(...commands: [file: string, ...args: string[]][]): Promise<Outcome> {
	for (const [file, ...args] of commands) {
		if ((await runTool(file, args)) !== 0) return { passed: 0, failed: 1 };
	}
	return { passed: 1, failed: 0 };
}

/** Options of Jest that select tests by their names, and skip the others. */
const SELECTS_TESTS = /^(?:-t|--testNamePattern)(?:=|$)/;

/**
 * Runs a Jest project and counts by Jest's report. A suite that does not run is a failure, as is a
 * project without tests, and a skipped test that no option has left out.
 */
export async function jest(
	project: string,
	options: string[] = [],
	environment: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
	mkdirSync(reports, { recursive: true });
	const file = path.join(reports, `${project}.json`);
	rmSync(file, { force: true });
	const code = await runTool(
		'jest/bin/jest.js',
		['--selectProjects', project, '--json', '--outputFile', file, ...options],
		environment,
	);
	if (!existsSync(file)) {
		console.error(`The ${project} tests did not run.`);
		return { passed: 0, failed: 1 };
	}
	const report = JSON.parse(readFileSync(file, 'utf8')) as JestReport;
	const { numPassedTests: passed } = report;
	const skipped = options.some((each) => SELECTS_TESTS.test(each)) ? 0 : report.numPendingTests;
	if (skipped > 0) console.error(`${String(skipped)} ${project} tests were skipped.`);
	const failed = report.numFailedTests + report.numRuntimeErrorTestSuites + skipped;
	if (report.numTotalTests === 0) console.error(`There is no ${project} test.`);
	const isBroken = failed === 0 && (code !== 0 || !report.success || passed === 0);
	return { passed, failed: isBroken ? 1 : failed };
}
