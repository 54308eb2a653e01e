import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import axios from 'axios';
import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import type { N8nProcess } from '../../host/n8nProcess.ts';
import { repository } from '../../host/runtime.mjs';
import { peakOf, resetPeak } from './peakMemory.ts';

/** The service that the contenders talk to. */
export interface BenchService {
	url: string;
	/** Sets how long its responses take, in milliseconds. */
	setLatency(latency: number): Promise<unknown>;
	stop(): void;
}

export async function startBenchService(): Promise<BenchService> {
	const file = path.join(repository, 'test', 'bench', 'service.mts');
	const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
	const { url } = JSON.parse(line) as { url: string };
	return {
		url,
		setLatency: async (latency) =>
			await axios.get(`${url}/_bench`, { params: { latency }, proxy: false }),
		stop: () => child.stdin.end(),
	};
}

/** The n8n that runs the workflows of the contenders. */
export interface BenchN8n {
	client: N8nClient;
	process: N8nProcess;
	/** For our node. */
	serviceCredential: CredentialSummary;
	/** For the HTTP Request node: the same header. */
	headerCredential: CredentialSummary;
}

/** A node of a contender, placed after the one that makes the rows. */
export interface BenchNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
}

/** What one run took. */
export interface Sample {
	milliseconds: number;
	/** Highest resident memory of the n8n process while it ran, where the system tells it. */
	peakMegabytes?: number;
	items: number;
}

/** Makes rows in n8n, runs the nodes on them, and adds up what those nodes took. */
export async function runNodes(
	{ client, process: n8n }: BenchN8n,
	rowsCode: string,
	nodes: BenchNode[],
): Promise<Sample> {
	const all: BenchNode[] = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{
			name: 'Rows',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: { jsCode: rowsCode },
		},
		...nodes,
	];
	const { id } = await client.createWorkflow({
		name: 'Benchmark',
		nodes: all.map((node, column) => ({
			...node,
			id: `node-${String(column)}`,
			position: [column * 220, 0],
		})),
		connections: Object.fromEntries(
			all
				.slice(0, -1)
				.map(({ name }, index) => [
					name,
					{ main: [[{ node: all[index + 1]?.name, type: 'main', index: 0 }]] },
				]),
		),
	});
	try {
		const pid = n8n.server.process.pid ?? 0;
		resetPeak(pid);
		const execution = await client.runWorkflow(id, 'Start', 600_000);
		const peakMegabytes = peakOf(pid);
		if (execution.status !== 'success') {
			throw new Error(`A contender failed: ${execution.error?.message ?? execution.status}`);
		}
		const times = nodes.map(({ name }) =>
			(execution.runData[name] ?? []).map(
				(run) => (run as { executionTime?: number }).executionTime,
			),
		);
		return {
			milliseconds: times.flat().reduce<number>((sum, time) => sum + (time ?? 0), 0),
			peakMegabytes,
			items: execution.items(nodes.at(-1)?.name ?? '').length,
		};
	} finally {
		await client.deleteWorkflow(id);
	}
}

/** Plain axios outside n8n: so many simultaneously, a new connection each, as n8n does it. */
export async function postAll(url: string, bodies: unknown[], atOnce: number): Promise<Sample> {
	const agent = new http.Agent({ keepAlive: false });
	const started = performance.now();
	let next = 0;
	await Promise.all(
		Array.from({ length: atOnce }, async () => {
			while (next < bodies.length) {
				await axios.post(url, bodies[next++], {
					httpAgent: agent,
					proxy: false,
					headers: { 'X-Api-Key': 'bench' },
					maxBodyLength: Infinity,
				});
			}
		}),
	);
	return { milliseconds: performance.now() - started, items: bodies.length };
}

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1
		? (sorted[middle] ?? NaN)
		: ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}
