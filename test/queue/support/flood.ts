import type { N8nClient } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import {
	createCredential,
	triggerName,
	triggerWorkflow,
	webhookUrl,
} from '../../e2e/support/workflows.ts';
import { sendEvents } from '../../support/eventSender.ts';
import { readExecution, type StoredExecution } from '../../support/storedExecutions.ts';
import { queueHost, rows } from './stand.ts';

/** Something that happens while events come in. */
export interface Incident {
	/** After so much of the events has been acknowledged, 0 to 1. */
	at: number;
	happen: () => Promise<void>;
}

/** A flood of numbered events, and what happens meanwhile. */
export interface FloodOptions {
	/** Of the workflow, and its path. */
	name: string;
	/** Options of the trigger. */
	trigger?: Record<string, unknown>;
	count: number;
	connections?: number;
	incidents?: Incident[];
	/** Where the events go; to the reverse proxy unless given. */
	baseUrl?: string;
}

/** The events by result, as counted from the responses and from n8n's database. */
export interface FloodResult {
	sent: number;
	acknowledged: number;
	/** Events that got a success response and whose trigger has run, each counted once. */
	executed: number;
	/** Acknowledged, not executed, but still in the data of an execution that did not run. */
	stored: number;
	/** Acknowledged, and nowhere in n8n's database. */
	lost: number;
	/** Executed more than once. */
	doubled: number;
	/** Executed more than once although the first delivery was acknowledged. */
	doubledWithoutCause: number;
	/** Answered "n8n is starting up" with 200. */
	lostInStartUp: number;
	executions: Record<string, number>;
}

/** A workflow's executions as n8n's database has them. */
async function storedExecutions(workflowId: string): Promise<StoredExecution[]> {
	const stored = await rows<{ status: string; data: string | null }>(
		`SELECT e.status, d.data FROM execution_entity e
		LEFT JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = '${workflowId}'`,
	);
	return stored.map((row) => readExecution(row, triggerName));
}

/** Waits until a workflow has no execution left that is queued or runs. */
export async function executionsEnded(workflowId: string, timeout = 180_000): Promise<void> {
	await poll(
		async () => {
			const [open] = await rows<{ count: number }>(
				`SELECT count(*) FROM execution_entity WHERE "workflowId" = '${workflowId}'
				AND status IN ('new', 'running', 'waiting')`,
			);
			return open?.count === 0 ? true : undefined;
		},
		{ what: 'the executions to end', timeout, interval: 500 },
	);
}

/** Makes and publishes a workflow that takes events sent by hand; gives its id. */
async function publishEvents(
	n8n: N8nClient,
	name: string,
	options: Record<string, unknown> = {},
): Promise<string> {
	// With another secret, it shares no events with the other workflows.
	const credential = await createCredential(n8n, name, { webhookSecret: name });
	const { id } = await n8n.createWorkflow(
		triggerWorkflow(name, credential, {
			path: name,
			events: ['callAttempted', 'smsStatus'],
			options: { registration: 'manual', ...options },
		}),
	);
	const { status, triggers } = await n8n.activateWorkflow(id);
	if (status !== 'published') throw new Error(JSON.stringify(triggers));
	return id;
}

const numbersIn = (items: { json: Record<string, unknown> }[]) =>
	items.map(({ json }) => Number(json.messageId));

/** The numbers of the events that a workflow has executed. */
export async function executedEvents(workflowId: string): Promise<number[]> {
	return numbersIn((await storedExecutions(workflowId)).flatMap(({ executed }) => executed));
}

/** Sends the events, lets happen what happens, and counts once every execution has ended. */
export async function flood(n8n: N8nClient, options: FloodOptions): Promise<FloodResult> {
	const { name, trigger = {}, count, connections = 50, incidents = [] } = options;
	const { baseUrl = queueHost().n8nUrl } = options;
	const id = await publishEvents(n8n, name, trigger);
	const happening: Promise<void>[] = [];
	const waiting = [...incidents];
	const { acknowledged, lostInStartUp } = await sendEvents({
		url: webhookUrl(baseUrl, name, name),
		count,
		connections,
		tries: 400,
		onAcknowledged: (total) => {
			while (waiting[0] !== undefined && total >= waiting[0].at * count) {
				const [incident] = waiting.splice(0, 1);
				if (incident !== undefined) happening.push(incident.happen());
			}
		},
	});
	await Promise.all(happening);
	await executionsEnded(id);

	const stored = await storedExecutions(id);
	const executions: Record<string, number> = {};
	for (const { status } of stored) executions[status] = (executions[status] ?? 0) + 1;
	const runs = new Map<number, number>();
	for (const number of numbersIn(stored.flatMap(({ executed }) => executed))) {
		runs.set(number, (runs.get(number) ?? 0) + 1);
	}
	const kept = new Set(numbersIn(stored.flatMap((execution) => execution.waiting)));
	const notExecuted = [...acknowledged.keys()].filter((number) => !runs.has(number));
	const doubled = [...runs].filter(([, times]) => times > 1).map(([number]) => number);
	return {
		sent: count,
		acknowledged: acknowledged.size,
		executed: [...acknowledged.keys()].filter((number) => runs.has(number)).length,
		stored: notExecuted.filter((number) => kept.has(number)).length,
		lost: notExecuted.filter((number) => !kept.has(number)).length,
		doubled: doubled.length,
		doubledWithoutCause: doubled.filter((number) => acknowledged.get(number) === 1).length,
		lostInStartUp: lostInStartUp.size,
		executions,
	};
}

/** How batches are made in these tests: as large as there are connections. */
export const batching = { batchEvents: true, batchSize: 50 };
