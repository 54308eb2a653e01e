import type { IDataObject } from 'n8n-workflow';
import type { ActionParameters } from '../support/actionSuite';
import { byId } from '../support/actionSuite';
import { runAction } from '../support/engine';
import { PolledWorkflow } from '../support/poll';
import { serversOfTest, type ReceivedRequest } from '../support/servers';

const startServer = serversOfTest();

/** One page of the list that a test is about, by its number from 1 on. */
type PageOf = (page: number) => { status?: number; body: unknown };

const message = (id: number) => ({ id, campaignId: 'a', status: 1, smsCount: 1 });
const messages = (first: number, count: number) =>
	Array.from({ length: count }, (_, index) => message(first + index));
const numbers = (first: number, count: number) =>
	Array.from({ length: count }, (_, index) => ({
		id: first + index,
		number: `+4477009${10_000 + first + index}`,
		calls: [],
		smss: [],
	}));

/** A service with one SMS campaign and one voice campaign, whose messages and numbers a test gives. */
async function serviceWith(pageOf: PageOf): Promise<string> {
	const answer = ({ url }: ReceivedRequest): { status?: number; body: unknown } => {
		const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
		if (pathname === '/api/SMSMessages') return pageOf(Number(searchParams.get('pageIndex') ?? 1));
		const number = /phonenumbers\/\d+\/(\d+)$/.exec(pathname)?.[1];
		if (number !== undefined) return pageOf(Number(number));
		const id = pathname.includes('voice') ? 7 : 'a';
		return { body: { id, recipientCount: 3, startDate: '2030-05-17T00:00:00' } };
	};
	const server = await startServer((request, response) => {
		const { status = 200, body } = answer(request);
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(body));
	});
	return server.url;
}

const credentialOf = (baseUrl: string) => ({ baseUrl, clientId: '1001', authentication: 'none' });

async function problemOf(baseUrl: string, parameters: ActionParameters): Promise<unknown> {
	const { error, items } = await runAction({ credential: credentialOf(baseUrl), parameters });
	return error?.message ?? `${items.length} items`;
}

async function problemOfPoll(baseUrl: string, parameters: IDataObject): Promise<unknown> {
	const workflow = new PolledWorkflow({ credential: credentialOf(baseUrl), parameters });
	return await workflow.poll().then(
		() => 'no problem',
		({ message: text }: Error) => text,
	);
}

it.each<[string, PageOf, string]>([
	[
		'has a page that is too short',
		(page) => ({
			body: {
				...{ pageIndex: page, totalPages: 2, totalRecords: 10 },
				items: page === 1 ? messages(1, 5) : messages(6, 4),
			},
		}),
		'The service returned 9 of 10 records',
	],
	[
		'has an empty page and tells no total',
		(page) => ({
			body: { pageIndex: page, totalPages: 3, items: page === 2 ? [] : messages(page * 5, 5) },
		}),
		'The service returned no records on page 2 of 3',
	],
	[
		'has a record twice in the place of another',
		(page) => ({
			body: {
				...{ pageIndex: page, totalPages: 2, totalRecords: 4 },
				items: page === 1 ? messages(1, 2) : messages(2, 2),
			},
		}),
		'The service returned 3 of 4 records',
	],
])(
	'a list of SMS messages that %s is the same problem for Get Many, Get Summary and a poll',
	async (_what, pageOf, problem) => {
		const url = await serviceWith(pageOf);
		const list = { filters: {}, options: {} };
		const all = [
			await problemOf(url, {
				...{ resource: 'smsMessage', operation: 'getAll', returnAll: true, ...list },
			}),
			await problemOf(url, {
				...{ resource: 'smsCampaign', operation: 'getSummary', campaignId: byId('a'), ...list },
			}),
			await problemOfPoll(url, {
				events: ['smsStatus'],
				campaigns: 'selected',
				...selected('sms'),
			}),
		];
		expect(all).toEqual([problem, problem, problem]);
	},
);

function selected(kind: 'sms' | 'voice'): IDataObject {
	const campaign = [{ campaignId: byId(kind === 'sms' ? 'a' : '7') }];
	return { [`${kind}Campaigns`]: { campaign } };
}

it.each<[string, PageOf, string]>([
	[
		'ends with a page that is not found',
		(page) => (page === 1 ? { body: numbers(1, 3) } : { status: 404, body: {} }),
		'3 items',
	],
	[
		'is always on its first page',
		() => ({ body: numbers(1, 3) }),
		'The service does not recognize the page parameter',
	],
])(
	'a list of phone numbers that %s is the same for Get Phone Numbers, Get Summary and a poll',
	async (_what, pageOf, expected) => {
		const url = await serviceWith(pageOf);
		const campaign = { resource: 'voiceCampaign', campaignId: byId('7'), returnAll: true };
		expect(await problemOf(url, { ...campaign, operation: 'getPhoneNumbers' })).toBe(expected);
		const isComplete = expected === '3 items';
		expect(await problemOf(url, { ...campaign, operation: 'getSummary' })).toBe(
			isComplete ? '1 items' : expected,
		);
		const poll = { events: ['callAttempted'], campaigns: 'selected', ...selected('voice') };
		expect(await problemOfPoll(url, poll)).toBe(isComplete ? 'no problem' : expected);
	},
);

it('a list of stored numbers that has one twice in the place of another is a problem', async () => {
	const stored = (...ids: string[]) => ids.map((storageID) => ({ storageID, number: '+44' }));
	const pages = [[], stored('a', 'b'), stored('b', 'c')];
	const server = await startServer(({ url }, response) => {
		const page = Number(url.split('/').pop());
		const paging = { pageIndex: page, totalPages: 2, totalRecords: 4 };
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ ...paging, items: pages[page] }));
	});
	const list = {
		resource: 'phoneNumberStorage',
		operation: 'getAll',
		returnAll: true,
		options: {},
	};
	expect(await problemOf(server.url, list)).toBe('The service returned 3 of 4 records');
});

it('a list whose paging is null is read to its end', async () => {
	const url = await serviceWith((page) => ({
		body: {
			...{ pageIndex: null, totalPages: null, totalRecords: null },
			items: page > 2 ? [] : messages(page * 5, 5),
		},
	}));
	const list = { returnAll: true, filters: {}, options: {} };
	const parameters = { resource: 'smsMessage', operation: 'getAll', ...list };
	expect(await problemOf(url, parameters)).toBe('10 items');
});

it('a list of nothing but null is none', async () => {
	const nothing = { pageIndex: null, totalPages: null, totalRecords: null, items: null };
	const url = await serviceWith(() => ({ body: nothing }));
	const list = { returnAll: true, filters: {}, options: {} };
	const parameters = { resource: 'smsMessage', operation: 'getAll', ...list };
	expect(await problemOf(url, parameters)).toMatch(/^The response of the service is not a page/);
});

it('a poll waits as long as the service asks, longer than anything in the editor', async () => {
	let requests = 0;
	const server = await startServer((_request, response) => {
		const isFirst = requests++ === 0;
		response.writeHead(isFirst ? 429 : 200, isFirst ? { 'retry-after': '6' } : {});
		response.end(JSON.stringify(isFirst ? {} : { pageIndex: 1, totalPages: 0, items: [] }));
	});
	expect(await problemOfPoll(server.url, { events: ['smsStatus'] })).toBe('no problem');
	expect(requests).toBeGreaterThan(1);
}, 30_000);
