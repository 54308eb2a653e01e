import type { IDataObject } from 'n8n-workflow';
import type { ActionOptions, ActionParameters, ActionResult } from '../support/actionSuite';
import { actionSuite, byId } from '../support/actionSuite';
import { voiceBody } from '../support/voiceCampaign';

const { credential, run, sandbox } = actionSuite();

/** One of the node's lists. */
interface List {
	/** The field that identifies a record. */
	key: string;
	/** Whether paging travels in the query, with filters and sorting, or in the path. */
	paging: 'query' | 'path';
	/** Whether a response tells how many records there are. */
	tellsTotal: boolean;
	/** Makes this many records on the service; the fields to list them with. */
	seed(count: number): Promise<ActionParameters>;
}

const post = async (path: string, body: object) => {
	const { data, status } = await sandbox().api.post<unknown>(path, body);
	expect(status).toBe(200);
	return data;
};

const phoneNumber = (index: number) => `+4477009${String(index).padStart(5, '0')}`;
const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);

const inTurn = async (count: number, make: (index: number) => Promise<unknown>) => {
	for (const index of indexes(count)) await make(index);
};

const addSmsCampaign = (index: number) =>
	post('/api/Campaigns', {
		message: `Message ${index}`,
		sender: index % 2 ? 'Odd' : 'Even',
		contacts: [{ phoneNumber: phoneNumber(index) }],
	});
const addMessage = (index: number) =>
	post('/api/SMSMessages', { message: 'Hi', sender: 'Shop', phoneNumber: phoneNumber(index) });
const addStored = (index: number) =>
	post('/api/PhoneNumberStorageItem', { storageID: `id ${index}`, number: phoneNumber(index) });
const addVoiceCampaign = (name: string, phoneNumbers: object[]) =>
	post('/api/campaigns/voice', voiceBody({ name, phoneNumbers }));

const LISTS: Record<string, List> = {
	'smsCampaign getAll': {
		key: 'id',
		paging: 'query',
		tellsTotal: true,
		async seed(count) {
			await inTurn(count, addSmsCampaign);
			return { resource: 'smsCampaign', operation: 'getAll' };
		},
	},
	'smsCampaign getContacts': {
		key: 'id',
		paging: 'query',
		tellsTotal: true,
		async seed(count) {
			const contacts = indexes(Math.max(count, 1)).map((index) => ({
				phoneNumber: phoneNumber(index),
				name: `Name ${index % 2}`,
			}));
			const id = (await post('/api/Campaigns', { message: 'Hi', contacts })) as string;
			// A campaign has contacts; a filter that none of them passes makes the list empty.
			const nobody = { parameter: [{ name: 'name', value: 'nobody' }] };
			return {
				resource: 'smsCampaign',
				operation: 'getContacts',
				campaignId: byId(id),
				...(count === 0 ? { filters: nobody } : {}),
			};
		},
	},
	'smsMessage getAll': {
		key: 'id',
		paging: 'query',
		tellsTotal: true,
		async seed(count) {
			await inTurn(count, addMessage);
			return { resource: 'smsMessage', operation: 'getAll' };
		},
	},
	'voiceCampaign getAll': {
		key: 'id',
		paging: 'query',
		tellsTotal: true,
		async seed(count) {
			await inTurn(
				count,
				async (index) =>
					await addVoiceCampaign(`Campaign ${index}`, [{ number: phoneNumber(index) }]),
			);
			return { resource: 'voiceCampaign', operation: 'getAll' };
		},
	},
	'phoneNumberStorage getAll': {
		key: 'storageID',
		paging: 'path',
		tellsTotal: true,
		async seed(count) {
			await inTurn(count, addStored);
			return { resource: 'phoneNumberStorage', operation: 'getAll' };
		},
	},
	'voiceCampaign getPhoneNumbers': {
		key: 'id',
		paging: 'path',
		tellsTotal: false,
		async seed(count) {
			const numbers = indexes(count).map((index) => ({ number: phoneNumber(index) }));
			const { id } = (await addVoiceCampaign('All', numbers)) as { id: number };
			return { resource: 'voiceCampaign', operation: 'getPhoneNumbers', campaignId: byId(id) };
		},
	},
};

const isQueryList = ([, { paging }]: [string, List]) => paging === 'query';
const tellsTotal = ([, list]: [string, List]) => list.tellsTotal;
const ALL = Object.entries(LISTS);
/** A voice campaign cannot be without numbers. */
const CAN_BE_EMPTY = ALL.filter(tellsTotal);

/** Runs a list with pages of `pageSize`; gives the keys of its records. */
async function listed(
	{ key }: List,
	parameters: ActionParameters,
	pageSize: number,
	changes: IDataObject = {},
	options: ActionOptions = {},
) {
	const result = await run(
		{ returnAll: true, ...parameters, options: { pageSize }, ...changes },
		options,
	);
	return {
		...result,
		requests: result.requests.filter(isPage),
		keys: result.items.map(({ json }) => json[key]),
	};
}

/** Not the question whether stored numbers have a page 0. */
const isPage = ({ status }: ActionResult['requests'][number]) => status !== 400;

/** The keys of all records, read in one page that surely holds them all. */
async function allKeys(list: List, parameters: ActionParameters): Promise<unknown[]> {
	const { keys, error } = await listed(list, parameters, 5000);
	expect(error).toBeUndefined();
	return keys;
}

describe('Return All', () => {
	it.each(CAN_BE_EMPTY)('%s: an empty list gives nothing, with one request', async (_, list) => {
		const { items, error, requests } = await listed(list, await list.seed(0), 3);
		expect(error).toBeUndefined();
		expect(items).toEqual([]);
		expect(requests).toHaveLength(1);
	});

	describe.each([
		['an exact multiple of the page size', 6, 3],
		['a rest on the last page', 7, 3],
	])('%s (%p records, page size %p)', (_what, count, pageSize) => {
		it.each(ALL)('%s: every record once, in order', async (_, list) => {
			const parameters = await list.seed(count);
			const expected = await allKeys(list, parameters);
			expect(expected).toHaveLength(count);

			const { keys, error, requests } = await listed(list, parameters, pageSize);
			expect(error).toBeUndefined();
			expect(keys).toEqual(expected);
			const pages = Math.ceil(count / pageSize);
			if (list.tellsTotal) expect(requests).toHaveLength(pages);
			else expect(requests.length).toBeGreaterThan(count / pageSize);
		});
	});

	it.each(ALL.filter(isQueryList))(
		'%s: learns a first index of 0 from the first response',
		async (_, list) => {
			await sandbox().settings({ conventions: { firstPageIndex: 0 } });
			const parameters = await list.seed(7);
			const expected = await allKeys(list, parameters);
			const { keys, requests } = await listed(list, parameters, 3);
			expect(keys).toEqual(expected);
			expect(new Set(keys).size).toBe(7);
			expect(requests.map(({ url }) => /pageIndex=(\d+)/.exec(url)?.[1]).sort()).toEqual([
				'1',
				'2',
				undefined,
			]);
		},
	);

	it('phoneNumberStorage getAll: finds out a first index of 0', async () => {
		await sandbox().settings({ conventions: { firstPageIndex: 0 } });
		const list = LISTS['phoneNumberStorage getAll'] as List;
		const parameters = await list.seed(7);
		const all = await listed(list, parameters, 3);
		expect(all.keys).toEqual(indexes(7).map((index) => `id ${index}`));
		const some = await listed(list, parameters, 3, { returnAll: false, limit: 2 });
		expect(some.keys).toEqual(['id 0', 'id 1']);
	});

	it('phoneNumberStorage getAll: a page 0 that cannot be read is not taken for none', async () => {
		await sandbox().settings({ conventions: { firstPageIndex: 0 } });
		const list = LISTS['phoneNumberStorage getAll'] as List;
		const parameters = await list.seed(7);
		await sandbox().fault({ match: { path: '/3/0$' }, times: 'always', fault: { kind: 'cut' } });
		const { error } = await listed(list, parameters, 3);
		expect(error?.message).toContain('connection');
	});

	it.each(ALL.filter(isQueryList))(
		'%s: uses the paging parameters that the credential names',
		async (_, list) => {
			const parameters = await list.seed(7);
			const expected = await allKeys(list, parameters);
			await sandbox().settings({
				conventions: { pageIndexName: 'seite', pageSizeName: 'page[size]' },
			});
			const { keys, error, requests } = await listed(
				list,
				parameters,
				3,
				{},
				{
					credential: credential({
						serviceConventions: true,
						pageIndexParameter: ' seite ',
						pageSizeParameter: 'page[size]',
					}),
				},
			);
			expect(error).toBeUndefined();
			expect(keys).toEqual(expected);
			expect(requests).toHaveLength(3);
			for (const { url } of requests) expect(url).not.toMatch(/pageIndex|pageSize/);
		},
	);

	describe.each([
		['ignores paging', { conventions: { ignorePaging: true } }],
		[
			'knows the paging parameters by other names',
			{ strict: false, conventions: { pageIndexName: 'p', pageSizeName: 'n', defaultPageSize: 3 } },
		],
	])('from a service that %s', (what, settings) => {
		const affected = what === 'ignores paging' ? ALL : ALL.filter(isQueryList);

		it.each(affected)('%s: an error that names what to change', async (_, list) => {
			const parameters = await list.seed(9);
			await sandbox().settings(settings);
			const { error, items, requests } = await listed(list, parameters, 3);
			expect(error?.message).toBe('The service does not recognize the page parameter');
			expect(error?.description).toContain('"Service Conventions" in the credential');
			expect(error?.context?.itemIndex).toBe(0);
			expect(items).toEqual([]);
			expect(requests.length).toBeLessThan(10);
		});
	});
});

describe('Limit', () => {
	it.each(ALL)('%s: 50 unless set', async (_, list) => {
		const parameters = await list.seed(53);
		const { items, requests } = await run(parameters);
		expect(items).toHaveLength(50);
		expect(requests.filter(isPage)).toHaveLength(1);
	});
});

describe('Filters and Sorting', () => {
	const parameter = (...pairs: [name: string, value: string][]) => ({
		parameter: pairs.map(([name, value]) => ({ name, value })),
	});

	it('travel as query parameters of every page, without blanks around a name', async () => {
		const list = LISTS['smsCampaign getAll'] as List;
		const parameters = await list.seed(8);
		const { items, requests } = await listed(list, parameters, 2, {
			filters: parameter([' sender ', 'Even']),
			options: { pageSize: 2 },
			sorting: parameter([' sort ', '-message']),
		});
		expect(items.map(({ json }) => json.message)).toEqual([
			'Message 6',
			'Message 4',
			'Message 2',
			'Message 0',
		]);
		expect(requests.map(({ url }) => url)).toEqual([
			'/api/Campaigns?sender=Even&sort=-message&pageSize=2',
			'/api/Campaigns?sender=Even&sort=-message&pageSize=2&pageIndex=2',
		]);
	});

	const good: [string, string] = ['sender', 'Even'];
	it.each<[string, IDataObject, string]>([
		['filters', parameter(good, [' ', 'x']), 'Name of Filter 2 is empty'],
		['filters', parameter(good, good, ['sender', '']), 'Value of Filter 3 is empty'],
		['sorting', parameter(['', 'x'], good), 'Name of Sort Parameter 1 is empty'],
		['sorting', parameter(good, ['sort', '']), 'Value of Sort Parameter 2 is empty'],
	])('are all filled in, or the entry is named: %s %j', async (field, value, message) => {
		const { error, requests } = await run({
			...{ resource: 'smsMessage', operation: 'getAll', [field]: value },
		});
		expect([error?.message, requests]).toEqual([message, []]);
	});

	it('may be expressions, and may repeat a name', async () => {
		await sandbox().settings({ strict: false });
		const { requests } = await run(
			{
				resource: 'smsMessage',
				operation: 'getAll',
				filters: parameter(['={{ $json.name }}', '={{ $json.value }}'], ['tag', 'a&b=c']),
				sorting: parameter(['tag', '={{ true }}'], ['tag', '={{ false }}']),
			},
			{ items: [{ name: 'countryCode', value: 'GB' }] },
		);
		const query = new URLSearchParams(requests[0]?.url.split('?')[1]);
		expect([...query]).toEqual([
			['countryCode', 'GB'],
			['tag', 'a&b=c'],
			['tag', 'true'],
			['tag', 'false'],
			['pageSize', '50'],
		]);
	});
});

describe('phone numbers that the service writes without +', () => {
	beforeEach(async () => {
		const { api } = sandbox();
		const contacts = [{ phoneNumber: '+447400123456', name: 'Ann' }];
		await api.post('/api/Campaigns', { sender: 'Shop', message: 'Hi', contacts });
		await api.post(
			'/api/campaigns/voice',
			voiceBody({ phoneNumbers: [{ number: '+447400123456' }] }),
		);
	});

	const shown = async (parameters: ActionParameters, values = {}) => {
		const { items } = await run(parameters, { credential: credential(values) });
		return items.map(({ json }) => json.phoneNumber ?? json.number);
	};
	const idOf = async (path: string) => {
		const { data } = await sandbox().api.get<{ items: { id: string | number }[] }>(path);
		return byId(String(data.items[0]?.id));
	};

	it.each([
		['withoutPlus', {}, '+447400123456'],
		['national', {}, '07400123456'],
		['national', { defaultCountry: 'GB' }, '+447400123456'],
	])(
		'are shown in international form where they can be read: %s, %j',
		async (numberForm, values, expected) => {
			await sandbox().settings({ conventions: { numberForm } });
			const sms = { resource: 'smsCampaign', campaignId: await idOf('/api/Campaigns') };
			const voice = { resource: 'voiceCampaign', campaignId: await idOf('/api/campaigns/voice/p') };
			const messages = { resource: 'smsMessage', operation: 'getAll' };
			expect(await shown(messages, values)).toEqual([expected]);
			expect(await shown({ ...sms, operation: 'getContacts' }, values)).toEqual([expected]);
			expect(await shown({ ...voice, operation: 'getPhoneNumbers' }, values)).toEqual([expected]);
			expect(await shown({ ...messages, simple: false }, values)).not.toEqual(['+447400123456']);
		},
	);
});
