import type { PollSettings } from '../../nodes/MessagingService/poll/settings';
import { sampleResults } from '../../nodes/MessagingService/results/sample';
import type { ServiceClient } from '../../nodes/MessagingService/transport/request';
import { PollHost } from './support/pollHost';
import { ResultService } from './support/resultService';

const ANSWERED = 1;
const BUSY = 3;
const DAY = 24 * 3_600_000;

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

	it('reports a call that ends after a later one to its number', async () => {
		const campaign = service.addCampaign(1, 3);
		const host = await publish({ events: ['callAttempted'] });
		service.call(campaign, 0, null);
		service.call(campaign, 0, ANSWERED);
		// The campaign does not count as finished while a call is in progress.
		expect(await polls(host, 4)).toMatchObject([{ attemptNumber: 2 }]);
		service.endCall(BUSY);
		expect(await polls(host, 2)).toMatchObject([{ attemptNumber: 1, outcomeCode: BUSY }]);
	});

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

	it('reports the end of a campaign from which a number was removed', async () => {
		const campaign = service.addCampaign(3, 1);
		const host = await publish({ events: ['campaignFinished'] });
		campaign.numbers.shift();
		service.call(campaign, 0, BUSY);
		service.call(campaign, 1, BUSY);
		expect(await polls(host, 4)).toMatchObject([{ event: 'campaignFinished' }]);
	});

	it('knows the ID of an SMS campaign in upper and lower case', async () => {
		const id = 'abcdef01-0000-4000-8000-00000000000a';
		const selected = { voice: [], sms: [id] };
		const host = await publish({ events: ['smsStatus'], selected });
		service.addMessage();
		Object.assign(service.messages[0] ?? {}, { campaignId: id.toUpperCase() });
		service.addMessage();
		expect(await polls(host, 2)).toMatchObject([{ messageId: service.messages[0]?.id }]);
	});

	it('takes what other settings add for known', async () => {
		service.addMessage();
		const host = await publish({ events: ['callAttempted'] });
		host.settings.events = ['callAttempted', 'smsStatus'];
		expect(await polls(host, 2)).toEqual([]);
		Object.assign(host.settings, { smsFilters: { phoneNumber: '+447700900123' } });
		service.addMessage();
		expect(await polls(host, 2)).toEqual([]);
		service.addMessage();
		expect(await polls(host, 2)).toMatchObject([{ messageId: service.messages[2]?.id }]);
	});

	it('reports a call that is listed after the end of the schedule', async () => {
		const campaign = service.addCampaign(1, 3);
		const host = await publish({ events: ['callAttempted', 'campaignFinished'] });
		service.now = Date.parse('2030-05-17T18:00:00Z');
		expect(await polls(host, 3)).toMatchObject([{ finishedBecause: 'scheduleOver' }]);
		service.call(campaign, 0, ANSWERED);
		expect(await polls(host, 12)).toMatchObject([{ event: 'callAttempted' }]);
	});

	it('remembers for three days a campaign that the list no longer has', async () => {
		const campaign = service.addCampaign(2, 3);
		const host = await publish({ events: ['callAttempted', 'campaignStatus'], days: 30 });
		const missingFor = async (days: number) => {
			service.unlisted = [campaign.id];
			await polls(host, 2);
			service.now += days * 24 * 3_600_000;
			await polls(host, 1);
			service.unlisted = [];
			return await polls(host, 2);
		};
		service.call(campaign, 0, BUSY);
		expect(await polls(host, 2)).toHaveLength(2);
		service.call(campaign, 1, BUSY);
		expect(await missingFor(2)).toMatchObject([{ attemptNumber: 1 }]);
		// It counts from the time when it was missing last.
		expect(await missingFor(2)).toEqual([]);
		// Nobody can tell it from a new one any more.
		expect(await missingFor(3)).toHaveLength(2);
	});

	it('reads a finished campaign less often, and forgets it a day after its schedule', async () => {
		const campaign = service.addCampaign(1, 1);
		const host = await publish({ events: ['callAttempted'] });
		service.call(campaign, 0, BUSY);
		await polls(host, 2);
		const readings = async (count: number) => {
			const before = service.requests;
			await polls(host, count);
			// Each poll reads the list of campaigns; two pages are those of the numbers.
			return (service.requests - before - count) / 2;
		};
		expect(await readings(30)).toBe(3);
		service.now = Date.parse('2030-05-18T18:00:00Z');
		expect(await readings(20)).toBe(1);
	});

	it('reads no phone numbers where no event needs them', async () => {
		service.addCampaign(3, 1);
		service.addMessage();
		const settings = { events: ['smsStatus'] as const, includeVoiceSms: false };
		const host = await publish(settings);
		const before = service.requests;
		await polls(host, 3);
		// One page of messages each.
		expect(service.requests - before).toBe(3);
		const all = await publish({ events: ['smsStatus'] });
		const beforeAll = service.requests;
		await polls(all, 3);
		expect(service.requests - beforeAll).toBeGreaterThan(3);
	});

	it('takes what happened to a campaign while it was not selected for known', async () => {
		const [one, two] = [service.addCampaign(1, 3), service.addCampaign(1, 3)];
		const both = { voice: [String(one.id), String(two.id)], sms: [] };
		const host = await publish({ events: ['callAttempted'], selected: both });
		service.call(two, 0, BUSY);
		expect(await polls(host, 2)).toHaveLength(1);
		host.settings.selected = { voice: [String(one.id)], sms: [] };
		service.call(two, 0, BUSY);
		expect(await polls(host, 2)).toEqual([]);
		host.settings.selected = both;
		expect(await polls(host, 2)).toEqual([]);
		service.call(two, 0, ANSWERED);
		expect(await polls(host, 2)).toMatchObject([{ attemptNumber: 3 }]);
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

	it('reports what happened while n8n was down, of campaigns that ended in the days in scope', async () => {
		const later = async (days: number) => {
			service = new ResultService();
			const campaign = service.addCampaign(1, 3);
			const host = await publish({ events: ['callAttempted'], days: 7 });
			service.call(campaign, 0, BUSY);
			service.now += days * DAY;
			return (await polls(host, 3)).length;
		};
		// Its schedule ends nine hours after now.
		expect([await later(6), await later(7), await later(8)]).toEqual([1, 1, 0]);
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

	it('reads a finished campaign in each poll while an SMS of it has no final status', async () => {
		const campaign = service.addCampaign(1, 1);
		const host = await publish({ events: ['smsStatus', 'campaignFinished'] });
		service.call(campaign, 0, BUSY);
		const [record] = campaign.numbers;
		const sms = { status: 0, smsCount: 1, dateReceived: '2030-05-17T09:30:00' };
		record?.smss.push(sms);
		expect(await polls(host, 3)).toHaveLength(2);
		for (const status of [2, 6, 1]) {
			record?.smss.splice(0, 1, { ...sms, status });
			expect(await polls(host, 1)).toMatchObject([{ statusCode: status }]);
		}
		await polls(host, 3);
		const before = service.requests;
		await polls(host, 3);
		// Nothing more can come: the lists of campaigns and of messages are read, and no number.
		expect(service.requests - before).toBe(6);
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
			return (await polls(host, 3)).length;
		};
		expect(await changeAfter(2.5, 2)).toBe(1);
		expect(await changeAfter(1, 1)).toBe(0);
	});

	it('reports the change of a status once, and none that was there before', async () => {
		const campaign = service.addCampaign(1, 3);
		const host = await publish({ events: ['campaignStatus'] });
		expect(await polls(host, 2)).toEqual([]);
		campaign.status = 2;
		const [change, ...others] = await polls(host, 3);
		expect(others).toEqual([]);
		expect(change).toMatchObject({
			...{ event: 'campaignStatus', campaignType: 'voice', campaignId: '2000' },
			...{ previousCampaignStatus: 0, campaignStatus: 2, campaignName: 'Campaign 2000' },
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

	it('names the end of a campaign by the campaign alone', async () => {
		const campaign = service.addCampaign(1, 1);
		const host = await publish({ events: ['campaignFinished'] });
		service.call(campaign, 0, BUSY);
		const [end, ...others] = await polls(host, 5);
		expect(others).toEqual([]);
		expect(end).toMatchObject({
			...{ event: 'campaignFinished', finishedBecause: 'allNumbersDone', campaignStatus: 1 },
			eventKey: 'campaign/voice/2000/campaignFinished',
			eventId: expect.stringMatching(/^[0-9a-f]{32}$/),
		});
	});

	it('gives one item at a time where more are not wanted, and loses none', async () => {
		const campaigns = [service.addCampaign(2, 1), service.addCampaign(2, 1)];
		const host = await publish({
			...{ events: ['callAttempted', 'campaignStatus', 'campaignFinished'], maxItems: 1 },
		});
		for (const campaign of campaigns) {
			for (const number of [0, 1]) service.call(campaign, number, BUSY);
		}
		const items = await polls(host, 40);
		const kinds = items.map(({ event, campaignId, eventKey }) => [event, campaignId, eventKey]);
		expect(new Set(kinds.map(String)).size).toBe(8);
		expect(items).toHaveLength(8);
	});

	it('reports campaigns that end together one after the other where there is no room', async () => {
		const campaigns = [1, 2, 3].map(() => service.addCampaign(1, 1));
		const host = await publish({ events: ['campaignFinished'], maxItems: 1 });
		for (const campaign of campaigns) service.call(campaign, 0, ANSWERED);
		const ended = (await polls(host, 12)).map(({ campaignId }) => String(campaignId));
		expect([ended.length, new Set(ended).size]).toEqual([3, 3]);
	});

	it('reads as long as it may, and what was there before for longer', async () => {
		for (let index = 0; index < 4; index++) service.addCampaign(6, 1);
		const host = await publish({ events: ['callAttempted'], budgetMs: 2000 });
		for (const campaign of service.campaigns) service.call(campaign, 5, BUSY);
		// Two seconds: the list of campaigns and a page of numbers.
		const before = service.requests;
		expect(await polls(host, 1)).toEqual([]);
		expect(service.requests - before).toBe(3);
		expect(await polls(host, 30)).toHaveLength(4);
	});
});

describe('a manual test', () => {
	let service: ResultService;

	beforeEach(() => {
		service = new ResultService();
	});

	async function sample(settings: Partial<PollSettings>) {
		return await sampleResults({
			client: service as unknown as ServiceClient,
			settings: new PollHost(service, settings).settings,
			zone: 'UTC',
			now: () => service.now,
		});
	}

	it('shows the last five results, also beyond the limit of items', async () => {
		const campaign = service.addCampaign(7, 1);
		for (let number = 0; number < 7; number++) {
			service.now += 60_000;
			service.call(campaign, number, BUSY);
		}
		const items = await sample({ events: ['callAttempted'], maxItems: 1 });
		expect(items.map(({ startTime }) => String(startTime).slice(11, 16))).toEqual([
			...['09:03', '09:04', '09:05', '09:06', '09:07'],
		]);
	});

	it('shows none from before Start From', async () => {
		const campaign = service.addCampaign(2, 1);
		service.call(campaign, 0, BUSY);
		service.now += 3_600_000;
		service.call(campaign, 1, BUSY);
		const items = await sample({ events: ['callAttempted'], startFrom: service.now });
		expect(items).toHaveLength(1);
	});

	it('shows the status of each campaign, changed or not', async () => {
		service.addCampaign(1, 1);
		expect(await sample({ events: ['campaignStatus'] })).toMatchObject([
			{ previousCampaignStatus: null, campaignStatus: 0 },
		]);
	});

	it('shows what could be read, and fails where nothing could', async () => {
		const campaign = service.addCampaign(1, 1);
		service.call(campaign, 0, BUSY);
		const events = ['callAttempted', 'smsStatus'] as const;
		// The list of campaigns, that of messages after the numbers and their campaign.
		service.failures = [false, false, false, false, true];
		expect(await sample({ events })).toMatchObject([{ event: 'callAttempted' }]);
		service.failures = Array<boolean>(10).fill(true);
		await expect(sample({ events })).rejects.toThrow('The service failed');
	});

	it('reads for ten seconds', async () => {
		service.addCampaign(100, 1);
		await sample({ events: ['callAttempted'] });
		expect(service.requests).toBe(10);
	});
});
