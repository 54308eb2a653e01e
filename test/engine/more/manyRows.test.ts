import type { IDataObject } from 'n8n-workflow';
import { actionSuite, createCampaign } from '../../support/actionSuite';

const { run, sandbox } = actionSuite();

const rows = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		phoneNumber: `+4474${String(index).padStart(8, '0')}`,
	}));

describe('100,000 rows', () => {
	it('become one campaign, whose output item is paired with the first 1,000', async () => {
		const { items, error } = await run(createCampaign, { items: rows(100_000) });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(items[0]?.pairedItem).toHaveLength(1000);
		const summary = await sandbox().summary();
		expect(summary).toMatchObject({ smsCampaigns: 1, smsCampaignContacts: 100_000 });
	});

	it('with one bad row become none, and the row is named', async () => {
		const items = rows(100_000);
		items[77_777] = { phoneNumber: 'none' };
		const { error } = await run(createCampaign, { items });
		expect(error?.message).toBe('Contacts include 1 invalid or duplicate item of 100000');
		expect((await sandbox().summary()).requests).toBe(0);
	});

	it('are skipped one by one where the user wants that', async () => {
		const items = rows(100_000);
		items[77_777] = { phoneNumber: '4.4E+11' };
		const { items: output } = await run(
			{ ...createCampaign, options: { unusable: 'skip' } },
			{ items },
		);
		expect(output[0]?.json).toMatchObject({
			skippedCount: 1,
			skipped: [{ itemIndex: 77_777, phoneNumber: '4.4E+11', reason: expect.any(String) }],
		});
		expect((await sandbox().summary()).smsCampaignContacts).toBe(99_999);
	});
});
