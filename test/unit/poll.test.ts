import type { PollSettings } from '../../nodes/MessagingService/results/pollSettings';
import { PollHost } from './support/pollHost';
import { ResultService } from './support/resultService';

const ANSWERED = 1;
const BUSY = 3;

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
});
