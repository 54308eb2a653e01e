import type { IDataObject } from 'n8n-workflow';
import { SimulatedN8n, type SimulatedWorkflow } from './support/simulatedN8n';

const restored = 'https://crm.example.com/in';

/** Until the last of six tries has failed. */
const ALL_TRIES = 400_000;

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

const workflow = (id: string): SimulatedWorkflow => ({
	id,
	parameters: { path: id, events: ['smsStatus'], options: {} },
	staticData: {},
});

/** Lets simulated time pass while something goes on. */
async function over<Result>(running: Promise<Result>, milliseconds = 10_000): Promise<Result> {
	running.catch(() => undefined);
	await jest.advanceTimersByTimeAsync(milliseconds);
	return await running;
}

/** Listens in the editor, and gives what ends it; fails where it was refused. */
async function listen(n8n: SimulatedN8n, one: SimulatedWorkflow, mode: string, more?: IDataObject) {
	const stop = await over(n8n.listen(one, mode, more));
	if (stop === undefined) throw new Error(n8n.refusals.at(-1));
	return stop;
}

describe('while the editor listens', () => {
	test('one sample event is asked for at the test URL, in a moment and as JSON', async () => {
		const n8n = new SimulatedN8n();
		const one = workflow('a');
		await over(n8n.listen(one, 'sample'), 499);
		expect(n8n.ownRequests).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(n8n.ownRequests).toEqual([
			{
				method: 'POST',
				url: n8n.url(one, 'webhook-test'),
				body: { sampleRequest: expect.stringMatching(/^[\da-f-]{36}$/) },
				json: true,
				timeout: 10_000,
			},
		]);
		expect([n8n.log, n8n.service.history]).toEqual([[], []]);
	});

	test.each([
		['redirect', {}],
		['leave', {}],
		['leave', { registration: 'manual' }],
		['redirect', { registration: 'manual' }],
	])('none is asked for otherwise: %s, %j', async (mode, more) => {
		const n8n = new SimulatedN8n();
		await listen(n8n, workflow('a'), mode, { urlToRestore: restored, ...more });
		expect(n8n.ownRequests).toEqual([]);
	});

	test('a manual registration has samples all the same, and is never changed', async () => {
		const n8n = new SimulatedN8n();
		const manual = { registration: 'manual', urlToRestore: restored };
		const one = workflow('a');
		for (const mode of ['sample', 'redirect']) {
			const stop = await listen(n8n, one, mode, manual);
			await over(stop());
		}
		expect(n8n.ownRequests).toHaveLength(1);
		expect(n8n.service.history).toEqual([]);
	});

	test('a test URL that n8n cannot reach is reported for the workflow', async () => {
		const n8n = new SimulatedN8n();
		n8n.ownResponse = async () => await Promise.reject(new Error('refused'));
		const one = workflow('a');
		await listen(n8n, one, 'sample');
		expect(n8n.entries).toEqual([
			{
				level: 'warn',
				message: expect.stringMatching(
					/test URL https:\/\/n8n\.example\.com\/webhook-test\/a,.*: refused$/,
				),
				workflowId: 'a',
			},
		]);
	});

	test.each(['sample', 'leave'])('nothing is restored after %s', async (mode) => {
		const n8n = new SimulatedN8n();
		await over(n8n.publish(workflow('published')));
		const stop = await listen(n8n, workflow('a'), mode);
		await over(stop());
		expect(n8n.service.history).toHaveLength(1);
	});
});

test('the end of a test webhook that is not known takes no URL away', async () => {
	const n8n = new SimulatedN8n();
	const one = workflow('a');
	await over(n8n.publish(one));
	await over(n8n.removeTestWebhook(one));
	expect(n8n.service.history).toEqual([n8n.url(one)]);
});

describe('a redirect', () => {
	test('that n8n was never told to end counts for ten minutes', async () => {
		const n8n = new SimulatedN8n();
		const one = workflow('a');
		one.parameters.options = { renewEveryHours: 0.005 };
		await over(n8n.publish(one), 1000);
		const stop = await listen(n8n, one, 'redirect');
		await jest.advanceTimersByTimeAsync(580_000);
		expect(n8n.service.url).toBe(n8n.url(one, 'webhook-test'));
		await jest.advanceTimersByTimeAsync(40_000);
		expect(n8n.service.url).toBe(n8n.url(one));
		// Should it be told after all, there is nothing left to do.
		const before = n8n.service.history.length;
		await over(stop(), 100);
		expect([n8n.service.history.length, n8n.log]).toEqual([before, []]);
	});

	test('of a URL that n8n has removed needs no URL to restore', async () => {
		const n8n = new SimulatedN8n();
		await over(n8n.setByHand(''));
		for (let time = 0; time < 2; time++) {
			const stop = await listen(n8n, workflow('a'), 'redirect');
			await over(stop());
		}
		const test = n8n.url(workflow('a'), 'webhook-test');
		expect(n8n.service.history).toEqual(['', test, '', test, '']);
	});

	test.each([
		['ftp://crm.example.com', 'URL to Restore is not an http or https URL'],
		['http://localhost/in', 'URL to Restore is on this machine'],
	])('is refused before anything is sent where %s is to be restored', async (url, problem) => {
		const n8n = new SimulatedN8n();
		await expect(listen(n8n, workflow('a'), 'redirect', { urlToRestore: url })).rejects.toThrow(
			problem,
		);
		expect(n8n.service.history).toEqual([]);
	});

	test('is refused where the service cannot reach the test URL', async () => {
		const n8n = new SimulatedN8n();
		n8n.base = 'http://localhost:5678';
		expect(await over(n8n.listen(workflow('a'), 'redirect', { urlToRestore: restored }))).toBe(
			undefined,
		);
		expect(n8n.refusals).toEqual([expect.stringContaining('Webhook URL is on this machine')]);
		expect(n8n.service.history).toEqual([]);
	});

	test('restores the URL of this n8n with the token, that of others without', async () => {
		const n8n = new SimulatedN8n();
		n8n.credential.webhookSecret = 'secret';
		const own = `${String(n8n.base)}/webhook/other`;
		for (const urlToRestore of [own, restored]) {
			// The account is another one each time: what is registered for it is not known.
			n8n.credential.clientId = urlToRestore;
			const stop = await listen(n8n, workflow('a'), 'redirect', { urlToRestore });
			await over(stop());
		}
		const token = expect.stringMatching(/\/webhook-test\/a\?token=[\da-f]{64}$/);
		expect(n8n.service.history).toEqual([
			token,
			expect.stringMatching(/\/webhook\/other\?token=[\da-f]{64}$/),
			token,
			restored,
		]);
	});

	test('by two editors ends with the last of them', async () => {
		const n8n = new SimulatedN8n();
		const published = workflow('published');
		await over(n8n.publish(published));
		const [one, two] = [workflow('a'), workflow('b')];
		const stopOne = await listen(n8n, one, 'redirect');
		const stopTwo = await listen(n8n, two, 'redirect');
		await over(stopOne());
		expect(n8n.service.url).toBe(n8n.url(two, 'webhook-test'));
		await over(stopTwo());
		expect(n8n.service.url).toBe(n8n.url(published));
	});

	test('that cannot be ended now is ended later', async () => {
		const n8n = new SimulatedN8n();
		const published = workflow('published');
		await over(n8n.publish(published));
		const stop = await listen(n8n, workflow('a'), 'redirect');
		n8n.service.downUntil = Date.now() + 3000;
		await over(stop(), 1000);
		expect(n8n.entries).toEqual([
			{
				level: 'warn',
				message: expect.stringMatching(/could not be restored yet: down n8n tries again\.$/),
				workflowId: 'a',
			},
		]);
		await jest.advanceTimersByTimeAsync(6000);
		expect(n8n.service.url).toBe(n8n.url(published));
		expect(n8n.entries).toHaveLength(1);
	});

	test('that cannot be ended for minutes is given up, and said so; renewals go on', async () => {
		const n8n = new SimulatedN8n();
		const published = workflow('published');
		published.parameters.options = { renewEveryHours: 0.02 };
		await over(n8n.publish(published));
		const stop = await listen(n8n, workflow('a'), 'redirect');
		n8n.service.downUntil = Date.now() + ALL_TRIES;
		await over(stop(), ALL_TRIES);
		const own = n8n.entries.filter(({ workflowId }) => workflowId === 'a');
		expect(own.map(({ level }) => level)).toEqual(['warn', 'error']);
		expect(own.at(-1)).toEqual({
			level: 'error',
			message: expect.stringMatching(/could not be restored: down Run the node.*Webhook: Set/),
			workflowId: 'a',
			nodeName: 'Trigger',
		});
		// Otherwise the redirect would hold them off for the rest of its ten minutes.
		await jest.advanceTimersByTimeAsync(75_000);
		expect(n8n.service.url).toBe(n8n.url(published));
	});
});
