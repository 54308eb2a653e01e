import type { IDataObject } from 'n8n-workflow';
import { runAction } from '../support/engine';
import { modelSuite } from '../support/modelSuite';
import { voiceParameters } from '../support/voiceCampaign';

/** Each text that reaches people is looked at, wherever it comes from. */
const { service, credential } = modelSuite();

const phone = '+447700900123';
const sms = { resource: 'smsMessage', operation: 'send', sender: 'Shop', phoneNumber: phone };
const campaign = { resource: 'smsCampaign', operation: 'create', message: 'Sale', sender: 'Shop' };
const update = {
	...{ resource: 'smsCampaign', operation: 'update' },
	campaignId: { mode: 'id', value: 'c7' },
};

const run = async (parameters: IDataObject, items: IDataObject[] = [{}], more: object = {}) =>
	await runAction({ credential, parameters, items, ...more });

/** Each text, with the name that errors have for it. */
const places: [string, (text: string) => [IDataObject, IDataObject[]]][] = [
	['Message', (message) => [{ ...sms, message }, [{}]]],
	['Sender', (sender) => [{ ...sms, message: 'Hi', sender }, [{}]]],
	['Message', (message) => [{ ...campaign, message }, [{ phoneNumber: phone }]]],
	['Message', (message) => [{ ...update, updateFields: { message } }, [{}]]],
	['Sender', (sender) => [{ ...update, updateFields: { sender } }, [{}]]],
	['Name', (name) => [campaign, [{ phoneNumber: phone, name }]]],
	['Custom 1', (custom1) => [campaign, [{ phoneNumber: phone, custom1 }]]],
	['Custom 2', (custom2) => [campaign, [{ phoneNumber: phone, custom2 }]]],
	['Name', (name) => [voiceParameters, [{ phoneNumber: phone, name }]]],
	['Parameter 3', (parameter3) => [voiceParameters, [{ phoneNumber: phone, parameter3 }]]],
	[
		'Parameter 4',
		(value) => [
			{
				...{ ...voiceParameters, phoneNumbersSource: 'json' },
				phoneNumbersJson: [{ number: phone, parameters: [{ parameter: 4, value }] }],
			},
			[{}],
		],
	],
];

describe.each(places)('%s', (label, at) => {
	it.each(['#N/A', '#WERT!', '[object Object]', 'Zo\ufffd', 'Hi {{ $json.name }}'])(
		'%j is refused before anything is sent',
		async (text) => {
			const { error } = await run(...at(text));
			expect(`${error?.message} ${error?.description}`).toContain(`${label} contains`);
			expect(service.accepted).toEqual([]);
		},
	);

	it.each(['ZoÃ«', 'Don&#39;t', 'Hi [First Name]', '2026-11-27T09:00:00.000Z'])(
		'%j is sent, and a warning and a hint say so',
		async (text) => {
			const result = await run(...at(text));
			expect(result.error).toBeUndefined();
			expect(result.items[0]?.json.warnings).toEqual([
				expect.stringContaining(`${label} contains`),
			]);
			expect(result.hints).toContainEqual(expect.stringContaining(`${label} contains`));
		},
	);
});

it.each([' Shop ', 'Shop\n', '\u00a0Shop\t'])(
	'the sender %j is sent without what a cell has around it',
	async (sender) => {
		const typed = { sender: '={{ $json.sender }}', message: 'Hi' };
		await run({ ...sms, ...typed }, [{ sender }]);
		await run({ ...campaign, ...typed }, [{ phoneNumber: phone, sender }]);
		await run({ ...update, updateFields: typed }, [{ sender }]);
		expect(service.accepted.map(({ body }) => body.sender)).toEqual(['Shop', 'Shop', 'Shop']);
	},
);

describe('the link that a campaign tracks', () => {
	const link = { phoneNumber: phone };
	const create = (trackLinkUrl: string, item: IDataObject = link) =>
		run({ ...campaign, additionalFields: { trackLinkUrl } }, [item]);

	it.each([
		['#N/A', 'Track Link URL contains "#N/A"'],
		[
			'https://shop.example.com/{{ $json.id }}',
			'Track Link URL contains the expression {{ $json.id }}',
		],
		['https://shop.example.com/[object Object]', 'Track Link URL contains [object Object]'],
		['null', 'Track Link URL is not a link (null)'],
		['www.example.com/sale', 'Track Link URL is not a link (www.example.com/sale)'],
		['https://', 'Track Link URL is not a link (https://)'],
		['mailto:ann@example.com', 'Track Link URL is not a link (mailto:ann@example.com)'],
	])('is refused before anything is sent, if nobody can open it: %s', async (url, title) => {
		const created = await create(url);
		const updated = await run({ ...update, updateFields: { trackLinkUrl: url } });
		expect([created.error?.message, updated.error?.message]).toEqual([title, title]);
		expect(service.accepted).toEqual([]);
	});

	it('is sent with a warning where an expression found nothing for a part of it', async () => {
		const trackLinkUrl = '=https://shop.example.com/?c={{ $json.code }}';
		const updated = await run({ ...update, updateFields: { trackLinkUrl } });
		for (const { items } of [await create(trackLinkUrl), updated]) {
			expect(items[0]?.json).toMatchObject({
				sent: 'yes',
				warnings: [
					'Track Link URL has nothing in place of {{ $json.code }}. Check the name of the field, and that it has a value in each row.',
				],
			});
		}
	});

	it.each([
		'https://shop.example.com/?a=b&c=ü#top',
		'HTTP://shop.example.com',
		'https://shop.example.com/?p={{custom1}}',
	])('is sent as it is: %s', async (url) => {
		await create(url);
		await run({ ...update, updateFields: { trackLinkUrl: url } });
		expect(service.accepted.map(({ body }) => body.trackLinkUrl)).toEqual([url, url]);
	});
});

describe('a placeholder', () => {
	const forms = ['Hi {{name}}', 'Hi {{ name }}', 'Hi ${name}'];

	it.each(['message', 'sender'].flatMap((field) => forms.map((text) => ({ field, text }))))(
		'$text is refused in the $field of a single message, and sent if the user says so',
		async ({ field, text }) => {
			const parameters = { ...sms, message: 'Hi', [field]: text };
			const { error } = await run(parameters);
			expect(error?.message).toMatch(/^(Message|Sender) contains the placeholder [{$]/);
			expect(error?.message.toLowerCase()).toContain(field);
			expect(service.accepted).toEqual([]);
			await run({ ...parameters, options: { sendPlaceholders: true } });
			expect(service.accepted.map(({ body }) => body[field])).toEqual([text]);
		},
	);

	it.each(forms)('%s is sent in a campaign, with a warning', async (message) => {
		const { items } = await run({ ...campaign, message }, [{ phoneNumber: phone }]);
		expect(items[0]?.json).toMatchObject({ sent: 'yes', warnings: [expect.any(String)] });
	});

	it('of codes and prices is none', async () => {
		await run({ ...sms, message: 'Code {SAVE20}, ${5} off, {{50}}' });
		expect(service.accepted).toHaveLength(1);
	});
});

it('an error of a sheet leaves out its contact where invalid ones are skipped', async () => {
	const options = { unusable: 'skip' };
	const { items } = await run({ ...campaign, options }, [
		{ phoneNumber: phone, name: '#NAME?' },
		{ phoneNumber: '+447700900124', name: 'Ann' },
	]);
	expect(items[0]?.json).toMatchObject({ recipients: 1, skippedCount: 1 });
});

it.each(['#NAME?', '[object Object]', 'Hi {{ $json.name }}'])(
	'a row of a file with %j is left out where invalid ones are skipped, and no other row is',
	async (name) => {
		const lines = ['Ann', name, 'Cem'].map((each, row) => `+44770090012${row},${each}`);
		const file = Buffer.from(['phoneNumber,name', ...lines, ''].join('\n'));
		const parameters = { ...campaign, contactsSource: 'file', options: { unusable: 'skip' } };
		const { items } = await run(parameters, [{}], { files: [file] });
		expect(service.accepted.map(({ body }) => body.contacts)).toEqual([
			[
				{ phoneNumber: '+447700900120', name: 'Ann' },
				{ phoneNumber: '+447700900122', name: 'Cem' },
			],
		]);
		expect(items[0]?.json).toMatchObject({ recipients: 2, problemsCount: 1 });
	},
);

describe('warnings name the first row, and what it says', () => {
	const rows = ['Ann', 'N/A', 'TEST'].map((name, index) => ({
		...{ name, phoneNumber: `+44770090012${index}` },
	}));

	it('of messages', async () => {
		const message = '=Hello {{ $json.name }}, come in';
		const { items, ...result } = await run({ ...sms, message, dryRun: true }, rows);
		expect(items.map(({ json }) => json.warnings)).toEqual([
			undefined,
			['Message contains a greeting of nobody (Hello N/A,). Check the column with the names.'],
			['Message contains a greeting of nobody (Hello TEST,). Check the column with the names.'],
		]);
		expect(result.hints[1]).toBe(
			'Item 1: Message contains a greeting of nobody (Hello N/A,). Check the column with the names. (and 1 other warning: see "warnings" in the items)',
		);
	});

	/** Three names in each order of ordinary ones and of those that are none, and what is said of them. */
	const orders = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => {
		const names = ['Ann', 'Bob', 'Cem'].map((name, row) => ((bits >> row) & 1 ? 'N/A' : name));
		const odd = names.flatMap((name, row) => (name === 'N/A' ? [row] : []));
		const more = odd.length > 1 ? ` Something looks wrong in ${odd.length} rows.` : '';
		return { names, first: odd[0], more };
	});
	const saysOf = (place: string, more: string) => [
		`In ${place}, Name contains no name (N/A). Leave the cell empty, or write a name.${more}`,
	];

	it.each(orders)('of the contacts $names', async ({ names, first, more }) => {
		const people = names.map((name, row) => ({ name, phoneNumber: `+44770090012${row}` }));
		const result = await run(campaign, people);
		const warnings = first === undefined ? undefined : saysOf(`item ${first}`, more);
		expect(result.items[0]?.json.warnings).toEqual(warnings);
		expect(result.hints).toEqual(warnings ?? []);
	});

	it('of each kind, whichever row has it', async () => {
		const people = [
			{ name: 'N/A', custom1: 'ZoÃ«' },
			{ name: 'Test', custom1: 'Hello Test, come in' },
			{ name: 'Ann', custom1: '{{name}}' },
		].map((each, row) => ({ ...each, phoneNumber: `+44770090012${row}` }));
		const { items } = await run(campaign, people);
		expect(items[0]?.json.warnings).toEqual([
			'In item 0, Name contains no name (N/A). In item 0, Custom 1 contains wrongly decoded letters (ZoÃ«). In item 1, Custom 1 contains a greeting of nobody (Hello Test,). In item 2, Custom 1 contains a placeholder ({{name}}). Something looks wrong in 3 rows.',
		]);
	});

	it('of five kinds, and count the rows of others', async () => {
		const texts = ['{{name}}', 'ZoÃ«', 'Hello Test, come in'];
		const people = ['custom1', 'custom2'].flatMap((column) =>
			texts.map((text) => ({ [column]: text })),
		);
		const numbered = people.map((each, row) => ({ ...each, phoneNumber: `+44770090012${row}` }));
		const { items } = await run(campaign, numbered);
		const [warning] = items[0]?.json.warnings as string[];
		expect(warning?.match(/In item \d/g)).toEqual([0, 1, 2, 3, 4].map((row) => `In item ${row}`));
		expect(warning).toMatch(/ Something looks wrong in 6 rows\.$/);
	});

	it.each(orders)('of the rows $names of a file', async ({ names, first, more }) => {
		const lines = names.map((name, row) => `+44770090012${row},${name}`);
		const file = Buffer.from(['phoneNumber,name', ...lines, ''].join('\n'));
		const result = await run({ ...campaign, contactsSource: 'file' }, [{}], { files: [file] });
		const warnings = first === undefined ? undefined : saysOf(`line ${first + 2}`, more);
		expect(result.items[0]?.json.warnings).toEqual(warnings);
	});
});

test('what an agent writes around a text is a warning for it', async () => {
	const message = 'Here is your SMS: **Sale** today';
	const byHand = await run({ ...sms, message });
	expect(byHand.items[0]?.json).not.toHaveProperty('warnings');
	const byAgent = await run({ ...sms, message }, [{}], {
		settings: { type: 'messagingServiceTool' },
	});
	expect(byAgent.items[0]?.json.warnings).toHaveLength(2);
});
