import { actionSuite, byId, sendMessage, createCampaign } from '../support/actionSuite';

const { credential, run } = actionSuite();

const create = { ...createCampaign, message: 'a'.repeat(161) };
const message = { ...sendMessage, message: create.message };
const items = ['+447700900001', '+447700900002', '+447700900003'].map((phoneNumber) => ({
	phoneNumber,
}));
const file = Buffer.from(
	`phoneNumber\n${items.map(({ phoneNumber }) => phoneNumber).join('\n')}\n`,
);
const fromFile = { ...create, contactsSource: 'file' };

/** The costs in the output of an operation with a price of 0.035 for each part. */
async function costs(
	parameters: Parameters<typeof run>[0],
	options: Parameters<typeof run>[1] = {},
	pricePerPart: string | number | null = 0.035,
) {
	const result = await run(parameters, {
		credential: credential({ pricePerPart } as never),
		...options,
	});
	expect(result.error).toBeUndefined();
	return result.items.map(({ json: { estimatedCost, estimatedCostIsMinimum } }) => [
		estimatedCost,
		estimatedCostIsMinimum,
	]);
}

describe.each([false, true])('the price in the credential (dry run: %s)', (dryRun) => {
	it('gives what a message costs', async () => {
		expect(await costs({ ...message, dryRun })).toEqual([[0.07, undefined]]);
	});

	it('gives what a campaign costs at least', async () => {
		expect(await costs({ ...create, dryRun }, { items })).toEqual([[0.21, true]]);
		expect(await costs({ ...fromFile, dryRun }, { files: [file] })).toEqual([[0.21, true]]);
	});

	it('gives no cost for a row that is not sent, nor in the hint', async () => {
		const phoneNumber = '={{ $json.phoneNumber }}';
		const rows = [...items.slice(0, 2), { phoneNumber: 'none' }, { phoneNumber: '' }];
		const { items: output, hints } = await run(
			{ ...message, phoneNumber, dryRun },
			{
				items: rows,
				credential: credential({ pricePerPart: 0.033575, currency: 'EUR' } as never),
				onError: 'continueRegularOutput',
			},
		);
		expect(output.map(({ json }) => json.estimatedCost)).toEqual([0.06715, 0.06715, 0, 0]);
		if (dryRun)
			expect(hints.join(' ')).toContain('2 of 4 rows would be sent, 4 SMS parts, 0.1343 EUR');
	});

	it('gives what the text costs that is sent, with plain characters', async () => {
		const text = { message: `${'a'.repeat(100)}’`, options: { replaceCharacters: true }, dryRun };
		expect(await costs({ ...message, ...text })).toEqual([[0.035, undefined]]);
		expect(await costs({ ...create, ...text }, { items })).toEqual([[0.105, true]]);
	});

	it('is not rounded to a cent', async () => {
		expect(await costs({ ...message, message: 'Hi', dryRun })).toEqual([[0.035, undefined]]);
	});

	it.each([0, '', null, 'free'])('gives nothing without a price (%j)', async (price) => {
		expect(await costs({ ...message, dryRun }, {}, price)).toEqual([[undefined, undefined]]);
		expect(await costs({ ...create, dryRun }, { items }, price)).toEqual([[undefined, undefined]]);
	});
});

it('gives no cost for people that nobody has counted', async () => {
	const { items: output } = await run(
		{
			...{ resource: 'smsCampaign', operation: 'update', dryRun: true },
			...{ campaignId: byId('c7'), updateFields: { message: 'Hi' } },
		},
		{ credential: credential({ pricePerPart: 1 }) },
	);
	expect(output[0]?.json).not.toHaveProperty('estimatedCost');
});
