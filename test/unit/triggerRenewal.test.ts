import { SimulatedN8n, type SimulatedWorkflow } from './support/simulatedN8n';

const HOUR = 3_600_000;
const outside = 'https://outside.example.com/events';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

function workflow(id: string, options: Record<string, unknown> = {}) {
	const parameters = { path: id, events: ['smsStatus'], options };
	return { id, parameters, staticData: {} } as SimulatedWorkflow;
}

/** Lets simulated time pass while something goes on. */
async function over<Result>(running: Promise<Result>, milliseconds = 10_000): Promise<Result> {
	running.catch(() => undefined);
	await jest.advanceTimersByTimeAsync(milliseconds);
	return await running;
}

test('the URL is renewed every six hours, more or less', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a');
	await over(n8n.publish(only));
	await jest.advanceTimersByTimeAsync(5.3 * HOUR);
	expect(n8n.service.history).toHaveLength(1);
	await jest.advanceTimersByTimeAsync(1.4 * HOUR);
	expect(n8n.service.history).toEqual([n8n.url(only), n8n.url(only)]);
});

test('with 0 hours only publishing registers it, and a changed secret while this n8n has it', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a', { renewEveryHours: 0 });
	await over(n8n.publish(only));
	n8n.service.url = outside;
	await jest.advanceTimersByTimeAsync(24 * HOUR);
	await over(n8n.restart([only]), 60_000);
	n8n.credential.webhookSecret = 'new';
	await jest.advanceTimersByTimeAsync(60_000);
	expect(n8n.service.url).toBe(outside);
	await over(n8n.unpublish(only));
	expect(n8n.service.url).toBe(outside);
	expect(n8n.log.at(-1)).toMatch(/"a" was unpublished, and the registered webhook URL was left/);

	await over(n8n.publish(only));
	n8n.credential.webhookSecret = 'newer';
	await jest.advanceTimersByTimeAsync(60_000);
	expect(n8n.service.history.filter((url) => url.startsWith(n8n.url(only)))).toHaveLength(3);
});

test('a failing renewal is tried at growing intervals, logged, and shown once', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a');
	await over(n8n.publish(only));
	n8n.service.downUntil = Date.now() + 8 * HOUR;
	await over(n8n.restart([only]), 2 * HOUR);
	const tries = n8n.log.length;
	expect(tries).toBeGreaterThan(15);
	expect(tries).toBeLessThan(40);
	expect(n8n.log[0]).toMatch(
		/"a" could not be registered again: down The next try is in 5 seconds/,
	);
	expect(n8n.log.at(-1)).toMatch(/next try is in 300 seconds/);
	expect(n8n.failedExecutions).toHaveLength(1);
	n8n.service.downUntil = 0;
	n8n.service.url = '';
	await jest.advanceTimersByTimeAsync(310_000);
	expect(n8n.service.url).toBe(n8n.url(only));
});

test('a credential that points elsewhere moves the URL, and says what stays', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a');
	await over(n8n.publish(only));
	n8n.credential.clientId = '1002';
	await jest.advanceTimersByTimeAsync(60_000);
	expect(n8n.service.history).toHaveLength(2);
	expect(n8n.log).toEqual([expect.stringMatching(/points to another service or client now/)]);
	await over(n8n.unpublish(only));
	expect(n8n.service.url).toBe('');
});

test('where another workflow still wants the former URL, that one registers its own first', async () => {
	const n8n = new SimulatedN8n();
	const [first, last] = [workflow('first'), workflow('last')];
	await over(n8n.publish(first));
	await over(n8n.publish(last));
	// The credential is read every 20 seconds: by the last one next.
	await jest.advanceTimersByTimeAsync(5000);
	n8n.log.length = 0;
	n8n.credential.clientId = '1002';
	await jest.advanceTimersByTimeAsync(60_000);
	const urls = [first, last, first, last].map((each) => n8n.url(each));
	expect([n8n.log, n8n.service.history]).toEqual([[], urls]);
});

test('a stopped timer calls nobody', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a');
	await over(n8n.publish(only));
	// As when n8n hands the leadership over: no hook is called.
	await only.close?.();
	await jest.advanceTimersByTimeAsync(24 * HOUR);
	expect(n8n.service.history).toHaveLength(1);
});

test('a leader that takes over again does not trust what it knew: the URL may be another by now', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a', { renewEveryHours: 0 });
	await over(n8n.publish(only));
	await n8n.loseLeadership([only]);
	n8n.service.url = outside;
	await over(n8n.regainLeadership([only]));
	await over(n8n.unpublish(only));
	expect(n8n.service.url).toBe(outside);
	expect(n8n.log.at(-1)).toMatch(/"a" was unpublished, and the registered webhook URL was left/);
});

test('a leader that takes over again forgets the URL of a workflow that another one unpublished', async () => {
	const n8n = new SimulatedN8n();
	const first = workflow('first');
	const last = workflow('last');
	await over(n8n.publish(first));
	await over(n8n.publish(last));
	await n8n.loseLeadership([first, last]);
	last.published = undefined;
	await over(n8n.regainLeadership([first]));
	last.parameters.options = { registration: 'manual' };
	await over(n8n.publish(last));
	n8n.service.url = outside;
	await jest.advanceTimersByTimeAsync(7 * HOUR);
	expect(n8n.service.url).toBe(n8n.url(first));
});

test.each([
	['keep', (n8n: SimulatedN8n, last: SimulatedWorkflow) => n8n.url(last)],
	['replace', () => outside],
	['remove', (n8n: SimulatedN8n, _: SimulatedWorkflow, first: SimulatedWorkflow) => n8n.url(first)],
])(
	'what the user wants when a workflow is unpublished is respected: %s',
	async (value, expected) => {
		const n8n = new SimulatedN8n();
		const first = workflow('first');
		const last = workflow('last', { whenUnpublished: value, replacementUrl: outside });
		await over(n8n.publish(first));
		await over(n8n.publish(last));
		await over(n8n.unpublish(last));
		expect(n8n.service.url).toBe(expected(n8n, last, first));
		await jest.advanceTimersByTimeAsync(24 * HOUR);
		expect(n8n.service.url).toBe(expected(n8n, last, first));
	},
);

test('a registration that becomes manual leaves what is registered alone', async () => {
	const n8n = new SimulatedN8n();
	const first = workflow('first');
	const last = workflow('last');
	await over(n8n.publish(first));
	await over(n8n.publish(last));
	last.parameters.options = { registration: 'manual' };
	const before = n8n.service.history.length;
	await over(n8n.publish(last));
	await over(n8n.unpublish(last));
	await jest.advanceTimersByTimeAsync(24 * HOUR);
	expect(n8n.service.history).toHaveLength(before);
});

test('a URL that the service registered although it reported an error is not left registered', async () => {
	const n8n = new SimulatedN8n();
	n8n.service.isLying = true;
	const first = workflow('first');
	const last = workflow('last');
	await over(n8n.publish(first));
	n8n.service.downUntil = Date.now() + 20_000;
	expect(await over(n8n.publish(last), 40_000)).toBe(false);
	expect(n8n.service.url).toBe(n8n.url(first));

	n8n.service.downUntil = Date.now() + 1000;
	expect(await over(n8n.listen(last, 'redirect'), 20_000)).toBeUndefined();
	expect(n8n.service.url).toBe(n8n.url(first));
});

test('a redirect pauses renewals, and ends with the next publishing', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a', { renewEveryHours: 0.005 });
	await over(n8n.publish(only), 1000);
	const stop = await over(n8n.listen(only, 'redirect'), 60_000);
	expect(n8n.service.url).toBe(n8n.url(only, 'webhook-test'));
	const other = workflow('b');
	await over(n8n.publish(other));
	await over(stop?.() ?? Promise.reject(new Error('It was refused')));
	expect(n8n.service.url).toBe(n8n.url(other));
	expect(n8n.service.history.filter((url) => url === n8n.url(only))).toHaveLength(1);
});

test('of two calls that overlap, the later one decides, however long the first one takes', async () => {
	const n8n = new SimulatedN8n();
	const [slow, fast] = [workflow('slow'), workflow('fast')];
	n8n.service.latency = 5000;
	const first = n8n.publish(slow);
	await jest.advanceTimersByTimeAsync(100);
	n8n.service.latency = 10;
	await over(Promise.all([first, n8n.publish(fast)]), 30_000);
	expect(n8n.service.url).toBe(n8n.url(fast));
});

test('a changed workflow that never got the URL is not published while the service is away', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a');
	n8n.service.downUntil = Date.now() + HOUR;
	expect(await over(n8n.publish(only), 60_000)).toBe(false);
	expect(await over(n8n.publish(only), 60_000)).toBe(false);
	n8n.service.downUntil = 0;
	expect(await over(n8n.publish(only), 60_000)).toBe(true);
	// Once it has it, a change is published, and the URL registered later.
	n8n.service.downUntil = Date.now() + 30_000;
	expect(await over(n8n.publish(only), 20_000)).toBe(true);
	n8n.service.url = '';
	await jest.advanceTimersByTimeAsync(60_000);
	expect(n8n.service.url).toBe(n8n.url(only));
});
