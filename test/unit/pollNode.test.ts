import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import type { PollRequest, PollResult } from '../../nodes/MessagingService/poll/poll';
import { runPoll } from '../../nodes/MessagingService/poll/pollNode';

/** What the service's part of a poll is asked, and what comes of it. */
const asked: PollRequest[] = [];
let outcome: () => Promise<PollResult>;

jest.mock('../../nodes/MessagingService/poll/poll', () => ({
	pollService: async (request: PollRequest) => {
		asked.push(request);
		return await outcome();
	},
}));
jest.mock('../../nodes/MessagingService/transport/connection', () => ({
	INTERACTIVE: {},
	connect: async () =>
		await Promise.resolve({
			settings: {
				...{ baseUrl: 'https://a', clientId: '1', timeZone: '' },
				...{ pageIndexParameter: 'page', pageSizeParameter: 'size' },
			},
		}),
}));

const node = { id: 'n', name: 'Poll', type: 'x', parameters: {} } as unknown as INode;
const down = new NodeApiError(node, { message: 'down' });
const odd = Object.assign(new Error('odd'), { description: 'Do this.' });

const gives = (items: IDataObject[], failures: unknown[] = [], state = 'next') => {
	outcome = async () => await Promise.resolve({ items, failures, state } as PollResult);
};

let nodes = 0;

/** A node of its own, as n8n polls it. */
function pollNode(data: IDataObject = {}, more: object = {}) {
	const id = String(nodes++);
	const log: string[] = [];
	const context = {
		getMode: () => 'trigger',
		getActivationMode: () => 'activate',
		getWorkflow: () => ({ id }),
		getNode: () => node,
		getWorkflowStaticData: (type: string) => (type === 'node' ? data : {}),
		getNodeParameter: (name: string, fallback: unknown) =>
			name === 'events' ? ['smsStatus'] : fallback,
		getTimezone: () => 'Europe/London',
		helpers: { returnJsonArray: (items: IDataObject[]) => items.map((json) => ({ json })) },
		logger: {
			info: (message: string) => log.push(`info ${message}`),
			warn: (message: string) => log.push(`warn ${message}`),
		},
		...more,
	} as unknown as IPollFunctions;
	return { data, log, poll: async () => await runPoll(context) };
}

beforeEach(() => {
	asked.length = 0;
});

describe('a poll in n8n', () => {
	test('gives what is new, and goes on from where it was', async () => {
		const { data, poll, log } = pollNode();
		gives([], [], 'one');
		expect(await poll()).toBeNull();
		expect(data).toEqual({ results: 'one' });
		gives([{ a: 1 }, { a: 2 }], [], 'two');
		expect(await poll()).toEqual([[{ json: { a: 1 } }, { json: { a: 2 } }]]);
		expect(data).toEqual({ results: 'two' });
		expect(asked.map(({ state }) => state)).toEqual([undefined, 'one']);
		expect(asked[0]).toMatchObject({ zone: 'Europe/London', account: 'https://a 1' });
		expect(Math.abs((asked[0]?.now() ?? 0) - Date.now())).toBeLessThan(60_000);
		expect(log).toEqual([]);
	});

	test.each([[{}], [5], [null], [['a']]])(
		'begins anew with a state that is none: %j',
		async (results) => {
			gives([]);
			const { data, poll } = pollNode({ results } as IDataObject);
			await poll();
			expect(asked[0]?.state).toBeUndefined();
			expect(data.results).toBe('next');
		},
	);

	test.each([
		[{}, 300_000],
		[{ getPollBudgetMs: () => 7000 }, 7000],
	])('may take the time that n8n gives it: %j', async (more, budget) => {
		gives([]);
		await pollNode({}, more).poll();
		expect(asked[0]?.budgetMs).toBe(budget);
	});

	test('is skipped while the one before is not over, and only then', async () => {
		const { data, poll, log } = pollNode({ results: 'one' });
		let end: (result: PollResult) => void = () => undefined;
		outcome = async () =>
			await new Promise((resolve) => {
				end = resolve;
			});
		const running = poll();
		await new Promise(setImmediate);
		expect(await poll()).toBeNull();
		expect(log).toEqual([expect.stringMatching(/^info .*skipped$/)]);
		expect([asked.length, data]).toEqual([1, { results: 'one' }]);
		end({ items: [{ a: 1 }], failures: [], state: 'two' });
		expect(await running).toHaveLength(1);
		outcome = async () => await Promise.reject(down);
		await expect(poll()).rejects.toBe(down);
		gives([], [], 'three');
		await poll();
		expect(data).toEqual({ results: 'three' });
	});
});

describe('a failure', () => {
	test('of the first poll is shown, and nothing is remembered', async () => {
		const { data, poll } = pollNode();
		gives([{ a: 1 }], [down]);
		await expect(poll()).rejects.toBe(down);
		expect(data).toEqual({});
	});

	test('of a part of a later poll is logged beside what could be read', async () => {
		const { data, poll, log } = pollNode({ results: 'one' });
		gives([{ a: 1 }], [down, odd]);
		expect(await poll()).toEqual([[{ json: { a: 1 } }]]);
		expect(data).toEqual({ results: 'next' });
		expect(log).toEqual([
			...['down', 'odd'].map((text) => expect.stringMatching(new RegExp(`^warn .*: ${text}$`))),
		]);
	});

	test('of a later poll that read nothing is shown, and what is known stays', async () => {
		const { data, poll, log } = pollNode({ results: 'one' });
		gives([], [down]);
		await expect(poll()).rejects.toBe(down);
		expect([data, log]).toEqual([{ results: 'next' }, []]);
	});

	test('of the settings is shown before anything is asked', async () => {
		const parameters: Record<string, unknown> = {
			events: ['smsStatus'],
			smsFilters: { parameter: [{ name: 'page', value: '5' }] },
		};
		const getNodeParameter = (name: string, fallback: unknown) => parameters[name] ?? fallback;
		await expect(pollNode({}, { getNodeParameter }).poll()).rejects.toMatchObject({
			message: expect.stringContaining('"page"'),
			description: expect.stringContaining('pages of the list'),
		});
		expect(asked).toEqual([]);
	});

	test('keeps its message and description, of any kind', async () => {
		const { poll } = pollNode({ results: 'one' });
		gives([], [odd]);
		const error: unknown = await poll().catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: 'odd', description: 'Do this.' });
		const own = new NodeOperationError(node, 'own');
		gives([], [own]);
		await expect(poll()).rejects.toBe(own);
	});
});

describe('after a start of n8n', () => {
	/** The same node each time: a process may take over the lead several times. */
	const started = (activation: string) => ({
		getActivationMode: () => activation,
		getWorkflow: () => ({ id: 'started' }),
	});

	test.each(['init', 'leadershipChange'])(
		'the first poll of a known state leaves the work to the next one: %s',
		async (activation) => {
			const { data, poll } = pollNode({ results: 'one' }, started(activation));
			gives([{ a: 1 }], [], 'two');
			expect([await poll(), asked, data]).toEqual([null, [], { results: 'one' }]);
			expect(await poll()).toEqual([[{ json: { a: 1 } }]]);
			expect(data).toEqual({ results: 'two' });
		},
	);

	test.each([
		['init', {}],
		['activate', { results: 'one' }],
		['update', { results: 'one' }],
	])('it fails where there is nothing to go on from, or the user waits: %s, %j', async (...row) => {
		const [activation, data] = row;
		gives([], [down]);
		await expect(pollNode(data, started(activation)).poll()).rejects.toBe(down);
	});
});

describe('in a manual test', () => {
	const manual = { getMode: () => 'manual' };

	test('the latest results are shown, and nothing is remembered', async () => {
		const { data, poll } = pollNode({ results: 'one' }, manual);
		gives([{ a: 1 }, { a: 2 }]);
		const [items] = (await poll()) as [INodeExecutionData[]];
		expect(items.map(({ json }) => json.a)).toEqual([1, 2]);
		expect(asked[0]).toMatchObject({
			...{ state: undefined, isSample: true },
			budgetMs: 10_000,
		});
		expect(data).toEqual({ results: 'one' });
	});

	test('it is said where there are none, or why', async () => {
		gives([]);
		await expect(pollNode({}, manual).poll()).rejects.toMatchObject({
			message: 'There are no results yet',
			description: expect.stringContaining('publish the workflow'),
		});
		gives([], [down]);
		await expect(pollNode({}, manual).poll()).rejects.toBe(down);
		gives([{ a: 1 }], [down]);
		expect(await pollNode({}, manual).poll()).toHaveLength(1);
	});
});
