import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { actionSuite, byId, onTheWire } from '../support/actionSuite';
import { serversOfTest } from '../support/servers';

const startServer = serversOfTest();
const { credential, describeOperation, run, sandbox } = actionSuite();

const nine = Array.from({ length: 9 }, (_, index) => `parameter${index + 1}`);

/** Texts for parameter 1 to 9. */
const allParameters = Object.fromEntries(nine.map((name, index) => [name, `text ${index + 1}`]));

/** Stores an item on the service itself. */
async function stored(item: IDataObject): Promise<IDataObject> {
	return (await sandbox().api.post<IDataObject>('/api/PhoneNumberStorageItem', item)).data;
}

/** The item as the service knows it. */
async function fetched(storageId: string): Promise<IDataObject> {
	const path = `/api/PhoneNumberStorageItem/${encodeURIComponent(storageId)}`;
	return (await sandbox().api.get<IDataObject>(path)).data;
}

/** Create and update are one request under two names. */
function describeSaving(operation: string) {
	const save = {
		resource: 'phoneNumberStorage',
		operation,
		storageID: '={{ $json.id }}',
		number: '={{ $json.phone }}',
	};

	it('sends only what the user set', async () => {
		const { items, requests } = await run(save, {
			items: [{ id: 'customer-1', phone: '+447700900001' }],
		});
		const body = { storageID: 'customer-1', number: '+447700900001' };
		expect(requests.map(onTheWire)).toEqual([{ line: 'POST /api/PhoneNumberStorageItem', body }]);
		expect(items).toEqual([{ json: body, pairedItem: { item: 0 } }]);
	});

	it('says what was saved where the response is empty', async () => {
		await sandbox().fault({ fault: { kind: 'emptyBody' } });
		const { items } = await run(save, { items: [{ id: 'a', phone: '+447700900001' }] });
		expect(items.map(({ json }) => json)).toEqual([
			{ storageID: 'a', number: '+447700900001', success: true },
		]);
	});

	it('sends all nine parameters, one item per input item', async () => {
		const { items, requests } = await run(
			{ ...save, parameters: { ...allParameters, parameter1: '={{ $json.first }}' } },
			{
				items: [
					{ id: 'a', phone: 447700900001, first: 'eins' },
					{ id: 'b', phone: '+447700900002', first: 7 },
				],
			},
		);
		const expected = [
			{ storageID: 'a', number: '447700900001', ...allParameters, parameter1: 'eins' },
			{ storageID: 'b', number: '+447700900002', ...allParameters, parameter1: '7' },
		];
		expect(requests.map(({ body }) => body)).toEqual(expect.arrayContaining(expected));
		expect(requests).toHaveLength(2);
		expect(items).toEqual(expected.map((json, item) => ({ json, pairedItem: { item } })));
	});

	it.each([
		['=opt-out-{{ $json.id }}', 'Storage ID has nothing in place of {{ $json.id }}'],
		['opt-out-{{ $json.phone }}', 'Storage ID contains the expression {{ $json.phone }}'],
		['=opt-out-{{ ({ a: 1 }) }}', 'Storage ID contains [object Object]'],
	])('refuses an ID that others would have, too: %s', async (storageID, message) => {
		const { error, requests } = await run(
			{ ...save, storageID },
			{ items: [{ id: '', phone: '+447700900001' }] },
		);
		expect(error?.message).toBe(message);
		expect(requests).toEqual([]);
	});

	it('replaces what is stored under the ID, which a cell may have between blanks', async () => {
		await stored({ storageID: 'a', number: '+447700900001', parameter2: 'two' });
		await run(
			{ ...save, parameters: { parameter2: '' } },
			{ items: [{ id: ' a ', phone: '+447700900009' }] },
		);
		expect(await fetched('a')).toEqual({
			storageID: 'a',
			number: '+447700900009',
			parameter2: '',
		});
		expect((await sandbox().summary()).storedPhoneNumbers).toBe(1);
	});

	it.each(['={{ $json.nothing }}', '={{ null }}', '={{ "  " }}'])(
		'does not clear what is stored where the expression %s finds nothing',
		async (parameter1) => {
			await stored({ storageID: 'a', number: '+447700900001', parameter1: 'Opt out' });
			const { error } = await run(
				{ ...save, parameters: { parameter1 } },
				{ items: [{ id: 'a', phone: '+447700900001' }] },
			);
			expect(error?.message).toContain('Parameter 1');
			expect(await fetched('a')).toMatchObject({ parameter1: 'Opt out' });
		},
	);
}

describeOperation('phoneNumberStorage', 'create', () => {
	describeSaving('create');
});

describeOperation('phoneNumberStorage', 'update', () => {
	describeSaving('update');
});

describeOperation('phoneNumberStorage', 'get', () => {
	const get = {
		resource: 'phoneNumberStorage',
		operation: 'get',
		storageId: byId('={{ $json.id }}'),
	};
	const item = { storageID: 'a', number: '+447700900001', ...allParameters, parameter5: '' };

	it('outputs every field as received', async () => {
		await stored(item);
		const { items, requests } = await run({ ...get, simple: false }, { items: [{ id: 'a' }] });
		expect(requests.map(onTheWire)).toEqual([
			{ line: 'GET /api/PhoneNumberStorageItem/a', body: null },
		]);
		expect(items).toEqual([{ json: item, pairedItem: { item: 0 } }]);
	});

	it('leaves empty parameters out when simplified', async () => {
		const record = JSON.stringify({ ...item, parameter6: null });
		const server = await startServer((_, response) => {
			response.end(record);
		});
		const { items } = await run(get, {
			items: [{ id: 'a' }],
			credential: credential({ baseUrl: server.url }),
		});
		expect(items.map(({ json }) => json)).toEqual([omit(item, 'parameter5', 'parameter6')]);
	});

	it.each(['.', '..'])('refuses the ID %p before sending: no address can carry it', async (id) => {
		const { error, requests } = await run(get, { items: [{ id }] });
		expect(error?.message).toMatch(/^Stored Number /);
		expect(error?.context?.itemIndex).toBe(0);
		expect(requests).toEqual([]);
	});
});

describeOperation('phoneNumberStorage', 'getAll', () => {
	const getAll = { resource: 'phoneNumberStorage', operation: 'getAll' };

	it('outputs every field as received; page size and index travel in the path', async () => {
		const items = [
			{ storageID: 'a', number: '+447700900001', ...allParameters },
			{ storageID: 'b', number: '+447700900002', parameter5: '' },
		];
		for (const item of items) await stored(item);
		const result = await run({ ...getAll, simple: false });
		expect(result.requests.map(onTheWire).at(-1)).toEqual({
			...{ line: 'GET /api/PhoneNumberStorageItem/50/1', body: null },
		});
		expect(result.items).toEqual(items.map((json) => ({ json, pairedItem: { item: 0 } })));

		const simplified = await run(getAll);
		expect(simplified.items.map(({ json }) => json)).toEqual([
			items[0],
			{ storageID: 'b', number: '+447700900002' },
		]);
	});
});

describe('a long list of stored phone numbers', () => {
	it.each([
		[{ returnAll: false, limit: 20 }, '/20/1'],
		[{ returnAll: false, limit: 50_000 }, '/1000/1'],
		[{ returnAll: true }, '/1000/1'],
	])('is read in pages that the service has: %j', async (limit, page) => {
		const getAll = { resource: 'phoneNumberStorage', operation: 'getAll', ...limit };
		const { requests } = await run(getAll);
		expect(requests.at(-1)?.url).toMatch(new RegExp(`${page}$`));
	});

	it('has pages of at most 10,000 records, as the interface says', async () => {
		const list = { resource: 'phoneNumberStorage', operation: 'getAll', returnAll: true };
		const { error } = await run({ ...list, options: { pageSize: 10_000 } });
		expect(error).toBeUndefined();
		const { error: refusal, requests } = await run({ ...list, options: { pageSize: 10_001 } });
		expect([refusal?.message, requests]).toEqual(['Page Size is more than 10000 (10001)', []]);
	});
});

describeOperation('phoneNumberStorage', 'postById', () => {
	const post = {
		resource: 'phoneNumberStorage',
		operation: 'postById',
		storageId: byId('={{ $json.id }}'),
	};
	const item = { storageID: 'a', number: '+447700900001', parameter1: 'one' };

	it('posts without a body when there is no payload', async () => {
		await stored(item);
		const { items, requests } = await run(post, { items: [{ id: 'a' }] });
		expect(requests.map(onTheWire)).toEqual([
			{ line: 'POST /api/PhoneNumberStorageItem/a', body: null },
		]);
		expect(requests[0]?.headers['content-length'] ?? '0').toBe('0');
		expect(items).toEqual([
			{
				json: { ...item, sent: 'yes', reason: 'Accepted by the service' },
				pairedItem: { item: 0 },
			},
		]);
	});

	it.each([
		['an object', '{ "anything": [1, { "a": null }] }', { anything: [1, { a: null }] }],
		['an array from an expression', '={{ [{ id: $json.id }] }}', [{ id: 'a' }]],
	])('sends %s as it is', async (_what, payloadJson, body) => {
		await stored(item);
		await sandbox().settings({ strict: false });
		const { requests } = await run({ ...post, payloadJson }, { items: [{ id: 'a' }] });
		expect(requests.map((request) => request.body)).toEqual([body]);
	});

	it.each([
		[undefined, { storageID: 'a', success: true }],
		['', { storageID: 'a', success: true }],
		[{}, { storageID: 'a', success: true }],
		[true, { storageID: 'a', response: true }],
		['done', { storageID: 'a', response: 'done' }],
		[{ ok: 1 }, { ok: 1 }],
	])('outputs the response %p as it is', async (body, expected) => {
		await stored(item);
		await sandbox().fault({
			fault: body === undefined ? { kind: 'emptyBody' } : { kind: 'unexpectedBody', body },
		});
		const { items } = await run(post, { items: [{ id: 'a' }] });
		expect(items.map(({ json }) => json)).toEqual([
			{ ...expected, sent: 'yes', reason: 'Accepted by the service' },
		]);
	});
});
