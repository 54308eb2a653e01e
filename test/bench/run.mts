/**
 * The benchmarks: a real n8n with the packed package, beside n8n's generic nodes and plain axios.
 *
 *     npm run bench
 *     npm run bench -- --rounds 2 --scale 0.1 --only sms,campaign
 *     npm run bench -- --docs
 *
 * The two contenders of a comparison take turns. `--docs` writes the first table of
 * docs/development/benchmarks.md.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { takeLock } from '../../host/lock.ts';
import { installN8n } from '../../host/n8nInstall.ts';
import { N8nClient } from '../../host/n8nClient.ts';
import { startN8n } from '../../host/n8nProcess.ts';
import { installPackage, packPackage } from '../../host/packageTarball.ts';
import { localFolder, repository } from '../../host/runtime.mjs';
import { stopAllServers } from '../../host/server.ts';
import { credentialType } from '../../host/workflows.ts';
import { comparisons, type Comparison } from './comparisons.mts';
import { median, startBenchService, type Sample } from './measure.mts';
import { notesOf, toMarkdown, type Result } from './report.mts';

const { values: flags } = parseArgs({
	options: {
		rounds: { type: 'string', default: '5' },
		scale: { type: 'string', default: '1' },
		only: { type: 'string', default: '' },
		docs: { type: 'boolean', default: false },
	},
});
const rounds = Number(flags.rounds);
const scale = Number(flags.scale);

const folder = path.join(localFolder, 'bench');
/** Below its first table it is written by hand. */
const page = path.join(repository, 'docs', 'development', 'benchmarks.md');
const userFolder = path.join(folder, 'n8n');

/** What a comparison looks at in a sample: more is better for `speed`, less for the others. */
function valueOf({ kind }: Comparison, sample: Sample): number {
	if (kind === 'speed') return (sample.items / sample.milliseconds) * 1000;
	return kind === 'memory' ? (sample.peakMegabytes ?? NaN) : sample.milliseconds;
}

async function compare(
	comparison: Comparison,
	setLatency: (latency: number) => Promise<unknown>,
): Promise<Result> {
	const { name, measure, beside, kind, aim, latency = 0 } = comparison;
	await setLatency(latency);
	const ours: number[] = [];
	const others: number[] = [];
	// The first round warms up and does not count.
	for (let round = 0; round <= rounds; round++) {
		const pair = [valueOf(comparison, await comparison.ours())];
		pair.push(valueOf(comparison, await comparison.other()));
		if (round === 0) continue;
		ours.push(pair[0] ?? NaN);
		others.push(pair[1] ?? NaN);
	}
	const ratio = median(ours) / median(others);
	const reached = kind === 'speed' ? ratio >= aim : ratio <= aim;
	return { name, measure, beside, kind, aim, ours, others, ratio, reached };
}

const isWanted = (name: string) => flags.only.split(',').some((part) => name.includes(part));

async function main(): Promise<void> {
	takeLock(path.join(localFolder, 'bench.lock'));
	rmSync(userFolder, { recursive: true, force: true });
	const installation = await installN8n();
	const tarball = await packPackage(folder);
	await installPackage(tarball, userFolder, installation);
	const service = await startBenchService();
	const logFile = path.join(folder, 'logs', 'n8n.log');
	const n8nProcess = await startN8n({
		installation,
		userFolder,
		logFile,
		// The default engine, as most have it. A heap for both contenders alike.
		environment: {
			N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false',
			N8N_RUNNERS_TASK_TIMEOUT: '300',
			NODE_OPTIONS: '--max-old-space-size=4096',
		},
	});
	const client = new N8nClient(n8nProcess.url);
	await client.logIn();
	const serviceCredential = await client.createCredential('Bench', credentialType, {
		baseUrl: service.url,
		authentication: 'header',
		headerName: 'X-Api-Key',
		headerSecret: 'bench',
	});
	const headerCredential = await client.createCredential('Bench', 'httpHeaderAuth', {
		name: 'X-Api-Key',
		value: 'bench',
	});
	const n8n = { client, process: n8nProcess, serviceCredential, headerCredential };

	const results: Result[] = [];
	for (const comparison of comparisons(n8n, service, scale)) {
		if (!isWanted(comparison.name)) continue;
		const result = await compare(comparison, service.setLatency);
		results.push(result);
		const { name, ours, others, ratio, aim, reached } = result;
		console.log(
			`${name.padEnd(18)} ${median(ours).toFixed(1).padStart(10)} ${median(others).toFixed(1).padStart(10)} ${ratio.toFixed(2).padStart(7)}x  aim ${String(aim)}x ${reached ? 'reached' : 'missed'}`,
		);
	}

	const [core] = cpus();
	const setting = [
		`n8n ${installation.version} with its default expression engine, Node.js ${process.version}, `,
		`${String(cpus().length)} cores (${core?.model.trim() ?? ''}), `,
		`${String(Math.round(totalmem() / 1e9))} GB`,
	].join('');
	const report = toMarkdown(results, setting);
	console.log(`\n${report}`);
	if (flags.docs) writeFileSync(page, `${report}\n${notesOf(readFileSync(page, 'utf8'))}`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => void stopAllServers().then(() => process.exit(130)));
}

try {
	await main();
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
} finally {
	await stopAllServers();
	// The service ends with this process, which would wait for it.
	process.exit();
}
