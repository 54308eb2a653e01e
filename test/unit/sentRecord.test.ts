import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { Progress } from '../../nodes/MessagingService/execution/progress';
import { SentRecord } from '../../nodes/MessagingService/execution/sentRecord';
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

/** A record on what n8n keeps for the node. */
function recordOn(stored: IDataObject, { runIndex = 0, operation = 'smsMessage send' } = {}) {
	const context = {
		getContext: (type: string) => (type === 'node' ? stored : {}),
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
		getMode: () => 'trigger',
	} as unknown as IExecuteFunctions;
	const progress = new Progress(20);
	return { record: new SentRecord(context, operation, progress), progress };
}

/** n8n keeps it as JSON. */
const again = (stored: IDataObject) => JSON.parse(JSON.stringify(stored)) as IDataObject;

test('what was accepted is known again for the same item, whatever it sends now', async () => {
	const stored: IDataObject = {};
	recordOn(stored).record.of('3', [3], false).accepted(REQUEST, 'id-1');
	const { record, progress } = recordOn(again(stored));
	const changed = { ...REQUEST, body: { message: 'Hello at 10:01' } };
	expect(await record.of('3', [3], false).earlier(changed)).toEqual({ response: 'id-1' });
	expect(progress.rows().sent).toEqual([3]);
	expect(await record.of('4', [4], false).earlier(REQUEST)).toBeUndefined();
	expect(await record.of('3.2', [3], false).earlier(REQUEST)).toBeUndefined();
});

test('keeps only what identifies', () => {
	const stored: IDataObject = {};
	const { record } = recordOn(stored);
	const response = {
		id: 7,
		newId: 'a',
		storageID: 'b',
		name: 'Hello',
		paid: 'Hello',
		phoneNumbers: [{ number: '+447700900123' }],
		campaign_Id: { nested: true },
	};
	record.of('0', [0], false).accepted(REQUEST, response);
	record.of('1', [1], false).accepted(REQUEST, ['+447700900123']);
	record.of('2', [2], false).possiblySent(REQUEST, FAILURE);
	const text = JSON.stringify(stored);
	expect(text).not.toContain('Hello');
	expect(text).not.toContain('+4477');
	expect(record.round.entries['0']?.response).toEqual({ id: 7, newId: 'a', storageID: 'b' });
});

test('what was possibly sent is not sent again, and does not count as a new failure', async () => {
	const stored: IDataObject = {};
	recordOn(stored).record.of('0', [0, 1, 2], false).possiblySent(REQUEST, FAILURE);
	const { record, progress } = recordOn(again(stored));
	const call = record.of('0', [0, 1, 2], false);
	expect(await call.earlier(REQUEST)).toMatchObject({
		failure: { httpCode: '500', sent: 'possibly' },
	});
	expect(call.isEarlierFailure).toBe(true);
	expect(progress.rows().possiblySent).toEqual([0, 1, 2]);
});

test('counts what earlier tries have sent and this one does not come to', () => {
	const stored: IDataObject = {};
	const first = recordOn(stored).record;
	first.of('0', [0, 1, 2, 5], false).accepted(REQUEST, 'id');
	first.of('6', [6], false).possiblySent(REQUEST, FAILURE);
	first.of('7', [7], false).accepted(REQUEST, 'id');
	const { record, progress } = recordOn(again(stored));
	record.of('7', [7], false);
	record.countEarlier();
	expect(progress.rows()).toMatchObject({ sent: [0, 1, 2, 5], possiblySent: [6] });
});

test('leaves nothing behind when the node is done, and nothing of a call that is the only one', () => {
	const stored: IDataObject = {};
	const { record } = recordOn(stored);
	record.of('0', [0], true).accepted(REQUEST, 'id');
	expect(record.round.entries).toEqual({});
	record.clear();
	expect(stored).toEqual({});
});

test('every round of a loop and every operation has its own', async () => {
	const stored: IDataObject = {};
	recordOn(stored).record.of('0', [0], false).accepted(REQUEST, 'id');
	for (const other of [{ runIndex: 1 }, { operation: 'smsCampaign create' }]) {
		const { record } = recordOn(again(stored), other);
		expect(await record.of('0', [0], false).earlier(REQUEST)).toBeUndefined();
	}
});

test('an agent whose tool is tried again in a new round does not send the same again', async () => {
	const stored: IDataObject = {};
	recordOn(stored).record.of('0', [0], true).possiblySent(REQUEST, FAILURE);
	const { record } = recordOn(stored, { runIndex: 1 });
	expect(await record.of('0', [0], true).earlier(REQUEST)).toHaveProperty('failure');
	const other = { ...REQUEST, body: { message: 'Another' } };
	expect(await record.of('0', [0], true).earlier(other)).toBeUndefined();
});

test('refuses another division into campaigns than that of the first try', () => {
	const stored: IDataObject = {};
	const parts = [
		[0, 1],
		[2, 3],
	];
	recordOn(stored).record.assertDivision('0', parts);
	const { record } = recordOn(again(stored));
	expect(() => {
		record.assertDivision('0', parts);
	}).not.toThrow();
	for (const changed of [
		[[0, 1, 2, 3]],
		[[0, 1], [2], [3]],
		[
			[0, 1],
			[3, 4],
		],
	]) {
		expect(() => {
			record.assertDivision('0', changed);
		}).toThrow('The division into campaigns differs');
	}
	const many = Array.from({ length: 20 }, (_, row) => [row]);
	record.assertDivision('1', many);
	expect(() => {
		record.assertDivision('1', many.slice(1));
	}).toThrow('The division into campaigns differs');
	expect(JSON.stringify(stored).length).toBeLessThan(200);
});
