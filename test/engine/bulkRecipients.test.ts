import fc from 'fast-check';
import { escapeRegExp } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { actionSuite, byId, createCampaign } from '../support/actionSuite';
import { casesOf, withValue } from '../support/everyOperation';
import { voiceParameters } from '../support/voiceCampaign';

const { bodies, run, sandbox } = actionSuite({ concurrentRequests: 1 });

const create = createCampaign;
const createVoice = { ...voiceParameters, operation: 'create' };

const rows = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		phoneNumber: `+4474${String(index).padStart(8, '0')}`,
	}));

/** The contacts of each campaign that was created, in order. */
async function contactsOf(): Promise<string[][]> {
	const created = (await bodies('createSmsCampaign')) as { contacts: { phoneNumber: string }[] }[];
	return created.map(({ contacts }) => contacts.map(({ phoneNumber }) => phoneNumber));
}

it('lists the first 1,000 rows that are skipped, and counts all', async () => {
	const items = rows(2103).map((row, index) =>
		index < 3 || index === 2000 ? row : { phoneNumber: '' },
	);
	const { items: output } = await run({ ...create, options: { unusable: 'skip' } }, { items });
	expect(output[0]?.json.skippedCount).toBe(2099);
	expect(output[0]?.json.skipped).toHaveLength(1000);

	// Entries of a list are counted from 1.
	const list = { contactsSource: 'json', contactsJson: items };
	const { items: ofList } = await run(
		{ ...create, ...list, options: { unusable: 'skip' } },
		{ items: [{}] },
	);
	expect(ofList[0]?.json.skippedCount).toBe(2099);
});

it.each<[string, IDataObject[], string[]]>([
	[
		'invalid',
		[...rows(2), { phoneNumber: '', name: 'Ann' }, { phoneNumber: 4.4e22 }],
		['"On Invalid Contact" and "On Duplicate Contact"', 'All of them: items 2 to 3'],
	],
	[
		'duplicate',
		['+44 7700 900123', '+447700900124', '00447700900123', 447700900123].map((phoneNumber) => ({
			phoneNumber,
		})),
		['the phone number is a duplicate of item 0'],
	],
])('%s contacts stop everything by default, and are listed', async (_, items, said) => {
	const { error } = await run(create, { items });
	expect(error?.message).toBe('Contacts include 2 invalid or duplicate items of 4');
	for (const text of said) expect(error?.description).toContain(text);
	expect(await contactsOf()).toEqual([]);
});

const entries = ['+447700900123', 'none', '+44 7700 900123'].map((phoneNumber) => ({
	phoneNumber,
}));
it.each([
	['a list', { contactsSource: 'list', contacts: { entry: entries } }],
	['JSON', { contactsSource: 'json', contactsJson: JSON.stringify(entries) }],
])('the entries of %s that stop a campaign are counted from 1', async (_, source) => {
	const { error } = await run({ ...create, ...source });
	expect(error?.message).toBe('Contacts include 2 invalid or duplicate entries of 3');
	expect(error?.description).toMatch(
		/^For entry 2, the phone number is not a single number \(none\)\./,
	);
	expect(error?.description).toContain('All of them: entries 2 to 3.');
	const skipped = await run({ ...create, ...source, options: { unusable: 'skip' } });
	expect(skipped.error?.description).toMatch(
		/^For entry 3, the phone number is a duplicate of entry 1\./,
	);
	expect(await contactsOf()).toEqual([]);
});

it('invalid contacts that are skipped make no duplicate of the valid row of the same person', async () => {
	const items = [
		{ phoneNumber: '+447700900123', name: { first: 'Ann' } },
		{ phoneNumber: '+447700900123', name: 'Ann' },
	];
	const options = { unusable: 'skip', duplicates: 'skip' };
	const { items: output } = await run({ ...create, options }, { items });
	expect(output).toMatchObject([{ json: { recipients: 1, skippedCount: 1 } }]);
	expect(await contactsOf()).toEqual([['+447700900123']]);
});

it.each([false, NaN, 1e21, 'Hi \ud83d'])('%p is no name of a contact', async (name) => {
	const { error, requests } = await run(
		{
			...createCampaign,
			...{ contactsSource: 'inputItems', phoneNumberField: 'phoneNumber' },
		},
		{ items: [{ phoneNumber: '+447700900001', name }] },
	);
	expect(error?.message).toContain('Contacts include 1 invalid or duplicate item of 1');
	expect(error?.description).toMatch(/Name (is|contains)/);
	expect(requests).toEqual([]);
});

it('a column whose name only has that of a field in it is none of a contact', async () => {
	const near = [
		'username',
		'name2',
		'nameday',
		'custom',
		'custom10',
		'my custom1',
		'company names',
	];
	const row = { ...rows(1)[0], ...Object.fromEntries(near.map((name) => [name, 'x'])) };
	const { items: output } = await run({ ...create, dryRun: true }, { items: [row] });
	expect(output[0]?.json.details).toMatchObject({
		...{ columnsUsed: ['phoneNumber'], columnsNotUsed: near },
		request: { body: { contacts: [{ phoneNumber: '+447400000000' }] } },
	});
});

it('the output lists the first 100 columns that are not used', async () => {
	const columns = Array.from({ length: 101 }, (_, column) => `column ${column}`);
	const row = Object.fromEntries(columns.map((name) => [name, 'x']));
	const { items } = await run(create, { items: [{ ...rows(1)[0], ...row }] });
	const { columnsUsed, columnsNotUsed } = items[0]?.json ?? {};
	expect({ columnsUsed, columnsNotUsed }).toEqual({
		...{ columnsUsed: ['phoneNumber'], columnsNotUsed: columns.slice(0, 100) },
	});
});

it.each(['inputItems', 'json', 'file'])(
	'nobody of a long list is reached twice: %s',
	async (source) => {
		// As numbers of people are: at random. Those that follow each other are easier to tell apart.
		const some = fc.sample(fc.noBias(fc.integer({ min: 1e7, max: 99_999_999 })), {
			...{ numRuns: 3000, seed: 1 },
		});
		const numbers = [...new Set(some)].map((number) => `+4474${String(number)}`);
		const items = [...numbers, ...numbers].map((phoneNumber) => ({ phoneNumber }));
		const ofList = source === 'json' ? { contactsJson: items } : {};
		const { error } = await run(
			{ ...create, contactsSource: source, ...ofList, options: { duplicates: 'skip' } },
			{
				items: source === 'inputItems' ? items : [{}],
				files: [Buffer.from(['phoneNumber', ...numbers, ...numbers].join('\n'))],
			},
		);
		expect(error).toBeUndefined();
		expect(await contactsOf()).toEqual([numbers]);
	},
);

it('a long list of voice campaigns gives each its own name, within 100 characters', async () => {
	const { items, error } = await run(
		{ ...createVoice, name: 'n'.repeat(100), options: { perCampaign: 1 } },
		{ items: rows(3) },
	);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.name)).toEqual([
		'n'.repeat(100),
		`${'n'.repeat(96)} (2)`,
		`${'n'.repeat(96)} (3)`,
	]);
});

describe('shared fields', () => {
	it('are checked once for all campaigns that a list becomes', async () => {
		const { error } = await run(
			{
				...create,
				message: '={{ $itemIndex > 7 ? "B" : "A" }}',
				options: { perCampaign: 2 },
			},
			{ items: rows(10) },
		);
		expect(error?.message).toBe('Message must be the same for all input items');
		expect((await sandbox().summary()).smsCampaigns).toBe(0);
	});

	const shared = [
		{ resource: 'smsCampaign', operation: 'create', contactsSource: 'inputItems' },
		{ resource: 'voiceCampaign', operation: 'create', phoneNumbersSource: 'inputItems' },
		{ resource: 'voiceCampaign', operation: 'createForClient', phoneNumbersSource: 'inputItems' },
	].flatMap((pair) =>
		casesOf(pair)
			.filter(({ path }) => !/Source$|^(contacts|phoneNumbers|updateFields)|mappingMode/.test(path))
			.map((test) => [pair.resource, pair.operation, test.path, { ...test, pair }] as const),
	);
	it('are named in words that fit the names of fields with several values', async () => {
		const otherFields = { name: '={{ $json.value }}' };
		const { error } = await run(
			{ ...createCampaign, additionalFields: { otherFields } },
			{ items: rows(2).map((row, index) => ({ ...row, value: `column ${index}` })) },
		);
		expect(error?.message).toBe('Other Contact Fields must be the same for all input items');
	});

	it.each(shared)(
		'%s %s: are refused where only one item differs in %s',
		async (resource, operation, path, test) => {
			for (const [differing, expression] of [
				[1, '={{ $json.value }}'],
				[2, '={{ $json.value + "" }}'],
			] as const) {
				const { type, displayName } = test.field;
				const value = type === 'resourceLocator' ? byId(expression) : expression;
				const parameters = { ...withValue(test, value), ...test.pair, resource, operation };
				const items = rows(differing + 1).map((row, index) => ({
					...{ ...row, value: index === differing ? 'b' : 'a' },
				}));
				const { error, requests } = await run(parameters, { items });
				// In a group of fields, the group is named.
				const label = /\[|otherFields/.test(path) ? '.+' : escapeRegExp(displayName);
				expect(error?.message).toMatch(
					new RegExp(`^${label} must be the same for all input items$`),
				);
				expect(error?.description).toContain(`Item 0 and item ${differing} have different values.`);
				expect(requests).toEqual([]);
			}
		},
	);

	it('of thousands of items, which are one campaign, may come from one input field, but not from code', async () => {
		const items = rows(10_001).map((row) => ({ ...row, offer: 'Sale' }));
		const fromField = await run({ ...create, message: '={{ $json.offer }}' }, { items });
		expect(fromField.error).toBeUndefined();
		expect(fromField.items.map(({ json }) => json.recipients)).toEqual([10_001]);
		// What does not look at the items is the same for all.
		const ofTime = await run({ ...create, message: '={{ "Sale of " + $now.year }}' }, { items });
		expect(ofTime.items.map(({ json }) => json.recipients)).toEqual([10_001]);
		const { error, requests } = await run(
			{ ...create, message: '={{ $json.offer + "!" }}' },
			{ items },
		);
		expect(error?.message).toBe('Message may differ between more than 1,000 items');
		expect(requests).toEqual([]);
	});
});
