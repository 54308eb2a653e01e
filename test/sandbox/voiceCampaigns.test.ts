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

const createdId = async (change?: Record<string, unknown>): Promise<number> => {
	const { status, data } = await sandbox().api.post<unknown>(
		'/api/campaigns/voice',
		voiceBody(change),
	);
	expect([status, data]).toEqual([200, expect.objectContaining({ id: expect.any(Number) })]);
	return (data as Created).id;
};

const records = async (id: number): Promise<NumberRecord[]> => {
	const { status, data } = await sandbox().api.get<NumberRecord[]>(
		`/api/campaigns/voice/${String(id)}/phonenumbers`,
	);
	expect(status).toBe(200);
	return data;
};

const startTimes = async (): Promise<unknown[]> =>
	(await sandbox().deliveries({ limit: 10_000 })).items.map(({ event }) => event.data.startTime);

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
