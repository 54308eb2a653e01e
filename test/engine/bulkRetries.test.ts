import fc from 'fast-check';
import type { IRun } from 'n8n-workflow';
import {
	processedData,
	provideProcessedData,
	freezeProcessedData,
	resetProcessedData,
} from '../support/deduplication';
import { retryAction, runAction, type EngineResult } from '../support/engine';
import { startModelService, type Behaviour, type ModelService } from '../support/modelService';

jest.mock('../../nodes/MessagingService/execution/claimStore', () => ({
	...jest.requireActual<object>('../../nodes/MessagingService/execution/claimStore'),
	// The store of these tests takes up to 2 ms for a change.
	SETTLE_MS: 30,
}));

let service: ModelService;
let credential: { baseUrl: string };

beforeAll(async () => {
	await provideProcessedData();
	service = await startModelService();
	credential = { baseUrl: service.url };
});
beforeEach(() => {
	service.reset();
	resetProcessedData();
});
afterAll(async () => await service.stop());

const ROWS = 6;
const rows = Array.from({ length: ROWS }, (_, row) => ({
	row: `row ${row}`,
	phoneNumber: `+44770090000${row}`,
	name: `row ${row}`,
}));

const send = {
	resource: 'smsMessage',
	operation: 'send',
	phoneNumber: '={{ $json.phoneNumber }}',
	message: '={{ $json.row }}',
	sender: 'Shop',
	options: { maxRetries: 0, requestsAtOnce: 2 },
};
const create = {
	resource: 'smsCampaign',
	operation: 'create',
	message: 'Sale',
	sender: 'Shop',
	options: { maxRetries: 0, requestsAtOnce: 2, perCampaign: 2 },
};

/** The rows that were accepted, one entry for each time. */
function acceptedRows(): number[] {
	return service.accepted.flatMap(({ body }) => {
		const { contacts, message } = body as { contacts?: { name: string }[]; message: string };
		const names = contacts === undefined ? [message] : contacts.map(({ name }) => name);
		return names.map((name) => Number(name.replace('row ', '')));
	});
}

function rowsIn(description: string | null | undefined, label: string): number[] {
	const [, list] = new RegExp(`${label}: items? ([\\d, to]+)`).exec(description ?? '') ?? [];
	return (list ?? '').split(',').flatMap((range) => {
		const [from, to = from] = range.split('to').map((text) => text.trim());
		if (from === undefined || from === '') return [];
		return Array.from({ length: Number(to) - Number(from) + 1 }, (_, step) => Number(from) + step);
	});
}

const run = async (parameters: object, settings = {}) =>
	await runAction({ credential, parameters: { ...parameters }, items: rows, settings });
const retry = async (failed: IRun, parameters: object) =>
	await retryAction(failed, { credential, parameters: { ...parameters }, items: rows });

test('two retries of one execution send the rest once', async () => {
	service.decide = ({ body }) => (body.message === 'row 3' ? 'reject' : 'accept');
	const parameters = { ...send, options: { ...send.options, requestsAtOnce: 1 } };
	const { run: original } = await run(parameters);
	expect(acceptedRows()).toEqual([0, 1, 2]);
	service.decide = ({ body }) => (body.message === 'row 5' ? 'reject' : 'accept');
	const first = await retry(original, parameters);
	expect(first.error?.description).toContain('Sent: items 0 to 4 (5 in total). Not sent: item 5.');
	service.decide = () => 'accept';
	const second = await retry(original, parameters);
	expect(second.error).toBeUndefined();
	expect(acceptedRows()).toEqual([0, 1, 2, 3, 4, 5]);
	expect(second.items.map(({ json }) => json)).toEqual([
		...[0, 1, 2].map(() => expect.objectContaining({ newId: expect.stringMatching(/^id-/) })),
		...[3, 4].map(() => ({ sent: 'yes', sentByOtherRetry: true })),
		expect.objectContaining({ newId: expect.any(String), sent: 'yes' }),
	]);
	// One text stays: that the run is complete.
	expect(processedData()).toHaveLength(1);
	const third = await retry(original, parameters);
	expect(third.error).toBeUndefined();
	expect(acceptedRows()).toHaveLength(ROWS);
	expect(processedData()).toHaveLength(1);
});

test('a row whose fate is unknown does not hold up the others', async () => {
	service.decide = ({ body }) => (body.message === 'row 2' ? 'cutAfter' : 'accept');
	const { run: original } = await run({ ...send, options: { maxRetries: 0, requestsAtOnce: 1 } });
	service.decide = () => 'accept';
	const { error } = await retry(original, send);
	expect([...acceptedRows()].sort()).toEqual([0, 1, 2, 3, 4, 5]);
	expect(error?.description).toContain('Possibly sent: item 2.');
	expect(rowsIn(error?.description, 'Sent')).toEqual([0, 1, 3, 4, 5]);
});

test('a first run stores nothing', async () => {
	service.decide = ({ body }) => (body.message === 'row 2' ? 'reject' : 'accept');
	await run(send);
	expect(processedData()).toEqual([]);
});

test('a campaign is not divided in another way by a retry', async () => {
	service.decide = () => 'reject';
	const { run: original } = await run(create);
	service.decide = () => 'accept';
	const { error } = await retry(original, { ...create, options: { perCampaign: 3 } });
	expect(error?.message).toBe('The division into campaigns differs from that of the first try');
	expect(acceptedRows()).toEqual([]);
});

interface Step {
	/** Which of the failed executions so far is retried; two at the same time. */
	targets: number[];
	/** The process dies before this request; not at all when it is never reached. */
	crashAt: number | undefined;
	behaviours: Behaviour[];
	latencies: number[];
}

const behaviour = fc.oneof(
	{ weight: 5, arbitrary: fc.constant<Behaviour>('accept') },
	{
		weight: 3,
		arbitrary: fc.constantFrom<Behaviour>(
			...(['reject', 'busy', 'failBefore', 'failAfter', 'cutBefore', 'cutAfter'] as const),
		),
	},
);
const behaviours = fc.array(behaviour, { minLength: 8, maxLength: 8 });
const latencies = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 8, maxLength: 8 });
const step: fc.Arbitrary<Step> = fc.record({
	targets: fc.array(fc.nat(10), { minLength: 1, maxLength: 2 }),
	crashAt: fc.option(fc.nat(5), { nil: undefined }),
	behaviours,
	latencies,
});

/** Plays failures and retries; returns the executions that failed, the first one being the original. */
async function play(parameters: object, first: Behaviour[], steps: Step[]) {
	const cycle = <Value>(values: readonly Value[]) => {
		let next = 0;
		return () => values[next++ % values.length] as Value;
	};
	service.decide = cycle(first);
	const original = await run(parameters);
	const failed: EngineResult[] = original.error === undefined ? [] : [original];
	for (const { targets, crashAt, ...random } of failed.length === 0 ? [] : steps) {
		const next = cycle(random.behaviours);
		resetLatency(cycle(random.latencies));
		const isCrash = crashAt !== undefined && targets.length === 1;
		let requests = 0;
		service.decide = () => {
			if (isCrash && requests++ >= crashAt) freezeProcessedData(true);
			return isCrash && requests > crashAt ? 'cutBefore' : next();
		};
		const results = await Promise.all(
			targets.map(async (target) =>
				retry((failed[target % failed.length] as EngineResult).run, parameters),
			),
		);
		freezeProcessedData(false);
		const hasCrashed = isCrash && requests > crashAt;
		// Of a crashed execution, n8n has nothing to retry.
		if (!hasCrashed) failed.push(...results.filter(({ error }) => error !== undefined));
	}
	return failed;
}

function resetLatency(latency: () => number) {
	freezeProcessedData(false, latency);
}

test.each([
	['messages', send],
	['campaigns', create],
])(
	'retries in any order never send %s twice, and reach every row',
	async (_, parameters) => {
		await fc.assert(
			fc.asyncProperty(behaviours, fc.array(step, { maxLength: 4 }), async (first, steps) => {
				service.reset();
				resetProcessedData();
				const failed = await play(parameters, first, steps);
				const [original] = failed;
				if (original === undefined) return;
				service.decide = () => 'accept';
				const last = await retry(original.run, parameters);
				const accepted = acceptedRows();
				expect(new Set(accepted).size).toBe(accepted.length);
				const possibly = new Set(rowsIn(last.error?.description, 'Possibly sent'));
				const reached = rows.map((_row, row) => accepted.includes(row) || possibly.has(row));
				expect(reached).toEqual(rows.map(() => true));
				if (last.error === undefined) expect(accepted).toHaveLength(ROWS);
			}),
			{ numRuns: 40 },
		);
	},
	120_000,
);
