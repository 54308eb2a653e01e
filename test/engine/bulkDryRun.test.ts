import { difference, isEqual, isObject } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { findOperation } from '../../nodes/MessagingService/resources';
import { actionSuite, byId } from '../support/actionSuite';
import { casesOf, locator, pairs, validParameters, withValue } from '../support/everyOperation';

const { credential, run, sandbox } = actionSuite();

const create = {
	resource: 'smsCampaign',
	operation: 'create',
	dryRun: true,
	message: 'Hi {{name}}, your code is {custom1}',
	sender: 'Shop',
	additionalFields: { otherFields: { name: 'name', custom1: 'code' } },
};

const items = [
	{ phoneNumber: '+447700900001', name: 'Ada', code: 'A1' },
	{ phoneNumber: '+447700900002', name: 'Konstantin', code: '' },
	{ phoneNumber: '00447700900001', name: 'Ada again', code: 'A3' },
	{ phoneNumber: '', name: 'Nobody', code: 'A4' },
	{ phoneNumber: '+447700900005', name: 'Eve', code: 'A5' },
	{ phoneNumber: '+447700900006', name: 'Fay', code: 'A6' },
];

describe('a dry run', () => {
	afterEach(async () => {
		expect((await sandbox().summary()).requests).toBe(0);
	});

	const numbers = [1, 2, 3].map((index) => `+44770090000${String(index)}`);
	const list = { contactsSource: 'json', contactsJson: '={{ $json.numbers }}' };
	it.each([
		[
			'rows',
			{ resource: 'smsMessage', operation: 'send', phoneNumber: '={{ $json.number }}' },
			numbers.map((number) => ({ number })),
			[true, true, false],
		],
		[
			'rows, but for those who are left out,',
			{
				...{ resource: 'smsMessage', operation: 'send', phoneNumber: '={{ $json.number }}' },
				options: { doNotContactNumbers: numbers[0] },
			},
			numbers.map((number) => ({ number })),
			[false, true, true],
		],
		[
			'lists',
			list,
			[{ numbers: numbers.slice(1) }, { numbers: numbers.slice(0, 1) }],
			[true, false],
		],
		[
			'lists, where one cannot be sent,',
			list,
			[{ numbers: [...numbers.slice(1), 'none'] }, { numbers: numbers.slice(0, 2) }],
			[false, true],
		],
		[
			'files, where one cannot be sent,',
			{ contactsSource: 'file', additionalFields: {} },
			[{ numbers: [...numbers.slice(1), 'none'] }, { numbers: numbers.slice(0, 2) }],
			[false, true],
		],
		[
			'files',
			{ contactsSource: 'file', additionalFields: {} },
			[{ numbers: numbers.slice(1) }, { numbers: numbers.slice(0, 1) }],
			[true, false],
		],
	])('promises no more %s than Max Recipients', async (_what, fields, rows, expected) => {
		const { items: output } = await run(
			{ ...create, message: 'Sale', ...fields },
			{
				items: rows as IDataObject[],
				files: rows.map((row) =>
					Buffer.from(['phoneNumber', ...('numbers' in row ? row.numbers : [])].join('\n')),
				),
				credential: credential({ sendingPolicy: true, maxRecipients: 2 }),
			},
		);
		expect(output.map(({ json }) => json.wouldSend)).toEqual(expected);
	});

	it('of a campaign tells what would be sent, and sends nothing', async () => {
		const { items: output } = await run(
			{
				...create,
				additionalFields: { ...create.additionalFields, optOutLinkId: 501 },
				options: { duplicates: 'skip', unusable: 'skip' },
			},
			{ items },
		);
		expect(output.map(({ json }) => json)).toEqual([
			{
				recipients: 4,
				sent: 'no',
				reason: 'Would be sent: 4 people, 4 SMS parts',
				campaigns: 1,
				wouldSend: true,
				dryRun: true,
				warnings: [expect.stringMatching(/^Message contains a placeholder \({{name}}\)\./)],
				details: {
					byCountry: { GB: 4 },
					byType: { unknown: 4 },
					duplicatesCount: 1,
					duplicates: [
						{
							itemIndex: 2,
							phoneNumber: '00447700900001',
							reason: 'the phone number is a duplicate of item 0',
							advice: 'An earlier row includes this recipient: this row can be left out.',
						},
					],
					invalidCount: 1,
					invalid: [
						{
							itemIndex: 3,
							phoneNumber: '',
							reason: 'this row has no phone number',
							advice: 'Enter a number in international form, for example +447700900123.',
						},
					],
					reasons: [
						{
							code: 'empty',
							count: 1,
							first: {
								itemIndex: 3,
								phoneNumber: '',
								reason: 'this row has no phone number',
								advice: 'Enter a number in international form, for example +447700900123.',
							},
						},
					],
					skippedCount: 2,
					columnsUsed: ['phoneNumber', 'name', 'code'],
					columnsNotUsed: [],
					message: {
						encoding: 'GSM-7',
						// Braces take two units each.
						units: 'Hi {{name}}, your code is {custom1}'.length + 6,
						parts: 1,
						partsInAll: 4,
					},
					request: {
						method: 'POST',
						path: '/api/Campaigns',
						body: {
							message: 'Hi {{name}}, your code is {custom1}',
							sender: 'Shop',
							optOutLinkId: 501,
							contacts: [
								{ phoneNumber: '+447700900001', name: 'Ada', custom1: 'A1' },
								{ phoneNumber: '+447700900002', name: 'Konstantin' },
								{ phoneNumber: '+447700900005', name: 'Eve', custom1: 'A5' },
								'... 4 in all',
							],
						},
					},
				},
			},
		]);
		// The node after it sees no field that is gone when n8n has stored the item.
		const { request } = output[0]?.json.details as { request: { body: object } };
		const { body } = request;
		expect(Object.keys(body)).toEqual(['message', 'sender', 'optOutLinkId', 'contacts']);
	});

	it('counts by country and type, most first, also types that are not allowed, and each reason', async () => {
		const rows = ['+33612345678', '+12125550123', '+12125550124', '', 'none', '', '+33123456789'];
		rows.push('+12125550125', 'nobody', '+80012345678');
		const counted = (unusable: string, allowedTypes: string[]) =>
			run(
				{ ...create, additionalFields: {}, options: { unusable, allowedTypes } },
				{ items: rows.map((phoneNumber) => ({ phoneNumber, name: 'Ann' })) },
			);
		const anyway = (await counted('send', ['mobile'])).items[0]?.json.details as IDataObject;
		expect(JSON.stringify([anyway.byCountry, anyway.byType])).toBe(
			JSON.stringify([
				{ unknown: 4, US: 3, FR: 2, international: 1 },
				{ unknown: 4, fixedLineOrMobile: 3, mobile: 1, fixedLine: 1, tollFree: 1 },
			]),
		);
		const { json: skipping } = (await counted('skip', [])).items[0] ?? {};
		expect(skipping).toMatchObject({
			recipients: 6,
			details: {
				...{ byCountry: { US: 3, FR: 2, international: 1 }, invalidCount: 4 },
				reasons: [
					{ code: 'empty', count: 2, first: { itemIndex: 3 } },
					{ code: 'notOneNumber', count: 2, first: { itemIndex: 4 } },
				],
			},
		});
	});

	it('counts a number that goes out as entered by the country that completes it', async () => {
		const { items: output } = await run(
			{
				...{ ...create, additionalFields: {} },
				options: { numberFormat: 'asEntered', defaultCountry: 'GB' },
			},
			{ items: [{ phoneNumber: '07700 900123' }] },
		);
		expect(output[0]?.json).toMatchObject({ details: { byCountry: { GB: 1 } } });
	});

	it('gives the reason of each row that is left out, also of those who have opted out', async () => {
		const stored = { storageID: 'a', number: '+447700900005', parameter1: 'Opt out' };
		await sandbox().api.post('/api/PhoneNumberStorageItem', stored);
		const doNotContactStored = { match: [{ parameter: 'parameter1', value: 'Opt out' }] };
		const { items: output } = await run(
			{ ...create, options: { duplicates: 'skip', unusable: 'skip', doNotContactStored } },
			{ items: [...items, { phoneNumber: '' }] },
		);
		await sandbox().reset();
		expect(output.map(({ json }) => json)).toMatchObject([
			{
				recipients: 3,
				details: {
					skippedCount: 4,
					duplicatesCount: 1,
					reasons: [
						{ code: 'empty', count: 1 },
						{ code: 'doNotContact', count: 1, first: { itemIndex: 4 } },
						{ code: 'blank', count: 1 },
					],
				},
			},
		]);
	});

	it('of a list that is divided is one item, which stands for all rows and shows the first request', async () => {
		const { items: output } = await run(
			{ ...create, options: { perCampaign: 2, duplicates: 'skip', unusable: 'skip' } },
			{ items },
		);
		const all = items.map((_, item) => ({ item }));
		const request = { body: { contacts: [{ name: 'Ada' }, {}] } };
		const json = { campaigns: 2, recipients: 4, details: { request } };
		expect(output).toMatchObject([{ json, pairedItem: all }]);
	});

	it('shows three recipients of the request, and says how many there are where there are more', async () => {
		const shownOf = async (count: number) => {
			const rows = items.map((item, index) => ({
				...item,
				phoneNumber: `+4477009000${10 + index}`,
			}));
			const { items: output } = await run(create, { items: rows.slice(0, count) });
			const { request } = output[0]?.json.details as { request: { body: { contacts: unknown[] } } };
			return request.body.contacts.map((each) => (typeof each === 'string' ? each : 'contact'));
		};
		const three = ['contact', 'contact', 'contact'];
		expect(await shownOf(3)).toEqual(three);
		expect(await shownOf(4)).toEqual([...three, '... 4 in all']);
	});

	it('names the field of a row that stops the list', async () => {
		const { items: output } = await run(create, {
			items: [items[0], { ...items[1], code: '#N/A' }] as IDataObject[],
		});
		expect(output[0]?.json.reason).toMatch(/; 1 row stops the campaign: in item 1, .*#N\/A/);
	});

	it('of a list that leaves nobody to send to has no campaign', async () => {
		const nobody = items.slice(3, 4);
		const { items: output } = await run(
			{ ...create, options: { unusable: 'skip' } },
			{ items: nobody },
		);
		expect(output).toMatchObject([{ json: { wouldSend: false, campaigns: 0, recipients: 0 } }]);
	});

	describe('of messages', () => {
		const send = {
			resource: 'smsMessage',
			operation: 'send',
			dryRun: true,
			phoneNumber: '={{ $json.phoneNumber }}',
			message: '={{ $json.text }}',
			sender: 'Shop',
		};
		const rows = [
			{ phoneNumber: '+447700900001', text: `Grüße ☀ ${'x'.repeat(70)}` },
			{ phoneNumber: '4.47701E+11', text: 'Hi' },
			{ phoneNumber: '', text: 'Hi' },
			{ phoneNumber: '+447700900004' },
			{ phoneNumber: '+447700900005', text: 'Hi' },
		];

		it('says of every row whether it would be sent, and why not', async () => {
			const { items: output, error } = await run(send, { items: rows });
			expect(error).toBeUndefined();
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
			expect(output.map(({ json }) => json)).toMatchObject(
				[
					{ wouldSend: true, phoneNumber: '+447700900001', reason: 'Would be sent' },
					{
						...{ wouldSend: false, phoneNumber: '4.47701E+11' },
						reason: expect.stringMatching(
							/^Not sent: Phone Number has lost digits\. Format the column as text/,
						),
					},
					{
						...{ wouldSend: false, phoneNumber: '' },
						reason: expect.stringMatching(/^Not sent: Phone Number is empty\. Enter a /),
					},
					{ wouldSend: false, reason: expect.stringMatching(/^Not sent: Message is /) },
					{ wouldSend: true, phoneNumber: '+447700900005', parts: 1, country: 'GB' },
				].map((each) => ({ ...each, sent: 'no' })),
			);
			expect(JSON.stringify(output)).not.toContain(sandbox().apiKey);
		});

		it('gives the reason of the sending policy without the number, which stands beside it', async () => {
			const { items: output } = await run(send, {
				items: [
					{ phoneNumber: '+33612345678', text: 'Hi' },
					{ phoneNumber: '+447700900004', text: 'x'.repeat(161) },
				],
				credential: credential({ sendingPolicy: true, allowedCountries: 'GB', maxMessageParts: 1 }),
			});
			expect(output.map(({ json }) => json.reason)).toEqual([
				'Refused: The phone number is of a blocked country (FR). Allowed Countries: GB.',
				'Refused: Message has 2 SMS parts, and 1 is allowed. Max Message Parts: 1.',
			]);
		});

		it('that would not be sent are refused, if they are led into a Send', async () => {
			const { items: output } = await run(send, { items: rows });
			const { error } = await run(
				{ ...send, dryRun: false, message: '={{ $json.message }}' },
				{ items: output.map(({ json }) => json).slice(0, 2) },
			);
			expect(error?.message).toBe('The item has wouldSend: false from a dry run');
		});
	});

	/** Operations that have Dry Run, but for a message: of that, a wrong row concerns no other row. */
	const others = pairs
		.filter((pair) => casesOf(pair).some(({ path }) => path === 'dryRun'))
		.filter(({ operation }) => operation !== 'send')
		.map((pair) => ({
			name: `${pair.resource} ${pair.operation}`,
			needed: casesOf(pair).filter(({ path, field }) => field.required && !path.includes('.')),
		}));

	it.each(others)('of $name fails as the run would where a field is empty', async ({ needed }) => {
		expect(needed).not.toEqual([]);
		for (const each of needed) {
			const isLocator = each.field.type === 'resourceLocator';
			const parameters = withValue(each, isLocator ? locator("={{ '' }}") : "={{ '' }}");
			const told = async (dryRun: boolean) => {
				const { items: output, error } = await run({ ...parameters, dryRun } as typeof create);
				return { output, message: error?.message, description: error?.description };
			};
			const { displayName } = each.field;
			const dry = await told(true);
			expect(dry).toMatchObject({ output: [], message: expect.stringContaining(displayName) });
			expect(dry).toEqual(await told(false));
		}
	});

	/** The objects and texts without anything in them, by their paths. */
	const emptyIn = (value: unknown, path = ''): string[] => {
		if (value === '' || value === null || isEqual(value, {})) return [path];
		if (!isObject(value)) return [];
		return Object.entries(value).flatMap(([name, each]) => emptyIn(each, `${path}.${name}`));
	};

	it.each(others)('of $name tells what there is to tell of it', async ({ name }) => {
		const [resource = '', operation = ''] = name.split(' ');
		const isOfList = findOperation(resource, operation)?.recipients !== undefined;
		const parameters = validParameters({ resource, operation });
		const { items: output, error } = await run({ ...parameters, dryRun: true } as typeof create, {
			credential: credential({ pricePerPart: 0.04, currency: 'EUR' }),
		});
		expect(error).toBeUndefined();
		const [{ json = {} } = {}] = output;
		const { request, ...details } = json.details as { request: IDataObject };
		const hasText = (request.body as IDataObject | undefined)?.message !== undefined;
		const cost = hasText ? ['estimatedCost', 'currency', 'estimatedCostIsMinimum'] : [];
		const figures = isOfList ? ['recipients', 'campaigns', ...cost] : [];
		expect(Object.keys(json).sort()).toEqual(
			[...figures, 'sent', 'reason', 'wouldSend', 'dryRun', 'details'].sort(),
		);
		const ofRows = ['duplicates', 'duplicatesCount', 'invalid', 'invalidCount', 'reasons'];
		const people = isOfList ? ['byCountry', 'byType', ...ofRows, 'skippedCount'] : [];
		expect(Object.keys(details).sort()).toEqual(
			[...(hasText ? ['message'] : []), ...people].sort(),
		);
		expect(difference(Object.keys(request), ['method', 'path', 'query', 'body'])).toEqual([]);
		expect(emptyIn(json)).toEqual([]);
	});

	it.each([
		['update', { updateFields: { message: 'Later' } }, { message: 'Later' }],
		['postById', {}, undefined],
	])('of the operation %s of a campaign changes nothing', async (operation, fields, body) => {
		const { items: output } = await run({
			resource: 'smsCampaign',
			operation,
			dryRun: true,
			campaignId: byId('abc'),
			...fields,
		});
		expect(output[0]?.json).toMatchObject({
			...{ sent: 'no', reason: 'Would be sent' },
			details: {
				request: {
					method: 'POST',
					path: '/api/Campaigns/abc',
					...(body === undefined ? {} : { body }),
				},
			},
		});
	});

	it('of an update says only why the policy refuses it: whom it reaches is not known', async () => {
		const { items: output } = await run(
			{
				...{ resource: 'smsCampaign', operation: 'update', dryRun: true },
				...{ campaignId: byId('abc'), updateFields: { message: 'x'.repeat(161) } },
			},
			{ credential: credential({ sendingPolicy: true, maxMessageParts: 1 }) },
		);
		expect(output[0]?.json).toMatchObject({
			wouldSend: false,
			reason: expect.stringMatching(/^Nothing would be sent\. .*Message has 2 SMS parts/),
		});
	});
});
