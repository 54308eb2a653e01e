import type { IDataObject } from 'n8n-workflow';
import type { ServiceRequest } from '../../nodes/MessagingService/transport/request';
import {
	identifierOf,
	identifiersOf,
	readResponse,
	type ExpectedBody,
} from '../../nodes/MessagingService/transport/responseShape';

const GET: ServiceRequest = { method: 'GET', path: '/api/Campaigns' };

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
		['anything', { a: 1 }],
		['anything', [1]],
		['anything', null],
		['anything', true],
		['anything', { success: false, message: 'Failed' }],
		['anything', { errors: { url: ['a'] } }],
		['record', { error: 'a' }],
	])('is %s: %j', (kind, body) => {
		expect(reading(body, kind)).toEqual(body);
	});

	test.each<[ExpectedBody, unknown]>([
		...[{}, [], [{ id: 1 }], 'null', '"a"', '5', '', ' ', '{'].map(
			(body): [ExpectedBody, unknown] => ['record', body],
		),
		...[{}, [], [{ id: 1 }], { items: {} }, { items: [1] }, { items: 'a' }, '', 'null'].map(
			(body): [ExpectedBody, unknown] => ['page', body],
		),
		...[{}, { items: [] }, [1], [[]], [null], [{ a: 1 }, 'a'], '', 'null'].map(
			(body): [ExpectedBody, unknown] => ['array', body],
		),
	])('is no %s: %j', (kind, body) => {
		const expected: Partial<Record<ExpectedBody, string>> = {
			record: 'a record',
			page: 'a page of records with "items"',
			array: 'an array of records',
		};
		expect(reading(body, kind)).toBe(expected[kind]);
	});

	test.each(['', '  \n'])('may be nothing at all: %j', (raw) => {
		expect(readResponse(GET, raw, 'anything')).toEqual({ value: undefined });
	});

	test.each(['OK', '{"a":', '<xml/>'])('may be no JSON: %s', (raw) => {
		expect(readResponse(GET, raw, 'anything')).toEqual({ value: raw });
	});

	test('has an empty list for a missing one', () => {
		expect(reading({ items: null, totalPages: 1 }, 'page')).toEqual({ items: [], totalPages: 1 });
		expect(reading({ items: null }, 'record')).toEqual({ items: null });
	});

	test('is what the request expects of it', () => {
		const expected = {
			description: 'the campaign with the ID 5',
			matches: (body: unknown) => (body as IDataObject).id === 5,
		};
		const request = { ...GET, expected } as ServiceRequest;
		expect(reading({ id: 5 }, 'record', request)).toEqual({ id: 5 });
		expect(readResponse(request, '{"id":6}', 'record')).toEqual({
			expected: 'the campaign with the ID 5',
		});
		expect(readResponse(GET, '[6]', 'record')).toEqual({ expected: 'a record' });
		expect(readResponse(GET, 'x', 'record')).toEqual({ expected: 'a record' });
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
