import { problem } from './errors.ts';
import { sampleEvent } from './sampleEvents.ts';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';

/** An event to deliver: any part of it. */
export interface EventRequest {
	webHookType?: number;
	data?: Record<string, unknown>;
	/** The first client of the settings unless given. */
	clientId?: number;
}

const pause = (milliseconds: number): Promise<void> =>
	new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until something holds; whether it came to hold in time. */
export const waitFor = async (holds: () => boolean, timeoutSeconds: number): Promise<boolean> => {
	const end = Date.now() + timeoutSeconds * 1000;
	while (!holds()) {
		if (Date.now() >= end) return false;
		await pause(20);
	}
	return true;
};

/** The registered webhook URLs by client. */
export const webhookUrls = ({ database }: Service): Map<number, string> =>
	new Map(
		database
			.all<{ clientId: number; url: string }>('SELECT clientId, url FROM webhooks')
			.map(({ clientId, url }) => [clientId, url]),
	);

/** Counts of everything that the sandbox holds, as the control API shows them. */
export const summaryOf = (service: Service) => {
	const { database, deliveries, load, requests, settings, violations } = service;
	const count = (from: string) => database.number(`SELECT count(*) AS n FROM ${from}`) ?? 0;
	return {
		smsCampaigns: count('smsCampaigns'),
		smsCampaignContacts: count('sms WHERE campaignId IS NOT NULL'),
		smsMessages: count('sms WHERE campaignId IS NULL AND voiceNumberId IS NULL'),
		voiceCampaigns: count('voiceCampaigns'),
		voicePhoneNumbers: count('voiceNumbers'),
		voiceSmss: count('sms WHERE voiceNumberId IS NOT NULL'),
		calls: count('calls'),
		storedPhoneNumbers: count('storedPhoneNumbers'),
		optOuts: count('optOuts'),
		requests: requests.count(),
		mostRequestsAtOnce: load.most,
		deliveries: deliveries.counts(),
		webhook: { url: webhookUrls(service).get(settings.defaultClient.clientId) ?? null },
		contractViolations: violations.length,
	};
};

/** Delivers an event now, with what is missing filled in; returns the delivery's id. */
export const addEvent = (service: Service, request: EventRequest): number => {
	const { clientId = service.settings.defaultClient.clientId, ...event } = request;
	if (!service.settings.client(clientId))
		throw problem(400, `There is no client ${String(clientId)}.`);
	return service.deliveries.add(
		clientId,
		service.clock.moment(),
		sampleEvent(service, clientId, event),
		false,
	);
};

const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/** Advances the clock; resolves when all work that is due by then is done. */
export const pushTime = async (
	{ clock, simulation }: Service,
	milliseconds: number,
): Promise<void> => {
	if (clock.target + milliseconds > lastMoment)
		throw problem(400, 'The time ends with the year 9999.');
	clock.advance(milliseconds);
	await simulation.run();
};

/** Changes settings; deliveries that were held back by them go out. */
export const changeSettings = ({ deliveries, settings }: Service, change: unknown): Settings => {
	const changed = settings.change(change);
	deliveries.wake();
	return changed;
};
