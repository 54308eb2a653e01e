/**
 * How far it goes: people and events per minute, with n8n as one process and in queue mode with one
 * and with two workers, one after the other in one run.
 *
 *     npm run bench:scale -- [--rounds 3] [--scale 1]
 *
 * Published workflows are started by a webhook, several executions at the same time, as n8n does it in
 * production. Everything runs on this machine, the service and the databases too, so the processors
 * are what limits. Prints the table of docs/self-hosting.md.
 */
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import axios from 'axios';
import { installN8n } from '../../host/n8nInstall.ts';
import { N8nClient, type CredentialSummary } from '../../host/n8nClient.ts';
import { startN8n } from '../../host/n8nProcess.ts';
import { installPackage, packPackage } from '../../host/packageTarball.ts';
import { poll } from '../../host/poll.ts';
import { localFolder } from '../../host/runtime.mjs';
import { stopAllServers } from '../../host/server.ts';
import { credentialType, nodeTypes } from '../../host/workflows.ts';
import { webhookUrl } from '../e2e/support/workflows.ts';
import { QueueStand } from '../queue/stand/stand.ts';
import { sendEvents } from '../support/eventSender.ts';
import { median, startBenchService, type BenchNode, type BenchService } from './measure.mts';

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '3' },
		scale: { type: 'string', default: '1' },
	},
});
const scaled = (count: number) => Math.max(10, Math.round(count * Number(values.scale)));
const folder = path.join(localFolder, 'scale');
const parallelExecutions = 4;
const connections = 50;

/** What is measured, and how many people or events there are in an execution, or in all. */
const jobs = {
	send: { what: 'people by Send, a text each', count: scaled(1000) },
	campaign: { what: 'people by campaigns, from rows', count: scaled(25_000) },
	file: { what: 'people by campaigns, from a CSV file', count: scaled(250_000) },
	events: { what: 'events, one execution each', count: scaled(400) },
	batchedEvents: { what: 'events in batches of 50', count: scaled(3000) },
} as const;
type Job = keyof typeof jobs;
const jobNames = Object.keys(jobs) as Job[];

/** A running n8n with the workflows of all jobs published. */
interface Stand {
	url: string;
	n8n: N8nClient;
	ids: Map<Job, string>;
}

interface Step extends BenchNode {
	webhookId?: string;
}

const webhookPath = (job: Job) => `scale-${job}`;

const code = (name: string, jsCode: string): Step => ({
	name,
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode },
});

/** Each execution has people of its own. */
const rows = (count: number) =>
	code(
		'Rows',
		`const first = Math.floor(Math.random() * 700) * 100000;
return Array.from({ length: ${String(count)} }, (_, i) => ({ json: { phoneNumber: '+4477' + String(first + i).padStart(8, '0'), message: 'Hello ' + i, sender: 'Scale' } }));`,
	);

/** Webhook, people, our node, a count as the response. */
function sendingSteps(job: Job, credential: CredentialSummary, service: BenchService): Step[] {
	const { count } = jobs[job];
	const webhook: Step = {
		...{ name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2.1 },
		webhookId: crypto.randomUUID(),
		parameters: {
			...{ httpMethod: 'POST', path: webhookPath(job), responseMode: 'lastNode', options: {} },
		},
	};
	const ours = (parameters: Record<string, unknown>): Step => ({
		...{ name: 'Messaging Service', type: nodeTypes.action, typeVersion: 1, parameters },
		credentials: { [credentialType]: credential },
	});
	const create = {
		...{ resource: 'smsCampaign', operation: 'create', message: 'Hello', sender: 'Scale' },
		phoneNumberField: 'phoneNumber',
	};
	const people: Step[] = {
		send: [
			rows(count),
			ours({
				resource: 'smsMessage',
				operation: 'send',
				phoneNumber: '={{ $json.phoneNumber }}',
				message: '={{ $json.message }}',
				sender: '={{ $json.sender }}',
			}),
		],
		campaign: [rows(count), ours({ ...create, contactsSource: 'inputItems' })],
		file: [
			{
				...{ name: 'File', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
				parameters: {
					url: `${service.url}/people.csv?rows=${String(count)}`,
					options: { response: { response: { responseFormat: 'file' } } },
				},
			},
			ours({
				...{ ...create, contactsSource: 'file', binaryPropertyName: 'data' },
				options: { perCampaign: 10_000 },
			}),
		],
	}[job as 'send' | 'campaign' | 'file'];
	return [webhook, ...people, code('Count', 'return [{ json: { items: $input.all().length } }];')];
}

function triggerSteps(job: Job, credential: CredentialSummary): Step[] {
	const batches = job === 'batchedEvents' ? { batchEvents: true, batchSize: connections } : {};
	return [
		{
			...{ name: 'Start', type: nodeTypes.trigger, typeVersion: 2 },
			webhookId: crypto.randomUUID(),
			credentials: { [credentialType]: credential },
			parameters: {
				events: ['callAttempted', 'smsStatus'],
				options: { path: webhookPath(job), registration: 'manual', ...batches },
			},
		},
	];
}

async function publish(url: string, service: BenchService): Promise<Stand> {
	const n8n = new N8nClient(url);
	await n8n.logIn();
	const ids = new Map<Job, string>();
	for (const job of jobNames) {
		const isEvents = job === 'events' || job === 'batchedEvents';
		// With a secret of its own, each trigger has its own events.
		const { id, name } = await n8n.createCredential(job, credentialType, {
			...{ baseUrl: service.url, authentication: 'none', webhookSecret: job },
		});
		const credential = { id, name } as CredentialSummary;
		const steps = isEvents ? triggerSteps(job, credential) : sendingSteps(job, credential, service);
		const workflow = await n8n.createWorkflow({
			name: job,
			settings: { saveDataSuccessExecution: isEvents ? 'all' : 'none' },
			nodes: steps.map((step, column) => ({
				...step,
				id: `node-${String(column)}`,
				position: [column * 220, 0],
			})),
			connections: Object.fromEntries(
				steps
					.slice(0, -1)
					.map(({ name: from }, index) => [
						from,
						{ main: [[{ node: steps[index + 1]?.name, type: 'main', index: 0 }]] },
					]),
			),
		});
		const { status, triggers } = await n8n.activateWorkflow(workflow.id);
		if (status !== 'published') throw new Error(`${job}: ${JSON.stringify(triggers)}`);
		ids.set(job, workflow.id);
	}
	return { url, n8n, ids };
}

/** People that several executions reach in a minute. */
async function measurePeople({ url }: Stand, job: Job): Promise<number> {
	const started = performance.now();
	await Promise.all(
		Array.from({ length: parallelExecutions }, async () => {
			const { data } = await axios.post<{ items?: number }>(
				`${url}/webhook/${webhookPath(job)}`,
				{},
				{ proxy: false, timeout: 600_000 },
			);
			if (data.items === undefined) throw new Error(`${job}: ${JSON.stringify(data)}`);
		}),
	);
	const minutes = (performance.now() - started) / 60_000;
	return (jobs[job].count * parallelExecutions) / minutes;
}

/** Events that are executed in a minute, to the end of the last execution. */
async function measureEvents({ url, n8n, ids }: Stand, job: Job): Promise<number> {
	const started = performance.now();
	const { acknowledged } = await sendEvents({
		url: webhookUrl(url, webhookPath(job), job),
		...{ count: jobs[job].count, connections, tries: 3 },
	});
	const id = String(ids.get(job));
	await poll(
		async () => ((await n8n.countExecutions(id, ['new', 'running'])) === 0 ? true : undefined),
		{ what: 'the executions to end', timeout: 120_000, interval: 100 },
	);
	return acknowledged.size / ((performance.now() - started) / 60_000);
}

/** Medians of each job; the first round warms up. */
async function measure(stand: Stand): Promise<Map<Job, number[]>> {
	const found = new Map(jobNames.map((job) => [job, [] as number[]]));
	for (let round = 0; round <= Number(values.rounds); round++) {
		for (const job of jobNames) {
			const isEvents = job === 'events' || job === 'batchedEvents';
			const rate = await (isEvents ? measureEvents(stand, job) : measurePeople(stand, job));
			if (round > 0) found.get(job)?.push(rate);
		}
	}
	return found;
}

async function measureOneProcess(service: BenchService) {
	const installation = await installN8n();
	const userFolder = path.join(folder, 'one');
	await installPackage(await packPackage(folder), userFolder, installation);
	const { url, server } = await startN8n({
		...{ installation, userFolder, logFile: path.join(folder, 'logs', 'one.log') },
		environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	});
	const rates = await measure(await publish(url, service));
	await server.stop();
	return rates;
}

async function measureQueueMode(service: BenchService) {
	const queue = await QueueStand.start({ folder: path.join(folder, 'queue') });
	try {
		const stand = await publish(queue.url, service);
		await queue.stopPart('worker2');
		const oneWorker = await measure(stand);
		await queue.startPart('worker2');
		return { oneWorker, twoWorkers: await measure(stand) };
	} finally {
		await queue.stop();
	}
}

const rounded = (value: number) => Number(value.toPrecision(2)).toLocaleString('en');

function cell(rates: readonly number[]): string {
	const [low, middle, high] = [Math.min(...rates), median(rates), Math.max(...rates)];
	return `${rounded(middle)} (${rounded(low)} to ${rounded(high)})`;
}

rmSync(folder, { recursive: true, force: true });
const service = await startBenchService();
try {
	const oneProcess = await measureOneProcess(service);
	const { oneWorker, twoWorkers } = await measureQueueMode(service);
	console.log(`${String(cpus().length)} cores, medians of ${values.rounds} rounds, a minute:\n`);
	console.log('| | one process | queue mode, one worker | queue mode, two workers |');
	console.log('|---|---|---|---|');
	for (const job of jobNames) {
		const cells = [oneProcess, oneWorker, twoWorkers].map((rates) => cell(rates.get(job) ?? []));
		console.log(`| ${jobs[job].what} | ${cells.join(' | ')} |`);
	}
} finally {
	service.stop();
	await stopAllServers();
}
