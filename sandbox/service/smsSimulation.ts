import { utcText } from './clock.ts';
import { smsResultOf, smsStatus } from './magicNumbers.ts';
import { hasOptedOut, optOut } from './optOuts.ts';
import type { Service } from './service.ts';
import type { TimedWork } from './simulation.ts';
import { smsPriceOf } from './smsText.ts';

/** Where a message is on its way. */
export const smsState = { waitingForCampaign: 0, sent: 1, done: 2 } as const;

/** SMS campaign statuses: assumptions of the sandbox (interface: not told). */
export const smsCampaignStatus = { scheduled: 0, sending: 1, sent: 2 } as const;

interface DueSms {
	id: number;
	newId: string;
	client_Id: number;
	campaignId: string | null;
	phoneNumber: string;
	createdAt: number;
	smsCount: number;
	dueAt: number;
	optOutLinkId: number | null;
}

const stepSize = 1000;

/** Starts SMS campaigns at their time and gives every message its final status. */
export class SmsWork implements TimedWork {
	readonly #service: Service;

	constructor(service: Service) {
		this.#service = service;
	}

	nextDue(): number | undefined {
		const { database } = this.#service;
		const moments = [
			database.number(
				'SELECT min(startAt) AS n FROM smsCampaigns WHERE status = ?',
				smsCampaignStatus.scheduled,
			),
			database.number('SELECT min(dueAt) AS n FROM sms WHERE state = ?', smsState.sent),
		].filter((moment) => moment !== undefined);
		return moments.length === 0 ? undefined : Math.min(...moments);
	}

	runDue(now: number): void {
		this.#service.database.transaction(() => {
			this.#startCampaigns(now);
			this.#finishMessages(now);
		});
	}

	#startCampaigns(now: number): void {
		const { database, settings } = this.#service;
		const delay = settings.current.sms.statusDelaySeconds * 1000;
		const due = database.all<{ id: string; startAt: number }>(
			'SELECT id, startAt FROM smsCampaigns WHERE status = ? AND startAt <= ?',
			smsCampaignStatus.scheduled,
			now,
		);
		for (const { id, startAt } of due) {
			const date = this.#service.localText(startAt);
			database.change(
				'UPDATE sms SET state = ?, createdAt = ?, dateCreated = ?, dateModified = ?, dueAt = ? WHERE campaignId = ?',
				smsState.sent,
				startAt,
				date,
				date,
				startAt + delay,
				id,
			);
			database.change(
				'UPDATE smsCampaigns SET status = ? WHERE id = ?',
				smsCampaignStatus.sending,
				id,
			);
		}
	}

	#finishMessages(now: number): void {
		const { database } = this.#service;
		const due = database.all<DueSms>(
			`SELECT sms.id, newId, sms.client_Id, campaignId, phoneNumber, createdAt, smsCount, dueAt, optOutLinkId
			FROM sms LEFT JOIN smsCampaigns ON smsCampaigns.id = sms.campaignId
			WHERE state = ? AND dueAt <= ? ORDER BY dueAt, sms.id LIMIT ?`,
			smsState.sent,
			now,
			stepSize,
		);
		for (const sms of due) this.#finish(sms);
		for (const id of new Set(due.map(({ campaignId }) => campaignId))) {
			if (id === null) continue;
			database.change(
				`UPDATE smsCampaigns SET status = ? WHERE id = ?
				AND NOT EXISTS (SELECT 1 FROM sms WHERE campaignId = ? AND state <> ?)`,
				smsCampaignStatus.sent,
				id,
				id,
				smsState.done,
			);
		}
	}

	#finish(sms: DueSms): void {
		const { database, settings } = this.#service;
		const { statusCode, optsOut } = this.#resultOf(sms);
		const price = smsPriceOf(sms.smsCount, statusCode);
		database.change(
			'UPDATE sms SET state = ?, status = ?, price = ?, dateModified = ? WHERE id = ?',
			smsState.done,
			statusCode,
			price,
			this.#service.localText(sms.dueAt),
			sms.id,
		);
		if (settings.current.sms.intermediateStatuses) {
			for (const code of [smsStatus.accepted, smsStatus.sent]) this.#report(sms, code, price);
		}
		this.#report(sms, statusCode, price);
		if (optsOut && sms.optOutLinkId) {
			optOut(this.#service, sms.client_Id, 'sms', sms.phoneNumber, utcText(sms.dueAt));
		}
	}

	#resultOf({ client_Id, phoneNumber }: DueSms): ReturnType<typeof smsResultOf> {
		return hasOptedOut(this.#service, client_Id, 'sms', phoneNumber)
			? { statusCode: smsStatus.rejected, optsOut: false }
			: smsResultOf(phoneNumber);
	}

	/** Event webHookType 1 (interface: "Events"). */
	#report(sms: DueSms, statusCode: number, price: number): void {
		this.#service.deliveries.add(sms.client_Id, {
			webHookType: 1,
			data: {
				clientId: sms.client_Id,
				Id: sms.id,
				phoneNumberId: sms.newId,
				phoneNumber: sms.phoneNumber,
				parts: sms.smsCount,
				dateCreated: utcText(sms.createdAt),
				lastUpdated: utcText(sms.dueAt),
				price,
				statusCode,
			},
		});
	}
}
