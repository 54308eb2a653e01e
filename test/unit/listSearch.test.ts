import type { IDataObject, IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';
import * as searches from '../../nodes/MessagingService/methods/listSearch';

type Search = Exclude<keyof typeof searches, 'searchCallFlows' | 'searchClis'>;

/** What the service responds to a request, by the index of the page that it asks for. */
type Respond = (index: number | undefined, query: IDataObject) => unknown;

/** The editor, with a clock that each response moves on by so many milliseconds. */
function editorWith(respond: Respond, took = 0) {
	let elapsed = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => 1_000_000 + elapsed);
	const requests: { method: unknown; url: string; query: IDataObject; timeout: number }[] = [];
	const httpRequestWithAuthentication = async (_type: string, options: IHttpRequestOptions) => {
		const { method, url, timeout = 0, qs: query = {} } = options;
		requests.push({ method, url, query, timeout });
		elapsed += took;
		const inPath = /\/100\/(\d+)$/.exec(url)?.[1];
		const index = (query.pageIndex ?? inPath) as number | string | undefined;
		const response = respond(index === undefined ? undefined : Number(index), query);
		async function* body() {
			yield await Promise.resolve(Buffer.from(JSON.stringify(response)));
		}
		return await Promise.resolve({ statusCode: 200, headers: {}, body: body() });
	};
	const context = {
		getNode: () => ({ id: '1', name: 'N', type: 'messagingService', typeVersion: 1 }),
		getCredentials: async () =>
			Promise.resolve({ baseUrl: 'https://service.example.com', clientId: '1' }),
		helpers: { httpRequestWithAuthentication },
	} as unknown as ILoadOptionsFunctions;
	const search = async (name: keyof typeof searches, filter?: string, token?: string) =>
		await searches[name].call(context, filter, token);
	return { search, requests, indexes: () => requests.map(({ query }) => query.pageIndex) };
}

const page = (items: IDataObject[], pageIndex = 1, totalPages: unknown = 1) => ({
	...{ pageIndex, totalPages, totalRecords: 1000, items },
});
/** A list of so many pages, each with one voice campaign of its index. */
const numbered =
	(totalPages: number): Respond =>
	(index = 1) =>
		page([{ id: index, name: `Campaign ${index}` }], index, totalPages);

afterEach(() => {
	jest.restoreAllMocks();
});

test.each<[Search, IDataObject, string, string]>([
	[
		'searchSmsCampaigns',
		{
			id: 'c-1',
			startDateTime: '2030-05-17T08:00:59Z',
			sender: 'Shop',
			message: `Hi\n  there ${'x'.repeat(60)}`,
		},
		`2030-05-17 08:00 - Shop - Hi there ${'x'.repeat(51)}`,
		'c-1',
	],
	['searchSmsCampaigns', { id: 7, startDateTime: null, sender: '', message: 'Hi' }, 'Hi', '7'],
	['searchSmsCampaigns', { id: { a: 1 }, sender: true, message: ['Hi'] }, '', ''],
	[
		'searchSmsMessages',
		{ id: 5, newId: 'm-5', phoneNumber: '+44', dateCreated: '2030-05-17T08:00:59', message: 'Hi' },
		'+44 - 2030-05-17 08:00 - Hi',
		'm-5',
	],
	['searchSmsMessages', { id: 5, newId: null, phoneNumber: '+44' }, '+44', '5'],
	[
		'searchVoiceCampaigns',
		{ id: 12, name: 'Reminder', startDate: '2030-05-17T00:00:00' },
		'Reminder - 2030-05-17',
		'12',
	],
	['searchVoiceCampaigns', { id: 12, name: 'Reminder' }, 'Reminder', '12'],
	['searchStoredNumbers', { storageID: 'A', number: '+44' }, '+44 - A', 'A'],
])('%s shows %j as %j', async (name, record, shown, value) => {
	const { search } = editorWith(() => page([record]));
	expect(await search(name)).toEqual({ results: [{ name: shown, value }] });
});

test.each<[Search, string, IDataObject]>([
	['searchSmsCampaigns', '/api/Campaigns', { pageSize: 100 }],
	['searchSmsMessages', '/api/SMSMessages', { pageSize: 100 }],
	['searchVoiceCampaigns', '/api/campaigns/voice/p', { pageSize: 100 }],
])('%s asks for %s with %j', async (name, path, query) => {
	const { search, requests } = editorWith(() => page([]));
	await search(name);
	expect(requests).toMatchObject([{ method: 'GET', url: `https://service.example.com${path}` }]);
	expect(requests[0]?.query).toEqual(query);
});

test.each([
	['reminder', ['2', '12']],
	['  REMINDER ', ['2', '12']],
	['12', ['12']],
	['reminder - 2030', ['2']],
	['other', ['3']],
	['x=reminder', []],
	['', ['2', '12', '3']],
])('a search for %j finds %j', async (filter, expected) => {
	const { search, requests } = editorWith(() =>
		page([
			{ id: 2, name: 'Reminder', startDate: '2030-01-01' },
			{ id: 12, name: 'My Reminder' },
			{ id: 3, name: 'Other' },
		]),
	);
	const { results } = await search('searchVoiceCampaigns', filter);
	expect(results.map(({ value }) => value)).toEqual(expected);
	expect(requests[0]?.query).toEqual({ pageSize: 100 });
});

describe('of several pages', () => {
	test.each<[string | undefined, (number | undefined)[], string | undefined]>([
		[undefined, [undefined], '2/3'],
		['2/3', [2], '3/3'],
		['3/3', [3], undefined],
	])(
		'with the token %j, the pages %j are read; the next token is %j',
		async (token, read, next) => {
			const { search, indexes } = editorWith(numbered(3));
			const { results, paginationToken } = await search('searchVoiceCampaigns', '', token);
			expect(indexes()).toEqual(read);
			expect(results).toHaveLength(1);
			expect(paginationToken).toBe(next);
		},
	);

	test.each([
		[page([{ id: 1 }], 1, 1), undefined],
		[page([{ id: 1 }], 1, 2), '2/2'],
		[page([{ id: 1 }], 0, 2), '1/1'],
		[page([{ id: 1 }], 1, null), undefined],
		[page([{ id: 1 }], 1, 'many'), undefined],
		[{ items: [{ id: 1 }], totalPages: 2 }, '1/1'],
		[{ items: [{ id: 1 }], pageIndex: 1 }, undefined],
	])('what remains after the first one is known by %j: %j', async (response, token) => {
		const { search } = editorWith(() => response);
		const { paginationToken } = await search('searchVoiceCampaigns');
		expect(paginationToken).toBe(token);
	});

	test('one search reads 20 of them at most', async () => {
		const { search, indexes } = editorWith(numbered(50));
		const found = await search('searchVoiceCampaigns', 'campaign 21');
		expect(found).toEqual({ results: [], paginationToken: '21/50' });
		expect(indexes()).toHaveLength(20);
		const next = await search('searchVoiceCampaigns', 'campaign 21', '21/50');
		expect(next).toEqual({
			results: [{ name: 'Campaign 21', value: '21' }],
			paginationToken: '22/50',
		});
		expect(indexes()).toHaveLength(21);
	});

	test('a search ends at the first with a match, or the last', async () => {
		const { search, indexes } = editorWith(numbered(4));
		expect((await search('searchVoiceCampaigns', 'campaign 3')).paginationToken).toBe('4/4');
		expect(indexes()).toEqual([undefined, 2, 3]);
		expect(await search('searchVoiceCampaigns', 'campaign 9')).toEqual({ results: [] });
		expect(indexes()).toHaveLength(7);
	});
});

test.each([
	['0', [page([{ storageID: 'a' }], 0, 2), page([{ storageID: 'b' }], 1, 2)], ['a'], '1/1'],
	['1, and page 0 is empty', [page([], 0, 2), page([{ storageID: 'a' }], 1, 2)], ['a'], '2/2'],
	[
		'1, and page 0 is that page',
		[page([{ storageID: 'a' }], 1, 2), page([{ storageID: 'a' }], 1, 2)],
		...[['a'], '2/2'],
	],
] as const)('of stored numbers whose first page is %s, that one is shown', async (...row) => {
	const [, pages, found, token] = row;
	const { search } = editorWith((index = 0) => pages[index]);
	const { results, paginationToken } = await search('searchStoredNumbers');
	expect(results.map(({ value }) => value)).toEqual(found);
	expect(paginationToken).toBe(token);
});

describe.each([
	['searchCallFlows', 'callFlow_Id'],
	['searchClis', 'cli_id'],
] as const)('%s', (name, field) => {
	const resultsOf = async (campaigns: IDataObject[], filter?: string) => {
		const { search, requests } = editorWith(() => campaigns);
		const found = await search(name, filter);
		expect(requests).toMatchObject([
			{ method: 'GET', url: 'https://service.example.com/api/campaigns/voice', timeout: 15_000 },
		]);
		return found.results;
	};

	test('has each value once, by the latest campaign', async () => {
		const campaigns = [
			{ id: 1, name: 'Old', startDate: '2030-01-01T00:00:00', starttime: '09:00', [field]: 5 },
			{ id: 2, name: 'Later', startDate: '2030-01-01T00:00:00', starttime: '10:00', [field]: 5 },
			{ id: 9, name: 'New', startDate: '2030-02-01T00:00:00', starttime: '08:00', [field]: '6' },
			{ id: 10, name: 'Same', startDate: '2030-02-01T00:00:00', starttime: '08:00', [field]: 7 },
			{ id: 11, name: 'None', startDate: '2031-01-01T00:00:00', [field]: null },
			{ id: 12, name: 'Empty', startDate: '2031-01-01T00:00:00', [field]: '' },
			{ id: 13, name: 'Without', startDate: '2031-01-01T00:00:00' },
		];
		const expected = [
			{ name: '7 - Same - 2030-02-01', value: '7' },
			{ name: '6 - New - 2030-02-01', value: '6' },
			{ name: '5 - Later - 2030-01-01', value: '5' },
		];
		expect(await resultsOf(campaigns)).toEqual(expected);
		expect(await resultsOf([...campaigns].reverse())).toEqual(expected);
		expect(await resultsOf(campaigns, ' LATER ')).toEqual(expected.slice(2));
		expect(await resultsOf(campaigns, 'none')).toEqual([]);
	});

	test('shows what there is of a campaign', async () => {
		expect(await resultsOf([{ id: 1, [field]: 5 }])).toEqual([{ name: '5', value: '5' }]);
	});
});
