import type { IDataObject } from 'n8n-workflow';
import { actionSuite, createCampaign, sendMessage } from '../support/actionSuite';

const { credential, run } = actionSuite();

const rows: IDataObject[] = [
	{ phoneNumber: '+447700900001', text: 'Hello Ada' },
	{ phoneNumber: '+447700900002', text: 'Hello Bo' },
	{ phoneNumber: '4.47701E+11', text: 'Hello Cy' },
	{ phoneNumber: '+33612345678', text: 'Hello Di' },
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
	...['phoneNumber', 'sent', 'reason', 'message', 'estimatedCost', 'currency', 'parts'],
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
		]);
	},
);

it('the row of a campaign says why it was not sent in the same words', async () => {
	const { items } = await run(
		{ ...createCampaign, options: { unusable: 'skip' } },
		{ items: rows, onError: 'continueErrorOutput' },
	);
	expect(Object.keys(items[0]?.json ?? {}).slice(0, 4)).toEqual([
		...['recipients', 'sent', 'reason', 'campaign'],
	]);
	const { items: refused } = await run(createCampaign, {
		...{ items: rows, onError: 'continueRegularOutput' },
	});
	expect(
		refused.map(({ json: { phoneNumber, sent, reason } }) => [phoneNumber, sent, reason]),
	).toEqual([
		['+447700900001', 'no', 'Not sent because of item 2'],
		['+447700900002', 'no', 'Not sent because of item 2'],
		['4.47701E+11', 'no', expect.stringMatching(/^Not sent: The phone number has lost digits\. /)],
		['+33612345678', 'no', 'Not sent because of item 2'],
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
		const { run: ran, items: output } = await run(parameters, {
			items: lists,
			credential: priced(),
		});
		const [task] = ran.data.resultData.runData['Messaging Service'] ?? [];
		return [task?.hints?.[0]?.message, output[0]?.json.reason];
	};
	expect((await hintOf(items))[0]).toBe(
		'Dry run: nothing was sent. 1 of 2 campaigns would be sent, 2 people, 2 SMS parts, 0.08 EUR.',
	);
	const [hint, reason] = await hintOf(items.slice(1));
	expect(hint).toBe(`Dry run: nothing was sent. ${String(reason)}`);
	expect(reason).toMatch(/^1 person, 1 SMS part, 0\.04 EUR; 1 row stops the campaign\. /);
});
