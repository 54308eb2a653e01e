import type { INodeListSearchResult } from 'n8n-workflow';
import { actionSuite } from '../support/actionSuite';
import { actionType, searchList } from '../support/engine';
import { expectNoSecret } from '../support/secrets';
import { serversOfTest } from '../support/servers';
import { voiceBody } from '../support/voiceCampaign';

type Method = Parameters<typeof searchList>[0];

const { credential, sandbox } = actionSuite();
const startServer = serversOfTest();

const post = async (path: string, body: object) => {
	const { data, status } = await sandbox().api.post<unknown>(path, body);
	expect(status).toBe(200);
	return data;
};

const number = (index: number) => `+4477009${String(index).padStart(5, '0')}`;

/** The kinds of records that can be chosen from a list; each makes record number `index`. */
const MAKERS: Record<Method, (index: number) => Promise<{ name: string; value: string }>> = {
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

it.each([
	[true, '//api/PhoneNumberStorageItem/100/1'],
	[false, '/api/PhoneNumberStorageItem/100/1'],
])('stored numbers are read with a doubled slash: %p', async (doubledStorageSlash, path) => {
	const server = await startServer((_request, response) => {
		response.end('{"items":null}');
	});
	const values = { baseUrl: server.url, serviceConventions: true, doubledStorageSlash };
	const { results } = await searchList('searchStoredNumbers', { credential: credential(values) });
	expect(results).toEqual([]);
	expect(server.received.map(({ url }) => url)).toEqual([path]);
});

const METHODS = Object.keys(MAKERS) as Method[];

/** Makes this many records; what the list should show of them. */
async function make(method: Method, count: number) {
	const entries: { name: string; value: string }[] = [];
	for (let index = 0; index < count; index++) entries.push(await MAKERS[method](index));
	return entries;
}

/** Names lose white space at their ends when shown. */
const shown = ({ results }: INodeListSearchResult) =>
	results.map(({ name, value }) => ({ name: name.trim(), value }));

/** Scrolls to the end of the list, as the editor does. */
async function scroll(method: Method, options: { filter?: string; firstPageIndex?: number } = {}) {
	const { filter, firstPageIndex = 1 } = options;
	const pages: { name: string; value: unknown }[][] = [];
	let paginationToken: string | undefined;
	do {
		const page = await searchList(method, {
			credential: credential({ serviceConventions: true, firstPageIndex }),
			filter,
			paginationToken,
		});
		pages.push(shown(page));
		paginationToken = page.paginationToken as string | undefined;
	} while (paginationToken !== undefined && pages.length < 20);
	return pages;
}

it('covers every search that the node has, and every search is used by a field', () => {
	expect(METHODS.sort()).toEqual(Object.keys(actionType.methods.listSearch).sort());
	const used = actionType.description.properties.flatMap(({ modes = [] }) =>
		modes.map(({ typeOptions }) => typeOptions?.searchListMethod),
	);
	expect([...new Set(used.filter((method) => method !== undefined))].sort()).toEqual(METHODS);
});

describe.each(METHODS)('%s', (method) => {
	it('shows nothing when there is nothing', async () => {
		expect(await searchList(method, { credential: credential() })).toEqual({ results: [] });
	});

	it('shows what tells records apart, and gives their IDs', async () => {
		const entries = await make(method, 3);
		const page = await searchList(method, { credential: credential() });
		expect(shown(page)).toEqual(entries);
		expect(page.paginationToken).toBeUndefined();
	});

	it.each([0, 1] as const)(
		'goes through several pages from a first index of %p: every record once',
		async (firstPageIndex) => {
			await sandbox().settings({ conventions: { firstPageIndex, maximumPageSize: 3 } });
			const entries = await make(method, 8);
			const pages = await scroll(method, { firstPageIndex });
			expect(pages.map(({ length }) => length)).toEqual([3, 3, 2]);
			expect(pages.flat()).toEqual(entries);
		},
	);

	it('asks for one page at a time', async () => {
		await sandbox().settings({ conventions: { maximumPageSize: 3 } });
		await make(method, 8);
		const before = (await sandbox().summary()).requests;
		await searchList(method, { credential: credential() });
		expect((await sandbox().summary()).requests).toBe(before + 1);
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

	it('gives nothing for a filter that fits nothing', async () => {
		await sandbox().settings({ conventions: { maximumPageSize: 2 } });
		await make(method, 5);
		const pages = await scroll(method, { filter: 'nothing like it' });
		expect(pages.flat()).toEqual([]);
	});

	it('shows why the list cannot be loaded', async () => {
		const search = searchList(method, { credential: credential({ headerSecret: 'wrong-4711' }) });
		const error: unknown = await search.catch((reason: unknown) => reason);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^The service did not accept the authentication/),
			description: expect.stringContaining('secret in the credential'),
		});
		expectNoSecret(error, ['wrong-4711']);
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

it('uses the names of the paging parameters that the credential gives', async () => {
	await sandbox().settings({
		conventions: { pageIndexName: 'seite', pageSizeName: 'menge', maximumPageSize: 2 },
	});
	const entries = await make('searchVoiceCampaigns', 3);
	const conventions = credential({
		serviceConventions: true,
		pageIndexParameter: 'seite',
		pageSizeParameter: 'menge',
	});
	const first = await searchList('searchVoiceCampaigns', { credential: conventions });
	const second = await searchList('searchVoiceCampaigns', {
		credential: conventions,
		paginationToken: first.paginationToken as string,
	});
	expect([...shown(first), ...shown(second)]).toEqual(entries);
});
