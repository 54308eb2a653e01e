import type { IDataObject } from 'n8n-workflow';
import type { ServiceRequest } from '../../nodes/MessagingService/transport/request';
import {
	identifierOf,
	identifiersOf,
	readResponse,
	reportsError,
	type ExpectedBody,
} from '../../nodes/MessagingService/transport/responseShape';

const GET: ServiceRequest = { method: 'GET', path: '/api/Campaigns' };
const POST: ServiceRequest = { method: 'POST', path: '/api/Campaigns' };

/** What is read from a body: its value, or what was expected instead. */
function reading(body: unknown, kind: ExpectedBody, request = GET) {
	const raw = typeof body === 'string' ? body : JSON.stringify(body);
	const result = readResponse(request, raw, kind);
	return 'expected' in result ? result.expected : result.value;
}

describe('the body of a successful response', () => {
	test.each<[ExpectedBody, unknown]>([
		['record', { id: 1 }],
		['record', { name: 'a' }],
		['page', { items: [], totalPages: 0 }],
		['page', { items: [{ id: 1 }], message: 'a' }],
		['array', []],
		['array', [{ id: 1 }, {}]],
		['id', 0],
		['id', 5],
		['anything', { a: 1 }],
		['anything', [1]],
		['anything', null],
		['anything', true],
	])('is %s: %j', (kind, body) => {
		expect(reading(body, kind)).toEqual(body);
	});

	test.each<[ExpectedBody, unknown]>([
		...[{}, [], [{ id: 1 }], 'null', '"a"', '5', '', ' ', '{', { error: 'a' }].map(
			(body): [ExpectedBody, unknown] => ['record', body],
		),
		...[{}, [], [{ id: 1 }], { items: {} }, { items: [1] }, { items: 'a' }, '', 'null'].map(
			(body): [ExpectedBody, unknown] => ['page', body],
		),
		...[{}, { items: [] }, [1], [[]], [null], [{ a: 1 }, 'a'], '', 'null'].map(
			(body): [ExpectedBody, unknown] => ['array', body],
		),
		...[{ id: 1 }, [1], '""', '" "', 'true', 'null', '', 'a-guid'].map(
			(body): [ExpectedBody, unknown] => ['id', body],
		),
		...['"Error: a"', { success: false }, 'text', '<html>', '{"a":'].map(
			(body): [ExpectedBody, unknown] => ['anything', body],
		),
	])('is no %s: %j', (kind, body) => {
		const expected = {
			record: 'a record',
			page: 'a page of records with "items"',
			array: 'an array of records',
			id: 'an identifier',
			anything: 'valid JSON',
		};
		expect(reading(body, kind)).toBe(expected[kind]);
	});

	test.each(['', '  \n'])('may be nothing at all: %j', (raw) => {
		expect(readResponse(POST, raw, 'anything')).toEqual({ value: undefined });
	});

	test('is an identifier as text, too', () => {
		expect(reading('"a-guid"', 'id')).toBe('a-guid');
	});

	test('has an empty list for a missing one', () => {
		expect(reading({ items: null, totalPages: 1 }, 'page')).toEqual({ items: [], totalPages: 1 });
		expect(reading({ items: null }, 'record')).toEqual({ items: null });
	});

	test('of a created record has its identifier', () => {
		expect(reading({ campaignId: 'a', name: 'b' }, 'record', POST)).toEqual({
			...{ campaignId: 'a', name: 'b' },
		});
		for (const body of [{ name: 'b' }, { clientId: 1 }, { id: '' }, { id: null }, {}]) {
			expect(reading(body, 'record', POST)).toBe('a record with an ID');
		}
		expect(reading('nonsense', 'page', POST)).toBe('a page of records with "items"');
	});

	test('is what the request expects of it', () => {
		const expected = {
			description: 'the campaign with the ID 5',
			matches: (body: unknown) => (body as IDataObject).id === 5,
		};
		const request = { ...GET, expected } as ServiceRequest;
		expect(reading({ id: 5 }, 'record', request)).toEqual({ id: 5 });
		expect(readResponse(request, '{"id":6}', 'record')).toEqual({
			unexpected: { id: 6 },
			expected: 'the campaign with the ID 5',
		});
		expect(readResponse(GET, '[6]', 'record')).toEqual({ unexpected: [6], expected: 'a record' });
		expect(readResponse(GET, 'x', 'record')).toEqual({
			unexpected: undefined,
			expected: 'a record',
		});
	});
});

describe('the identifier', () => {
	test.each([
		...['id', 'Id', 'ID', 'newId', 'new_id', 'campaignId', 'campaign_id', 'voiceCampaignId'],
		...['voice_campaign_id', 'VoiceCampaignID', 'voicecampaign_Id', 'storageId', 'storage_id'],
	])('stands under the name %s', (name) => {
		expect(identifiersOf({ other: 1, [name]: 7 })).toEqual({ [name]: 7 });
		expect(identifierOf({ [name]: 'a' })).toBe('a');
	});

	test.each([
		...['clientId', 'cli_Id', 'voiceId', 'ids', 'identity', 'xid', 'id2', 'new', 'campaign'],
		...[
			'myCampaignId',
			'voice__campaignId',
			'storage__id',
			'new__id',
			'messageId',
			'phoneNumberId',
		],
	])('does not stand under the name %s', (name) => {
		expect(identifiersOf({ [name]: 7 })).toEqual({});
	});

	test.each([0, -1, 1.5, 'a', ' a '])('may be %j', (id) => {
		expect([identifierOf(id), identifierOf({ id })]).toEqual([id, id]);
	});

	test.each([null, undefined, '', ' ', true, {}, [1], [[]]])('is not %j', (id) => {
		expect([identifierOf(id), identifierOf({ id })]).toEqual([undefined, undefined]);
	});

	test('is preferably the one under id, otherwise the first', () => {
		expect(identifierOf({ newId: 1, ID: 2 })).toBe(2);
		expect(identifierOf({ newId: 1, campaignId: 2 })).toBe(1);
		expect(identifierOf({ campaignId: 1, id: '' })).toBe(1);
	});
});

describe('a body with a success status', () => {
	const OUTCOMES = [
		...['success', 'succeeded', 'isSuccess', 'is_success', 'ok', 'status', 'statusCode'],
		...['status_code', 'code', 'result', 'OK', 'StatusCode'],
	];
	const TEXTS = [
		...['message', 'msg', 'detail', 'details', 'title', 'description', 'errorCode', 'error_code'],
		...['type', 'instance', 'traceId', 'trace_id', 'requestId', 'request_id', 'timestamp'],
	];

	test.each(OUTCOMES)('tells of an error in %s', (name) => {
		for (const value of [false, 'false', 'Error', 'failed: a', 400, 599]) {
			expect([value, reportsError({ [name]: value, a: 1 })]).toEqual([value, true]);
		}
		for (const value of [true, 'true', 'active', 1, 200, 399, 600, null, '', ['failed']]) {
			expect([value, reportsError({ [name]: value, a: 1 })]).toEqual([value, false]);
		}
		// A record may have been created in spite of a text; not in spite of a plain no.
		expect(reportsError({ id: 1, [name]: 'failed' })).toBe(false);
		expect(reportsError({ id: 1, [name]: false })).toBe(true);
	});

	test.each([
		...['xsuccess', 'successes', 'oks', 'statuses', 'resultx', 'status-code', 'issucces', 'state'],
	])('is no outcome under the name %s', (name) => {
		expect(reportsError({ [name]: false })).toBe(false);
		expect(reportsError({ [name]: 'failed' })).toBe(false);
	});

	test.each(TEXTS)('is not only a text: %s', (name) => {
		expect(reportsError({ [name]: 'a' })).toBe(true);
		expect(reportsError({ [name]: 'a', a: 1 })).toBe(false);
		expect(reportsError({ [name]: 'a', status: 'active' })).toBe(true);
		expect(reportsError({ [name]: 'a', id: 1 })).toBe(false);
		for (const status of [true, 200, 299, 'ok', 'Success', 'queued', 'true']) {
			expect([status, reportsError({ [name]: 'a', status })]).toEqual([status, false]);
		}
		for (const status of [199, 300, 'nok', 'okay', 'not saved', null]) {
			expect([status, reportsError({ [name]: 'a', status })]).toEqual([status, true]);
		}
	});

	test.each(['xmessage', 'messages', 'subtitle', 'titles', 'types', 'subtype', 'errorxcode'])(
		'is a record with the name %s',
		(name) => {
			expect(reportsError({ [name]: 'a' })).toBe(false);
		},
	);

	test.each([
		...['ok', 'true', 'success', 'successful', 'successfully', 'succeeded', 'accepted', 'created'],
		...['deleted', 'done', 'queued', 'removed', 'saved', 'sent', 'updated', 'UPDATED'],
	])('has succeeded with "%s"', (status) => {
		expect(reportsError({ message: 'a', status })).toBe(false);
		for (const other of [`${status}x`, `x${status}`, `not ${status}`]) {
			expect([other, reportsError({ message: 'a', status: other })]).toEqual([other, true]);
		}
	});

	test.each([
		...['error', 'err', 'failed', 'failure', 'fail', 'exception', 'invalid', 'rejected', 'denied'],
		...['forbidden', 'unauthorized', 'unauthorised', 'ERROR'],
	])('has failed with "%s"', (text) => {
		for (const failed of [text, `${text}: a`, `[${text}] a`, `  "${text}"`]) {
			expect([failed, reportsError(failed)]).toEqual([failed, true]);
			expect([failed, reportsError({ a: 1, result: failed })]).toEqual([failed, true]);
		}
		for (const other of [`no ${text}`, `${text}x`, `x${text}`]) {
			expect([other, reportsError(other)]).toEqual([other, false]);
		}
	});

	test.each(['error', 'errors', 'Errors', 'ERROR'])('has errors under %s', (name) => {
		for (const value of ['a', 1, true, ['a'], { a: 1 }]) {
			expect([value, reportsError({ [name]: value, a: 1 })]).toEqual([value, true]);
			expect([value, reportsError({ [name]: value, id: 1 })]).toEqual([value, false]);
		}
		for (const value of ['', 0, false, null, [], {}]) {
			expect([value, reportsError({ [name]: value, a: 1 })]).toEqual([value, false]);
		}
	});

	test.each(['xerror', 'errorsx', 'errorCount', 'lastError'])('has no errors under %s', (name) => {
		expect(reportsError({ [name]: 'a', a: 1 })).toBe(false);
	});

	test.each([undefined, null, 5, true, [], ['error'], {}, '', 'fine'])('is fine: %j', (body) => {
		expect(reportsError(body)).toBe(false);
	});
});
