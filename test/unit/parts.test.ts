import { OperationalError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { SentByOtherRetry } from '../../nodes/MessagingService/execution/callRecord';
import { isOver, isResult, makePart } from '../../nodes/MessagingService/execution/parts';
import { Progress } from '../../nodes/MessagingService/execution/progress';
import type { Run } from '../../nodes/MessagingService/execution/runState';
import { LeftOut } from '../../nodes/MessagingService/execution/screening';
import { SentRecord } from '../../nodes/MessagingService/execution/sentRecord';
import type { Operation } from '../../nodes/MessagingService/resources/operation';
import type { ServiceRequest } from '../../nodes/MessagingService/transport/request';
import type { RequestRecord } from '../../nodes/MessagingService/transport/requestRecord';
import { callWith, clientWith } from './support/call';

const REQUEST: ServiceRequest = { method: 'POST', path: '/x', body: { message: 'Hi' } };
const FAILURE = { message: 'No', description: 'No.', sent: 'possibly' } as const;
const RECORDED = { key: '0', rows: [0, 1], requests: 1 };

/** How a run is, beside what is usual. */
interface Settings {
	send?: (record: RequestRecord) => Promise<unknown>;
	continueOnFail?: boolean;
	type?: string;
	reachesPeople?: boolean;
	isCancelled?: boolean;
	isStopped?: boolean;
}

/** A run whose operation does with its record what a test says. */
function runOf({
	send = async () => ({ id: 7 }),
	continueOnFail = false,
	type = 'messagingService',
	reachesPeople = true,
	isCancelled = false,
	isStopped = false,
}: Settings = {}) {
	const stored: IDataObject = {};
	const context = {
		getContext: (kind: string) => (kind === 'node' ? stored : {}),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getMode: () => 'trigger',
		getExecutionId: () => '1',
		getExecutionCancelSignal: () => ({ aborted: isCancelled }),
		continueOnFail: () => continueOnFail,
		getNode: () => ({ type }),
		helpers: {},
	} as unknown as IExecuteFunctions;
	const progress = new Progress(2);
	let record: RequestRecord | undefined;
	const run = {
		...{ context, progress, isStopped, concurrency: 1 },
		sent: new SentRecord(context, { name: 'operation', reachesPeople: true }, progress),
		operation: {
			reachesPeople,
			run: async () => await send(record as RequestRecord),
		} as unknown as Operation,
		connection: {
			forCall(ofCall: RequestRecord) {
				record = ofCall;
				return clientWith();
			},
		},
	} as unknown as Run;
	return { run, progress };
}

const part = async (run: Run) => await makePart(run, callWith({}), RECORDED);

describe('the outcome of a request', () => {
	/** What happened to the request before its operation failed. */
	const before: Record<string, (record: RequestRecord) => Promise<unknown>> = {
		nothing: async () => undefined,
		async started(record) {
			await record.starting(REQUEST);
		},
		async refused(record) {
			await record.starting(REQUEST);
			record.notSent(REQUEST, FAILURE);
		},
		async accepted(record) {
			await record.starting(REQUEST);
			record.accepted(REQUEST, { id: 7 });
		},
		async unknown(record) {
			await record.starting(REQUEST);
			record.possiblySent(REQUEST, FAILURE);
		},
	};

	it.each([
		['nothing', true],
		['started', false],
		['refused', true],
		['accepted', false],
		['unknown', false],
	])('that fails after %s: it is certain that nothing was sent: %j', async (name, isCertain) => {
		const cause = new OperationalError('Later');
		const { run } = runOf({
			async send(record) {
				await before[name]?.(record);
				throw cause;
			},
		});
		expect(await part(run)).toEqual({
			...{ itemIndexes: [0, 1], batch: undefined },
			failure: { cause, isCertain, isEarlier: false },
		});
		expect(run.isStopped).toBe(true);
	});

	it('that an earlier try left open does not stop the others', async () => {
		let tries = 0;
		const { run } = runOf({
			async send(record) {
				const known = await record.earlier(REQUEST);
				if (known !== undefined) throw new OperationalError('Earlier');
				expect(++tries).toBe(1);
				await record.starting(REQUEST);
				record.possiblySent(REQUEST, FAILURE);
			},
		});
		await part(run);
		expect(await part(run)).toMatchObject({ failure: { isCertain: false, isEarlier: true } });
		expect(run.isStopped).toBe(false);
	});

	it.each([
		['an accepted request', {}, before.accepted, { id: 7, sent: 'yes' }],
		['one that reaches nobody', { reachesPeople: false }, before.accepted, { id: 7 }],
		['none at all', {}, before.nothing, { id: 7 }],
		[
			'a simulated one',
			{},
			async (record: RequestRecord) => void record.simulated(REQUEST),
			{ id: 7, sent: 'no', simulated: true },
		],
		[
			'a repeated one',
			{},
			async (record: RequestRecord) => void record.repeated(REQUEST),
			{ id: 7, sent: 'yes', alreadySent: true },
		],
	])('says of %s what was sent', async (_name, settings, happens, record) => {
		const { run } = runOf({
			...settings,
			async send(each) {
				await happens?.(each);
				return { id: 7 };
			},
		});
		expect((await part(run))?.records).toStrictEqual([record]);
		expect(run.isStopped).toBe(false);
	});

	it('is known without its response where another retry has sent it', async () => {
		const { run } = runOf({
			async send() {
				throw new SentByOtherRetry();
			},
		});
		expect((await part(run))?.records).toEqual([{ sent: 'yes', sentByOtherRetry: true }]);
		expect(run.isStopped).toBe(false);
	});

	it('is that its recipient was left out, which is no failure', async () => {
		const complaint = {
			...{ itemIndex: 0, phoneNumber: '1', reason: 'is blocked', code: 'doNotContact' as const },
		};
		const { run } = runOf({
			async send() {
				throw new LeftOut(complaint);
			},
		});
		expect(await part(run)).toEqual({
			...{ itemIndexes: [0, 1], batch: undefined, leftOut: complaint },
		});
		expect(run.isStopped).toBe(false);
	});

	it('is one record or several, with the start of its campaign', async () => {
		const send = async () => [{ id: 1 }, { id: 2 }];
		const { run } = runOf({ send, reachesPeople: false });
		expect((await part(run))?.records).toEqual([{ id: 1 }, { id: 2 }]);
		const start = '2030-05-18T08:00:00Z';
		const batch = { recipients: [], itemIndexes: [0], part: 1, startDateTime: start };
		const made = await makePart(run, { ...callWith({}), batch }, RECORDED);
		expect(made?.records).toEqual([1, 2].map((id) => ({ id, startDateTime: start })));
		expect(made?.batch).toBe(batch);
	});
});

it.each([
	[{}, false],
	[{ isStopped: true }, true],
	[{ isCancelled: true }, true],
])('a run that is %j starts nothing more: %j', async (settings, expected) => {
	const { run } = runOf(settings);
	expect(isOver(run)).toBe(expected);
	expect((await part(run)) === undefined).toBe(expected);
});

it.each([
	[{}, false],
	[{ continueOnFail: true, reachesPeople: false }, true],
	[{ type: 'messagingServiceTool' }, true],
	[{ type: 'messagingServiceTool', reachesPeople: false }, false],
])('of a node with %j, failures are items: %j', async (settings, expected) => {
	const send = async () => {
		throw new OperationalError('Not now');
	};
	const { run } = runOf({ ...settings, send });
	expect(isResult(run)).toBe(expected);
	await part(run);
	expect(run.isStopped).toBe(!expected);
});
