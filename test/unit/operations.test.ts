import type { IDataObject } from 'n8n-workflow';
import { findOperation, resources } from '../../nodes/MessagingService/resources';
import {
	isChanging,
	type Operation,
	type ReadCall,
} from '../../nodes/MessagingService/resources/operation';
import { planRecipients } from '../../nodes/MessagingService/recipients/plan';
import { InputError } from '../../nodes/MessagingService/parameters/inputError';
import type { ServiceRequest } from '../../nodes/MessagingService/transport/request';
import { callWith, clientWith, type NodeFields } from './support/call';

/** How the client was asked, and what for. */
interface Asked extends ServiceRequest {
	otherPath?: string;
	as: 'anything' | 'page' | 'post' | 'record' | 'records';
}

const operations = new Map(
	resources.flatMap((resource) =>
		resource.operations.map((operation) => [`${resource.value} ${operation.value}`, operation]),
	),
);

function operationOf(pair: string): Operation {
	const [resource = '', name = ''] = pair.split(' ');
	const found = findOperation(resource, name);
	if (found === undefined) throw new Error(`There is no operation ${pair}`);
	return found;
}

/** Runs an operation on a service with one response to everything. */
async function runWith(pair: string, fields: NodeFields, response: unknown) {
	const asked: Asked[] = [];
	const warnings: string[] = [];
	const cuts: unknown[] = [];
	const respond = (as: Asked['as']) => async (request: ServiceRequest) => {
		asked.push({ as, ...request });
		return await Promise.resolve(response as never);
	};
	const call: ReadCall = {
		...callWith(fields),
		client: {
			...clientWith(fields.settings),
			anything: respond('anything'),
			...{ page: respond('page'), record: respond('record'), records: respond('records') },
		},
		warn: (text) => warnings.push(text),
		noteCut: (cut) => cuts.push(cut),
	};
	const operation = operationOf(pair);
	if (!isChanging(operation)) {
		return { output: await operation.run(call), asked, warnings, cuts };
	}
	const { recipients } = operation;
	const [batch] = recipients === undefined ? [] : planRecipients(recipients, call).batches;
	const complete = batch === undefined ? call : { ...call, batch };
	const request = operation.request(complete);
	asked.push({ as: 'post', ...request });
	return { output: operation.result(response, complete, request), asked, warnings, cuts };
}

const namesOf = (isWanted: (operation: Operation) => unknown) =>
	[...operations].filter(([, operation]) => isWanted(operation)).map(([name]) => name);

describe('what operations are', () => {
	test('those with recipients make one request of all items, all others one of each', () => {
		const withRecipients = ['smsCampaign create', 'voiceCampaign create'];
		withRecipients.push('voiceCampaign createForClient');
		expect(namesOf(({ recipients }) => recipients)).toEqual(withRecipients);
		for (const [name, { kind }] of operations) {
			if (typeof kind === 'string') {
				expect([name, kind]).toEqual([name, 'perItem']);
				continue;
			}
			expect(withRecipients).toContain(name);
			const source = name === 'smsCampaign create' ? 'contactsSource' : 'phoneNumbersSource';
			const kindFrom = (value: string) =>
				kind(callWith({ parameters: { [source]: value } }).context);
			expect(['inputItems', 'json', 'list', 'file'].map(kindFrom)).toEqual([
				...['allItems', 'perItem', 'perItem', 'perItem'],
			]);
		}
	});

	test('some reach people, offer a dry run and are never sent twice', () => {
		expect(namesOf(({ reachesPeople }) => reachesPeople)).toEqual([
			...['smsCampaign create', 'smsCampaign postById', 'smsCampaign update', 'smsMessage send'],
			...['voiceCampaign create', 'voiceCampaign createForClient'],
		]);
		expect(namesOf(({ reach }) => reach === 1)).toEqual(['smsMessage send']);
	});

	test('some take fields from the input items by name', () => {
		const mappable = namesOf(({ mappable: fields = [] }) => fields.length);
		expect(mappable).toEqual([
			'smsMessage send',
			...['phoneNumberStorage create', 'phoneNumberStorage update'],
		]);
		for (const pair of mappable) {
			const operation = operationOf(pair);
			expect(operation.mappable).toEqual(operation.fields);
		}
	});

	test('all say what they return', () => {
		for (const [name, { returns }] of operations) {
			expect([name, Object.keys(returns.fields).length > 0]).toEqual([name, true]);
			expect(Object.keys(returns.fields)).not.toContain('');
		}
	});
});

const RECORD = { campaignId: ' c/1 ', storageId: 's/1', messageId: 'm/1' };
const CLIENT = { additionalFields: { clientId: ' 7 ' } };

describe('calls that must keep their order', () => {
	test.each<[string, IDataObject, string]>([
		['smsCampaign update', RECORD, '/api/Campaigns/c%2F1'],
		['smsCampaign postById', RECORD, '/api/Campaigns/c%2F1'],
		['phoneNumberStorage create', { storageID: ' s/1 ' }, 's/1'],
		['phoneNumberStorage update', { storageID: ' s/1 ' }, 's/1'],
		['phoneNumberStorage postById', RECORD, 's/1'],
		['webhook set', {}, '1001'],
		['webhook remove', {}, '1001'],
		['webhook set', CLIENT, '7'],
		['webhook remove', CLIENT, '7'],
	])('of %s with %j are those of %j', (pair, parameters, key) => {
		expect(operationOf(pair).sequenceKey?.(callWith({ parameters }))).toBe(key);
	});

	test('are those that write to one record', () => {
		expect(namesOf(({ sequenceKey }) => sequenceKey)).toEqual([
			...['smsCampaign postById', 'smsCampaign update'],
			...['phoneNumberStorage create', 'phoneNumberStorage postById', 'phoneNumberStorage update'],
			...['webhook set', 'webhook remove'],
		]);
	});
});

const NUMBER = '+447700900123';
const SMS = { message: 'Hi', sender: 'Shop' };
const GUID = '5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10';
const CONTACTS = {
	contactsSource: 'json',
	contactsJson: JSON.stringify([{ phoneNumber: NUMBER, name: 'Ada' }]),
};
const contacts = [{ phoneNumber: NUMBER, name: 'Ada' }];
const VOICE = {
	name: 'May',
	...{ startDate: '2999-05-17', startTime: '09:30', finishTime: '17:00' },
	...{ callflow_Id: 11, defaultCli_Id: 21, cli_Id: 22, answerMachineDetected: 0, smsOnBusy: 1 },
	phoneNumbersSource: 'json',
	phoneNumbersJson: JSON.stringify([{ number: NUMBER }]),
	additionalFields: {},
};
const voiceBody = {
	name: 'May',
	...{ startDate: '2999-05-17', startTime: '09:30', finishTime: '17:00' },
	...{ callflow_Id: 11, answerMachineDetected: 0, smsOnBusy: 1 },
	phoneNumbers: [{ number: NUMBER }],
};
const ITEM = { storageID: 's/1', number: NUMBER };
const SIMPLE = { ...RECORD, simple: true };

type Case = [
	pair: string,
	parameters: IDataObject,
	response: unknown,
	asked: Asked,
	output: unknown,
	settings?: NodeFields['settings'],
];

const SMS_CREATED: IDataObject = { id: 'id-1', recipients: 1 };
const smsCreation = (path: string, others: IDataObject = {}): Asked => ({
	...{ as: 'post', method: 'POST', path },
	body: { ...SMS, ...others, contacts },
});
const additional = (additionalFields: IDataObject) => ({ ...SMS, ...CONTACTS, additionalFields });
const campaignPost = (body?: IDataObject): Asked => ({
	...{ as: 'post', method: 'POST', path: '/api/Campaigns/c%2F1' },
	...(body === undefined ? {} : { body }),
});
const storagePost = (path: string, body?: IDataObject): Asked => ({
	...{ as: 'post', method: 'POST', path: `/api/PhoneNumberStorageItem${path}` },
	...(body === undefined ? {} : { body }),
});
const webhookPost = (url: string, clientId = '1001'): Asked => ({
	...{ as: 'post', method: 'POST', path: '/api/integrations/UpdateWebHook' },
	query: { url, clientId },
});
const read = (as: Asked['as'], path: string): Asked => ({ as, method: 'GET', path });

const message: Asked = {
	...read('record', '/api/SMSMessagesm%2F1'),
	otherPath: '/api/SMSMessages/m%2F1',
};
const stored: Asked = {
	...read('record', '/api/PhoneNumberStorageItem/s%2F1'),
	otherPath: '//api/PhoneNumberStorageItem/s%2F1',
};

const CASES: Case[] = [
	['smsCampaign get', RECORD, { id: 'c/1' }, read('record', '/api/Campaigns/c%2F1'), { id: 'c/1' }],
	['smsCampaign create', additional({}), 'id-1', smsCreation('/api/Campaigns'), SMS_CREATED],
	...(['ignore', 'reject'] as const).map((invalidPhoneNumbers): Case => {
		const path = `/api/campaigns/${invalidPhoneNumbers === 'ignore'}`;
		const fields = additional({ invalidPhoneNumbers });
		return ['smsCampaign create', fields, 'id-1', smsCreation(path), SMS_CREATED];
	}),
	[
		'smsCampaign create',
		{
			...additional({ optOutLinkId: '501', trackLinkUrl: 'https://x.example' }),
			startDateTime: '2999-05-17T09:30:00+02:00',
		},
		'id-1',
		smsCreation('/api/Campaigns', {
			...{ startDateTime: '2999-05-17T07:30:00Z', optOutLinkId: 501 },
			trackLinkUrl: 'https://x.example',
		}),
		SMS_CREATED,
	],
	[
		'smsCampaign update',
		{
			...RECORD,
			updateFields: { message: 'New', startDateTime: '2999-05-17T09:30:00Z', optOutLinkId: 0 },
		},
		{ done: 1 },
		campaignPost({ message: 'New', startDateTime: '2999-05-17T09:30:00Z', optOutLinkId: 0 }),
		{ done: 1 },
	],
	[
		'smsCampaign update',
		{ ...RECORD, updateFields: { sender: 'New' } },
		undefined,
		campaignPost({ sender: 'New' }),
		{ id: 'c/1', success: true },
	],
	['smsCampaign postById', RECORD, 'done', campaignPost(), { id: 'c/1', response: 'done' }],
	[
		'smsMessage send',
		{ ...SMS, message: 'x'.repeat(161), phoneNumber: ` ${NUMBER} ` },
		GUID,
		{
			...{ as: 'post', method: 'POST', path: '/api/SMSMessages' },
			body: { message: 'x'.repeat(161), sender: 'Shop', phoneNumber: NUMBER },
		},
		{ newId: GUID, phoneNumber: NUMBER, parts: 2 },
	],
	[
		'smsMessage get',
		SIMPLE,
		{ newId: 'm/1', client_Id: 1, status: 1 },
		message,
		{ newId: 'm/1', status: 1 },
	],
	[
		'smsMessage get',
		{ ...RECORD, simple: false },
		{ newId: 'm/1', client_Id: 1 },
		message,
		{ newId: 'm/1', client_Id: 1 },
	],
	[
		'voiceCampaign get',
		{ simple: true, campaignId: '5' },
		{ id: 5, name: 'May', isSomething: true },
		read('record', '/api/campaigns/voice/5'),
		{ id: 5, name: 'May' },
	],
	[
		'voiceCampaign getAllUnpaged',
		{},
		[{ id: 1 }],
		read('records', '/api/campaigns/voice'),
		[{ id: 1 }],
	],
	...(
		[
			[{}, ''],
			[{ invalidPhoneNumbers: 'ignore' }, '/true'],
			[{ invalidPhoneNumbers: 'reject' }, '/false'],
		] as const
	).map(([additionalFields, suffix]): Case => [
		'voiceCampaign create',
		{ ...VOICE, additionalFields },
		{ id: 7, name: 'June', startDate: '2999-06-01', phoneNumbers: [{}, {}, {}] },
		{
			...{ as: 'post', method: 'POST', path: `/api/campaigns/voice${suffix}` },
			body: { ...voiceBody, defaultCli_Id: 21 },
		},
		{ id: 7, recipients: 3, name: 'June', startDate: '2999-06-01' },
	]),
	[
		'voiceCampaign createForClient',
		{ ...VOICE, additionalFields: { clientId: ' 7 ' } },
		7,
		{
			...{ as: 'post', method: 'POST', path: '/api/Campaign/Voice/' },
			query: { clientId: '7' },
			body: { ...voiceBody, cli_Id: 22 },
		},
		{ id: 7, recipients: 1, name: 'May', startDate: '2999-05-17' },
	],
	[
		'phoneNumberStorage get',
		SIMPLE,
		{ ...ITEM, parameter1: '', parameter2: 'x' },
		stored,
		{ ...ITEM, parameter2: 'x' },
	],
	[
		'phoneNumberStorage get',
		{ ...RECORD, simple: false },
		{ ...ITEM, parameter1: '' },
		stored,
		{ ...ITEM, parameter1: '' },
	],
	...['create', 'update'].map((name): Case => [
		`phoneNumberStorage ${name}`,
		{ ...ITEM, parameters: { parameter2: '', parameter9: 9 } },
		{},
		storagePost('', { ...ITEM, parameter2: '', parameter9: '9' }),
		{ ...ITEM, success: true },
	]),
	[
		'phoneNumberStorage postById',
		{ ...RECORD, payload: { number: ` ${NUMBER}`, parameter1: 'x' }, payloadSource: 'fields' },
		null,
		storagePost('/s%2F1', { number: NUMBER, parameter1: 'x' }),
		{ storageID: 's/1', success: true },
	],
	[
		'phoneNumberStorage postById',
		{ ...RECORD, payload: {}, payloadSource: 'fields' },
		'',
		storagePost('/s%2F1', undefined),
		{ storageID: 's/1', success: true },
	],
	[
		'phoneNumberStorage postById',
		{ ...RECORD, payloadSource: 'json', payloadJson: '{"a":[1]}', payload: { parameter1: 'x' } },
		[1],
		storagePost('/s%2F1', { a: [1] }),
		{ storageID: 's/1', response: [1] },
	],
	['webhook remove', {}, undefined, webhookPost(''), { deleted: true }],
	['webhook remove', CLIENT, undefined, webhookPost('', '7'), { deleted: true }],
	[
		'webhook set',
		{ ...CLIENT, webHookUrl: ' https://x.example/a ', addToken: false },
		undefined,
		webhookPost('https://x.example/a', '7'),
		{ url: 'https://x.example/a', success: true },
		{ webhookToken: 'secret' },
	],
	[
		'webhook set',
		{ webHookUrl: 'no URL', addToken: true },
		undefined,
		webhookPost('no URL'),
		{ url: 'no URL', success: true },
	],
	[
		'webhook set',
		{ webHookUrl: 'https://x.example/a', addToken: true },
		undefined,
		webhookPost('https://x.example/a?token=secret'),
		{ url: 'https://x.example/a', success: true },
		{ webhookToken: 'secret' },
	],
];

test.each(CASES)(
	'%s with %j, answered by %j, makes the request %j and outputs %j',
	async (pair, parameters, response, expected, output, settings = undefined) => {
		const fields = { parameters, ...(settings === undefined ? {} : { settings }) };
		const made = await runWith(pair, fields, response);
		const [{ expected: expectedResponse, ...asked } = {} as Asked, ...others] = made.asked;
		expect(others).toEqual([]);
		expect(asked).toEqual(expected);
		expect(made.output).toEqual(output);
		expect(made.warnings).toEqual([]);
		// What it outputs is what it may be given.
		if (response !== 'id-1') expect(expectedResponse?.matches(response)).not.toBe(false);
	},
);

const paged = (items: IDataObject[], totalRecords = items.length) => ({
	...{ pageIndex: 1, totalPages: 1, totalRecords, items },
});
const LISTS: [pair: string, path: string, items: IDataObject[], simplified?: IDataObject[]][] = [
	['smsCampaign getAll', '/api/Campaigns', [{ id: 1 }, { id: 2 }]],
	['smsCampaign getContacts', '/api/Campaigns/c%2F1/Contacts', [{ id: 1 }, { id: 2 }]],
	['voiceCampaign getAll', '/api/campaigns/voice/p', [{ id: 1 }, { id: 2 }]],
	[
		'smsMessage getAll',
		'/api/SMSMessages',
		[
			{ id: 1, client_Id: 1 },
			{ id: 2, client_Id: 1 },
		],
		[{ id: 1 }, { id: 2 }],
	],
];

test.each(LISTS)(
	'%s reads the pages of %s with filters and sorting',
	async (pair, path, items, simplified = items) => {
		const parameters = {
			...SIMPLE,
			...{ returnAll: false, limit: 50 },
			filters: { parameter: [{ name: ' a ', value: 1 }] },
			sorting: { parameter: [{ name: 'b', value: 'x' }] },
		};
		const query = { a: ['1'], b: ['x'] };
		const made = await runWith(pair, { parameters }, paged(items));
		expect(made.asked).toEqual([
			{ as: 'page', method: 'GET', path, query: { ...query, pageSize: 50 } },
		]);
		expect(made.output).toEqual(simplified);
		const all = { ...parameters, returnAll: true, simple: false, options: { pageSize: 7 } };
		const made2 = await runWith(pair, { parameters: all }, paged(items));
		expect(made2.asked).toMatchObject([{ query: { ...query, pageSize: 7 } }]);
		expect(made2.output).toEqual(items);
		// One record twice, as when a list moves while it is read.
		const [first = {}] = items;
		const twice = await runWith(pair, { parameters }, paged([first, first], 1));
		expect(twice.output).toHaveLength(1);
	},
);

test.each([
	[{ returnAll: false, limit: 2 }, 5, [{ returned: 2, total: 5 }]],
	[{ returnAll: false, limit: 2 }, 2, []],
	[{ returnAll: false, limit: 3 }, 2, []],
	[{ returnAll: true }, 2, []],
])('with %j, a list of %d records is noted to be cut: %j', async (limits, total, expected) => {
	const response = paged([{ id: 1 }, { id: 2 }], total);
	const parameters = { ...limits, filters: {}, sorting: {} };
	expect((await runWith('smsCampaign getAll', { parameters }, response)).cuts).toEqual(expected);
});

test.each([
	[{}, { returnAll: false, limit: 50 }, '/api/PhoneNumberStorageItem/50/1'],
	[{}, { returnAll: true }, '/api/PhoneNumberStorageItem/1000/1'],
	[{ pageSize: 10_000 }, { returnAll: true }, '/api/PhoneNumberStorageItem/10000/1'],
])('stored numbers are listed with the options %j, %j by %s', async (options, limits, path) => {
	const parameters = { simple: true, ...limits, options };
	const items = [{ ...ITEM, parameter1: null }];
	const made = await runWith('phoneNumberStorage getAll', { parameters }, paged(items));
	expect(made.asked.at(-1)).toEqual({
		...{ as: 'page', method: 'GET', path, otherPath: `/${path}` },
	});
	expect(made.output).toEqual([ITEM]);
	const raw = { parameters: { ...parameters, simple: false } };
	expect((await runWith('phoneNumberStorage getAll', raw, paged(items))).output).toEqual(items);
});

describe('a summary of an SMS campaign', () => {
	const campaign = { status: 3, sender: 'Shop', recipientCount: 9 };
	const messages = [
		{ id: 1, campaignId: 'c/1', status: 1, price: 0.5, smsCount: 2 },
		{ id: 2, campaignId: 'another', status: 1, price: 0.5, smsCount: 2 },
	];
	const summary = async (parameters: IDataObject, about: IDataObject = campaign) =>
		await runWith(
			'smsCampaign getSummary',
			{ parameters: { ...RECORD, filters: {}, ...parameters } },
			{ ...about, ...paged(messages) },
		);

	test('counts its messages', async () => {
		const { output, asked } = await summary({});
		expect(output).toMatchObject({
			...{ campaignId: 'c/1', sender: 'Shop', campaignStatus: 3, recipients: 9 },
			...{ messageParts: 2, cost: 0.5 },
		});
		expect(asked).toEqual([
			{ as: 'record', method: 'GET', path: '/api/Campaigns/c%2F1' },
			{ as: 'page', method: 'GET', path: '/api/SMSMessages', query: { pageSize: 2000 } },
		]);
	});

	test('says what is not known, and reads as asked', async () => {
		const filters = { parameter: [{ name: 'status', value: '1' }] };
		const { output, asked } = await summary({ filters, options: { pageSize: 5 } }, {});
		expect(output).toMatchObject({ sender: null, campaignStatus: null });
		expect(asked[1]?.query).toEqual({ status: ['1'], pageSize: 5 });
	});

	test.each([
		[{ parameter: [{ name: '', value: '1' }] }, 'Name of Filter 1 is empty'],
		[{ parameter: [{ name: 'a', value: '' }] }, 'Value of Filter 1 is empty'],
		['', 'Filters is empty'],
		[{ parameter: 5 }, 'Filters is not a list of entries'],
	])('with the filters %j is refused before anything is read', async (filters, message) => {
		const error: unknown = await summary({ filters }).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({ message });
	});
});

describe('a start of an SMS campaign', () => {
	const warningsOf = async (startDateTime: string) => {
		const { warnings } = await runWith(
			'smsCampaign create',
			{ parameters: { ...additional({}), startDateTime } },
			'id-1',
		);
		return warnings;
	};

	beforeEach(() => {
		jest.useFakeTimers({ now: Date.parse('2030-05-17T09:30:30Z') });
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	test.each(['2030-05-17T09:29:30Z', '2030-05-17T09:31:00Z'])('at %s is no warning', async (at) => {
		expect(await warningsOf(at)).toEqual([]);
	});

	test.each(['2030-05-17T09:29:29Z', '2030-05-16T10:00:00Z'])(
		'at %s is in the past',
		async (at) => {
			expect(await warningsOf(at)).toEqual([
				`Start Date and Time is in the past (${at}): the service may send the messages immediately.`,
			]);
		},
	);
});

test.each<[string, IDataObject, string, RegExp]>([
	...[{}, undefined].map((updateFields): [string, IDataObject, string, RegExp] => [
		'smsCampaign update',
		{ ...RECORD, updateFields } as IDataObject,
		'Update Fields has no field',
		/^Add the fields to change\.$/,
	]),
	...['true', 'FALSE', 'voice'].map((campaignId): [string, IDataObject, string, RegExp] => [
		'smsCampaign get',
		{ campaignId },
		`Campaign is not the ID of a campaign (${campaignId})`,
		/list, or enter its ID/,
	]),
	...['p', '1p', '-1', '1/2'].map((campaignId): [string, IDataObject, string, RegExp] => [
		'voiceCampaign get',
		{ campaignId, simple: true },
		`Campaign is not a number (${campaignId})`,
		/list, or enter its ID: a number/,
	]),
	['smsCampaign get', { campaignId: '..' }, 'Campaign cannot be ".."', /different address/],
	['smsMessage get', { messageId: '' }, 'Message ID is empty', /enter its ID/],
	['phoneNumberStorage get', { storageId: ' ' }, 'Stored Number is empty', /enter its ID/],
])('%s with %j is refused before anything is sent', async (pair, parameters, message, advice) => {
	const error: unknown = await runWith(pair, { parameters }, {}).catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(InputError);
	expect(error).toMatchObject({ message, description: expect.stringMatching(advice) });
});

test.each<[string, IDataObject, unknown[], unknown[]]>([
	[
		'smsMessage send',
		{ ...SMS, phoneNumber: NUMBER },
		[GUID, ` ${GUID.toUpperCase()} `],
		['', 'a', `${GUID}0`, `0${GUID}`, 7, null],
	],
	[
		'smsCampaign get',
		RECORD,
		[{ id: 'C/1 ' }, {}, { other: 1 }, null],
		[{ id: 'c/2' }, { id: '' }],
	],
	[
		'voiceCampaign get',
		{ campaignId: '007', simple: false },
		[{ id: 7 }, { id: '07' }, {}],
		[{ id: 70 }, { id: '7a' }, { id: null }],
	],
	[
		'voiceCampaign get',
		{ campaignId: '17', simple: false },
		[{ id: '0017' }],
		[{ id: 107 }, { id: 1007 }, { id: 170 }],
	],
	[
		'smsMessage get',
		SIMPLE,
		[{ newId: 'm/1', id: 5 }, { newId: 'x', id: 'M/1' }, { newId: 'm/1' }],
		[{ newId: 'x', id: 5 }, { id: 5 }],
	],
	['phoneNumberStorage get', SIMPLE, [{ storageID: 'S/1' }, { id: 'x' }], [{ storageID: 's/11' }]],
	['voiceCampaign create', VOICE, [{ id: 7 }, { voiceCampaign_Id: 7 }], [{ name: 'x' }, {}]],
	['voiceCampaign createForClient', VOICE, [7, 'a', { id: 7 }], [{ name: 'x' }, {}, null, '']],
])('%s with %j may be answered by %j, not by %j', async (pair, parameters, right, wrong) => {
	const { asked } = await runWith(pair, { parameters }, { id: 1 });
	const expected = asked[0]?.expected;
	expect(expected?.description).toMatch(/\w/);
	const matches = (body: unknown) => expected?.matches(body);
	expect(right.filter((body) => matches(body) !== true)).toEqual([]);
	expect(wrong.filter((body) => matches(body) !== false)).toEqual([]);
});
