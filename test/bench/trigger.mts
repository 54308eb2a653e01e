/**
 * Events per second: the trigger, one by one, in batches, and in several workflows that all get each
 * event, beside n8n's own Webhook node, in the same n8n, in turns.
 *
 *     npm run bench:trigger -- [--rounds 3] [--scale 1] [--engine lazy|default] [--beside <tarball>]
 *         [--targets webhook,trigger,batched,one,three,seven]
 *
 * With --beside, another build of the package runs in a second n8n, and the two take turns.
 */
import { rmSync } from 'node:fs';
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
import { webhookUrl } from '../e2e/support/workflows.ts';
import { sendEvents } from '../support/eventSender.ts';
import { median } from './measure.mts';
import { peakOf, resetPeak } from './peakMemory.ts';

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '3' },
		scale: { type: 'string', default: '1' },
		engine: { type: 'string', default: 'lazy' },
		beside: { type: 'string' },
		targets: { type: 'string' },
	},
});
const folder = path.join(localFolder, 'bench');

/** What is compared, how many events it gets in a round, and over how many connections. */
const targets = {
	webhook: { name: 'Webhook node', events: 400, connections: 50, workflows: 1 },
	trigger: { name: 'Messaging Service Trigger', events: 400, connections: 50, workflows: 1 },
	batched: { name: 'The same, with Batch Events', events: 3000, connections: 50, workflows: 1 },
	one: { name: 'One workflow', events: 400, connections: 20, workflows: 1 },
	three: { name: 'Three workflows', events: 200, connections: 20, workflows: 3 },
	seven: { name: 'Seven workflows', events: 100, connections: 20, workflows: 7 },
} as const;
type Target = keyof typeof targets;
const names = Object.keys(targets) as Target[];
const wanted = names.filter((name) => values.targets?.split(',').includes(name) ?? true);

/** An n8n with one of the builds, and the workflows of the targets. */
interface Stand {
	name: string;
	url: string;
	pid: number;
	n8n: N8nClient;
	/** The workflows of each target. */
	ids: Map<Target, string[]>;
}

interface Measurement {
	stand: Stand;
	target: Target;
	/** Acknowledged events per second. */
	rate: number;
	refused: number;
	executionsPerEvent: number;
	/** Highest resident memory of n8n, where the system tells it. */
	megabytes: number;
}

function startNode(
	target: Target,
	webhookPath: string,
	credential: { id: string; name: string },
): WorkflowNode {
	const node = {
		...{ id: 'start', name: 'Start', webhookId: crypto.randomUUID() },
		position: [0, 0] as [number, number],
	};
	if (target === 'webhook') {
		const parameters = { httpMethod: 'POST', path: webhookPath, options: {} };
		return { ...node, type: 'n8n-nodes-base.webhook', typeVersion: 2.1, parameters };
	}
	const batchSize = targets[target].connections;
	const batches = target === 'batched' ? { batchEvents: true, batchSize } : {};
	return {
		...node,
		type: nodeTypes.trigger,
		typeVersion: 2,
		credentials: { [credentialType]: credential },
		parameters: {
			events: ['callAttempted', 'smsStatus'],
			// The Path of earlier versions is no option.
			path: webhookPath,
			options: { path: webhookPath, registration: 'manual', ...batches },
		},
	};
}

async function startStand(label: string, tarball: { file: string }): Promise<Stand> {
	const userFolder = path.join(folder, `n8n-trigger-${label}`);
	rmSync(userFolder, { recursive: true, force: true });
	const installation = await installN8n();
	await installPackage(tarball, userFolder, installation);
	const { url, server } = await startN8n({
		installation,
		userFolder,
		logFile: path.join(folder, `n8n-trigger-${label}.log`),
		environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: String(values.engine === 'lazy') },
	});
	const n8n = new N8nClient(url);
	await n8n.logIn();
	const ids = new Map<Target, string[]>();
	for (const target of wanted) {
		// With a secret of its own, each target has its own events.
		const { id, name } = await n8n.createCredential(target, credentialType, {
			...{ baseUrl: 'http://127.0.0.1:9', authentication: 'none', webhookSecret: target },
		});
		const published = [];
		for (let number = 0; number < targets[target].workflows; number++) {
			const nodes = [startNode(target, `bench-${target}-${String(number)}`, { id, name })];
			const workflow = await n8n.createWorkflow({ name: target, nodes, connections: {} });
			const { status, triggers } = await n8n.activateWorkflow(workflow.id);
			if (status !== 'published') throw new Error(`${target}: ${JSON.stringify(triggers)}`);
			published.push(workflow.id);
		}
		ids.set(target, published);
		await sendEvents({ url: urlOf(url, target), count: 20, connections: 5 });
	}
	return { name: label, url, pid: server.process.pid ?? 0, n8n, ids };
}

/** Where the service would deliver the events of a target: all its workflows get them. */
const urlOf = (url: string, target: Target) => webhookUrl(url, `bench-${target}-0`, target);

async function measure(stand: Stand, target: Target): Promise<Measurement> {
	const { url, pid, n8n, ids } = stand;
	const all = ids.get(target) ?? [];
	const counted = async (statuses: Parameters<N8nClient['countExecutions']>[1]) => {
		const counts = await Promise.all(all.map(async (id) => n8n.countExecutions(id, statuses)));
		return counts.reduce((sum, count) => sum + count, 0);
	};
	const before = await counted(['success']);
	const { events, connections } = targets[target];
	const count = Math.max(10, Math.round(events * Number(values.scale)));
	resetPeak(pid);
	const { acknowledged, seconds } = await sendEvents({
		url: urlOf(url, target),
		count,
		connections,
	});
	await poll(async () => ((await counted(['new', 'running'])) === 0 ? true : undefined), {
		what: 'the executions to end',
		timeout: 120_000,
		interval: 100,
	});
	return {
		...{ stand, target },
		rate: acknowledged.size / seconds,
		refused: count - acknowledged.size,
		executionsPerEvent: ((await counted(['success'])) - before) / acknowledged.size,
		megabytes: peakOf(pid) ?? 0,
	};
}

function row(stand: Stand, target: Target, measurements: readonly Measurement[]): string {
	const own = measurements.filter((each) => each.stand === stand && each.target === target);
	const rates = own.map(({ rate }) => rate);
	const [low, middle, high] = [Math.min(...rates), median(rates), Math.max(...rates)];
	const spread = `${middle.toFixed(0)} (${low.toFixed(0)} to ${high.toFixed(0)})`;
	const refused = own.reduce((sum, each) => sum + each.refused, 0);
	const executions = median(own.map(({ executionsPerEvent }) => executionsPerEvent)).toFixed(3);
	const memory = Math.max(...own.map(({ megabytes }) => megabytes)).toFixed(0);
	return `| ${targets[target].name}, ${stand.name} | ${spread} | ${String(refused)} | ${executions} | ${memory} |`;
}

try {
	const stands = [await startStand('now', await packPackage(folder))];
	if (values.beside !== undefined) {
		stands.push(await startStand('beside', { file: path.resolve(values.beside) }));
	}
	const measurements: Measurement[] = [];
	for (let round = 0; round < Number(values.rounds); round++) {
		for (const target of wanted) {
			for (const stand of round % 2 === 0 ? stands : [...stands].reverse()) {
				measurements.push(await measure(stand, target));
			}
		}
	}
	console.log(
		'| | events per second (lowest to highest) | refused | executions per event | memory (MB) |',
	);
	console.log('| --- | --- | --- | --- | --- |');
	for (const target of wanted) {
		for (const stand of stands) console.log(row(stand, target, measurements));
	}
} finally {
	await stopAllServers();
}
