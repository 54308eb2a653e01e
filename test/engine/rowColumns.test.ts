import type { IDataObject } from 'n8n-workflow';
import { actionSuite, createCampaign, sendMessage } from '../support/actionSuite';

const { credential, run, sandbox } = actionSuite();

const rows: IDataObject[] = [
	{ phoneNumber: '+447700900001', text: 'Hello Ada' },
	{ phoneNumber: '+447700900002', text: 'Hello Bo' },
	{ phoneNumber: '4.47701E+11', text: 'Hello Cy' },
	{ phoneNumber: '+33 (0) 6 - 12 34 56 78', text: 'Hello Di' },
	{ phoneNumber: null, text: 'Hello Ed' },
];
const send = {
	...sendMessage,
	phoneNumber: '={{ $json.phoneNumber }}',
	message: '={{ $json.text }}',
	options: { doNotContactNumbers: '+447700900002' },
};
const priced = () =>
	credential({
		...{ pricePerPart: 0.04, currency: 'EUR', sendingPolicy: true, allowedCountries: 'GB' },
	});
const COLUMNS = [
	...['phoneNumber', 'sent', 'reason', 'message', 'estimatedCost', 'currency', 'parts', 'newId'],
];
const firstColumns = (json: IDataObject) => Object.keys(json).slice(0, COLUMNS.length);

it.each([false, true])(
	'a row has the same columns whether it was sent, left out, refused or failed (dry run: %s)',
	async (dryRun) => {
		const { items } = await run(
			{ ...send, dryRun },
			{ items: rows, credential: priced(), onError: 'continueRegularOutput' },
		);
		const jsons = items.map(({ json }) => json);
		expect(jsons.map(firstColumns)).toEqual(rows.map(() => COLUMNS));
		expect(
			jsons.map(({ sent, reason, message, estimatedCost }) => [
				...[sent, reason, message, estimatedCost],
			]),
		).toEqual([
			[
				...(dryRun ? ['no', 'Would be sent'] : ['yes', 'Accepted by the service']),
				...['Hello Ada', 0.04],
			],
			['no', 'Left out: The phone number is in "Do Not Contact".', 'Hello Bo', 0],
			[
				...['no', expect.stringMatching(/^Not sent: Phone Number has lost digits\. Format the /)],
				...['Hello Cy', 0],
			],
			[
				'no',
				'Refused: The phone number is of a blocked country (FR). Allowed Countries: GB.',
				...['Hello Di', 0],
			],
			[
				'no',
				'Not sent: Phone Number is empty. Enter a value, or check that its expression names an input field that has one.',
				...['Hello Ed', 0],
			],
		]);
		expect(jsons.map(({ phoneNumber }) => phoneNumber)).not.toContain(undefined);
		expect(jsons.slice(1).map(({ newId }) => newId)).toEqual([null, null, null, null]);
	},
);

it.each([false, true])(
	'a row whose message is no text does not pour it into the output (dry run: %s)',
	async (dryRun) => {
		const texts = [{ texts: Array(5000).fill('Hello') }, ['Hello'], true];
		const { items } = await run(
			{ ...send, dryRun },
			{
				items: texts.map((text) => ({ phoneNumber: '+447700900001', text })),
				onError: 'continueRegularOutput',
			},
		);
		expect(items.map(({ json }) => [json.sent, json.parts, json.message])).toEqual(
			texts.map(() => ['no', 0, undefined]),
		);
	},
);

it.each([false, true])(
	'a number as the message is a text, whether its row is sent or not (dry run: %s)',
	async (dryRun) => {
		const items = ['+447700900001', 'none'].map((phoneNumber) => ({ phoneNumber, text: 4711 }));
		const options = { items, onError: 'continueRegularOutput' } as const;
		const { items: output } = await run({ ...send, dryRun }, options);
		expect(output.map(({ json }) => [json.sent, json.message, json.parts])).toEqual([
			[dryRun ? 'no' : 'yes', '4711', 1],
			['no', '4711', 1],
		]);
	},
);

it('a message that was possibly sent may cost what one that was sent costs', async () => {
	await sandbox().fault({ fault: { kind: 'status', when: 'after', status: 502 } });
	const { items } = await run(
		{ ...send, message: 'a'.repeat(161) },
		{ items: rows.slice(0, 1), credential: priced(), onError: 'continueRegularOutput' },
	);
	expect(items.map(({ json }) => json)).toMatchObject([
		{ sent: 'possibly', estimatedCost: 0.08, currency: 'EUR', parts: 2, newId: null },
	]);
});

it('a message that fails has the text that would have gone out', async () => {
	await sandbox().fault({ fault: { kind: 'status', status: 400 } });
	const { items } = await run(
		{ ...send, message: `${'a'.repeat(100)}’`, options: { replaceCharacters: true } },
		{ items: rows.slice(0, 1), onError: 'continueRegularOutput' },
	);
	expect(items.map(({ json }) => json.message)).toEqual([`${'a'.repeat(100)}'`]);
});

describe('Include Input Fields', () => {
	const people: IDataObject[] = [
		{ customer: 'C-1', phoneNumber: '+447700900001', text: 'Hello Ada', sent: 'their own' },
		{ customer: 'C-2', phoneNumber: 'none', text: 'Hello Bo' },
		// A row that was fixed, with what an earlier output said of it.
		{
			...{ customer: 'C-3', phoneNumber: '+447700900003', text: 'Hello Cy' },
			...{ error: 'Phone Number is empty', field: 'Phone Number', newId: 'an old one' },
			...{ description: '', httpStatus: 400, skipped: true, policyRule: 'sendingHours' },
			...{ allowed: '9 to 5', nextAllowedTime: '2030-05-17T09:00:00Z' },
			...{ wouldSend: true, dryRun: true, simulated: true, alreadySent: true },
		},
	];
	const options = { includeInputFields: true };

	it.each([false, true])(
		'adds the fields of the row behind those of the output (dry run: %s)',
		async (dryRun) => {
			const { items } = await run(
				{ ...send, options, dryRun },
				{ items: people, onError: 'continueRegularOutput' },
			);
			expect(items.map(({ json }) => [json.customer, json.text])).toEqual([
				['C-1', 'Hello Ada'],
				['C-2', 'Hello Bo'],
				['C-3', 'Hello Cy'],
			]);
			const state = dryRun ? 'no' : 'yes';
			expect(items.map(({ json }) => json.sent)).toEqual([state, 'no', state]);
			expect(Object.keys(items[0]?.json ?? {})[0]).toBe('phoneNumber');
		},
	);

	it('adds nothing that an earlier output said of the row', async () => {
		const { items } = await run({ ...send, options }, { items: people.slice(2) });
		expect(items).toHaveLength(1);
		const json = items[0]?.json ?? {};
		expect(json).toMatchObject({ customer: 'C-3', sent: 'yes', newId: expect.any(String) });
		expect(json.newId).not.toBe('an old one');
		expect(Object.keys(json)).toEqual([
			...['phoneNumber', 'sent', 'reason', 'message', 'parts', 'newId', 'customer', 'text'],
		]);
	});

	it('without it, the output has the fields of the operation only', async () => {
		const { items } = await run(send, { items: people.slice(0, 1) });
		expect(Object.keys(items[0]?.json ?? {})).not.toContain('customer');
	});
});

it('the row of a campaign says why it was not sent in the same words', async () => {
	const { items } = await run(
		{ ...createCampaign, options: { unusable: 'skip' } },
		{ items: rows, onError: 'continueErrorOutput' },
	);
	expect(Object.keys(items[0]?.json ?? {}).slice(0, 4)).toEqual([
		...['recipients', 'sent', 'reason', 'campaign'],
	]);
	const { items: refused } = await run(createCampaign, {
		...{ items: rows.slice(0, 4), onError: 'continueRegularOutput' },
	});
	expect(
		refused.map(({ json: { phoneNumber, sent, reason } }) => [phoneNumber, sent, reason]),
	).toEqual([
		['+447700900001', 'no', 'Not sent because of item 2'],
		['+447700900002', 'no', 'Not sent because of item 2'],
		['4.47701E+11', 'no', expect.stringMatching(/^Not sent: The phone number has lost digits\. /)],
		['+33 (0) 6 - 12 34 56 78', 'no', 'Not sent because of item 2'],
	]);
});

it('says of two campaigns in a hint how many would be sent, and of one what its item says', async () => {
	const list = (numbers: string[]) => ({ numbers });
	const parameters = {
		...{ ...createCampaign, dryRun: true, contactsSource: 'json' },
		contactsJson: '={{ $json.numbers }}',
	};
	const items = [list(['+447700900001', '+447700900002']), list(['+447700900001', 'none'])];
	const hintOf = async (lists: typeof items) => {
		const { hints, items: output } = await run(parameters, {
			items: lists,
			credential: priced(),
		});
		return [hints[0], output[0]?.json.reason];
	};
	expect((await hintOf(items))[0]).toContain(
		'Dry run: nothing was sent. 1 of 2 campaigns would be sent, 2 people, 2 SMS parts, 0.08 EUR.',
	);
	const [hint, reason] = await hintOf(items.slice(1));
	expect(hint).toBe(`Dry run: nothing was sent. ${String(reason)}`);
	expect(reason).toBe(
		'1 person, 1 SMS part, 0.04 EUR; 1 row stops the campaign: entry 2 is not a single number (none). Fix or remove them, or choose what to do with them under "On Invalid Contact" and "On Duplicate Contact" in Options.',
	);
});

it('the dry run of a campaign names the rows that stop it, up to three', async () => {
	const reasonOf = async (items: typeof rows) => {
		const { items: output } = await run({ ...createCampaign, dryRun: true }, { items });
		return output[0]?.json.reason;
	};
	const first =
		'item 2 has lost digits (4.47701E+11), item 4 is empty, item 5 is a duplicate of item 0';
	const three = [...rows, ...rows.slice(0, 1)];
	expect(await reasonOf(three)).toContain(`; 3 rows stop the campaign: ${first}. Fix `);
	expect(await reasonOf([...three, ...rows.slice(2)])).toContain(
		`; 6 rows stop the campaign: ${first}, 3 more. Fix `,
	);
});
