/**
 * Compares the sandbox with that of an earlier commit, and measures how long requests wait for a large one:
 *
 *     node host/bootstrap.mjs test/bench/sandbox.mts [<commit>] [--rounds 7] [--scale 1]
 *
 * In each round both versions start as processes of their own, in memory, and take turns; the client and the
 * receiver of the events are this process. Without a commit, only the waits are measured. Prints tables.
 * Linux only: it reads /proc.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { localFolder, repository } from '../../host/runtime.mjs';
import { median } from './measure.mts';
import { peakOf } from './peakMemory.ts';
import { cpuTime, usageOf } from './processes.mts';

const { values: flags, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		rounds: { type: 'string', default: '7' },
		scale: { type: 'string', default: '1' },
	},
});
const scale = Number(flags.scale);
const connections = 50;
const measuredCount = Math.round(5000 * scale);
const warmUpCount = Math.round(2000 * scale);
const contactCount = Math.round(1_000_000 * scale);

/** A sandbox in a process of its own. */
interface Sandbox {
	url: string;
	pid: number;
	headers: Record<string, string>;
	stop(): Promise<void>;
}

/** What a version did in a round. */
interface Round {
	sends: number;
	sendCpu: number;
	deliveries: number;
	deliveryCpu: number;
	memory: number;
	peak: number;
}

const MEASURES: Record<keyof Round, string> = {
	sends: 'sends per second',
	sendCpu: 'CPU time of a send, ms',
	deliveries: 'deliveries per second',
	deliveryCpu: 'CPU time of a delivery, ms',
	memory: 'memory afterwards, MB',
	peak: 'highest resident memory, MB',
};

/** The sandbox of a commit; its packages are those of this repository. */
function checkOut(commit: string): string {
	const folder = path.join(localFolder, 'bench', 'sandbox-before');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const git = ['-C', repository, 'archive', '--format=tar', commit, 'sandbox'];
	const archive = execFileSync('git', git, { maxBuffer: 100_000_000 });
	execFileSync('tar', ['-x', '-C', folder], { input: archive });
	return folder;
}

async function startSandbox(folder: string): Promise<Sandbox> {
	const child = spawn(
		process.execPath,
		[
			'--disable-warning=ExperimentalWarning',
			path.join(folder, 'sandbox', 'service', 'main.ts'),
			...['--port', '0', '--json', '--exit-with-stdin'],
		],
		{ stdio: ['pipe', 'pipe', 'inherit'] },
	);
	const ended = once(child, 'exit');
	const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
	const { url, apiKey } = JSON.parse(line) as { url: string; apiKey: string };
	return {
		url,
		pid: child.pid ?? 0,
		headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
		stop: async () => {
			child.stdin.end();
			await ended;
		},
	};
}

/** A server that acknowledges events and tells when it has got so many. */
async function startReceiver() {
	let received = 0;
	let target = { count: Infinity, reached: (): void => undefined };
	const server = http.createServer((request, response) => {
		request.resume();
		response.end();
		received += 1;
		if (received === target.count) target.reached();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${String(port)}/events`,
		receive: async (more: number) => {
			await new Promise<void>((resolve) => (target = { count: received + more, reached: resolve }));
		},
		stop: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const numberOf = (index: number): string => `+4477${String(index).padStart(8, '0')}`;

/** Runs something; how many a second that is, and the processor time of the sandbox for each. */
async function timed(count: number, { pid }: Sandbox, work: () => Promise<unknown>) {
	const cpuBefore = cpuTime(pid);
	const started = performance.now();
	await work();
	const rate = count / ((performance.now() - started) / 1000);
	return { rate, cpu: (cpuTime(pid) - cpuBefore) / count };
}

/** Sends a request to a sandbox; gives the body of the response, or throws what is wrong. */
function call(
	{ url, headers }: Sandbox,
	{ agent, method = 'GET', path: place }: http.RequestOptions,
	body?: string | Readable,
): Promise<string> {
	return new Promise((resolve, reject) => {
		const request = http.request(`${url}${place ?? ''}`, { method, agent, headers }, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
			response.once('end', () => {
				if (Math.floor((response.statusCode ?? 0) / 100) === 2) resolve(text);
				else reject(new Error(`${method} ${place ?? ''}: ${text}`));
			});
		});
		request.once('error', reject);
		if (body instanceof Readable) pipeline(body, request).catch(reject);
		else request.end(body);
	});
}

async function send(sandbox: Sandbox, count: number): Promise<void> {
	const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
	const options = { agent, method: 'POST', path: '/api/SMSMessages' };
	let next = 0;
	await Promise.all(
		Array.from({ length: connections }, async () => {
			while (next < count) {
				const message = { sender: 'Bench', message: 'Hello', phoneNumber: numberOf(next++) };
				await call(sandbox, options, JSON.stringify(message));
			}
		}),
	);
	agent.destroy();
}

const pauseDeliveries = (sandbox: Sandbox, paused: boolean): Promise<string> =>
	call(
		sandbox,
		{ method: 'PATCH', path: '/_sandbox/settings' },
		JSON.stringify({ deliveries: { paused } }),
	);

/** Makes so many events with a campaign, without delivering them yet. */
async function makeEvents(sandbox: Sandbox, count: number): Promise<void> {
	await pauseDeliveries(sandbox, true);
	const contacts = Array.from({ length: count }, (_, index) => ({ phoneNumber: numberOf(index) }));
	const body = JSON.stringify({ message: 'Hello', contacts });
	await call(sandbox, { method: 'POST', path: '/api/Campaigns' }, body);
	let pending = 0;
	while (pending < count) {
		await sleep(50);
		const summary = await call(sandbox, { path: '/_sandbox/summary' });
		({ pending } = (JSON.parse(summary) as { deliveries: { pending: number } }).deliveries);
	}
}

async function deliver(sandbox: Sandbox, receiver: Receiver, count: number): Promise<void> {
	const received = receiver.receive(count);
	await pauseDeliveries(sandbox, false);
	await received;
}

async function registerWebhook(sandbox: Sandbox, { url }: Receiver): Promise<void> {
	const path = `/api/integrations/UpdateWebHook?clientId=1001&url=${encodeURIComponent(url)}`;
	await call(sandbox, { method: 'POST', path });
}

/** One round of all versions, which take turns in this order. */
async function runRound(folders: readonly string[], receiver: Receiver): Promise<Round[]> {
	const sandboxes = await Promise.all(folders.map(startSandbox));
	const rounds: Round[] = [];
	const sends: { rate: number; cpu: number }[] = [];
	for (const sandbox of sandboxes) {
		await send(sandbox, warmUpCount);
		sends.push(await timed(measuredCount, sandbox, () => send(sandbox, measuredCount)));
	}
	for (const [index, sandbox] of sandboxes.entries()) {
		await registerWebhook(sandbox, receiver);
		await makeEvents(sandbox, warmUpCount);
		await deliver(sandbox, receiver, warmUpCount);
		await makeEvents(sandbox, measuredCount);
		const { rate, cpu } = await timed(measuredCount, sandbox, () =>
			deliver(sandbox, receiver, measuredCount),
		);
		const { pid } = sandbox;
		rounds.push({
			...{ sends: sends[index]?.rate ?? NaN, sendCpu: sends[index]?.cpu ?? NaN },
			...{ deliveries: rate, deliveryCpu: cpu },
			...{ memory: usageOf(pid).memory, peak: peakOf(pid) ?? NaN },
		});
	}
	await Promise.all(sandboxes.map((sandbox) => sandbox.stop()));
	return rounds;
}

const inFull = (value: number): string =>
	value >= 10 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
const spread = (values: readonly number[]): string =>
	`${inFull(median(values))} (${inFull(Math.min(...values))} to ${inFull(Math.max(...values))})`;

async function compare(commit: string, receiver: Receiver): Promise<void> {
	const folders = [checkOut(commit), repository];
	const all: [before: Round, now: Round][] = [];
	for (let round = 0; round < Number(flags.rounds); round++) {
		if (round % 2 === 0) all.push((await runRound(folders, receiver)) as [Round, Round]);
		else all.push((await runRound(folders.toReversed(), receiver)).reverse() as [Round, Round]);
	}
	console.log(`| | ${commit} | now | ratio of each round |`);
	console.log('|---|---|---|---|');
	for (const [key, text] of Object.entries(MEASURES) as [keyof Round, string][]) {
		const [before, now] = [all.map(([old]) => old[key]), all.map(([, current]) => current[key])];
		const ratios = all.map(([old, current]) => current[key] / old[key]);
		console.log(`| ${text} | ${spread(before)} | ${spread(now)} | ${spread(ratios)} |`);
	}
}

/** The body of a campaign, in pieces. */
function* campaignBody(count: number): Generator<string> {
	yield '{"message":"Hello","contacts":[';
	for (let first = 0; first < count; first += 1000) {
		const contacts = Array.from({ length: Math.min(1000, count - first) }, (_, index) => {
			const name = `Person ${String(first + index)}`;
			return JSON.stringify({ phoneNumber: numberOf(first + index), name });
		});
		yield `${first === 0 ? '' : ','}${contacts.join(',')}`;
	}
	yield ']}';
}

/** What others ask for, in turns. */
const OTHERS = [
	'/api/SMSMessages/500001',
	'/api/SMSMessages',
	'/api/Campaigns',
	'/_sandbox/health',
];

/** Sends a request every 10 ms until something is done, without waiting for the responses; how long each took. */
async function waitsDuring(sandbox: Sandbox, work: Promise<unknown>): Promise<number[]> {
	const agent = new http.Agent({ keepAlive: true });
	const waits: number[] = [];
	const responses: Promise<void>[] = [];
	const ask = async (place: string): Promise<void> => {
		const started = performance.now();
		await call(sandbox, { agent, path: place });
		waits.push(performance.now() - started);
	};
	const timer = setInterval(() => {
		responses.push(ask(OTHERS[responses.length % OTHERS.length] ?? ''));
	}, 10);
	await work.finally(() => {
		clearInterval(timer);
	});
	await Promise.all(responses);
	agent.destroy();
	return waits;
}

async function untilSent(sandbox: Sandbox, id: string): Promise<void> {
	let status = 0;
	while (status !== 2) {
		await sleep(250);
		const campaign = await call(sandbox, { path: `/api/Campaigns/${id}` });
		({ status } = JSON.parse(campaign) as { status: number });
	}
}

function printWaits(text: string, waits: number[], started: number): void {
	const sorted = waits.sort((one, other) => one - other);
	const quantile = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? NaN;
	const cells = [quantile(0.5), quantile(0.99), quantile(1)].map(inFull);
	const seconds = inFull((performance.now() - started) / 1000);
	console.log(`| ${text} | ${seconds} s | ${String(waits.length)} | ${cells.join(' | ')} |`);
}

/** How long other requests wait while a campaign is created, and while it is sent with its events delivered. */
async function measureWaits(receiver: Receiver): Promise<void> {
	const sandbox = await startSandbox(repository);
	await send(sandbox, warmUpCount);
	await registerWebhook(sandbox, receiver);
	console.log('\n| meanwhile | time | requests | median, ms | 99th percentile | longest |');
	console.log('|---|---|---|---|---|---|');
	let started = performance.now();
	const options = { method: 'POST', path: '/api/Campaigns' };
	const creating = call(sandbox, options, Readable.from(campaignBody(contactCount)));
	printWaits('the campaign is created', await waitsDuring(sandbox, creating), started);
	const id = JSON.parse(await creating) as string;
	started = performance.now();
	const sent = untilSent(sandbox, id);
	printWaits('its messages are sent', await waitsDuring(sandbox, sent), started);
	console.log(`\nMemory: ${inFull(usageOf(sandbox.pid).memory)} MB`);
	await sandbox.stop();
}

const receiver = await startReceiver();
const [commit] = positionals;
if (commit !== undefined) await compare(commit, receiver);
await measureWaits(receiver);
receiver.stop();
