import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Failure } from '../../nodes/MessagingService/transport/errors';
import type { ServiceRequest } from '../../nodes/MessagingService/transport/request';
import { SentRecord } from '../../nodes/MessagingService/execution/sentRecord';

const REQUEST: ServiceRequest = {
	method: 'POST',
	path: '/api/SMSMessages',
	query: { clientId: '1' },
	body: { message: 'Hello', sender: 'Shop' },
};
const FAILURE = { message: 'No answer in time' } as Failure;

/** What of n8n's context the record lives in. */
function execution(runIndex: number | undefined = 0, stored: IDataObject = {}) {
	const context = {
		getContext: (type: string) => (type === 'node' ? stored : {}),
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	} as unknown as IExecuteFunctions;
	return { context, stored };
}

test('what was accepted is known again for the very same request of the same item', async () => {
	const { context, stored } = execution();
	new SentRecord(context).of(3).accepted(REQUEST, 'id-1');
	// n8n keeps it as JSON.
	const again = execution(0, JSON.parse(JSON.stringify(stored)) as IDataObject);
	const record = new SentRecord(again.context);
	expect(await record.of(3).earlier(REQUEST)).toMatchObject({ response: 'id-1' });
	expect(await record.of(4).earlier(REQUEST)).toBeUndefined();
	expect(await record.of(3, 2).earlier(REQUEST)).toBeUndefined();
	for (const change of [
		{ method: 'GET' as const },
		{ path: '/api/Campaigns' },
		{ query: { clientId: '2' } },
		{ body: { message: 'Hello!', sender: 'Shop' } },
	]) {
		expect(await record.of(3).earlier({ ...REQUEST, ...change })).toBeUndefined();
	}
});

test('of each call of an item, by its part', async () => {
	const record = new SentRecord(execution().context);
	record.of(0).accepted(REQUEST, 'first');
	record.of(0, 2).accepted(REQUEST, 'second');
	record.of(1).possiblySent(REQUEST, FAILURE);
	record.of(12, 3).possiblySent(REQUEST, FAILURE);
	expect(await record.of(0).earlier(REQUEST)).toMatchObject({ response: 'first' });
	expect(await record.of(0, 2).earlier(REQUEST)).toMatchObject({ response: 'second' });
	expect(await record.of(1).earlier(REQUEST)).toMatchObject({ failure: FAILURE });
	expect(record.outcomes()).toEqual({ accepted: [0, 0], uncertain: [1, 12] });
});

test('holds no text of a request, and nothing of a call that cannot be repeated', () => {
	const { context, stored } = execution();
	const record = new SentRecord(context);
	record.of(0).accepted(REQUEST, 'id');
	expect(JSON.stringify(stored)).not.toContain('Hello');
	record.clear();
	expect(stored).toEqual({});
	const only = new SentRecord(context);
	only.of(0, 1, true).accepted(REQUEST, 'id');
	expect(only.outcomes()).toEqual({ accepted: [], uncertain: [] });
	only.of(0, 1, true).possiblySent(REQUEST, FAILURE);
	expect(only.outcomes()).toEqual({ accepted: [], uncertain: [0] });
});

test('begins anew in every round of a loop', async () => {
	const { context, stored } = execution(0);
	new SentRecord(context).of(0).accepted(REQUEST, 'id');
	const next = new SentRecord(execution(1, stored).context);
	expect(await next.of(0).earlier(REQUEST)).toBeUndefined();
	next.of(0).accepted(REQUEST, 'id-2');
	expect(await new SentRecord(execution(1, stored).context).of(0).earlier(REQUEST)).toMatchObject({
		response: 'id-2',
	});
	// Where n8n tells no round, it is the first.
	const first = new SentRecord(execution(undefined).context);
	expect(first.outcomes()).toEqual({ accepted: [], uncertain: [] });
});
