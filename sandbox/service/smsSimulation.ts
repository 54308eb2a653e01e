import { smsCampaignStatus } from './campaignStatuses.ts';
import { utcText, type TimedWork } from './clock.ts';
import { smsState } from './database.ts';
import { smsResultOf, smsStatus } from './magicNumbers.ts';
import { hasOptedOut, optOut } from './optOuts.ts';
import type { Service } from './service.ts';
import { partsOf, smsPriceOf } from './smsText.ts';

/** A message in the service's hands, with the moment of its final status. */
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

/** How many messages are read at a time. */
const batchSize = 1000;

/** Starts SMS campaigns at their time, and gives every message its final status. */
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
		const finished = new Set<string | null>();
		for (;;) {
			const due = database.all<Sms>(
				`SELECT sms.id AS id, newId, sms.client_Id AS client_Id, campaignId, phoneNumber, sms.createdAt AS createdAt, smsCount, dueAt,
					COALESCE(optOutLinkId, 0) > 0 AS hasOptOutLink
				FROM sms LEFT JOIN smsCampaigns ON smsCampaigns.id = campaignId
				WHERE dueAt IS NOT NULL AND dueAt <= ? ORDER BY dueAt, sms.id LIMIT ?`,
				moment,
				batchSize,
			);
			if (due.length === 0) break;
			for (const sms of due) {
				this.#finish(sms);
				finished.add(sms.campaignId);
			}
		}
		// All messages of a campaign get their final status at one moment.
		for (const id of finished) {
			database.change(
				'UPDATE smsCampaigns SET status = ? WHERE id = ?',
				smsCampaignStatus.sent,
				id,
			);
		}
	}

	/** Sends the messages of a campaign. */
	#send({ id, startAt, message }: Campaign): void {
		const { database, settings } = this.#service;
		const date = this.#service.localText(startAt);
		database.change(
			'UPDATE smsCampaigns SET status = ?, startAt = NULL WHERE id = ?',
			smsCampaignStatus.sending,
			id,
		);
		database.change(
			`UPDATE sms SET state = ?, createdAt = ?, dateCreated = ?, dateModified = ?, smsCount = ?, dueAt = ?,
				isListed = 1 WHERE campaignId = ?`,
			smsState.sent,
			startAt,
			date,
			date,
			partsOf(message),
			startAt + settings.current.sms.statusDelaySeconds * 1000,
			id,
		);
	}

	/** Gives a message its final status and reports it: event webHookType 1 (interface: "Events"). */
	#finish(sms: Sms): void {
		const { database, deliveries } = this.#service;
		const { dueAt: at, phoneNumber, client_Id: clientId } = sms;
		const { statusCode, optsOut } = hasOptedOut(this.#service, clientId, 'sms', phoneNumber)
			? { statusCode: smsStatus.rejected, optsOut: false }
			: smsResultOf(phoneNumber);
		const price = smsPriceOf(sms.smsCount, statusCode);
		database.change(
			'UPDATE sms SET status = ?, price = ?, dateModified = ?, state = ?, dueAt = NULL WHERE id = ?',
			statusCode,
			price,
			this.#service.localText(at),
			smsState.done,
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
