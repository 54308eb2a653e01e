/**
 * The trigger beside n8n's own Webhook node and an empty trigger of a community package, in the
 * same n8n, in alternating rounds. Prints tables; all figures go to .local/bench/trigger.json.
 *
 *     npm run bench:trigger -- [--rounds 3] [--scale 1] [--engine lazy|default] [--beside <tarball>]
 *
 * With --beside, another build of the package runs in a second n8n, and the two take turns.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installN8n } from '../../host/n8nInstall.ts';
import { N8nClient, type WorkflowNode } from '../../host/n8nClient.ts';
import { startN8n } from '../../host/n8nProcess.ts';
import { installPackage, packPackage, type Tarball } from '../../host/packageTarball.ts';
import { poll } from '../../host/poll.ts';
import { localFolder } from '../../host/runtime.mjs';
import { stopAllServers, type Server } from '../../host/server.ts';
import { credentialType, nodeTypes } from '../../host/workflows.ts';
import { sendEvents } from '../support/eventSender.ts';
import { cpuTime } from './processes.mts';

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '3' },
		scale: { type: 'string', default: '1' },
		engine: { type: 'string' },
		beside: { type: 'string' },
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

/** The packages that are compared, by the name of each. */
type Packages = Record<string, Tarball>;

/** An n8n with one of the packages, and the workflows of the targets. */
interface Stand {
	name: string;
	url: string;
	n8n: N8nClient;
	server: Server;
	ids: Map<Target, string>;
}

interface Measurement {
	/** Name of the package. */
	build: string;
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
	/** Processor time of n8n for an event, in milliseconds: comparable on a busy machine too. */
	cpu: number;
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

/** Where the settings were before the collections: for --beside with a build of that time. */
const olderNames = { registration: 'manual' };

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
					options: { registration: 'manual' },
					...olderNames,
				},
			};
		case 'batched':
			return {
				...ours,
				parameters: {
					path: 'bench-batched',
					events,
					options: { registration: 'manual', batchEvents: true, batchSize: 50 },
					...olderNames,
					batchEvents: true,
					batchSize: 50,
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

async function startStand(name: string, tarball: Tarball, engine: Engine): Promise<Stand> {
	const userFolder = path.join(folder, `n8n-${engine}-${name}`);
	rmSync(userFolder, { recursive: true, force: true });
	const extensions = path.join(folder, 'empty');
	mkdirSync(extensions, { recursive: true });
	writeFileSync(path.join(extensions, 'EmptyTrigger.node.js'), emptyTrigger);
	const installation = await installN8n();
	await installPackage(tarball, userFolder, installation);
	const { url, server } = await startN8n({
		installation,
		userFolder,
		logFile: path.join(folder, `n8n-${engine}-${name}.log`),
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
	return { name, url, n8n, server, ids };
}

async function measureLoad(
	{ name, url, n8n, server, ids }: Stand,
	{
		engine,
		target,
		connections,
		round,
	}: Pick<Measurement, 'engine' | 'target' | 'connections' | 'round'>,
	count: number,
): Promise<Measurement> {
	const id = String(ids.get(target));
	const before = await n8n.countExecutions(id, ['success']);
	const events = Math.max(10, Math.round(count * scale));
	const begun = performance.now();
	const cpuBefore = cpuTime(server.process.pid);
	const { acknowledged, latencies, seconds } = await sendEvents({
		url: `${url}/webhook/bench-${target}`,
		count: events,
		connections,
	});
	await poll(
		async () => ((await n8n.countExecutions(id, ['new', 'running'])) === 0 ? true : undefined),
		{ what: 'the executions to end', timeout: 120_000, interval: 100 },
	);
	const cpu = (cpuTime(server.process.pid) - cpuBefore) / acknowledged.size;
	const sorted = [...latencies].sort((one, other) => one - other);
	return {
		...{ build: name, engine, target, connections, round, events },
		acknowledged: acknowledged.size,
		rate: acknowledged.size / seconds,
		executedRate: acknowledged.size / ((performance.now() - begun) / 1000),
		executions: (await n8n.countExecutions(id, ['success'])) - before,
		median: quantile(sorted, 0.5),
		p95: quantile(sorted, 0.95),
		cpu,
	};
}

async function measure(engine: Engine, packages: Packages): Promise<Measurement[]> {
	const stands: Stand[] = [];
	for (const [name, tarball] of Object.entries(packages)) {
		stands.push(await startStand(name, tarball, engine));
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
				for (const stand of round % 2 === 0 ? stands : [...stands].reverse()) {
					const load = { engine, target, connections: Number(connections), round };
					results.push(await measureLoad(stand, load, count));
				}
			}
		}
	}
	for (const { server } of stands) await server.stop();
	return results;
}

function table(engine: Engine, results: Measurement[], builds: string[]): string {
	const lines = [
		`Engine: ${engine}`,
		'',
		'| | connections | events/s (least to greatest) | events/s until executed | executions per event | median ms | p95 ms | CPU ms per event (least to greatest) |',
		'| --- | --- | --- | --- | --- | --- | --- | --- |',
	];
	for (const [target, { name, loads }] of Object.entries(targets)) {
		for (const connections of Object.keys(loads)) {
			for (const build of builds) {
				const rows = results.filter(
					(row) =>
						row.build === build && row.target === target && String(row.connections) === connections,
				);
				const of = (key: 'executedRate' | 'median' | 'p95') =>
					middle(rows.map((row) => row[key])).toFixed(key === 'median' || key === 'p95' ? 0 : 1);
				const spread = (key: 'rate' | 'cpu', digits: number) => {
					const all = rows.map((row) => row[key]);
					const [least, greatest] = [Math.min(...all), Math.max(...all)];
					return `${middle(all).toFixed(digits)} (${least.toFixed(digits)} to ${greatest.toFixed(digits)})`;
				};
				const perEvent = middle(rows.map((row) => row.executions / row.acknowledged)).toFixed(3);
				const lost = rows.reduce((sum, row) => sum + row.events - row.acknowledged, 0);
				const label = builds.length > 1 ? `${name}, ${build}` : name;
				lines.push(
					`| ${label}${lost > 0 ? ` (${String(lost)} refused)` : ''} | ${connections} | ${spread('rate', 0)} | ${of('executedRate')} | ${perEvent} | ${of('median')} | ${of('p95')} | ${spread('cpu', 1)} |`,
				);
			}
		}
	}
	return lines.join('\n');
}

try {
	const packages: Packages = { now: await packPackage(folder) };
	if (values.beside !== undefined) {
		packages.beside = { file: path.resolve(values.beside) };
	}
	const all: Measurement[] = [];
	for (const engine of engines) {
		const results = await measure(engine, packages);
		all.push(...results);
		console.log(`\n${table(engine, results, Object.keys(packages))}`);
		writeFileSync(path.join(folder, 'trigger.json'), JSON.stringify(all, undefined, '\t'));
	}
} finally {
	await stopAllServers();
}
