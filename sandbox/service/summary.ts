import type { Service } from './service.ts';
import { defaultClient } from './settings.ts';

/** The registered webhook URLs by client. */
export const webhookUrls = ({ database }: Service): Map<number, string> =>
	new Map(
		database
			.all<{ clientId: number; url: string }>('SELECT clientId, url FROM webhooks')
			.map(({ clientId, url }) => [clientId, url]),
	);

/** Counts of everything that the sandbox holds, as the control API shows them. */
export const summaryOf = (service: Service) => {
	const { database, deliveries, load, violations } = service;
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
		requests: count('requests'),
		mostRequestsAtOnce: load.most,
		deliveries: deliveries.counts(),
		webhook: { url: webhookUrls(service).get(defaultClient.clientId) ?? null },
		contractViolations: violations.length,
	};
};
