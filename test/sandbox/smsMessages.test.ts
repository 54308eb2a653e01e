import { useReceiver, useSandbox } from './setup';

const sandbox = useSandbox();
const receiver = useReceiver();

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const send = async (body: Record<string, unknown>): Promise<string> => {
	const { status, data } = await sandbox().api.post<string>('/api/SMSMessages', body);
	expect([status, data]).toEqual([200, expect.stringMatching(guid)]);
	return data;
};

test('send returns a GUID, keeps the message and delivers one event', async () => {
	await sandbox().registerWebhook(receiver().url);
	const newId = await send({ message: 'Hello', sender: 'Shop', phoneNumber: '+447700900123' });
	await sandbox().idle();
	const { data } = await sandbox().api.get<{ items: { id: number }[] }>('/api/SMSMessages');
	const localTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
	expect(data.items).toEqual([
		{
			newId,
			id: expect.any(Number),
			client_Id: 1001,
			dateCreated: localTime,
			dateModified: localTime,
			phoneNumber: '+447700900123',
			status: 1,
			price: 0.04,
			smsCount: 1,
			dateReceived: localTime,
			countryCode: 'GB',
			senderNumber: 'Shop',
			message: 'Hello',
			campaignId: null,
		},
	]);
	expect(receiver().received.map(({ body }) => body.data)).toEqual([
		expect.objectContaining({ Id: data.items[0]?.id, phoneNumberId: newId, statusCode: 1 }),
	]);
	expect(await sandbox().summary()).toMatchObject({ smsMessages: 1, smsCampaignContacts: 0 });
});

test.each([
	['message', { phoneNumber: '+447700900123' }],
	['phoneNumber', { message: 'Hello' }],
	['phoneNumber', { message: 'Hello', phoneNumber: 447700900123 }],
	['sender', { message: 'Hello', phoneNumber: '+447700900123', sender: 5 }],
	['text', { message: 'Hello', phoneNumber: '+447700900123', text: '' }],
])('refuses a body whose %s is wrong', async (field, body) => {
	const { status, data } = await sandbox().api.post<unknown>('/api/SMSMessages', body);
	expect([status, data]).toEqual([400, { errors: { [field]: [expect.any(String)] } }]);
});

describe('get', () => {
	test.each([
		['without a slash', '/api/SMSMessages'],
		['with a slash', '/api/SMSMessages/'],
		['in other letters', '/API/smsmessages'],
	])('%s, by number and by GUID', async (_, path) => {
		const newId = await send({ message: 'Hello', phoneNumber: '+447700900123' });
		await sandbox().idle();
		const { status, data } = await sandbox().api.get<{ id: number }>(`${path}${newId}`);
		expect(status).toBe(200);
		expect(data).toMatchObject({ newId, message: 'Hello' });
		expect((await sandbox().api.get(`${path}${String(data.id)}`)).data).toEqual(data);
	});

	test('an unknown id does not exist', async () => {
		const { status, data } = await sandbox().api.get<unknown>('/api/SMSMessages999');
		expect([status, data]).toEqual([404, { message: expect.stringContaining('999') }]);
	});
});
