/**
 * What a poll of an account with many messages costs, and Get Summary of one of its campaigns:
 *
 *     npm run bench:poll [-- <commit to compare with>]
 *
 * The account is a stub whose lists are newest first, newest last or in no order. Prints a table for
 * docs/development/benchmarks.md.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { localFolder, repository } from '../../host/runtime.mjs';

interface Cost {
	requests: number;
	seconds: number;
	result: unknown;
}

interface Measured {
	poll: Cost;
	summary: Cost;
	stateBytes: number;
}

const run = promisify(execFile);
const benchFolder = path.join(repository, 'test', 'bench');

/** The nodes and the tests' support of a commit, inside the repository, where packages are found. */
function checkOut(commit: string): string {
	const folder = path.join(localFolder, 'bench', 'poll-before');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const parts = ['nodes', 'credentials', 'host', 'test/support'];
	const git = ['-C', repository, 'archive', '--format=tar', commit, ...parts];
	const archive = execFileSync('git', git, { maxBuffer: 100_000_000 });
	execFileSync('tar', ['-x', '-C', folder], { input: archive });
	return folder;
}

async function measure(folder: string, order: string, messages: number): Promise<Measured> {
	const { stdout } = await run(process.execPath, [
		...['--max-old-space-size=4096', '--require', path.join(benchFolder, 'typescript.cjs')],
		...[path.join(benchFolder, 'pollRun.ts'), folder, order, String(messages)],
	]);
	return JSON.parse(stdout.split('\n').find((line) => line.startsWith('{')) ?? '') as Measured;
}

const cell = ({ requests, seconds, result }: Cost) =>
	typeof result === 'string' ? result : `${requests} requests, ${seconds.toFixed(1)} s`;

const [commit] = process.argv.slice(2);
const folders = [...(commit === undefined ? [] : [checkOut(commit)]), repository];
const versions = commit === undefined ? ['now'] : ['before', 'now'];
const columns = ['poll', 'Get Summary'].flatMap((what) =>
	versions.map((when) => `${what} ${when}`),
);
console.log(`| messages, order | ${columns.join(' | ')} |`);
console.log(`|---${'|---'.repeat(columns.length)}|`);
let states: number[] = [];
for (const messages of [400_000, 1_500_000]) {
	for (const order of ['newestFirst', 'newestLast', 'none']) {
		const measured: Measured[] = [];
		for (const folder of folders) measured.push(await measure(folder, order, messages));
		const cells = [
			...measured.map(({ poll }) => cell(poll)),
			...measured.map(({ summary }) => cell(summary)),
		];
		states = measured.map(({ stateBytes }) => stateBytes);
		console.log(`| ${messages.toLocaleString('en-US')}, ${order} | ${cells.join(' | ')} |`);
	}
}
console.log(`State for 100,000 numbers, in bytes: ${states.join(' before, now ')}`);
