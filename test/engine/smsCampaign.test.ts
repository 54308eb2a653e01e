import { actionSuite } from '../support/actionSuite';

const { bodies, run, sandbox } = actionSuite();

const create = {
	resource: 'smsCampaign',
	operation: 'create',
	message: 'The sale starts on Monday',
	sender: 'Shop',
};

const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		phoneNumber: `+44770090${String(index).padStart(4, '0')}`,
		customer: { first: `Name ${index}`, city: index % 2 ? 'Leeds' : '' },
	}));

describe('smsCampaign create', () => {
	it('makes one campaign from all input items, mapped by field names', async () => {
		const { items, error } = await run(
			{ ...create, otherFields: { name: 'customer.first', custom1: 'customer.city' } },
			{ items: rows(1000) },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(items[0]?.pairedItem).toHaveLength(1000);

		const summary = await sandbox().summary();
		expect(summary).toMatchObject({ smsCampaigns: 1, smsCampaignContacts: 1000 });
		const { data: contacts } = await sandbox().api.get(
			`/api/Campaigns/${items[0]?.json.id as string}/Contacts`,
			{ params: { pageSize: 3 } },
		);
		expect(contacts.totalRecords).toBe(1000);
		expect(contacts.items[1]).toMatchObject({
			phoneNumber: '+447700900001',
			name: 'Name 1',
			custom1: 'Leeds',
		});
	});

	it('sends only what the user set', async () => {
		await run(create, { items: rows(1) });
		expect(await bodies('createSmsCampaign')).toEqual([
			{
				message: 'The sale starts on Monday',
				sender: 'Shop',
				contacts: [{ phoneNumber: '+447700900000' }],
			},
		]);
	});

	it('sends the start in UTC with designator, read in the time zone of the workflow', async () => {
		await run(
			{
				...create,
				additionalFields: {
					startDateTime: '2030-07-01T09:30:00',
					optOutLinkId: 501,
					trackLinkUrl: 'https://shop.example.com/sale',
				},
			},
			{ items: rows(1), timezone: 'America/New_York' },
		);
		expect(await bodies('createSmsCampaign')).toEqual([
			expect.objectContaining({
				startDateTime: '2030-07-01T13:30:00Z',
				optOutLinkId: 501,
				trackLinkUrl: 'https://shop.example.com/sale',
			}),
		]);
	});

	it('takes the contacts from a list in the node, one campaign per input item', async () => {
		const { items } = await run(
			{
				...create,
				contactsSource: 'list',
				contacts: { entry: [{ phoneNumber: '+447700900001', name: 'Ada', custom1: '' }] },
			},
			{ items: [{}, {}] },
		);
		expect(items).toHaveLength(2);
		expect(await bodies('createSmsCampaign')).toEqual(
			Array(2).fill(
				expect.objectContaining({ contacts: [{ phoneNumber: '+447700900001', name: 'Ada' }] }),
			),
		);
	});

	it('takes the contacts from JSON, also when an expression gives the array itself', async () => {
		const contacts = [
			{ phoneNumber: '+447700900001', contactGroupId: 'b3c1f3c0-5f0e-4d55-9a7e-2f6f6a1d9c10' },
			{ phoneNumber: 447700900002 },
		];
		await run(
			{ ...create, contactsSource: 'json', contactsJson: '={{ $json.contacts }}' },
			{ items: [{ contacts }] },
		);
		expect(await bodies('createSmsCampaign')).toEqual([
			expect.objectContaining({ contacts: [contacts[0], { phoneNumber: '447700900002' }] }),
		]);
	});

	it('refuses a message that differs between the items instead of sending that of the first to all', async () => {
		const { error } = await run(
			{ ...create, message: '=Hi {{ $json.customer.first }}' },
			{ items: rows(3) },
		);
		expect(error?.message).toBe(
			'Message differs between the input items (item 0 and items 1 and 2)',
		);
		expect((await sandbox().summary()).smsCampaigns).toBe(0);
	});

	it('accepts an expression that gives all items the same', async () => {
		const { items } = await run(
			{ ...create, message: '={{ $json.text }}', sender: '={{ "Sh" + "op" }}' },
			{ items: rows(20).map((row) => ({ ...row, text: 'Same for all' })) },
		);
		expect(items).toHaveLength(1);
		expect(await bodies('createSmsCampaign')).toEqual([
			expect.objectContaining({ message: 'Same for all', sender: 'Shop' }),
		]);
	});

	it('lists the rows that cannot be used and sends nothing', async () => {
		const items: object[] = rows(50);
		items[7] = { phoneNumber: '' };
		items[12] = { phoneNumber: 1.5e22 };
		const { error } = await run(create, { items: items as never });
		expect(error?.message).toBe('Contacts cannot be used: 2 of 50 (items 7 and 12)');
		expect(error?.description).toContain('the phone number is empty');
		expect((await sandbox().summary()).requests).toBe(0);
	});

	it('names the available fields when the field name is wrong', async () => {
		const { error } = await run(
			{ ...create, phoneNumberField: 'mobile' },
			{ items: [{ phone: '+447700900001', name: 'Ada' }] },
		);
		expect(error?.message).toContain('"mobile"');
		expect(error?.description).toContain('phone, name');
	});

	it('checks that a contact group ID is a GUID', async () => {
		const { error } = await run(
			{ ...create, otherFields: { contactGroupId: 'group' } },
			{ items: [{ phoneNumber: '+447700900001', group: 'VIP' }] },
		);
		expect(error?.description).toContain('Contact Group ID is not a GUID (VIP)');
	});

	it('chooses the endpoint that ignores or rejects invalid numbers', async () => {
		const items = [{ phoneNumber: '+447700900001' }, { phoneNumber: 'not a number' }];
		const ignored = await run(
			{ ...create, additionalFields: { invalidPhoneNumbers: 'ignore' } },
			{ items },
		);
		expect(ignored.items).toHaveLength(1);
		expect((await sandbox().summary()).smsCampaignContacts).toBe(1);

		const rejected = await run(
			{ ...create, additionalFields: { invalidPhoneNumbers: 'reject' } },
			{ items },
		);
		expect(rejected.error?.message).toMatch(/Phone Number: .*not a number/);
		expect((await sandbox().summary()).smsCampaigns).toBe(1);
	});

	it('gives all input items one error when the node continues on errors', async () => {
		const { items } = await run(
			{ ...create, message: ' ' },
			{ items: rows(3), onError: 'continueRegularOutput' },
		);
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({
			json: { error: 'Message is empty' },
			pairedItem: [{ item: 0 }, { item: 1 }, { item: 2 }],
		});
	});
});

describe('smsCampaign get', () => {
	it('outputs the campaign as the service gives it', async () => {
		const created = await run(create, { items: rows(4) });
		const id = created.items[0]?.json.id as string;
		const { items } = await run(
			{
				resource: 'smsCampaign',
				operation: 'get',
				campaignId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			},
			{ items: [{ id }] },
		);
		expect(items[0]?.json).toMatchObject({
			id,
			sender: 'Shop',
			message: 'The sale starts on Monday',
			recipientCount: 4,
		});
	});

	it('says that the ID was not found', async () => {
		const { error } = await run({
			resource: 'smsCampaign',
			operation: 'get',
			campaignId: { __rl: true, mode: 'id', value: '../SMSMessages?x=1#y' },
		});
		expect(error?.message).toMatch(/found nothing under this ID/);
		expect(error?.description).toContain('..%2FSMSMessages%3Fx%3D1%23y');
	});
});
