import { useReceiver, useSandbox, voiceBody } from './setup';

const sandbox = useSandbox();
const receiver = useReceiver();

interface Created {
	id: number;
}

interface NumberRecord {
	id: number;
	number: string;
	name: string;
	parameters: unknown[];
	calls: Record<string, unknown>[];
	smss: Record<string, unknown>[];
}

const create = (change: Record<string, unknown> = {}, path = '/api/campaigns/voice') =>
	sandbox().api.post<unknown>(path, voiceBody(change));

const createdId = async (change?: Record<string, unknown>, path?: string): Promise<number> => {
	const { status, data } = await create(change, path);
	expect([status, data]).toEqual([200, expect.objectContaining({ id: expect.any(Number) })]);
	return (data as Created).id;
};

const records = async (id: number, rest = ''): Promise<NumberRecord[]> => {
	const { status, data } = await sandbox().api.get<NumberRecord[]>(
		`/api/campaigns/voice/${String(id)}/phonenumbers${rest}`,
	);
	expect(status).toBe(200);
	return data;
};

const numbers = (count: number, ending = '123') =>
	Array.from({ length: count }, (_, index) => ({
		number: `+4477${String(index).padStart(5, '0')}${ending}`,
	}));

const startTimes = async (): Promise<unknown[]> =>
	(await sandbox().deliveries({ kind: 'callAttempted', limit: 10_000 })).items.map(
		({ event }) => event.data.startTime,
	);

describe('create', () => {
	test('repeats the request keys and adds the id', async () => {
		const body = voiceBody({
			runoverDays: [{ date: '2999-01-11', startTime: '10:00', finishTime: '12:00' }],
			attempts: [
				{ interval: 30, attemptNumber: 1 },
				{ interval: 60, attemptNumber: 2 },
			],
			phoneNumbers: [
				{ number: '+447700900123', name: 'Ann', parameters: [{ parameter: 9, value: 'nine' }] },
				{ number: 'not a number' },
			],
		});
		const { status, data } = await sandbox().api.post<Created>('/api/campaigns/voice', body);
		expect(status).toBe(200);
		expect(data).toEqual({ id: expect.any(Number), ...body });

		const item = {
			id: data.id,
			name: 'Reminder',
			startDate: '2999-01-10T00:00:00',
			starttime: '09:00',
			finishtime: '17:00',
			type: 0,
			callFlow_Id: 301,
			campaignStatus: 0,
			callCount: 0,
		};
		expect((await sandbox().api.get('/api/campaigns/voice')).data).toEqual([
			{ ...item, cli_id: 401 },
		]);
		expect((await sandbox().api.get('/api/campaigns/voice/p')).data).toEqual({
			pageIndex: 1,
			totalPages: 1,
			totalRecords: 1,
			items: [{ ...item, cli_id: 401 }],
		});
		expect((await sandbox().api.get(`/api/campaigns/voice/${String(data.id)}`)).data).toEqual({
			...item,
			cli_Id: 401,
			attempts: body.attempts,
			runOverDays: body.runoverDays,
		});
		expect(await records(data.id)).toEqual([
			{
				id: expect.any(Number),
				number: '+447700900123',
				name: 'Ann',
				parameters: [{ parameter: 9, value: 'nine' }],
				calls: [],
				smss: [],
			},
			expect.objectContaining({ number: 'not a number', name: '', parameters: [] }),
		]);
	});

	test('one attempt is made when none is given', async () => {
		const id = await createdId();
		expect((await sandbox().api.get(`/api/campaigns/voice/${String(id)}`)).data).toMatchObject({
			attempts: [{ interval: 0, attemptNumber: 1 }],
			runOverDays: [],
		});
	});

	test.each([
		['name', { name: undefined }],
		['startDate', { startDate: '2020-01-01' }],
		['startTime', { startTime: '24:00' }],
		['finishTime', { finishTime: '09:00' }],
		['callflow_Id', { callflow_Id: 303 }],
		['defaultCli_Id', { defaultCli_Id: 403 }],
		['cli_Id', { cli_Id: 401 }],
		['phoneNumbers[0].number', { phoneNumbers: [{ number: 447700900123 }] }],
		['attempts[0].attemptNumber', { attempts: [{ interval: 1, attemptNumber: 2 }] }],
		[
			'runoverDays[0].date',
			{ runoverDays: [{ date: '2999-01-10', startTime: '09:00', finishTime: '10:00' }] },
		],
		['runOverDays', { runOverDays: [] }],
	])('refuses a body whose %s is wrong (%#)', async (field, change) => {
		const { status, data } = await create(change);
		expect([status, data]).toEqual([400, { errors: { [field]: [expect.any(String)] } }]);
		expect((await sandbox().summary()).voiceCampaigns).toBe(0);
	});

	test('invalid numbers: ignored with true, refused with false', async () => {
		const phoneNumbers = [{ number: '12' }, { number: '+447700900123' }, { number: 'x' }];
		const { data } = await create({ phoneNumbers }, '/api/Campaigns/Voice/True');
		expect(data).toMatchObject({ phoneNumbers: [{ number: '+447700900123' }] });
		expect(await records((data as Created).id)).toHaveLength(1);

		const refused = await create({ name: 'Two', phoneNumbers }, '/api/campaigns/voice/false');
		expect(refused.status).toBe(400);
		expect(refused.data).toEqual({
			errors: {
				'phoneNumbers[0].number': [expect.any(String)],
				'phoneNumbers[2].number': [expect.any(String)],
			},
		});
		const none = await create(
			{ name: 'Three', phoneNumbers: [{ number: '1' }] },
			'/api/campaigns/voice/true',
		);
		expect([none.status, none.data]).toEqual([
			400,
			{ errors: { phoneNumbers: [expect.any(String)] } },
		]);
	});
});

describe('create for a client', () => {
	const bulk = (change: Record<string, unknown> = {}) =>
		voiceBody({
			defaultCli_Id: undefined,
			cli_Id: 403,
			callflow_Id: 303,
			...change,
		});

	test.each(['/api/Campaign/Voice/', '/api/campaign/voice'])('%s', async (path) => {
		const { status, data } = await sandbox().api.post<Created>(`${path}?clientId=1002`, bulk());
		expect(status).toBe(200);
		expect(data).toMatchObject({ id: expect.any(Number), type: 1, cli_Id: 403, callFlow_Id: 303 });
		await sandbox().advanceTo('2999-01-11T00:00:00Z');
		const { items } = await sandbox().deliveries();
		expect(items).toMatchObject([{ clientId: 1002, event: { data: { clientId: 1002 } } }]);
	});

	test('the client identifier can be agreed on to be in the path or in the body', async () => {
		await sandbox().settings({ conventions: { clientIdPlace: 'path' } });
		const inPath = await sandbox().api.post('/api/Campaign/Voice/1002', bulk());
		expect(inPath.status).toBe(200);
		await sandbox().settings({ conventions: { clientIdPlace: 'body' } });
		const inBody = await sandbox().api.post(
			'/api/Campaign/Voice/',
			bulk({ name: 'Two', clientId: 1002 }),
		);
		expect(inBody.status).toBe(200);
	});

	test.each([
		['clientId', '', bulk()],
		['clientId', '?clientId=5', bulk()],
		['clientId', '?clientId=x', bulk()],
		['clientId', '', bulk({ clientId: 1002 })],
		['cli_Id', '?clientId=1002', bulk({ cli_Id: 401 })],
		['cli_Id', '?clientId=1002', bulk({ cli_Id: undefined })],
		['callflow_Id', '?clientId=1002', bulk({ callflow_Id: 301 })],
		['defaultCli_Id', '?clientId=1002', bulk({ defaultCli_Id: 401 })],
	])('refuses a request whose %s is wrong (%#)', async (field, query, body) => {
		const { status, data } = await sandbox().api.post<unknown>(
			`/api/Campaign/Voice/${query}`,
			body,
		);
		expect([status, data]).toEqual([400, { errors: { [field]: [expect.any(String)] } }]);
	});
});

describe('phone numbers', () => {
	test('the three forms', async () => {
		const id = await createdId({ phoneNumbers: numbers(25) });
		const all = numbers(25).map(({ number }) => number);
		const read = async (rest: string) => (await records(id, rest)).map(({ number }) => number);
		expect(await read('')).toEqual(all.slice(0, 10));
		expect(await read('/1')).toEqual(all.slice(0, 10));
		expect(await read('/3')).toEqual(all.slice(20));
		expect(await read('/4')).toEqual([]);
		expect(await read('/7/2')).toEqual(all.slice(7, 14));
		expect(await read('/25/1')).toEqual(all);
		expect(await read('/25/2')).toEqual([]);
	});
});

describe('calling', () => {
	test('starts at its time, reports every call and keeps it', async () => {
		await sandbox().registerWebhook(receiver().url);
		const id = await createdId({ phoneNumbers: [{ number: '+447700900808' }] });
		await sandbox().advanceTo('2999-01-10T08:59:59Z');
		expect(receiver().received).toHaveLength(0);
		await sandbox().advanceTo('2999-01-10T09:00:41Z');
		await sandbox().idle();
		expect(receiver().received).toHaveLength(0);
		expect((await records(id))[0]?.calls).toEqual([]);
		expect((await sandbox().api.get(`/api/campaigns/voice/${String(id)}`)).data).toMatchObject({
			campaignStatus: 1,
			callCount: 0,
		});
		await sandbox().advanceTo('2999-01-10T09:00:42Z');
		await sandbox().idle();
		expect(receiver().received.map(({ body }) => body)).toEqual([
			{
				webHookType: 0,
				data: {
					clientId: 1001,
					outCome: 1,
					stage: 8,
					startTime: '2999-01-10T09:00:00.000Z',
					endTime: '2999-01-10T09:00:42.000Z',
					userInput: '1,4',
					campaignId: String(id),
					phoneNumber: '+447700900808',
				},
			},
		]);
		expect((await records(id))[0]?.calls).toEqual([
			{
				startTime: '2999-01-10T09:00:00.000',
				endTime: '2999-01-10T09:00:42.000',
				stage: 8,
				outcome: 1,
				userInput: '1,4',
				price: 0.02,
				isTransferCall: true,
				attemptNumber: 1,
				secondsDuration: 42,
			},
		]);
		expect((await sandbox().api.get(`/api/campaigns/voice/${String(id)}`)).data).toMatchObject({
			campaignStatus: 2,
			callCount: 1,
		});
	});

	test('tries again after the intervals, while it has no success', async () => {
		const id = await createdId({
			phoneNumbers: [{ number: '+447700900706' }, { number: '+447700900721' }],
			attempts: [{ interval: 30 }, { interval: 60 }, { interval: 5 }],
		});
		await sandbox().advanceTo('2999-01-10T09:29:59Z');
		expect((await sandbox().api.get(`/api/campaigns/voice/${String(id)}`)).data).toMatchObject({
			campaignStatus: 1,
			callCount: 2,
		});
		await sandbox().advanceTo('2999-01-11T00:00:00Z');
		const [never, second] = await records(id);
		expect(never?.calls).toMatchObject([
			{ attemptNumber: 1, outcome: 6, startTime: '2999-01-10T09:00:00.000' },
			{ attemptNumber: 2, outcome: 6, startTime: '2999-01-10T09:30:00.000' },
			{ attemptNumber: 3, outcome: 6, startTime: '2999-01-10T10:30:00.000' },
		]);
		expect(second?.calls).toMatchObject([
			{ attemptNumber: 1, outcome: 6 },
			{ attemptNumber: 2, outcome: 1, startTime: '2999-01-10T09:30:00.100' },
		]);
		expect((await sandbox().api.get(`/api/campaigns/voice/${String(id)}`)).data).toMatchObject({
			campaignStatus: 2,
			callCount: 5,
		});
	});

	test('attempts after the finish time go to the run-over days, or are not made', async () => {
		const id = await createdId({
			startTime: '16:00',
			runoverDays: [
				{ date: '2999-01-12', startTime: '10:00', finishTime: '10:30' },
				{ startTime: '11:00', finishTime: '11:10' },
			],
			attempts: [
				{ interval: 90 },
				{ interval: 29 },
				{ interval: 20 },
				{ interval: 20 },
				{ interval: 1 },
			],
			phoneNumbers: [{ number: '+447700900703' }],
		});
		await sandbox().advanceTo('2999-02-01T00:00:00Z');
		expect(await startTimes()).toEqual([
			'2999-01-10T16:00:00.000Z',
			'2999-01-12T10:00:00.000Z',
			'2999-01-12T10:29:00.000Z',
			'2999-01-13T11:00:00.000Z',
		]);
		expect((await sandbox().api.get(`/api/campaigns/voice/${String(id)}`)).data).toMatchObject({
			campaignStatus: 2,
			runOverDays: [
				{ date: '2999-01-12', startTime: '10:00', finishTime: '10:30' },
				{ date: '2999-01-13', startTime: '11:00', finishTime: '11:10' },
			],
		});
	});

	test('sends one SMS to a busy number, whose status is reported', async () => {
		const phoneNumbers = [{ number: '+447700900735' }, { number: '+447700900123' }];
		const attempts = [{ interval: 1 }, { interval: 1 }];
		const id = await createdId({ smsOnBusy: 1, phoneNumbers, attempts });
		await createdId({ name: 'Without', smsOnBusy: 0, phoneNumbers, attempts });
		await sandbox().advanceTo('2999-02-01T00:00:00Z');
		const [busy, answered] = await records(id);
		expect(busy?.calls).toMatchObject([{ outcome: 3 }, { outcome: 3 }]);
		expect(busy?.smss).toEqual([
			{
				status: 5,
				price: 0.04,
				smsCount: 1,
				dateReceived: '2999-01-10T09:00:00.000',
				senderNumber: '+442079460401',
				message: expect.stringContaining('busy'),
			},
		]);
		expect(answered?.smss).toEqual([]);
		expect((await sandbox().deliveries({ kind: 'smsStatus' })).items).toMatchObject([
			{ event: { data: { phoneNumber: '+447700900735', statusCode: 5 } } },
		]);
		expect(await sandbox().summary()).toMatchObject({ voiceSmss: 1, smsMessages: 0 });
		expect((await sandbox().api.get('/api/SMSMessages')).data).toMatchObject({ totalRecords: 0 });

		await sandbox().settings({ nullFieldsForSomeClients: true });
		expect((await records(id))[0]?.smss).toMatchObject([{ senderNumber: null, message: null }]);
	});

	test('people who opt out are excluded from then on', async () => {
		const phoneNumbers = [{ number: '+447700900814' }];
		await createdId({ phoneNumbers });
		const second = await createdId({ name: 'Two', startDate: '2999-01-11', phoneNumbers });
		await sandbox().advanceTo('2999-02-01T00:00:00Z');
		const { items } = await sandbox().deliveries();
		expect(items.map(({ event: { data } }) => [data.outCome, data.stage, data.userInput])).toEqual([
			[1, 14, '9'],
			[11, 9, ''],
		]);
		expect((await records(second))[0]?.calls).toMatchObject([{ outcome: 11, secondsDuration: 0 }]);
		expect((await sandbox().summary()).optOuts).toBe(1);
	});
});
