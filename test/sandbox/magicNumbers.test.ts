import { useSandbox, voiceBody } from './setup';

const sandbox = useSandbox();

const smsTable: [string, number][] = [
	...Array.from({ length: 11 }, (_, code): [string, number] => [String(900 + code), code]),
	['934', 34],
	['999', 1000],
	['920', 1],
	['735', 5],
	['911', 1],
	['123', 1],
	['000', 1],
];

test('the last digits of a number choose the status of a message', async () => {
	const contacts = smsTable.map(([ending]) => ({ phoneNumber: `+44770090${ending}` }));
	await sandbox().api.post('/api/Campaigns', { message: 'Hello', contacts });
	await sandbox().idle();
	const { items } = await sandbox().deliveries();
	expect(
		items.map(({ event }) => [String(event.data.phoneNumber).slice(-3), event.data.statusCode]),
	).toEqual(smsTable);
	const { data } = await sandbox().api.get<{ items: { status: number; price: number }[] }>(
		'/api/SMSMessages',
		{ params: { pageSize: 100 } },
	);
	expect(data.items.map(({ status }) => status)).toEqual(smsTable.map(([, code]) => code));
	expect(data.items.filter(({ price }) => price === 0).map(({ status }) => status)).toEqual([
		7, 34, 1000,
	]);
});

test('a message may be delivered an hour after it was sent', async () => {
	const contacts = [{ phoneNumber: '+44770090921' }];
	await sandbox().api.post('/api/Campaigns', { message: 'Hello', contacts });
	const statuses = async () => {
		await sandbox().advance(0);
		return (await sandbox().deliveries()).items.map(({ event }) => event.data.statusCode);
	};
	expect(await statuses()).toEqual([0]);
	await sandbox().advance(3500);
	expect(await statuses()).toEqual([0]);
	await sandbox().advance(100);
	expect(await statuses()).toEqual([0, 1]);
});

const call = (change: Record<string, unknown>) =>
	sandbox()
		.api.post('/api/campaigns/voice', voiceBody(change))
		.then(({ status }) => expect(status).toBe(200));

const calls = async (): Promise<unknown[][]> => {
	const { items } = await sandbox().deliveries({ limit: 1000 });
	// Events come as the calls end; here the order of their starts matters.
	const byStart = items.sort((left, right) =>
		String(left.event.data.startTime).localeCompare(String(right.event.data.startTime)),
	);
	return byStart.map(({ event: { data } }) => [
		String(data.phoneNumber).slice(-3),
		data.outCome,
		data.stage,
	]);
};

test('the last digits of a number choose the outcome and the stage of a call', async () => {
	const stages: Record<number, number> = { 1: 10, 4: 11, 5: 12, 11: 9 };
	const table = [
		...Array.from({ length: 13 }, (_, at) => [String(701 + at), at + 1, stages[at + 1] ?? 0]),
		...Array.from({ length: 21 }, (_, stage) => [String(800 + stage), 1, stage]),
		['714', 4, 11],
		['721', 6, 0],
		['722', 6, 0],
		['723', 3, 0],
		['724', 4, 11],
		['725', 12, 0],
		['730', 3, 0],
		['123', 1, 10],
	];
	await call({ phoneNumbers: table.map(([ending]) => ({ number: `+44770090${String(ending)}` })) });
	await sandbox().advanceTo('2999-01-11T00:00:00Z');
	expect(await calls()).toEqual(table);
});

test('some numbers change from attempt to attempt', async () => {
	const attempts = [1, 1, 1, 1].map((interval) => ({ interval }));
	const sequences: Record<string, number[]> = {
		'721': [6, 1],
		'722': [6, 6, 1],
		'723': [3, 1],
		'724': [4, 1],
		'725': [12, 3, 6, 6],
		'706': [6, 6, 6, 6],
		'702': [2],
	};
	const phoneNumbers = Object.keys(sequences).map((ending) => ({ number: `+44770090${ending}` }));
	await call({ phoneNumbers, attempts });
	await sandbox().advanceTo('2999-01-11T00:00:00Z');
	const all = await calls();
	for (const [ending, outcomes] of Object.entries(sequences)) {
		expect([ending, all.filter(([end]) => end === ending).map(([, code]) => code)]).toEqual([
			ending,
			outcomes,
		]);
	}
});
