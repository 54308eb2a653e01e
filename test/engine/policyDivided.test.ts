import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { actionSuite, type ActionOptions, createCampaign } from '../support/actionSuite';

const { bodies, credential, run, sandbox } = actionSuite({ concurrentRequests: 1 });

const number = (index: number) => `+44740012340${index}`;
const FRENCH = '+33612345678';

const create = {
	...createCampaign,
	options: { perCampaign: 2, unusable: 'skip' },
};

const onlyBritish = () => credential({ sendingPolicy: true, allowedCountries: 'GB' });
const onlyFour = () => credential({ sendingPolicy: true, maxRecipients: 4 });

const rowsOf = (...numbers: string[]) => numbers.map((phoneNumber) => ({ phoneNumber }));
const jsons = (list: readonly INodeExecutionData[]) => list.map(({ json }) => json);
const numbersSent = async () =>
	((await bodies('createSmsCampaign')) as { contacts: IDataObject[] }[]).map(({ contacts }) =>
		contacts.map(({ phoneNumber }) => phoneNumber),
	);

const toBranch = (more: ActionOptions): ActionOptions => ({
	onError: 'continueErrorOutput',
	credential: onlyBritish(),
	...more,
});

describe('a list that is divided into campaigns', () => {
	const items = rowsOf(number(0), number(1), 'none', number(2), FRENCH, number(3));

	it('is refused as a whole where the policy refuses a recipient of a later campaign', async () => {
		const { items: output, errorItems } = await run(create, toBranch({ items }));
		expect(output).toEqual([]);
		expect(await numbersSent()).toEqual([]);
		const because = expect.objectContaining({
			error: 'Not sent because of item 4',
			policyRule: 'allowedCountries',
			sent: 'no',
		});
		expect(jsons(errorItems)).toEqual([
			because,
			because,
			expect.objectContaining({ skipped: true, sent: 'no' }),
			because,
			expect.objectContaining({
				error: `Sending Policy: ${FRENCH} is of a blocked country (FR)`,
				phoneNumber: FRENCH,
				sent: 'no',
			}),
			because,
		]);
	});

	it('counts as one for Max Recipients', async () => {
		const five = rowsOf(...[0, 1, 2, 3, 4].map(number));
		const refused = await run(create, toBranch({ items: five, credential: onlyFour() }));
		expect(await numbersSent()).toEqual([]);
		expect(jsons(refused.errorItems)).toEqual(
			five.map(() =>
				expect.objectContaining({
					error: 'The Sending Policy allows 4 recipients in one execution',
					allowed: 'Max Recipients: 4 for this node in one execution, 4 of them left.',
					sent: 'no',
				}),
			),
		);
		const four = await run(create, toBranch({ items: five.slice(1), credential: onlyFour() }));
		expect(four.errorItems).toEqual([]);
		expect(await numbersSent()).toHaveLength(2);
	});

	it('is sent whole or not at all, where others are sent in the same run', async () => {
		const list = (...numbers: string[]) => ({ contacts: rowsOf(...numbers) });
		const lists = [list(...[0, 1, 2].map(number)), list(...[3, 4, 5].map(number))];
		const { errorItems } = await run(
			{ ...create, contactsSource: 'json', contactsJson: '={{ $json.contacts }}' },
			toBranch({
				items: lists,
				credential: credential({
					...{ sendingPolicy: true, maxRecipients: 4, concurrentRequests: 5 },
				}),
			}),
		);
		expect((await numbersSent()).flat().sort()).toEqual([0, 1, 2].map(number));
		expect(jsons(errorItems)).toMatchObject([{ policyRule: 'maxRecipients', sent: 'no' }]);
	});

	it('is not asked again about the campaigns that an earlier try has sent', async () => {
		const four = rowsOf(...[0, 1, 2, 3].map(number));
		await sandbox().fault({ fault: { kind: 'status', status: 400 }, skip: 1 });
		const { error, items: output } = await run(create, {
			items: four,
			credential: onlyFour(),
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		});
		expect(error).toBeUndefined();
		expect(output).toHaveLength(2);
	});

	it('is sent once by an agent that asks for it twice', async () => {
		const contactsJson = JSON.stringify(rowsOf(...[0, 1, 2, 3].map(number)));
		const { error, run: made } = await run(
			{ ...create, contactsSource: 'json', contactsJson },
			{
				items: [{}],
				loops: 2,
				credential: onlyFour(),
				settings: { type: 'messagingServiceTool' },
			},
		);
		expect(error).toBeUndefined();
		const again = made.data.resultData.runData['Messaging Service']?.[1]?.data?.main?.[0] ?? [];
		expect(jsons(again)).toEqual([
			expect.objectContaining({ sent: 'yes', alreadySent: true }),
			expect.objectContaining({ sent: 'yes', alreadySent: true }),
		]);
		expect(await numbersSent()).toHaveLength(2);
	});
});
