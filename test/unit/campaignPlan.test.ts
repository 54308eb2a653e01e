import { planOf } from '../../nodes/MessagingService/summary/campaignPlan';

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
			'the last day that can be read',
			{ runOverDays: [{ date: null, finishTime: '12:00' }, { date: '2030-05-18' }, 'none'] },
			'2030-05-17T17:00:00Z',
		],
	])('ends with %s, by the clock of the service', (_name, change, end) => {
		const { endsAt } = planOf({ ...campaign, ...change }, 'Europe/London');
		expect(new Date(endsAt ?? 0).toISOString()).toBe(new Date(end).toISOString());
	});

	it('has no end where no day can be read, and at least one attempt', () => {
		const unknown = { startDate: 'soon', finishtime: '18:00', attempts: [] };
		expect(planOf(unknown, 'UTC')).toEqual({ attempts: 1 });
		expect(planOf({}, 'UTC')).toEqual({ attempts: 1 });
		expect(planOf(campaign, 'UTC').attempts).toBe(2);
	});
});
