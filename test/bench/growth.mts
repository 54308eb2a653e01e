import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../../host/runtime.mjs';
import type { BenchService } from './measure.mts';

/** One campaign from so many rows: what it took, round by round. */
export interface GrowthStep {
	recipients: number;
	milliseconds: number[];
	/** Resident memory above that of the process that holds the rows. */
	megabytes: number[];
}

const run = promisify(execFile);
const folder = path.join(repository, 'test', 'bench');

/** Campaigns of 1,000 to 1,000,000 recipients (at scale 1) in n8n's engine, each in its own process. */
export async function measureGrowth(
	service: BenchService,
	rounds: number,
	scale: number,
): Promise<GrowthStep[]> {
	await service.reset(0);
	const steps = [1000, 10_000, 100_000, 1_000_000].map((recipients): GrowthStep => ({
		recipients: Math.max(10, Math.round(recipients * scale)),
		milliseconds: [],
		megabytes: [],
	}));
	for (let round = 0; round < rounds; round++) {
		for (const { recipients, milliseconds, megabytes } of steps) {
			const { stdout } = await run(process.execPath, [
				...['--expose-gc', '--max-old-space-size=8192'],
				...['--require', path.join(folder, 'typescript.cjs'), path.join(folder, 'growthRun.ts')],
				...[String(recipients), service.url],
			]);
			const measured = JSON.parse(stdout) as { milliseconds: number; megabytes: number | null };
			milliseconds.push(measured.milliseconds);
			megabytes.push(measured.megabytes ?? NaN);
		}
	}
	return steps;
}
