/** The last lines of a test run. */
import type { Outcome } from './tools.mts';

/** A step that has run. */
export interface StepResult {
	name: string;
	outcome: Outcome;
	milliseconds: number;
}

/** As people say it: seconds up to a minute, then minutes. */
function duration(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	const rest = String(seconds % 60).padStart(2, '0');
	return seconds < 60
		? `${String(seconds)} s`
		: `${String(Math.floor(seconds / 60))} min ${rest} s`;
}

/** How much passed and failed in all steps together. */
export function totalOf(results: readonly StepResult[]): { passed: number; failed: number } {
	return {
		passed: results.reduce((sum, { outcome }) => sum + outcome.passed, 0),
		failed: results.reduce((sum, { outcome }) => sum + outcome.failed, 0),
	};
}

/**
 * The summary: a line per step, what was left out, and as its last line `N passed, N failed`, which
 * CI reads (`.ci/run`).
 * @param leftOut what a run of everything leaves out, with the command that runs it
 */
export function summaryOf(results: readonly StepResult[], leftOut: readonly string[] = []): string {
	const lines = results.map(({ name, outcome, milliseconds }) => {
		const { passed, failed, notRun } = outcome;
		const counts =
			notRun === undefined
				? `${String(passed)} passed, ${String(failed)} failed`
				: `not run: ${notRun}`;
		return `${name.padEnd(13)} ${counts.padEnd(24)} ${duration(milliseconds)}`;
	});
	const { passed, failed } = totalOf(results);
	return [
		...lines,
		'',
		...leftOut.map((line) => `Left out: ${line}`),
		`${String(passed)} passed, ${String(failed)} failed`,
	].join('\n');
}
