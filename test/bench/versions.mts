/**
 * Compares the nodes with those of an earlier commit, in one run that takes turns:
 *
 *     node host/bootstrap.mjs test/bench/versions.mts <commit> [--rounds 15] [--scale 1] [--only send,campaign] [--heap 4096]
 *
 * Both are loaded from their sources into one process, which runs them in turns (`versionRun.ts`), so
 * that what else the machine does disturbs both alike. `file` takes long and runs only when it is named.
 * Prints a table for docs/development/benchmarks.md; its ratios are medians over the turns.
 */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { localFolder, repository } from '../../host/runtime.mjs';
import { median, startBenchService } from './measure.mts';

interface Measured {
	milliseconds: number;
	cpu: number;
	memory: number;
}

const { values: flags, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		rounds: { type: 'string', default: '15' },
		scale: { type: 'string', default: '1' },
		only: { type: 'string', default: 'send,campaign,list' },
		/** In megabytes. */
		heap: { type: 'string', default: '4096' },
	},
});

const MEASURES = {
	send: 'single SMS, each field from a column (1,500 at scale 1)',
	leaveOut: 'the same with 5,000 numbers not to contact',
	campaign: 'rows to one campaign (100,000 at scale 1)',
	file: 'rows of a file to campaigns (1,000,000 at scale 1)',
	list: '100,000 stored numbers listed, page size 1000',
};

const run = promisify(execFile);

/** What the engine of the tests checks after each run: nothing here, where only the nodes count. */
const UNCHECKED = {
	'test/support/errorTexts.ts': 'export const expectReadable = () => undefined;',
	'test/support/returns.ts': 'export const assertActionReturns = () => undefined;',
	'host/sandbox.ts': 'export const isSandbox = () => false;',
};

/** A folder for the nodes of a version, with the files that measure them. */
function folderFor(version: string): string {
	const folder = path.join(localFolder, 'bench', version);
	rmSync(folder, { recursive: true, force: true });
	for (const name of ['test/support', 'host'])
		mkdirSync(path.join(folder, name), { recursive: true });
	for (const file of ['engine.ts', 'surroundings.ts', 'engineEnvironment.cjs']) {
		cpSync(path.join(repository, 'test/support', file), path.join(folder, 'test/support', file));
	}
	for (const [file, code] of Object.entries(UNCHECKED)) {
		writeFileSync(path.join(folder, file), code);
	}
	return folder;
}

/** The nodes of a commit. */
function checkOut(commit: string): string {
	const folder = folderFor('before');
	const git = ['-C', repository, 'archive', '--format=tar', commit, 'nodes', 'credentials'];
	const archive = execFileSync('git', git, { maxBuffer: 100_000_000 });
	execFileSync('tar', ['-x', '-C', folder], { input: archive });
	// The engine of the tests reads it; older nodes have none.
	const errorItem = path.join(folder, 'nodes/MessagingService/returns/errorItem.ts');
	if (!existsSync(errorItem)) writeFileSync(errorItem, 'export const ERROR_FIELDS = [];');
	return folder;
}

/** The nodes as they are. */
function copyCurrent(): string {
	const folder = folderFor('now');
	for (const name of ['nodes', 'credentials']) {
		cpSync(path.join(repository, name), path.join(folder, name), { recursive: true });
	}
	return folder;
}

async function inProcess(
	name: string,
	url: string,
	folders: readonly string[],
	rounds = flags.rounds,
) {
	const { stdout } = await run(process.execPath, [
		...['--expose-gc', `--max-old-space-size=${flags.heap}`],
		...['--require', path.join(repository, 'test', 'bench', 'typescript.cjs')],
		...[path.join(repository, 'test', 'bench', 'versionRun.ts'), name, url],
		...[flags.scale, rounds, ...folders],
	]);
	return JSON.parse(stdout) as Measured[][];
}

/** Measures each run in a process of its own, where the memory of the runs before is not in the way. */
async function measureApart(name: string, url: string, folders: readonly string[]) {
	const [before, now] = [[], []] as [Measured[], Measured[]];
	for (let round = 0; round < Number(flags.rounds); round++) {
		for (const [place, folder] of folders.entries()) {
			const [measured = []] = await inProcess(name, url, [folder], '1');
			(place === 0 ? before : now).push(...measured);
		}
	}
	return { before, now };
}

/**
 * Measures in two processes: code that is loaded second is slower (by a tenth for 100,000 rows), even
 * if it is the same.
 */
async function measure(name: string, url: string, [before = '', now = '']: readonly string[]) {
	const [first = [], second = []] = await inProcess(name, url, [before, now]);
	const [secondNow = [], firstBefore = []] = await inProcess(name, url, [now, before]);
	return { before: [...first, ...firstBefore], now: [...second, ...secondNow] };
}

function row(text: string, before: readonly Measured[], now: readonly Measured[]): string {
	const cells = (['milliseconds', 'cpu', 'memory'] as const).flatMap((kind) => {
		const [old, current] = [before.map((each) => each[kind]), now.map((each) => each[kind])];
		const spread = (values: readonly number[]) =>
			`${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`;
		const ratios = current.map((value, turn) => value / (old[turn] ?? NaN));
		return [spread(old), spread(current), median(ratios).toFixed(2)];
	});
	return `| ${text} | ${cells.join(' | ')} |`;
}

const [commit] = positionals;
if (commit === undefined) throw new Error('Name the commit to compare with.');
const folders = [checkOut(commit), copyCurrent()];
const service = await startBenchService();
console.log(
	'| measure | node time before, ms | now | ratio | CPU before, ms | now | ratio | memory before, MB | now | ratio |',
);
console.log('|---|---|---|---|---|---|---|---|---|---|');
for (const [name, text] of Object.entries(MEASURES)) {
	if (!flags.only.split(',').includes(name)) continue;
	const measured = await (name === 'file' ? measureApart : measure)(name, service.url, folders);
	console.log(row(text, measured.before, measured.now));
}
service.stop();
