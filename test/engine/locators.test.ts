import type { INodeListSearchResult } from 'n8n-workflow';
import { actionSuite, byId } from '../support/actionSuite';
import { actionType, searchList } from '../support/engine';
import { pollTrigger } from '../support/poll';
import { expectNoSecret } from '../support/secrets';
import { serversOfTest } from '../support/servers';
import { voiceBody } from '../support/voiceCampaign';

type Method = Parameters<typeof searchList>[0];

const { credential, run, sandbox } = actionSuite();
const startServer = serversOfTest();

const post = async (path: string, body: object) => {
	const { data, status } = await sandbox().api.post<unknown>(path, body);
	expect(status).toBe(200);
	return data;
};

const number = (index: number) => `+4477009${String(index).padStart(5, '0')}`;

/** These read no list of their own records, but the voice campaigns. */
type EarlierMethod = 'searchCallFlows' | 'searchClis';

/** The kinds of records that can be chosen from a list; each makes record number `index`. */
const MAKERS: Record<
	Exclude<Method, EarlierMethod>,
	(index: number) => Promise<{ name: string; value: string }>
> = {
	async searchSmsCampaigns(index) {
		const id = (await post('/api/Campaigns', {
			startDateTime: '2999-07-01T09:30:00Z',
			sender: 'Shop',
			message: `Sale\n number ${index} ${'and more '.repeat(10)}`,
			contacts: [{ phoneNumber: number(index) }],
		})) as string;
		const message = `Sale number ${index} ${'and more '.repeat(10)}`.slice(0, 60).trim();
		return { name: `2999-07-01 09:30 - Shop - ${message}`, value: id };
	},
	async searchSmsMessages(index) {
		const message = `Sale\n number ${index}`;
		const body = { phoneNumber: number(index), message, sender: 'Shop' };
		const newId = (await post('/api/SMSMessages', body)) as string;
		const { data } = await sandbox().api.get<{ dateCreated: string }>(`/api/SMSMessages${newId}`);
		const created = data.dateCreated.slice(0, 16).replace('T', ' ');
		return { name: `${number(index)} - ${created} - Sale number ${index}`, value: newId };
	},
	async searchVoiceCampaigns(index) {
		const { id } = (await post(
			'/api/campaigns/voice',
			voiceBody({ name: `Reminder ${index}`, phoneNumbers: [{ number: number(index) }] }),
		)) as { id: number };
		return { name: `Reminder ${index} - 2999-01-10`, value: String(id) };
	},
	async searchStoredNumbers(index) {
		await post('/api/PhoneNumberStorageItem', {
			storageID: `customer ${index}`,
			number: number(index),
		});
		return { name: `${number(index)} - customer ${index}`, value: `customer ${index}` };
	},
};

it('stored numbers are read with a doubled slash where the service has them there', async () => {
	const server = await startServer((request, response) => {
		response.statusCode = request.url?.startsWith('//api') === true ? 200 : 404;
		response.end('{"totalRecords":0,"items":null}');
	});
	const { results } = await searchList('searchStoredNumbers', {
		credential: credential({ baseUrl: server.url }),
	});
	expect(results).toEqual([]);
	const path = '/api/PhoneNumberStorageItem/100';
	expect(server.received.map(({ url }) => url)).toEqual([
		...[`${path}/0`, `/${path}/0`, `/${path}/1`],
	]);
});

it('the form of the path that the service has is asked for first from then on, until it has the other one', async () => {
	let doubled = true;
	const asked: string[] = [];
	const server = await startServer(({ url }, response) => {
		const isDoubled = url.startsWith('//');
		asked.push(isDoubled ? 'doubled' : 'plain');
		response.statusCode = isDoubled === doubled ? 200 : 404;
		// The third number is moved, the last one is not there.
		if (url.endsWith('n3')) doubled = false;
		if (url.endsWith('n6')) response.statusCode = 404;
		response.end('{"storageID":"n","number":"+447700900001"}');
	});
	const { errorItems, items } = await run(
		{
			...{ resource: 'phoneNumberStorage', operation: 'get' },
			storageId: byId('={{ $json.id }}'),
		},
		{
			items: ['n1', 'n2', 'n3', 'n4', 'n5', 'n6'].map((id) => ({ id })),
			credential: credential({ baseUrl: server.url, concurrentRequests: 1 }),
			onError: 'continueErrorOutput',
		},
	);
	expect(items).toHaveLength(5);
	expect(asked).toEqual([
		...['plain', 'doubled', 'doubled', 'doubled', 'doubled', 'plain', 'plain', 'plain', 'doubled'],
	]);
	expect(String(errorItems[0]?.json.description)).toContain('GET /api/PhoneNumberStorageItem/n6');
});

describe.each([
	['phoneNumberStorage', 'storageId', '/api/PhoneNumberStorageItem/n1', '//api/PhoneNumber'],
	['smsMessage', 'messageId', '/api/SMSMessagesn1', '/api/SMSMessages/n1'],
])('a record of %s that can be read in no form of its path', (resource, field, plain, other) => {
	it.each([
		['plain', 404, 404, 'found nothing'],
		['other', 404, 402, 'asks for payment'],
		['other', 404, 401, 'did not accept'],
		['plain', 402, 404, 'asks for payment'],
	])('is an error of the %s one where they give %i and %i', async (form, first, second, title) => {
		const server = await startServer(({ url }, response) => {
			response.writeHead(url.startsWith(other) ? second : first).end();
		});
		const { error } = await run(
			{ resource, operation: 'get', [field]: byId('n1') },
			{ credential: credential({ baseUrl: server.url }) },
		);
		expect(error?.message).toContain(title);
		expect(error?.description).toContain(`to GET ${form === 'plain' ? plain : other}`);
		expect(server.received).toHaveLength(first === 404 ? 2 : 1);
	});
});

type RecordMethod = keyof typeof MAKERS;
const METHODS = Object.keys(MAKERS) as RecordMethod[];
const CAMPAIGN_METHODS = ['searchSmsCampaigns', 'searchVoiceCampaigns'] as const;
/** Those that load one page: the editor asks for the next. */
const PAGED_METHODS = ['searchSmsMessages', 'searchStoredNumbers'] as const;

/** Makes this many records; what the list should show of them. */
async function make(method: RecordMethod, count: number) {
	const entries: { name: string; value: string }[] = [];
	for (let index = 0; index < count; index++) entries.push(await MAKERS[method](index));
	return entries;
}

/** Names lose white space at their ends when shown. */
const shown = ({ results }: INodeListSearchResult) =>
	results.map(({ name, value }) => ({ name: name.trim(), value }));

/** Scrolls to the end of the list, as the editor does. */
async function scroll(method: Method, options: { filter?: string } = {}) {
	const { filter } = options;
	const pages: { name: string; value: unknown }[][] = [];
	let paginationToken: string | undefined;
	do {
		const page = await searchList(method, {
			credential: credential(),
			filter,
			paginationToken,
		});
		pages.push(shown(page));
		paginationToken = page.paginationToken as string | undefined;
	} while (paginationToken !== undefined && pages.length < 20);
	return pages;
}

it('every search is of a field, and every search of a field is there', () => {
	const text = JSON.stringify([actionType.description, pollTrigger.description]);
	const named = [...text.matchAll(/"searchListMethod":"(\w+)"/g)].map(([, name]) => name);
	expect([...new Set(named)].sort()).toEqual(Object.keys(actionType.methods.listSearch).sort());
});

describe.each(METHODS)('%s', (method) => {
	it('shows what tells records apart, and gives their IDs', async () => {
		const entries = await make(method, 3);
		const page = await searchList(method, { credential: credential() });
		expect(shown(page)).toEqual(entries);
		expect(page.paginationToken).toBeUndefined();
	});

	it.each([
		['the ID', ({ value }: { value: string }) => value],
		['a part of the name', ({ name }: { name: string }) => ` ${name.slice(1, 60).toUpperCase()} `],
	])('finds a record on a later page by %s', async (_what, filterOf) => {
		await sandbox().settings({ conventions: { maximumPageSize: 2 } });
		const entries = await make(method, 7);
		const wanted = entries[5] as (typeof entries)[number];
		const pages = await scroll(method, { filter: filterOf(wanted) });
		expect(pages.flat()).toEqual([wanted]);
	});

	it('does not take another site for an empty list', async () => {
		const server = await startServer((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
		});
		await expect(
			searchList(method, { credential: credential({ baseUrl: server.url }) }),
		).rejects.toMatchObject({
			message: expect.stringMatching(/^The response of the service is not/),
		});
	});
});

it.each<Method>([...METHODS, 'searchCallFlows', 'searchClis'])(
	'%s shows a record that lacks most of its fields without a gap',
	async (method) => {
		const record = {
			...{ id: '1', newId: '1', storageID: '1', message: 'Hi', callFlow_Id: 1, cli_id: 1 },
			...{ name: method === 'searchVoiceCampaigns' ? 'Hi' : null, sender: '', number: null },
		};
		const server = await startServer(({ url }, response) => {
			const page = { pageIndex: 1, totalPages: 1, totalRecords: 1, items: [record] };
			const isEmpty = url.endsWith('/0');
			response.end(JSON.stringify(/voice$/.test(url) ? [record] : isEmpty ? { items: [] } : page));
		});
		const options = { credential: credential({ baseUrl: server.url }) };
		const { results } = await searchList(method, options);
		expect(results).toEqual([{ name: expect.stringMatching(/^(Hi|1)$/), value: '1' }]);
	},
);

describe.each(PAGED_METHODS)('%s', (method) => {
	it.each([0, 1] as const)(
		'goes through several pages from a first index of %p: every record once',
		async (firstPageIndex) => {
			await sandbox().settings({ conventions: { firstPageIndex, maximumPageSize: 3 } });
			const entries = await make(method, 8);
			const pages = (await scroll(method)).filter(({ length }) => length > 0);
			expect(pages.map(({ length }) => length)).toEqual([3, 3, 2]);
			expect(pages.flat()).toEqual(entries);
		},
	);
});

describe.each(CAMPAIGN_METHODS)('%s', (method) => {
	it('shows all campaigns, the newest first, however the service orders and divides them', async () => {
		const days = ['2030-05-02', '2030-05-09', '2030-05-01', '2030-05-05'];
		const server = await startServer((request, response) => {
			const { searchParams } = new URL(request.url, 'http://service');
			const page = Number(searchParams.get('pageIndex') ?? 1);
			const items = days.slice(2 * page - 2, 2 * page).map((day) => ({
				...{ id: day, name: 'May', sender: 'Shop', message: 'Hi' },
				...{ startDate: `${day}T00:00:00`, startDateTime: `${day}T09:30:00Z` },
			}));
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ pageIndex: page, totalPages: 2, totalRecords: 4, items }));
		});
		const page = await searchList(method, { credential: credential({ baseUrl: server.url }) });
		expect(page.results.map(({ value }) => value)).toEqual([...days].sort().reverse());
		for (const { name, value } of page.results) expect(name).toContain(value);
	});
});

it('shows the newest of 5,200 campaigns, which the service lists last', async () => {
	const all = Array.from({ length: 5200 }, (_, index) => ({
		...{ id: `c${index}`, sender: 'Shop', message: `Sale ${index}` },
		startDateTime: new Date(Date.UTC(2030, 0, 1) + index * 60_000).toISOString(),
	}));
	const server = await startServer((request, response) => {
		const { searchParams } = new URL(request.url, 'http://service');
		const [page, size] = ['pageIndex', 'pageSize'].map((name) => Number(searchParams.get(name)));
		const first = Math.max(0, (page ?? 1) - 1) * (size ?? 0);
		const items = all.slice(first, first + (size ?? 0));
		const totalPages = Math.ceil(all.length / (size ?? 1));
		response.setHeader('content-type', 'application/json');
		response.end(
			JSON.stringify({
				pageIndex: page === 0 ? 1 : page,
				totalPages,
				totalRecords: all.length,
				items,
			}),
		);
	});
	const options = { credential: credential({ baseUrl: server.url }) };
	const { results } = await searchList('searchSmsCampaigns', options);
	expect(results[0]?.value).toBe('c5199');
});

it('a search ends where the service has no other page to give', async () => {
	const server = await startServer((_request, response) => {
		const items = [{ newId: 'm1', message: 'Hello' }];
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ pageIndex: 1, totalPages: 9, totalRecords: 9, items }));
	});
	const options = { credential: credential({ baseUrl: server.url }), filter: 'nobody' };
	expect(await searchList('searchSmsMessages', options)).toEqual({ results: [] });
	expect(server.received).toHaveLength(2);
});

it.each<Method>([...METHODS, 'searchCallFlows', 'searchClis'])(
	'%s shows why the list cannot be loaded',
	async (method) => {
		const search = searchList(method, { credential: credential({ headerSecret: 'wrong-4711' }) });
		const error: unknown = await search.catch((reason: unknown) => reason);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^The service did not accept the authentication/),
			description: expect.stringContaining('secret in the credential'),
		});
		expectNoSecret(error, ['wrong-4711']);
	},
);

it('stops after 15 seconds in all, and goes on where it stopped', async () => {
	let elapsed = 0;
	const now = Date.now;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + elapsed);
	const server = await startServer((request, response) => {
		elapsed += 6000;
		const page = Number(new URL(request.url, 'http://service').searchParams.get('pageIndex') ?? 1);
		const items = [{ newId: `m${page}`, message: `Message ${page}` }];
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ pageIndex: page, totalPages: 9, totalRecords: 9, items }));
	});
	try {
		const options = { credential: credential({ baseUrl: server.url }), filter: 'Message 4' };
		const first = await searchList('searchSmsMessages', options);
		expect(first).toEqual({ results: [], paginationToken: '3' });
		const { results } = await searchList('searchSmsMessages', {
			...options,
			paginationToken: '3',
		});
		expect(results).toEqual([{ name: 'Message 4', value: 'm4' }]);
		expect(server.received).toHaveLength(4);
	} finally {
		clock.mockRestore();
	}
});

describe('SMS messages', () => {
	it('stay in the order of a list that has the newest first', async () => {
		const server = await startServer((_request, response) => {
			const items = ['2030-05-02', '2030-05-01'].map((day, id) => ({
				...{ id, newId: `m-${day}`, dateCreated: `${day}T09:30:00`, phoneNumber: '+44' },
				message: 'Hi',
			}));
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ pageIndex: 1, totalPages: 2, totalRecords: 4, items }));
		});
		const page = await searchList('searchSmsMessages', {
			credential: credential({ baseUrl: server.url }),
		});
		expect(page.results.map(({ value }) => value)).toEqual(['m-2030-05-02', 'm-2030-05-01']);
		expect(page.paginationToken).toBe('2');
		expect(server.received).toHaveLength(1);
	});
});

it('a search does not wait for a pause of more than ten seconds', async () => {
	await sandbox().fault({ fault: { kind: 'status', status: 429, retryAfter: 11 } });
	// Another account: those of the other tests have no pause.
	const options = { credential: credential({ clientId: 'paused' }) };
	await expect(searchList('searchVoiceCampaigns', options)).rejects.toThrow();
	expect((await sandbox().requests({ path: 'voice' })).total).toBe(1);
});

describe.each([
	['searchCallFlows', 'callflow_Id', 301],
	['searchClis', 'defaultCli_Id', 401],
] as const)('%s', (method, key, first) => {
	const campaign = async (name: string, id: number, startDate: string) =>
		await post('/api/campaigns/voice', voiceBody({ name, startDate, [key]: id }));

	beforeEach(async () => {
		await campaign('Old', first, '2999-01-10');
		await campaign('Newest', first + 1, '2999-03-10');
		await campaign('Newer', first, '2999-02-10');
	});

	it('shows each ID once, with the latest campaign that used it, the latest first', async () => {
		expect(await searchList(method, { credential: credential() })).toEqual({
			results: [
				{ name: `${first + 1} - Newest - 2999-03-10`, value: String(first + 1) },
				{ name: `${first} - Newer - 2999-02-10`, value: String(first) },
			],
		});
	});

	it.each([String(first), 'newer'])('finds %s', async (filter) => {
		const { results } = await searchList(method, { credential: credential(), filter });
		expect(results).toEqual([expect.objectContaining({ value: String(first) })]);
	});

	it('shows nothing where no campaign is', async () => {
		await sandbox().reset();
		expect(await searchList(method, { credential: credential() })).toEqual({ results: [] });
	});
});
