import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { loggedIn, sandbox } from '../e2e/support/host.ts';
import { actionName, actionWorkflow, createCredential } from '../e2e/support/workflows.ts';
import { executionsEnded } from '../queue/support/flood.ts';
import { killAndStart, restart, start, stop } from '../queue/support/stand.ts';
import { emptyDisk, fillDisk } from './support/diskFull.ts';
import { printRow } from './support/rows.ts';

/** Every scenario runs with this: what was accepted must not go out again. */
const settings = {
	retryOnFail: true,
	maxTries: 3,
	waitBetweenTries: 10,
	onError: 'continueRegularOutput',
};

const count = 300;

interface Scenario {
	scenario: string;
	/** Once a third of the messages has been accepted. */
	incident: () => Promise<void>;
	/** Whether the worker goes on and sends all. */
	sendsAll: boolean;
	/** Whether n8n can store what the execution came to. */
	isStored: boolean;
}

const goesOn = (scenario: string, incident: () => Promise<void>): Scenario => ({
	...{ scenario, incident },
	...{ sendsAll: true, isStored: true },
});

const scenarios: Scenario[] = [
	{
		scenario: 'worker killed',
		incident: async () => await killAndStart('worker1'),
		...{ sendsAll: false, isStored: false },
	},
	goesOn('webhook processor killed', async () => await killAndStart('webhook')),
	goesOn('main process restarted', async () => await restart('main')),
	goesOn('Redis restarted', async () => await restart('redis')),
	goesOn('PostgreSQL restarted', async () => await restart('postgres')),
	{
		scenario: 'disk full: results cannot be stored',
		incident: async () => await fillDisk('results'),
		...{ sendsAll: true, isStored: false },
	},
];

/** What a service does to single requests is shown in n8n's engine (test/engine/retry.test.ts). */
describe('bulk sends and faults', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;

	/** One worker, so that it is clear which one runs it. */
	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Faults');
		await stop('worker2');
	});

	beforeEach(async () => {
		n8n = await loggedIn();
		await sandbox().reset();
		await sandbox().fault({
			match: { operationId: 'sendSmsMessage' },
			...{ times: 'always', fault: { kind: 'delay', delayMs: 100 } },
		});
	});

	afterEach(async () => {
		await emptyDisk();
	});

	afterAll(async () => {
		await start('worker2');
	});

	/** The numbers that the service has messages for. */
	async function messages(): Promise<string[]> {
		const { items } = await sandbox().requests({
			...{ method: 'POST', path: 'SMSMessages', limit: 100_000 },
		});
		return items
			.filter(({ status }) => status === 200)
			.map(({ body }) => (body as { phoneNumber: string }).phoneNumber);
	}

	const untilSent = async (least: number) =>
		await poll(async () => ((await messages()).length >= least ? true : undefined), {
			what: `${String(least)} messages`,
			timeout: 120_000,
			interval: 50,
		});

	it.each(scenarios)(
		'$scenario',
		async ({ scenario, incident, sendsAll, isStored }) => {
			const rows = Array.from({ length: count }, (_, row) => ({
				phone: `+4479${String(row).padStart(8, '0')}`,
			}));
			const parameters = {
				...{ resource: 'smsMessage', operation: 'send', sender: 'Tests', message: 'Hello' },
				phoneNumber: '={{ $json.phone }}',
			};
			const { id } = await n8n.createWorkflow(
				actionWorkflow(scenario, credential, rows, parameters, settings),
			);
			const executionId = await n8n.startWorkflow(id, 'Start');
			await untilSent(count / 3);
			await incident();
			if (sendsAll) await untilSent(count);
			// The execution ends in n8n's records once there is space.
			await emptyDisk();
			await executionsEnded(id);

			n8n = await loggedIn();
			const execution = await n8n.execution(executionId);
			const output = execution.items(actionName);
			const reported = output.filter(({ json }) => json.error === undefined).length;
			const accepted = await messages();
			const numbers = new Set(accepted);
			printRow(
				...[scenario, count, numbers.size, output.length === 0 ? 'no output' : reported],
				...[count - numbers.size, accepted.length - numbers.size, execution.status],
			);
			expect(accepted).toHaveLength(numbers.size);
			if (sendsAll) expect(numbers.size).toBe(count);
			if (isStored) expect(reported).toBe(count);
			// What n8n reports as accepted is.
			expect(numbers.size).toBeGreaterThanOrEqual(reported);
		},
		300_000,
	);
});
