import { omit } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { actionSuite, byId, sendEach, sendMessage } from '../support/actionSuite';
import { serversOfTest } from '../support/servers';

const { credential, run, sandbox } = actionSuite({ concurrentRequests: 1 });
const startServer = serversOfTest();

const rows = Array.from({ length: 6 }, (_, row) => ({ phoneNumber: `+44770090000${row}` }));
const create = { resource: 'smsCampaign', operation: 'create', message: 'Sale', sender: 'Shop' };
const send = sendEach;
const getAll = { resource: 'smsMessage', operation: 'getAll' };
const getSummary = { resource: 'smsCampaign', operation: 'getSummary', campaignId: byId('a') };

it('rows with one storage ID are stored in order, however slow the first one is', async () => {
	await sandbox().fault({ fault: { kind: 'delay', delayMs: 300 } });
	const stored = [
		{ storageID: 'a', number: '+447700900001' },
		{ storageID: 'a', number: '+447700900002' },
		{ storageID: 'b', number: '+447700900003' },
	];
	const { error, requests } = await run(
		{
			resource: 'phoneNumberStorage',
			operation: 'create',
			storageID: '={{ $json.storageID }}',
			number: '={{ $json.number }}',
		},
		{ items: stored, credential: credential({ concurrentRequests: 10 }) },
	);
	expect(error).toBeUndefined();
	// Those of another ID do not wait.
	expect(requests.map(({ body }) => (body as IDataObject).number)).toEqual([
		'+447700900003',
		'+447700900001',
		'+447700900002',
	]);
	const { data } = await sandbox().api.get<IDataObject>('/api/PhoneNumberStorageItem/a');
	expect(data.number).toBe('+447700900002');
});

it('two updates of one campaign arrive in their order, however slow the first one is', async () => {
	const contacts = [{ phoneNumber: '+447700900001' }];
	const body = { message: 'Old', sender: 'Shop', contacts, startDateTime: '2999-01-01T00:00:00Z' };
	const { data: id } = await sandbox().api.post<string>('/api/Campaigns', body);
	await sandbox().fault({ fault: { kind: 'delay', delayMs: 300 } });
	const { error, requests } = await run(
		{
			...{ resource: 'smsCampaign', operation: 'update', campaignId: byId(id) },
			updateFields: { message: '={{ $json.text }}' },
		},
		{
			items: [{ text: 'First' }, { text: 'Second' }],
			credential: credential({ concurrentRequests: 10 }),
		},
	);
	expect(error).toBeUndefined();
	expect(requests.map(({ body: sent }) => sent)).toEqual([
		{ message: 'First' },
		{ message: 'Second' },
	]);
	const { data } = await sandbox().api.get<IDataObject>(`/api/Campaigns/${id}`);
	expect(data.message).toBe('Second');
});

it('each campaign of a long list is paired with its own rows, however slow the first one is', async () => {
	await sandbox().fault({ fault: { kind: 'delay', delayMs: 300 } });
	const { items, requests } = await run(
		{ ...create, options: { perCampaign: 2 } },
		{ items: rows, credential: credential({ concurrentRequests: 3 }) },
	);
	expect((requests.at(-1)?.body as IDataObject).contacts).toContainEqual(rows[0]);
	expect(items).toHaveLength(3);
	for (const { json, pairedItem } of items) {
		const { body } = requests.find(({ response }) => response === json.id) ?? {};
		expect((body as IDataObject).contacts).toEqual(
			(pairedItem as { item: number }[]).map(({ item }) => rows[item]),
		);
	}
});

it('the second of three campaigns is refused: the error names the rows of each', async () => {
	await sandbox().fault({ skip: 1, fault: { kind: 'status', status: 400 } });
	const { error, requests } = await run(
		{ ...create, options: { perCampaign: 2 } },
		{ items: rows },
	);
	expect(requests).toHaveLength(2);
	expect(error?.description).toContain(
		'This request was not accepted. Sent: items 0 to 1 (2 in total). Not sent: items 2 to 5 (4 in total). To send only what was not sent, use Retry in the list of executions.',
	);
	expect(error?.description).not.toContain('Nothing was sent');
});

/** Sending hours that it is now in London, and not in New York. */
function hoursOfLondon(): object {
	const now = DateTime.now().setZone('Europe/London');
	// There it is five hours earlier, on the day before at night.
	const hours =
		now.hour >= 5
			? { sendingHoursFrom: now.toFormat('HH:mm') }
			: { sendingHoursTo: now.plus({ hours: 1 }).toFormat('HH:mm') };
	return { ...hours, serviceConventions: true, serviceTimeZone: 'UTC' };
}

it.each([
	[
		'a rule: a retry stops there again',
		{ allowedCountries: 'GB' },
		'a retry stops at this item',
		1,
	],
	['a rule, where no others are left', { allowedCountries: 'GB' }, 'a retry is refused as well', 0],
	['the time: a retry sends it later', hoursOfLondon(), 'was not sent, use Retry in the list', 0],
])('the error says how to send what is refused by %s', async (_, policy, advice, others) => {
	const items = ['+447700900001', '+12125550123', '+447700900002']
		.slice(0, 2 + others)
		.map((phoneNumber) => ({ phoneNumber }));
	const limits = { sendingPolicy: true, concurrentRequests: 1 };
	const { error, requests } = await run(sendEach, {
		items,
		credential: credential({ ...limits, ...policy }),
	});
	expect(requests).toHaveLength(1);
	expect(error?.description).toContain('Sent: item 0. Not sent: item');
	expect(error?.description).toContain(advice);
	expect(/the others/i.test(String(error?.description))).toBe(others > 0);
});

const AMERICANS = ['+12125550123', '+12125550124'];
/** 12:00 in London, 7:00 in New York. */
const NOON = { startDateTime: '2098-05-14T11:00:00Z' };

/** Ways to leave Americans out on purpose, with what the reason and the hint say. */
const ON_PURPOSE = [
	{
		options: { doNotContactNumbers: AMERICANS.join() },
		policy: {},
		reason: 'in "Do Not Contact"',
		counted: 'on a do-not-contact list',
	},
	{
		options: { outsideSendingHours: 'skip' },
		policy: {
			...{ sendingPolicy: true, sendingHoursFrom: '09:00', sendingHoursTo: '20:00' },
			...{ serviceConventions: true, serviceTimeZone: 'UTC' },
		},
		reason: 'outside the sending hours',
		counted: 'outside the sending hours',
	},
];

describe('a list or a file in an item of which everybody is left out', () => {
	const lists = [['+447700900001'], AMERICANS, ['+447700900004']];
	const items = lists.map((list) => ({ list }));
	const files = lists.map((list) => Buffer.from(['phoneNumber', ...list].join('\n')));
	const sources = [
		['a list', { contactsSource: 'json', contactsJson: '={{ $json.list }}' }],
		['a file', { contactsSource: 'file' }],
	] as const;
	const cases = ON_PURPOSE.flatMap(({ options, ...way }) =>
		sources.map(([from, source]) => ({
			...{ ...way, from },
			parameters: { ...create, ...NOON, ...source, options },
		})),
	);

	it.each(cases)(
		'is left out like a row, and stops no other: $from, $counted',
		async ({ policy, parameters, reason, counted }) => {
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				const given = { items, files, onError, credential: credential(policy) };
				const { error, items: output, hints } = await run(parameters, given);
				expect(error).toBeUndefined();
				expect(output.map(({ json }) => json.sent)).toEqual(['yes', 'no', 'yes']);
				expect(output[1]?.json).toMatchObject({
					skipped: true,
					reason: 'Left out: None of 2 is left to send to.',
					description: expect.stringContaining(reason),
				});
				expect(hints[0]).toContain(`Left out 2 of 4 rows: 2 ${counted}.`);
			}
		},
	);

	it.each(cases)(
		'is not among the rows that an error names: $from, $counted',
		async ({ policy, parameters }) => {
			const invalid = [...lists.slice(1, 2), ['1']];
			const { error } = await run(parameters, {
				items: invalid.map((list) => ({ list })),
				files: invalid.map((list) => Buffer.from(['phoneNumber', ...list].join('\n'))),
				credential: credential(policy),
			});
			expect(error?.message).toContain('Contacts include 1 invalid or duplicate');
			expect(error?.description).not.toContain('all left out');
			expect(error?.context?.itemIndex).toBe(1);
		},
	);

	it.each(sources)('fails if all of them are invalid: %s', async (_, source) => {
		const { error, requests } = await run(
			{ ...create, ...source, options: { unusable: 'skip' } },
			{ items: [{ list: ['1', '2'] }], files: [Buffer.from('phoneNumber\n1\n2')] },
		);
		expect(error?.message).toBe('Contacts are all left out');
		expect(error?.description).toMatch(/For the first of them, the phone number [^.]*\(1\)/);
		expect(requests).toEqual([]);
	});
});

it.each(ON_PURPOSE)(
	'a campaign of which everybody is left out is no failure, and says so of each row: $counted',
	async ({ options, policy, reason }) => {
		const items = AMERICANS.map((phoneNumber) => ({ phoneNumber }));
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			const parameters = { ...create, ...NOON, options };
			const result = await run(parameters, { items, onError, credential: credential(policy) });
			expect(result.error).toBeUndefined();
			const output = onError === 'stopWorkflow' ? result.items : result.errorItems;
			expect(output.map(({ json }) => [json.skipped, json.reason])).toEqual(
				items.map(() => [true, `Left out: The phone number is ${reason}.`]),
			);
			expect(result.requests).toEqual([]);
		}
	},
);

it.each(ON_PURPOSE)(
	'a dry run counts those who are left out on purpose as skipped, not as invalid: $counted',
	async ({ options, policy }) => {
		const { items: output } = await run(
			{ ...create, ...NOON, options, dryRun: true },
			{
				items: AMERICANS.map((phoneNumber) => ({ phoneNumber })),
				credential: credential(policy),
			},
		);
		expect(output[0]?.json).toMatchObject({ details: { invalidCount: 0, skippedCount: 2 } });
	},
);

describe('what a list that was sent in part says', () => {
	const list = {
		...create,
		contactsSource: 'json',
		contactsJson: rows.map(({ phoneNumber }) => phoneNumber),
		options: { perCampaign: 2 },
	};
	const settings = { items: [{}], onError: 'continueErrorOutput' as const };

	it('names the entries that were not sent, and the campaigns that were', async () => {
		await sandbox().fault({ skip: 1, fault: { kind: 'status', status: 400 } });
		const { items, errorItems } = await run(list, settings);
		expect([items.length, errorItems.length]).toEqual([0, 1]);
		expect(errorItems[0]?.json).toMatchObject({
			sent: 'possibly',
			reason: expect.stringMatching(/^Sent in part: /),
			description: expect.stringContaining('Not sent: entries 3 to 4 of the list.'),
			created: [{ campaign: 1 }, { campaign: 3 }],
		});
		expect(errorItems[0]?.json.description).not.toMatch(/[Pp]ossibly|may have/);
	});

	it('is why its retry failed, where that has sent none of the rest', async () => {
		await sandbox().fault({ fault: { kind: 'cutAfterAccept' } });
		await sandbox().fault({ skip: 1, fault: { kind: 'status', status: 400 } });
		const { error } = await run(list, {
			items: [{}],
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(error).toMatchObject({ httpCode: '400' });
		expect(error?.description).toContain('Possibly sent: entries 1 to 2 of the list.');
	});

	it('is said of no file that was sent whole', async () => {
		await sandbox().fault({ skip: 1, fault: { kind: 'status', status: 400 } });
		const file = Buffer.from('phoneNumber\n+447700900000\n+447700900001\n');
		const { error } = await run(
			{ ...create, contactsSource: 'file' },
			{ items: [{}, {}], files: [file, file] },
		);
		expect(error?.description).toContain('Sent: item 0. Not sent: item 1.');
		expect(error?.description).not.toContain('of the file');
	});

	it('is nothing of left out entries or one phone number, where it has none', async () => {
		const { items } = await run(list, settings);
		expect(items[0]?.json).not.toHaveProperty('skippedCount');
		await sandbox().fault({ fault: { kind: 'status', status: 400 } });
		const { errorItems } = await run(list, settings);
		expect(errorItems[0]?.json).not.toHaveProperty('phoneNumber');
	});

	it('is in its error item what the error says', async () => {
		const contactsJson = [...list.contactsJson, 'none', ...list.contactsJson];
		const { error } = await run({ ...list, contactsJson }, { items: [{}] });
		const { errorItems } = await run({ ...list, contactsJson }, settings);
		expect(errorItems.map(({ json }) => json.error)).toEqual([error?.message]);
	});

	it('names the entries that were possibly sent', async () => {
		await sandbox().fault({ skip: 1, fault: { kind: 'status', status: 500 } });
		await sandbox().fault({ skip: 1, fault: { kind: 'status', status: 400 } });
		const { errorItems } = await run(list, settings);
		expect(errorItems[0]?.json).toMatchObject({
			sent: 'possibly',
			reason: expect.stringMatching(/^Possibly sent: /),
			description: expect.stringMatching(
				/Possibly sent: entries \d to \d of the list\. Check in the service .* Not sent: entries \d to \d of the list\./,
			),
		});
	});
});

it('a webhook URL that is refused is the last one: those behind it are not sent', async () => {
	await sandbox().fault({ fault: { kind: 'status', status: 400 } });
	const { error, requests } = await run(
		{ resource: 'webhook', operation: 'set', webHookUrl: '={{ $json.url }}' },
		{ items: ['one', 'two'].map((name) => ({ url: `https://example.com/${name}` })) },
	);
	expect(error?.message).toBeDefined();
	expect(requests.map(({ url }) => /(one|two)/.exec(decodeURIComponent(url))?.[0])).toEqual([
		'one',
	]);
});

it.each([
	['some of its items were sent', 1],
	['it sent nothing, while others of its runs may have', 0],
])('a sub-workflow says that a retry of its parent sends again: %s', async (_, skip) => {
	await sandbox().fault({ skip, fault: { kind: 'status', status: 400 } });
	const { error } = await run(send, { items: rows, mode: 'integrated' });
	expect(error?.description).toContain(
		'Run only the items that were not sent: a retry of the parent workflow sends all of them again.',
	);
	expect(error?.description).not.toContain('use Retry');
});

it('a sub-workflow whose items were all possibly sent says that a retry of its parent sends again', async () => {
	await sandbox().fault({ times: 'always', fault: { kind: 'status', when: 'after', status: 502 } });
	const { error } = await run(send, { items: rows.slice(0, 1), mode: 'integrated' });
	expect(error?.description).toMatch(
		/Possibly sent: item 0\. Check in the service before sending again\. A retry of the parent workflow sends all of them again\.$/,
	);
});

const store = { resource: 'phoneNumberStorage', operation: 'create', storageID: '={{ $json.id }}' };
const webHookUrl = '=https://n8n.test/{{ $json.id }}';
const setUrl = { resource: 'webhook', operation: 'set', webHookUrl };
it.each([
	['a number', { ...store, number: '+447700900123' }, 400, 'Done: item 0. Not done: items 1 to 2'],
	['a webhook URL', setUrl, 502, 'Done: item 0. Possibly done: item 1. Not done: item 2.'],
])('an error does not speak of sending where nothing is sent: %s', async (...row) => {
	const [, parameters, status, done] = row;
	for (const mode of ['manual', 'integrated'] as const) {
		await sandbox().reset();
		await sandbox().fault({ skip: 1, times: 'always', fault: { kind: 'status', status } });
		const items = ['a', 'b', 'c'].map((id) => ({ id }));
		const { error } = await run(parameters, { items, mode });
		expect(error?.description).toContain(done);
		expect(error?.description).not.toMatch(/\b(send|sent|sends|sending)\b/i);
	}
});

it.each([
	['smsMessage', 'send', 404],
	['smsMessage', 'getAll', 404],
	['webhook', 'remove', 408],
	['smsMessage', 'getAll', 408],
	['phoneNumberStorage', 'getAll', 413],
] as const)('the advice after a status fits the operation: %s %s, %i', async (...row) => {
	const [resource, operation, status] = row;
	await sandbox().fault({ times: 'always', fault: { kind: 'status', status } });
	const { error } = await run({ ...send, resource, operation }, { items: rows.slice(0, 1) });
	expect(error?.description).not.toMatch(/Check the ID in|fewer items|Shorten the message|send/);
});

it('Simplify leaves an object that it does not know as it is', async () => {
	const server = await startServer((_request, response) => {
		response.setHeader('content-type', 'application/json');
		response.end('{"unexpected":{"a":1}}');
	});
	const { items, error } = await run(
		{ resource: 'smsMessage', operation: 'get', messageId: '7', simple: true },
		{ credential: credential({ baseUrl: server.url }) },
	);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toEqual([{ unexpected: { a: 1 } }]);
});

describe('what an agent reads of a failure', () => {
	const asTool = {
		settings: { type: 'messagingServiceTool' },
		onError: 'continueRegularOutput',
	} as const;

	it.each([
		[
			{ kind: 'status', status: 500 },
			{ httpStatus: 500, sent: 'possibly' },
			'check in the service',
		],
		[{ kind: 'cutAfterAccept' }, { sent: 'possibly' }, 'check in the service'],
		[
			{ kind: 'status', status: 400, body: { errors: { sender: ['unknown'] } } },
			{ httpStatus: 400, sent: 'no', field: 'Sender', error: 'Sender: unknown' },
			'This request was not accepted.',
		],
	])('%j', async (fault, expected, advice) => {
		await sandbox().fault({ fault });
		const { items, error } = await run(sendMessage, asTool);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(items[0]?.json).toMatchObject({
			error: expect.any(String),
			description: expect.stringContaining(advice),
			...expected,
		});
	});
});

it('Retry On Fail keeps the status of the first try, and no words of the service', async () => {
	await sandbox().fault({ fault: { kind: 'status', status: 500, body: { message: 'Blocked' } } });
	const { error, run: data } = await run(sendMessage, {
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
	expect(error?.message).toBe('Possibly sent before');
	expect(error?.description).toContain('The service responded with status 500.');
	expect(JSON.stringify(data.data.executionData?.contextData)).not.toContain('Blocked');
});

it.each([
	['Filters', 'filters', 'pageIndex', getAll],
	['Filters', 'filters', 'pageSize', getAll],
	['Filters', 'filters', 'pageIndex', getSummary],
	['Filters', 'filters', 'pageSize', getSummary],
	['Sorting', 'sorting', 'pageIndex', getAll],
])('%s cannot set a parameter of paging: %s %s', async (label, field, name, parameters) => {
	const value = { parameter: [{ name: ` ${name} `, value: '2' }] };
	const { error, requests } = await run({ ...parameters, [field]: value });
	expect(error?.message).toBe(`${label} cannot set "${name}"`);
	expect(requests).toEqual([]);
});

it.each([
	['key', 'key'],
	['subscription-key-of-our-gateway', 'subscription-key-of-our-g...'],
])(
	'a filter must not have the name of the query parameter that authenticates: %s',
	async (name, named) => {
		const { error, requests } = await run(
			{ ...getAll, filters: { parameter: [{ name, value: 'mine' }] } },
			{
				credential: credential({ authentication: 'query', queryName: name, querySecret: 's-4711' }),
			},
		);
		expect(error?.message).toBe(`The credential and the node both set "${named}" in the query`);
		expect(requests).toEqual([]);
	},
);

it.each([
	[5, ''],
	[6, ' And 1 more.'],
	[9, ' And 4 more.'],
])(
	'of %i rows that cannot be sent, each for its own reason, five are named',
	async (count, more) => {
		const wrong = Array.from({ length: count }, (_, row) => `number ${'x'.repeat(row + 1)}`);
		const items = [...rows, ...wrong.map((phoneNumber) => ({ phoneNumber }))];
		const { error, requests } = await run(send, { items });
		expect(error?.message).toBe(`${count} of ${items.length} rows cannot be sent`);
		const named = wrong.slice(0, 5).map((text, index) => {
			const from = index === 0 ? ' (from 0)' : '';
			return `Item ${rows.length + index}${from}: Phone Number is not a single number (${text}).`;
		});
		expect(error?.description?.startsWith(`${named.join(' ')}${more} `)).toBe(true);
		expect(error?.description?.includes(' more.')).toBe(more !== '');
		expect(requests).toEqual([]);
	},
);

it.each([
	['as it is', 'n'.repeat(30), 'n'.repeat(30)],
	['cut', 'n'.repeat(31), `${'n'.repeat(30)}...`],
	['on one line', 'none\nat all', 'none at all'],
])('the title of an error shows a value %s', async (_, defaultCountry, shown) => {
	const { error } = await run({ ...sendMessage, options: { defaultCountry } });
	expect(error?.message).toBe(`Default Country is not a country code (${shown})`);
});

it.each([
	['nickname of contact', 'nickname of contac'],
	['nickname', 'nickname'],
])('an entry with an unknown field is refused by its name: %s', async (name, shown) => {
	const entries = [{ phoneNumber: rows[0]?.phoneNumber }, { [name]: 'x' }];
	const typed = { ...create, contactsSource: 'json', contactsJson: entries };
	const { error, requests } = await run(typed, { items: [{}] });
	expect(error?.message).toBe(`Contacts (JSON) has an unknown field "${shown}" (entry 2)`);
	expect(error?.description).toMatch(/^The fields of an entry are phoneNumber, /);
	expect(requests).toEqual([]);
});

it('entries of a list are counted from 1 everywhere, items from 0', async () => {
	const numbers = ['+447700900001', '+447700900001', ''];
	const options = { duplicates: 'skip', unusable: 'skip' };
	const skippedOf = async (parameters: IDataObject, items: IDataObject[]) => {
		const { items: output } = await run({ ...create, ...parameters, options }, { items });
		return (output[0]?.json.skipped as IDataObject[]).map((each) => omit(each, 'advice'));
	};
	const contactsJson = JSON.stringify(numbers);
	expect(await skippedOf({ contactsSource: 'json', contactsJson }, [{}])).toEqual([
		{ entry: 2, phoneNumber: numbers[0], reason: 'the phone number is a duplicate of entry 1' },
		{ entry: 3, reason: 'the row is blank' },
	]);
	const items = numbers.map((phoneNumber) => ({ phoneNumber, name: 'Ann' }));
	expect(await skippedOf({}, items)).toEqual([
		{ itemIndex: 1, phoneNumber: numbers[0], reason: 'the phone number is a duplicate of item 0' },
		{ itemIndex: 2, phoneNumber: '', reason: 'this row has no phone number' },
	]);
});
