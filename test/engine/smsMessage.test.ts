import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import {
	actionSuite,
	byId,
	onTheWire,
	sendMessage,
	type ActionParameters,
	createCampaign,
} from '../support/actionSuite';
import { serversOfTest } from '../support/servers';

const startServer = serversOfTest();
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const { bodies, credential, describeOperation, run, sandbox } = actionSuite();

const send = {
	...sendMessage,
	phoneNumber: '={{ $json.phone }}',
	message: '=Hello {{ $json.name }}',
};

/** Sends messages on the service itself and gives what it then knows of them. */
async function sentMessages(count: number): Promise<IDataObject[]> {
	for (let index = 0; index < count; index++) {
		await sandbox().api.post('/api/SMSMessages', {
			message: `Text ${index}`,
			sender: 'Shop',
			phoneNumber: `+44770090020${index}`,
		});
	}
	await sandbox().idle();
	const { data } = await sandbox().api.get<{ items: IDataObject[] }>('/api/SMSMessages');
	return data.items;
}

const SIMPLIFIED = [
	...['id', 'newId', 'phoneNumber', 'senderNumber', 'message', 'status'],
	...['smsCount', 'price', 'dateCreated', 'campaignId'],
];

/** A message that was delivered, with the name of its status. */
const simplified = (message: IDataObject = {}) => ({
	...pick(message, SIMPLIFIED),
	...{ status: 'Delivered', statusCode: 1 },
});

describeOperation('smsMessage', 'send', () => {
	it('sends one message per input item and outputs its GUID, in order', async () => {
		const people = Array.from({ length: 25 }, (_, index) => ({
			phone: `+4477009001${String(index).padStart(2, '0')}`,
			name: `Person ${index}`,
		}));
		const { items, error } = await run(send, { items: people });

		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(people.map((_, item) => ({ item })));
		for (const { json } of items) expect(json.newId).toMatch(GUID);
		expect(new Set(items.map(({ json }) => json.newId)).size).toBe(people.length);
		const sent = (await bodies('sendSmsMessage')) as { phoneNumber: string }[];
		expect(sent).toHaveLength(people.length);
		expect(sent).toContainEqual({
			phoneNumber: '+447700900107',
			message: 'Hello Person 7',
			sender: 'Shop',
		});
	});

	it('reads a dot in an expression as n8n does, also beside a column with that name', async () => {
		const customer = { phone: '+447700900222', name: 'Ada' };
		const other = { 'customer.phone': '+447700900111', 'customer.name': 'Bob' };
		const fields = {
			phoneNumber: '={{ $json.customer.phone }}',
			message: '={{ $json.customer.name }}',
		};
		const { errorItems } = await run(
			{ ...send, ...fields },
			{ items: [{ ...other, customer }, other], onError: 'continueErrorOutput' },
		);
		expect(await bodies('sendSmsMessage')).toMatchObject([
			{ phoneNumber: customer.phone, message: customer.name },
		]);
		expect(errorItems).toMatchObject([{ json: { sent: 'no' } }]);
	});

	it('gives each item a voucher code of its own, by an expression that names no input field', async () => {
		const items = Array.from({ length: 5 }, () => ({}));
		await run(
			{ ...send, phoneNumber: '+447700900123', message: '=Code {{ Math.random() }}' },
			{ items },
		);
		const sent = (await bodies('sendSmsMessage')) as { message: string }[];
		expect(new Set(sent.map(({ message }) => message)).size).toBe(5);
	});
});

describeOperation('smsMessage', 'get', () => {
	const get = { resource: 'smsMessage', operation: 'get', messageId: '={{ $json.id }}' };

	it('puts the ID behind the path without a slash, as the interface writes it', async () => {
		const [message] = await sentMessages(1);
		const { items, requests } = await run(
			{ ...get, simple: false },
			{ items: [{ id: message?.newId }] },
		);
		expect(requests.map(onTheWire)).toEqual([
			{ line: `GET /api/SMSMessages${String(message?.newId)}`, body: null },
		]);
		expect(items).toEqual([{ json: message, pairedItem: { item: 0 } }]);
		expect(Object.keys(items[0]?.json ?? {})).toHaveLength(14);
	});

	it('simplifies unless told not to, and takes the number of a message as well', async () => {
		const messages = await sentMessages(2);
		const { items } = await run(get, { items: messages.map(({ id }) => ({ id })) });
		expect(items).toEqual(
			messages.map((message, item) => ({ json: simplified(message), pairedItem: { item } })),
		);
	});

	it('completes a number without country code by the Default Country of the credential', async () => {
		const [message] = await sentMessages(1);
		const server = await startServer((_, response) => {
			response.end(JSON.stringify({ ...message, phoneNumber: '07700 900123' }));
		});
		const { items } = await run(get, {
			items: [{ id: 1 }],
			credential: credential({ baseUrl: server.url, defaultCountry: 'GB' }),
		});
		expect(items[0]?.json.phoneNumber).toBe('+447700900123');
	});

	const two = (message?: IDataObject) => pick(message, ['status', 'dateReceived']);
	it.each([
		['simplified', [], simplified],
		['selectedFields', ['status', 'dateReceived'], two],
		['selectedFields', 'status, dateReceived', two],
	])('returns to an agent what Output says: %s %j', async (output, outputFields, expected) => {
		const [message] = await sentMessages(1);
		const chosen = { ...get, output, outputFields };
		const { items } = await run(chosen, {
			items: [{ id: message?.newId }],
			settings: { type: 'messagingServiceTool' },
		});
		expect(items.map(({ json }) => json)).toEqual([expected(message)]);
	});

	it('returns all fields to an agent that wants the raw output', async () => {
		const [message] = await sentMessages(1);
		const { items } = await run(
			{ ...get, output: 'raw' },
			{ items: [{ id: message?.newId }], settings: { type: 'messagingServiceTool' } },
		);
		expect(items.map(({ json }) => json)).toEqual([message]);
	});

	it('is looked for with a slash before its ID as well', async () => {
		const { error, requests } = await run(get, { items: [{ id: 'x/1' }] });
		expect(error?.message).toMatch(/found nothing at this address/);
		expect(requests.map(({ url }) => url)).toEqual([
			...['/api/SMSMessagesx%2F1', '/api/SMSMessages/x%2F1'],
		]);
	});

	it('refuses an empty ID before sending: that would be the list', async () => {
		const { error, requests } = await run(get, { items: [{ id: ' ' }] });
		expect(error?.message).toBe('Message ID is empty');
		expect(requests).toEqual([]);
	});
});

describeOperation('smsMessage', 'getAll', () => {
	const getAll = { resource: 'smsMessage', operation: 'getAll' };

	it('outputs every field as received', async () => {
		const messages = await sentMessages(3);
		const { items, requests } = await run({ ...getAll, simple: false });
		expect(items).toEqual(messages.map((json) => ({ json, pairedItem: { item: 0 } })));
		expect(requests.map(onTheWire)).toEqual([
			{ line: 'GET /api/SMSMessages?pageSize=50', body: null },
		]);
	});

	it('simplifies unless told not to', async () => {
		const messages = await sentMessages(2);
		const { items } = await run(getAll);
		expect(items.map(({ json }) => json)).toEqual(messages.map((message) => simplified(message)));
	});
});

describe('a response that is no GUID', () => {
	it.each(['Error: insufficient credit', 'null', 0])(
		'%j to Send is an error: possibly sent',
		async (body) => {
			await sandbox().fault({ fault: { kind: 'unexpectedBody', body } });
			const { error, items, requests } = await run(sendMessage);
			expect(items).toEqual([]);
			expect(error?.message).toMatch(/^The response of the service is not a GUID/);
			expect(error?.description).toMatch(/may have been accepted/);
			expect(error?.description).toContain(String(body));
			expect(requests).toHaveLength(1);
		},
	);

	const create = {
		...{ ...createCampaign, contactsSource: 'json', contactsJson: '["+447700900123"]' },
	};
	it.each(['c56a4180-65aa-42ec-a945-5fd21dec0538', 'c7', '7', 7, 'XkqPzRab', 'deadbeef'])(
		'%j to SMS Campaign: Create is an ID',
		async (body) => {
			await sandbox().fault({ fault: { kind: 'unexpectedBody', body } });
			const { error, items } = await run(create);
			expect(error).toBeUndefined();
			expect(items[0]?.json).toMatchObject({ id: String(body), sent: 'yes' });
		},
	);
});

describe('a text with a word in the place of a missing value', () => {
	const campaign = { resource: 'smsCampaign', operation: 'update', campaignId: byId('c7') };
	const forms = (message: string): [string, ActionParameters][] => [
		['SMS Message: Send', { ...send, message }],
		['SMS Campaign: Create', { ...createCampaign, message }],
		['SMS Campaign: Update', { ...campaign, updateFields: { message } }],
	];
	const senders = (sender: string): [string, ActionParameters][] => [
		['SMS Message: Send', { ...send, sender }],
		['SMS Campaign: Create', { ...createCampaign, sender }],
		['SMS Campaign: Update', { ...campaign, updateFields: { sender } }],
	];
	const item = { phone: '+447700900124', phoneNumber: '+447700900124', none: null, age: NaN };

	it.each([
		...['undefined', 'null', 'NaN'].flatMap((word) => {
			const field = { undefined: 'name', null: 'none', NaN: 'age' }[word] ?? '';
			return forms(`={{ "Hi " + $json.${field} }}`).map((form) => [word, ...form] as const);
		}),
		[
			'undefined',
			'if the code knows the word',
			{ ...send, message: '={{ null ?? "Hi " + undefined }}' },
		],
		[
			'undefined',
			'behind $input.item',
			{ ...send, message: '={{ "Hi " + $input.item.json.name + "!" }}' },
		],
	] as const)('%s is not sent: %s', async (word, _form, parameters) => {
		const { error, requests } = await run(parameters, { items: [item] });
		expect(error?.message).toBe(`Message contains "${word}"`);
		expect(error?.description).toContain(`To send this word, put it in quotes: {{ "${word}" }}.`);
		expect(requests).toEqual([]);
	});

	it.each(['NaN', 'null', ' undefined '])('%j in a cell of its own is no value', async (cell) => {
		const { error, requests } = await run(
			{ ...send, message: '=Pay {{ $json.amount }}' },
			{ items: [{ ...item, amount: cell }] },
		);
		expect(error?.message).toBe(`Message contains "${cell.trim()}"`);
		expect(requests).toEqual([]);
	});

	it.each(senders('={{ "Shop " + $json.brand }}'))(
		'is not the sender: %s',
		async (_, parameters) => {
			const { error, requests } = await run(parameters, { items: [item] });
			expect(error?.message).toBe('Sender contains "undefined"');
			expect(requests).toEqual([]);
		},
	);

	it('Update Fields is not set as a whole by an expression, which n8n leaves out', async () => {
		const updateFields = '={{ ({ message: "Hi " + $json.name, sender: "Shop" }) }}';
		const { error, requests } = await run({ ...campaign, updateFields }, { items: [item] });
		expect(error?.message).toBe('Update Fields has no field');
		expect(requests).toEqual([]);
	});

	it.each<[string, string, IDataObject]>([
		['the surname Null', '={{ "Dear Mr " + $json.name }}', { name: 'Null' }],
		['a word of the text', '=null Prozent, {{ $json.name }}', { name: 'Ben' }],
		['a word of a fixed text', 'It is null and undefined', {}],
		['a word in quotes', "={{ 'null Prozent, ' + $json.name }}", { name: 'Ben' }],
		['a part of a word', '={{ "nullable " + $json.name }}', { name: 'undefinedness' }],
	])('%s is sent without a warning', async (_what, message, row) => {
		const { error, items } = await run({ ...send, message }, { items: [{ ...item, ...row }] });
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ sent: 'yes' });
		expect(items[0]?.json).not.toHaveProperty('warnings');
	});

	it.each(forms('={{ "Hi " + $("Input").first().json.name }}').slice(0, 2))(
		'is a warning where another node may have the word: %s',
		async (_form, parameters) => {
			const { error, items } = await run(parameters, { items: [item] });
			expect(error).toBeUndefined();
			expect(items[0]?.json.warnings).toEqual([
				'Message contains "undefined". Check that its expression finds a value for each item.',
			]);
		},
	);

	it.each(forms("=Hi {{ $json.name }}, {{ $json['shop name'] }} is open").slice(0, 2))(
		'names an empty placeholder, also in a dry run: %s',
		async (_form, parameters) => {
			for (const dryRun of [true, false]) {
				const { items } = await run(
					{ ...parameters, dryRun },
					{ items: [{ ...item, name: 'Ben' }] },
				);
				expect(items[0]?.json.warnings).toEqual([
					expect.stringMatching(
						/^Message has nothing in place of {{ \$json\['shop name'\] }}\. Check the/,
					),
				]);
			}
		},
	);

	it.each([
		'{{ $json.name.split(" ")[0] }}',
		'{{ $json.shop.name.toUpperCase() }}',
		"{{ $json['name'].trim() }}",
		"{{ $json.name?.split(' ')[0] }}",
		"{{ $json.name.replace('!', '') }}",
		"{{ [$json.phone, $json.name].join(' ') }}",
		"{{ [$json.name, $json.phone].join(' ') }}",
	])('names a placeholder whose method n8n could not call: %s', async (placeholder) => {
		const parameters = { ...send, message: `=The shop ${placeholder} is open` };
		const { items } = await run(parameters, { items: [item] });
		expect(items[0]?.json.warnings).toEqual([
			`Message has nothing in place of ${placeholder}. Check the name of the field, and that it has a value in each row.`,
		]);
		const named = { ...item, name: 'Ben', shop: { name: 'Tea' } };
		const good = await run(parameters, { items: [named] });
		expect(good.items[0]?.json).not.toHaveProperty('warnings');
	});

	it.each([
		"{{ $json.name || 'you' }}",
		"{{ $json.name ? 'Hi' : '' }}",
		"{{ [$json.first, $json.last].filter(Boolean).join(' ') }}",
		'{{ $json.größe }}',
	])(
		'says nothing of a placeholder that is filled, or decides by itself: %s',
		async (placeholder) => {
			const { items } = await run(
				{ ...send, message: `=The shop ${placeholder} is open` },
				{ items: [{ ...item, größe: 'M' }] },
			);
			expect(items[0]?.json).not.toHaveProperty('warnings');
		},
	);
});
