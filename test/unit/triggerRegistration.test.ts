import { over, SimulatedN8n, simulatedWorkflow, SimulatedService } from './support/simulatedN8n';

const HOUR = 3_600_000;
const NOW = new Date('2026-03-01T12:00:00Z');

beforeEach(() => {
	jest.useFakeTimers();
	jest.setSystemTime(NOW);
});
afterEach(() => {
	jest.useRealTimers();
});

/** An n8n with workflows of these names, which are published in this order. */
async function publishedIn(...names: string[]) {
	const workflows = names.map((id) => simulatedWorkflow(id));
	const n8n = new SimulatedN8n(workflows);
	for (const workflow of workflows) expect(await over(n8n.publish(workflow))).toBe(true);
	n8n.entries.length = 0;
	return { n8n, workflows, only: workflows[0] as (typeof workflows)[0] };
}

const withoutTokens = (urls: string[]) => urls.map((url) => url.replace(/\?.*/, ''));

const entry = (level: string, message: RegExp, workflowId: string) => ({
	...{ level, workflowId, nodeName: 'Trigger' },
	message: expect.stringMatching(message),
});

test('while nothing changes, no timer runs, also if the credential cannot be read', async () => {
	const { n8n } = await publishedIn('a', 'b');
	expect(jest.getTimerCount()).toBe(0);
	// Only "a" had to be told, when "b" was published.
	expect(n8n.ownRequests.map(({ url }) => url.replace(/\?.*/, ''))).toEqual([
		'https://n8n.example.com/webhook/a',
	]);
	await over(n8n.restart());
	expect(n8n.ownRequests).toHaveLength(1);
	expect(jest.getTimerCount()).toBe(0);
	n8n.isReady = false;
	const { length } = n8n.service.history;
	await jest.advanceTimersByTimeAsync(24 * HOUR);
	expect(n8n.service.history).toHaveLength(length);
	expect(n8n.entries).toEqual([]);
});

test('nothing is logged where several workflows are unpublished one after the other', async () => {
	const { n8n, workflows } = await publishedIn('a', 'b', 'c', 'd');
	const [, ...others] = workflows;
	for (const workflow of others) await over(n8n.unpublish(workflow), 500);
	await jest.advanceTimersByTimeAsync(60_000);
	expect(n8n.entries).toEqual([]);
	expect(jest.getTimerCount()).toBe(0);
});

describe('what goes wrong is logged for the workflow', () => {
	test('whose URL the service cannot reach after a start of n8n', async () => {
		const { n8n } = await publishedIn('a');
		n8n.base = 'http://localhost:5678';
		await over(n8n.restart());
		expect(n8n.entries).toEqual([
			entry('error', /workflow "a" cannot be registered.*cannot reach the webhook URL/, 'a'),
		]);
	});

	test('that n8n starts while the service is down', async () => {
		const { n8n, only } = await publishedIn('a');
		n8n.service.downUntil = Date.now() + 2 * HOUR;
		await over(n8n.restart(), 8000);
		expect(n8n.entries).toEqual([
			entry('warn', /"a" could not be registered: down\. The next try is in 5 seconds/, 'a'),
		]);
		await jest.advanceTimersByTimeAsync(2 * HOUR);
		const next = (seconds: number) => new RegExp(`"a" could not be.*in ${String(seconds)} seconds`);
		expect(n8n.entries.slice(1, 4)).toEqual([
			entry('warn', next(10), 'a'),
			entry('error', next(20), 'a'),
			entry('warn', next(40), 'a'),
		]);
		expect(n8n.failedExecutions).toEqual([expect.stringMatching(next(20))]);
		expect(n8n.entries.at(-1)?.message).toContain('in 300 seconds');
		await jest.advanceTimersByTimeAsync(300_000);
		expect(withoutTokens(n8n.service.history)).toEqual([n8n.url(only), n8n.url(only)]);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('that is unpublished when n8n does not know whether it has the URL', async () => {
		const { n8n, only } = await publishedIn('a');
		n8n.service.downUntil = Date.now() + HOUR;
		await over(n8n.restart());
		n8n.entries.length = 0;
		await over(n8n.unpublish(only));
		expect(n8n.entries).toEqual([entry('warn', /"a" was unpublished.*left alone/, 'a')]);
		await jest.advanceTimersByTimeAsync(2 * HOUR);
		expect(n8n.service.history).toHaveLength(1);
	});

	test('but not that its URL was left alone, where another workflow gets the URL', async () => {
		const { n8n, only } = await publishedIn('a', 'b');
		n8n.service.downUntil = Date.now() + HOUR;
		await over(n8n.restart());
		await over(n8n.unpublish(only), 2 * HOUR);
		expect(n8n.entries.map(({ message }) => message)).not.toContainEqual(
			expect.stringContaining('left alone'),
		);
		expect(withoutTokens([n8n.service.url])).toEqual(['https://n8n.example.com/webhook/b']);
	});

	test('that is unpublished while the service is down for long', async () => {
		const { n8n, only } = await publishedIn('a');
		n8n.service.downUntil = Date.now() + HOUR;
		await over(n8n.unpublish(only), HOUR);
		expect(n8n.entries[0]).toEqual(entry('warn', /"a" could not be removed: down\./, 'a'));
		expect(n8n.entries.at(-1)).toEqual(
			entry('error', /"a" could not be removed: down\. Remove it with the node/, 'a'),
		);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('that is unpublished while the service is down, and another one that cannot be published then', async () => {
		const { n8n, workflows, only } = await publishedIn('a');
		const second = simulatedWorkflow('b');
		workflows.push(second);
		n8n.service.downUntil = Date.now() + 60_000;
		await over(n8n.unpublish(only), 500);
		expect(await over(n8n.publish(second), 30_000)).toBe(false);
		await jest.advanceTimersByTimeAsync(HOUR);
		expect(n8n.service.url).toBe('');
		expect(n8n.entries.map(({ message }) => message)).not.toContainEqual(
			expect.stringContaining('left alone'),
		);
	});

	test('whose credential points to another client when it is unpublished: nothing changes there', async () => {
		const { n8n, only } = await publishedIn('a');
		n8n.credential.clientId = '1002';
		n8n.service.url = 'https://crm.example.com/in';
		await over(n8n.unpublish(only), HOUR);
		expect(withoutTokens(n8n.service.history)).toEqual([n8n.url(only)]);
		expect(n8n.entries.at(-1)).toEqual(
			entry('error', /"a" could not be removed:.*points to another service or client now/, 'a'),
		);
	});

	test('that cannot tell other processes of n8n who gets events', async () => {
		const { n8n, workflows } = await publishedIn('a');
		const second = simulatedWorkflow('b');
		workflows.push(second);
		n8n.reaches = { public: false, local: false };
		expect(await over(n8n.publish(second), 4000)).toBe(true);
		await jest.advanceTimersByTimeAsync(20_000);
		const problem = (seconds: number) =>
			new RegExp(`could not tell all its processes.*Nothing responds.*in ${String(seconds)} sec`);
		// While n8n starts, it does not reach itself for a while: that is nothing to look at.
		expect(n8n.entries).toEqual([
			...[5, 5, 10].map((seconds) => entry('warn', problem(seconds), 'a')),
			entry('error', problem(20), 'a'),
		]);
		expect(n8n.failedExecutions).toEqual([expect.stringMatching(problem(20))]);
		n8n.reaches.public = true;
		await jest.advanceTimersByTimeAsync(20_000);
		expect(jest.getTimerCount()).toBe(0);
	});
});

describe('another Webhook Secret', () => {
	const other = { webhookSecret: 'another secret' };

	test('is refused when a workflow is published, by the names of those with the first one', async () => {
		const { n8n, workflows } = await publishedIn('a', 'b');
		for (const credential of [other, { webhookSecret: '' }]) {
			const third = simulatedWorkflow('c', { path: '' }, credential);
			workflows.push(third);
			expect(await over(n8n.publish(third), 30_000)).toBe(false);
			expect(n8n.refusals.at(-1)).toBe('Webhook Secret is not shared with "a", "b"');
			await over(n8n.unpublish(third));
		}
		expect(new Set(withoutTokens(n8n.service.history))).toEqual(
			new Set(['https://n8n.example.com/webhook/a']),
		);
	});

	test('is taken where the user registers the URL: others hand on nothing to it', async () => {
		const { n8n, workflows } = await publishedIn('a');
		const manual = { options: { registration: 'manual' } };
		const second = simulatedWorkflow('b', manual, other);
		workflows.push(second);
		expect(await over(n8n.publish(second))).toBe(true);
		const event = { webHookType: 1, data: { Id: 1 } };
		expect((await over(n8n.deliver(n8n.service.url, event))).statusCode).toBe(200);
		expect(second.events).toEqual([]);
	});

	test('that a credential has after a start is told in the log and in the list of executions', async () => {
		const { n8n, workflows } = await publishedIn('a', 'b');
		Object.assign(workflows[1]?.credential ?? {}, other);
		await over(n8n.restart());
		const problem = /"b" gets no events: the workflow "a" gets those of the account, with another/;
		expect(n8n.entries).toEqual([entry('error', problem, 'b')]);
		expect(n8n.failedExecutions).toEqual([expect.stringMatching(problem)]);
		const event = { webHookType: 1, data: { Id: 1 } };
		expect((await over(n8n.deliver(n8n.service.url, event))).statusCode).toBe(200);
		expect(workflows.map(({ events }) => events)).toEqual([[1], []]);
	});

	test('keeps nobody from publishing where the user has registered the URL before', async () => {
		const manual = simulatedWorkflow('a', { options: { registration: 'manual' } }, other);
		const automatic = simulatedWorkflow('b');
		const n8n = new SimulatedN8n([manual, automatic]);
		for (const each of [manual, automatic]) {
			expect(await over(n8n.publish(each), 30_000)).toBe(true);
		}
	});

	test('is nothing to tell of a workflow that is unpublished right after a start', async () => {
		const { n8n, workflows } = await publishedIn('a', 'b');
		const [, second] = workflows;
		Object.assign(second?.credential ?? {}, other);
		await over(n8n.restart(), 3000);
		if (second !== undefined) await over(n8n.unpublish(second));
		expect(n8n.failedExecutions).toEqual([]);
	});

	test('is nothing to tell of after a start where the user registers the URL', async () => {
		const { n8n, workflows } = await publishedIn('a');
		const second = simulatedWorkflow('b', { options: { registration: 'manual' } }, other);
		workflows.push(second);
		expect(await over(n8n.publish(second))).toBe(true);
		await over(n8n.restart());
		expect(n8n.entries).toEqual([]);
		expect(n8n.failedExecutions).toEqual([]);
	});

	test.each([true, false])(
		'that is new holds for the others, too, where publishing failed (was it registered: %s)',
		async (isLying) => {
			const { n8n, workflows, only } = await publishedIn('a');
			const second = simulatedWorkflow('b');
			workflows.push(second);
			n8n.credential.webhookSecret = 'new';
			Object.assign(n8n.service, { downUntil: Date.now() + 60_000, isLying });
			expect(await over(n8n.publish(second), 60_000)).toBe(false);
			await jest.advanceTimersByTimeAsync(HOUR);
			expect(withoutTokens([n8n.service.url])).toEqual([n8n.url(only)]);
			const event = { webHookType: 1, data: { Id: 1 } };
			expect((await over(n8n.deliver(n8n.service.url, event))).statusCode).toBe(200);
			expect(workflows.map(({ events }) => events)).toEqual([[1], []]);
		},
	);

	test('may be the new one of a credential that several workflows use', async () => {
		const { n8n, workflows, only } = await publishedIn('a', 'b');
		n8n.credential.webhookSecret = 'new';
		expect(await over(n8n.publish(workflows[1] ?? only))).toBe(true);
		const [before, after] = [n8n.service.history[0], n8n.service.url];
		expect(withoutTokens([String(before), after])).toEqual([n8n.url(only), n8n.url(only)]);
		expect(after).not.toBe(before);
		const event = { webHookType: 1, data: { Id: 1 } };
		expect((await over(n8n.deliver(after, event))).statusCode).toBe(200);
		expect(workflows.map(({ events }) => events)).toEqual([[1], [1]]);
	});

	test('leaves the registered URL its token while the service cannot be told', async () => {
		const { n8n, workflows, only } = await publishedIn('a', 'b');
		n8n.credential.webhookSecret = 'new';
		n8n.service.downUntil = Date.now() + 2 * HOUR;
		expect(await over(n8n.publish(workflows[1] ?? only), HOUR)).toBe(false);
		const event = { webHookType: 1, data: { Id: 1 } };
		expect((await over(n8n.deliver(n8n.service.url, event))).statusCode).toBe(200);
		expect(only.events).toEqual([1]);
	});
});

describe('without a Webhook Secret, who knows the address of the service and the Client ID gets no events', () => {
	const event = { webHookType: 1, data: { Id: 1 } };

	/** "a" without a secret, and "b", whose credential has another key. */
	async function besideAnotherKey(registration: string) {
		const without = { path: '', events: ['smsStatus'] };
		const own = simulatedWorkflow('a', without, { webhookSecret: '' });
		const other = simulatedWorkflow(
			'b',
			{ ...without, options: { registration } },
			{ webhookSecret: '', headerSecret: 'made up' },
		);
		const n8n = new SimulatedN8n([own, other]);
		expect(await over(n8n.publish(own))).toBe(true);
		return { n8n, own, other };
	}

	test('with Registration: Manual, also after a start', async () => {
		const { n8n, own, other } = await besideAnotherKey('manual');
		expect(await over(n8n.publish(other))).toBe(true);
		other.isFailing = true;
		expect((await over(n8n.deliver(n8n.service.url, event))).statusCode).toBe(200);
		await over(n8n.restart());
		expect((await over(n8n.deliver(n8n.service.url, event))).statusCode).toBe(200);
		expect([own.events, other.events]).toEqual([[1, 1], []]);
	});

	test('with Registration: Automatic, its workflow is not published', async () => {
		const { n8n, other } = await besideAnotherKey('automatic');
		expect(await over(n8n.publish(other), 30_000)).toBe(false);
		expect(n8n.refusals).toEqual(['Webhook Secret is not shared with "a"']);
	});
});

test('a Path without a Webhook Secret is not published, and after a start takes no events', async () => {
	const { n8n, only, workflows } = await publishedIn('a');
	const { url } = n8n.service;
	n8n.credential.webhookSecret = '';
	const second = simulatedWorkflow('b');
	workflows.push(second);
	expect(await over(n8n.publish(second), 30_000)).toBe(false);
	expect(n8n.refusals).toEqual(['Path needs a Webhook Secret in the credential']);
	await over(n8n.unpublish(second));
	await over(n8n.restart());
	expect(n8n.entries).toEqual([entry('error', /"a" cannot be.*Path needs a Webhook Secret/, 'a')]);
	const event = { webHookType: 1, data: { Id: 1 } };
	for (const each of [url, n8n.url(only)]) {
		expect((await over(n8n.deliver(each, event))).statusCode).toBe(401);
	}
	expect(only.events).toEqual([]);
});

// The operator registers the address by which his service reaches it: that of a tunnel, for example.
test.each(['https://n8n.example.com', 'http://localhost:5678', 'http://127.0.0.1:5678'])(
	'a manual registration never calls the service, and says nothing, also at %s',
	async (base) => {
		const only = simulatedWorkflow('a', { options: { registration: 'manual' } });
		const n8n = new SimulatedN8n([only]);
		n8n.base = base;
		await over(n8n.publish(only));
		await over(n8n.restart());
		await over(n8n.unpublish(only));
		expect([n8n.entries, n8n.refusals, n8n.service.history]).toEqual([[], [], []]);
	},
);

test('a start never fails, for n8n would take no deliveries then; the log says why', async () => {
	const { n8n } = await publishedIn('a');
	n8n.isReady = false;
	await over(n8n.restart());
	const problem = /workflow "a" cannot be registered after the start.*Database is not ready/;
	expect(n8n.entries).toEqual([entry('error', problem, 'a')]);
});

test('several workflows that start while the service is down try once each time, not each', async () => {
	const { n8n, only } = await publishedIn('a', 'b', 'c');
	n8n.service.downUntil = Date.now() + 40_000;
	await over(n8n.restart(), 60_000);
	expect(n8n.entries.map(({ message }) => message)).toEqual(
		[5, 10, 20].map((seconds) => expect.stringMatching(`"a".*in ${String(seconds)} seconds`)),
	);
	expect(withoutTokens([n8n.service.url])).toEqual([n8n.url(only)]);
});

test('another n8n with the account takes the URL, until a workflow is published here or n8n starts', async () => {
	const service = new SimulatedService();
	const [here, there] = [simulatedWorkflow('here'), simulatedWorkflow('there')];
	const one = new SimulatedN8n([here], service);
	await over(one.publish(here));
	await over(new SimulatedN8n([there], service).publish(there));
	expect(withoutTokens([service.url])).toEqual(['https://n8n.example.com/webhook/there']);
	await over(one.restart());
	expect(withoutTokens([service.url])).toEqual(['https://n8n.example.com/webhook/here']);
});

test('a list of others that nobody has signed reaches nothing', async () => {
	const { n8n, workflows } = await publishedIn('a');
	const trap = simulatedWorkflow('trap');
	workflows.push(trap);
	await over(n8n.publish(simulatedWorkflow('b')).catch(() => false));
	trap.published = { parameters: trap.parameters, nodeName: 'Trigger' };
	const others = [{ path: 'trap', kinds: ['smsStatus'], workflow: 'Trap' }];
	const list = { others };
	const before = JSON.stringify(workflows[0]?.staticData);
	for (const mark of ['', 'x', 'stored', '0'.repeat(64)]) {
		const headers = { 'x-messaging-service-trigger': mark };
		expect((await over(n8n.deliver(n8n.service.url, list, headers))).statusCode).toBe(401);
	}
	expect(JSON.stringify(workflows[0]?.staticData)).toBe(before);
	const event = { webHookType: 1, data: { Id: 1 } };
	await over(n8n.deliver(n8n.service.url, event));
	expect(trap.events).toEqual([]);
});
