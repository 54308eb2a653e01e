import type { IDataObject } from 'n8n-workflow';
import { actionSuite } from '../support/actionSuite';

const { bodies, run, sandbox } = actionSuite({ concurrentRequests: 1 });

const create = {
	resource: 'smsCampaign',
	operation: 'create',
	message: 'The sale starts on Monday',
	sender: 'Shop',
};
const createVoice = {
	resource: 'voiceCampaign',
	operation: 'create',
	startDate: '2099-05-17',
	startTime: '09:30',
	finishTime: '17:00',
	callflow_Id: 301,
	defaultCli_Id: 401,
	answerMachineDetected: 0,
	smsOnBusy: 0,
};

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

describe('invalid contacts', () => {
	const items = [...rows(2), { phoneNumber: '', name: 'Ann' }, { phoneNumber: 4.4e22 }];

	it('stop everything by default, and are listed', async () => {
		const { error } = await run(create, { items });
		expect(error?.message).toBe('Contacts include 2 invalid or duplicate items of 4');
		expect(error?.description).toBe(
			'For item 2, this row has no phone number. Enter a number in international form, for example +447700900123. Or choose what to do with them under "On Invalid Contact" and "On Duplicate Contact" in Options. All of them: items 2 to 3. Nothing was sent by this run of the node.',
		);
		expect(await contactsOf()).toEqual([]);
	});

	it('are fixed in one way: the advice about the first is not followed by another', async () => {
		const { error } = await run(create, { items: [...rows(1), { phoneNumber: '4.47701E+11' }] });
		expect(error?.description).toBe(
			'For item 1, the phone number has lost digits (4.47701E+11). Format the column as text in the spreadsheet, then restore the numbers. Or choose what to do with them under "On Invalid Contact" and "On Duplicate Contact" in Options. Nothing was sent by this run of the node.',
		);
	});

	it('that are skipped make no duplicate of the valid row of the same person', async () => {
		const items = [
			{ phoneNumber: '+447700900123', name: { first: 'Ann' } },
			{ phoneNumber: '+447700900123', name: 'Ann' },
		];
		const options = { unusable: 'skip', duplicates: 'skip' };
		const { items: output } = await run({ ...create, options }, { items });
		expect(output).toMatchObject([{ json: { recipients: 1, skippedCount: 1 } }]);
		expect(await contactsOf()).toEqual([['+447700900123']]);
	});
});

describe('duplicates', () => {
	const items = [
		{ phoneNumber: '+44 7700 900123' },
		{ phoneNumber: '+447700900124' },
		{ phoneNumber: '00447700900123' },
		{ phoneNumber: 447700900123 },
	];

	it('stop everything by default, however they are written', async () => {
		const { error } = await run(create, { items });
		expect(error?.message).toBe('Contacts include 2 invalid or duplicate items of 4');
		expect(error?.description).toContain('the phone number is a duplicate of item 0');
		expect(await contactsOf()).toEqual([]);
	});
});

describe('a long list', () => {
	it('becomes several campaigns, each output item paired with its own inputs', async () => {
		const { items } = await run({ ...create, options: { perCampaign: 4 } }, { items: rows(10) });
		const numbers = rows(10).map(({ phoneNumber }) => phoneNumber);
		expect(await contactsOf()).toEqual([
			numbers.slice(0, 4),
			numbers.slice(4, 8),
			numbers.slice(8),
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 1 }, { item: 2 }, { item: 3 }],
			[{ item: 4 }, { item: 5 }, { item: 6 }, { item: 7 }],
			[{ item: 8 }, { item: 9 }],
		]);
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(3);
	});

	it('of voice campaigns gives each its own name, within 100 characters', async () => {
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
		expect(error?.message).toBe('Message differs between the input items');
		expect((await sandbox().summary()).smsCampaigns).toBe(0);
	});

	it('of thousands of items may come from one input field, but not from code', async () => {
		const items = rows(1001).map((row) => ({ ...row, offer: 'Sale' }));
		const fromField = await run({ ...create, message: '={{ $json.offer }}' }, { items });
		expect(fromField.error).toBeUndefined();
		expect(fromField.items[0]?.json).toMatchObject({ recipients: 1001 });
		const { error, requests } = await run(
			{ ...create, message: '={{ $json.offer + "!" }}' },
			{ items },
		);
		expect(error?.message).toBe('Message may differ between more than 1,000 items');
		expect(requests).toEqual([]);
	});
});
