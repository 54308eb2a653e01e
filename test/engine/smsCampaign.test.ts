import type { IDataObject } from 'n8n-workflow';
import { actionSuite, byId, onTheWire, type ActionParameters } from '../support/actionSuite';
import { pairs, validParameters } from '../support/everyOperation';

const { bodies, describeOperation, run, sandbox } = actionSuite();

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

/** Creates a campaign on the service itself and gives its ID. */
async function createdCampaign(body: object = {}): Promise<string> {
	const { data } = await sandbox().api.post<string>('/api/Campaigns', {
		message: 'The sale starts on Monday',
		sender: 'Shop',
		contacts: rows(1).map(({ phoneNumber }) => ({ phoneNumber })),
		...body,
	});
	return data;
}

/** The campaign as the service knows it. */
async function storedCampaign(id: string): Promise<IDataObject> {
	return (await sandbox().api.get<IDataObject>(`/api/Campaigns/${id}`)).data;
}

describeOperation('smsCampaign', 'create', () => {
	it('makes one campaign from all input items, mapped by field names', async () => {
		const { items, error } = await run(
			{
				...create,
				additionalFields: { otherFields: { name: 'customer.first', custom1: 'customer.city' } },
			},
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

	it('says how to name the field that holds the number', async () => {
		const { error } = await run(
			{ ...create, phoneNumberField: '={{ $json.phoneNumber }}' },
			{ items: rows(3) },
		);
		expect(error?.message).toBe('Phone Number Field must be the same for all input items');
		expect(error?.description).toContain('Drag a column here, or type its name');
	});

	it.each(['={{ $json.start }}', '   '])(
		'never starts now where the start is %p',
		async (start) => {
			const { error, requests } = await run(
				{ ...create, startDateTime: start },
				{ items: rows(2) },
			);
			expect(error?.message).toBe('Start Date and Time is empty');
			expect(requests).toEqual([]);
		},
	);

	it('sends no Opt-Out Link ID that was added and not filled in', async () => {
		const additionalFields = { optOutLinkId: 0 };
		const { error, requests } = await run({ ...create, additionalFields }, { items: rows(2) });
		expect(error?.message).toBe('Opt-Out Link ID is less than 1 (0)');
		expect(requests).toEqual([]);
	});

	it('chooses the endpoint that ignores or rejects invalid numbers', async () => {
		const items = [{ phoneNumber: '+447700900001' }, { phoneNumber: 'not a number' }];
		const options = { unusable: 'send' };
		const ignored = await run(
			{ ...create, options, additionalFields: { invalidPhoneNumbers: 'ignore' } },
			{ items },
		);
		expect(ignored.items).toHaveLength(1);
		expect(ignored.requests.map(({ url }) => url)).toEqual(['/api/campaigns/true']);
		expect((await sandbox().summary()).smsCampaignContacts).toBe(1);

		const rejected = await run(
			{ ...create, options, additionalFields: { invalidPhoneNumbers: 'reject' } },
			{ items },
		);
		expect(rejected.requests.map(({ url }) => url)).toEqual(['/api/campaigns/false']);
		expect(rejected.error?.message).toMatch(/^contacts\[1\]\.phoneNumber: .*not a number/);
		expect((await sandbox().summary()).smsCampaigns).toBe(1);
	});

	it('sends every field that is set as the interface spells it, the start in UTC', async () => {
		const { requests, items } = await run(
			{
				...create,
				additionalFields: {
					otherFields: {
						name: 'name',
						custom1: 'city',
						custom2: 'points',
						contactGroupId: 'group',
					},
					optOutLinkId: 502,
					trackLinkUrl: 'https://shop.example.com/?a=b&c=\u00fc',
				},
				startDateTime: '2030-07-01T09:30:00',
			},
			{
				items: [
					{
						phoneNumber: '+447700900001',
						name: 'Zo\u00eb',
						city: 'Leeds',
						points: 12,
						group: 'B3C1F3C0-5f0e-4d55-9a7e-2f6f6a1d9c10',
					},
				],
				timezone: 'America/New_York',
			},
		);
		expect(requests.map(onTheWire)).toEqual([
			{
				line: 'POST /api/Campaigns',
				body: {
					message: 'The sale starts on Monday',
					sender: 'Shop',
					startDateTime: '2030-07-01T13:30:00Z',
					optOutLinkId: 502,
					trackLinkUrl: 'https://shop.example.com/?a=b&c=\u00fc',
					contacts: [
						{
							phoneNumber: '+447700900001',
							name: 'Zo\u00eb',
							custom1: 'Leeds',
							custom2: '12',
							contactGroupId: 'B3C1F3C0-5f0e-4d55-9a7e-2f6f6a1d9c10',
						},
					],
				},
			},
		]);
		const about = {
			...{ sent: 'yes', reason: 'Accepted by the service', campaign: 1 },
			columnsUsed: ['phoneNumber', 'name', 'city', 'points', 'group'],
			columnsNotUsed: [],
		};
		expect(items).toEqual([
			{ json: { id: requests[0]?.response, recipients: 1, ...about }, pairedItem: { item: 0 } },
		]);
	});
});

describeOperation('smsCampaign', 'get', () => {
	const get = { resource: 'smsCampaign', operation: 'get', campaignId: byId('={{ $json.id }}') };

	it('outputs every field as received, one campaign per input item, in order', async () => {
		const ids = [
			await createdCampaign({
				startDateTime: '2030-07-01T13:30:00Z',
				optOutLinkId: 501,
				trackLinkUrl: 'https://shop.example.com/sale',
			}),
			await createdCampaign({ message: 'Second' }),
		];
		const { items, requests } = await run(get, { items: ids.map((id) => ({ id })) });

		expect(items).toEqual([
			{
				json: {
					id: ids[0],
					startDateTime: '2030-07-01T13:30:00Z',
					sender: 'Shop',
					recipientCount: 1,
					message: 'The sale starts on Monday',
					status: 0,
					optOutLinkId: 501,
					trackLinkUrl: 'https://shop.example.com/sale',
				},
				pairedItem: { item: 0 },
			},
			{ json: await storedCampaign(ids[1] as string), pairedItem: { item: 1 } },
		]);
		expect(requests.map(onTheWire)).toEqual(
			expect.arrayContaining(ids.map((id) => ({ line: `GET /api/Campaigns/${id}`, body: null }))),
		);
	});

	it('takes an ID between blanks, as a sheet may have it', async () => {
		const id = await createdCampaign();
		const { items } = await run(get, { items: [{ id: ` ${id} ` }] });
		expect(items[0]?.json.id).toBe(id);
	});

	it('takes a number, which may be the ID of an SMS campaign, too', async () => {
		const { error, requests } = await run({ ...get, campaignId: byId('2001') });
		expect(error).toMatchObject({ httpCode: '404' });
		expect(requests).toHaveLength(1);
	});
});

describeOperation('smsCampaign', 'getAll', () => {
	const getAll = { resource: 'smsCampaign', operation: 'getAll' };

	it('outputs every field as received and pairs each record with its input item', async () => {
		const ids = [await createdCampaign(), await createdCampaign({ message: 'Second' })];
		const { items, requests } = await run(getAll, { items: [{}, {}] });

		const records = await Promise.all(ids.map(storedCampaign));
		expect(items).toEqual(
			[0, 1].flatMap((item) => records.map((json) => ({ json, pairedItem: { item } }))),
		);
		expect(requests.map(onTheWire)).toEqual(
			Array(2).fill({ line: 'GET /api/Campaigns?pageSize=50', body: null }),
		);
	});
});

describeOperation('smsCampaign', 'getContacts', () => {
	it('outputs the contacts of the campaign, every field as received', async () => {
		await createdCampaign({ contacts: [{ phoneNumber: '+447700900555' }] });
		const id = await createdCampaign({
			contacts: [
				{ phoneNumber: '+447700900001', name: 'Ada', custom1: 'Leeds', custom2: '12' },
				{ phoneNumber: '+447700900002' },
			],
		});
		const { items, requests } = await run({
			resource: 'smsCampaign',
			operation: 'getContacts',
			campaignId: byId(id),
		});

		expect(items).toEqual([
			{
				json: {
					phoneNumber: '+447700900001',
					name: 'Ada',
					custom1: 'Leeds',
					custom2: '12',
					id: expect.stringMatching(/./),
				},
				pairedItem: { item: 0 },
			},
			{
				json: expect.objectContaining({ phoneNumber: '+447700900002', name: '' }),
				pairedItem: { item: 0 },
			},
		]);
		expect(requests.map(onTheWire)).toEqual([
			{ line: `GET /api/Campaigns/${id}/Contacts?pageSize=50`, body: null },
		]);
	});
});

describeOperation('smsCampaign', 'update', () => {
	const update = { resource: 'smsCampaign', operation: 'update' };

	/** The service changes campaigns only until they start. */
	const scheduledCampaign = (changes: object = {}): Promise<string> =>
		createdCampaign({ startDateTime: '2999-01-01T00:00:00Z', ...changes });

	it('sends the fields that were added, and no others, and outputs what is answered', async () => {
		const id = await scheduledCampaign({ optOutLinkId: 501 });
		const { items, requests } = await run({
			...update,
			campaignId: byId(id),
			updateFields: { message: 'The sale is over' },
		});
		expect(requests.map(onTheWire)).toEqual([
			{ line: `POST /api/Campaigns/${id}`, body: { message: 'The sale is over' } },
		]);
		expect(items).toEqual([
			{
				json: { ...(await storedCampaign(id)), sent: 'yes', reason: 'Accepted by the service' },
				pairedItem: { item: 0 },
			},
		]);
		expect(items[0]?.json).toMatchObject({ message: 'The sale is over', optOutLinkId: 501 });
	});

	it('says that a start is in the past, in a dry run as well', async () => {
		const past = {
			...update,
			campaignId: byId(await scheduledCampaign()),
			updateFields: { startDateTime: '={{ $now.minus({ minutes: 50 }) }}' },
		};
		const warnings = [expect.stringMatching(/^Start Date and Time is in the past \(20\d\d-/)];
		const dry = await run({ ...past, dryRun: true });
		expect(dry.requests).toEqual([]);
		expect(dry.items[0]?.json).toMatchObject({ dryRun: true, warnings });
		expect((await run(past)).items[0]?.json).toMatchObject({ warnings });
		const list = { ...create, ...past.updateFields, options: { perCampaign: 1 } };
		const { items } = await run(list, { items: rows(2) });
		expect(items.map(({ json }) => json.warnings)).toEqual([warnings, undefined]);
		const now = {
			...past,
			campaignId: byId(await scheduledCampaign()),
			updateFields: { startDateTime: '={{ $now }}' },
		};
		expect((await run(now)).items[0]?.json).not.toHaveProperty('warnings');
	});

	it('refuses to update nothing: that request is another operation', async () => {
		const { error, requests } = await run({
			...update,
			campaignId: byId(await scheduledCampaign()),
		});
		expect(error?.message).toBe('Update Fields has no field');
		expect(requests).toEqual([]);
	});
});

describeOperation('smsCampaign', 'postById', () => {
	const post = { resource: 'smsCampaign', operation: 'postById' };

	it('posts without a body and outputs what is answered', async () => {
		const id = await createdCampaign();
		const { items, requests } = await run({ ...post, campaignId: byId(id) });
		expect(requests.map(onTheWire)).toEqual([{ line: `POST /api/Campaigns/${id}`, body: null }]);
		expect(requests[0]?.headers['content-length'] ?? '0').toBe('0');
		expect(items).toEqual([
			{
				json: { ...(await storedCampaign(id)), sent: 'yes', reason: 'Accepted by the service' },
				pairedItem: { item: 0 },
			},
		]);
	});
});

const ofOneCampaign = pairs
	.filter(({ resource }) => resource === 'smsCampaign')
	.map((pair) => validParameters(pair) as ActionParameters)
	.filter(({ campaignId }) => campaignId !== undefined);

it.each(
	ofOneCampaign.flatMap((parameters) =>
		['true', 'FALSE', 'Voice'].map((id) => ({ id, parameters })),
	),
)(
	'refuses the ID $id, which means another endpoint, before sending: $parameters.operation',
	async ({ id, parameters }) => {
		const { error, requests } = await run({ ...parameters, campaignId: byId(id) });
		expect(error?.message).toBe(`Campaign is not the ID of an SMS campaign (${id})`);
		expect(requests).toEqual([]);
	},
);
