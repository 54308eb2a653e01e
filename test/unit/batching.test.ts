import { EventEmitter } from 'node:events';
import type { INodeExecutionData } from 'n8n-workflow';
import {
	joinBatch,
	type BatchLimits,
	type BatchResult,
} from '../../nodes/MessagingService/trigger/batching';
import { handedOver, type DeliveryResponse } from '../../nodes/MessagingService/trigger/handOver';
import { LimitedMap } from '../../nodes/MessagingService/trigger/limitedMap';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

/** A response that n8n writes, or whose sender gives up. */
class Response extends EventEmitter {
	statusCode = 200;
	writableEnded = false;
	destroyed = false;
	writableFinished = false;

	respond(statusCode = 200) {
		this.statusCode = statusCode;
		this.writableEnded = true;
		this.writableFinished = true;
		this.emit('finish');
		this.emit('close');
	}

	giveUp() {
		this.destroyed = true;
		this.emit('close');
	}
}

interface Delivery {
	name: string;
	response: Response;
	result?: BatchResult;
}

let trigger = 0;

/** The deliveries of one trigger. */
class Trigger {
	readonly deliveries: Delivery[] = [];
	private readonly key = `trigger ${String(trigger++)}`;
	private readonly limits: BatchLimits;

	constructor(limits: Partial<BatchLimits> = {}) {
		this.limits = { size: 3, milliseconds: 1000, quietMilliseconds: 0, ...limits };
	}

	deliver(name: string, limits: Partial<BatchLimits> = {}): Delivery {
		const delivery: Delivery = { name, response: new Response() };
		const item = { json: { name } };
		const response = delivery.response as unknown as DeliveryResponse;
		void joinBatch(this.key, item, response, { ...this.limits, ...limits }).then((result) => {
			delivery.result = result;
		});
		this.deliveries.push(delivery);
		return delivery;
	}

	/** The executions that were started, by the names of their events. */
	get executions(): unknown[][] {
		return this.deliveries.flatMap(({ result }) =>
			result?.role === 'carrier' ? [namesOf(result.items)] : [],
		);
	}
}

const namesOf = (items: readonly INodeExecutionData[]) => items.map(({ json }) => json.name);
const pass = async (milliseconds: number) => {
	await jest.advanceTimersByTimeAsync(milliseconds);
};

test('a batch goes when it is full, and the next one begins', async () => {
	const one = new Trigger();
	for (const name of ['a', 'b', 'c', 'd']) one.deliver(name);
	await pass(0);
	expect(one.executions).toEqual([['a', 'b', 'c']]);
	await pass(999);
	expect(one.executions).toHaveLength(1);
	one.deliver('e');
	await pass(1);
	expect(one.executions).toEqual([
		['a', 'b', 'c'],
		['d', 'e'],
	]);
	// What comes after the end of the wait is in the next batch.
	one.deliver('f');
	await pass(1000);
	expect(one.executions.at(-1)).toEqual(['f']);
});

test('a batch goes when nothing has come for a while, however long it may wait', async () => {
	const one = new Trigger({ size: 100, quietMilliseconds: 200 });
	one.deliver('a');
	await pass(150);
	one.deliver('b');
	await pass(199);
	expect(one.executions).toEqual([]);
	await pass(1);
	expect(one.executions).toEqual([['a', 'b']]);
	// A stream of events ends the wait at its time.
	for (let index = 0; index < 10; index++) {
		one.deliver(String(index));
		await pass(100);
	}
	expect(one.executions[1]).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
});

test.each([
	[{ milliseconds: 30 }, 30],
	[{ milliseconds: 250 }, 250],
	[{ milliseconds: 1000, quietMilliseconds: 40 }, 40],
	[{ milliseconds: 40, quietMilliseconds: 1000 }, 40],
	[{ milliseconds: 120, quietMilliseconds: 120 }, 120],
	[{ milliseconds: 0, quietMilliseconds: 0 }, 0],
	[{ size: 1 }, 0],
])('a batch goes at its time and not later: %j', async (limits, milliseconds) => {
	const one = new Trigger(limits);
	one.deliver('a');
	await pass(Math.max(0, milliseconds - 1));
	expect(one.executions).toHaveLength(milliseconds === 0 ? 1 : 0);
	await pass(1);
	expect(one.executions).toEqual([['a']]);
});

test('a sender that gives up ends no wait, and nothing starts without any', async () => {
	const one = new Trigger({ milliseconds: 300 });
	const [first, second] = ['a', 'b'].map((name) => one.deliver(name));
	first?.response.giveUp();
	second?.response.giveUp();
	await pass(299);
	expect(one.deliveries.map(({ result }) => result)).toEqual([undefined, undefined]);
	await pass(1);
	const out = { role: 'member', isHandedOver: false };
	expect(one.deliveries.map(({ result }) => result)).toEqual([out, out]);
});

test('triggers have batches of their own', async () => {
	const [one, two] = [new Trigger({ size: 2 }), new Trigger({ size: 2 })];
	one.deliver('a');
	two.deliver('x');
	one.deliver('b');
	await pass(0);
	expect([one.executions, two.executions]).toEqual([[['a', 'b']], []]);
	await pass(1000);
	expect(two.executions).toEqual([['x']]);
});

test('no execution gets more than the size of a version published meanwhile', async () => {
	const one = new Trigger({ size: 100 });
	for (const name of ['a', 'b', 'c', 'd']) one.deliver(name);
	one.deliver('e', { size: 2 });
	await pass(0);
	expect(one.executions).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

test('members are told whether n8n took the batch over', async () => {
	for (const [statusCode, isHandedOver] of [
		[200, true],
		[500, false],
	] as const) {
		const one = new Trigger();
		const [carrier, ...members] = ['a', 'b', 'c'].map((name) => one.deliver(name));
		await pass(0);
		expect(members.map(({ result }) => result)).toEqual([undefined, undefined]);
		carrier?.response.respond(statusCode);
		await pass(0);
		expect(members.map(({ result }) => result)).toEqual([
			{ role: 'member', isHandedOver },
			{ role: 'member', isHandedOver },
		]);
	}
});

test('a delivery whose sender has given up stays out of the batch', async () => {
	const one = new Trigger();
	const [first, second] = ['a', 'b', 'c'].map((name) => one.deliver(name));
	first?.response.giveUp();
	await pass(0);
	expect(first?.result).toEqual({ role: 'member', isHandedOver: false });
	expect(second?.result).toMatchObject({ role: 'carrier' });
	expect(one.executions).toEqual([['b', 'c']]);

	const two = new Trigger();
	const [closed] = ['a', 'b', 'c'].map((name) => two.deliver(name));
	Object.assign(closed?.response ?? {}, { closed: true });
	await pass(0);
	expect(two.executions).toEqual([['b', 'c']]);
});

describe('whether n8n has taken a delivery over', () => {
	async function outcomeOf(happens: (response: Response) => void | Promise<void>) {
		const response = new Response();
		const outcome = handedOver(response as unknown as DeliveryResponse);
		await happens(response);
		await pass(700_000);
		return await outcome;
	}

	test.each([
		[199, false],
		[200, true],
		[299, true],
		[300, false],
		[503, false],
	])('is told by its response: %d', async (statusCode, isTaken) => {
		expect(
			await outcomeOf((response) => {
				response.respond(statusCode);
			}),
		).toBe(isTaken);
	});

	test('is waited for ten minutes where the sender is gone', async () => {
		const respondAfter = async (milliseconds: number) =>
			await outcomeOf(async (response) => {
				response.giveUp();
				await pass(milliseconds);
				response.respond();
			});
		expect(await respondAfter(1)).toBe(true);
		expect(await respondAfter(590_000)).toBe(true);
		expect(await respondAfter(620_000)).toBe(false);
	});

	test.each(['finish', 'close'])('is known as soon as it has: %s', async (event) => {
		const response = new Response();
		let isTaken: boolean | undefined;
		void handedOver(response as unknown as DeliveryResponse).then((result) => {
			isTaken = result;
		});
		await pass(60_010);
		expect(isTaken).toBeUndefined();
		response.writableEnded = true;
		response.emit(event);
		await pass(0);
		expect(isTaken).toBe(true);
	});

	test.each(['destroyed', 'closed'])(
		'is asked for at short intervals where the sender is gone: %s',
		async (state) => {
			const response = Object.assign(new Response(), { [state]: true });
			let isTaken: boolean | undefined;
			void handedOver(response as unknown as DeliveryResponse).then((result) => {
				isTaken = result;
			});
			await pass(30);
			expect(isTaken).toBeUndefined();
			response.writableEnded = true;
			await pass(25);
			expect(isTaken).toBe(true);
		},
	);

	test('is known immediately where n8n has responded', async () => {
		const response = new Response();
		response.respond();
		expect(await handedOver(response as unknown as DeliveryResponse)).toBe(true);
	});
});

test('a limited map forgets what was noted first', () => {
	const map = new LimitedMap<string, number>(2);
	map.set('a', 1);
	map.set('b', 2);
	map.set('c', 3);
	expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([undefined, 2, 3]);
	map.set('b', 2);
	map.set('e', 5);
	expect(['b', 'c', 'e'].map((key) => map.get(key))).toEqual([2, undefined, 5]);
	map.delete('e');
	map.set('d', 4);
	expect([...['b', 'd', 'e'].map((key) => map.get(key)), map.size]).toEqual([2, 4, undefined, 2]);
});
