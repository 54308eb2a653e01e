import type { IDataObject, INode } from 'n8n-workflow';
import { ERROR_FIELDS } from '../../nodes/MessagingService/returns/errorItem';
import { actionSuite, sendEach } from '../support/actionSuite';

const { run } = actionSuite();

const ROW = { phoneNumber: 'none', name: 'Ada' };

/** A row as it comes out of an error branch, with every field that one can have. */
const EARLIER: IDataObject = Object.fromEntries(
	ERROR_FIELDS.map((name) => [name, `${name} of an earlier error`]),
);

const failing = (items: IDataObject[], onError: INode['onError']) =>
	run(sendEach, { items, onError });

it('gives a row that fails all its own fields, and what is wrong', async () => {
	const { items, errorItems } = await failing([ROW], 'continueErrorOutput');
	expect(items).toEqual([]);
	expect(errorItems.map(({ json }) => json)).toEqual([
		{
			...ROW,
			error: 'Phone Number is not a single number (none)',
			description: expect.any(String) as string,
			field: 'Phone Number',
			...{ sent: 'no', message: 'Hi', parts: 1, newId: null },
			reason: expect.stringMatching(/^Not sent: Phone Number is not a single number\. Leave one/),
		},
	]);
});

it('says nothing of an earlier error of the row', async () => {
	const { errorItems } = await failing([{ ...EARLIER, ...ROW }], 'continueErrorOutput');
	const json = errorItems[0]?.json ?? {};
	const told = Object.entries(json).filter(([, value]) => value !== undefined);
	expect(JSON.stringify(told)).not.toContain('of an earlier error');
	expect(json).toMatchObject({ ...ROW, sent: 'no' });
});

it.each([{}, { sent: 'last week' }])(
	'leaves a row columns that are called as its fields, if the row has not failed before: %j',
	async (columns) => {
		const row = { ...ROW, description: 'Your sofa is ready', created: '2026-11-01', ...columns };
		const { errorItems } = await failing([row], 'continueErrorOutput');
		const reason = /^Not sent: Phone Number is not a single number\. Leave one/;
		expect(errorItems.map(({ json }) => json)).toEqual([
			{
				...row,
				error: 'Phone Number is not a single number (none)',
				field: 'Phone Number',
				...{ sent: 'no', message: 'Hi', parts: 1, newId: null },
				reason: expect.stringMatching(reason),
			},
		]);
	},
);

it('says which number failed, also where the row has another one in a column phoneNumber', async () => {
	const row = { mobile: 'none', phoneNumber: '+447700900123' };
	const { errorItems } = await run(
		{ ...sendEach, phoneNumber: '={{ $json.mobile }}' },
		{ items: [row], onError: 'continueErrorOutput' },
	);
	expect(errorItems.map(({ json }) => json.phoneNumber)).toEqual(['none']);
});

it('leaves a row its own phone number where the failure is not about the row', async () => {
	const row = { phoneNumber: '+447700900123', name: 'Ada' };
	const { errorItems } = await run(sendEach, {
		items: [row],
		onError: 'continueErrorOutput',
		credential: { baseUrl: '' },
	});
	expect(errorItems.map(({ json }) => json)).toEqual([expect.objectContaining(row)]);
});
