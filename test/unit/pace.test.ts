import { setTimeout as sleep } from 'node:timers/promises';
import { Pace } from '../../nodes/MessagingService/transport/pace';

/** A request that says when it has begun, and ends on demand. */
function openRequest() {
	let end: () => void = () => undefined;
	let fail: (error: Error) => void = () => undefined;
	const ended = new Promise<void>((resolve, reject) => {
		end = resolve;
		fail = reject;
	});
	const state = { hasBegun: false };
	const request = async () => {
		state.hasBegun = true;
		await ended;
		return 'answer';
	};
	return { state, request, end, fail };
}

describe('at once', () => {
	test('run as many as the limit allows; the next begins when one has ended', async () => {
		const pace = new Pace({ requestsAtOnce: 2, requestsPerSecond: 0 });
		const requests = [openRequest(), openRequest(), openRequest(), openRequest()];
		const runs = requests.map(({ request }) => pace.run(request));
		const begun = () => requests.map(({ state }) => state.hasBegun);
		await sleep(1);
		expect(begun()).toEqual([true, true, false, false]);
		requests[1]?.end();
		await expect(runs[1]).resolves.toBe('answer');
		await sleep(1);
		expect(begun()).toEqual([true, true, true, false]);
		requests[0]?.fail(new Error('refused'));
		await expect(runs[0]).rejects.toThrow('refused');
		await sleep(1);
		expect(begun()).toEqual([true, true, true, true]);
		requests[2]?.end();
		requests[3]?.end();
		await expect(Promise.all(runs.slice(2))).resolves.toEqual(['answer', 'answer']);
	});

	test('a place that became free goes to one only', async () => {
		const pace = new Pace({ requestsAtOnce: 1, requestsPerSecond: 0 });
		let running = 0;
		const most: number[] = [];
		const request = async () => {
			most.push(++running);
			await sleep(1);
			running--;
		};
		await Promise.all(Array.from({ length: 5 }, () => pace.run(request)));
		await Promise.all(Array.from({ length: 5 }, () => pace.run(request)));
		expect(most).toEqual(Array.from({ length: 10 }, () => 1));
	});
});

describe('a break that the service asks for', () => {
	test.each([0, 1000])('holds what has not begun, at %d requests a second', async (perSecond) => {
		const pace = new Pace({ requestsAtOnce: 5, requestsPerSecond: perSecond });
		const asked = Date.now();
		pace.holdFor(40);
		pace.holdFor(5);
		const begun = await pace.run(async () => Date.now());
		// A timer may be a millisecond early.
		expect(begun - asked).toBeGreaterThanOrEqual(39);
	});

	test('holds those that wait already', async () => {
		const pace = new Pace({ requestsAtOnce: 5, requestsPerSecond: 0 });
		const asked = Date.now();
		pace.holdFor(10);
		const begun = pace.run(async () => Date.now());
		pace.holdFor(40);
		expect((await begun) - asked).toBeGreaterThanOrEqual(40);
	});

	test('ends with the execution, and gives the place free', async () => {
		const controller = new AbortController();
		const pace = new Pace({ requestsAtOnce: 1, requestsPerSecond: 0 }, controller.signal);
		pace.holdFor(3_600_000);
		const runs = [1, 2].map((number) => pace.run(async () => number));
		controller.abort();
		const outcomes = await Promise.allSettled(runs);
		expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	});
});

describe('a second', () => {
	test('has only so many beginnings, evenly, also after a rest', async () => {
		const pace = new Pace({ requestsAtOnce: 10, requestsPerSecond: 100 });
		for (let rounds = 0; rounds < 2; rounds++) {
			const asked = Date.now();
			const begun = await Promise.all(
				[1, 2, 3, 4].map(() => pace.run(async () => Date.now() - asked)),
			);
			// The first at once, each of the others ten milliseconds later; a timer may be early.
			begun.forEach((after, index) => {
				expect(after).toBeGreaterThanOrEqual(index * 10 - 2);
			});
			await sleep(60);
		}
	});
});
