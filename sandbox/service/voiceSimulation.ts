import { voiceCampaignStatus } from './campaignStatuses.ts';
import { utcText, type TimedWork } from './clock.ts';
import {
	callPriceOf,
	callResult,
	callResultOf,
	isDialled,
	isTransfer,
	isTriedAgain,
	outcome,
	secondsOf,
	stage,
	userInputOf,
	type CallResult,
} from './magicNumbers.ts';
import { addSms } from './newSms.ts';
import { hasOptedOut, optOut } from './optOuts.ts';
import type { Service } from './service.ts';
import { endOf, nextMoment, type CallWindow } from './voiceSchedule.ts';

/** A number at which a call starts or ends now. */
interface DueNumber {
	id: number;
	campaignId: number;
	number: string;
	attempt: number;
	nextAt: number;
	/** Null unless a call is in progress. */
	startedAt: number | null;
	outcome: number;
	stage: number;
}

interface RunningCampaign {
	id: number;
	clientId: number;
	cliId: number;
	attempts: { interval: number }[];
	windows: CallWindow[];
	leavesMessage: boolean;
	sendsSmsOnBusy: boolean;
	/** How many calls have been dialled at this moment. */
	dialled: number;
}

/** The least time between the end of a call and the next attempt. */
const shortestPause = 1000;
const busyMessage = 'We tried to call you, but your line was busy.';

/** The number that a call or message of this CLI comes from: made up, from a range kept for fiction. */
const cliNumber = (cliId: number): string => `+442079460${String(cliId % 1000).padStart(3, '0')}`;

/** Starts and ends the calls of voice campaigns at their time. */
export class VoiceWork implements TimedWork {
	readonly #service: Service;

	constructor(service: Service) {
		this.#service = service;
	}

	nextDue(): number | undefined {
		return this.#service.database.number(
			'SELECT min(nextAt) AS n FROM voiceNumbers WHERE nextAt IS NOT NULL',
		);
	}

	run(moment: number): void {
		const campaigns = new Map<number, RunningCampaign>();
		const due = this.#service.database.all<DueNumber>(
			`SELECT id, campaignId, number, attempt, nextAt, startedAt, callOutcome AS outcome, callStage AS stage
			FROM voiceNumbers WHERE nextAt IS NOT NULL AND nextAt <= ? ORDER BY nextAt, id`,
			moment,
		);
		for (const number of due) {
			const campaign = campaigns.get(number.campaignId) ?? this.#campaign(number.campaignId);
			campaigns.set(campaign.id, campaign);
			this.#step(campaign, number);
		}
		for (const campaign of campaigns.values()) this.#update(campaign);
	}

	#campaign(id: number): RunningCampaign {
		const row = this.#service.database.get<{
			client_Id: number;
			cli_Id: number;
			attempts: string;
			windows: string;
			answerMachineDetected: number;
			smsOnBusy: number;
		}>('SELECT * FROM voiceCampaigns WHERE id = ?', id);
		if (!row) throw new Error(`There is no voice campaign ${String(id)}`);
		return {
			id,
			clientId: row.client_Id,
			cliId: row.cli_Id,
			attempts: JSON.parse(row.attempts) as { interval: number }[],
			windows: JSON.parse(row.windows) as CallWindow[],
			leavesMessage: row.answerMachineDetected !== 0,
			sendsSmsOnBusy: row.smsOnBusy !== 0,
			dialled: 0,
		};
	}

	/** Writes what a moment has changed about a campaign. */
	#update({ id, dialled }: RunningCampaign): void {
		const { database } = this.#service;
		const isOpen = database.get(
			'SELECT 1 FROM voiceNumbers WHERE campaignId = ? AND nextAt IS NOT NULL LIMIT 1',
			id,
		);
		database.change(
			'UPDATE voiceCampaigns SET callCount = callCount + ?, campaignStatus = ? WHERE id = ?',
			dialled,
			isOpen ? voiceCampaignStatus.running : voiceCampaignStatus.finished,
			id,
		);
	}

	/** Starts or ends a call. */
	#step(campaign: RunningCampaign, due: DueNumber): void {
		if (due.startedAt !== null) {
			this.#end(campaign, due, due, due.startedAt);
			return;
		}
		const result = this.#resultOf(campaign, due);
		const seconds = secondsOf(result.outcome);
		if (seconds === 0) {
			this.#end(campaign, due, result, due.nextAt);
			return;
		}
		this.#service.database.change(
			'UPDATE voiceNumbers SET startedAt = nextAt, nextAt = ?, callOutcome = ?, callStage = ? WHERE id = ?',
			due.nextAt + seconds * 1000,
			result.outcome,
			result.stage,
			due.id,
		);
	}

	#resultOf(campaign: RunningCampaign, { number, attempt, nextAt }: DueNumber): CallResult {
		if (nextAt >= endOf(campaign.windows)) return callResult(outcome.outOfTime);
		return hasOptedOut(this.#service, campaign.clientId, 'voice', number)
			? callResult(outcome.excludedNumber)
			: callResultOf(number, attempt, campaign.leavesMessage);
	}

	/** A call has ended now: only from here on can anybody read of it. */
	#end(campaign: RunningCampaign, due: DueNumber, result: CallResult, startAt: number): void {
		const { database } = this.#service;
		const endAt = due.nextAt;
		const next = this.#tryAgainAt(campaign, due, result, startAt);
		database.change(
			'UPDATE voiceNumbers SET attempt = attempt + 1, nextAt = ?, startedAt = NULL WHERE id = ?',
			next ?? null,
			due.id,
		);
		if (isDialled(result.outcome)) campaign.dialled += 1;
		this.#record(campaign, due, result, startAt);
		if (result.stage === stage.optOut) {
			optOut(this.#service, campaign.clientId, 'voice', due.number, utcText(endAt));
		}
		if (result.outcome === outcome.busy && campaign.sendsSmsOnBusy) {
			this.#sendSmsOnBusy(campaign, due, endAt);
		}
	}

	/** Writes a call and reports it: event webHookType 0 (interface: "Events"). */
	#record(
		{ clientId, id }: RunningCampaign,
		due: DueNumber,
		{ outcome: outCome, stage: stageCode }: CallResult,
		startAt: number,
	): void {
		const { database, deliveries } = this.#service;
		const endAt = due.nextAt;
		const seconds = (endAt - startAt) / 1000;
		const userInput = userInputOf(stageCode);
		database.insert('calls', {
			numberId: due.id,
			startTime: this.#service.localText(startAt),
			endTime: this.#service.localText(endAt),
			startedAt: startAt,
			endedAt: endAt,
			stage: stageCode,
			outcome: outCome,
			userInput,
			price: callPriceOf(outCome, seconds),
			isTransferCall: isTransfer(stageCode) ? 1 : 0,
			attemptNumber: due.attempt,
			secondsDuration: seconds,
		});
		deliveries.add(clientId, endAt, {
			webHookType: 0,
			data: {
				clientId,
				outCome,
				stage: stageCode,
				startTime: utcText(startAt),
				endTime: utcText(endAt),
				userInput,
				campaignId: String(id),
				phoneNumber: due.number,
			},
		});
	}

	/** `interval`: minutes before the next attempt (interface: "Voice campaign create request"). */
	#tryAgainAt(
		{ attempts, windows }: RunningCampaign,
		{ attempt, nextAt }: DueNumber,
		result: CallResult,
		startAt: number,
	): number | undefined {
		if (!isTriedAgain(result.outcome) || attempt >= attempts.length) return undefined;
		const interval = attempts[attempt - 1]?.interval ?? 0;
		return nextMoment(windows, Math.max(startAt + interval * 60_000, nextAt + shortestPause));
	}

	/** One message to each number, after its first busy line. */
	#sendSmsOnBusy(campaign: RunningCampaign, { id, number }: DueNumber, createdAt: number): void {
		if (this.#service.database.get('SELECT 1 FROM sms WHERE voiceNumberId = ?', id)) return;
		addSms(this.#service, {
			clientId: campaign.clientId,
			createdAt,
			voiceNumberId: id,
			phoneNumber: number,
			sender: cliNumber(campaign.cliId),
			message: busyMessage,
		});
	}
}
