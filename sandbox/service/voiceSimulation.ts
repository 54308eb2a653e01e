import { utcText } from './clock.ts';
import {
	callPriceOf,
	callResult,
	callResultOf,
	isTransfer,
	isTriedAgain,
	outcome,
	secondsOf,
	stage,
	userInputOf,
	type CallResult,
} from './magicNumbers.ts';
import { hasOptedOut, optOut } from './optOuts.ts';
import type { Service } from './service.ts';
import type { TimedWork } from './simulation.ts';
import { addSms } from './smsMessages.ts';
import { endOf, nextMoment, type CallWindow } from './voiceSchedule.ts';

/** Voice campaign statuses: assumptions of the sandbox (interface: not told). */
export const voiceCampaignStatus = { scheduled: 0, running: 1, finished: 2 } as const;

interface DueNumber {
	id: number;
	campaignId: number;
	number: string;
	attempt: number;
	nextAt: number;
}

interface RunningCampaign {
	id: number;
	clientId: number;
	cliId: number;
	attempts: { interval: number }[];
	windows: CallWindow[];
	leavesMessage: boolean;
	sendsSmsOnBusy: boolean;
}

/** Calls less than this far apart are simulated in one step: no retry can fall in between. */
const stepLength = 30_000;
const stepSize = 1000;
const busyMessage = 'We tried to call you, but your line was busy.';

/** The number that a call or message of this CLI comes from: made up, from a range kept for fiction. */
const cliNumber = (cliId: number): string => `+442079460${String(cliId % 1000).padStart(3, '0')}`;

/** Makes the calls of voice campaigns at their time. */
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

	runDue(now: number): void {
		const { database } = this.#service;
		const first = this.nextDue();
		if (first === undefined) return;
		database.transaction(() => {
			const due = database.all<DueNumber>(
				`SELECT id, campaignId, number, attempt, nextAt FROM voiceNumbers
				WHERE nextAt IS NOT NULL AND nextAt <= ? ORDER BY nextAt, id LIMIT ?`,
				Math.min(now, first + stepLength),
				stepSize,
			);
			const campaigns = new Map<number, RunningCampaign>();
			for (const number of due) {
				let campaign = campaigns.get(number.campaignId);
				if (!campaign) {
					campaign = this.#campaign(number.campaignId);
					campaigns.set(number.campaignId, campaign);
				}
				this.#call(campaign, number);
			}
			for (const id of campaigns.keys()) {
				database.change(
					`UPDATE voiceCampaigns SET campaignStatus = CASE
					WHEN EXISTS (SELECT 1 FROM voiceNumbers WHERE campaignId = ? AND nextAt IS NOT NULL) THEN ? ELSE ? END
					WHERE id = ?`,
					id,
					voiceCampaignStatus.running,
					voiceCampaignStatus.finished,
					id,
				);
			}
		});
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
		};
	}

	#resultOf(campaign: RunningCampaign, { number, attempt, nextAt }: DueNumber): CallResult {
		if (nextAt >= endOf(campaign.windows)) return callResult(outcome.outOfTime);
		return hasOptedOut(this.#service, campaign.clientId, 'voice', number)
			? callResult(outcome.excludedNumber)
			: callResultOf(number, attempt, campaign.leavesMessage);
	}

	#call(campaign: RunningCampaign, due: DueNumber): void {
		const { database } = this.#service;
		const result = this.#resultOf(campaign, due);
		const seconds = secondsOf(result.outcome);
		const [startAt, endAt] = [due.nextAt, due.nextAt + seconds * 1000];
		const userInput = userInputOf(result.stage);
		database.run(
			`INSERT INTO calls (numberId, startTime, endTime, stage, outcome, userInput, price, isTransferCall,
				attemptNumber, secondsDuration)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			due.id,
			this.#service.localText(startAt),
			this.#service.localText(endAt),
			result.stage,
			result.outcome,
			userInput,
			callPriceOf(result.outcome, seconds),
			isTransfer(result.stage) ? 1 : 0,
			due.attempt,
			seconds,
		);
		database.change(
			'UPDATE voiceCampaigns SET callCount = callCount + 1 WHERE id = ?',
			campaign.id,
		);
		const tryAgainAt = this.#tryAgainAt(campaign, due, result);
		database.change(
			'UPDATE voiceNumbers SET attempt = attempt + 1, nextAt = ? WHERE id = ?',
			tryAgainAt ?? null,
			due.id,
		);
		this.#report(campaign, due, result, { startAt, endAt, userInput });
		if (result.stage === stage.optOut) {
			optOut(this.#service, campaign.clientId, 'voice', due.number, utcText(endAt));
		}
		if (result.outcome === outcome.busy && campaign.sendsSmsOnBusy) {
			this.#sendSmsOnBusy(campaign, due, endAt);
		}
	}

	/** `interval`: minutes before the next attempt (interface: "Voice campaign create request"). */
	#tryAgainAt(
		{ attempts, windows }: RunningCampaign,
		{ attempt, nextAt }: DueNumber,
		result: CallResult,
	): number | undefined {
		if (!isTriedAgain(result.outcome) || attempt >= attempts.length) return undefined;
		const interval = attempts[attempt - 1]?.interval ?? 0;
		return nextMoment(windows, nextAt + interval * 60_000);
	}

	/** Event webHookType 0 (interface: "Events"). */
	#report(
		{ clientId, id }: RunningCampaign,
		{ number }: DueNumber,
		result: CallResult,
		{ startAt, endAt, userInput }: { startAt: number; endAt: number; userInput: string },
	): void {
		this.#service.deliveries.add(clientId, {
			webHookType: 0,
			data: {
				clientId,
				outCome: result.outcome,
				stage: result.stage,
				startTime: utcText(startAt),
				endTime: utcText(endAt),
				userInput,
				campaignId: String(id),
				phoneNumber: number,
			},
		});
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
