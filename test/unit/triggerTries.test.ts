import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { nextRenewal, nextTry } from '../../nodes/MessagingService/trigger/renewalTimes';
import { isPassing, messageOf } from '../../nodes/MessagingService/trigger/tellService';
import { untilDone } from '../../nodes/MessagingService/trigger/untilDone';

const HOUR = 3_600_000;

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

describe('calling until it succeeds', () => {
	/** When it was called, and what came of it, after all there was to wait for. */
	async function callsThatFail(times: number) {
		const start = Date.now();
		const calls: number[] = [];
		const result = untilDone(async () => {
			calls.push(Date.now() - start);
			if (calls.length <= times) throw new Error(`failure ${String(calls.length)}`);
			await Promise.resolve();
		}).then((problem) => ({ problem, end: Date.now() - start }));
		await jest.advanceTimersByTimeAsync(HOUR);
		return { calls, ...(await result) };
	}
	const TIMES = [0, 1000, 6000, 26_000, 86_000, 386_000];

	test.each([0, 1, 4, 5])('ends with the first success: after %d failures', async (failures) => {
		const calls = TIMES.slice(0, failures + 1);
		expect(await callsThatFail(failures)).toEqual({
			...{ calls, end: calls.at(-1), problem: undefined },
		});
	});

	test('ends with why the last of six calls failed', async () => {
		expect(await callsThatFail(10)).toEqual({
			...{ calls: TIMES, end: 386_000, problem: new Error('failure 6') },
		});
	});
});

describe('the next registration', () => {
	test.each([
		[6, 0, 5.4],
		[6, 0.5, 6],
		[6, 1, 6.6],
		[0.5, 0.25, 0.475],
	])('every %d hours, with the chance %d, comes after %d hours', (hours, random, expected) => {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		expect((nextRenewal(hours) - Date.now()) / HOUR).toBeCloseTo(expected, 6);
	});

	test('never comes with 0 hours', () => {
		expect(nextRenewal(0)).toBe(Infinity);
	});

	test.each([
		[1, 5],
		[2, 10],
		[3, 20],
		[6, 160],
		[7, 300],
		[5000, 300],
	])('after %d failures is tried in %d seconds', (failures, seconds) => {
		expect(nextTry(failures) - Date.now()).toBe(seconds * 1000);
	});
});

describe('a failed registration', () => {
	const node = { name: 'Trigger', type: 'x' } as unknown as INode;
	const withStatus = (httpCode?: string) =>
		new NodeApiError(node, { message: 'x' }, { ...(httpCode !== undefined && { httpCode }) });

	test.each([
		...[undefined, '408', '429', '500', '503', '599'].map((code) => [code, true] as const),
		...['300', '302', '399', '400', '401', '403', '404', '409', '428', '499'].map(
			(code) => [code, false] as const,
		),
	])('with the status %s passes: %p', (status, passes) => {
		expect(isPassing(withStatus(status))).toBe(passes);
	});

	test('of another kind does not pass', () => {
		expect(isPassing(new Error('x'))).toBe(false);
		expect(isPassing(new NodeOperationError(node, 'x'))).toBe(false);
		expect(isPassing(undefined)).toBe(false);
	});

	test.each([
		[new Error('It failed'), 'It failed'],
		['text', 'text'],
		[undefined, 'undefined'],
	])('is told by its message: %j', (error, message) => {
		expect(messageOf(error)).toBe(message);
	});
});
