import { actionSuite, sendMessage } from '../support/actionSuite';

const { credential, run, sandbox } = actionSuite();

const send = sendMessage;
const list = { resource: 'smsMessage', operation: 'getAll' };

const sendRequests = async () =>
	(await sandbox().requests({ operationId: 'sendSmsMessage' })).total;
const accepted = async () => (await sandbox().summary()).smsMessages;

describe('a request that reads', () => {
	it.each([408, 429, 500, 502, 503, 504])('is repeated after status %i', async (status) => {
		await sandbox().fault({ match: { method: 'GET' }, fault: { kind: 'status', status } });
		const { error, requests } = await run(list);
		expect(error).toBeUndefined();
		expect(requests.map((request) => request.status)).toEqual([status, 200]);
	});

	it.each(['cut', 'cutBody'])('is repeated after a connection that broke (%s)', async (kind) => {
		await sandbox().fault({ match: { method: 'GET' }, fault: { kind } });
		const { error, requests } = await run(list);
		expect(error).toBeUndefined();
		expect(requests).toHaveLength(2);
	});

	it('is repeated after a response that did not come in time', async () => {
		await sandbox().fault({ match: { method: 'GET' }, fault: { kind: 'hang' } });
		const { error } = await run(list, { credential: credential({ timeout: 0.3 }) });
		expect(error).toBeUndefined();
	});

	it.each([400, 401, 403, 404, 501])('is not repeated after status %i', async (status) => {
		await sandbox().fault({ match: { method: 'GET' }, fault: { kind: 'status', status } });
		const { error, requests } = await run(list);
		expect(error).toMatchObject({ httpCode: String(status) });
		expect(requests).toHaveLength(1);
	});

	it('is tried four times, then fails with the last response', async () => {
		await sandbox().fault({
			times: 'always',
			fault: { kind: 'status', status: 503, retryAfter: 0 },
		});
		const { error, requests } = await run(list);
		expect(error).toMatchObject({ httpCode: '503' });
		expect(requests).toHaveLength(4);
	});

	it.each([
		['stopWorkflow', 1],
		['continueRegularOutput', 3],
	] as const)(
		'that fails is the last one, unless the node continues: %s',
		async (onError, expected) => {
			await sandbox().fault({ fault: { kind: 'status', status: 404 } });
			const { requests } = await run(list, {
				...{ items: [{}, {}, {}], onError },
				credential: credential({ concurrentRequests: 1 }),
			});
			expect(requests).toHaveLength(expected);
		},
	);
});

/** An account of its own, one request at a time: a long pause would hold other tests as well. */
const account = (clientId: string) => ({
	credential: credential({ clientId, concurrentRequests: 1 }),
});

describe('Retry-After', () => {
	it('of 0 is not taken for leave to hurry', async () => {
		const random = jest.spyOn(Math, 'random').mockReturnValue(0.5);
		await sandbox().fault({ fault: { kind: 'status', status: 503, retryAfter: 0 } });
		const { error, requests } = await run(list);
		random.mockRestore();
		expect(error).toBeUndefined();
		const [first = 0, second = 0] = requests.map(({ at }) => Date.parse(at));
		expect(second - first).toBeGreaterThanOrEqual(240);
	});

	it('as a date is waited for', async () => {
		const date = new Date(Date.now() + 2000).toUTCString();
		await sandbox().fault({ fault: { kind: 'status', status: 503, retryAfter: date } });
		const { error, requests } = await run(send);
		expect(error).toBeUndefined();
		expect(Date.parse(requests[1]?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(date) - 10);
	});

	it('of more than five minutes is not waited for', async () => {
		await sandbox().fault({ fault: { kind: 'status', status: 429, retryAfter: 301 } });
		const { error, requests } = await run(send, account('2001'));
		expect(error?.message).toMatch(/^The service is receiving too many requests/);
		expect(requests).toHaveLength(1);
		expect(await accepted()).toBe(0);
	});

	it('holds also those that wait for their turn in the second', async () => {
		await sandbox().fault({ fault: { kind: 'status', status: 429, retryAfter: 2 } });
		const { items, requests } = await run(send, {
			items: [{}, {}, {}],
			credential: credential({ requestsPerSecond: 2 }),
		});
		expect(items).toHaveLength(3);
		const [first = 0, ...others] = requests.map(({ at }) => Date.parse(at));
		expect(Math.min(...others) - first).toBeGreaterThanOrEqual(1990);
		expect(await accepted()).toBe(3);
	});

	it.each([
		[429, '2002', /^The service is receiving too many requests/],
		[503, '2003', /^The service failed to process the request/],
	])(
		'of an hour with status %i holds all others of the account: they fail unsent',
		async (...row) => {
			const [status, clientId, message] = row;
			await sandbox().fault({ fault: { kind: 'status', status, retryAfter: 3600 } });
			const { errorItems, requests } = await run(send, {
				items: [{}, {}, {}],
				onError: 'continueErrorOutput',
				...account(clientId),
			});
			expect(errorItems.map(({ json }) => json.error)).toEqual([
				expect.stringMatching(message),
				...[1, 2].map(
					() => expect.stringMatching(/^The service asked for a pause of 3\d{3} s$/) as unknown,
				),
			]);
			expect(requests).toHaveLength(1);
			expect(await accepted()).toBe(0);
			// Another key is another account.
			const other = await run(send, { credential: credential({ clientId, token: 'b' }) });
			expect(other.error).toBeUndefined();
		},
	);
});

describe('a request that sends', () => {
	it.each([
		['429', { status: 429 }],
		['503 with Retry-After', { status: 503, retryAfter: 0 }],
	])('is repeated after %s: nothing was accepted', async (_, fault) => {
		await sandbox().fault({ fault: { kind: 'status', ...fault } });
		const { error } = await run(send);
		expect(error).toBeUndefined();
		expect(await sendRequests()).toBe(2);
		expect(await accepted()).toBe(1);
	});

	it.each([408, 500, 502, 503, 504])(
		'is not repeated after status %i: it may have been accepted',
		async (status) => {
			await sandbox().fault({ fault: { kind: 'status', status } });
			const { error } = await run(send);
			expect(error).toMatchObject({ httpCode: String(status) });
			expect(await sendRequests()).toBe(1);
		},
	);

	it.each(['cut', 'cutAfterAccept', 'cutBody', 'brokenJson', 'emptyBody'])(
		'is not repeated when the response is missing or broken (%s), and the error says so',
		async (kind) => {
			await sandbox().fault({ fault: { kind } });
			const { error } = await run(send);
			expect(error?.description).toContain('may have been accepted');
			expect(error?.description).toContain('Get Many');
			expect(await sendRequests()).toBe(1);
			expect(await accepted()).toBe(kind === 'cut' ? 0 : 1);
		},
	);

	it('is not repeated when the response does not come in time', async () => {
		await sandbox().fault({ fault: { kind: 'hang' } });
		const { error } = await run(send, { credential: credential({ timeout: 0.3 }) });
		expect(error?.message).toMatch(/did not respond in time$/);
		expect(error?.description).toContain('may have been accepted');
		expect(await sendRequests()).toBe(1);
	});
});

describe('pace', () => {
	const fifty = Array.from({ length: 50 }, (_, index) => ({ index }));

	it.each([1, 3])('keeps to %i simultaneous requests', async (concurrentRequests) => {
		await sandbox().fault({ times: 'always', fault: { kind: 'delay', delayMs: 5 } });
		const { items } = await run(
			{ ...send, message: '=Hello {{ $json.index }}' },
			{ items: fifty, credential: credential({ concurrentRequests }) },
		);
		expect(items).toHaveLength(50);
		expect((await sandbox().summary()).mostRequestsAtOnce).toBeLessThanOrEqual(concurrentRequests);
	});

	it('keeps the order of the items', async () => {
		await sandbox().fault({ times: 5, fault: { kind: 'delay', delayMs: 50 } });
		const { items, requests } = await run(
			{ ...send, message: '=Hello {{ $json.index }}' },
			{ items: fifty },
		);
		const idOf = new Map(
			requests.map(({ body, response }) => [(body as { message: string }).message, response]),
		);
		expect(items.map(({ json }) => json.newId)).toEqual(
			fifty.map(({ index }) => idOf.get(`Hello ${index}`)),
		);
	});

	it('is shared by all runs with the account', async () => {
		const limited = { items: fifty.slice(0, 6), credential: credential({ requestsPerSecond: 20 }) };
		const parameters = { ...send, message: '=Hello {{ $json.index }}' };
		await Promise.all([run(parameters, limited), run(parameters, limited)]);
		const { items } = await sandbox().requests({ operationId: 'sendSmsMessage' });
		const times = items.map(({ at }) => Date.parse(at)).sort((a, b) => a - b);
		expect(times).toHaveLength(12);
		expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(500);
	});

	it('lets one message through beside a long run of the account', async () => {
		await sandbox().fault({ times: 'always', fault: { kind: 'delay', delayMs: 20 } });
		const limited = credential({ concurrentRequests: 2 });
		const parameters = { ...send, message: '=Hello {{ $json.index }}' };
		const all = Array.from({ length: 200 }, (_, index) => ({ index }));
		const long = run(parameters, { items: all, credential: limited });
		while ((await sendRequests()) < 4) await new Promise((resolve) => setImmediate(resolve));
		await run({ ...send, message: 'Alone' }, { credential: limited });
		expect(await sendRequests()).toBeLessThan(100);
		await long;
		expect(await sendRequests()).toBe(201);
	});
});
