/**
 * The trigger beside n8n's own Webhook node and an empty trigger of a community package, in the
 * same n8n, in alternating rounds. Prints tables; all figures go to .local/bench/trigger.json.
 *
 *     npm run bench:trigger -- [--rounds 3] [--scale 1] [--engine lazy|default]
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installN8n } from '../../host/n8nInstall.ts';
import { N8nClient, type WorkflowNode } from '../../host/n8nClient.ts';
import { startN8n } from '../../host/n8nProcess.ts';
import { installPackage, packPackage } from '../../host/packageTarball.ts';
import { poll } from '../../host/poll.ts';
import { localFolder } from '../../host/runtime.mjs';
import { stopAllServers } from '../../host/server.ts';
import { credentialType, nodeTypes } from '../../host/workflows.ts';
import { sendEvents } from '../support/eventSender.ts';

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '3' },
		scale: { type: 'string', default: '1' },
		engine: { type: 'string' },
	},
});
const rounds = Number(values.rounds);
const scale = Number(values.scale);
const folder = path.join(localFolder, 'bench');

type Engine = 'lazy' | 'default';
const engines: Engine[] = values.engine ? [values.engine as Engine] : ['lazy', 'default'];

/** What is compared, and how many events it gets at so many connections. */
const targets = {
	webhook: { name: 'Webhook node', loads: { 1: 100, 10: 300, 50: 400 } },
	empty: { name: 'Empty community trigger', loads: { 1: 100, 10: 300, 50: 400 } },
	trigger: { name: 'Messaging Service Trigger', loads: { 1: 100, 10: 300, 50: 400 } },
	batched: { name: 'The same, with Batch Events', loads: { 50: 3000 } },
} as const;
type Target = keyof typeof targets;

interface Measurement {
	engine: Engine;
	target: Target;
	connections: number;
	round: number;
	events: number;
	acknowledged: number;
	/** Acknowledged events a second. */
	rate: number;
	/** Events a second, until the last execution has ended. */
	executedRate: number;
	executions: number;
	median: number;
	p95: number;
}

const emptyTrigger = `
class EmptyTrigger {
	constructor() {
		this.description = {
			displayName: 'Empty Trigger', name: 'emptyTrigger', group: ['trigger'], version: 2,
			description: 'Gives out the body', defaults: { name: 'Empty Trigger' },
			inputs: [], outputs: ['main'],
			webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived',
				responseData: 'noData', path: 'bench-empty', isFullPath: true }],
			properties: [],
		};
	}
	async webhook() {
		return { workflowData: [[{ json: this.getBodyData() }]] };
	}
}
module.exports = { EmptyTrigger };
`;

function triggerNode(target: Target, credential: { id: string; name: string }): WorkflowNode {
	const node = {
		id: 'start',
		name: 'Start',
		position: [0, 0] as [number, number],
		webhookId: crypto.randomUUID(),
	};
	const events = ['callAttempted', 'smsStatus'];
	const ours = {
		...node,
		type: nodeTypes.trigger,
		typeVersion: 2,
		credentials: { [credentialType]: credential },
	};
	switch (target) {
		case 'webhook':
			return {
				...node,
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2.1,
				parameters: { httpMethod: 'POST', path: 'bench-webhook', options: {} },
			};
		case 'empty':
			return { ...node, type: 'CUSTOM.emptyTrigger', typeVersion: 2, parameters: {} };
		case 'trigger':
			return {
				...ours,
				parameters: {
					path: 'bench-trigger',
					events,
					registrationOptions: { registration: 'manual' },
				},
			};
		case 'batched':
			return {
				...ours,
				parameters: {
					path: 'bench-batched',
					events,
					registrationOptions: { registration: 'manual' },
					options: { batchEvents: true, batchSize: 50 },
				},
			};
	}
}

const quantile = (sorted: number[], part: number) =>
	sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
const middle = (numbers: number[]) =>
	quantile(
		[...numbers].sort((one, other) => one - other),
		0.5,
	);

async function measure(engine: Engine): Promise<Measurement[]> {
	const userFolder = path.join(folder, `n8n-${engine}`);
	rmSync(userFolder, { recursive: true, force: true });
	const extensions = path.join(folder, 'empty');
	mkdirSync(extensions, { recursive: true });
	writeFileSync(path.join(extensions, 'EmptyTrigger.node.js'), emptyTrigger);
	const installation = await installN8n();
	await installPackage(await packPackage(folder), userFolder, installation);
	const { url, server } = await startN8n({
		installation,
		userFolder,
		logFile: path.join(folder, `n8n-${engine}.log`),
		environment: {
			N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: String(engine === 'lazy'),
			N8N_CUSTOM_EXTENSIONS: extensions,
		},
	});
	const n8n = new N8nClient(url);
	await n8n.logIn();
	const credential = await n8n.createCredential('Benchmark', credentialType, {
		baseUrl: 'http://127.0.0.1:9',
		authentication: 'none',
		webhookSecret: '',
	});

	const ids = new Map<Target, string>();
	for (const target of Object.keys(targets) as Target[]) {
		const { id } = await n8n.createWorkflow({
			name: target,
			nodes: [triggerNode(target, { id: credential.id, name: credential.name })],
			connections: {},
		});
		const { status, triggers } = await n8n.activateWorkflow(id);
		if (status !== 'published') throw new Error(`${target}: ${JSON.stringify(triggers)}`);
		ids.set(target, id);
		await sendEvents({ url: `${url}/webhook/bench-${target}`, count: 20, connections: 5 });
	}

	const results: Measurement[] = [];
	for (let round = 0; round < rounds; round++) {
		const order = Object.keys(targets) as Target[];
		// Another one comes first in each round.
		for (const target of [
			...order.slice(round % order.length),
			...order.slice(0, round % order.length),
		]) {
			for (const [connections, count] of Object.entries(targets[target].loads)) {
				const id = String(ids.get(target));
				const before = await n8n.countExecutions(id, ['success']);
				const events = Math.max(10, Math.round(count * scale));
				const begun = performance.now();
				const { acknowledged, latencies, seconds } = await sendEvents({
					url: `${url}/webhook/bench-${target}`,
					count: events,
					connections: Number(connections),
				});
				await poll(
					async () =>
						(await n8n.countExecutions(id, ['new', 'running'])) === 0 ? true : undefined,
					{ what: 'the executions to end', timeout: 120_000, interval: 100 },
				);
				const sorted = [...latencies].sort((one, other) => one - other);
				results.push({
					engine,
					target,
					connections: Number(connections),
					round,
					events,
					acknowledged: acknowledged.size,
					rate: acknowledged.size / seconds,
					executedRate: acknowledged.size / ((performance.now() - begun) / 1000),
					executions: (await n8n.countExecutions(id, ['success'])) - before,
					median: quantile(sorted, 0.5),
					p95: quantile(sorted, 0.95),
				});
			}
		}
	}
	await server.stop();
	return results;
}

function table(engine: Engine, results: Measurement[]): string {
	const lines = [
		`Engine: ${engine}`,
		'',
		'| | connections | events/s | events/s until executed | executions per event | median ms | p95 ms |',
		'| --- | --- | --- | --- | --- | --- | --- |',
	];
	for (const [target, { name, loads }] of Object.entries(targets)) {
		for (const connections of Object.keys(loads)) {
			const rows = results.filter(
				(row) => row.target === target && String(row.connections) === connections,
			);
			const of = (key: 'rate' | 'executedRate' | 'median' | 'p95') =>
				middle(rows.map((row) => row[key])).toFixed(key === 'median' || key === 'p95' ? 0 : 1);
			const perEvent = middle(rows.map((row) => row.executions / row.acknowledged)).toFixed(3);
			const lost = rows.reduce((sum, row) => sum + row.events - row.acknowledged, 0);
			lines.push(
				`| ${name}${lost > 0 ? ` (${String(lost)} refused)` : ''} | ${connections} | ${of('rate')} | ${of('executedRate')} | ${perEvent} | ${of('median')} | ${of('p95')} |`,
			);
		}
	}
	return lines.join('\n');
}

try {
	const all: Measurement[] = [];
	for (const engine of engines) {
		const results = await measure(engine);
		all.push(...results);
		console.log(`\n${table(engine, results)}`);
		writeFileSync(path.join(folder, 'trigger.json'), JSON.stringify(all, undefined, '\t'));
	}
} finally {
	await stopAllServers();
}
