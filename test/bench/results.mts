/**
 * What reading the results of a running campaign of 100,000 numbers costs in n8n's engine:
 *
 *     node host/bootstrap.mjs test/bench/results.mts [rounds]
 *
 * Prints the times of a poll and of Get Phone Numbers on the same list, which take turns in one
 * process, and their ratio; then the memory that Get Summary and Get Phone Numbers grow by, each
 * run in a process of its own. The service is another process.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { repository } from '../../host/runtime.mjs';
import { median, startBenchService } from './measure.mts';

const folder = path.join(repository, 'test', 'bench');
const rounds = Number(process.argv[2] ?? 9);

/** One process of resultsRun.ts: a line of JSON. */
const run = (task: string, times: number, url: string): number[][] =>
	JSON.parse(
		execFileSync(
			process.execPath,
			[
				...['--expose-gc', '--require', path.join(folder, 'typescript.cjs')],
				...[path.join(folder, 'resultsRun.ts'), task, String(times), url],
			],
			{ encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
		),
	) as number[][];

const spread = (values: readonly number[], digits: number) =>
	`${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

const service = await startBenchService();
try {
	await service.reset(0);
	const pairs = run('poll', rounds, service.url);
	const polls = pairs.map(([poll = NaN]) => poll);
	const lists = pairs.map(([, list = NaN]) => list);
	const ratios = pairs.map(([poll = NaN, list = NaN]) => poll / list);
	console.log(`Poll: ${spread(polls, 0)} ms`);
	console.log(`Get Phone Numbers: ${spread(lists, 0)} ms`);
	console.log(`Ratio of each round: ${spread(ratios, 2)}; aim: at most 1.3`);
	for (const operation of ['getSummary', 'getPhoneNumbers']) {
		const megabytes = Array.from(
			{ length: 5 },
			() => run(operation, 1, service.url)[0]?.[0] ?? NaN,
		);
		console.log(`${operation}: ${spread(megabytes, 0)} MB of memory`);
	}
} finally {
	service.stop();
}
