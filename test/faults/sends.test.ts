import axios from 'axios';
import type { Part } from '../queue/stand/stand.ts';
import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { freePort } from '../../host/ports.ts';
import { host, loggedIn, sandbox } from '../e2e/support/host.ts';
import {
	actionName,
	actionWorkflow,
	createCredential,
	sendByPhone as send,
} from '../e2e/support/workflows.ts';
import { executionsEnded } from '../queue/support/flood.ts';
import { killAndStart, restart, start, stop } from '../queue/support/stand.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { emptyDisk, fillDisk } from './support/diskFull.ts';
import { writeRow } from './support/rows.ts';

/** Every scenario runs with this: what was accepted must not go out again. */
const settings = {
	retryOnFail: true,
	maxTries: 3,
	waitBetweenTries: 10,
	onError: 'continueRegularOutput',
};

const always = { times: 'always' };
const slow = { ...always, fault: { kind: 'delay', delayMs: 100 } };

interface Scenario {
	scenario: string;
	count?: number;
	/** Of the sandbox, for every message or for some. */
	fault?: Record<string, unknown>;
	/** Once a third of the messages has been accepted. */
	incident?: () => Promise<void>;
	limits?: Record<string, unknown>;
	/** What must come of it. */
	expected: {
		accepted: number | 'some';
		/** Items that n8n reports as accepted; undefined where the execution has no output. */
		reported: number | undefined;
	};
	/** The rows go to a service of their own that is stopped and started again. */
	serviceStops?: boolean;
}

const during = (count: number, act: (part: Part) => Promise<void>, part: Part) => ({
	count,
	fault: slow,
	incident: async () => await act(part),
	expected: { accepted: count, reported: count },
});

const scenarios: Scenario[] = [
	{
		scenario: 'worker killed',
		count: 300,
		fault: slow,
		incident: async () => await killAndStart('worker1'),
		expected: { accepted: 'some', reported: undefined },
	},
	{ scenario: 'webhook processor killed', ...during(300, killAndStart, 'webhook') },
	{ scenario: 'main process restarted', ...during(300, restart, 'main') },
	{ scenario: 'Redis restarted', ...during(300, restart, 'redis') },
	{ scenario: 'PostgreSQL restarted', ...during(300, restart, 'postgres') },
	{
		scenario: 'disk full: results cannot be stored',
		count: 300,
		fault: slow,
		incident: async () => await fillDisk('results'),
		expected: { accepted: 300, reported: undefined },
	},
	{
		scenario: 'service down for some seconds',
		count: 300,
		fault: slow,
		serviceStops: true,
		expected: { accepted: 'some', reported: undefined },
	},
	{
		scenario: 'service slow: one second for each answer',
		fault: { ...always, fault: { kind: 'delay', delayMs: 1000 } },
		expected: { accepted: 100, reported: 100 },
	},
	{
		scenario: 'service never answers 10 requests (Timeout 2 s)',
		fault: { skip: 20, times: 10, fault: { kind: 'hang' } },
		limits: { timeout: 2 },
		expected: { accepted: 90, reported: 90 },
	},
	{
		scenario: 'service cuts 10 connections before it accepts',
		fault: { skip: 20, times: 10, fault: { kind: 'cut' } },
		expected: { accepted: 90, reported: 90 },
	},
	{
		scenario: 'service cuts 10 connections after it has accepted',
		fault: { skip: 20, times: 10, fault: { kind: 'cutAfterAccept' } },
		expected: { accepted: 100, reported: 90 },
	},
	{
		scenario: 'service accepts and answers 10 times with half of the JSON',
		fault: { skip: 20, times: 10, fault: { kind: 'brokenJson' } },
		expected: { accepted: 100, reported: 90 },
	},
	{
		scenario: 'a login page instead of the service, 10 times',
		fault: { skip: 20, times: 10, fault: { kind: 'html' } },
		expected: { accepted: 90, reported: 90 },
	},
	{
		scenario: 'service overloaded: 10 times 503 with Retry-After',
		fault: { skip: 20, times: 10, fault: { kind: 'status', status: 503, retryAfter: 1 } },
		expected: { accepted: 100, reported: 100 },
	},
];

describe('bulk sends and faults', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	let own: Sandbox | undefined;

	/** One worker, so that it is clear which one runs it. */
	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Faults');
		await stop('worker2');
	});

	beforeEach(async () => {
		n8n = await loggedIn();
	});

	afterEach(async () => {
		await sandbox().control('DELETE', '/faults');
		await emptyDisk();
		await own?.stop();
		own = undefined;
	});

	afterAll(async () => {
		await start('worker2');
	});

	/** The numbers that the service has messages for, by its own list of them. */
	async function messages(place: number, url = host().sandboxUrl): Promise<string[]> {
		const { data } = await axios.get<{ items: { phoneNumber: string }[] }>(
			`${url}/api/SMSMessages`,
			{
				params: { pageSize: 100_000 },
				headers: { 'X-Api-Key': host().sandboxKey },
				proxy: false,
			},
		);
		return data.items
			.map(({ phoneNumber }) => phoneNumber)
			.filter((number) => number.startsWith(prefix(place)));
	}

	const prefix = (place: number) => `+4479${String(place).padStart(2, '0')}`;

	/** A service that stops for some seconds when it has a third of the messages. */
	async function ownService(place: number) {
		const port = await freePort();
		const database = `${host().folder}/faults-${String(Date.now())}.sqlite`;
		const begin = async () => {
			own = await startSandbox({ port, database });
			await own.fault({ match: { operationId: 'sendSmsMessage' }, ...slow });
		};
		await begin();
		const data = { baseUrl: own?.url };
		return {
			credential: await createCredential(n8n, `Faults ${String(place)}`, data),
			url: own?.url,
			incident: async () => {
				await own?.stop();
				await begin();
			},
		};
	}

	it.each(scenarios.map((scenario, place) => ({ ...scenario, place })))(
		'$scenario',
		async ({ scenario, place, count = 100, fault, limits = {}, expected, ...rest }) => {
			const service = rest.serviceStops === true ? await ownService(place) : undefined;
			const own =
				Object.keys(limits).length === 0
					? credential
					: await createCredential(n8n, scenario, limits);
			const incident = service?.incident ?? rest.incident;
			if (fault !== undefined && service === undefined) {
				await sandbox().control('POST', '/faults', {
					match: { operationId: 'sendSmsMessage' },
					...fault,
				});
			}
			const rows = Array.from({ length: count }, (_, row) => ({
				phone: `${prefix(place)}${String(row).padStart(6, '0')}`,
			}));
			const { id } = await n8n.createWorkflow(
				actionWorkflow(scenario, service?.credential ?? own, rows, send, settings),
			);
			const executionId = await n8n.startWorkflow(id, 'Start');
			if (incident !== undefined) {
				await poll(
					async () =>
						(await messages(place, service?.url)).length >= count / 3 ? true : undefined,
					{ what: 'a third of the messages', timeout: 60_000, interval: 50 },
				);
				await incident();
			}
			// The execution ends in n8n's records even where its results cannot be stored, once there is space.
			if (scenario.startsWith('disk full')) {
				await poll(async () => ((await messages(place)).length === count ? true : undefined), {
					what: 'all messages',
					timeout: 120_000,
				});
				await emptyDisk();
			}
			await executionsEnded(id);

			n8n = await loggedIn();
			const execution = await n8n.execution(executionId);
			const output = execution.items(actionName);
			const reported = output.filter(({ json }) => json.error === undefined).length;
			const accepted = await messages(place, service?.url);
			const numbers = new Set(accepted);
			await writeRow({
				table: 'sends',
				place,
				scenario,
				cells: [
					...[count, numbers.size, output.length === 0 ? 'no output' : reported],
					...[count - numbers.size, accepted.length - numbers.size, execution.status],
				],
			});
			expect(accepted).toHaveLength(numbers.size);
			if (expected.accepted !== 'some') expect(numbers.size).toBe(expected.accepted);
			if (expected.reported !== undefined) expect(reported).toBe(expected.reported);
			// What n8n reports as accepted is.
			expect(numbers.size).toBeGreaterThanOrEqual(reported);
		},
		300_000,
	);
});
