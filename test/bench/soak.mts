/**
 * A mixed load of sends, lists and events on n8n in queue mode, for half an hour: whether memory,
 * handles and connections of each process stay as they are once they have warmed up.
 *
 *     npm run soak -- [--minutes 30]
 *
 * The first sixth is not counted. Prints the table of docs/development/reliability.md, and ends with an
 * error if something grows. Linux only: it reads /proc.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { N8nClient, type CredentialSummary } from '../../host/n8nClient.ts';
import { withProgress } from '../../host/progress.mjs';
import { localFolder } from '../../host/runtime.mjs';
import { startSandbox } from '../../host/sandbox.ts';
import { stopAllServers } from '../../host/server.ts';
import { credentialType } from '../../host/workflows.ts';
import {
	actionName,
	actionWorkflow,
	triggerWorkflow,
	webhookUrl,
} from '../e2e/support/workflows.ts';
import { QueueStand, type Part } from '../queue/stand/stand.ts';
import { sendEvents } from '../support/eventSender.ts';
import { median } from './measure.mts';
import { usageOf, type Usage } from './processes.mts';

const { values } = parseArgs({
	options: {
		minutes: { type: 'string', default: '30' },
	},
});
const minutes = Number(values.minutes);
const warmUp = minutes / 6;
const folder = path.join(localFolder, 'soak');
const secondsBetweenSamples = 10;
const rowsPerRun = 100;
const storedNumbers = 2000;

/** What may come on top in the last third and still counts as flat: memory in MB. */
const tolerance: Record<keyof Usage, { part: number; least: number }> = {
	memory: { part: 0.1, least: 30 },
	handles: { part: 0.1, least: 10 },
	sockets: { part: 0.1, least: 10 },
};

const parts = ['main', 'worker1', 'worker2', 'webhook', 'redis', 'postgres'] as const;
type Sampled = (typeof parts)[number];

interface Sample {
	/** Seconds since the load began. */
	at: number;
	usage: Record<Sampled, Usage>;
}

/** What the load came to. */
const work = { messages: 0, listed: 0, events: 0, batchedEvents: 0, failures: [] as string[] };

async function makeWorkflows(n8n: N8nClient, credential: CredentialSummary) {
	const rows = Array.from({ length: rowsPerRun }, (_, row) => ({
		phone: `+4477${String(row).padStart(8, '0')}`,
	}));
	const stored = Array.from({ length: storedNumbers }, (_, row) => ({
		storageID: `soak-${String(row)}`,
		number: `+4476${String(row).padStart(8, '0')}`,
	}));
	const make = async (...workflow: Parameters<typeof actionWorkflow>) =>
		(await n8n.createWorkflow(actionWorkflow(...workflow))).id;
	const storing = await make('Soak: store', credential, stored, {
		...{
			resource: 'phoneNumberStorage',
			operation: 'create',
			storageID: '={{ $json.storageID }}',
			number: '={{ $json.number }}',
		},
	});
	const { status, error } = await n8n.runWorkflow(storing, 'Start');
	if (status !== 'success') throw new Error(`Storing failed: ${error?.message ?? status}`);
	const sending = await make('Soak: send', credential, rows, {
		...{ resource: 'smsMessage', operation: 'send', phoneNumber: '={{ $json.phone }}' },
		...{ message: 'Hello', sender: 'Soak' },
	});
	const listing = await make('Soak: list', credential, [{}], {
		...{ resource: 'phoneNumberStorage', operation: 'getAll', returnAll: true },
	});
	for (const batchEvents of [false, true]) {
		const name = batchEvents ? 'soak-batched' : 'soak';
		// With a secret of its own, each trigger has its own events.
		const own = await n8n.createCredential(name, credentialType, {
			...{ baseUrl: 'http://127.0.0.1:9', authentication: 'none', webhookSecret: name },
		});
		const { id } = await n8n.createWorkflow(
			triggerWorkflow(name, own, {
				...{ path: name, events: ['smsStatus'] },
				options: { registration: 'manual', batchEvents, batchSize: 20 },
			}),
		);
		const publication = await n8n.activateWorkflow(id);
		if (publication.status !== 'published') throw new Error(JSON.stringify(publication.triggers));
	}
	return { sending, listing };
}

/** Repeats something until the time is over; failures are noted, not thrown. */
async function until(end: number, act: () => Promise<void>): Promise<void> {
	while (Date.now() < end) {
		try {
			await act();
		} catch (error) {
			work.failures.push(error instanceof Error ? error.message : String(error));
			await sleep(1000);
		}
	}
}

async function load(n8n: N8nClient, url: string, credential: CredentialSummary, end: number) {
	const { sending, listing } = await makeWorkflows(n8n, credential);
	const run = async (id: string) => {
		const execution = await n8n.runWorkflow(id, 'Start');
		if (execution.status !== 'success') throw new Error(`Execution ${execution.status}`);
		return execution.items(actionName).length;
	};
	const events = async (name: string, count: number, connections: number) =>
		(await sendEvents({ url: webhookUrl(url, name, name), count, connections, tries: 3 }))
			.acknowledged.size;
	await Promise.all([
		until(end, async () => {
			work.messages += await run(sending);
		}),
		until(end, async () => {
			work.listed += await run(listing);
			await sleep(1000);
		}),
		until(end, async () => {
			work.events += await events('soak', 20, 4);
			await sleep(1000);
		}),
		until(end, async () => {
			work.batchedEvents += await events('soak-batched', 100, 20);
			await sleep(1000);
		}),
	]);
}

interface Verdict {
	part: Sampled;
	measure: keyof Usage;
	first: number;
	last: number;
	isFlat: boolean;
}

/** Compares the first third after the warm-up with the last. */
function judge(samples: Sample[]): Verdict[] {
	const counted = samples.filter(({ at }) => at >= warmUp * 60);
	const third = Math.floor(counted.length / 3);
	if (third === 0) throw new Error('The soak was too short to judge anything.');
	return parts.flatMap((part) =>
		(['memory', 'handles', 'sockets'] as const).map((measure) => {
			const of = (some: Sample[]) => median(some.map(({ usage }) => usage[part][measure]));
			const first = of(counted.slice(0, third));
			const last = of(counted.slice(-third));
			const { part: share, least } = tolerance[measure];
			// PostgreSQL fills its shared buffers while the database grows.
			const isJudged = part !== 'postgres' || measure !== 'memory';
			const isFlat = !isJudged || last - first <= Math.max(first * share, least);
			return { part, measure, first, last, isFlat };
		}),
	);
}

function table(verdicts: Verdict[]): string {
	const cell = (part: Sampled, measure: keyof Usage) => {
		const verdict = verdicts.find((one) => one.part === part && one.measure === measure);
		if (verdict === undefined) return '';
		const { first, last, isFlat } = verdict;
		return `${first.toFixed(0)}, ${last.toFixed(0)}${isFlat ? '' : ' **grows**'}`;
	};
	return [
		'| process | memory (MB): first third, last third | handles | sockets |',
		'| --- | --- | --- | --- |',
		...parts.map(
			(part) =>
				`| ${part} | ${cell(part, 'memory')} | ${cell(part, 'handles')} | ${cell(part, 'sockets')} |`,
		),
	].join('\n');
}

async function main(): Promise<boolean> {
	rmSync(folder, { recursive: true, force: true });
	const sandbox = await startSandbox({
		logFile: path.join(folder, 'logs', 'sandbox.log'),
		database: path.join(folder, 'sandbox.sqlite'),
	});
	const stand = await QueueStand.start({ folder });
	process.once(
		'SIGINT',
		() =>
			void stand
				.stop()
				.then(stopAllServers)
				.then(() => process.exit(130)),
	);
	try {
		const n8n = new N8nClient(stand.url);
		await n8n.logIn();
		const credential = await n8n.createCredential('Soak', credentialType, {
			baseUrl: sandbox.url,
			clientId: '1001',
			authentication: 'header',
			headerName: 'X-Api-Key',
			headerSecret: sandbox.apiKey,
		});
		const begun = Date.now();
		const end = begun + minutes * 60_000;
		const samples: Sample[] = [];
		const pids = parts.map((part): [Sampled, number] => [part, pidOf(stand, part)]);
		const sampling = until(end, async () => {
			const usage = Object.fromEntries(pids.map(([part, pid]) => [part, usageOf(pid)]));
			samples.push({
				at: Math.round((Date.now() - begun) / 1000),
				usage: usage as Sample['usage'],
			});
			await sleep(secondsBetweenSamples * 1000);
		});
		await withProgress(
			`Mixed load for ${String(minutes)} min`,
			async () => await Promise.all([load(n8n, stand.url, credential, end), sampling]),
		);
		const verdicts = judge(samples);
		const { failures, ...done } = work;
		const counts = Object.entries(done).map(([what, count]) => `${what}: ${String(count)}`);
		console.log(`\n${table(verdicts)}\n`);
		console.log(`${counts.join(', ')}; failures: ${String(failures.length)}.`);
		for (const failure of new Set(failures)) console.log(failure);
		return failures.length === 0 && verdicts.every(({ isFlat }) => isFlat);
	} finally {
		await stand.stop();
	}
}

const pidOf = (stand: QueueStand, part: Part) => Number(stand.server(part).process.pid);

try {
	process.exitCode = (await main()) ? 0 : 1;
} finally {
	await stopAllServers();
}
