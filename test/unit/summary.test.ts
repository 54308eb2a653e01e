import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IDataObject } from 'n8n-workflow';
import { codeName, OUTCOMES, SMS_STATUSES } from '../../nodes/MessagingService/codes';
import { SmsSummary, VoiceSummary } from '../../nodes/MessagingService/summary/summary';
import { readList } from '../../nodes/MessagingService/transport/paginate';

const expectedName = (code: number) => codeName(OUTCOMES, code);
const expectedStatus = (code: number) => codeName(SMS_STATUSES, code);

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
	pagesAtOnce: 1,
	fetchPage: async (page = 1) => {
		onPage(page);
		const first = (page - 1) * PAGE_SIZE;
		const length = Math.max(0, Math.min(PAGE_SIZE, NUMBERS - first));
		return { items: Array.from({ length }, (_, index) => record(first + index)) };
	},
	keyOf: ({ id }: IDataObject) => id,
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
		for (const part of await readList(list, VoiceSummary.partOf)) summary.add(part);
		expect(most - before).toBeLessThan(50_000_000);
		expect(summary.result(0)).toMatchObject({
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
		expect(summary.result(0)).toMatchObject({
			firstTime: '2030-05-17T09:00:00',
			lastTime: '2030-05-17T11:00:00',
			cost: 0.3,
		});
	});

	it('counts calls, SMS and costs of each number, the most frequent codes first', () => {
		const summary = new VoiceSummary({ attempts: 3 });
		const at = (minute: number) => `2030-05-17T09:${String(minute).padStart(2, '0')}:00`;
		const call = (outcome: number | null, minute: number, more = {}) => ({
			...{ outcome, stage: 0, startTime: at(minute), endTime: at(minute + 1), price: 0.02 },
			...more,
		});
		const answered = { stage: 10, secondsDuration: 30 };
		summary.add({
			id: 1,
			calls: [call(3, 10), call(1, 20, answered), call(null, 40)],
			smss: [
				{ status: 1, smsCount: 2, price: '0.1' },
				{ status: null, smsCount: 'two' },
			],
		});
		summary.add({ id: 2, calls: [call(3, 5, { stage: 14, secondsDuration: 99 })], smss: [] });
		summary.add({ id: 3, calls: [call(1, 30, { stage: 14 }), call(3, 31)] });
		summary.add({ id: 4 });
		const result = summary.result(0);
		expect(result).toEqual({
			...{ recipients: 4, reached: 2, notReached: 2, optedOut: 2 },
			...{ attemptsUsed: 5, attemptsLeft: 5, answerRate: 0.4, averageDurationSeconds: 15 },
			outcomes: { Busy: 3, Answered: 2 },
			stages: { 'No Action': 2, 'Opt out': 2, Answered: 1 },
			smsStatuses: { Delivered: 1, None: 1 },
			...{ messageParts: 2, cost: 0.2, firstTime: at(5), lastTime: at(32), finished: false },
		});
		expect(Object.keys(result.outcomes as IDataObject)).toEqual(['Busy', 'Answered']);
		expect(Object.keys(result.stages as IDataObject).at(-1)).toBe('Answered');
	});

	it('is finished when no number has an attempt left, and not while nothing is known', () => {
		const summary = new VoiceSummary({ attempts: 1 });
		expect(summary.result(0)).toMatchObject({
			...{ recipients: 0, finished: false, answerRate: null, averageDurationSeconds: null },
			...{ firstTime: null, lastTime: null },
		});
		summary.add({ id: 1, calls: [{ outcome: 3 }] });
		expect(summary.result(0)).toMatchObject({ finished: true, attemptsLeft: 0 });
	});

	it('of a campaign with attempts left is not finished by a call with a date in the future', () => {
		const endsAt = Date.parse('2030-05-17T17:00:00Z');
		const summary = new VoiceSummary({ attempts: 3, endsAt });
		summary.add({ id: 1, calls: [{ outcome: 3, endTime: '2099-01-01T00:00:00' }] });
		expect(summary.result(endsAt - 1)).toMatchObject({ finished: false, attemptsLeft: 2 });
	});

	it('names codes that the service has added, and codes that are no numbers', () => {
		const summary = new VoiceSummary({ attempts: 3 });
		summary.add({ id: 1, calls: [{ outcome: 777, stage: 'Other' }] });
		expect(summary.result(0)).toMatchObject({
			outcomes: { [expectedName(777)]: 1 },
			stages: { Other: 1 },
		});
	});

	it('says that a campaign is finished when its schedule is over', () => {
		const endsAt = Date.parse('2030-05-17T18:00:00Z');
		const summary = new VoiceSummary({ attempts: 3, endsAt });
		summary.add({ id: 1, calls: [{ outcome: 13 }] });
		expect(summary.result(endsAt - 1)).toMatchObject({ finished: false, attemptsLeft: 2 });
		expect(summary.result(endsAt)).toMatchObject({ finished: true, attemptsLeft: 0 });
	});

	it('of an SMS campaign counts every message, also without a status or beyond the recipients', () => {
		const summary = new SmsSummary('A');
		for (const status of [1, null, undefined])
			summary.add(summary.partOf({ campaignId: 'a', status }));
		expect(summary.result(0)).toMatchObject({
			...{ messages: 3, reached: 1, notReached: 2 },
			smsStatuses: { None: 2, Delivered: 1 },
		});
	});

	it('of an SMS campaign has its times, costs and rate, and recipients beside its messages', () => {
		const summary = new SmsSummary('A-B');
		const message = (status: number, minute: number, more = {}) => ({
			...{ campaignId: 'a-b', status, smsCount: 2, price: 0.1 },
			dateCreated: `2030-05-17T09:0${String(minute)}:00`,
			dateModified: `2030-05-17T10:0${String(minute)}:00`,
			...more,
		});
		for (const [status, minute] of [
			[5, 2],
			[1, 1],
			[1, 3],
		] as const) {
			summary.add(summary.partOf(message(status, minute)));
		}
		summary.add(summary.partOf(message(1, 0, { campaignId: undefined })));
		expect(summary.result(5)).toEqual({
			...{ recipients: 5, messages: 3, reached: 2, notReached: 3, deliveryRate: 0.6667 },
			smsStatuses: { Delivered: 2, [expectedStatus(5)]: 1 },
			...{ messageParts: 6, cost: 0.3, finished: false },
			...{ firstTime: '2030-05-17T09:01:00', lastTime: '2030-05-17T10:03:00' },
		});
		expect(summary.result('5')).toMatchObject({ recipients: 3, notReached: 1, finished: true });
		expect(summary.result(2)).toMatchObject({ recipients: 2, notReached: 1, finished: true });
		expect(new SmsSummary('a').result(undefined)).toMatchObject({
			...{ recipients: 0, deliveryRate: null, finished: false },
		});
	});

	it('of an SMS campaign is not finished while a status may change, or messages are missing', () => {
		const add = (statuses: number[], recipients: number) => {
			const summary = new SmsSummary('A');
			for (const status of statuses) summary.add(summary.partOf({ campaignId: 'a', status }));
			summary.add(summary.partOf({ campaignId: 'b', status: 2 }));
			return summary.result(recipients).finished;
		};
		expect(add([1, 5], 2)).toBe(true);
		expect(add([1, 2], 2)).toBe(false);
		expect(add([1], 2)).toBe(false);
		expect(add([], 0)).toBe(false);
	});
});
