import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { CallRecord } from '../../nodes/MessagingService/execution/callRecord';
import { Progress } from '../../nodes/MessagingService/execution/progress';
import {
	digestOfNumbers,
	SentRecord,
	type RecordedCall,
} from '../../nodes/MessagingService/execution/sentRecord';
import type { ServiceRequest } from '../../nodes/MessagingService/transport/request';

const REQUEST: ServiceRequest = {
	method: 'POST',
	path: '/api/SMSMessages',
	query: { clientId: '1' },
	body: { message: 'Hello', sender: 'Shop', phoneNumber: '+447700900123' },
};
const FAILURE = {
	message: 'The service said +447700900123',
	description: 'Hello',
	httpCode: '500',
	sent: 'possibly' as const,
};

/** A record on what n8n keeps for the node, and for the execution. */
function recordOn(
	stored: IDataObject,
	{
		runIndex = 0,
		operation = 'smsMessage send perItem',
		type = 'messagingService',
		mode = 'trigger',
		execution = '1',
		flow = {},
	} = {},
) {
	const context = {
		getContext: (kind: string) => (kind === 'node' ? stored : flow),
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
		getMode: () => mode,
		getExecutionId: () => execution,
		getNode: () => ({ type }),
		helpers: {},
	} as unknown as IExecuteFunctions;
	const progress = new Progress(20);
	const record = new SentRecord(context, { name: operation, reachesPeople: true }, progress);
	const of = (key: string, rows: readonly number[], others: Partial<RecordedCall> = {}) =>
		new CallRecord(record, progress, { key, rows, requests: 1, ...others });
	return { record, progress, of };
}

/** n8n keeps it as JSON. */
const again = (stored: IDataObject) => JSON.parse(JSON.stringify(stored)) as IDataObject;

test('what was accepted is recognized by its item, even if the item sends something else now', async () => {
	const stored: IDataObject = {};
	recordOn(stored).of('3', [3]).accepted(REQUEST, 'id-1');
	const { of, progress } = recordOn(again(stored));
	const changed = { ...REQUEST, body: { message: 'Hello at 10:01' } };
	expect(await of('3', [3]).earlier(changed)).toEqual({ response: 'id-1' });
	expect(progress.rows().sent).toEqual([3]);
	expect(await of('4', [4]).earlier(REQUEST)).toBeUndefined();
	expect(await of('3.2', [3]).earlier(REQUEST)).toBeUndefined();
});

test('keeps only what identifies', async () => {
	const stored: IDataObject = {};
	const { of } = recordOn(stored);
	const response = {
		id: 7,
		newId: 'a',
		storageID: 'b',
		name: 'Hello',
		paid: 'Hello',
		phoneNumbers: [{ number: '+447700900123' }],
		campaign_Id: { nested: true },
	};
	of('0', [0]).accepted(REQUEST, response);
	of('1', [1]).accepted(REQUEST, ['+447700900123']);
	of('2', [2]).possiblySent(REQUEST, FAILURE);
	of('6', [6]).accepted(REQUEST, 4711);
	expect(await of('6', [6]).earlier(REQUEST)).toEqual({ response: 4711 });
	for (const [index, nothing] of [null, undefined, true].entries()) {
		of(`${index + 3}`, [3]).accepted(REQUEST, nothing);
		expect(await of(`${index + 3}`, [3]).earlier(REQUEST)).toEqual({ response: null });
	}
	const text = JSON.stringify(stored);
	expect(text).not.toContain('Hello');
	expect(text).not.toContain('+4477');
	expect(await of('0', [0]).earlier(REQUEST)).toEqual({
		response: { id: 7, newId: 'a', storageID: 'b' },
	});
});

test('what was possibly sent is not sent again, and does not count as a new failure', async () => {
	const stored: IDataObject = {};
	recordOn(stored).of('0', [0, 1, 2]).possiblySent(REQUEST, FAILURE);
	const { of, progress } = recordOn(again(stored));
	const call = of('0', [0, 1, 2]);
	expect(await call.earlier(REQUEST)).toMatchObject({
		failure: { httpCode: '500', sent: 'possibly' },
	});
	expect(call.isEarlierFailure).toBe(true);
	expect(progress.rows().possiblySent).toEqual([0, 1, 2]);
});

test('counts what earlier tries have sent and this one does not come to', async () => {
	const stored: IDataObject = {};
	const first = recordOn(stored);
	first.of('0', [0, 1, 2, 5]).accepted(REQUEST, 'id');
	first.of('6', [6]).possiblySent(REQUEST, FAILURE);
	first.of('7', [7]).accepted(REQUEST, 'id');
	first.of('8', [8], { requests: 2 }).accepted(REQUEST, 'id');
	const { record, of, progress } = recordOn(again(stored));
	await of('7', [7]).earlier(REQUEST);
	record.countEarlier();
	expect(progress.rows()).toMatchObject({
		sent: [0, 1, 2, 5, 7],
		possiblySent: [6],
		partlySent: [8],
	});
});

test('leaves nothing behind when the node is done', async () => {
	const stored: IDataObject = {};
	const { record, of } = recordOn(stored);
	of('0', [0]).accepted(REQUEST, 'id');
	record.clear();
	expect(stored).toEqual({});
});

test('every round of a loop has its own', async () => {
	const stored: IDataObject = {};
	recordOn(stored).of('0', [0]).possiblySent(REQUEST, FAILURE);
	const { of } = recordOn(again(stored), { runIndex: 1 });
	expect(await of('0', [0]).earlier(REQUEST)).toBeUndefined();
});

test('refuses another operation than the one that has sent something', () => {
	const stored: IDataObject = {};
	const operation = 'smsCampaign create allItems';
	const { record, of } = recordOn(stored);
	expect(() => {
		recordOn(again(stored), { operation }).record.assertSameOperation();
	}).not.toThrow();
	of('0', [0]).accepted(REQUEST, 'id');
	const kept = again(stored);
	const other = recordOn(kept, { operation }).record;
	expect(() => {
		other.assertSameOperation();
	}).toThrow('differs from that of the first try');
	expect(kept).toEqual(stored);
	record.clear();
});

describe("an agent's tool", () => {
	const tool = { type: 'messagingServiceTool' };
	const other = { ...REQUEST, body: { message: 'Another' } };

	test.each([0, 1])('that is tried again in round %d does not send it again', async (round) => {
		const stored: IDataObject = {};
		const first = recordOn(stored, tool).of('0', [0]);
		await first.earlier(REQUEST);
		first.possiblySent(REQUEST, FAILURE);
		const { of } = recordOn(again(stored), { ...tool, runIndex: round });
		expect(await of('0', [0]).earlier(REQUEST)).toHaveProperty('failure');
		expect(await of('0', [0]).earlier(other)).toBeUndefined();
	});

	test('keeps what was possibly sent when a later call went well', async () => {
		const stored: IDataObject = {};
		const first = recordOn(stored, tool).of('0', [0]);
		await first.earlier(REQUEST);
		first.possiblySent(REQUEST, FAILURE);
		const second = recordOn(stored, tool);
		const call = second.of('0', [0]);
		await call.earlier(other);
		call.accepted(other, 'id');
		second.record.clear();
		const { of } = recordOn(stored, tool);
		expect(await of('0', [0]).earlier(REQUEST)).toHaveProperty('failure');
		expect(await of('0', [0]).earlier(other)).toBeUndefined();
	});
});

test('a retry claims its requests, unless it made the identity of the run itself', () => {
	const flow: IDataObject = {};
	const retry = { mode: 'retry', flow };
	expect(recordOn({}, { ...retry, execution: '2' }).record.claims).toBeUndefined();
	expect(recordOn({}, { ...retry, execution: '2', runIndex: 1 }).record.claims).toBeUndefined();
	expect(recordOn({}, { ...retry, execution: '3' }).record.claims).toBeDefined();
	expect(recordOn({}, { ...retry, execution: '3', mode: 'trigger' }).record.claims).toBeUndefined();
});

describe('another division into campaigns', () => {
	const part = (key: string, numbers: readonly string[]): RecordedCall => ({
		key,
		rows: [0],
		requests: 2,
		recipients: digestOfNumbers(
			numbers.map((number) => ({ number })),
			'number',
		),
	});
	const first = part('0', ['1', '2']);
	const second = part('0.2', ['3', '4']);
	const assertAfter = async (sent: RecordedCall | undefined, parts: RecordedCall[]) => {
		const stored: IDataObject = {};
		const { of } = recordOn(stored);
		if (sent !== undefined) of(sent.key, sent.rows, sent).accepted(REQUEST, 'id');
		return recordOn(again(stored)).record.assertDivision('0', parts);
	};

	test('is allowed where nothing was sent, and where what was sent stays the same', async () => {
		await expect(assertAfter(undefined, [part('0', ['1'])])).resolves.toBeUndefined();
		await expect(assertAfter(first, [first, second])).resolves.toBeUndefined();
		await expect(assertAfter(first, [first, part('0.2', ['4', '5'])])).resolves.toBeUndefined();
		await expect(assertAfter(part('1', ['9']), [first])).resolves.toBeUndefined();
	});

	test.each([
		[first, [part('0', ['2', '3']), part('0.2', ['4'])]],
		[first, [part('0', ['1', '2', '3', '4'])]],
		[second, [part('0', ['1', '2', '3', '4'])]],
		[second, [first, part('0.2', ['3', '5'])]],
	])('is refused (%#)', async (sent, parts) => {
		await expect(assertAfter(sent, parts)).rejects.toThrow('The division into campaigns differs');
	});
});
