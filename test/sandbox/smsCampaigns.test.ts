import { contacts, useReceiver, useSandbox } from './setup';

const sandbox = useSandbox();
const receiver = useReceiver();

const createdId = async (body: Record<string, unknown>): Promise<string> => {
	const { status, data } = await sandbox().api.post<unknown>('/api/Campaigns', body);
	expect([status, data]).toEqual([200, expect.any(String)]);
	return data as string;
};

test('messages to invalid phone numbers are accepted, and reported as RejectedInvalidRecipient', async () => {
	const numbers = ['+447700900123', '123', '0044 7700', '+4477009001230000', '', '447700900124'];
	await createdId({
		message: 'Hello',
		contacts: numbers.map((phoneNumber) => ({ phoneNumber })),
	});
	await sandbox().idle();
	const { items } = await sandbox().deliveries();
	expect(items.map(({ event }) => event.data.statusCode)).toEqual([1, 34, 34, 34, 34, 1]);
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
