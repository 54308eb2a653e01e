import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import axios, { type AxiosInstance } from 'axios';
import type { Delivery } from '../sandbox/service/deliveries.ts';
import type { RequestRecord } from '../sandbox/service/requestLog.ts';
import { startServer, untilReady, type Server } from './server.ts';

/** The response to `GET /_sandbox/summary`. */
export interface SandboxSummary {
	smsCampaigns: number;
	smsCampaignContacts: number;
	smsMessages: number;
	voiceCampaigns: number;
	voicePhoneNumbers: number;
	voiceSmss: number;
	calls: number;
	storedPhoneNumbers: number;
	optOuts: number;
	requests: number;
	/** The most requests that were being answered at the same time. */
	mostRequestsAtOnce: number;
	deliveries: {
		total: number;
		pending: number;
		acknowledged: number;
		failed: number;
		noUrl: number;
	};
	webhook: { url: string | null };
	/** Responses and events that did not match openapi.yaml: always 0. */
	contractViolations: number;
}

/** The response to `GET /_sandbox/tokens`. */
export interface SandboxTokens {
	live: number;
	logins: { accepted: number; refused: number };
}

/** A page of the sandbox's log; `total` counts all that fit, not only those given. */
export interface SandboxLog<Item> {
	total: number;
	items: Item[];
}

/** How a sandbox is started. */
export interface SandboxOptions {
	/** 0, the default, takes any free port. */
	port?: number;
	/** A file for the store; without one it lives in memory. */
	database?: string;
	/** Where it writes its errors. */
	logFile?: string;
}

/** A running sandbox and its control API (sandbox/reference.md). */
export interface Sandbox {
	url: string;
	apiKey: string;
	/** Its process. */
	server: Server;
	/** The service as an authenticated client; it returns every status without throwing. */
	api: AxiosInstance;
	/** The control API; it throws on anything but success. */
	control: AxiosInstance;
	summary(): Promise<SandboxSummary>;
	requests(query?: Record<string, string | number>): Promise<SandboxLog<RequestRecord>>;
	deliveries(query?: Record<string, string | number>): Promise<SandboxLog<Delivery>>;
	webhook(): Promise<{
		url: string | null;
		clients: Record<string, string>;
		history: { at: string; url: string; clientId: number }[];
	}>;
	/** Registers a webhook URL as a client would; empty removes it. */
	registerWebhook(url: string, clientId?: number): Promise<void>;
	/** Changes settings. */
	settings(change: Record<string, unknown>): Promise<Record<string, unknown>>;
	/** Adds a fault. */
	fault(fault: Record<string, unknown>): Promise<{ id: number }>;
	clearFaults(): Promise<void>;
	/** The logins for tokens, and how many tokens are valid. */
	tokens(): Promise<SandboxTokens>;
	revokeTokens(): Promise<void>;
	/** Delivers an event now and waits for the response. */
	event(event: Record<string, unknown>): Promise<Delivery>;
	/** Pushes the service's time forward; due work is done when it resolves. */
	advance(seconds: number): Promise<string>;
	/** Pushes the service's time forward to a moment. */
	advanceTo(moment: string): Promise<string>;
	/** Waits until nothing is due and no delivery is pending; throws if that takes too long. */
	idle(timeoutSeconds?: number): Promise<SandboxSummary>;
	/** Clears data, faults, settings and pushed time. */
	reset(): Promise<void>;
	stop(): Promise<void>;
}

const urls = new Set<string>();

/** Whether a base URL is that of a sandbox: its responses are those of openapi.yaml. */
export const isSandbox = (url: unknown): boolean => typeof url === 'string' && urls.has(url);

const repository = path.resolve(import.meta.dirname, '..');
const localFolder = path.join(repository, '.local');
let started = 0;

/** Starts a sandbox as a process of its own; it ends with `stop()`, or when this process ends. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, database } = options;
	const ownLog = path.join('logs', `sandbox-${String(process.pid)}-${String(++started)}.log`);
	const { logFile = path.join(localFolder, ownLog) } = options;
	if (database !== undefined) mkdirSync(path.dirname(database), { recursive: true });
	const server = startServer({
		name: 'The sandbox',
		args: [
			'--disable-warning=ExperimentalWarning',
			path.join(repository, 'sandbox', 'service', 'main.ts'),
			...['--port', String(port), '--json', '--exit-with-stdin'],
			...(database === undefined ? [] : ['--database', database]),
		],
		cwd: repository,
		// A sandbox starts in two thirds of the time: its modules are compiled once for all of them.
		env: { ...process.env, NODE_COMPILE_CACHE: path.join(localFolder, 'compile-cache') },
		logFile,
		stdout: 'pipe',
	});
	let line: string | undefined;
	if (server.process.stdout !== null) {
		createInterface({ input: server.process.stdout }).once('line', (text) => (line = text));
	}
	await untilReady(server, 30_000, () => Promise.resolve(line !== undefined));
	const { url, apiKey } = JSON.parse(line ?? '') as { url: string; apiKey: string };
	urls.add(url);
	return { ...clientOf(url, apiKey), server, stop: async () => await stopSandbox(server) };
}

/** Stops it, shows the errors that it wrote, and keeps no log without any. */
async function stopSandbox({ logFile, stop }: Server): Promise<void> {
	await stop();
	const errors = readFileSync(logFile, 'utf8');
	if (errors === '') rmSync(logFile);
	else console.error(errors);
}

/** The control API of logins. */
function loginsOf(control: AxiosInstance): Pick<Sandbox, 'tokens' | 'revokeTokens'> {
	return {
		tokens: async () => (await control.get<SandboxTokens>('/tokens')).data,
		async revokeTokens() {
			await control.delete('/tokens');
		},
	};
}

function clientOf(url: string, apiKey: string): Omit<Sandbox, 'server' | 'stop'> {
	const limits = {
		maxBodyLength: Infinity,
		maxContentLength: Infinity,
		proxy: false,
		// On a busy machine, a connection that is kept may be closed just as it is used again.
		httpAgent: new Agent({ keepAlive: false }),
	} as const;
	const control = axios.create({ baseURL: `${url}/_sandbox`, ...limits });
	const api = axios.create({
		baseURL: url,
		headers: { 'X-Api-Key': apiKey },
		validateStatus: () => true,
		...limits,
	});
	const get = async <T>(place: string, params?: Record<string, unknown>): Promise<T> =>
		(await control.get<T>(place, { params })).data;
	const post = async <T>(place: string, body?: unknown): Promise<T> =>
		(await control.post<T>(place, body)).data;

	return {
		url,
		apiKey,
		api,
		control,
		summary: () => get('/summary'),
		requests: (query) => get('/requests', query),
		deliveries: (query) => get('/deliveries', query),
		webhook: () => get('/webhook'),
		async registerWebhook(target, clientId = 1001) {
			const { status, data } = await api.post<unknown>(
				'/api/integrations/UpdateWebHook',
				undefined,
				{
					params: { url: target, clientId },
				},
			);
			if (status !== 204) throw new Error(`The webhook was refused: ${JSON.stringify(data)}`);
		},
		settings: async (change) =>
			(await control.patch<Record<string, unknown>>('/settings', change)).data,
		fault: (fault) => post('/faults', fault),
		async clearFaults() {
			await control.delete('/faults');
		},
		...loginsOf(control),
		event: (event) => post('/events', event),
		advance: async (advanceSeconds) =>
			(await post<{ now: string }>('/time', { advanceSeconds })).now,
		advanceTo: async (to) => (await post<{ now: string }>('/time', { to })).now,
		async idle(timeoutSeconds = 60) {
			const { idle, ...summary } = await get<SandboxSummary & { idle: boolean }>('/idle', {
				timeout: timeoutSeconds,
			});
			if (!idle) throw new Error(`The sandbox is not idle: ${JSON.stringify(summary.deliveries)}`);
			return summary;
		},
		async reset() {
			await control.post('/reset');
		},
	};
}
