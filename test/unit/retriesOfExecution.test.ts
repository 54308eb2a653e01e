import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { CallRecord } from '../../nodes/MessagingService/execution/callRecord';
import { Progress } from '../../nodes/MessagingService/execution/progress';
import { doNotContactOf, LeftOut } from '../../nodes/MessagingService/execution/screening';
import type { Run } from '../../nodes/MessagingService/execution/runState';
import { SentRecord, type RecordedCall } from '../../nodes/MessagingService/execution/sentRecord';
import type { ServiceRequest } from '../../nodes/MessagingService/transport/request';
import { callWith } from './support/call';

const NUMBER = '+447700900123';
const REQUEST: ServiceRequest = {
	...{ method: 'POST', path: '/api/SMSMessages', query: {} },
	body: { message: 'Hello', sender: 'Shop', phoneNumber: NUMBER },
};
const FAILURE = { message: 'No', description: 'Unknown.', sent: 'possibly' as const };
const SEND = 'smsMessage send perItem';
const RUNNING = /did not send this item: another retry of the execution is running$/;

/** A process that n8n runs a retry in, or another try, and what it keeps for the execution. */
function tryOf(
	texts: Set<string> | undefined,
	{
		operation = SEND,
		type = 'messagingService',
		stored = {} as IDataObject,
		round = 0,
		reachesPeople = true,
	} = {},
) {
	const helpers = {
		checkProcessedAndRecord: async (asked: string[]) => {
			const processed = asked.filter((each) => texts?.has(each));
			for (const each of asked) texts?.add(each);
			return await Promise.resolve({ processed });
		},
		removeProcessed: async (removed: string[]) => {
			for (const each of removed) texts?.delete(each);
			await Promise.resolve();
		},
	};
	const flow = { messagingServiceRun: { id: 'run', execution: 'original' } };
	const context = {
		getContext: (kind: string) => (kind === 'node' ? stored : flow),
		getWorkflowDataProxy: () => ({ $runIndex: round }),
		getMode: () => (texts === undefined ? 'trigger' : 'retry'),
		getExecutionId: () => 'another',
		getNode: () => ({ type }),
		helpers,
	} as unknown as IExecuteFunctions;
	const progress = new Progress(10);
	const record = new SentRecord(context, { name: operation, reachesPeople }, progress);
	const of = (key: string, others: Partial<RecordedCall> = {}) =>
		new CallRecord(record, progress, { key, rows: [Number(key)], requests: 1, ...others });
	return { context, record, progress, of };
}

/** What comes of something that waits, on a clock that does not. */
async function soon<Result>(waiting: Promise<Result>): Promise<Result | string> {
	const [[outcome]] = await Promise.all([Promise.allSettled([waiting]), jest.runAllTimersAsync()]);
	return outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message;
}

/** A retry sends the first item. */
async function sendFirst(texts: Set<string>) {
	const { of, record } = tryOf(texts);
	const call = of('0');
	expect(await soon(call.earlier(REQUEST))).toBeUndefined();
	call.accepted(REQUEST, 'id');
	await soon(record.claims?.finish() ?? Promise.resolve());
}

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

describe('a try that is no retry', () => {
	test('is certain of what it did not send', async () => {
		const { record, of } = tryOf(undefined);
		expect(await record.isCallUnclaimed('0', false)).toBe(true);
		expect(await record.isUnclaimed(['0'])).toBe(true);
		of('0').accepted(REQUEST, 'id');
		// What it sent itself, its call tells.
		expect(await record.isCallUnclaimed('0', false)).toBe(true);
	});

	test('is not of calls that an earlier try has sent, or a part of', async () => {
		const stored: IDataObject = {};
		const first = tryOf(undefined, { stored });
		first.of('0.2', { rows: [0] }).accepted(REQUEST, 'id');
		first.of('3').possiblySent(REQUEST, FAILURE);
		const { record, of } = tryOf(undefined, { stored });
		const calls = ['0', '1', '2', '3', '30'];
		expect(calls.map((call) => [...record.earlierRows(call)])).toEqual([[0], [], [], [3], []]);
		expect([...record.earlierRows()].sort()).toEqual([0, 3]);
		expect(record.isKnown('0')).toBe(true);
		expect(record.isKnown('1')).toBe(false);
		expect(await of('3').isUnsent()).toBe(false);
		expect(await of('4').isUnsent()).toBe(true);
	});

	test('knows what earlier ones have sent of a call', () => {
		const stored: IDataObject = {};
		const { of } = tryOf(undefined, { stored });
		of('0', { fileRows: [1, 5, 2] }).accepted(REQUEST, 'id-1');
		of('0.12', { rows: [0], recipients: 'digest', requests: 3 }).possiblySent(REQUEST, FAILURE);
		of('1').accepted(REQUEST, 'id-2');
		const { record } = tryOf(undefined, { stored });
		expect(record.earlierEntries('0')).toStrictEqual([
			{ rows: [[0, 0]], fileRows: [1, 5, 2], response: 'id-1', part: 1 },
			{ rows: [[0, 0]], requests: 3, recipients: 'digest', possiblySent: true, part: 12 },
		]);
		expect(record.earlierEntries('2')).toEqual([]);
		expect([record.keysOf('3', undefined), record.keysOf('3', 5)]).toEqual([['3'], ['3']]);
	});
});

describe('a request of a call', () => {
	test('was sent, unless the service certainly did not accept it', async () => {
		const { of, progress } = tryOf(undefined);
		const call = of('0');
		expect(await call.isUnsent()).toBe(true);
		await call.starting(REQUEST);
		expect(await call.isUnsent()).toBe(false);
		expect(progress.rows().possiblySent).toEqual([0]);
		call.notSent();
		expect(await call.isUnsent()).toBe(true);
		expect(progress.rows().possiblySent).toEqual([]);
		await call.starting(REQUEST);
		call.simulated();
		expect([call.isSimulated, call.isAccepted, call.isRepeat]).toEqual([true, false, false]);
		expect(await call.isUnsent()).toBe(true);
		expect(progress.rows().notSent).toHaveLength(10);
		await call.starting(REQUEST);
		call.repeated();
		expect([call.isAccepted, call.isRepeat]).toEqual([true, true]);
		expect(progress.rows().sent).toEqual([0]);
	});

	test('is not made to somebody who is left out, and is untouched', async () => {
		const { of, progress } = tryOf(undefined);
		const call = of('0');
		const complaint = { itemIndex: 0, phoneNumber: NUMBER, reason: 'the phone number is listed' };
		call.complaintOf = ({ body }) =>
			body?.phoneNumber === NUMBER ? { ...complaint, code: 'doNotContact' } : undefined;
		const error: unknown = await call.starting(REQUEST).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(LeftOut);
		expect(error).toMatchObject({ message: 'the phone number is listed', complaint });
		expect([call.isTouched, progress.rows().possiblySent]).toEqual([false, []]);
		await call.starting({ ...REQUEST, body: { phoneNumber: '+1' } });
		expect(call.isTouched).toBe(true);
	});

	test.each([
		['Hello', undefined],
		[`${'x'.repeat(100)}\u2014`, { characters: ['\u2014'], parts: 2, partsWithout: 1 }],
		[5, undefined],
	])('notes what makes the message %j costly', async (message, costly) => {
		const call = tryOf(undefined).of('0');
		await call.starting({ ...REQUEST, body: { message } });
		expect(call.costly).toEqual(costly);
	});

	test('of an earlier try tells why that failed, while this process knows', async () => {
		const stored: IDataObject = {};
		tryOf(undefined, { stored }).of('0').possiblySent(REQUEST, FAILURE);
		expect(await tryOf(undefined, { stored }).of('0').earlier(REQUEST)).toEqual({
			failure: {
				...{ message: 'Possibly sent in an earlier try', sent: 'possibly' },
				description: expect.stringMatching(/Check in the service\. The reason then: No\.$/),
			},
		});
	});
});

describe('a retry', () => {
	test('is certain of what no other retry has claimed', async () => {
		const texts = new Set<string>();
		await sendFirst(texts);

		// The retried execution came to this node, so the items are the same.
		const stored = { sent: { round: 0, operation: SEND, entries: {} } };
		const second = tryOf(texts, { stored }).record;
		expect(await soon(second.isCallUnclaimed('0', false))).toBe(false);
		expect(await soon(second.isCallUnclaimed('1', false))).toBe(true);
		// Otherwise, they may be others.
		expect(await soon(tryOf(texts).record.isCallUnclaimed('1', false))).toBe(false);
		// With another operation, nothing is certain.
		const other = tryOf(texts, { operation: 'smsCampaign create allItems' }).record;
		expect(await soon(other.isUnclaimed(['1']))).toBe(false);
	});

	test('is certain where no other one has sent anything, with any operation', async () => {
		const texts = new Set<string>();
		expect(await soon(tryOf(texts).record.isUnclaimed(['0']))).toBe(true);
	});

	test('is not certain while another one may be about to send', async () => {
		const texts = new Set<string>();
		expect(await soon(tryOf(texts).of('5').earlier(REQUEST))).toBeUndefined();
		const { record } = tryOf(texts);
		expect(await soon(record.isCallUnclaimed('5', false))).toBe(false);
		expect(await soon(record.claim(['6']))).toMatch(RUNNING);
		// The other one will come to it.
		expect(await soon(record.isUnclaimed(['6']))).toBe(false);
		expect([...texts].filter((text) => text.endsWith('/6'))).toEqual([]);
	});

	test.each([
		[SEND, ['ours']],
		['smsCampaign create allItems', 'Operation differs from that of another retry'],
	])('that follows one which has sent claims for %s: %j', async (operation, expected) => {
		const texts = new Set<string>();
		await sendFirst(texts);
		expect(await soon(tryOf(texts, { operation }).record.claim(['1']))).toEqual(expected);
	});

	test('does not know whether another one that is interrupted has sent a request', async () => {
		const texts = new Set<string>();
		const first = tryOf(texts);
		const [sent, open] = [first.of('0'), first.of('1')];
		await soon(
			Promise.all([sent, open].map(async (each) => each.earlier({ ...REQUEST, body: {} }))),
		);
		sent.accepted(REQUEST, 'id');
		// What it tells the store next is the last thing it does.
		await soon(first.record.claim(['2']));

		const second = tryOf(texts);
		const again = second.of('1');
		expect(await soon(again.earlier({ ...REQUEST, body: {} }))).toMatchObject({
			failure: { message: 'Possibly sent by another retry', sent: 'possibly' },
		});
		expect([again.isEarlierFailure, again.isAccepted]).toEqual([true, false]);
		expect(second.progress.rows().possiblySent).toEqual([1]);
		expect(await soon(again.isUnsent())).toBe(false);
	});

	test('claims for its round of a loop only', async () => {
		const texts = new Set<string>();
		expect(await soon(tryOf(texts).record.claim(['0']))).toEqual(['ours']);
		expect(await soon(tryOf(texts, { round: 1 }).record.claim(['0']))).toEqual(['ours']);
		expect([...texts].filter((each) => !/^run\/[01]\//.test(each))).toEqual([]);
	});

	test.each([
		[['a', 'b'], ''],
		[['a', 'c'], 'The division into campaigns differs from that of another retry'],
	])('divides a list as the one that has sent: %j', async (digests, expected) => {
		const texts = new Set<string>();
		const partsOf = (recipients: string[]) =>
			recipients.map((each, index) => ({
				...{ key: index === 0 ? '0' : `0.${index + 1}`, rows: [0], requests: 2 },
				recipients: each,
			}));
		const first = tryOf(texts);
		const parts = partsOf(['a', 'b']);
		await soon(first.record.assertDivision('0', parts));
		const call = first.of('0', parts[0]);
		await soon(call.earlier({ ...REQUEST, body: {} }));
		call.accepted(REQUEST, 'id');
		await soon(first.record.claims?.finish() ?? Promise.resolve());
		const outcome = await soon(tryOf(texts).record.assertDivision('0', partsOf(digests)));
		expect(outcome ?? '').toBe(expected);
		expect(await soon(tryOf(texts).record.isCallUnclaimed('0', true))).toBe(false);
	});

	test('frees what it did not send', async () => {
		const texts = new Set<string>();
		const first = tryOf(texts);
		expect(await soon(first.of('0').earlier(REQUEST))).toBeUndefined();
		await soon(first.record.claims?.finish() ?? Promise.resolve());
		const operation = 'smsCampaign create allItems';
		expect(await soon(tryOf(texts, { operation }).record.claim(['0']))).toEqual(['ours']);
	});

	test('is not certain where n8n cannot tell, unless the operation reaches nobody', async () => {
		const broken = {
			has: () => true,
			add: () => {
				throw new Error('The database is locked');
			},
		};
		const texts = broken as unknown as Set<string>;
		expect(await soon(tryOf(texts).record.isUnclaimed(['0']))).toBe(false);
		expect(await soon(tryOf(texts, { reachesPeople: false }).record.isUnclaimed(['0']))).toBe(true);
	});

	test('as a tool of an agent asks for no operation', async () => {
		const texts = new Set<string>();
		const tool = { type: 'messagingServiceTool' };
		expect(await soon(tryOf(texts, tool).record.isUnclaimed(['0']))).toBe(true);
		expect(texts.size).toBe(0);
		expect(await soon(tryOf(texts, tool).record.claim(['0']))).toEqual(['ours']);
		expect([...texts].some((each) => each.includes('operation'))).toBe(false);
	});

	test.each([
		['the same person', '0', NUMBER, 'Sent'],
		['somebody else from the same place', '0', '+447700900999', 'The phone number is not the one'],
		['the same person from another place', '1', NUMBER, 'Sent'],
		['somebody else from another place', '1', '+447700900999', undefined],
	])('that would reach %s', async (_what, key, phoneNumber, expected) => {
		const texts = new Set<string>();
		await sendFirst(texts);

		const second = tryOf(texts);
		const again = second.of(key);
		const outcome = await soon(again.earlier({ ...REQUEST, body: { phoneNumber } }));
		if (expected === 'Sent') {
			expect(outcome).toBe('');
			expect(second.progress.rows().sent).toEqual([Number(key)]);
			expect(again.isAccepted).toBe(true);
		} else if (expected === undefined) expect(outcome).toBeUndefined();
		else expect(outcome).toMatch(expected);
		expect(again.isTouched).toBe(expected === 'Sent');
		// Somebody else at the same place may be the same person in another spelling.
		expect(await soon(again.isUnsent())).toBe(expected === undefined);
	});
});

describe('the Do Not Contact list of an operation', () => {
	const complaintsOf = async (reach: 1 | undefined, request: ServiceRequest) => {
		const call = callWith({
			items: [{}],
			parameters: { options: { doNotContactNumbers: '+44 7700 900123' } },
		});
		const run = { operation: { reach } } as unknown as Run;
		return (await doNotContactOf(run, { ...call, itemIndexes: [4] }))?.(request);
	};

	test('that sends one message leaves out its numbers', async () => {
		expect(await complaintsOf(1, REQUEST)).toEqual({
			...{ itemIndex: 4, phoneNumber: NUMBER, code: 'doNotContact' },
			reason: expect.stringMatching(/^the phone number .*Do Not Contact/),
			advice: 'It stays left out while it is in the list.',
		});
		expect(
			await complaintsOf(1, { ...REQUEST, body: { phoneNumber: '+447700900124' } }),
		).toBeUndefined();
		expect(await complaintsOf(1, { ...REQUEST, method: 'GET' })).toBeUndefined();
		expect(await complaintsOf(undefined, REQUEST)).toBeUndefined();
	});
});
