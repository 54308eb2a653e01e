import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import lodash from 'lodash';
import { tree } from './mutationTree.mts';

/** What came of one change in one test. */
export interface Attempt {
	id: number;
	/** The file of the test, and its number there. */
	test: string;
	/** `missed`: the test did not come to the change this time. */
	outcome: 'killed' | 'survived' | 'missed';
}

/** The tests of a file by their numbers, each with the changes to try. */
export type Plan = Map<number, number[]>;

type Entry =
	| { started: number; test: number; timeout: number }
	| { ended: number; test: number; outcome: Attempt['outcome'] }
	| { unclean: number; after?: number }
	| { finished: true };

/** Until the first test runs, and between tests. */
const PATIENCE = 150_000;
/** How often a file is started again after a change that hung, crashed or left something behind. */
const MAX_STARTS = 40;

/**
 * Runs a test file in a process of its own, started again after each change that ends it.
 *
 * @param isEnded stops the process before its work is done
 */
export async function runPlan(
	file: string,
	plan: Plan,
	logFile: string,
	isEnded: () => boolean,
): Promise<Attempt[]> {
	const attempts: Attempt[] = [];
	const suspects = new Set<number>();
	for (let starts = 0; starts < MAX_STARTS && plan.size > 0 && !isEnded(); starts++) {
		const { entries, isStopped } = await runOnce(file, plan, logFile, isEnded);
		const found = attemptsIn(file, entries, isStopped);
		const unclean = entries.find((entry) => 'unclean' in entry);
		const after = unclean?.after;
		if (after !== undefined && !suspects.has(after)) {
			// What another change had left behind may have been noticed: it counts when it is the first.
			suspects.add(after);
			found.splice(found.findLastIndex(isKill), 1);
		}
		attempts.push(...found);
		leaveOut(plan, file, attempts);
		if (unclean && found.length === 0 && after === undefined) plan.delete(unclean.unclean);
		for (const [test, ids] of plan)
			plan.set(
				test,
				lodash.sortBy(ids, (id) => !suspects.has(id)),
			);
		if (entries.length === 0 || entries.some((entry) => 'finished' in entry)) break;
	}
	return attempts;
}

/** Leaves out what was tried or noticed. */
function leaveOut(plan: Plan, file: string, attempts: readonly Attempt[]): void {
	const killed = new Set(attempts.filter(isKill).map(({ id }) => id));
	const tried = new Set(attempts.map(({ id, test }) => `${test} ${id}`));
	for (const [test, ids] of plan) {
		const left = ids.filter((id) => !killed.has(id) && !tried.has(`${file}#${test} ${id}`));
		if (left.length > 0) plan.set(test, left);
		else plan.delete(test);
	}
}

export const isKill = ({ outcome }: Attempt) => outcome === 'killed';

/** A change that was started and not ended has hung or crashed the process, unless we stopped it. */
function attemptsIn(file: string, entries: readonly Entry[], isStopped: boolean): Attempt[] {
	const attempts: Attempt[] = [];
	for (const entry of entries) {
		if (!('ended' in entry)) continue;
		attempts.push({ id: entry.ended, test: `${file}#${entry.test}`, outcome: entry.outcome });
	}
	const last = entries.at(-1);
	if (last && 'started' in last && !isStopped) {
		attempts.push({ id: last.started, test: `${file}#${last.test}`, outcome: 'killed' });
	}
	return attempts;
}

async function runOnce(file: string, plan: Plan, logFile: string, isEnded: () => boolean) {
	const planFile = `${logFile}.plan`;
	writeFileSync(planFile, JSON.stringify([...plan]));
	rmSync(logFile, { force: true });
	const child = jest(['--runInBand', '--runTestsByPath', file], {
		MUTATION_PLAN: planFile,
		MUTATION_LOG: logFile,
	});
	const exited = new Promise((resolve) => child.once('exit', () => resolve(true)));
	let known = 0;
	let since = Date.now();
	let isStopped = false;
	while (!(await Promise.race([exited, sleep(500)]))) {
		const entries = readEntries(logFile);
		if (entries.length > known) since = Date.now();
		known = entries.length;
		const last = entries.at(-1);
		const patience = last && 'started' in last ? 2 * last.timeout + 5_000 : PATIENCE;
		isStopped = isEnded();
		if (isStopped || Date.now() - since > patience) {
			child.kill('SIGKILL');
			await exited;
			break;
		}
	}
	return { entries: readEntries(logFile), isStopped };
}

function readEntries(logFile: string): Entry[] {
	if (!existsSync(logFile)) return [];
	const lines = readFileSync(logFile, 'utf8').split('\n');
	// The last one is empty, or half a line.
	return lines.slice(0, -1).map((line) => JSON.parse(line) as Entry);
}

export function jest(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
	return spawn(
		process.execPath,
		[
			path.join('node_modules', 'jest', 'bin', 'jest.js'),
			'--selectProjects',
			'unit',
			'engine',
			...args,
		],
		{ cwd: tree, env: { ...process.env, MUTATION: '1', ...env }, stdio: 'ignore' },
	);
}

/** @returns whether all tests passed */
export async function passes(
	args: string[],
	env: NodeJS.ProcessEnv,
	timeout: number,
): Promise<boolean> {
	const child = jest(args, env);
	const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
	const code = await new Promise((resolve) => child.once('exit', resolve));
	clearTimeout(timer);
	return code === 0;
}
