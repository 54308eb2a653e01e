import { joinBatch, type BatchLimits } from '../../nodes/MessagingService/trigger/batching';
import {
	handedOver,
	isWaiting,
	type DeliveryResponse,
} from '../../nodes/MessagingService/trigger/handOver';
import { FakeResponse } from '../support/trigger';

const asResponse = (response: FakeResponse) => response as unknown as DeliveryResponse;

/** Longer than a test may take: what waits for that has failed. */
const LONG = 3000;

let begun = 0;
beforeEach(() => {
	begun = Date.now();
});
afterEach(() => {
	expect(Date.now() - begun).toBeLessThan(LONG);
});

const limits = (changes: Partial<BatchLimits> = {}): BatchLimits => ({
	...{ size: 1_000_000, milliseconds: LONG, quietMilliseconds: 0 },
	...changes,
});

let keys = 0;
const newKey = () => `trigger-${String(keys++)}`;

/** Deliveries to a trigger, numbered from 0, and the responses to them. */
function deliver(key: string, count: number, batchLimits: BatchLimits) {
	const responses = Array.from({ length: count }, () => new FakeResponse());
	const results = responses.map((response, number) =>
		joinBatch(key, { json: { number } }, asResponse(response), batchLimits),
	);
	return { responses, results };
}

describe('a batch', () => {
	test('that is full goes immediately, and the next event starts another', async () => {
		const key = newKey();
		const { responses, results } = deliver(key, 5, limits({ size: 2 }));
		const carriers = await Promise.all([results[0], results[2]]);
		expect(carriers).toEqual([
			{ role: 'carrier', items: [{ json: { number: 0 } }, { json: { number: 1 } }] },
			{ role: 'carrier', items: [{ json: { number: 2 } }, { json: { number: 3 } }] },
		]);
		responses[0]?.end();
		responses[2]?.status(500).end();
		expect(await Promise.all([results[1], results[3]])).toEqual([
			{ role: 'member', isHandedOver: true },
			{ role: 'member', isHandedOver: false },
		]);
		// The fifth waits for another one.
		const { results: more } = deliver(key, 1, limits({ size: 2 }));
		expect(await results[4]).toEqual({
			role: 'carrier',
			items: [{ json: { number: 4 } }, { json: { number: 0 } }],
		});
		responses[4]?.end();
		expect(await more[0]).toEqual({ role: 'member', isHandedOver: true });
	});

	test('of one goes immediately where no more may wait', async () => {
		const { results } = deliver(newKey(), 2, limits({ size: 1 }));
		expect((await Promise.all(results)).map(({ role }) => role)).toEqual(['carrier', 'carrier']);
	});

	test('belongs to one trigger', async () => {
		const [one, other] = [1, 2].map(() => deliver(newKey(), 1, limits({ milliseconds: 20 })));
		const carriers = await Promise.all([one?.results[0], other?.results[0]]);
		expect(carriers.map((carrier) => carrier?.role)).toEqual(['carrier', 'carrier']);
	});

	test('goes when its time is over, however many events come', async () => {
		const key = newKey();
		const first = deliver(key, 1, limits({ milliseconds: 60, quietMilliseconds: 2 * LONG }));
		let isGone = false;
		const carrier = first.results[0]?.then((result) => {
			isGone = true;
			return result;
		});
		while (!isGone && Date.now() - begun < LONG) {
			await new Promise(setImmediate);
			if (!isGone) deliver(key, 1, limits({ milliseconds: 60, quietMilliseconds: 2 * LONG }));
		}
		// A timer may be a millisecond early.
		expect(Date.now() - begun).toBeGreaterThanOrEqual(59);
		const result = await carrier;
		expect(result?.role === 'carrier' && result.items.length).toBeGreaterThan(1);
	});

	test('goes when nothing comes any more, counted from the last event', async () => {
		const key = newKey();
		const rules = limits({ quietMilliseconds: 40 });
		const { results } = deliver(key, 1, rules);
		await new Promise((resolve) => setTimeout(resolve, 20));
		const last = Date.now();
		deliver(key, 1, rules);
		const result = await results[0];
		expect(Date.now() - last).toBeGreaterThanOrEqual(39);
		expect(result).toMatchObject({ role: 'carrier', items: [{}, {}] });
	});

	test('that has gone takes nobody else along', async () => {
		const key = newKey();
		const first = deliver(key, 1, limits({ milliseconds: 1 }));
		await first.results[0];
		const second = deliver(key, 1, limits({ milliseconds: 1 }));
		expect(await second.results[0]).toEqual({ role: 'carrier', items: [{ json: { number: 0 } }] });
	});

	test('leaves out those whose sender has given up: nobody took them over', async () => {
		const { responses, results } = deliver(newKey(), 4, limits({ size: 4 }));
		responses[0]?.disconnect();
		responses[2]?.disconnect();
		const carrier = await results[1];
		expect(carrier).toEqual({
			role: 'carrier',
			items: [{ json: { number: 1 } }, { json: { number: 3 } }],
		});
		responses[1]?.end();
		expect(await Promise.all([results[0], results[2], results[3]])).toEqual([
			{ role: 'member', isHandedOver: false },
			{ role: 'member', isHandedOver: false },
			{ role: 'member', isHandedOver: true },
		]);
	});

	test('of which all have given up carries nothing', async () => {
		const { responses, results } = deliver(newKey(), 2, limits({ size: 2 }));
		for (const response of responses) response.disconnect();
		expect(await Promise.all(results)).toEqual([
			{ role: 'member', isHandedOver: false },
			{ role: 'member', isHandedOver: false },
		]);
	});
});

describe('an event', () => {
	test.each([
		[199, false],
		[200, true],
		[204, true],
		[299, true],
		[300, false],
		[503, false],
	])('that n8n responds to with %d is taken over: %p', async (status, isTaken) => {
		const response = new FakeResponse();
		const outcome = handedOver(asResponse(response));
		response.status(status).end();
		expect(await outcome).toBe(isTaken);
		// Asked again, when it is over.
		expect(await handedOver(asResponse(response))).toBe(isTaken);
	});

	test('counts by the response of n8n after the sender has gone', async () => {
		for (const status of [200, 500]) {
			const response = new FakeResponse();
			response.disconnect();
			const outcome = handedOver(asResponse(response));
			response.status(status).end();
			expect(await outcome).toBe(status === 200);
		}
	});

	test('waits for its response until its sender has gone', () => {
		const [open, destroyed, closed] = [1, 2, 3].map(() => new FakeResponse());
		if (destroyed !== undefined) destroyed.destroyed = true;
		if (closed !== undefined) closed.closed = true;
		expect(
			[open, destroyed, closed].map((response) => isWaiting(asResponse(response as FakeResponse))),
		).toEqual([true, false, false]);
	});

	test('needs no listeners where its response is there, and leaves none waiting', async () => {
		const response = new FakeResponse();
		const outcome = handedOver(asResponse(response));
		expect(response.listenerCount('finish')).toBe(1);
		response.end();
		await outcome;
		expect(response.listenerCount('finish') + response.listenerCount('close')).toBe(0);
		await handedOver(asResponse(response));
		expect(response.listenerCount('finish')).toBe(0);
	});
});
