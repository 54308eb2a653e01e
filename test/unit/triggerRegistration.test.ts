import { SimulatedN8n, type SimulatedWorkflow } from './support/simulatedN8n';

const HOUR = 3_600_000;
const NOW = new Date('2026-03-01T12:00:00Z');

beforeEach(() => {
	jest.useFakeTimers();
	jest.setSystemTime(NOW);
});
afterEach(() => {
	jest.useRealTimers();
});

function workflow(id: string, options: Record<string, unknown> = {}): SimulatedWorkflow {
	const parameters = { path: id, events: ['smsStatus'], options };
	return { id, parameters: parameters as SimulatedWorkflow['parameters'], staticData: {} };
}

/** Lets simulated time pass while something goes on. */
async function over<Result>(running: Promise<Result>, milliseconds = 10_000): Promise<Result> {
	running.catch(() => undefined);
	await jest.advanceTimersByTimeAsync(milliseconds);
	return await running;
}

const entry = (level: string, message: RegExp, workflowId: string) => ({
	...{ level, workflowId, nodeName: 'Trigger' },
	message: expect.stringMatching(message),
});

test('while nothing changes, no timer runs, also if the credential cannot be read', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a');
	await over(n8n.publish(only));
	expect(jest.getTimerCount()).toBe(0);
	await over(n8n.restart([only]));
	expect(jest.getTimerCount()).toBe(0);
	n8n.isReady = false;
	await jest.advanceTimersByTimeAsync(24 * HOUR);
	expect(n8n.service.history).toHaveLength(2);
	expect(n8n.log).toEqual([]);
});

describe('what goes wrong is logged for the workflow', () => {
	test('whose URL the service cannot reach after a start of n8n', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		n8n.base = 'http://localhost:5678';
		await over(n8n.restart([only]));
		expect(n8n.entries).toEqual([
			entry('error', /workflow "a" cannot be registered.*cannot reach the webhook URL/, 'a'),
		]);
	});

	test('that takes the URL of another one, but not when it is published again', async () => {
		const n8n = new SimulatedN8n();
		const [first, last] = [workflow('first'), workflow('last')];
		await over(n8n.publish(first));
		await over(n8n.publish(first));
		expect(n8n.entries).toEqual([]);
		await over(n8n.publish(last));
		await over(n8n.publish(last));
		expect(n8n.entries).toEqual([
			entry('warn', /"first" receives no more events:.*"last" was published/, 'last'),
		]);
	});

	test('that n8n starts while the service is down', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		n8n.service.downUntil = Date.now() + 2 * HOUR;
		await over(n8n.restart([only]), 8000);
		expect(n8n.entries).toEqual([
			entry('warn', /"a" could not be registered: down\. The next try is in 5 seconds/, 'a'),
		]);
		await jest.advanceTimersByTimeAsync(2 * HOUR);
		expect(n8n.entries.at(-1)?.message).toContain('in 300 seconds');
		await jest.advanceTimersByTimeAsync(300_000);
		expect(n8n.service.history).toEqual([n8n.url(only), n8n.url(only)]);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('that is unpublished when n8n does not know whether it has the URL', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		n8n.service.downUntil = Date.now() + HOUR;
		await over(n8n.restart([only]));
		n8n.entries.length = 0;
		await over(n8n.unpublish(only));
		expect(n8n.entries).toEqual([entry('warn', /"a" was unpublished.*left alone/, 'a')]);
		await jest.advanceTimersByTimeAsync(2 * HOUR);
		expect(n8n.service.history).toHaveLength(1);
	});

	test('that is unpublished while the service is down for long', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		n8n.service.downUntil = Date.now() + HOUR;
		await over(n8n.unpublish(only), HOUR);
		expect(n8n.entries[0]).toEqual(entry('warn', /"a" could not be removed: down\./, 'a'));
		expect(n8n.entries.at(-1)).toEqual(
			entry('error', /"a" could not be removed: down\. Remove it with the node/, 'a'),
		);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('whose credential points to another client when it is unpublished: nothing changes there', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		n8n.credential.clientId = '1002';
		n8n.service.url = 'https://crm.example.com/in';
		await over(n8n.unpublish(only), HOUR);
		expect(n8n.service.history).toEqual([n8n.url(only)]);
		expect(n8n.entries.at(-1)).toEqual(
			entry('error', /"a" could not be removed:.*points to another service or client now/, 'a'),
		);
	});
});

test('after a start of n8n, the workflow published last has the URL, also if it was the first one before', async () => {
	const n8n = new SimulatedN8n();
	const [one, other] = [workflow('one'), workflow('other')];
	await over(n8n.publish(one));
	await over(n8n.publish(other));
	await over(n8n.unpublish(one));
	await over(n8n.publish(one));
	n8n.service.url = '';
	await over(n8n.restart([one, other]));
	expect(n8n.service.url).toBe(n8n.url(one));
});

test('a URL is registered again with the token that the credential has by then', async () => {
	const n8n = new SimulatedN8n();
	const [first, last] = [workflow('first'), workflow('last')];
	n8n.credential.token = 'old';
	await over(n8n.publish(first));
	await over(n8n.publish(last));
	n8n.credential.token = 'new';
	await over(n8n.unpublish(last));
	expect([n8n.service.url, n8n.service.token]).toEqual([n8n.url(first), 'new']);
});

test('a manual registration never calls the service, and says nothing', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a', { registration: 'manual' });
	await over(n8n.publish(only));
	await over(n8n.restart([only]));
	await over(n8n.unpublish(only));
	expect([n8n.entries, n8n.service.history]).toEqual([[], []]);
});

test('a registration that becomes manual leaves the URL to the user', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a');
	await over(n8n.publish(only));
	only.parameters.options = { registration: 'manual' };
	await over(n8n.publish(only));
	await over(n8n.unpublish(only));
	expect(n8n.service.history).toEqual([n8n.url(only)]);
});

test('a start never fails, for n8n would take no deliveries then; the log says why', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a');
	await over(n8n.publish(only));
	n8n.isReady = false;
	await over(n8n.restart([only]));
	expect(n8n.entries).toEqual([
		entry('error', /workflow "a" cannot be registered after the start.*Database is not ready/, 'a'),
	]);
});

test('several workflows that start while the service is down try once each time, not each', async () => {
	const n8n = new SimulatedN8n();
	const all = ['a', 'b', 'c'].map((id) => workflow(id));
	for (const each of all) await over(n8n.publish(each));
	n8n.entries.length = 0;
	n8n.service.downUntil = Date.now() + 40_000;
	await over(n8n.restart(all), 60_000);
	expect(n8n.entries.map(({ message }) => message)).toEqual(
		[5, 10, 20].map((seconds) => expect.stringMatching(`"c".*in ${String(seconds)} seconds`)),
	);
	expect(n8n.service.url).toBe(n8n.url(workflow('c')));
});
