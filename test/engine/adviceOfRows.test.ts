import type { IDataObject } from 'n8n-workflow';
import { actionSuite, createCampaign } from '../support/actionSuite';

/** Whatever is wrong with a row, its output says how to fix it, or that nothing has to be done. */

const { credential, run } = actionSuite();

const number = (row: number) => `+4477009001${String(row).padStart(2, '0')}`;

/** Rows that are not sent, with a part of the advice. */
const ROWS: readonly (readonly [string, IDataObject, string])[] = [
	['no phone number', { phoneNumber: '', name: 'Ada' }, 'Enter a number in international form'],
	['lost digits', { phoneNumber: '4.47E+11', name: 'Bo' }, 'Format the column as text'],
	['an error of a sheet', { phoneNumber: number(2), name: '#N/A' }, 'Fix the formula'],
	['a word for no value', { phoneNumber: number(3), name: 'undefined' }, 'Leave the cell empty'],
	[
		'an object',
		{ phoneNumber: number(4), name: { first: 'Di' } },
		'returns one field of the input',
	],
	['a group', { phoneNumber: number(5), contactGroupId: 'VIP' }, 'Write it like 5f0e2b1c'],
	['a duplicate', { phoneNumber: number(0), name: 'Flo' }, 'this row can be left out'],
	['somebody who said stop', { phoneNumber: number(7) }, 'stays left out while it is in the list'],
	['nothing', { phoneNumber: '', name: ' ' }, 'there is nothing to fix'],
];
const items: IDataObject[] = [
	{ phoneNumber: number(0), name: 'Ann' },
	...ROWS.map(([, row]) => row),
];
const create = {
	...createCampaign,
	options: { unusable: 'skip', duplicates: 'skip', doNotContactNumbers: number(7) },
};

test('an item on the error output has its advice', async () => {
	const { errorItems } = await run(create, { items, onError: 'continueErrorOutput' });
	expect(errorItems.map(({ json }) => json.description)).toEqual(
		ROWS.map(([, , advice]) => expect.stringContaining(advice) as string),
	);
});

const typed = { ...create, contactsSource: 'json', contactsJson: '={{ $json.people }}' };
test.each<[string, IDataObject & typeof create, IDataObject[]]>([
	['input items', create, items],
	['a typed list', typed, [{ people: items }]],
])(
	'the campaign that leaves rows out lists each with its advice: %s',
	async (_, parameters, rows) => {
		const { items: output, hints } = await run(parameters, { items: rows });
		const skipped = output[0]?.json.skipped as IDataObject[];
		expect(skipped.map(({ advice }) => advice)).toEqual(
			ROWS.map(([, , advice]) => expect.stringContaining(advice) as string),
		);
		expect(hints[0]).toContain('The output says how to fix them.');
	},
);

test('a row of a file that cannot be read says how to write it', async () => {
	const file = Buffer.concat([
		Buffer.from(`phoneNumber,name\n${number(0)},Ann\n${number(1)},Bo,London\n${number(2)},Zo`),
		Buffer.from([0xeb, 0x0a]),
	]);
	const parameters = { ...create, contactsSource: 'file', fileOptions: { encoding: 'utf-8' } };
	const { items: output } = await run(parameters, { items: [{}], files: [file] });
	const problems = output[0]?.json.problems as IDataObject[];
	expect(problems.map(({ advice }) => advice)).toEqual([
		expect.stringContaining('one cell for each column'),
		expect.stringContaining('CSV UTF-8'),
	]);
});

test('a parameter number that no call has says which ones it can have', async () => {
	const people = [{ number: number(0), parameters: [{ parameter: 10, value: 'x' }] }];
	const { error } = await run({
		...{ resource: 'voiceCampaign', operation: 'create', phoneNumbersSource: 'json' },
		...{ phoneNumbersJson: people, name: 'May', startDate: '2999-01-10', startTime: '09:00' },
		...{ finishTime: '17:00', callflow_Id: 1, defaultCli_Id: 1 },
		...{ answerMachineDetected: 1, smsOnBusy: 0 },
	});
	expect(error?.description).toContain('is not 1 to 9. Use a whole number from 1 to 9.');
});

test('a policy that refuses several people of a list says of each what is allowed', async () => {
	const { items: output } = await run(
		{ ...typed, options: {} },
		{
			items: [{ people: [number(0), '+33612345678', '+447000123456'] }],
			onError: 'continueRegularOutput',
			credential: credential({ sendingPolicy: true, allowedCountries: 'GB' }),
		},
	);
	const refused = output[0]?.json.refused as IDataObject[];
	expect(refused.map(({ allowed }) => allowed)).toEqual([
		'Allowed Countries: GB.',
		expect.stringContaining('Blocked Number Types:'),
	]);
});
