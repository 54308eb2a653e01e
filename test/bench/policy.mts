/**
 * What the sending policy costs a campaign of 100,000 rows in n8n's engine:
 *
 *     node host/bootstrap.mjs test/bench/policy.mts [<recipients>]
 *
 * Prints the medians of the CPU time with the policy off, and with all of its rules on, and their
 * ratio. Both run in turns in one process, so that the load of the machine meets both.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { repository } from '../../host/runtime.mjs';
import { startBenchService } from './measure.mts';

const folder = path.join(repository, 'test', 'bench');
const service = await startBenchService();
await service.reset(0);
try {
	execFileSync(
		process.execPath,
		[
			...['--require', path.join(folder, 'typescript.cjs'), path.join(folder, 'policyRun.ts')],
			...[process.argv[2] ?? '100000', service.url],
		],
		{ stdio: 'inherit' },
	);
} finally {
	service.stop();
}
