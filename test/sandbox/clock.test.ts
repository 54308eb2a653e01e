import { contacts, useSandbox, voiceBody } from './setup';

const sandbox = useSandbox();

interface Truth {
	total: number;
	items: Record<string, unknown>[];
}

/** Every call that was made. */
const truth = async (): Promise<Truth> => (await sandbox().control.get<Truth>('/truth/calls')).data;

const campaign = async (change: Record<string, unknown> = {}): Promise<number> => {
	const { status, data } = await sandbox().api.post<{ id: number }>(
		'/api/campaigns/voice',
		voiceBody(change),
	);
	expect(status).toBe(200);
	return data.id;
};

test('events, records and opt-outs are dated when they happen, in order', async () => {
	const endings = ['814', '706', '123', '703', '709', '713'];
	await campaign({ phoneNumbers: endings.map((ending) => ({ number: `+44770090${ending}` })) });
	await sandbox().advanceTo('2999-01-10T09:00:41Z');
	expect((await sandbox().summary()).optOuts).toBe(0);
	await sandbox().advanceTo('2999-01-10T09:00:42Z');
	expect((await sandbox().summary()).optOuts).toBe(1);
	await sandbox().advanceTo('2999-01-10T10:00:00Z');
	const { items } = await sandbox().deliveries();
	const ends = items.map(({ event, serviceTime }) => {
		expect(event.data.endTime).toBe(serviceTime);
		return serviceTime;
	});
	expect(ends).toHaveLength(6);
	expect(ends).toEqual([...ends].sort());
});

test('attempts without an interval follow each other', async () => {
	await campaign({
		phoneNumbers: [{ number: '+447700900703' }, { number: '+447700900706' }],
		attempts: [{ interval: 0 }, { interval: 0 }, { interval: 0 }],
	});
	await sandbox().advanceTo('2999-01-11T00:00:00Z');
	const { items } = await sandbox().deliveries();
	expect(new Set(items.map(({ event }) => JSON.stringify(event))).size).toBe(6);
	const made = (await truth()).items;
	for (const ending of ['703', '706']) {
		const calls = made.filter(({ phoneNumber }) => phoneNumber === `+447700900${ending}`);
		expect(calls).toHaveLength(3);
		for (const [index, { startTime }] of calls.entries()) {
			expect(index === 0 || String(startTime) > String(calls[index - 1]?.endTime)).toBe(true);
		}
	}
});

test('a campaign that has started cannot be changed any more', async () => {
	const body = { message: 'Hello', contacts: contacts(2) };
	const { data: id } = await sandbox().api.post<string>('/api/Campaigns', body);
	await sandbox().idle();
	const { status, data } = await sandbox().api.post<unknown>(`/api/Campaigns/${id}`, {
		message: 'Something else',
	});
	expect([status, data]).toEqual([400, { errors: { Id: [expect.stringContaining('started')] } }]);
	expect((await sandbox().api.get('/api/SMSMessages')).data).toMatchObject({
		items: [{ message: 'Hello' }, { message: 'Hello' }],
	});
});
