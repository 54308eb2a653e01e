import { setCampaignStatus, smsCampaignStatus } from './campaignStatuses.ts';
import { utcText } from './clock.ts';
import { smsState } from './database.ts';
import { smsResultOf, smsStatus } from './magicNumbers.ts';
import { hasOptedOut, optOut } from './optOuts.ts';
import type { Service } from './service.ts';
import { stepSize, wholeMoments, type TimedWork } from './simulation.ts';
import { partsOf, smsPriceOf } from './smsText.ts';

/** A message in the service's hands. */
interface Sms {
	id: number;
	newId: string;
	client_Id: number;
	campaignId: string | null;
	phoneNumber: string;
	createdAt: number;
	smsCount: number;
	state: number;
}

/** A message whose next status is due. */
interface Due extends Sms {
	dueAt: number;
}

interface Campaign {
	id: string;
	client_Id: number;
	startAt: number;
	message: string;
	status: number;
	launchedTo: number;
}

/** Each step of a message takes at least this long when its statuses on the way are reported. */
const shortestStep = 1000;

/** When the next status of a message created at that moment is due, and the state that it waits in. */
export const firstStep = (
	{ settings }: Service,
	createdAt: number,
): { state: number; dueAt: number } => {
	const { intermediateStatuses, statusDelaySeconds } = settings.current.sms;
	return intermediateStatuses
		? { state: smsState.created, dueAt: createdAt }
		: { state: smsState.sent, dueAt: createdAt + statusDelaySeconds * 1000 };
};

/** Starts SMS campaigns at their time, and takes every message from status to status. */
export class SmsWork implements TimedWork {
	readonly #service: Service;

	constructor(service: Service) {
		this.#service = service;
	}

	nextDue(): number | undefined {
		const campaign = this.#nextStart() ?? Infinity;
		const due = Math.min(campaign, this.#nextStatus() ?? Infinity);
		return due === Infinity ? undefined : due;
	}

	runDue(until: number): void {
		const startAt = this.#nextStart() ?? Infinity;
		const statusAt = this.#nextStatus() ?? Infinity;
		this.#service.database.transaction(() => {
			if (startAt <= statusAt) this.#launch();
			else this.#report(Math.min(until, startAt));
		});
	}

	#nextStart(): number | undefined {
		return this.#service.database.number(
			'SELECT min(startAt) AS n FROM smsCampaigns WHERE startAt IS NOT NULL',
		);
	}

	#nextStatus(): number | undefined {
		return this.#service.database.number('SELECT min(dueAt) AS n FROM sms WHERE dueAt IS NOT NULL');
	}

	/** Sends some of the messages of the campaign that starts first. */
	#launch(): void {
		const { database } = this.#service;
		const campaign = database.get<Campaign>(
			`SELECT id, client_Id, startAt, message, status, launchedTo FROM smsCampaigns
			WHERE startAt IS NOT NULL ORDER BY startAt, seq LIMIT 1`,
		);
		if (!campaign) return;
		const { id, startAt } = campaign;
		if (campaign.status === smsCampaignStatus.scheduled) {
			setCampaignStatus(database, 'sms', id, smsCampaignStatus.sending, startAt);
		}
		const messages = database.all<Pick<Sms, 'id' | 'newId' | 'phoneNumber'>>(
			'SELECT id, newId, phoneNumber FROM sms WHERE campaignId = ? AND id > ? ORDER BY id LIMIT ?',
			id,
			campaign.launchedTo,
			stepSize,
		);
		database.change(
			'UPDATE smsCampaigns SET launchedTo = ?, startAt = ? WHERE id = ?',
			messages.at(-1)?.id ?? campaign.launchedTo,
			messages.length < stepSize ? null : startAt,
			id,
		);
		this.#send(campaign, messages);
	}

	#send(
		{ id: campaignId, client_Id, startAt: createdAt, message }: Campaign,
		messages: Pick<Sms, 'id' | 'newId' | 'phoneNumber'>[],
	): void {
		const { database } = this.#service;
		const smsCount = partsOf(message);
		const date = this.#service.localText(createdAt);
		const first = firstStep(this.#service, createdAt);
		const isFinal = first.state === smsState.sent && first.dueAt === createdAt;
		for (const sms of messages) {
			database.change(
				`UPDATE sms SET state = ?, createdAt = ?, dateCreated = ?, dateModified = ?, smsCount = ?, dueAt = ?,
					isListed = 1
				WHERE id = ?`,
				first.state,
				createdAt,
				date,
				date,
				smsCount,
				isFinal ? null : first.dueAt,
				sms.id,
			);
		}
		if (!isFinal) return;
		const { state } = first;
		const shared = { client_Id, campaignId, createdAt, smsCount, state, dueAt: createdAt };
		this.#finish(messages.map((sms) => ({ ...shared, ...sms })));
	}

	/** Takes messages whose time has come to their next status. */
	#report(until: number): void {
		const due = wholeMoments(
			this.#service.database.all<Due>(
				`SELECT id, newId, client_Id, campaignId, phoneNumber, createdAt, smsCount, state, dueAt FROM sms
				WHERE dueAt IS NOT NULL AND dueAt <= ? ORDER BY dueAt, id LIMIT ?`,
				until,
				stepSize + 1,
			),
			({ dueAt }) => dueAt,
		);
		const finished: Due[] = [];
		let limit = until;
		for (const sms of due) {
			if (sms.dueAt > limit) break;
			if (sms.state === smsState.sent) finished.push(sms);
			else {
				this.#finish(finished.splice(0));
				limit = Math.min(limit, this.#advance(sms));
			}
		}
		this.#finish(finished);
	}

	/** Reports a status on the way; returns when the next one is due. */
	#advance(sms: Due): number {
		const delay = this.#service.settings.current.sms.statusDelaySeconds * 1000;
		const isAccepted = sms.state === smsState.created;
		const nextAt = isAccepted
			? Math.max(sms.dueAt + shortestStep, sms.createdAt + Math.floor(delay / 2))
			: Math.max(sms.dueAt + shortestStep, sms.createdAt + delay);
		this.#change(sms, isAccepted ? smsStatus.accepted : smsStatus.sent, {
			state: isAccepted ? smsState.accepted : smsState.sent,
			dueAt: nextAt,
		});
		return nextAt;
	}

	/** Gives messages their final status. */
	#finish(messages: Due[]): void {
		const left = new Map<string, { done: number; at: number }>();
		for (const sms of messages) {
			const { statusCode, optsOut } = this.#resultOf(sms);
			this.#change(sms, statusCode, { state: smsState.done, dueAt: null });
			if (optsOut && this.#hasOptOutLink(sms.campaignId)) {
				optOut(this.#service, sms.client_Id, 'sms', sms.phoneNumber, utcText(sms.dueAt));
			}
			if (sms.campaignId === null) continue;
			const { done } = left.get(sms.campaignId) ?? { done: 0 };
			left.set(sms.campaignId, { done: done + 1, at: sms.dueAt });
		}
		for (const [id, { done, at }] of left) this.#countDone(id, done, at);
	}

	#countDone(id: string, done: number, at: number): void {
		const { database } = this.#service;
		const open = database.number(
			'UPDATE smsCampaigns SET openMessages = openMessages - ? WHERE id = ? RETURNING openMessages AS n',
			done,
			id,
		);
		if (open === 0) setCampaignStatus(database, 'sms', id, smsCampaignStatus.sent, at);
	}

	#hasOptOutLink(campaignId: string | null): boolean {
		if (campaignId === null) return false;
		return (
			(this.#service.database.number(
				'SELECT optOutLinkId AS n FROM smsCampaigns WHERE id = ?',
				campaignId,
			) ?? 0) > 0
		);
	}

	#resultOf({ client_Id, phoneNumber }: Sms): ReturnType<typeof smsResultOf> {
		return hasOptedOut(this.#service, client_Id, 'sms', phoneNumber)
			? { statusCode: smsStatus.rejected, optsOut: false }
			: smsResultOf(phoneNumber, this.#service.settings.current.results);
	}

	/** Writes a status, with when the next one is due, and reports it: event webHookType 1 (interface: "Events"). */
	#change(sms: Due, statusCode: number, next: { state: number; dueAt: number | null }): void {
		const { database, deliveries } = this.#service;
		const { dueAt: at } = sms;
		const price = smsPriceOf(sms.smsCount, statusCode);
		database.change(
			'UPDATE sms SET status = ?, price = ?, dateModified = ?, state = ?, dueAt = ? WHERE id = ?',
			statusCode,
			price,
			this.#service.localText(at),
			next.state,
			next.dueAt,
			sms.id,
		);
		database.run(
			'INSERT INTO smsStatuses (smsId, at, status) VALUES (?, ?, ?)',
			sms.id,
			at,
			statusCode,
		);
		deliveries.add(sms.client_Id, at, {
			webHookType: 1,
			data: {
				clientId: sms.client_Id,
				Id: sms.id,
				phoneNumberId: sms.newId,
				phoneNumber: sms.phoneNumber,
				parts: sms.smsCount,
				dateCreated: utcText(sms.createdAt),
				lastUpdated: utcText(at),
				price,
				statusCode,
			},
		});
	}
}
