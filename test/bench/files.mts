/**
 * A campaign from a CSV file in a real n8n: "Contacts From: File" beside Extract from File and
 * "All Input Items".
 *
 *     node host/bootstrap.mjs test/bench/files.mts --rows 1000000 --paths file,items
 *     node host/bootstrap.mjs test/bench/files.mts --heap 512 --paths file
 *
 * Each path runs in an n8n of its own; `fileOnce` is `file` with Skip, which reads it only once. `--heap` is the limit of its heap in megabytes. With
 * `--unsaved`, n8n does not save the executions: it cannot return one with 1,000,000 items.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Lock } from '../../host/lock.ts';
import { installN8n } from '../../host/n8nInstall.ts';
import { N8nClient } from '../../host/n8nClient.ts';
import { startN8n } from '../../host/n8nProcess.ts';
import { installPackage, packPackage } from '../../host/packageTarball.ts';
import { poll } from '../../host/poll.ts';
import { localFolder } from '../../host/runtime.mjs';
import { stopAllServers } from '../../host/server.ts';
import { credentialType } from '../../host/workflows.ts';
import { median, startBenchService, type BenchService } from './measure.mts';
import { logSettings, nodeTimes } from './nodeTimes.ts';
import { peakOf, resetPeak } from './peakMemory.ts';
import { cpuTime } from './processes.mts';
import { writeRowsFile } from './rowsFile.ts';

const { values: flags } = parseArgs({
	options: {
		rows: { type: 'string', default: '1000000' },
		rounds: { type: 'string', default: '1' },
		paths: { type: 'string', default: 'file,items' },
		heap: { type: 'string', default: '' },
		unsaved: { type: 'boolean', default: false },
	},
});
const folder = path.join(localFolder, 'bench-files');
const lock = new Lock(path.join(localFolder, 'bench-files.lock'));

const readFile = (name: string) => ({
	name: 'Read',
	type: 'n8n-nodes-base.readWriteFile',
	typeVersion: 1,
	parameters: { operation: 'read', fileSelector: path.join(folder, name), options: {} },
});
const extract = {
	name: 'Extract',
	type: 'n8n-nodes-base.extractFromFile',
	typeVersion: 1,
	parameters: { operation: 'csv', options: {} },
};
/** With Stop, the default, a file is read twice. */
const skip = { unusable: 'skip', duplicates: 'skip' };
const campaign = (source: string, id: string, options: object = {}) => ({
	name: 'Campaign',
	type: 'n8n-nodes-messaging-service.messagingService',
	typeVersion: 1,
	parameters: {
		resource: 'smsCampaign',
		operation: 'create',
		message: 'Hello',
		sender: 'Bench',
		contactsSource: source,
		phoneNumberField: 'phone',
		additionalFields: { otherFields: { name: 'name', custom1: 'city', custom2: 'code' } },
		options: { perCampaign: 10_000, ...options },
	},
	credentials: { [credentialType]: { id, name: 'Bench' } },
});

/** An n8n for one path. */
interface Contender {
	client: N8nClient;
	pid: number;
	logFile: string;
}

/** Makes the workflow of a path. @returns its ID */
async function makeWorkflow({ client }: Contender, nodes: { name: string }[]): Promise<string> {
	const all = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		...nodes,
	];
	const { id } = await client.createWorkflow({
		name: 'Files',
		nodes: all.map((node, column) => ({
			...node,
			id: `node-${String(column)}`,
			position: [column * 220, 0],
		})),
		connections: Object.fromEntries(
			nodes.map(({ name }, index) => [
				all[index]?.name,
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
		),
		settings: {
			executionOrder: 'v1',
			...(flags.unsaved ? { saveManualExecutions: false, saveDataSuccessExecution: 'none' } : {}),
		},
	} as Parameters<N8nClient['createWorkflow']>[0]);
	return id;
}

/** Runs a workflow. @returns the milliseconds of its nodes */
async function timesOf({ client, logFile }: Contender, id: string): Promise<Map<string, number>> {
	if (flags.unsaved) {
		const start = readFileSync(logFile, 'utf8').length;
		await client.startWorkflow(id, 'Start');
		return await poll(() => nodeTimes(logFile, start), { what: 'the run', timeout: 900_000 });
	}
	const execution = await client.runWorkflow(id, 'Start', 900_000);
	if (execution.status !== 'success') {
		throw new Error(`Failed: ${execution.error?.message ?? execution.status}`);
	}
	const runs = Object.entries(execution.runData) as [string, { executionTime?: number }[]][];
	return new Map(runs.map(([name, [run]]) => [name, run?.executionTime ?? NaN]));
}

/** Runs a path once. @returns the milliseconds of its nodes and of the processor, and memory in megabytes */
async function runOnce(contender: Contender, nodes: { name: string }[]) {
	const { pid } = contender;
	const id = await makeWorkflow(contender, nodes);
	resetPeak(pid);
	const before = peakOf(pid) ?? NaN;
	const cpuBefore = cpuTime(pid);
	const measured = await timesOf(contender, id);
	const peak = peakOf(pid) ?? NaN;
	const cpu = cpuTime(pid) - cpuBefore;
	const times = nodes.map(({ name }) => `${name} ${String(measured.get(name) ?? NaN)} ms`);
	times.push(`processor ${cpu.toFixed(0)} ms`);
	return { before, peak, times };
}

async function measure(name: string, service: BenchService) {
	const userFolder = path.join(folder, `n8n-${name}`);
	rmSync(userFolder, { recursive: true, force: true });
	const installation = await installN8n();
	await installPackage(await packPackage(folder), userFolder, installation);
	const logFile = path.join(folder, `${name}.log`);
	rmSync(logFile, { force: true });
	const { server, url } = await startN8n({
		installation,
		userFolder,
		logFile,
		environment: {
			N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false',
			N8N_RESTRICT_FILE_ACCESS_TO: folder,
			...(flags.unsaved ? logSettings : {}),
			...(flags.heap === '' ? {} : { NODE_OPTIONS: `--max-old-space-size=${flags.heap}` }),
		},
	});
	const client = new N8nClient(url);
	await client.logIn();
	const credential = await client.createCredential('Bench', credentialType, {
		baseUrl: service.url,
		authentication: 'none',
	});
	const { id } = credential;
	const pathOf = (file: string) =>
		({
			file: [readFile(file), campaign('file', id)],
			fileOnce: [readFile(file), campaign('file', id, skip)],
			items: [readFile(file), extract, campaign('inputItems', id)],
		})[name] ?? [];
	const contender = { client, pid: server.process.pid ?? 0, logFile };
	// What is loaded and compiled at the first use is not growth.
	await runOnce(contender, pathOf('few.csv'));
	const growth: number[] = [];
	for (let round = 0; round < Number(flags.rounds); round++) {
		const { before, peak, times } = await runOnce(contender, pathOf('rows.csv'));
		growth.push(peak - before);
		console.log(
			`${name}: ${flags.rows} rows, ${times.join(', ')}, memory ${before.toFixed(0)} to ${peak.toFixed(0)} MB`,
		);
	}
	const { requests, bytes } = await service.reset(0);
	console.log(
		`${name}: growth ${median(growth).toFixed(0)} MB, ${requests} requests, ${bytes} bytes`,
	);
	await server.stop();
}

async function main(): Promise<void> {
	lock.take();
	mkdirSync(folder, { recursive: true });
	await writeRowsFile(path.join(folder, 'few.csv'), 20_000);
	await writeRowsFile(path.join(folder, 'rows.csv'), Number(flags.rows));
	const service = await startBenchService();
	for (const name of flags.paths.split(',')) {
		try {
			await measure(name, service);
		} catch (error) {
			console.log(`${name}: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
	service.stop();
}

try {
	await main();
} finally {
	await stopAllServers();
	lock.release();
}
