import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { N8nClient } from '../../host/n8nClient.ts';
import { loggedIn } from '../e2e/support/host.ts';
import { batching, flood, type FloodResult, type Incident } from '../queue/support/flood.ts';
import { killAndStart, queueHost, restart } from '../queue/support/stand.ts';
import { emptyDisk, fillDisk } from './support/diskFull.ts';
import { printRow } from './support/rows.ts';

const atEnd = { responseMode: 'lastNode' };

const kills: Incident[] = [
	{ at: 0.2, happen: async () => await killAndStart('worker1') },
	{ at: 0.4, happen: async () => await killAndStart('webhook') },
	{ at: 0.7, happen: async () => await killAndStart('worker2') },
];

const once = (happen: () => Promise<void>): Incident[] => [{ at: 0.3, happen }];

/** A disk that is full for some seconds. */
const full = (what: 'new executions' | 'results') =>
	once(async () => {
		await fillDisk(what);
		await sleep(5000);
		await emptyDisk();
	});

interface Scenario {
	scenario: string;
	count: number;
	trigger?: Record<string, unknown>;
	incidents: Incident[];
	/** Sent straight to the webhook processor, without a proxy that waits until it is ready. */
	isDirect?: boolean;
	/** What n8n itself loses here, which nothing in a trigger can prevent. */
	mayLose?: ('stored' | 'lost')[];
}

/** The rows of the table, in this order. */
const scenarios: Scenario[] = [
	{
		scenario: 'nothing',
		count: 1000,
		incidents: [],
	},
	{
		scenario: 'two workers and the webhook processor killed; one by one, respond at the end',
		count: 5000,
		trigger: atEnd,
		incidents: kills,
	},
	{
		scenario: 'the same; in batches, respond at the end',
		count: 5000,
		trigger: { ...atEnd, ...batching },
		incidents: kills,
	},
	{
		scenario: 'the same; one by one, respond immediately',
		count: 5000,
		incidents: kills,
		mayLose: ['stored', 'lost'],
	},
	{
		scenario: 'the same; in batches, respond immediately',
		count: 5000,
		trigger: batching,
		incidents: kills,
		mayLose: ['stored', 'lost'],
	},
	{
		scenario: 'webhook processor killed; no proxy that waits until it is ready',
		count: 1000,
		incidents: once(async () => await killAndStart('webhook')),
		isDirect: true,
	},
	{
		scenario: 'main process restarted',
		count: 1000,
		incidents: once(async () => await restart('main')),
	},
	{
		scenario: 'Redis restarted',
		count: 1000,
		incidents: once(async () => await restart('redis')),
		mayLose: ['stored', 'lost'],
	},
	{
		scenario: 'Redis restarted; respond at the end',
		count: 1000,
		trigger: atEnd,
		incidents: once(async () => await restart('redis')),
	},
	{
		scenario: 'Redis killed; respond at the end',
		count: 1000,
		trigger: atEnd,
		incidents: once(async () => await killAndStart('redis')),
	},
	{
		scenario: 'PostgreSQL restarted',
		count: 1000,
		incidents: once(async () => await restart('postgres')),
		mayLose: ['stored', 'lost'],
	},
	{
		scenario: 'PostgreSQL restarted; respond at the end',
		count: 1000,
		trigger: atEnd,
		incidents: once(async () => await restart('postgres')),
	},
	{
		scenario: 'disk full for 5 s: new executions cannot be stored',
		count: 1000,
		incidents: full('new executions'),
	},
	{
		scenario: 'disk full for 5 s: results cannot be stored; respond at the end',
		count: 1000,
		trigger: atEnd,
		incidents: full('results'),
		// They have run and succeeded, says the response; n8n has no record of it.
		mayLose: ['stored'],
	},
];

const executionsOf = ({ executions }: FloodResult) =>
	Object.entries(executions)
		.sort()
		.map(([status, count]) => `${String(count)} ${status}`)
		.join(', ');

describe('events and faults', () => {
	let n8n: N8nClient;

	beforeEach(async () => {
		n8n = await loggedIn();
	});

	afterEach(async () => {
		await emptyDisk();
	});

	it.each(scenarios)(
		'$scenario',
		async ({ scenario, count, trigger = {}, incidents, isDirect, mayLose = [] }) => {
			const result = await flood(n8n, {
				name: `events-${randomUUID()}`,
				count,
				trigger,
				incidents,
				...(isDirect === true ? { baseUrl: queueHost().webhookProcessorUrl } : {}),
			});
			const { acknowledged, executed, stored, lost, lostInStartUp } = result;
			printRow(
				...[scenario, result.sent, acknowledged, executed, stored, lost],
				...[result.doubled, executionsOf(result)],
			);
			expect(acknowledged).toBe(count);
			expect(result.doubledWithoutCause).toBe(0);
			if (!mayLose.includes('stored')) expect(stored).toBe(0);
			// Nothing is missing but what n8n has answered while it started.
			if (!mayLose.includes('lost')) expect(lost).toBeLessThanOrEqual(lostInStartUp);
			if (isDirect !== true) expect(lostInStartUp).toBe(0);
			expect(executed + stored + lost).toBe(count);
		},
		900_000,
	);
});
