/**
 * Events per second: the trigger, one by one and in batches, beside n8n's own Webhook node, in the
 * same n8n, in turns.
 *
 *     npm run bench:trigger -- [--rounds 3] [--scale 1] [--engine lazy|default] [--beside <tarball>]
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
import { sendEvents } from '../support/eventSender.ts';
import { median } from './measure.mts';

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '3' },
		scale: { type: 'string', default: '1' },
		engine: { type: 'string', default: 'lazy' },
		beside: { type: 'string' },
	},
});
const folder = path.join(localFolder, 'bench');
const connections = 50;

/** What is compared, and how many events it gets in a round. */
const targets = {
	webhook: { name: 'Webhook node', events: 400 },
	trigger: { name: 'Messaging Service Trigger', events: 400 },
	batched: { name: 'The same, with Batch Events', events: 3000 },
} as const;
type Target = keyof typeof targets;

/** An n8n with one of the builds, and the workflows of the targets. */
interface Stand {
	name: string;
	url: string;
	n8n: N8nClient;
	ids: Map<Target, string>;
}

interface Measurement {
	stand: Stand;
	target: Target;
	/** Acknowledged events per second. */
	rate: number;
	refused: number;
	executionsPerEvent: number;
}

function startNode(target: Target, credential: { id: string; name: string }): WorkflowNode {
	const node = {
		...{ id: 'start', name: 'Start', webhookId: crypto.randomUUID() },
		position: [0, 0] as [number, number],
	};
	const webhookPath = `bench-${target}`;
	if (target === 'webhook') {
		const parameters = { httpMethod: 'POST', path: webhookPath, options: {} };
		return { ...node, type: 'n8n-nodes-base.webhook', typeVersion: 2.1, parameters };
	}
	const batches = target === 'batched' ? { batchEvents: true, batchSize: connections } : {};
	return {
		...node,
		type: nodeTypes.trigger,
		typeVersion: 2,
		credentials: { [credentialType]: credential },
		parameters: {
			...{ path: webhookPath, events: ['callAttempted', 'smsStatus'] },
			options: { registration: 'manual', ...batches },
		},
	};
}

async function startStand(name: string, tarball: { file: string }): Promise<Stand> {
	const userFolder = path.join(folder, `n8n-trigger-${name}`);
	rmSync(userFolder, { recursive: true, force: true });
	const installation = await installN8n();
	await installPackage(tarball, userFolder, installation);
	const { url } = await startN8n({
		installation,
		userFolder,
		logFile: path.join(folder, `n8n-trigger-${name}.log`),
		environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: String(values.engine === 'lazy') },
	});
	const n8n = new N8nClient(url);
	await n8n.logIn();
	const credential = await n8n.createCredential('Benchmark', credentialType, {
		...{ baseUrl: 'http://127.0.0.1:9', authentication: 'none', webhookSecret: '' },
	});
	const ids = new Map<Target, string>();
	for (const target of Object.keys(targets) as Target[]) {
		const nodes = [startNode(target, { id: credential.id, name: credential.name })];
		const { id } = await n8n.createWorkflow({ name: target, nodes, connections: {} });
		const { status, triggers } = await n8n.activateWorkflow(id);
		if (status !== 'published') throw new Error(`${target}: ${JSON.stringify(triggers)}`);
		ids.set(target, id);
		await sendEvents({ url: `${url}/webhook/bench-${target}`, count: 20, connections: 5 });
	}
	return { name, url, n8n, ids };
}

async function measure(stand: Stand, target: Target): Promise<Measurement> {
	const { url, n8n, ids } = stand;
	const id = String(ids.get(target));
	const before = await n8n.countExecutions(id, ['success']);
	const count = Math.max(10, Math.round(targets[target].events * Number(values.scale)));
	const { acknowledged, seconds } = await sendEvents({
		url: `${url}/webhook/bench-${target}`,
		count,
		connections,
	});
	await poll(
		async () => ((await n8n.countExecutions(id, ['new', 'running'])) === 0 ? true : undefined),
		{ what: 'the executions to end', timeout: 120_000, interval: 100 },
	);
	const executions = (await n8n.countExecutions(id, ['success'])) - before;
	return {
		...{ stand, target },
		rate: acknowledged.size / seconds,
		refused: count - acknowledged.size,
		executionsPerEvent: executions / acknowledged.size,
	};
}

function row(stand: Stand, target: Target, measurements: readonly Measurement[]): string {
	const own = measurements.filter((each) => each.stand === stand && each.target === target);
	const rates = own.map(({ rate }) => rate);
	const [low, middle, high] = [Math.min(...rates), median(rates), Math.max(...rates)];
	const spread = `${middle.toFixed(0)} (${low.toFixed(0)} to ${high.toFixed(0)})`;
	const refused = own.reduce((sum, each) => sum + each.refused, 0);
	const executions = median(own.map(({ executionsPerEvent }) => executionsPerEvent)).toFixed(3);
	return `| ${targets[target].name}, ${stand.name} | ${spread} | ${String(refused)} | ${executions} |`;
}

try {
	const stands = [await startStand('now', await packPackage(folder))];
	if (values.beside !== undefined) {
		stands.push(await startStand('beside', { file: path.resolve(values.beside) }));
	}
	const measurements: Measurement[] = [];
	for (let round = 0; round < Number(values.rounds); round++) {
		for (const target of Object.keys(targets) as Target[]) {
			for (const stand of round % 2 === 0 ? stands : [...stands].reverse()) {
				measurements.push(await measure(stand, target));
			}
		}
	}
	console.log('| | events per second (lowest to highest) | refused | executions per event |');
	console.log('| --- | --- | --- | --- |');
	for (const target of Object.keys(targets) as Target[]) {
		for (const stand of stands) console.log(row(stand, target, measurements));
	}
} finally {
	await stopAllServers();
}
