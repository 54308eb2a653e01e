import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import fc from 'fast-check';
import { CallRecord, SentByOtherRetry } from '../../nodes/MessagingService/execution/callRecord';
import { Progress } from '../../nodes/MessagingService/execution/progress';
import { keyOfPart, SentRecord } from '../../nodes/MessagingService/execution/sentRecord';
import { mapConcurrently } from '../../nodes/MessagingService/transport/concurrency';
import type { ServiceRequest } from '../../nodes/MessagingService/transport/request';
import { runs } from '../support/runs';

/**
 * Retries of one execution that has sent nothing, several at the same time, on a clock of their own:
 * what happens in one moment here happens in the same order again.
 */

const ROWS = 6;
const CREATE = 'smsCampaign create';
const OPERATIONS = [CREATE, CREATE, 'smsMessage send'];
/** How many requests a retry makes simultaneously, and reserves together. */
const CONCURRENCY = 2;
const REQUEST = { method: 'POST', path: '/', body: {} } as unknown as ServiceRequest;

interface Retry {
	/** Milliseconds after the beginning. */
	start: number;
	operation: string;
	/** Rows of each request: another number is another division. */
	perRequest: number;
	/** For each request in turn: whether the service accepts it, and milliseconds until it responds. */
	responses: { isAccepted: boolean; after: number }[];
	/** Its process dies after so many milliseconds. */
	crashAfter?: number | undefined;
}

/** How a retry ended. */
interface Ended {
	/** Rows of which it cannot tell whether they were sent. */
	inDoubt: number[];
	error?: string;
}

const never = async () => new Promise<never>(() => undefined);

/** A process that n8n runs a retry in. */
class Process {
	private readonly end: number;

	constructor(lifetime = Infinity) {
		this.end = Date.now() + lifetime;
	}

	/** What happens after a wait does not happen when the process has died. */
	async wait(milliseconds: number): Promise<void> {
		await sleep(milliseconds);
		if (Date.now() >= this.end) await never();
	}
}

/** What n8n's database keeps for the node: a change reads a list and writes it as a whole, without a lock. */
class Store {
	private texts: string[] | undefined;
	private readonly latency: () => number;
	private readonly isBusy: () => boolean;

	constructor(latency: () => number, isBusy: () => boolean) {
		this.latency = latency;
		this.isBusy = isBusy;
	}

	/** The functions that n8n gives to a node for it. */
	helpersFor(process: Process) {
		const change = async (changed: (texts: string[]) => string[]) => {
			const found = this.texts;
			const next = changed(found ?? []);
			await process.wait(this.latency());
			if (this.isBusy()) throw new Error('The database is locked');
			// A primary key: only one of two inserts succeeds.
			if (found === undefined && this.texts !== undefined) throw new Error('UNIQUE constraint');
			this.texts = next;
			return found ?? [];
		};
		return {
			checkProcessedAndRecord: async (asked: string[]) => {
				const found = await change((texts) => [...new Set([...texts, ...asked])]);
				return { processed: asked.filter((text) => found.includes(text)) };
			},
			removeProcessed: async (removed: string[]) => {
				await change((texts) => texts.filter((text) => !removed.includes(text)));
			},
		};
	}
}

/** An execution and its retries. */
class World {
	/** The rows that the service accepted, once for each time. */
	readonly accepted: number[] = [];
	/** How many rows the accepted requests had. */
	readonly divisions = new Set<number>();
	readonly operations = new Set<string>();
	private readonly store: Store;

	constructor(store: Store) {
		this.store = store;
	}

	async retry({ start, operation, perRequest, responses, crashAfter }: Retry): Promise<Ended> {
		await sleep(start);
		const process = new Process(crashAfter);
		const progress = new Progress(ROWS);
		const context = contextOf(this.store.helpersFor(process));
		const recorded = { name: operation, reachesPeople: true };
		const sent = new SentRecord(context, recorded, progress);
		if (sent.claims !== undefined) sent.claims.most = CONCURRENCY;
		const nextResponse = cycle(responses);
		const ended: Ended = { inDoubt: [] };
		try {
			const calls = requestsOf(perRequest);
			await sent.assertDivision('0', calls);
			await mapConcurrently(calls, CONCURRENCY, async (call) => {
				const record = new CallRecord(sent, progress, call);
				const isSent = async () => {
					const known = await record.earlier(REQUEST);
					if (known !== undefined) ended.inDoubt.push(...call.rows);
					return known !== undefined;
				};
				const isKnown = await isSent().catch((error: unknown) => {
					if (error instanceof SentByOtherRetry) return true;
					throw error;
				});
				if (isKnown) return;
				const { isAccepted, after } = nextResponse();
				if (isAccepted) {
					this.accepted.push(...call.rows);
					this.divisions.add(perRequest);
					this.operations.add(operation);
				}
				await process.wait(after);
				if (isAccepted) record.accepted(REQUEST, 'id');
				else record.notSent();
			});
		} catch (error) {
			ended.error = (error as Error).message;
		}
		await sent.claims?.finish();
		return ended;
	}
}

function requestsOf(perRequest: number) {
	return Array.from({ length: Math.ceil(ROWS / perRequest) }, (_, part) => {
		const rows = Array.from({ length: perRequest }, (_row, row) => part * perRequest + row);
		return {
			key: keyOfPart('0', part + 1),
			rows: rows.filter((row) => row < ROWS),
			requests: 1,
			recipients: `rows ${rows.join()}`,
		};
	});
}

function contextOf(helpers: object): IExecuteFunctions {
	const node: IDataObject = {};
	const flow = { messagingServiceRun: { id: 'run', execution: 'original' } };
	return {
		getContext: (kind: string) => (kind === 'node' ? node : flow),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getMode: () => 'retry',
		getExecutionId: () => 'retry',
		getNode: () => ({ type: 'messagingService' }),
		helpers,
	} as unknown as IExecuteFunctions;
}

function cycle<Value>(values: readonly Value[]): () => Value {
	let next = 0;
	return () => values[next++ % values.length] as Value;
}

const responses = fc.array(
	fc.record({ isAccepted: fc.boolean(), after: fc.integer({ min: 0, max: 3_000 }) }),
	{ minLength: 1, maxLength: 6 },
);

/** Retries, how long each change of the store takes, and chance. */
const scenarios = (crashAfter: fc.Arbitrary<number | undefined>) =>
	[
		fc.array(
			fc.record({
				start: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 10_000 })),
				operation: fc.constantFrom(...OPERATIONS),
				perRequest: fc.constantFrom(2, 2, 3),
				responses,
				crashAfter,
			}),
			{ minLength: 2, maxLength: 4 },
		),
		fc.array(fc.integer({ min: 0, max: 150 }), { minLength: 10, maxLength: 20 }),
		// Now and then, the database is busy.
		fc.integer({ min: 4, max: 30 }),
		fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 10, maxLength: 20 }),
	] as const;

const responded = (...accepted: boolean[]) =>
	accepted.map((isAccepted) => ({ isAccepted, after: 0 }));

/** The second must not rely on the division of the first, which sends nothing: the third has another one. */
const RELIED_ON_A_FREED_DIVISION: [Retry[], number[], number, number[]] = [
	[
		{ start: 0, operation: CREATE, perRequest: 3, responses: responded(false) },
		{ start: 1_001, operation: CREATE, perRequest: 3, responses: responded(true) },
		{ start: 2_001, operation: CREATE, perRequest: 2, responses: responded(true, false) },
	],
	[0],
	1000,
	[0],
];

/** Plays retries, then one more when they have ended, which sends in the same way as those that sent some of it. */
async function play(
	retries: readonly Retry[],
	latencies: number[],
	busyAfter: number,
	chance: number[],
) {
	jest.spyOn(Math, 'random').mockImplementation(cycle(chance));
	const isBusy = Array.from({ length: busyAfter }, (_, change) => change + 1 === busyAfter);
	const world = new World(new Store(cycle(latencies), cycle(isBusy)));
	void Promise.all(retries.map(async (each) => world.retry(each)));
	await jest.runAllTimersAsync();
	const [perRequest = 2] = world.divisions;
	const [operation = CREATE] = world.operations;
	const last = world.retry({ start: 0, operation, perRequest, responses: responded(true) });
	await jest.runAllTimersAsync();
	return { world, last: await last };
}

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

test('retries at the same time send nothing twice, and leave nothing in doubt', async () => {
	await fc.assert(
		fc.asyncProperty(...scenarios(fc.constant(undefined)), async (...scenario) => {
			const { world, last } = await play(...scenario);
			expect([...world.accepted].sort()).toEqual([0, 1, 2, 3, 4, 5]);
			expect([world.operations.size, world.divisions.size]).toEqual([1, 1]);
			expect(last).toEqual({ inDoubt: [] });
		}),
		{ numRuns: runs(200), examples: [RELIED_ON_A_FREED_DIVISION] },
	);
}, 120_000);

test('nor do they send twice where some of them are killed', async () => {
	const crashAfter = fc.option(fc.integer({ min: 0, max: 8_000 }), { nil: undefined, freq: 2 });
	await fc.assert(
		fc.asyncProperty(...scenarios(crashAfter), async (...scenario) => {
			const { world, last } = await play(...scenario);
			expect(new Set(world.accepted).size).toBe(world.accepted.length);
			expect(world.operations.size).toBeLessThanOrEqual(1);
			expect(world.divisions.size).toBeLessThanOrEqual(1);
			const reached = new Set([...world.accepted, ...last.inDoubt]);
			// Without a division that is known to be in use, it sends nothing.
			if (last.error === undefined) expect(reached.size).toBe(ROWS);
			else
				expect(last.error).toMatch(
					/did not send this item: another retry of the execution is running$/,
				);
		}),
		{ numRuns: runs(200) },
	);
}, 120_000);
