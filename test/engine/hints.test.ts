import type { IDataObject } from 'n8n-workflow';
import {
	type ActionOptions,
	type ActionResult,
	actionSuite,
	byId,
	createCampaign,
	sendEach,
	sendMessage,
} from '../support/actionSuite';
import { voiceBody } from '../support/voiceCampaign';

const { credential, run, sandbox } = actionSuite();

const FIX = 'The output says how to fix them.';
const AGAIN =
	'Executing again sends to the others again, unless Hours Between Texts is set in the credential.';

const create = createCampaign;
const VALID = { phoneNumber: '+447700900123' };
const OTHER = { phoneNumber: '+447700900124' };
const INVALID = { phoneNumber: 'none' };

const STOPS =
	'Without Dry Run, the others stop the node: none or only some of these are sent, unless On Error is set to continue.';

/** A list in each item, of its row. */
const lists = { ...create, contactsSource: 'json', contactsJson: '={{ [$json] }}' };

const fileOf = (rows: IDataObject[]) =>
	Buffer.from(['phoneNumber', ...rows.map(({ phoneNumber }) => phoneNumber), ''].join('\n'));

/** What the editor shows beside the output of the action node. */
function hintsOf({ run: { data } }: Pick<ActionResult, 'run'>) {
	const [task] = data.resultData.runData['Messaging Service'] ?? [];
	return task?.hints ?? [];
}

async function hints(...args: Parameters<typeof run>): Promise<string[]> {
	const result = await run(...args);
	expect(result.error).toBeUndefined();
	return result.hints;
}

it('says nothing where nothing is to be known', async () => {
	expect(await hints(create, { items: [VALID, OTHER] })).toEqual([]);
});

describe('recipients that were left out', () => {
	it('are counted under one word for several reasons, and over all lists', async () => {
		const nobody = { name: 'Ann' };
		const rows = ['none', '12', nobody, nobody, VALID.phoneNumber, '+33123456789'];
		const options = { unusable: 'skip', allowedTypes: ['mobile', 'unknown'] };
		const contactsJson = JSON.stringify(rows);
		expect(
			await hints(
				{ ...create, contactsSource: 'json', contactsJson, options },
				{ items: [{}, {}] },
			),
		).toEqual([`Left out 10 of 12 rows: 6 invalid, 4 empty. ${FIX} ${AGAIN}`]);
	});

	const items = [VALID, INVALID, VALID, OTHER, INVALID];
	const skip = { unusable: 'skip', duplicates: 'skip' };

	it('are counted', async () => {
		const contactsJson = JSON.stringify(items);
		const list = { ...create, contactsSource: 'json', contactsJson, options: skip };
		for (const found of [
			await hints({ ...create, options: skip }, { items }),
			await hints(list, { items: [{}] }),
		]) {
			expect(found).toEqual([`Left out 3 of 5 rows: 2 invalid, 1 duplicate. ${FIX} ${AGAIN}`]);
		}
	});

	it.each([
		['a campaign', create, [VALID, OTHER]],
		['one message', sendEach, [VALID, OTHER]],
	])('are those on a do-not-contact list (%s)', async (_what, parameters, rows) => {
		const options = { doNotContactNumbers: VALID.phoneNumber };
		expect(await hints({ ...parameters, options }, { items: rows })).toEqual([
			`Left out 1 of 2 rows: 1 on a do-not-contact list. ${AGAIN}`,
		]);
	});

	it('speak of no others where there are none', async () => {
		const options = { doNotContactNumbers: VALID.phoneNumber };
		expect(await hints({ ...sendEach, options }, { items: [VALID] })).toEqual([
			'Left out 1 of 1 row: 1 on a do-not-contact list.',
		]);
	});

	it.each<[string, ActionOptions, number]>([
		['were refused', { onError: 'continueRegularOutput' }, 400],
		['were simulated', { mode: 'evaluation' }, 200],
	])('speak of no sending again where the others %s', async (_, options, status) => {
		await sandbox().fault({ fault: { kind: 'status', status } });
		const parameters = { ...sendEach, options: { doNotContactNumbers: VALID.phoneNumber } };
		const [hint] = await hints(parameters, { items: [VALID, OTHER], ...options });
		expect(hint).toBe('Left out 1 of 2 rows: 1 on a do-not-contact list.');
	});

	it('are counted among all rows, those that cannot be sent included', async () => {
		const options = { doNotContactNumbers: VALID.phoneNumber };
		const items = [VALID, OTHER, INVALID];
		const onError = 'continueErrorOutput';
		expect(await hints({ ...sendEach, options }, { items, onError })).toEqual([
			`Left out 1 of 3 rows: 1 on a do-not-contact list. ${AGAIN}`,
		]);
	});
});

it('says once what the items warn of', async () => {
	const message = '=Hi {{ $json.name }}';
	expect(await hints({ ...sendEach, message }, { items: [VALID, OTHER] })).toEqual([
		'Item 0: Message has nothing in place of {{ $json.name }}. Check the name of the field, and that it has a value in each row.',
	]);
	const items = [VALID, { ...OTHER, name: 'Ann' }];
	expect(await hints({ ...sendEach, message }, { items: [...items].reverse() })).toEqual([
		'Item 1: Message has nothing in place of {{ $json.name }}. Check the name of the field, and that it has a value in each row.',
	]);
	const two = '=Hi {{ $json.name }} {{ $json.surname }}';
	expect(await hints({ ...sendEach, message: two }, { items })).toEqual([
		'Item 0: Message has nothing in place of {{ $json.name }}. Check the name of the field, and that it has a value in each row. (and 1 other warning: see "warnings" in the items)',
	]);
});

describe('a message in several parts', () => {
	const long = 'a'.repeat(100);

	it.each([
		[
			`${long}’`,
			'The message takes 2 parts instead of 1 because of characters such as "’" (U+2019).',
		],
		[
			`${long}\u200b`,
			'The message takes 2 parts instead of 1 because of characters such as U+200B.',
		],
		[
			`${long}“x”`,
			'The message takes 2 parts instead of 1 because of characters such as "“" (U+201C).',
		],
	])('names the character (%j)', async (text, wanted) => {
		for (const parameters of [
			{ ...create, message: text },
			{ ...sendMessage, message: text },
		]) {
			const [hint, ...others] = await hints(parameters, { items: [VALID] });
			expect(hint).toMatch(
				/^.*Turn on Replace Costly Characters in Options to send fewer parts\.$/,
			);
			expect(hint?.startsWith(wanted)).toBe(true);
			expect(others).toEqual([]);
		}
	});

	it('is one message, also for a list that is divided into campaigns', async () => {
		const message = `${long}’ {{name}}`;
		const divided = { ...create, message, options: { perCampaign: 1 } };
		expect(await hints(divided, { items: [VALID, OTHER] })).toEqual([
			expect.stringMatching(/^Message contains a placeholder/),
			expect.stringMatching(/^The message takes 2 parts instead of 1 because/),
		]);
	});

	it('asks for another text where plain characters do not help', async () => {
		const [hint] = await hints({ ...create, message: `${long}😀` }, { items: [VALID] });
		expect(hint).toMatch(/Replace such characters to send fewer parts\.$/);
	});

	it('takes fewer parts with Replace Costly Characters, and gives no hint', async () => {
		const text = `${long} – “it’s” half\u00a0price…`;
		const options = { replaceCharacters: true };
		await run({ ...sendMessage, message: text, options: { replaceCharacters: false } });
		const [asWritten] = (await sandbox().requests({ method: 'POST' })).items;
		expect(asWritten?.body).toMatchObject({ message: text });
		for (const parameters of [
			{ ...create, message: text, options },
			{ ...sendMessage, message: text, options },
		]) {
			await sandbox().reset();
			expect(await hints(parameters, { items: [VALID] })).toEqual([]);
			const [request] = (await sandbox().requests({ method: 'POST' })).items;
			const { message } = request?.body as { message: string };
			expect(message).toBe(`${long} - "it's" half price...`);
			const planned = await run({ ...parameters, dryRun: true }, { items: [VALID] });
			const { json = {} } = planned.items[0] ?? {};
			const length = (json.details as IDataObject | undefined)?.message ?? json;
			expect(length).toMatchObject({ encoding: 'GSM-7', parts: 1 });
		}
	});

	it.each(['a'.repeat(200), 'short ’', '’'.repeat(10)])(
		'says nothing where no character is the reason (%j)',
		async (message) => {
			expect(await hints({ ...sendMessage, message })).toEqual([]);
		},
	);
});

describe('a list that Limit cuts', () => {
	const getAll = { resource: 'voiceCampaign', operation: 'getAll', returnAll: false };
	const post = async (body: IDataObject) => {
		const { data } = await sandbox().api.post<{ id: number }>('/api/campaigns/voice', body);
		return data.id;
	};

	it('says how many there are, over all lists', async () => {
		for (const name of ['A', 'B', 'C']) await post(voiceBody({ name }) as IDataObject);
		expect(await hints({ ...getAll, limit: 2 })).toEqual([
			'Limit cut the list: 2 of 3 records returned. Turn on Return All to get everything.',
		]);
		expect(await hints({ ...getAll, limit: 2 }, { items: [{}, {}] })).toEqual([
			'Limit cut the list: 4 of 6 records returned. Turn on Return All to get everything.',
		]);
		expect(await hints({ ...getAll, limit: 3 })).toEqual([]);
		expect(await hints({ ...getAll, returnAll: true })).toEqual([]);
	});

	it('is a note beside the output; that somebody was left out is a warning', async () => {
		for (const name of ['A', 'B']) await post(voiceBody({ name }) as IDataObject);
		const skip = { ...create, options: { unusable: 'skip' } };
		const cut = await run({ ...getAll, limit: 1 });
		const leftOut = await run(skip, { items: [VALID, INVALID] });
		expect([...hintsOf(cut), ...hintsOf(leftOut)]).toMatchObject([
			{ type: 'info', location: 'outputPane' },
			{ type: 'warning', location: 'outputPane' },
		]);
	});

	it('says that there may be more where the service gives no total', async () => {
		const id = await post(
			voiceBody({
				phoneNumbers: [{ number: VALID.phoneNumber }, { number: OTHER.phoneNumber }],
			}) as IDataObject,
		);
		const list = {
			...{ resource: 'voiceCampaign', operation: 'getPhoneNumbers', campaignId: byId(id) },
			returnAll: false,
		};
		expect(await hints({ ...list, limit: 1 })).toEqual([
			'Limit ended the list after 1 item: there may be more. Turn on Return All to get everything.',
		]);
		expect(await hints({ ...list, limit: 2 })).toEqual([
			expect.stringMatching(/^Limit ended the list after 2 items: there may be more\./),
		]);
		expect(await hints({ ...list, limit: 5 })).toEqual([]);
	});
});

describe('a sending policy', () => {
	const policy = { sendingPolicy: true };

	const three = [VALID, VALID, OTHER];
	it.each<[string, IDataObject, IDataObject[]]>([
		['input items', {}, three],
		['a typed list', { contactsSource: 'json', contactsJson: three }, [{}]],
		['a file', { contactsSource: 'file' }, [{}]],
	])(
		'that refuses a list as a whole is not one that leaves out some of its rows: %s',
		async (_, source, items) => {
			const french = { credential: credential({ ...policy, allowedCountries: 'FR' }) };
			const skip = { ...create, ...source, options: { duplicates: 'skip' } };
			const given = { items, files: [fileOf(three)], onError: 'continueErrorOutput' as const };
			expect(await hints(skip, { ...given, ...french })).toEqual([]);
			expect(await hints(skip, given)).toEqual([`Left out 1 of 3 rows: 1 duplicate. ${AGAIN}`]);
		},
	);

	it('that is an evaluation says that it reached nobody, with any policy', async () => {
		for (const changes of [{}, policy, { ...policy, simulate: true }]) {
			const evaluation = { credential: credential(changes), mode: 'evaluation' as const };
			expect(await hints(sendMessage, { items: [{}, {}], ...evaluation })).toEqual([
				'Nothing was sent: an evaluation reaches nobody, so the node simulated 2 requests.',
			]);
		}
	});

	it('that simulates says that nothing was sent', async () => {
		const simulating = { credential: credential({ ...policy, simulate: true }) };
		expect(await hints(sendMessage, { items: [{}, {}], ...simulating })).toEqual([
			'Nothing was sent: the sending policy of the credential simulated 2 requests. Turn off Simulate in the credential to send.',
		]);
		expect((await sandbox().summary()).requests).toBe(0);
	});
});

describe('a file', () => {
	const fromFile = {
		...{ ...create, contactsSource: 'file', mappingMode: 'autoMap' },
		...{ phoneNumberField: 'phoneNumber', options: { unusable: 'skip', duplicates: 'skip' } },
	};

	it('says what it says for items', async () => {
		const found = await hints(
			{ ...fromFile, message: `${'a'.repeat(100)}’` },
			{
				...{ items: [{}, {}], files: [fileOf([VALID, INVALID, VALID, OTHER]), fileOf([VALID])] },
				credential: credential({ sendingPolicy: true }),
			},
		);
		expect(found).toEqual([
			`Left out 2 of 5 rows: 1 invalid, 1 duplicate. ${FIX} ${AGAIN}`,
			expect.stringContaining('2 messages take more parts than needed'),
		]);
	});
});

describe('a dry run', () => {
	it('says that nothing was sent, to how many people it would go, and how many it leaves out', async () => {
		const dryRun = { ...create, dryRun: true, options: { duplicates: 'skip', unusable: 'skip' } };
		expect(await hints(dryRun, { items: [VALID, VALID, INVALID] })).toEqual([
			'Dry run: nothing was sent. Would be sent: 1 person, 1 SMS part',
			`Left out 2 of 3 rows: 1 duplicate, 1 invalid. ${FIX}`,
		]);
		const stopped = await hints({ ...dryRun, options: {} }, { items: [VALID, VALID, {}] });
		expect(stopped).toEqual([expect.stringContaining('1 row stops the campaign: item 1')]);
	});

	it('says of messages how many rows would be sent', async () => {
		const message = `Hi ${'x'.repeat(200)}`;
		const items = [VALID, { phoneNumber: 'none' }, { phoneNumber: '+447700900124' }];
		const parameters = { ...sendEach, message };
		const told = 'Dry run: nothing was sent. 2 of 3 rows would be sent, 4 SMS parts.';
		expect(await hints({ ...parameters, dryRun: true }, { items })).toEqual([`${told} ${STOPS}`]);
		const onError = 'continueErrorOutput';
		expect(await hints({ ...parameters, dryRun: true }, { items, onError })).toEqual([told]);
	});

	it.each([
		['a row that the policy refuses', sendEach, { phoneNumber: '+4915123456789' }, '2 of 3 rows'],
		['a list with a wrong number', lists, INVALID, '2 of 3 campaigns'],
		[
			'a list that the policy refuses',
			lists,
			{ phoneNumber: '+4915123456789' },
			'2 of 3 campaigns',
		],
	])('says that a real run stops at %s', async (_, parameters, wrong, would) => {
		const british = credential({ sendingPolicy: true, allowedCountries: 'GB' });
		const more = { items: [VALID, wrong, OTHER], credential: british };
		const dryRun = { ...parameters, dryRun: true };
		const [told, ...others] = await hints(dryRun, more);
		expect(told).toContain(`${would} would be sent`);
		expect(told).toContain(STOPS);
		expect(others).toEqual([]);
		const continued = await hints(dryRun, { ...more, onError: 'continueErrorOutput' });
		expect(continued).toEqual([expect.not.stringContaining('Without Dry Run')]);
		const real = await run(parameters, more);
		expect(real.error).toBeDefined();
	});

	it('comes before what looks wrong', async () => {
		const parameters = { ...sendEach, sender: 'Sandwich Shop', dryRun: true };
		expect(await hints(parameters, { items: [VALID] })).toEqual([
			expect.stringContaining('Dry run: nothing was sent.'),
			expect.stringContaining('Sandwich Shop'),
		]);
	});
});

it("says nothing to an agent's tool, and works there", async () => {
	const result = await run(
		{ ...create, options: { duplicates: 'skip' } },
		{ items: [VALID, VALID], settings: { type: 'messagingServiceTool' } },
	);
	expect(result.error).toBeUndefined();
	expect(result.items).toHaveLength(1);
	expect(result.hints).toEqual([]);
});

describe('the name of a sender', () => {
	it.each([
		['MyCompany', undefined],
		['Shop & Co', undefined],
		['+447700900123', undefined],
		['4477009001234', undefined],
		['Sandwich Shop', /may change or refuse the sender "Sandwich Shop"/],
		['Café', /may change or refuse the sender "Café"/],
		['A sender as long as no network takes one, at all', /the sender ".{40}": use/],
	])('%s', async (sender, hint) => {
		const expected = hint === undefined ? [] : [expect.stringMatching(hint)];
		const parameters = [
			{ ...create, sender },
			{ ...sendMessage, sender },
		];
		for (const each of parameters) {
			expect(await hints(each, { items: [VALID] })).toEqual(expected);
			const found = await hints({ ...each, dryRun: true }, { items: [VALID] });
			expect(found.slice(1)).toEqual(expected);
		}
		const sent = await sandbox().requests({ method: 'POST' });
		expect(sent.items.map(({ body }) => (body as IDataObject).sender)).toEqual([sender, sender]);
	});

	it('is shown once for many messages', async () => {
		const items = ['Sandwich Shop', 'Sandwich Shop', 'Café'].map((sender) => ({
			...VALID,
			sender,
		}));
		expect(
			await hints(
				{ ...sendMessage, phoneNumber: VALID.phoneNumber, sender: '={{ $json.sender }}' },
				{ items },
			),
		).toEqual([expect.stringMatching(/^Networks .* "Sandwich Shop".*\(and 1 other sender\)$/)]);
	});
});

it.each([
	['the credential', {}, { doNotContactParameter: 'parameter9', doNotContactValue: 'Opt out' }],
	[
		'the node',
		{ doNotContactStored: { match: [{ parameter: 'parameter9', value: 'Opt out' }] } },
		{},
	],
])(
	'names three stored numbers that %s cannot read, and counts all of them',
	async (_, options, rule) => {
		for (const storageID of ['a', 'b', 'c', 'd']) {
			const item = { storageID, number: 'see above', parameter9: 'Opt out' };
			await sandbox().api.post('/api/PhoneNumberStorageItem', item);
		}
		const policy = credential({ sendingPolicy: true, ...rule });
		const wanted = [
			expect.stringMatching(/^4 stored numbers to leave out .*\(storage ID \w, \w, \w\)/),
		];
		const given = { items: [VALID, OTHER], credential: policy };
		expect(await hints({ ...create, options }, given)).toEqual(wanted);
		expect(await hints({ ...sendEach, options }, given)).toEqual(wanted);
	},
);
