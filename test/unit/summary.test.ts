import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IDataObject } from 'n8n-workflow';
import {
	forEachRecord,
	SmsSummary,
	VoiceSummary,
} from '../../nodes/MessagingService/results/summary';

const NUMBERS = 100_000;
const PAGE_SIZE = 500;

function record(index: number): IDataObject {
	return {
		id: 80_001 + index,
		number: `+4477${String(index).padStart(8, '0')}`,
		calls: [
			{ startTime: '2030-05-17T09:30:00', endTime: '2030-05-17T09:30:40', outcome: 3, stage: 0 },
			{ startTime: '2030-05-17T10:30:00', endTime: '2030-05-17T10:30:40', outcome: 1, stage: 10 },
		],
		smss: [{ status: 1, smsCount: 2, price: 0.1, message: `Message ${index}` }],
	};
}

const pages = (onPage: (page: number) => void) => ({
	firstPage: 1,
	fetchPage: async (page = 1) => {
		onPage(page);
		const first = (page - 1) * PAGE_SIZE;
		const length = Math.max(0, Math.min(PAGE_SIZE, NUMBERS - first));
		return { items: Array.from({ length }, (_, index) => record(first + index)) };
	},
	idOf: ({ id }: IDataObject) => id,
});

describe('the summary of a campaign', () => {
	it('of 100,000 numbers takes less than 50 MB more memory', async () => {
		setFlagsFromString('--expose-gc');
		const collectGarbage = runInNewContext('gc') as () => void;
		const used = () => {
			collectGarbage();
			return process.memoryUsage().heapUsed;
		};
		const before = used();
		let most = 0;
		const summary = new VoiceSummary({ attempts: 2 });
		const list = pages((page) => {
			if (page % 50 === 0) most = Math.max(most, used());
		});
		await forEachRecord(list, (entry) => {
			summary.add(entry);
		});
		expect(most - before).toBeLessThan(50_000_000);
		expect(summary.result(0, 'UTC')).toMatchObject({
			recipients: NUMBERS,
			reached: NUMBERS,
			outcomes: { Busy: NUMBERS, Answered: NUMBERS },
			messageParts: 2 * NUMBERS,
			// Added up a hundred thousand times, without the errors of rounding.
			cost: 10_000,
			finished: true,
		});
	}, 60_000);

	it('has the first and the last time, and costs without errors of rounding', () => {
		const summary = new VoiceSummary({ attempts: 3 });
		const times = ['', '2030-05-17T10:00:00', '2030-05-17T09:00:00', '2030-05-17T11:00:00'];
		const calls = times.map((startTime) => ({ startTime, endTime: startTime, outcome: 3 }));
		summary.add({ id: 1, calls, smss: [{ price: 0.1 }, { price: 0.2 }] });
		expect(summary.result(0, 'UTC')).toMatchObject({
			firstTime: '2030-05-17T09:00:00',
			lastTime: '2030-05-17T11:00:00',
			cost: 0.3,
		});
	});

	it('counts a record once that moves while the list is read, and misses none', async () => {
		const seen: unknown[] = [];
		let requests = 0;
		await forEachRecord(
			{
				...pages(() => undefined),
				fetchPage: async (page = 1) => {
					requests++;
					const all = requests === 1 ? [1, 2, 3, 4] : [3, 1, 2, 4];
					return { items: all.slice((page - 1) * 2, page * 2).map((id) => ({ id })) };
				},
			},
			({ id }) => seen.push(id),
		);
		expect(seen.sort()).toEqual([1, 2, 3, 4]);
	});

	it('says that a campaign is finished when its schedule is over', () => {
		const endsAt = Date.parse('2030-05-17T18:00:00Z');
		const summary = new VoiceSummary({ attempts: 3, endsAt });
		summary.add({ id: 1, calls: [{ outcome: 13 }] });
		expect(summary.result(endsAt - 1, 'UTC')).toMatchObject({ finished: false, attemptsLeft: 2 });
		expect(summary.result(endsAt, 'UTC')).toMatchObject({ finished: true, attemptsLeft: 0 });
	});

	it('of an SMS campaign counts every message, also without a status or beyond the recipients', () => {
		const summary = new SmsSummary('A');
		for (const status of [1, null, undefined]) summary.add({ campaignId: 'a', status });
		expect(summary.result(0)).toMatchObject({
			...{ messages: 3, reached: 1, notReached: 2 },
			smsStatuses: { None: 2, Delivered: 1 },
		});
	});

	it('of an SMS campaign is not finished while a status may change, or messages are missing', () => {
		const add = (statuses: number[], recipients: number) => {
			const summary = new SmsSummary('A');
			for (const status of statuses) summary.add({ campaignId: 'a', status });
			summary.add({ campaignId: 'b', status: 2 });
			return summary.result(recipients).finished;
		};
		expect(add([1, 5], 2)).toBe(true);
		expect(add([1, 2], 2)).toBe(false);
		expect(add([1], 2)).toBe(false);
		expect(add([], 0)).toBe(false);
	});
});
