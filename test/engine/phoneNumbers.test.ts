import { omit } from 'lodash';
import { getCountries } from 'libphonenumber-js/max';
import { LoadOptionsContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { actionSuite, type ActionOptions, type ActionParameters } from '../support/actionSuite';
import { actionType } from '../support/engine';
import { voiceBody } from '../support/voiceCampaign';

const { bodies, credential, run } = actionSuite();

const british = { defaultCountry: 'GB' };
const sms = { resource: 'smsCampaign', operation: 'create', message: 'Hi', sender: 'Shop' };
const voiceFields = omit(voiceBody({ name: 'May' }), 'phoneNumbers');
const voice = { resource: 'voiceCampaign', operation: 'create', ...voiceFields };
const send = {
	...{ resource: 'smsMessage', operation: 'send', message: 'Hi', sender: 'Shop' },
	phoneNumber: '={{ $json.phone }}',
};
const save = {
	...{ resource: 'phoneNumberStorage', operation: 'create' },
	...{ storageID: '={{ $json.id }}', number: '={{ $json.phone }}' },
};

/** One person in four spellings, and another person. */
const SPELLINGS = [
	'07700 900123',
	'+44 (0)7700 900123',
	'447700900123.0',
	'+４４７７００９００１２３',
];
const OTHER = '020 7946 0958';

describe.each([
	['smsCampaign create', sms, 'createSmsCampaign', 'contacts', 'phoneNumber'],
	['voiceCampaign create', voice, 'createVoiceCampaign', 'phoneNumbers', 'number'],
] as const)('%s', (_name, operation, _id, list, number) => {
	const options = { ...british, duplicates: 'skip' };
	const entries = [...SPELLINGS, OTHER].map((text) => ({ [number]: text }));
	const sources: [string, IDataObject, ActionOptions][] = [
		[
			'all input items',
			{ phoneNumberField: 'phone' },
			{ items: [...SPELLINGS, OTHER].map((phone) => ({ phone })) },
		],
		['a list', { [`${list}Source`]: 'list', [list]: { entry: entries } }, {}],
		['JSON', { [`${list}Source`]: 'json', [`${list}Json`]: JSON.stringify(entries) }, {}],
	];

	const sentBy = ({ requests }: Awaited<ReturnType<typeof run>>) =>
		requests.map(({ body }) =>
			((body as IDataObject)[list] as IDataObject[]).map((entry) => entry[number]),
		);

	it.each(sources)('completes the numbers of %s before it compares them', async (_, from, how) => {
		const result = await run({ ...operation, ...from, options }, how);
		expect(result.error).toBeUndefined();
		expect(sentBy(result)).toEqual([['+447700900123', '+442079460958']]);
	});

	it.each(sources)('finds the duplicates of %s as entered, too', async (_, from, how) => {
		const asEntered = { ...options, numberFormat: 'asEntered' };
		const result = await run({ ...operation, ...from, options: asEntered }, how);
		expect(sentBy(result)).toEqual([[SPELLINGS[0], OTHER]]);
	});

	it.each(sources)('refuses other types from %s', async (_, from, how) => {
		const fixedLines = { ...options, allowedTypes: ['fixedLine'], unusable: 'skip' };
		const result = await run({ ...operation, ...from, options: fixedLines }, how);
		expect(sentBy(result)).toEqual([['+442079460958']]);
	});
});

/** One row for each reason, with Default Country United Kingdom. */
const REASONS: Record<string, unknown> = {
	empty: '',
	notOneNumber: '0800 FLOWERS',
	lostDigits: '4.47701E+11',
	invalid: '07700 910123',
	type: '0800 123 4567',
};

describe('invalid numbers', () => {
	const options = { ...british, allowedTypes: ['mobile', 'unknown', 'fixedLine'] };
	const items = [
		{ phoneNumber: '07700 900123' },
		// Another column: a row of nothing but blank cells is nobody.
		...Object.values(REASONS).map((phoneNumber) => ({ phoneNumber, city: 'Leeds' }) as IDataObject),
	];

	it('leave by the error branch, each with its own reason', async () => {
		const how = { items, onError: 'continueErrorOutput' } as const;
		const result = await run({ ...sms, options: { ...options, unusable: 'skip' } }, how);
		expect(result.items).toHaveLength(1);
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
			Object.keys(REASONS).map((_, index) => ({ item: index + 1 })),
		);
		const reasons = result.errorItems.map(({ json }) => String(json.reason));
		expect(new Set(reasons).size).toBe(reasons.length);
		for (const reason of reasons) {
			expect(reason).toMatch(
				/^Left out: (the phone number (is|has) |this row has no phone number)/i,
			);
		}
		expect(await bodies('createSmsCampaign')).toEqual([
			expect.objectContaining({ contacts: [{ phoneNumber: '+447700900123' }] }),
		]);
	});

	it('are sent as entered where the user wants that', async () => {
		await run({ ...sms, options: { ...options, unusable: 'send' } }, { items });
		const [body] = (await bodies('createSmsCampaign')) as { contacts: IDataObject[] }[];
		expect(body?.contacts.map(({ phoneNumber }) => phoneNumber)).toEqual([
			'+447700900123',
			...Object.values(REASONS),
		]);
	});
});

test('a duplicate is found although an earlier row is sent with an invalid field', async () => {
	const { items } = await run(
		{
			...{ ...sms, dryRun: true, additionalFields: { otherFields: { contactGroupId: 'group' } } },
			options: { unusable: 'send', duplicates: 'skip' },
		},
		{
			items: [
				{ phoneNumber: '+447700900123', group: 'VIP' },
				{ phoneNumber: '0044 7700 900123', group: '' },
			],
		},
	);
	expect(items[0]?.json).toMatchObject({
		recipients: 1,
		details: { duplicatesCount: 1, invalidCount: 1 },
	});
});

describe('a single number', () => {
	it('is sent in its final form, and the output says so', async () => {
		const items = [
			{ phone: '07700 900123' },
			{ phone: 447700900124 },
			{ phone: '+1 212-555-0123' },
		];
		const { items: output } = await run({ ...send, options: british }, { items });
		expect(output.map(({ json }) => [json.phoneNumber, json.parts])).toEqual([
			['+447700900123', 1],
			['+447700900124', 1],
			['+12125550123', 1],
		]);
		const sent = (await bodies('sendSmsMessage')) as IDataObject[];
		expect(sent.map(({ phoneNumber }) => phoneNumber).sort()).toEqual(
			output.map(({ json }) => json.phoneNumber).sort(),
		);
	});

	it('has the country of its item where an expression gives it', async () => {
		const items = [
			{ phone: '07700 900123', country: 'GB' },
			{ phone: '(212) 555-0123', country: ' us ' },
			{ phone: '694 123 4567', country: 'EL' },
		];
		const { items: output } = await run(
			{ ...send, options: { defaultCountry: '={{ $json.country }}' } },
			{ items, onError: 'continueErrorOutput' },
		);
		expect(output.map(({ json }) => json.phoneNumber)).toEqual([
			...['+447700900123', '+12125550123', '+306941234567'],
		]);
	});

	const withoutCountry = ['+447700900001', '0044 7700 900002', '07700 900003'].map((phone) => ({
		...{ phone, country: '' },
	}));
	it.each<[string, ActionParameters, string]>([
		['a message', send, '={{ $json.country }}'],
		['a message whose item lacks the field', send, '={{ $json.nation }}'],
		['a campaign', { ...sms, ...{ phoneNumberField: 'phone' } }, '={{ $json.country }}'],
	])('needs its country code where the item has no country: %s', async (_, parameters, country) => {
		const options = {
			defaultCountry: country,
			...(parameters === send ? {} : { unusable: 'skip' }),
		};
		const { items: output, errorItems } = await run(
			{ ...parameters, options },
			{
				items: withoutCountry,
				onError: 'continueErrorOutput',
				credential: credential({ defaultCountry: 'GB' }),
			},
		);
		const sent = output.flatMap(({ json }) => json.recipients ?? 1) as number[];
		expect(sent.reduce((sum, each) => sum + each)).toBe(2);
		expect(errorItems.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				error: expect.stringMatching(/ is not a valid number \(07700 900003\)$/),
				description: expect.stringContaining('Write + and the country code before the number'),
			}),
		]);
	});

	it.each(['create', 'update'])('is stored in its final form (%s)', async (operation) => {
		const fields = { ...save, operation, options: british };
		const items = [
			{ id: 'a', phone: '07700 900123' },
			{ id: 'b', phone: 7700900124 },
		];
		await run(fields, { items });
		const stored = await run({ resource: 'phoneNumberStorage', operation: 'getAll' });
		expect(stored.items.map(({ json }) => [json.storageID, json.number])).toEqual([
			['a', '+447700900123'],
			['b', '+447700900124'],
		]);
	});
});

test('the menu of Default Country has all countries by name', async () => {
	const countries = await actionType.methods.loadOptions.getCountries.call(
		Object.create(LoadOptionsContext.prototype) as never,
	);
	expect(countries.map(({ value }) => value).sort()).toEqual(getCountries().sort());
	expect(countries).toContainEqual({ name: 'United Kingdom', value: 'GB' });
	for (const { name, value } of countries) expect(name).not.toBe(value);
	const names = countries.map(({ name }) => name);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
});

test.each<[string, ActionParameters]>([
	['a message', send],
	['a campaign', { ...sms, phoneNumberField: 'phone' }],
	['calls', { ...voice, phoneNumberField: 'phone' }],
	['a stored number', { ...save, storageID: 'a' }],
	['a check', { resource: 'phoneNumber', operation: 'check', phoneNumber: '={{ $json.phone }}' }],
])('a number in scientific notation has lost digits: %s', async (_, parameters) => {
	for (const options of [{}, british]) {
		const items = [{ phone: '4.47E+11' }];
		const { items: output, error } = await run({ ...parameters, options }, { items });
		const told = error === undefined ? output[0]?.json.reason : error.message + error.description;
		expect(told).toMatch(/phone number has lost digits \(4\.47E\+11\)/i);
	}
	expect(await bodies('sendSmsMessage')).toEqual([]);
});
