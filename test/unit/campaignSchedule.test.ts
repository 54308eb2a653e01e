import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	callsOf,
	hasCallInProgress,
	isNumberOpen,
	scheduleOf,
} from '../../nodes/MessagingService/summary/campaignSchedule';
import { holds } from '../support/runs';

const campaign = {
	startDate: '2030-05-17T00:00:00',
	finishtime: '18:00',
	attempts: [{ attemptNumber: 1 }, { attemptNumber: 2 }],
};

describe('what a voice campaign is going to do', () => {
	it.each([
		['its first day', {}, '2030-05-17T17:00:00Z'],
		[
			'its last day, wherever it is listed',
			{
				runOverDays: [
					{ date: '2030-05-19T00:00:00', finishTime: '12:30' },
					{ date: '2030-05-18', finishTime: '20:00' },
				],
			},
			'2030-05-19T11:30:00Z',
		],
		[
			'a first day that goes on after midnight',
			{ starttime: '22:00', finishtime: '02:00' },
			'2030-05-18T01:00:00Z',
		],
		[
			'an extra day that goes on after midnight',
			{ runOverDays: [{ date: '2030-05-18', startTime: '23:00', finishTime: '01:30' }] },
			'2030-05-19T00:30:00Z',
		],
		[
			'a night in which the clock is changed',
			{ startDate: '2030-10-26', starttime: '22:00', finishtime: '03:00' },
			'2030-10-27T03:00:00Z',
		],
	])('ends with %s, by the clock of the service', (_name, change, end) => {
		const { endsAt } = scheduleOf({ ...campaign, ...change }, 'Europe/London');
		expect(new Date(endsAt ?? 0).toISOString()).toBe(new Date(end).toISOString());
	});

	it('has no end where no day can be read, and at least one attempt', () => {
		const unknown = { startDate: 'soon', finishtime: '18:00', attempts: [] };
		expect(scheduleOf(unknown, 'UTC')).toEqual({ attempts: 1 });
		expect(scheduleOf({}, 'UTC')).toEqual({ attempts: 1 });
		expect(scheduleOf(campaign, 'UTC').attempts).toBe(2);
	});
});

describe('the calls of a phone number', () => {
	const call = fc.record(
		{
			startTime: fc.constantFrom('2030-05-17T09:00:00', '2030-05-17T09:30:00', '2030-05-18T08:00'),
			attemptNumber: fc.constantFrom(1, 2, 10),
			outcome: fc.constantFrom(1, 3, null, undefined, 0),
		},
		{ requiredKeys: ['outcome'] },
	);

	it('are those that have ended, by their time and attempt', async () => {
		await holds(
			fc.property(fc.array(call, { maxLength: 6 }), (calls) => {
				const ended = calls.filter(({ outcome }) => outcome !== null && outcome !== undefined);
				const found = callsOf({ calls: calls as IDataObject[] });
				expect(new Set(found)).toEqual(new Set(ended));
				expect(found).toHaveLength(ended.length);
				const orderOf = ({ startTime, attemptNumber }: IDataObject) =>
					`${String(startTime ?? '')} ${String(attemptNumber ?? 0).padStart(2, '0')}`;
				const order = found.map(orderOf);
				expect(order).toEqual([...order].sort());
				expect(hasCallInProgress({ calls: calls as IDataObject[] })).toBe(
					ended.length < calls.length,
				);
			}),
			100,
		);
		expect(callsOf({})).toEqual([]);
		expect(hasCallInProgress({ calls: null })).toBe(false);
	});

	it.each([
		[[], 2, true],
		[[3], 2, true],
		[[3, 3], 2, false],
		[[1], 2, false],
		[['1'], 2, false],
		[[3, 1], 3, false],
	])('with the outcomes %j leave another of %d attempts: %s', (outcomes, attempts, isOpen) => {
		const calls = outcomes.map((outcome) => ({ outcome }));
		expect(isNumberOpen(calls, { attempts })).toBe(isOpen);
	});
});
