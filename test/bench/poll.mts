/**
 * What a poll of an account with many messages costs, and Get Summary of one of its campaigns:
 *
 *     node host/bootstrap.mjs test/bench/poll.mts [<commit to compare with>]
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
	published: Cost;
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
const headings = commit === undefined ? ['now'] : [`before (${commit})`, 'now'];
console.log(
	`| | ${headings.map((each) => `publish ${each} | poll ${each} | Get Summary ${each}`).join(' | ')} |`,
);
console.log(`|---|${headings.map(() => '---|---|---|').join('')}`);
const states: number[] = [];
for (const messages of [400_000, 1_500_000]) {
	for (const order of ['newestFirst', 'newestLast', 'none']) {
		const cells: string[] = [];
		for (const [place, folder] of folders.entries()) {
			const { published, poll, summary, stateBytes } = await measure(folder, order, messages);
			cells.push(cell(published), cell(poll), cell(summary));
			states[place] = stateBytes;
		}
		console.log(`| ${messages.toLocaleString('en-US')}, ${order} | ${cells.join(' | ')} |`);
	}
}
console.log(`State for 100,000 numbers, in bytes: ${states.join(' before, now ')}`);
