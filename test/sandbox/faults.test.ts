import { useSandbox } from './setup';

const sandbox = useSandbox();

const send = () =>
	sandbox().api.post<unknown>(
		'/api/SMSMessages',
		{ message: 'Hello', phoneNumber: '+447700900123' },
		{ timeout: 5000 },
	);

const stored = async (): Promise<number> => (await sandbox().summary()).smsMessages;

test('an error status, once, with Retry-After', async () => {
	await sandbox().fault({ fault: { kind: 'status', status: 503, retryAfter: 2 } });
	const { status, data, headers } = await send();
	expect([status, data, headers['retry-after']]).toEqual([
		503,
		{ message: expect.any(String) },
		'2',
	]);
	expect(await stored()).toBe(0);
	expect((await send()).status).toBe(200);
});

test('a fault is for the requests that it matches, so many times', async () => {
	const { control, api } = sandbox();
	const fault = { kind: 'status', status: 500 };
	await sandbox().fault({ match: { operationId: 'sendSmsMessage' }, times: 2, fault });
	await sandbox().fault({
		match: { method: 'get', path: '^/api/campaigns$' },
		times: 'always',
		fault,
	});
	await sandbox().fault({ match: { operationId: 'listSmsMessages' }, skip: 1, fault });
	const status = async (path: string) => (await api.get(path)).status;
	expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([
		500, 500, 200,
	]);
	expect([await status('/api/Campaigns'), await status('/api/Campaigns')]).toEqual([500, 500]);
	expect(await status('/api/campaigns/voice')).toBe(200);
	expect([await status('/api/SMSMessages'), await status('/api/SMSMessages')]).toEqual([200, 500]);
	expect((await control.get('/faults')).data).toMatchObject({
		items: [
			{ left: 0, hits: 2 },
			{ left: 'always', hits: 2 },
			{ left: 0, hits: 1 },
		],
	});
	await sandbox().clearFaults();
	expect(await status('/api/Campaigns')).toBe(200);
	expect((await control.get('/faults')).data).toEqual({ items: [] });
});

test('a delay, then the usual response', async () => {
	await sandbox().fault({ fault: { kind: 'delay', delayMs: 50 } });
	expect((await send()).status).toBe(200);
	expect((await sandbox().requests()).items).toMatchObject([{ status: 200, fault: 'delay' }]);
});

describe.each(['before', 'after'])('%s the work', (when) => {
	const done = when === 'after' ? 1 : 0;
	const outcome = async () => {
		try {
			const { status, data } = await send();
			return [status, data];
		} catch (error) {
			return (error as { code?: string }).code;
		}
	};

	test.each([
		[{ kind: 'status', status: 503 }, [503, { message: expect.any(String) }]],
		[{ kind: 'html' }, [200, expect.stringContaining('Sign in')]],
		[{ kind: 'cut' }, 'ECONNRESET'],
		[{ kind: 'cutBody', body: 'abcdef' }, 'ERR_BAD_RESPONSE'],
		[{ kind: 'emptyBody' }, [expect.any(Number), '']],
	])('%j', async (fault, expected) => {
		await sandbox().fault({ fault: { ...fault, when } });
		expect(await outcome()).toEqual(expected);
		expect(await stored()).toBe(done);
	});

	test('no response', async () => {
		await sandbox().fault({ fault: { kind: 'hang', when } });
		const hanging = sandbox().api.post(
			'/api/SMSMessages',
			{ message: 'Hello', phoneNumber: '+447700900123' },
			{ signal: AbortSignal.timeout(200) },
		);
		await expect(hanging).rejects.toThrow();
		expect(await stored()).toBe(done);
	});
});

test('every third request is hit', async () => {
	await sandbox().fault({ every: 3, times: 'always', fault: { kind: 'status', status: 503 } });
	const statuses: number[] = [];
	for (let index = 0; index < 7; index += 1) statuses.push((await send()).status);
	expect(statuses).toEqual([200, 200, 503, 200, 200, 503, 200]);
});

test.each([
	[{ match: { operation: 'x' }, fault: { kind: 'cut' } }, "unknown member 'operation'"],
	[{ fault: { kind: 'cut', wen: 'after' } }, "fault has an unknown member 'wen'"],
	[{ fault: { kind: 'fire' } }, 'fault.kind must be one of: status, delay'],
	[{ times: 1 }, "must have required property 'fault'"],
	[{ fault: {} }, "must have required property 'kind'"],
	[{ fault: { kind: 'cut' }, times: 0 }, 'times must be'],
	[{ match: { path: '(' }, fault: { kind: 'cut' } }, 'not a regular expression'],
])('%j is refused by name', async (fault, expected) => {
	const { status, data } = await sandbox().control.post<{ message: string }>('/faults', fault, {
		validateStatus: () => true,
	});
	expect([status, data.message]).toEqual([400, expect.stringContaining(expected)]);
});
