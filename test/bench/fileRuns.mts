/**
 * Campaigns from a CSV file in n8n's engine, in several checkouts of this repository that take turns:
 *
 *     node host/bootstrap.mjs test/bench/fileRuns.mts --checkouts ../before,. --rows 1000000 --heap 512
 *
 * Each run is a process of its own (`fileRun.ts`). Prints the medians, and the lowest and highest
 * values, of the milliseconds of the node and of the processor, and of the memory above that of the
 * process before. `--heap` limits the heap in megabytes.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { median, startBenchService } from './measure.mts';

const { values: flags } = parseArgs({
	options: {
		checkouts: { type: 'string', default: '.' },
		rows: { type: 'string', default: '1000000' },
		rounds: { type: 'string', default: '3' },
		heap: { type: 'string', default: '' },
	},
});

const run = promisify(execFile);

interface Run {
	milliseconds: number;
	processor: number;
	megabytes: number | null;
}

async function measure(checkout: string, url: string): Promise<Run> {
	const folder = path.resolve(checkout);
	const bench = path.join(folder, 'test', 'bench');
	const heap = flags.heap === '' ? [] : [`--max-old-space-size=${flags.heap}`];
	const { stdout } = await run(
		process.execPath,
		[
			...['--expose-gc', ...heap, '--require', path.join(bench, 'typescript.cjs')],
			...[path.join(bench, 'fileRun.ts'), flags.rows, url],
		],
		{ cwd: folder },
	);
	return JSON.parse(stdout) as Run;
}

function spread(values: readonly number[]): string {
	const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)];
	return `${middle.toFixed(0)} (${low.toFixed(0)} to ${high.toFixed(0)})`;
}

const service = await startBenchService();
try {
	const checkouts = flags.checkouts.split(',');
	const runs = new Map<string, Run[]>(checkouts.map((checkout) => [checkout, []]));
	for (let round = 0; round < Number(flags.rounds); round++) {
		for (const checkout of checkouts) {
			try {
				runs.get(checkout)?.push(await measure(checkout, service.url));
			} catch (error) {
				console.log(`${checkout}: ${String(error).slice(0, 500)}`);
			}
		}
	}
	for (const [checkout, all] of runs) {
		const milliseconds = spread(all.map((each) => each.milliseconds));
		const megabytes = spread(all.map((each) => each.megabytes ?? NaN));
		const processor = spread(all.map((each) => each.processor));
		console.log(
			`${checkout}: ${flags.rows} rows, ${milliseconds} ms, processor ${processor} ms, ${megabytes} MB`,
		);
	}
} finally {
	service.stop();
}
