import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StepResult } from '../summary.mts';

const repository = path.resolve(__dirname, '..', '..');

const passed: StepResult = {
	name: 'unit',
	outcome: { passed: 12, failed: 0 },
	milliseconds: 1500,
};
const failed: StepResult = {
	name: 'engine',
	outcome: { passed: 3, failed: 1 },
	milliseconds: 1500,
};
const notRun: StepResult = {
	name: 'queue',
	outcome: { passed: 0, failed: 0, notRun: 'Queue mode needs redis-server.' },
	milliseconds: 10,
};

/** What the test command prints in the end. Node.js itself runs it: Jest cannot load ES modules. */
function summaryOf(results: StepResult[], leftOut: string[] = []): string {
	const module = pathToFileURL(path.join(repository, 'test', 'summary.mts')).href;
	const code = `
		import { summaryOf } from ${JSON.stringify(module)};
		console.log(summaryOf(...${JSON.stringify([results, leftOut])}));
	`;
	const args = ['--input-type=module', '--eval', code];
	return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.trimEnd();
}

describe('the test command', () => {
	it('refuses a step that does not exist', () => {
		const runner = path.join(repository, 'test', 'run.mts');
		const { status, stderr } = spawnSync(process.execPath, [runner, 'unti'], { encoding: 'utf8' });
		expect(status).toBe(2);
		expect(stderr).toContain('No such step: unti');
	});

	it('says what it left out, and ends with the counts alone', () => {
		const lines = summaryOf([passed, notRun], ['e2e-more (npm run test:more)']).split('\n');
		expect(lines).toContain('Left out: e2e-more (npm run test:more)');
		expect(lines.join('\n')).toContain('not run: Queue mode needs redis-server.');
		expect(lines.at(-1)).toBe('12 passed, 0 failed');
	});
});

describe('the run of CI', () => {
	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'ci-run-'));
	});

	afterEach(() => {
		rmSync(folder, { recursive: true });
	});

	/** `.ci/run` with an npm that prints what the test command prints, and ends like it. */
	function ciRun(output: string, status: number) {
		writeFileSync(path.join(folder, 'output'), `${output}\n`);
		const npm = path.join(folder, 'npm');
		writeFileSync(npm, `#!/bin/sh\ncat '${folder}/output'\nexit ${String(status)}\n`);
		chmodSync(npm, 0o755);
		const run = spawnSync('bash', [path.join(repository, '.ci', 'run')], {
			env: { ...process.env, PATH: `${folder}${path.delimiter}${process.env.PATH ?? ''}` },
			encoding: 'utf8',
		});
		return { status: run.status, last: run.stdout.trimEnd().split('\n').at(-1) };
	}

	it.each([
		['passes a run that passed', [passed], 0, 0, '12 passed, 0 failed'],
		['passes a run that had no Redis', [passed, notRun], 0, 0, '12 passed, 0 failed'],
		['fails a run with a failure', [passed, failed], 1, 1, '15 passed, 1 failed'],
		['fails a run that failed and does not say so', [passed, failed], 0, 1, '15 passed, 1 failed'],
	])('%s', (_, results, testStatus, status, last) => {
		expect(ciRun(summaryOf(results), testStatus)).toEqual({ status, last });
	});
});
