import type { IDataObject } from 'n8n-workflow';
import { codeName, OUTCOMES, SMS_STATUSES } from '../../nodes/MessagingService/codes';
import { smsSummary, voiceSummary } from '../../nodes/MessagingService/summary/summary';

const expectedStatus = (code: number) => codeName(SMS_STATUSES, code);

describe('the summary of a campaign', () => {
	it('counts calls, SMS and costs of each number, the most frequent codes first', () => {
		const at = (minute: number) => `2030-05-17T09:${String(minute).padStart(2, '0')}:00`;
		const call = (outcome: number | null, minute: number, more = {}) => ({
			outcome,
			stage: 0,
			startTime: at(minute),
			endTime: at(minute + 1),
			price: 0.02,
			...more,
		});
		const answered = { stage: 10, secondsDuration: 30 };
		const smss = [
			{ status: 1, smsCount: 2, price: '0.1' },
			{ status: null, smsCount: 'two' },
		];
		const numbers = [
			{
				id: 1,
				calls: [call(3, 10, { startTime: '' }), call(1, 20, answered), call(null, 40)],
				smss,
			},
			{ id: 2, calls: [call(1, 30, { stage: 14 }), call(3, 31, { stage: 14 })] },
			{ id: 3, calls: [call(3, 5, { stage: 14, secondsDuration: 99 })], smss: [] },
			{ id: 4 },
		];
		const result = voiceSummary(numbers, { attempts: 3 }, 0);
		expect(result).toEqual({
			recipients: 4,
			reached: 2,
			notReached: 2,
			optedOut: 2,
			attemptsUsed: 5,
			attemptsLeft: 5,
			answerRate: 0.4,
			averageDurationSeconds: 15,
			outcomes: { Busy: 3, Answered: 2 },
			stages: { 'No Action': 1, 'Opt out': 3, Answered: 1 },
			smsStatuses: { Delivered: 1, None: 1 },
			messageParts: 2,
			cost: 0.2,
			firstTime: at(5),
			lastTime: at(32),
			finished: false,
		});
		expect(Object.keys(result.outcomes as IDataObject)).toEqual(['Busy', 'Answered']);
		expect(Object.keys(result.stages as IDataObject).at(-1)).toBe('Answered');
	});

	it('is finished when no number has an attempt left, and not while nothing is known', () => {
		expect(voiceSummary([], { attempts: 1 }, 0)).toMatchObject({
			recipients: 0,
			finished: false,
			answerRate: null,
			averageDurationSeconds: null,
			firstTime: null,
			lastTime: null,
		});
		const called = { id: 1, calls: [{ outcome: 3 }] };
		expect(voiceSummary([called], { attempts: 1 }, 0)).toMatchObject({
			finished: true,
			attemptsLeft: 0,
		});
	});

	it('of a campaign with attempts left is not finished by a call with a date in the future', () => {
		const endsAt = Date.parse('2030-05-17T17:00:00Z');
		const called = { id: 1, calls: [{ outcome: 3, endTime: '2099-01-01T00:00:00' }] };
		expect(voiceSummary([called], { attempts: 3, endsAt }, endsAt - 1)).toMatchObject({
			finished: false,
			attemptsLeft: 2,
		});
	});

	it('names codes that the service has added, and codes that are no numbers', () => {
		const called = { id: 1, calls: [{ outcome: 777, stage: 'Other' }] };
		expect(voiceSummary([called], { attempts: 3 }, 0)).toMatchObject({
			outcomes: { [codeName(OUTCOMES, 777)]: 1 },
			stages: { Other: 1 },
		});
	});

	it('of a campaign has no attempts left, and that it is finished, from the end of its schedule on', () => {
		const endsAt = Date.parse('2030-05-17T18:00:00Z');
		const called = { id: 1, calls: [{ outcome: 3 }] };
		const at = (now: number) => voiceSummary([called], { attempts: 3, endsAt }, now);
		expect(at(endsAt - 1)).toMatchObject({ finished: false, attemptsLeft: 2 });
		expect(at(endsAt)).toMatchObject({ finished: true, attemptsLeft: 0 });
	});

	it('of an SMS campaign counts every message, also without a status or beyond the recipients', () => {
		const messages = [1, null, undefined].map((status) => ({ status }));
		expect(smsSummary(messages, 0)).toMatchObject({
			messages: 3,
			reached: 1,
			notReached: 2,
			smsStatuses: { None: 2, Delivered: 1 },
		});
	});

	it('of an SMS campaign has its times, costs and rate, and recipients beside its messages', () => {
		const message = (status: number, minute: number) => ({
			campaignId: 'a-b',
			status,
			smsCount: 2,
			price: 0.1,
			dateCreated: `2030-05-17T09:0${String(minute)}:00`,
			dateModified: `2030-05-17T10:0${String(minute)}:00`,
		});
		const own = [message(5, 2), message(1, 1), message(1, 3)];
		expect(smsSummary(own, 5)).toEqual({
			recipients: 5,
			messages: 3,
			reached: 2,
			notReached: 3,
			deliveryRate: 0.6667,
			smsStatuses: { Delivered: 2, [expectedStatus(5)]: 1 },
			messageParts: 6,
			cost: 0.3,
			finished: false,
			firstTime: '2030-05-17T09:01:00',
			lastTime: '2030-05-17T10:03:00',
		});
		expect(smsSummary(own, '5')).toMatchObject({ recipients: 5, notReached: 3, finished: false });
		expect(smsSummary(own, undefined)).toMatchObject({ recipients: 3, finished: true });
		expect(smsSummary([], undefined)).toMatchObject({
			recipients: 0,
			deliveryRate: null,
			finished: false,
		});
	});

	it('leaves out times of the year 1, which stand for none', () => {
		const none = '0001-01-01T00:00:00';
		const time = '2030-05-17T09:01:00';
		const messages = [none, time].map((dateCreated) => ({ dateCreated, dateModified: none }));
		expect(smsSummary(messages, 2)).toMatchObject({ firstTime: time, lastTime: time });
		const calls = [none, time].map((startTime) => ({ outcome: 1, startTime, endTime: none }));
		expect(voiceSummary([{ calls }], { attempts: 2 }, 0)).toMatchObject({
			...{ firstTime: time, lastTime: time },
		});
	});

	it('counts calls to people: a call to which an answered one is transferred is no attempt', () => {
		const transferred = [
			{ outcome: 1, secondsDuration: 20, price: 0.1, stage: 16 },
			{ outcome: 1, secondsDuration: 300, price: 0.2, stage: 10, isTransferCall: true },
		];
		const records = [{ calls: transferred }, { calls: [{ outcome: 3 }] }];
		expect(voiceSummary(records, { attempts: 2 }, 0)).toMatchObject({
			reached: 1,
			answerRate: 0.5,
			attemptsUsed: 2,
			attemptsLeft: 1,
			averageDurationSeconds: 20,
			outcomes: { Answered: 1, Busy: 1 },
			cost: 0.3,
		});
	});

	it.each([11, 13])(
		'needs no more attempts to a number that is excluded or invalid (%i)',
		(outcome) => {
			expect(voiceSummary([{ calls: [{ outcome }] }], { attempts: 3 }, 0)).toMatchObject({
				finished: true,
				attemptsLeft: 0,
			});
		},
	);

	it('of an SMS campaign is not finished if it has more messages than recipients', () => {
		const messages = [1, 1, 1].map((status) => ({ status }));
		expect([0, 2, '2', 3, '3'].map((count) => smsSummary(messages, count).finished)).toEqual([
			...[false, false, false, true, true],
		]);
	});

	it('takes a number that comes as text for a number', () => {
		expect(smsSummary([{ status: '1', smsCount: '2', price: '0.5' }], '1')).toMatchObject({
			recipients: 1,
			reached: 1,
			smsStatuses: { Delivered: 1 },
			messageParts: 2,
			cost: 0.5,
			finished: true,
		});
		expect(
			voiceSummary([{ calls: [{ outcome: '3', stage: '0' }] }], { attempts: 1 }, 0),
		).toMatchObject({
			outcomes: { Busy: 1 },
			stages: { 'No Action': 1 },
		});
	});

	it('of an SMS campaign is not finished while a status may change, or messages are missing', () => {
		const isFinished = (statuses: number[], recipients: number) =>
			smsSummary(
				statuses.map((status) => ({ status })),
				recipients,
			).finished;
		expect(isFinished([1, 5], 2)).toBe(true);
		expect(isFinished([1, 2], 2)).toBe(false);
		expect(isFinished([1], 2)).toBe(false);
		expect(isFinished([], 0)).toBe(false);
		const codes = Object.keys(SMS_STATUSES).map(Number);
		expect(codes.filter((code) => isFinished([code], 1))).toEqual([1, 3, 4, 5, 7, 34, 1000]);
	});
});
