import { smsCampaignStatus } from './campaignStatuses.ts';
import { utcText, type TimedWork } from './clock.ts';
import { smsResultOf, smsStatus, type SmsResult } from './magicNumbers.ts';
import { hasOptedOut, optOut } from './optOuts.ts';
import type { Service } from './service.ts';
import { partsOf, smsPriceOf } from './smsText.ts';

/** A message in the service's hands, with the moment of its next status. */
interface Sms {
	id: number;
	newId: string;
	client_Id: number;
	campaignId: string | null;
	phoneNumber: string;
	createdAt: number;
	smsCount: number;
	dueAt: number;
	/** Whether the recipient can opt out by a link of the campaign. */
	hasOptOutLink: number;
}

interface Campaign {
	id: string;
	startAt: number;
	message: string;
}

/** Starts SMS campaigns at their time, and gives every message its status. */
export class SmsWork implements TimedWork {
	readonly #service: Service;

	constructor(service: Service) {
		this.#service = service;
	}

	nextDue(): number | undefined {
		const { database } = this.#service;
		return database.number(`SELECT min(due) AS n FROM (
			SELECT min(startAt) AS due FROM smsCampaigns WHERE startAt IS NOT NULL
			UNION ALL SELECT min(dueAt) AS due FROM sms WHERE dueAt IS NOT NULL)`);
	}

	run(moment: number): void {
		const { database } = this.#service;
		const campaigns = database.all<Campaign>(
			'SELECT id, startAt, message FROM smsCampaigns WHERE startAt <= ? ORDER BY startAt, seq',
			moment,
		);
		for (const campaign of campaigns) this.#send(campaign);
		const due = database.all<Sms>(
			`SELECT sms.id AS id, newId, sms.client_Id AS client_Id, campaignId, phoneNumber, sms.createdAt AS createdAt, smsCount, dueAt,
				COALESCE(optOutLinkId, 0) > 0 AS hasOptOutLink
			FROM sms LEFT JOIN smsCampaigns ON smsCampaigns.id = campaignId
			WHERE dueAt IS NOT NULL AND dueAt <= ? ORDER BY dueAt, sms.id`,
			moment,
		);
		for (const sms of due) this.#goOn(sms);
	}

	/** Sends the messages of a campaign: all of them get their status at its moment. */
	#send({ id, startAt, message }: Campaign): void {
		const { database } = this.#service;
		const date = this.#service.localText(startAt);
		database.change(
			'UPDATE smsCampaigns SET status = ?, startAt = NULL WHERE id = ?',
			smsCampaignStatus.sent,
			id,
		);
		database.change(
			`UPDATE sms SET createdAt = ?, dateCreated = ?, dateModified = ?, smsCount = ?, dueAt = ?, isListed = 1
			WHERE campaignId = ?`,
			startAt,
			date,
			date,
			partsOf(message),
			startAt,
			id,
		);
	}

	/** Gives a message its next status and reports it: event webHookType 1 (interface: "Events"). */
	#goOn(sms: Sms): void {
		const { database, deliveries } = this.#service;
		const { dueAt: at, phoneNumber, client_Id: clientId } = sms;
		const result: SmsResult = hasOptedOut(this.#service, clientId, 'sms', phoneNumber)
			? { statusCode: smsStatus.rejected, optsOut: false }
			: smsResultOf(phoneNumber);
		const { optsOut, sentForSeconds = 0 } = result;
		const finalAt = sms.createdAt + sentForSeconds * 1000;
		const isFinal = at >= finalAt;
		const statusCode = isFinal ? result.statusCode : smsStatus.sent;
		const price = smsPriceOf(sms.smsCount, statusCode);
		database.change(
			'UPDATE sms SET status = ?, price = ?, dateModified = ?, dueAt = ? WHERE id = ?',
			statusCode,
			price,
			this.#service.localText(at),
			isFinal ? null : finalAt,
			sms.id,
		);
		if (optsOut && sms.hasOptOutLink) {
			optOut(this.#service, clientId, 'sms', phoneNumber, utcText(at));
		}
		deliveries.add(clientId, at, {
			webHookType: 1,
			data: {
				clientId,
				Id: sms.id,
				phoneNumberId: sms.newId,
				phoneNumber,
				parts: sms.smsCount,
				dateCreated: utcText(sms.createdAt),
				lastUpdated: utcText(at),
				price,
				statusCode,
			},
		});
	}
}
