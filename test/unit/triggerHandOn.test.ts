import { over, SimulatedN8n, simulatedWorkflow } from './support/simulatedN8n';

const MINUTE = 60_000;

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

const sms = (number: number, more = {}) => ({
	webHookType: 1,
	data: { Id: number, statusCode: 1, ...more },
});

type Parameters = Record<string, unknown>;

/** An n8n in which the workflows a, b, ... are published with these parameters. */
async function published(...parameters: Parameters[]) {
	const workflows = parameters.map((each, index) =>
		simulatedWorkflow('abcdefg'.charAt(index), each as never),
	);
	const n8n = new SimulatedN8n(workflows);
	for (const workflow of workflows) expect(await over(n8n.publish(workflow))).toBe(true);
	n8n.entries.length = 0;
	n8n.ownRequests.length = 0;
	const workflow = (index: number) => workflows[index] as (typeof workflows)[0];
	const send = async (number: number, more = {}) =>
		(await over(n8n.deliver(n8n.service.url, sms(number, more)))).statusCode;
	return { n8n, workflows, workflow, send };
}

const eventsOf = (workflows: { events: unknown[] }[]) => workflows.map(({ events }) => events);

test('an event is handed on to those that want its kind, and each applies its own filters', async () => {
	const { n8n, workflows, send } = await published(
		{ filters: { statuses: ['failed'] } },
		{},
		{ events: ['callAttempted'] },
		{ events: ['callAttempted', 'smsStatus'] },
		{ options: { registration: 'manual' } },
	);
	expect(await send(1)).toBe(200);
	expect(await send(2, { statusCode: 5 })).toBe(200);
	expect(eventsOf(workflows)).toEqual([[2], [1, 2], [], [1, 2], [1, 2]]);
	expect(n8n.ownRequests.filter(({ url }) => url.includes('/c?'))).toEqual([]);
});

test.each([
	['workflows of the same name', { name: 'same' }],
	['triggers of the same workflow', { id: 'same', name: 'same' }],
])(
	'an event is handed on to each of several %s, also after one is unpublished',
	async (_, same) => {
		const workflows = ['a', 'b', 'c'].map((id) => ({
			...simulatedWorkflow(id),
			...{ nodeId: `node-of-${id}`, ...same },
		}));
		const n8n = new SimulatedN8n(workflows);
		for (const workflow of workflows) expect(await over(n8n.publish(workflow))).toBe(true);
		await over(n8n.deliver(n8n.service.url, sms(1)));
		await over(n8n.unpublish(workflows[1] as (typeof workflows)[0]));
		await over(n8n.deliver(n8n.service.url, sms(2)));
		expect(eventsOf(workflows)).toEqual([[1, 2], [1], [1, 2]]);
	},
);

test('a process that only takes deliveries hands on the first event after publishing', async () => {
	const [first, second] = [simulatedWorkflow('a', {}), simulatedWorkflow('b', {})];
	const n8n = new SimulatedN8n([first, second]);
	n8n.startProcessors(2);
	expect(await over(n8n.publish(first))).toBe(true);
	const delivered = n8n.publish(second).then(async () => n8n.deliver(n8n.service.url, sms(1)));
	expect((await over(delivered)).statusCode).toBe(200);
	expect(eventsOf([first, second])).toEqual([[1], [1]]);
});

test('whoever gets an event of the service hands it on, also where the user has registered the URL', async () => {
	const { n8n, workflows } = await published({}, { options: { registration: 'manual' } });
	const url = n8n.service.url.replace('/a?', '/b?');
	expect((await over(n8n.deliver(url, sms(1)))).statusCode).toBe(200);
	expect(eventsOf(workflows)).toEqual([[1], [1]]);
});

test('a byte order mark before an event is not handed on: n8n sends no such text as JSON', async () => {
	const { n8n, workflows } = await published({}, {});
	const body = `\uFEFF${JSON.stringify(sms(1))}`;
	expect((await over(n8n.deliver(n8n.service.url, body))).statusCode).toBe(200);
	expect(eventsOf(workflows)).toEqual([[1], [1]]);
	expect(n8n.ownRequests.map((request) => JSON.parse(String(request.body)) as unknown)).toEqual([
		sms(1),
	]);
});

test('what is handed on is handed on to nobody else', async () => {
	const { n8n, workflows } = await published({}, {}, {});
	const headers = { 'x-messaging-service-trigger': 'handed-on' };
	const { statusCode, headers: sent } = await over(n8n.deliver(n8n.service.url, sms(1), headers));
	expect([statusCode, sent]).toEqual([200, { 'x-messaging-service-trigger': 'stored' }]);
	expect(eventsOf(workflows)).toEqual([[1], [], []]);
});

test.each([
	['is first', { public: true, local: true }, 'http://127.0.0.1:5678/webhook/b'],
	['is enough', { public: false, local: true }, 'http://127.0.0.1:5678/webhook/b'],
	['may be blocked', { public: true, local: false }, 'https://n8n.example.com/webhook/b'],
])('the own address of the process %s', async (_, reaches, last) => {
	const { n8n, workflows, send } = await published({}, {});
	n8n.reaches = reaches;
	expect(await send(1)).toBe(200);
	expect(eventsOf(workflows)).toEqual([[1], [1]]);
	expect(n8n.ownRequests.map(({ url }) => url.replace(/\?.*/, '')).at(-1)).toBe(last);
});

test.each([
	['::1', {}, 'http://[::1]:5678/webhook/b'],
	['::ffff:10.0.0.7', {}, 'http://10.0.0.7:5678/webhook/b'],
	['127.0.0.1', { encrypted: true as const }, 'https://127.0.0.1:5678/webhook/b'],
])('the own address of the process may be %s %j', async (localAddress, more, expected) => {
	const { n8n, workflows, send } = await published({}, {});
	n8n.local = { localAddress, ...more };
	expect(await send(1)).toBe(200);
	expect(eventsOf(workflows)).toEqual([[1], [1]]);
	expect(n8n.ownRequests.map(({ url }) => url.replace(/\?.*/, ''))).toEqual([expected]);
});

test('where the own address cannot be told from the path of a delivery, it is the public one', async () => {
	const { n8n, workflows, send } = await published({}, {});
	n8n.written = (path) => path.replace('/a', '/%61');
	expect(await send(1)).toBe(200);
	expect(eventsOf(workflows)).toEqual([[1], [1]]);
	expect(n8n.ownRequests.map(({ url }) => url.replace(/\?.*/, ''))).toEqual([
		'https://n8n.example.com/webhook/b',
	]);
});

test('a workflow is not gone where the public address redirects: its events come again', async () => {
	const { n8n, workflow, send } = await published({}, {});
	Object.assign(n8n, { isRedirecting: true, reaches: { public: true, local: false } });
	expect(await send(1)).toBe(503);
	n8n.isRedirecting = false;
	expect(await send(1)).toBe(200);
	expect(workflow(1).events).toEqual([1]);
});

test('an event is not acknowledged before all have stored it, and what is repeated goes to the others', async () => {
	const { n8n, workflow, workflows, send } = await published({}, {}, {});
	workflow(1).isFailing = true;
	expect(await send(1)).toBe(503);
	expect(eventsOf(workflows)).toEqual([[1], [], [1]]);
	expect(n8n.entries).toEqual([
		expect.objectContaining({ message: expect.stringMatching(/"b" has not stored.*500/) }),
	]);
	await jest.advanceTimersByTimeAsync(9 * MINUTE);
	workflow(1).isFailing = false;
	expect(await send(1)).toBe(200);
	expect(eventsOf(workflows)).toEqual([[1], [1], [1]]);
});

test.each([
	['minutes, for as long', 4 * MINUTE, 200],
	['hours, not for good: the event comes again', 600 * MINUTE, 503],
])('a workflow that responds at its end is waited for: one of %s', async (_, takes, expected) => {
	const { n8n, workflow, workflows } = await published({}, {});
	workflow(1).executionMs = takes;
	let status: number | undefined;
	void n8n.deliver(n8n.service.url, sms(1)).then(({ statusCode }) => (status = statusCode));
	await jest.advanceTimersByTimeAsync(12 * MINUTE);
	expect(status).toBe(expected);
	// One that has not responded in time is not asked at another address.
	expect(eventsOf(workflows)).toEqual([[1], [1]]);
});

test('a workflow for which the service does not wait costs the others no event twice', async () => {
	const { n8n, workflow, workflows, send } = await published({}, {}, {});
	workflow(1).executionMs = 4000;
	n8n.responses.length = 0;
	const first = n8n.deliver(n8n.service.url, sms(1));
	await jest.advanceTimersByTimeAsync(2000);
	n8n.responses[0]?.disconnect();
	await over(first);
	expect(await send(1)).toBe(200);
	expect(eventsOf(workflows)).toEqual([[1], [1], [1]]);
});

test('an event that another workflow has not stored does not come twice when that is unpublished', async () => {
	const { n8n, workflow, send } = await published({}, {});
	workflow(1).isFailing = true;
	expect(await send(1)).toBe(503);
	await over(n8n.unpublish(workflow(1)));
	expect(await send(1)).toBe(200);
	expect(workflow(0).events).toEqual([1]);
});

test('who has stored an event is forgotten after ten minutes', async () => {
	const { workflow, workflows, send } = await published({}, {}, {});
	workflow(1).isFailing = true;
	expect(await send(1)).toBe(503);
	await jest.advanceTimersByTimeAsync(10 * MINUTE);
	workflow(1).isFailing = false;
	expect(await send(2)).toBe(200);
	expect(await send(1)).toBe(200);
	expect(eventsOf(workflows)).toEqual([
		[1, 2, 1],
		[2, 1],
		[1, 2, 1],
	]);
});

test('one that does not want the event has nothing to store, also where the others fail', async () => {
	const { workflow, workflows, send } = await published({ filters: { statuses: [5] } }, {}, {});
	workflow(1).isFailing = true;
	expect(await send(1)).toBe(503);
	workflow(1).isFailing = false;
	expect(await send(1)).toBe(200);
	expect(eventsOf(workflows)).toEqual([[], [1], [1]]);
});

test('a success without the mark of a trigger is none: a starting n8n responds so', async () => {
	const { n8n, workflow, send } = await published({}, {});
	n8n.isStartingUp = true;
	expect(await send(1)).toBe(503);
	n8n.isStartingUp = false;
	expect(await send(1)).toBe(200);
	expect(workflow(1).events).toEqual([1]);
});

test('one that n8n does not find is asked again after three seconds, and then forgotten', async () => {
	const { n8n, workflow, workflows, send } = await published({}, {}, {});
	workflow(1).published = undefined;
	const sent = n8n.deliver(n8n.service.url, sms(1));
	await jest.advanceTimersByTimeAsync(2000);
	workflow(1).published = { parameters: workflow(1).parameters, nodeName: 'Trigger' };
	expect((await over(sent)).statusCode).toBe(200);
	expect(workflow(1).events).toEqual([1]);
	expect(n8n.entries).toEqual([]);

	workflow(1).published = undefined;
	expect(await send(2)).toBe(200);
	expect(n8n.entries).toEqual([
		expect.objectContaining({ level: 'warn', message: expect.stringMatching(/"b" is gone/) }),
	]);
	const { length } = n8n.ownRequests;
	expect(await send(3)).toBe(200);
	expect(n8n.ownRequests.slice(length).filter(({ url }) => url.includes('/b?'))).toEqual([]);
	expect(eventsOf(workflows)).toEqual([[1, 2, 3], [1], [1, 2, 3]]);
});

test('one that was gone for a moment gets events again once it is published', async () => {
	const { n8n, workflow, send } = await published({}, {});
	// An event comes before the others know that it is unpublished.
	void n8n.unpublish(workflow(1));
	workflow(1).published = undefined;
	expect(await send(1)).toBe(200);
	expect(n8n.entries).toEqual([
		expect.objectContaining({ message: expect.stringMatching(/"b" is gone/) }),
	]);
	expect(await over(n8n.publish(workflow(1)))).toBe(true);
	expect(await send(2)).toBe(200);
	expect(workflow(1).events).toEqual([2]);
});

test('one that is published again hands on to those that are there by then', async () => {
	const { n8n, workflow, workflows, send } = await published({}, {}, {});
	await over(n8n.unpublish(workflow(0)));
	await over(n8n.unpublish(workflow(1)));
	await over(n8n.unpublish(workflow(2)));
	await over(n8n.publish(workflow(0)));
	await over(n8n.publish(workflow(2)));
	n8n.ownRequests.length = 0;
	expect(await send(1)).toBe(200);
	expect(eventsOf(workflows)).toEqual([[1], [], [1]]);
	expect(n8n.ownRequests.filter(({ url }) => url.includes('/b?'))).toEqual([]);
});

test('at most 20 events are handed on simultaneously: the others wait', async () => {
	const { n8n, workflows } = await published({}, {});
	const numbers = Array.from({ length: 50 }, (_, number) => number);
	const sent = numbers.map(async (number) => await n8n.deliver(n8n.service.url, sms(number)));
	await jest.advanceTimersByTimeAsync(n8n.webhookMs);
	expect(n8n.ownRequests).toHaveLength(20);
	const statuses = (await over(Promise.all(sent))).map(({ statusCode }) => statusCode);
	expect(statuses.filter((status) => status !== 200)).toEqual([]);
	expect(eventsOf(workflows)).toEqual([numbers, numbers]);
});

test('an event whose sender has gone while it waited is handed on to nobody, as the log says', async () => {
	const { n8n, workflows } = await published({}, {});
	const numbers = Array.from({ length: 21 }, (_, number) => number);
	const sent = numbers.map(async (number) => await n8n.deliver(n8n.service.url, sms(number)));
	await jest.advanceTimersByTimeAsync(n8n.webhookMs);
	n8n.responses.at(-1)?.disconnect();
	await over(Promise.all(sent));
	expect(eventsOf(workflows)).toEqual([numbers.slice(0, 20), numbers.slice(0, 20)]);
	expect(n8n.entries).toEqual([
		expect.objectContaining({ message: expect.stringMatching(/^An event was not stored/) }),
	]);
});

test('an event is handed on first, and joins its batch then', async () => {
	const { n8n, workflows } = await published(
		{ options: { batchEvents: true } },
		{ options: { batchEvents: true } },
	);
	const sent = [1, 2, 3].map(async (number) => await n8n.deliver(n8n.service.url, sms(number)));
	expect((await over(Promise.all(sent))).map(({ statusCode }) => statusCode)).toEqual([
		200, 200, 200,
	]);
	expect(eventsOf(workflows)).toEqual([
		[1, 2, 3],
		[1, 2, 3],
	]);
});

test('an account without any secret shares its events within one process', async () => {
	const workflows = ['a', 'b'].map((id) => {
		const workflow = simulatedWorkflow(id, {}, { webhookSecret: '', authentication: 'none' });
		// Without a Path, since that would need a secret.
		workflow.webhookId = `id-of-${id}`;
		workflow.parameters.path = '';
		return workflow;
	});
	const n8n = new SimulatedN8n(workflows);
	for (const workflow of workflows) expect(await over(n8n.publish(workflow))).toBe(true);
	const { statusCode } = await over(n8n.deliver(n8n.service.url, sms(1)));
	expect(statusCode).toBe(200);
	expect(eventsOf(workflows)).toEqual([[1], [1]]);
	expect(jest.getTimerCount()).toBe(0);
});
