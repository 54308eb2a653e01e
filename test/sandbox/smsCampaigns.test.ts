import { contacts, useReceiver, useSandbox } from './setup';

const sandbox = useSandbox();
const receiver = useReceiver();

const create = (body: Record<string, unknown>, path = '/api/Campaigns') =>
	sandbox().api.post<unknown>(path, body);

const createdId = async (body: Record<string, unknown>, path?: string): Promise<string> => {
	const { status, data } = await create(body, path);
	expect([status, data]).toEqual([200, expect.any(String)]);
	return data as string;
};

describe('create', () => {
	test('returns the id as a JSON string and keeps everything it was sent', async () => {
		const body = {
			startDateTime: '2999-05-06T07:08:09Z',
			sender: 'Shop',
			message: 'Hello',
			optOutLinkId: 501,
			trackLinkUrl: 'https://example.com/offer',
			contacts: [
				{
					phoneNumber: '+447700900123',
					name: 'Ann',
					custom1: 'one',
					custom2: 'two',
					contactGroupId: '0b8f0c7e-6d0d-4d51-8f1c-4df1b5ad3a01',
				},
				{ phoneNumber: '447700900124' },
			],
		};
		const { status, data, headers } = await sandbox().api.post<string>('/api/Campaigns', body, {
			transformResponse: (text: string) => text,
		});
		expect(status).toBe(200);
		expect(headers['content-type']).toMatch('application/json');
		expect(data).toMatch(/^"[^"]+"$/);
		const id = JSON.parse(data) as string;

		expect((await sandbox().api.get(`/api/Campaigns/${id}`)).data).toEqual({
			id,
			startDateTime: '2999-05-06T07:08:09Z',
			sender: 'Shop',
			recipientCount: 2,
			message: 'Hello',
			status: 0,
			optOutLinkId: 501,
			trackLinkUrl: 'https://example.com/offer',
		});
		expect((await sandbox().api.get(`/api/campaigns/${id}/contacts`)).data).toEqual({
			pageIndex: 1,
			totalPages: 1,
			totalRecords: 2,
			items: [
				{
					phoneNumber: '+447700900123',
					name: 'Ann',
					custom1: 'one',
					custom2: 'two',
					id: expect.any(String),
				},
				{ phoneNumber: '447700900124', name: '', custom1: '', custom2: '', id: expect.any(String) },
			],
		});
		expect((await sandbox().requests()).items[0]).toMatchObject({
			method: 'POST',
			path: '/api/Campaigns',
			operationId: 'createSmsCampaign',
			body,
			status: 200,
			response: id,
		});
	});

	test.each([
		['message', { contacts: contacts(1) }],
		['contacts', { message: 'Hello', contacts: [] }],
		[
			'startDateTime',
			{ message: 'Hello', contacts: contacts(1), startDateTime: '2999-13-06T07:08:00Z' },
		],
		['optOutLinkId', { message: 'Hello', contacts: contacts(1), optOutLinkId: 503 }],
		['contacts[1].phoneNumber', { message: 'Hello', contacts: [...contacts(1), {}] }],
		['unheardOf', { message: 'Hello', contacts: contacts(1), unheardOf: 1 }],
	])('refuses a body whose %s is wrong', async (field, body) => {
		const { status, data } = await create(body);
		expect(status).toBe(400);
		expect(data).toEqual({ errors: { [field]: [expect.any(String)] } });
		expect(await sandbox().summary()).toMatchObject({ smsCampaigns: 0, smsCampaignContacts: 0 });
	});
});

describe('invalid phone numbers', () => {
	const mixed = {
		message: 'Hello',
		contacts: [
			{ phoneNumber: '+447700900123' },
			{ phoneNumber: '123' },
			{ phoneNumber: '0044 7700' },
			{ phoneNumber: '+4477009001230000' },
			{ phoneNumber: '' },
			{ phoneNumber: '447700900124' },
		],
	};
	const numbersOf = async (id: string): Promise<string[]> => {
		const { data } = await sandbox().api.get<{ items: { phoneNumber: string }[] }>(
			`/api/Campaigns/${id}/Contacts`,
		);
		return data.items.map(({ phoneNumber }) => phoneNumber);
	};

	test('plain: accepted, and reported as RejectedInvalidRecipient', async () => {
		const id = await createdId(mixed);
		expect(await numbersOf(id)).toHaveLength(6);
		await sandbox().idle();
		const { items } = await sandbox().deliveries();
		expect(items.map(({ event }) => event.data.statusCode)).toEqual([1, 34, 34, 34, 34, 1]);
	});

	test.each(['/api/campaigns/true', '/api/Campaigns/True'])('%s: ignored', async (path) => {
		const id = await createdId(mixed, path);
		expect(await numbersOf(id)).toEqual(['+447700900123', '447700900124']);
		expect((await sandbox().api.get(`/api/Campaigns/${id}`)).data).toMatchObject({
			recipientCount: 2,
		});
	});

	test.each(['/api/campaigns/false', '/api/Campaigns/FALSE'])('%s: refused', async (path) => {
		const { status, data } = await create(mixed, path);
		expect(status).toBe(400);
		expect(data).toEqual({
			errors: {
				'contacts[1].phoneNumber': [expect.stringContaining("'123'")],
				'contacts[2].phoneNumber': [expect.any(String)],
				'contacts[3].phoneNumber': [expect.any(String)],
				'contacts[4].phoneNumber': [expect.any(String)],
			},
		});
		expect((await sandbox().summary()).smsCampaigns).toBe(0);
	});
});

describe('sending', () => {
	test('delivers one final status event for each contact', async () => {
		await sandbox().registerWebhook(receiver().url);
		const id = await createdId({ message: 'x'.repeat(161), contacts: contacts(1000) });
		const { deliveries } = await sandbox().idle();
		expect(deliveries).toEqual({
			total: 1000,
			pending: 0,
			acknowledged: 1000,
			failed: 0,
			noUrl: 0,
		});

		const { received } = receiver();
		expect(received).toHaveLength(1000);
		expect(new Set(received.map(({ body }) => body.data.phoneNumber))).toEqual(
			new Set(contacts(1000).map(({ phoneNumber }) => phoneNumber)),
		);
		expect(received[0]).toMatchObject({
			method: 'POST',
			url: '/hook?token=abc',
			headers: { 'content-type': 'application/json; charset=utf-8' },
		});
		const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		expect(received[0]?.body).toEqual({
			webHookType: 1,
			data: {
				clientId: 1001,
				Id: expect.any(Number),
				phoneNumberId: expect.any(String),
				phoneNumber: expect.any(String),
				parts: 2,
				dateCreated: isoTime,
				lastUpdated: isoTime,
				price: 0.08,
				statusCode: 1,
			},
		});

		const { data: page } = await sandbox().api.get<{ items: { id: string }[] }>(
			`/api/Campaigns/${id}/Contacts`,
			{ params: { pageSize: 1000 } },
		);
		expect(new Set(received.map(({ body }) => body.data.phoneNumberId))).toEqual(
			new Set(page.items.map((contact) => contact.id)),
		);
	});

	test('waits for its start time', async () => {
		await sandbox().registerWebhook(receiver().url);
		const { now } = (await sandbox().control.get<{ now: string }>('/time')).data;
		const start = new Date(Date.parse(now) + 3_600_000).toISOString();
		const id = await createdId({ message: 'Hello', contacts: contacts(2), startDateTime: start });
		await sandbox().idle();
		expect(receiver().received).toHaveLength(0);
		expect((await sandbox().api.get(`/api/Campaigns/${id}`)).data).toMatchObject({ status: 0 });
		expect((await sandbox().api.get('/api/SMSMessages')).data).toMatchObject({ totalRecords: 0 });

		await sandbox().advance(3_601);
		await sandbox().idle();
		expect(receiver().received).toHaveLength(2);
		expect(receiver().received[0]?.body.data.dateCreated).toBe(start);
		expect((await sandbox().api.get(`/api/Campaigns/${id}`)).data).toMatchObject({ status: 2 });
		expect((await sandbox().api.get('/api/SMSMessages')).data).toMatchObject({
			totalRecords: 2,
			items: [{ campaignId: id, message: 'Hello', status: 1 }, { campaignId: id }],
		});
	});

	test('people who follow the opt-out link get no more messages', async () => {
		const body = {
			message: 'Hello',
			contacts: [{ phoneNumber: '+447700900920' }],
			optOutLinkId: 501,
		};
		await createdId(body);
		await sandbox().idle();
		await createdId(body);
		await sandbox().idle();
		const { items } = await sandbox().deliveries();
		expect(items.map(({ event }) => event.data.statusCode)).toEqual([1, 7]);
		expect((await sandbox().summary()).optOuts).toBe(1);
	});
});

describe('by id', () => {
	const scheduled = {
		message: 'Hello',
		contacts: contacts(1),
		startDateTime: '2999-01-01T00:00:00Z',
	};

	test('a body updates the campaign', async () => {
		const id = await createdId(scheduled);
		const change = { message: 'Goodbye', sender: 'Shop', startDateTime: '2998-01-01T00:00:00Z' };
		const { status, data } = await sandbox().api.post<unknown>(`/api/Campaigns/${id}`, change);
		expect(status).toBe(200);
		expect(data).toMatchObject({ id, ...change, recipientCount: 1 });
		expect((await sandbox().api.get(`/api/Campaigns/${id}`)).data).toEqual(data);
		expect((await sandbox().requests({ operationId: 'updateSmsCampaign' })).total).toBe(1);
	});

	test('no body is the other operation, and changes nothing', async () => {
		const id = await createdId(scheduled);
		const before: unknown = (await sandbox().api.get(`/api/Campaigns/${id}`)).data;
		const { status, data } = await sandbox().api.post<unknown>(`/api/Campaigns/${id}`);
		expect([status, data]).toEqual([200, before]);
		expect((await sandbox().requests({ operationId: 'postSmsCampaignById' })).total).toBe(1);
	});

	test('an update cannot hold contacts', async () => {
		const id = await createdId(scheduled);
		const { status, data } = await sandbox().api.post<unknown>(`/api/Campaigns/${id}`, {
			contacts: contacts(1),
		});
		expect([status, data]).toEqual([400, { errors: { contacts: [expect.any(String)] } }]);
	});
});
