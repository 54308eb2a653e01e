import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';
import { joinBatch, type DeliveryResponse } from '../../nodes/MessagingService/trigger/batches';
import { holds } from '../support/runs';
import { FakeResponse } from '../support/fakeResponse';

let keys = 0;
const newKey = () => `trigger-${String(keys++)}`;

/** Deliveries to a trigger, numbered from 0, and the responses to them. */
function deliver(key: string, count: number, size = 1000) {
	const responses = Array.from({ length: count }, () => new FakeResponse());
	const results = responses.map((response, number) =>
		joinBatch(key, { json: { number } }, response as unknown as DeliveryResponse, size),
	);
	return { responses, results };
}

const numbers = (...list: number[]) => list.map((number) => ({ json: { number } }));

describe('a batch', () => {
	beforeEach(() => {
		jest.useFakeTimers();
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	test('has each event once, in order, however many come and however many fit', async () => {
		await holds(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 300 }),
				fc.integer({ min: 1, max: 200 }),
				async (count, size) => {
					const { results } = deliver(newKey(), count, size);
					const batches: INodeExecutionData[][] = [];
					for (const result of results) {
						void result.then((each) => {
							if (typeof each !== 'boolean') batches.push(each);
						});
					}
					await jest.advanceTimersByTimeAsync(100);
					expect(batches.flat()).toEqual(numbers(...results.keys()));
					for (const items of batches) expect(items.length).toBeLessThanOrEqual(size);
				},
			),
			50,
		);
	});

	test('goes after 100 milliseconds without an event, and after a second however many come', async () => {
		const key = newKey();
		const { results } = deliver(key, 1);
		let isGone = false;
		void results[0]?.then(() => {
			isGone = true;
		});
		for (let waited = 0; waited < 950; waited += 50) {
			await jest.advanceTimersByTimeAsync(50);
			deliver(key, 1);
		}
		expect(isGone).toBe(false);
		await jest.advanceTimersByTimeAsync(50);
		expect(isGone).toBe(true);
		const quiet = deliver(newKey(), 3);
		await jest.advanceTimersByTimeAsync(100);
		expect(await quiet.results[0]).toEqual(numbers(0, 1, 2));
	});

	test('comes again if the sender of its carrier goes before n8n responds', async () => {
		const { responses, results } = deliver(newKey(), 2, 2);
		await results[0];
		responses[0]?.disconnect();
		expect(await results[1]).toEqual(false);
	});
});
