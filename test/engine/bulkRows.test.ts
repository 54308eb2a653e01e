import type { IDataObject } from 'n8n-workflow';
import { actionSuite, createCampaign, sendEach, sendMessage } from '../support/actionSuite';

const { credential, run, sandbox } = actionSuite({ concurrentRequests: 1 });

const rows = [0, 1, 2].map((row) => ({
	phoneNumber: `+44770090000${row}`,
	sender: `Shop ${row}`,
	isDry: row === 1,
}));
const send = sendEach;
/** The column differs from the field of the output. */
const sendToPhone = { ...sendMessage, phoneNumber: '={{ $json.phone }}' };
const create = createCampaign;

const continuing = ['continueErrorOutput', 'continueRegularOutput'] as const;

describe('anything that is wrong with the node', () => {
	const problems: [string, IDataObject & typeof send, IDataObject?][] = [
		['a limit that makes no sense', send, { timeout: 0 }],
		['an option that makes no sense', { ...send, options: { numberFormat: '={{ 5 }}' } }],
		['an option that gives nothing', { ...send, options: { unusable: '={{ $json.typo }}' } }],
		['an unknown operation', { ...send, operation: 'sendd' }],
		['an unknown resource', { ...send, resource: 'fax' }],
		['a dry run that is neither on nor off', { ...send, dryRun: '={{ "maybe" }}' }],
		['an empty base URL', send, { baseUrl: '' }],
		['a base URL that is none', send, { baseUrl: 'my service' }],
		['an unknown source', { ...create, ...{ contactsSource: 'fax' } } as never],
		['a message that differs', { ...create, message: '={{ $itemIndex }}' } as never],
	];
	const cases = problems.flatMap(([name, parameters, change]) =>
		continuing.map((onError) => ({ name, parameters, change, onError })),
	);

	it.each(cases)('every row fails for $name ($onError)', async (given) => {
		const { parameters, change, onError } = given;
		const { items, errorItems, error } = await run(parameters, {
			items: rows,
			onError,
			credential: credential(change as never),
		});
		expect(error).toBeUndefined();
		const failed = onError === 'continueErrorOutput' ? errorItems : items;
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		for (const { json } of failed) {
			expect(json).toMatchObject({
				error: expect.any(String) as string,
				description: expect.any(String) as string,
				sent: 'no',
			});
		}
		expect((onError === 'continueErrorOutput' ? items : errorItems).length).toBe(0);
		expect((await sandbox().summary()).requests).toBe(0);
	});
});

it('reads Dry Run of each item', async () => {
	const { items, error } = await run(
		{ ...send, sender: '={{ $json.sender }}', dryRun: '={{ $json.isDry }}' },
		{ items: rows },
	);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.dryRun ?? json.sent)).toEqual(['yes', true, 'yes']);
});

it('the error of several lists says once how far each of them came', async () => {
	await sandbox().fault({ skip: 1, fault: { kind: 'status', status: 400 } });
	const { error } = await run(
		{
			...create,
			contactsSource: 'json',
			contactsJson: '["+447700900001", "+447700900002"]',
			options: { perCampaign: 1 },
		},
		{ items: [{}, {}] },
	);
	expect(error?.description?.match(/Sent in part/g)).toHaveLength(1);
	expect(error?.description).toContain('Item 0: Sent in part. Not sent: entry 2 of the list.');
});

it('of several things wrong with a row, the first is told', async () => {
	const { error } = await run({
		...create,
		contactsSource: 'json',
		contactsJson: '[{ "phoneNumber": "12", "name": { "first": "Ada" }, "contactGroupId": "7" }]',
	});
	expect(error?.description).toContain('the phone number');
	expect(error?.description).not.toMatch(/Name|GUID/);
});

it('a key of the JSON with a typing error is refused, with the names there are', async () => {
	const { error } = await run({
		...create,
		contactsSource: 'json',
		contactsJson:
			'[{ "phoneNumber": "+447700900001" }, { "phoneNumber": "+447700900002", "Name": "Ada" }]',
	});
	expect(error?.message).toBe('Contacts (JSON) has an unknown field "Name" (entry 2)');
	expect(error?.description).toContain('phoneNumber, name, custom1, custom2, contactGroupId');
});

it('the execution of 100 long errors stays small', async () => {
	await sandbox().fault({
		times: 'always',
		fault: { kind: 'status', status: 400, body: { message: 'x'.repeat(100_000) } },
	});
	const many = Array.from({ length: 100 }, (_, row) => ({
		phoneNumber: `+4477009${row + 10_000}`,
	}));
	const { errorItems } = await run(send, { items: many, onError: 'continueErrorOutput' });
	expect(errorItems).toHaveLength(100);
	expect(JSON.stringify(errorItems).length).toBeLessThan(200_000);
});

it('names every bad row before anything is sent, not the first alone', async () => {
	const { error, requests } = await run(sendToPhone, {
		items: [
			{ phone: '+447700900001' },
			{ phone: '', name: 'Ann' },
			{ phone: '+447700900003' },
			{ phone: '12' },
		],
	});
	expect(error?.message).toBe('2 of 4 rows cannot be sent');
	expect(error?.description).toMatch(
		/^Item 1 \(from 0\): Phone Number is empty\. Item 3: .*Nothing was sent/,
	);
	expect(requests).toEqual([]);
});

it('names the list that cannot be sent, not the one before it that waits', async () => {
	const items = [['+447700900001'], ['+447700900002', 'n/a']].map((list) => ({ list }));
	const { error, requests } = await run(
		{ ...create, contactsSource: 'json', contactsJson: '={{ $json.list }}' },
		{ items },
	);
	expect(error?.message).toBe('Contacts include 1 invalid or duplicate entry of 2');
	expect(error?.context?.itemIndex).toBe(1);
	expect(requests).toEqual([]);
});

it.each(continuing)('says whom an error item is about (On Error: %s)', async (onError) => {
	const phones = ['12345', 12345, 'n/a', 0];
	const toPhone = [sendToPhone, { ...create, phoneNumberField: 'phone' }];
	for (const parameters of toPhone) {
		const result = await run(parameters, { items: phones.map((phone) => ({ phone })), onError });
		const items = [...result.items, ...result.errorItems];
		expect(items.map(({ json }) => json.phoneNumber)).toEqual(phones.map(String));
	}
});

it.each([
	[['12', '12'], /In all 2 rows\. Nothing was sent/],
	[['12', '+447700900001', '12'], /In 2 of 3 rows: items 0, 2 \(from 0\)\. Nothing was sent/],
])('says once what is wrong with several rows: %j', async (phones, rows) => {
	const items = phones.map((phone) => ({ phone }));
	const { error } = await run(sendToPhone, { items });
	expect(error?.message).toMatch(/^Phone Number /);
	expect(error?.description).toMatch(rows);
});

const OTHERS = 'To send the other rows, set On Error of this node to continue.';

it.each([
	['one bad row of two', ['n/a', '+447700900001'], 'Leave one number', OTHERS],
	['the last row of two', ['+447700900001', 'n/a'], 'Leave one number', OTHERS],
	['the only row', ['n/a'], 'Leave one number', undefined],
	['bad rows alone', ['n/a', 'n/a'], 'Leave one number', undefined],
	['rows of one fault', ['12', '13', '+447700900001'], 'Check the digits', OTHERS],
	[
		'rows of several faults',
		['12', 'n/a', '+447700900001'],
		'Dry Run says how to fix each.',
		OTHERS,
	],
	['several faults of all rows', ['12', 'n/a'], 'Dry Run says how to fix each.', undefined],
])('says how to fix %s, and how to send the others', async (_, phones, fix, others) => {
	const items = phones.map((phone) => ({ phone }));
	const { error } = await run({ ...sendMessage, phoneNumber: '={{ $json.phone }}' }, { items });
	expect(error?.description).toContain(fix);
	expect(String(error?.description).includes(OTHERS)).toBe(others === OTHERS);
	expect(String(error?.description).includes('Check the digits')).toBe(fix === 'Check the digits');
});

it('does not say that On Error sends the other rows of a campaign: they wait for the bad one', async () => {
	const items = ['n/a', '+447700900001'].map((phoneNumber) => ({ phoneNumber }));
	const { error } = await run(create, { items });
	expect(error?.description).toMatch(/Nothing was sent by this run of the node\.$/);
});

it('names five bad rows, and counts the others', async () => {
	const items = Array.from({ length: 8 }, (_, index) => ({ phone: String(10 + index) }));
	const { error } = await run(sendToPhone, { items });
	expect(error?.message).toBe('8 of 8 rows cannot be sent');
	expect(error?.description).toMatch(/Item 4: Phone Number [^:]*\. And 3 more\./);
});

it('a campaign is paired with its first 1,000 items', async () => {
	const items = Array.from({ length: 1001 }, (_, index) => ({
		phoneNumber: `+4477009${String(index).padStart(5, '0')}`,
	}));
	const { items: output } = await run(create, { items });
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
		Array.from({ length: 1000 }, (_, item) => ({ item })),
	]);
});
