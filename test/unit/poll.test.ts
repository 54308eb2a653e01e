import type { IDataObject } from 'n8n-workflow';
import { codeName, OUTCOMES } from '../../nodes/MessagingService/codes';
import type { PollSettings } from '../../nodes/MessagingService/poll/settings';
import { pollService } from '../../nodes/MessagingService/poll/poll';
import { PollHost } from './support/pollHost';
import { ResultService } from './support/resultService';

const ANSWERED = 1;
const BUSY = 3;
const DAY = 24 * 3_600_000;
const MINUTE = 60_000;

describe('a poll', () => {
	let service: ResultService;

	beforeEach(() => {
		service = new ResultService();
	});

	async function publish(settings: Partial<PollSettings>): Promise<PollHost> {
		const host = new PollHost(service, settings);
		await host.poll(true);
		return host;
	}

	/** What the next polls report. */
	async function polls(host: PollHost, count: number) {
		const known = host.items.length;
		for (let poll = 0; poll < count; poll++) await host.poll();
		return host.items.slice(known);
	}

	it('tells a transferred call from the call of the same attempt', async () => {
		const campaign = service.addCampaign(1, 1);
		const host = await publish({ events: ['callAttempted'] });
		service.call(campaign, 0, null);
		const [record] = campaign.numbers;
		const [call] = record?.calls ?? [];
		const transfer = { startTime: '2030-05-17T09:05:00', outcome: ANSWERED, attemptNumber: 1 };
		record?.calls.push({ ...transfer, isTransferCall: true });
		expect(await polls(host, 2)).toMatchObject([{ isTransferCall: true }]);
		Object.assign(call ?? {}, { outcome: ANSWERED });
		const [reported, ...others] = await polls(host, 2);
		expect(others).toEqual([]);
		expect(reported).toMatchObject({ startTime: call?.startTime });
		expect(reported).not.toHaveProperty('isTransferCall', true);
	});

	it('reports each call to a number once, also where the list numbers no attempts', async () => {
		const campaign = service.addCampaign(1, 3);
		const host = await publish({ events: ['callAttempted'] });
		for (const outcome of [BUSY, BUSY, ANSWERED]) {
			service.call(campaign, 0, outcome);
			Object.assign(campaign.numbers[0]?.calls.at(-1) ?? {}, { attemptNumber: null });
			expect(await polls(host, 2)).toMatchObject([{ outcome: codeName(OUTCOMES, outcome) }]);
		}
	});

	it.each(['abcdef01-0000-4000-8000-00000000000a', 'ABCDEF01-0000-4000-8000-00000000000A'])(
		'knows the ID of an SMS campaign in upper and lower case: %s',
		async (id) => {
			const selected = { voice: [], sms: [id] };
			const host = await publish({ events: ['smsStatus'], selected });
			service.addMessage();
			const other = id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase();
			Object.assign(service.messages[0] ?? {}, { campaignId: other });
			service.addMessage();
			expect(await polls(host, 2)).toMatchObject([{ messageId: service.messages[0]?.id }]);
		},
	);

	it('goes on with the messages that it knows when an event or days are added', async () => {
		service.addMessage();
		service.addMessage('2030-05-10T03:00:00');
		const host = await publish({ events: ['smsStatus'] });
		Object.assign(host.settings, { days: 8 });
		service.setStatus(0, 1);
		service.addMessage();
		// The message that is eight days old counts as known.
		expect((await polls(host, 2)).map(({ messageId }) => messageId)).toEqual([1, 3]);
		host.settings.events = ['callAttempted', 'smsStatus'];
		service.setStatus(2, 5);
		expect(await polls(host, 2)).toMatchObject([{ messageId: 3, statusCode: 5 }]);
		service.setStatus(1, 1);
		expect(await polls(host, 2)).toMatchObject([{ messageId: 2, statusCode: 1 }]);
	});

	it('takes what an event, campaigns or filters add for known', async () => {
		service.addMessage();
		const campaign = service.addCampaign(1, 3);
		const host = await publish({ events: ['campaignStatus'] });
		service.call(campaign, 0, BUSY);
		await polls(host, 1);
		host.settings.events = ['callAttempted', 'smsStatus'];
		expect(await polls(host, 2)).toEqual([]);
		Object.assign(host.settings, { writtenFilters: 'another' });
		service.addMessage();
		expect(await polls(host, 2)).toEqual([]);
		service.addMessage();
		service.call(campaign, 0, BUSY);
		expect(await polls(host, 2)).toMatchObject([{ messageId: 4 }, { attemptNumber: 2 }]);
	});

	it('takes what another account has for known', async () => {
		service.addMessage();
		const host = await publish({ events: ['smsStatus'] });
		service.addMessage();
		host.account = 'another';
		expect(await polls(host, 2)).toEqual([]);
		service.addMessage();
		expect(await polls(host, 2)).toMatchObject([{ messageId: 3 }]);
	});

	it('goes on where an expression gives the filters another date in each poll', async () => {
		const host = await publish({ events: ['smsStatus'], smsFilters: { from: ['1'] } });
		service.addMessage();
		host.settings.smsFilters = { from: ['2'] };
		expect(await polls(host, 2)).toHaveLength(1);
	});

	it('goes on when a call has a date far in the future', async () => {
		const campaign = service.addCampaign(1, 3);
		const tomorrow = service.addCampaign(1, 1, '2030-05-18T00:00:00');
		const host = await publish({ events: ['callAttempted', 'campaignFinished'] });
		service.call(campaign, 0, BUSY, '2099-01-01T00:00:00');
		expect(await polls(host, 3)).toMatchObject([{ event: 'callAttempted' }]);
		service.now += DAY;
		await polls(host, 3);
		service.call(tomorrow, 0, ANSWERED);
		expect(await polls(host, 3)).toMatchObject([
			{ event: 'callAttempted', campaignId: String(tomorrow.id) },
			{ event: 'campaignFinished', campaignId: String(tomorrow.id) },
		]);
	});

	it('takes nothing for new after a clock that was wrong', async () => {
		service.addMessage();
		const campaign = service.addCampaign(1, 3);
		service.call(campaign, 0, BUSY);
		const host = await publish({ events: ['callAttempted', 'smsStatus'] });
		const { now } = service;
		service.now = Date.parse('2099-01-01T00:00:00Z');
		await polls(host, 2);
		service.now = now;
		expect(await polls(host, 2)).toEqual([]);
		service.addMessage();
		service.call(campaign, 0, BUSY);
		expect(await polls(host, 2)).toHaveLength(2);
	});

	it('reports no SMS messages where only voice campaigns are selected', async () => {
		const campaign = service.addCampaign(1, 1);
		const selected = { voice: [String(campaign.id)], sms: [] };
		const host = await publish({ events: ['smsStatus'], selected });
		service.addMessage();
		campaign.numbers[0]?.smss.push({ status: 0, smsCount: 1, dateReceived: '2030-05-17T09:30:00' });
		expect(await polls(host, 2)).toMatchObject([{ campaignId: String(campaign.id) }]);
	});

	it('reports a call that is listed after the end of the schedule', async () => {
		const campaign = service.addCampaign(1, 3);
		const host = await publish({ events: ['callAttempted', 'campaignFinished'] });
		service.now = Date.parse('2030-05-17T18:00:00Z');
		expect(await polls(host, 3)).toMatchObject([{ finishedBecause: 'scheduleOver' }]);
		service.call(campaign, 0, ANSWERED);
		service.now += 10 * MINUTE;
		expect(await polls(host, 2)).toMatchObject([{ event: 'callAttempted' }]);
	});

	it('says what a campaign has cost, in the currency of the credential', async () => {
		service.settings.currency = 'EUR';
		service.addCampaign(1, 3);
		const host = await publish({ events: ['campaignFinished'] });
		service.now = Date.parse('2030-05-17T18:00:00Z');
		const [end] = await polls(host, 3);
		const names = Object.keys(end ?? {});
		expect(end).toMatchObject({ cost: 0, currency: 'EUR' });
		expect(names[names.indexOf('cost') + 1]).toBe('currency');
	});

	it('reports the end after a day that the operator has added, not on the first evening', async () => {
		const campaign = service.addCampaign(1, 3);
		const host = await publish({ events: ['campaignFinished'] });
		campaign.runOverDays.push({ date: '2030-05-18', startTime: '09:00', finishTime: '12:00' });
		service.now = Date.parse('2030-05-17T18:30:00Z');
		expect(await polls(host, 3)).toEqual([]);
		service.now = Date.parse('2030-05-18T12:00:00Z');
		expect(await polls(host, 3)).toMatchObject([{ finishedBecause: 'scheduleOver' }]);
	});

	it('goes on with a campaign that the list lacks for days', async () => {
		const campaign = service.addCampaign(2, 3);
		const host = await publish({ events: ['callAttempted', 'campaignStatus'], days: 30 });
		service.call(campaign, 0, BUSY);
		expect(await polls(host, 2)).toHaveLength(2);
		service.unlisted = [campaign.id];
		service.call(campaign, 1, BUSY);
		service.now += 5 * DAY;
		await polls(host, 2);
		service.unlisted = [];
		expect(await polls(host, 2)).toMatchObject([{ attemptNumber: 1 }]);
	});

	it('goes on with a campaign that is older than the days in scope, and that the list lacks', async () => {
		const campaign = service.addCampaign(1, 3);
		const host = await publish({ events: ['callAttempted'], days: 7 });
		service.call(campaign, 0, BUSY);
		expect(await polls(host, 1)).toHaveLength(1);
		service.now += 7 * DAY;
		service.unlisted = [campaign.id];
		await polls(host, 1);
		service.unlisted = [];
		service.call(campaign, 0, BUSY);
		service.now += 10 * MINUTE;
		expect(await polls(host, 2)).toMatchObject([{ attemptNumber: 2 }]);
	});

	it('goes back to Start From for selected campaigns as well, and only once', async () => {
		const campaign = service.addCampaign(1, 1, '2030-05-17T00:00:00');
		service.call(campaign, 0, ANSWERED);
		const selected = { voice: [String(campaign.id)], sms: [] };
		const host = await publish({ events: ['callAttempted'], selected, startFrom: '2030-05-17' });
		expect(host.items).toHaveLength(1);
		expect(await polls(host, 2)).toEqual([]);
	});

	it('goes back to Start From within Days only', async () => {
		const startFrom = '2030-03-01';
		for (const startDate of ['2030-03-02T00:00:00', '2030-05-16T00:00:00']) {
			service.call(service.addCampaign(1, 1, startDate), 0, ANSWERED);
			service.addMessage(startDate);
		}
		const selected = { voice: ['2000', '2001'], sms: [] };
		const host = await publish({
			events: ['callAttempted', 'campaignStatus'],
			selected,
			startFrom,
		});
		const ids = host.items.map(({ campaignId }) => campaignId);
		expect(ids).toEqual(['2001', '2001']);
		const { items } = await publish({ events: ['smsStatus'], startFrom });
		expect(items).toMatchObject([{ dateCreated: '2030-05-16T00:00:00' }]);
	});

	it('goes on with a selected campaign that is older than the days in scope', async () => {
		const campaign = service.addCampaign(1, 3, '2030-03-01T00:00:00');
		const selected = { voice: [String(campaign.id)], sms: [] };
		const host = await publish({ events: ['campaignStatus'], days: 7, selected });
		campaign.status = 5;
		expect(await polls(host, 2)).toMatchObject([{ campaignStatus: 5 }]);
	});

	it('reports what happened while a campaign was not selected', async () => {
		const [one, other] = [service.addCampaign(1, 1), service.addCampaign(1, 1)];
		const select = ({ id }: { id: number }) => ({ voice: [String(id)], sms: [] });
		const host = await publish({ events: ['callAttempted'], selected: select(one) });
		Object.assign(host.settings, { selected: select(other) });
		await polls(host, 1);
		service.call(one, 0, BUSY);
		Object.assign(host.settings, { selected: select(one) });
		expect(await polls(host, 2)).toHaveLength(1);
	});

	it('reads a finished campaign every ten minutes, and closes it three days after its schedule', async () => {
		const campaign = service.addCampaign(1, 1);
		const host = await publish({ events: ['callAttempted'] });
		expect(host.phases).toEqual(['running']);
		service.call(campaign, 0, BUSY);
		await polls(host, 2);
		expect(host.phases).toEqual(['finished']);
		const readings = async (minutes: number) => {
			const before = service.requests;
			for (let minute = 0; minute < minutes; minute++) {
				service.now += MINUTE;
				await polls(host, 1);
			}
			// Each poll reads the list of campaigns; two pages are those of the numbers.
			return (service.requests - before - minutes) / 2;
		};
		expect(await readings(30)).toBe(3);
		service.now = Date.parse('2030-05-20T17:00:00Z');
		await polls(host, 1);
		expect(host.phases).toEqual(['finished']);
		service.now = Date.parse('2030-05-20T18:00:00Z');
		// Polls were paused: the last reading finds what was listed meanwhile.
		const late = { startTime: '2030-05-17T09:05:00', outcome: BUSY, attemptNumber: 2 };
		campaign.numbers[0]?.calls.push(late);
		const { length } = host.items;
		expect(await readings(20)).toBe(1);
		expect(host.items).toHaveLength(length + 1);
		expect(host.phases).toEqual(['closed']);
	});

	it('finds a late call of a finished campaign also after a clock that was hours ahead', async () => {
		const campaign = service.addCampaign(1, 1);
		const host = await publish({ events: ['callAttempted'] });
		service.call(campaign, 0, BUSY);
		service.now += 5 * 60 * MINUTE;
		await polls(host, 2);
		expect(host.phases).toEqual(['finished']);
		service.now -= 5 * 60 * MINUTE;
		const late = { startTime: '2030-05-17T09:05:00', outcome: BUSY, attemptNumber: 2 };
		campaign.numbers[0]?.calls.push(late);
		expect(await polls(host, 1)).toMatchObject([{ startTime: late.startTime }]);
	});

	it('keeps no phone numbers of a campaign that it does not read any more', async () => {
		const campaign = service.addCampaign(1, 1);
		const host = await publish({ events: ['callAttempted'] });
		service.call(campaign, 0, BUSY);
		await polls(host, 2);
		expect(host.numbers).toHaveLength(1);
		service.now += 4 * DAY;
		await polls(host, 1);
		expect(host.numbers).toEqual([]);
	});

	it('repeats nothing of a campaign that the first list after others were selected lacks', async () => {
		const [one, two] = [service.addCampaign(1, 3), service.addCampaign(1, 3)];
		const host = await publish({ events: ['callAttempted'] });
		service.call(one, 0, BUSY);
		expect(await polls(host, 1)).toHaveLength(1);
		host.settings.selected = { voice: [String(two.id)], sms: [] };
		await polls(host, 1);
		host.settings.selected = undefined;
		service.unlisted = [one.id];
		await polls(host, 1);
		service.unlisted = [];
		expect(await polls(host, 2)).toEqual([]);
		service.call(one, 0, BUSY);
		expect(await polls(host, 1)).toMatchObject([{ attemptNumber: 2 }]);
	});

	it('takes campaigns that came while others were selected for known', async () => {
		const one = service.addCampaign(1, 3);
		const host = await publish({ events: ['callAttempted'] });
		host.settings.selected = { voice: [String(one.id)], sms: [] };
		await polls(host, 1);
		const meanwhile = service.addCampaign(1, 3);
		service.call(meanwhile, 0, BUSY);
		host.settings.selected = undefined;
		expect(await polls(host, 2)).toEqual([]);
		service.call(meanwhile, 0, BUSY);
		expect(await polls(host, 1)).toMatchObject([{ attemptNumber: 2 }]);
	});

	it('reports only the new SMS of a number, wherever in its list it comes', async () => {
		const campaign = service.addCampaign(1, 3);
		const host = await publish({ events: ['smsStatus'] });
		const [record] = campaign.numbers;
		const smsAt = (minute: number, status: number) => ({
			...{ status, smsCount: 1, dateReceived: `2030-05-17T09:${minute}:00` },
		});
		record?.smss.push(smsAt(20, 1), smsAt(30, 2));
		expect(await polls(host, 1)).toHaveLength(2);
		record?.smss.unshift(smsAt(50, 0));
		expect(await polls(host, 2)).toMatchObject([{ statusCode: 0 }]);
		record?.smss.splice(1, 0, smsAt(40, 1));
		expect(await polls(host, 2)).toMatchObject([
			{ statusCode: 1, lastUpdated: '2030-05-17T09:40:00' },
		]);
	});

	it('with Start From returns no record without a time, and later all that comes', async () => {
		const late = service.addCampaign(1, 3, '2030-05-15T00:00:00');
		service.unlisted = [late.id];
		service.smsCampaigns.push({ id: 's1', status: 3, startDateTime: null });
		service.addMessage('0001-01-01T00:00:00');
		const host = await publish({ startFrom: '2030-05-17' });
		expect(host.items).toEqual([]);
		service.unlisted = [];
		service.call(late, 0, BUSY);
		const items = await polls(host, 1);
		expect(items.map(({ event }) => event)).toEqual(['callAttempted', 'campaignStatus']);
	});

	it('reads other campaigns where a selected one cannot be read', async () => {
		const campaign = service.addCampaign(1, 3);
		const selected = { voice: [String(campaign.id)], sms: [] };
		const host = await publish({ events: ['callAttempted'], selected });
		host.settings.selected = { voice: ['404', String(campaign.id)], sms: [] };
		await polls(host, 1);
		service.call(campaign, 0, BUSY);
		expect(await polls(host, 1)).toMatchObject([{ attemptNumber: 1 }]);
		expect(host.failedPolls).toBe(2);
	});

	it('remembers nothing of a campaign that is listed, and older than the days in scope', async () => {
		service.addCampaign(2, 1);
		const host = await publish({ events: ['callAttempted', 'campaignStatus'], days: 7 });
		expect(host.campaigns).toEqual(['2000']);
		service.now += 6 * DAY;
		await polls(host, 1);
		expect(host.campaigns).toEqual(['2000']);
		// It is long over when the last day of its schedule leaves the scope.
		service.now += 3 * DAY;
		await polls(host, 1);
		expect(host.campaigns).toEqual([]);
	});

	it('forgets the messages that the list lacks for longer than the days in scope', async () => {
		const host = await publish({ events: ['smsStatus'], days: 7 });
		for (const dateCreated of [undefined, null]) service.addMessage(dateCreated);
		service.addMessage('2099-01-01T00:00:00');
		expect(await polls(host, 1)).toHaveLength(3);
		const away = service.messages.splice(0);
		service.now += 6 * DAY;
		await polls(host, 1);
		service.messages.push(...away);
		// Back within the days, and after n8n was down for longer: nothing is reported again.
		expect(await polls(host, 1)).toEqual([]);
		service.now += 8 * DAY;
		service.setStatus(1, 1);
		expect(await polls(host, 1)).toMatchObject([{ messageId: 2, statusCode: 1 }]);
		expect(host.messages).toEqual(['2', '3']);
		service.messages.splice(0);
		service.now += 8 * DAY;
		await polls(host, 1);
		expect(host.messages).toEqual([]);
	});

	it('knows a message that the list lacks on the last of the days in scope', async () => {
		const host = await publish({ events: ['smsStatus'], days: 7 });
		service.now += 2 * 3_600_000;
		service.addMessage();
		expect(await polls(host, 1)).toHaveLength(1);
		const away = service.messages.splice(0);
		service.now += 7 * DAY - 3_600_000;
		await polls(host, 1);
		service.messages.push(...away);
		expect(await polls(host, 1)).toEqual([]);
	});

	it('reports what happened while n8n was down, of campaigns that ended in the days in scope', async () => {
		const later = async (days: number) => {
			service = new ResultService();
			const campaign = service.addCampaign(1, 3);
			const host = await publish({ events: ['callAttempted'], days: 7 });
			service.call(campaign, 0, BUSY);
			service.now += days * DAY;
			const found = (await polls(host, 3)).length;
			// What the service lists only then, and a day later.
			const late: IDataObject[] = [];
			for (const wait of [10 * MINUTE, DAY]) {
				service.now += wait;
				service.call(campaign, 0, BUSY);
				late.push(...(await polls(host, 2)));
			}
			return [found, late.length];
		};
		// Its schedule ends nine hours after now.
		expect([await later(6), await later(7), await later(8)]).toEqual([
			[1, 2],
			[1, 1],
			[0, 0],
		]);
	});

	describe('of a campaign that started before Days', () => {
		/** Three weeks of calls, of which two are over. */
		function addLongCampaign() {
			const campaign = service.addCampaign(1, 3, '2030-05-03T00:00:00');
			campaign.runOverDays.push({ date: '2030-05-24', startTime: '09:00', finishTime: '18:00' });
			return campaign;
		}

		it('reports the calls and the status while its calling days last', async () => {
			const campaign = addLongCampaign();
			service.call(campaign, 0, BUSY);
			const host = await publish({ events: ['callAttempted', 'campaignStatus'], days: 7 });
			service.call(campaign, 0, BUSY);
			campaign.status = 5;
			expect(await polls(host, 2)).toMatchObject([{ attemptNumber: 2 }, { campaignStatus: 5 }]);
			service.now = Date.parse('2030-05-31T12:00:00Z');
			campaign.status = 6;
			expect(await polls(host, 2)).toMatchObject([{ campaignStatus: 6 }]);
			service.now = Date.parse('2030-05-31T19:00:00Z');
			await polls(host, 1);
			expect(host.campaigns).toEqual([]);
		});

		it('goes on with Campaign Status alone as long as with Call Attempted', async () => {
			const host = await publish({ events: ['campaignStatus'], days: 7 });
			const campaign = service.addCampaign(1, 3);
			campaign.runOverDays.push({ date: '2030-06-07', startTime: '09:00', finishTime: '18:00' });
			expect(await polls(host, 1)).toHaveLength(1);
			for (const [status, days] of [7, 8, 6].entries()) {
				service.now += days * DAY;
				campaign.status = 5 + status;
				expect(await polls(host, 2)).toMatchObject([{ campaignStatus: 5 + status }]);
			}
		});

		it('asks for its calling days once, and for those of the latest hundred', async () => {
			for (let index = 0; index < 150; index++) service.addCampaign(0, 1, '2030-03-01T00:00:00');
			const campaign = addLongCampaign();
			service.maxPageSize = 1000;
			const host = await publish({ events: ['campaignStatus'], days: 7 });
			// The list of voice campaigns and of SMS campaigns.
			expect(service.requests).toBe(2 + 100);
			expect(host.campaigns).toEqual([String(campaign.id)]);
			await polls(host, 3);
			expect(service.requests).toBe(2 + 100 + 3 * 2);
		});

		it('asks again where it could not be read', async () => {
			const host = await publish({ events: ['callAttempted'], days: 7 });
			host.settings.selected = { voice: ['404'], sms: [] };
			await polls(host, 1);
			host.settings.selected = undefined;
			const campaign = addLongCampaign();
			service.failures = [false, true, true];
			await polls(host, 2);
			service.call(campaign, 0, BUSY);
			expect(await polls(host, 2)).toHaveLength(1);
		});
	});

	describe('that would not be done in time', () => {
		it('hands over what it has, and the next one begins with what was cut', async () => {
			const campaigns = [0, 1, 2].map(() => service.addCampaign(1, 1));
			const host = await publish({ events: ['callAttempted'] });
			for (const campaign of campaigns) service.call(campaign, 0, BUSY);
			const read = async (requests: number) => {
				service.requestsLeft = requests;
				const { items, isCut } = await host.poll();
				return [items.map(({ campaignId }) => Number(campaignId) - 2000), isCut];
			};
			// The list, and two pages for each campaign.
			expect(await read(3)).toEqual([[0], true]);
			expect(await read(5)).toEqual([[1, 2], true]);
			expect(await read(9)).toEqual([[], false]);
			expect(host.failedPolls).toBe(0);
		});

		it('takes a campaign for known as a whole before it reports its calls', async () => {
			const campaign = service.addCampaign(30, 2);
			for (let number = 0; number < 30; number++) service.call(campaign, number, BUSY);
			service.requestsLeft = 4;
			const host = await publish({ events: ['callAttempted'] });
			for (let poll = 0; poll < 6; poll++) {
				service.requestsLeft = 4;
				expect((await host.poll()).items).toEqual([]);
			}
			service.requestsLeft = Infinity;
			service.call(campaign, 29, BUSY);
			expect(await polls(host, 2)).toMatchObject([{ attemptNumber: 2 }]);
		});

		it('gets through a campaign that no poll can read as a whole, and reports its end', async () => {
			const campaign = service.addCampaign(30, 1);
			const host = await publish({ events: ['callAttempted', 'campaignFinished'], days: 30 });
			for (let number = 0; number < 30; number++) service.call(campaign, number, BUSY);
			const found: unknown[] = [];
			for (let poll = 0; poll < 6; poll++) {
				service.requestsLeft = 6;
				const { items } = await host.poll();
				found.push(...items.map(({ phoneNumber }) => phoneNumber));
			}
			expect(found).toEqual(campaign.numbers.map(({ number }) => number));
			service.requestsLeft = Infinity;
			expect(await polls(host, 3)).toMatchObject([{ finishedBecause: 'allNumbersDone' }]);
		});

		it('takes messages for known that publishing had no time for', async () => {
			service.maxPageSize = 10;
			for (let index = 0; index < 30; index++) service.addMessage();
			service.requestsLeft = 3;
			const host = await publish({ events: ['smsStatus'] });
			expect(host.items).toEqual([]);
			service.requestsLeft = Infinity;
			service.setStatus(3, 5);
			expect(await polls(host, 1)).toEqual([]);
			service.addMessage();
			service.setStatus(4, 5);
			expect((await polls(host, 2)).map(({ messageId }) => messageId).sort()).toEqual([31, 5]);
		});

		it('lets the other lists have their turn', async () => {
			for (let index = 0; index < 30; index++) service.addMessage();
			const campaign = service.addCampaign(1, 1);
			const host = await publish({ events: ['callAttempted', 'smsStatus'] });
			service.call(campaign, 0, BUSY);
			const items: IDataObject[] = [];
			for (let poll = 0; poll < 2; poll++) {
				service.requestsLeft = 5;
				items.push(...(await host.poll()).items);
			}
			expect(items).toHaveLength(1);
		});
	});

	describe('of SMS messages', () => {
		const HOUR = 3_600_000;
		const OLD = 60;

		/** An account of many years, and forty messages of these days. */
		async function publishIn(order: ResultService['order']) {
			Object.assign(service, { order, maxPageSize: 10 });
			const text = (moment: number) => new Date(moment).toISOString().slice(0, 19);
			for (let index = 0; index < OLD * 10; index++) {
				service.addMessage(text(service.now - 8 * DAY - (index * DAY) / 10));
			}
			for (let index = 0; index < 40; index++) {
				service.addMessage(text(service.now - index * 4 * HOUR));
			}
			service.pinned = [{ id: -1, status: 1, dateCreated: '2029-01-01T00:00:00' }];
			return await publish({ events: ['smsStatus'] });
		}

		it.each(['newestFirst', 'newestLast'] as const)('reads those of Days, %s', async (order) => {
			const host = await publishIn(order);
			const { requests } = service;
			for (let index = 0; index < 3; index++) service.addMessage();
			service.setStatus(OLD * 10 + 39, 5);
			expect((await polls(host, 1)).map(({ statusCode }) => statusCode).sort()).toEqual([
				2, 2, 2, 5,
			]);
			// The list of voice campaigns, and the pages of the messages.
			expect(service.requests - requests).toBeLessThanOrEqual(1 + 9);
			expect(await polls(host, 2)).toEqual([]);
		});

		it('reads all of them where they are listed in no order', async () => {
			const host = await publishIn('none');
			const { requests } = service;
			service.setStatus(OLD * 10 + 39, 5);
			const { items } = await host.poll();
			expect(items).toHaveLength(1);
			expect(service.requests - requests).toBeGreaterThan(OLD);
		});
	});

	it('does not take a campaign for finished while a number is missing for a moment', async () => {
		const campaign = service.addCampaign(3, 1);
		const host = await publish({ events: ['campaignFinished'] });
		service.call(campaign, 0, BUSY);
		service.call(campaign, 1, BUSY);
		await polls(host, 1);
		const [hidden] = campaign.numbers.splice(2);
		expect(await polls(host, 1)).toEqual([]);
		if (hidden !== undefined) campaign.numbers.push(hidden);
		expect(await polls(host, 3)).toEqual([]);
		service.call(campaign, 2, BUSY);
		expect(await polls(host, 3)).toHaveLength(1);
	});

	it('does not take a campaign for finished while a call to one that has answered goes on', async () => {
		const campaign = service.addCampaign(1, 1);
		const host = await publish({ events: ['callAttempted', 'campaignFinished'] });
		service.call(campaign, 0, ANSWERED);
		const [record] = campaign.numbers;
		const transfer = { startTime: '2030-05-17T09:05:00', outcome: null, attemptNumber: 1 };
		record?.calls.push({ ...transfer, isTransferCall: true } as never);
		expect(await polls(host, 3)).toMatchObject([{ event: 'callAttempted' }]);
		Object.assign(record?.calls[1] ?? {}, { outcome: BUSY });
		expect(await polls(host, 3)).toMatchObject([
			{ event: 'callAttempted', isTransferCall: true },
			{ event: 'campaignFinished' },
		]);
	});

	it('does not take a campaign for finished whose numbers are not listed yet', async () => {
		const campaign = service.addCampaign(0, 1);
		const host = await publish({ events: ['campaignFinished'] });
		expect(await polls(host, 3)).toEqual([]);
		service.addNumber(campaign);
		service.call(campaign, 0, BUSY);
		expect(await polls(host, 3)).toHaveLength(1);
	});

	it('waits three days for the final status of an SMS', async () => {
		const campaign = service.addCampaign(1, 1);
		const host = await publish({ events: ['smsStatus'], days: 30 });
		service.call(campaign, 0, BUSY);
		const [record] = campaign.numbers;
		record?.smss.push({ status: 0, smsCount: 1, dateReceived: '2030-05-17T09:30:00' });
		await polls(host, 3);
		const changeAfter = async (days: number, status: number) => {
			service.now += days * DAY;
			await polls(host, 3);
			record?.smss.splice(0, 1, { ...record.smss[0], status });
			service.now += 10 * MINUTE;
			return (await polls(host, 3)).length;
		};
		expect(await changeAfter(2.5, 2)).toBe(1);
		expect(await changeAfter(1, 1)).toBe(0);
	});

	it.each([{}, { status: null }])(
		'reports an SMS whose status is %j once, then its status',
		async (none) => {
			const campaign = service.addCampaign(1, 1);
			const host = await publish({ events: ['smsStatus'], days: 30 });
			service.call(campaign, 0, BUSY);
			const [record] = campaign.numbers;
			record?.smss.push({ ...none, smsCount: 1, dateReceived: '2030-05-17T09:30:00' } as never);
			const found = [];
			for (const status of [undefined, undefined, 1]) {
				if (status !== undefined) Object.assign(record?.smss[0] ?? {}, { status });
				found.push((await polls(host, 1)).length);
				service.now += 10 * MINUTE;
			}
			expect(found).toEqual([1, 0, 1]);
		},
	);

	it('gives the earliest first: a call by its start, an SMS by its last status, campaigns last', async () => {
		const campaign = service.addCampaign(2, 1);
		const host = await publish({ events: ['callAttempted', 'smsStatus', 'campaignStatus'] });
		service.call(campaign, 0, BUSY, '2030-05-17T09:04:00');
		service.call(campaign, 1, BUSY, '2030-05-17T09:02:00');
		const [one, other] = campaign.numbers.map(({ calls }) => calls[0] ?? {});
		Object.assign(other ?? {}, { endTime: '2030-05-17T09:09:00' });
		expect(one).toMatchObject({ endTime: '2030-05-17T09:04:00' });
		for (const [created, modified] of [
			['08:59', '09:05'],
			['09:03', '09:03'],
			['09:01', null],
		]) {
			service.addMessage(`2030-05-17T${created}:00`);
			const dateModified = modified === null ? null : `2030-05-17T${modified}:00`;
			const dateReceived = '2030-05-17T09:01:00';
			Object.assign(service.messages.at(-1) ?? {}, { dateModified, dateReceived });
		}
		const items = await polls(host, 1);
		const timeOf = ({ event, startTime, lastUpdated }: IDataObject) =>
			event === 'campaignStatus' ? event : String(startTime ?? lastUpdated).slice(11, 16);
		expect(items.map(timeOf)).toEqual([
			...['09:01', '09:02', '09:03', '09:04', '09:05', 'campaignStatus'],
		]);
	});

	it('reports the change of a status once, and none that was there before', async () => {
		const campaign = service.addCampaign(1, 3);
		const host = await publish({ events: ['campaignStatus'] });
		expect(await polls(host, 2)).toEqual([]);
		campaign.status = 2;
		const [change, ...others] = await polls(host, 3);
		expect(others).toEqual([]);
		expect(change).toMatchObject({
			event: 'campaignStatus',
			campaignType: 'voice',
			campaignId: '2000',
			previousCampaignStatus: 0,
			campaignStatus: 2,
			campaignName: 'Campaign 2000',
			eventKey: 'campaign/voice/2000/campaignStatus/0-2/1',
		});
		campaign.status = 0;
		await polls(host, 1);
		campaign.status = 2;
		// The same change again is another event.
		expect(await polls(host, 1)).toMatchObject([
			{ eventKey: 'campaign/voice/2000/campaignStatus/0-2/3' },
		]);
	});

	it('reports campaigns that start and end between two polls', async () => {
		const host = await publish({ events: ['campaignStatus', 'campaignFinished'] });
		service.call(service.addCampaign(1, 1), 0, BUSY);
		service.smsCampaigns.push({ id: 'a', startDateTime: '2030-05-17T09:00:00', status: 3 });
		expect(await polls(host, 4)).toMatchObject([
			{ event: 'campaignStatus', campaignType: 'voice', previousCampaignStatus: null },
			{ event: 'campaignStatus', campaignType: 'sms', campaignStatus: 3 },
			{ event: 'campaignFinished', campaignType: 'voice', campaignId: '2000' },
		]);
	});

	it('takes the status of a campaign that days, an event or a selection add for known', async () => {
		const addSms = (id: string, startDateTime: string) =>
			service.smsCampaigns.push({ id, startDateTime, status: 3 });
		const host = await publish({ events: ['campaignStatus'] });
		service.addCampaign(1, 1, '2030-05-10T00:00:00');
		addSms('older', '2030-05-10T00:00:00');
		expect(await polls(host, 1)).toEqual([]);
		Object.assign(host.settings, { days: 8 });
		expect(await polls(host, 1)).toEqual([]);
		host.settings.events = ['callAttempted'];
		await polls(host, 1);
		addSms('unread', '2030-05-17T09:00:00');
		await polls(host, 1);
		host.settings.events = ['campaignStatus'];
		expect(await polls(host, 1)).toEqual([]);
		host.settings.selected = { voice: [], sms: ['unread'] };
		await polls(host, 1);
		host.settings.selected = undefined;
		addSms('new', '2030-05-17T09:00:00');
		await polls(host, 1);
		addSms('newer', '2030-05-17T09:00:00');
		expect(await polls(host, 1)).toMatchObject([{ campaignId: 'newer' }]);
	});

	it.each([
		['a blank', (time: string) => time.replace('T', ' ')],
		['fractions of a second', (time: string) => `${time}.1234567`],
		['blanks around it', (time: string) => ` ${time} `],
	])(
		'reports what came on the first of the days in scope, where a time has %s',
		async (_, written) => {
			const settings = { events: ['campaignStatus', 'smsStatus'] } satisfies Partial<PollSettings>;
			const host = await publish(settings);
			for (const time of ['2030-05-10T08:30:00', '2030-05-10T09:30:00']) {
				service.addMessage(written(time));
				service.addCampaign(1, 1, written(time));
				service.smsCampaigns.push({ id: time, status: 3, startDateTime: written(time) });
			}
			const { items } = await publish({ ...settings, startFrom: '2030-05-10' });
			for (const found of [await polls(host, 2), items]) {
				const ids = found.map(({ campaignId, messageId }) => messageId ?? campaignId);
				expect(ids).toEqual([service.messages[1]?.id, '2001', '2030-05-10T09:30:00']);
			}
		},
	);

	it.each([
		['a T', (time: string) => time],
		['a blank', (time: string) => time.replace('T', ' ')],
		['blanks around it', (time: string) => ` ${time} `],
	])(
		'takes the start of an SMS campaign by the clock of the service, not by its designator: a time with %s',
		async (_, written) => {
			// Half past one in UTC on the day from which it reports.
			for (const time of ['2030-05-16T23:30:00-02:00', '2030-05-17T00:30:00+02:00']) {
				service.smsCampaigns.push({ id: time, startDateTime: written(time), status: 3 });
			}
			const host = await publish({ events: ['campaignStatus'], startFrom: '2030-05-17' });
			expect(host.items).toMatchObject([{ campaignId: '2030-05-16T23:30:00-02:00' }]);
		},
	);

	it('repeats no status of an SMS campaign whose start was put off', async () => {
		const campaign = { id: 'a', startDateTime: '2030-05-18T09:00:00Z', status: 3 };
		service.smsCampaigns.push(campaign);
		const host = await publish({ events: ['campaignStatus'] });
		campaign.startDateTime = '2030-06-10T09:00:00Z';
		service.now += 9 * DAY;
		expect(await polls(host, 3)).toEqual([]);
		campaign.status = 4;
		expect(await polls(host, 3)).toMatchObject([{ previousCampaignStatus: 3, campaignStatus: 4 }]);
	});

	describe('of an SMS campaign', () => {
		const [DELIVERED, ACCEPTED, UNDELIVERABLE] = [1, 2, 5];
		const ends = { events: ['campaignFinished'] } satisfies Partial<PollSettings>;

		it('reports the end once, with its figures, when every recipient has a final status', async () => {
			const host = await publish({ ...ends, smsFilters: { status: ['7'] } });
			const id = service.addSmsCampaign(3, DELIVERED, UNDELIVERABLE);
			service.addMessage();
			expect(await polls(host, 2)).toEqual([]);
			service.addMessage();
			Object.assign(service.messages.at(-1) ?? {}, { campaignId: id });
			expect(await polls(host, 2)).toEqual([]);
			service.setStatus(service.messages.length - 1, DELIVERED);
			expect(await polls(host, 5)).toMatchObject([
				{
					campaignType: 'sms',
					campaignId: id,
					finishedBecause: 'allMessagesFinal',
					recipients: 3,
					messages: 3,
					reached: 2,
					notReached: 1,
					cost: 0.08,
					smsStatuses: { Delivered: 2, Undeliverable: 1 },
					optedOut: null,
					eventKey: `campaign/sms/${id}/campaignFinished`,
				},
			]);
			host.kill();
			expect(await polls(host, 2)).toEqual([]);
		});

		it('reports it three days after the last change, whatever Days says', async () => {
			const host = await publish({ ...ends, days: 1 });
			service.addSmsCampaign(2, DELIVERED, ACCEPTED);
			service.addSmsCampaign(1);
			expect(await polls(host, 1)).toEqual([]);
			service.now += 2 * DAY;
			expect(await polls(host, 2)).toEqual([]);
			service.setStatus(1, 0);
			service.now += 2 * DAY;
			expect(await polls(host, 2)).toMatchObject([
				{ finishedBecause: 'noChangeForThreeDays', recipients: 1, messages: 0, reached: 0 },
			]);
			service.now += DAY;
			expect(await polls(host, 5)).toMatchObject([
				{ finishedBecause: 'noChangeForThreeDays', recipients: 2, reached: 1 },
			]);
		});

		it('waits until three days after the start, however early the messages were created', async () => {
			const host = await publish(ends);
			service.addSmsCampaign(2, ACCEPTED, ACCEPTED);
			const start = new Date(service.now + 10 * DAY).toISOString();
			Object.assign(service.smsCampaigns[0] ?? {}, { startDateTime: start });
			expect(await polls(host, 1)).toEqual([]);
			service.now += 12 * DAY;
			expect(await polls(host, 2)).toEqual([]);
			service.now += DAY;
			expect(await polls(host, 2)).toMatchObject([{ finishedBecause: 'noChangeForThreeDays' }]);
		});

		it('waits three days where the service does not tell how many recipients it has', async () => {
			const host = await publish(ends);
			service.addSmsCampaign(1, DELIVERED);
			Object.assign(service.smsCampaigns[0] ?? {}, { recipientCount: null });
			expect(await polls(host, 3)).toEqual([]);
			service.now += 3 * DAY;
			expect(await polls(host, 3)).toMatchObject([{ finishedBecause: 'noChangeForThreeDays' }]);
		});

		it('reports no end of what was over when it was first read', async () => {
			service.addSmsCampaign(1, DELIVERED);
			const running = service.addSmsCampaign(1, ACCEPTED);
			const host = await publish(ends);
			expect(host.items).toEqual([]);
			service.setStatus(1, DELIVERED);
			expect(await polls(host, 3)).toMatchObject([{ campaignId: running }]);
		});

		it('reports it after the figures could not be read', async () => {
			const host = await publish(ends);
			service.addSmsCampaign(1, DELIVERED);
			// The voice campaigns, the SMS campaigns, the messages.
			service.failures = [false, false, true];
			expect(await polls(host, 1)).toEqual([]);
			expect(host.failedPolls).toBe(1);
			expect(await polls(host, 3)).toHaveLength(1);
		});
	});

	it('reports the end of a voice campaign with its figures, also after they could not be read', async () => {
		const campaign = service.addCampaign(2, 1);
		const host = await publish({ events: ['campaignFinished'] });
		service.call(campaign, 0, ANSWERED);
		service.call(campaign, 1, BUSY);
		expect(await polls(host, 1)).toEqual([]);
		// The list of campaigns, two pages of numbers, those of the figures.
		service.failures = [false, false, false, true];
		expect(await polls(host, 1)).toEqual([]);
		expect(await polls(host, 3)).toMatchObject([
			{
				recipients: 2,
				reached: 1,
				notReached: 1,
				optedOut: 0,
				attemptsUsed: 2,
				outcomes: { Answered: 1, Busy: 1 },
				messages: null,
				deliveryRate: null,
			},
		]);
	});

	it.each([
		[{ outcomes: [BUSY] }, 1],
		[{ userInputs: '9, 1' }, 1],
		[{ userInputs: '7' }, 0],
		[{ statuses: ['failed'] }, 2],
		[{ phoneNumbers: '447700900999' }, 0],
	])('reports what passes the filters %j', async (filters, count) => {
		const campaign = service.addCampaign(2, 1);
		const host = await publish({ events: ['callAttempted'], filters });
		service.call(campaign, 0, BUSY);
		service.call(campaign, 1, ANSWERED);
		Object.assign(campaign.numbers[1]?.calls[0] ?? {}, { userInput: '1' });
		expect(await polls(host, 2)).toHaveLength(count);
	});

	it('names the end of a campaign by the campaign alone, whatever numbers are filtered', async () => {
		const campaign = service.addCampaign(1, 1);
		const filters = { phoneNumbers: '447700900999' };
		const host = await publish({ events: ['campaignFinished'], filters });
		service.call(campaign, 0, BUSY);
		const [end, ...others] = await polls(host, 5);
		expect(others).toEqual([]);
		expect(end).toMatchObject({
			event: 'campaignFinished',
			finishedBecause: 'allNumbersDone',
			campaignStatus: 1,
			eventKey: 'campaign/voice/2000/campaignFinished',
			eventId: expect.stringMatching(/^[0-9a-f]{32}$/),
		});
	});
});

describe('a manual test', () => {
	let service: ResultService;

	beforeEach(() => {
		service = new ResultService();
	});

	async function sample(settings: Partial<PollSettings>) {
		const { items, failures } = await pollService({
			client: service,
			settings: new PollHost(service, settings).settings,
			account: 'test',
			zone: 'UTC',
			now: service.now,
			state: undefined,
			isSample: true,
		});
		return { items, failures };
	}

	it('shows the last five results', async () => {
		const campaign = service.addCampaign(7, 1);
		for (let number = 0; number < 7; number++) {
			service.now += 60_000;
			service.call(campaign, number, BUSY);
		}
		const { items } = await sample({ events: ['callAttempted'] });
		expect(items.map(({ startTime }) => String(startTime).slice(11, 16))).toEqual([
			...['09:03', '09:04', '09:05', '09:06', '09:07'],
		]);
	});

	it('shows results of each kind, and reads the numbers of five campaigns that have started', async () => {
		for (let index = 0; index < 7; index++) {
			service.call(service.addCampaign(1, 1), 0, BUSY);
			service.addMessage();
		}
		for (let index = 0; index < 5; index++) service.addCampaign(1, 1, '2030-05-18T00:00:00');
		const before = service.requests;
		const { items } = await sample({});
		// The lists of messages, voice and SMS campaigns; each campaign, its numbers and its figures.
		expect(service.requests - before).toBeLessThanOrEqual(3 + 3 + 5 * 3 + 5 + 5 * 2);
		const count = (kind: string) => items.filter(({ event }) => event === kind).length;
		const kinds = ['callAttempted', 'smsStatus', 'campaignStatus', 'campaignFinished'];
		expect(kinds.map(count)).toEqual([5, 5, 5, 5]);
	});

	it('reads a part of lists that are long', async () => {
		service.maxPageSize = 1000;
		const campaign = service.addCampaign(5000, 1);
		for (let index = 0; index < 5000; index++) service.addMessage();
		service.call(campaign, 0, BUSY);
		const { items } = await sample({ events: ['callAttempted', 'smsStatus'] });
		expect(items.map(({ event }) => event)).toContain('callAttempted');
		// Two pages of messages and one of numbers, beside the campaigns, the campaign and its figures.
		expect(service.requests).toBeLessThanOrEqual(6);
	});

	it('shows the status of each campaign, changed or not', async () => {
		service.addCampaign(1, 1);
		expect((await sample({ events: ['campaignStatus'] })).items).toMatchObject([
			{ previousCampaignStatus: null, campaignStatus: 0 },
		]);
	});

	it('shows what could be read', async () => {
		const campaign = service.addCampaign(1, 1);
		service.call(campaign, 0, BUSY);
		// The list of messages.
		service.failures = [true];
		const { items, failures } = await sample({ events: ['callAttempted', 'smsStatus'] });
		expect(items).toMatchObject([{ event: 'callAttempted' }]);
		expect(failures).toHaveLength(1);
	});
});
