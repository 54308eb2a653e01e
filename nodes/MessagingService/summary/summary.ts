import type { IDataObject } from 'n8n-workflow';
import { codeName, OUTCOMES, SMS_STATUSES, STAGES } from '../codes';
import { callsOf, isNumberOpen, smssOf, type CampaignPlan } from './campaignPlan';

/** Summaries of campaigns, counted record by record. */

const ANSWERED_OUTCOME = 1;
const OPT_OUT_STAGE = 14;
const DELIVERED_STATUS = 1;

/** How messages without a status are counted. */
const NO_STATUS = 'None';

/** Statuses after which an SMS does not change any more (interface, "SMS delivery status codes"). */
const FINAL_STATUSES = new Set([1, 3, 4, 5, 7, 34, 1000]);

/** Counts by code, shown by the names of the codes. */
class Counts {
	private readonly counts = new Map<string, number>();

	add(table: Readonly<Record<number, string>>, code: unknown) {
		if (code === undefined || code === null) return;
		const name = typeof code === 'number' ? codeName(table, code) : String(code);
		this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
	}

	toObject(): IDataObject {
		return Object.fromEntries([...this.counts].sort(([, a], [, b]) => b - a));
	}
}

/** The first and the last time, as received. */
class TimeSpan {
	first: string | null = null;

	last: string | null = null;

	add(start: unknown, end: unknown = start) {
		if (isText(start) && (this.first === null || start < this.first)) this.first = start;
		if (isText(end) && (this.last === null || end > this.last)) this.last = end;
	}
}

/** What the calls and SMS of a voice campaign came to. */
export class VoiceSummary {
	private recipients = 0;
	private reached = 0;
	private optedOut = 0;
	private attemptsUsed = 0;
	private attemptsLeft = 0;
	private answeredCalls = 0;
	private answeredSeconds = 0;
	private messageParts = 0;
	private cost = 0;
	private readonly outcomes = new Counts();
	private readonly stages = new Counts();
	private readonly smsStatuses = new Counts();
	private readonly times = new TimeSpan();
	private readonly plan: CampaignPlan;

	constructor(plan: CampaignPlan) {
		this.plan = plan;
	}

	/** What is counted of a phone number record. */
	static partOf({ calls, smss }: IDataObject): IDataObject {
		return { calls, smss };
	}

	/** Counts a phone number record. */
	add(record: IDataObject) {
		const calls = callsOf(record);
		this.recipients++;
		this.attemptsUsed += calls.length;
		if (isNumberOpen(calls, this.plan)) this.attemptsLeft += this.plan.attempts - calls.length;
		for (const call of calls) this.addCall(call);
		if (calls.some(({ outcome }) => Number(outcome) === ANSWERED_OUTCOME)) this.reached++;
		if (calls.some(({ stage }) => Number(stage) === OPT_OUT_STAGE)) this.optedOut++;
		for (const { status, smsCount, price } of smssOf(record)) {
			this.smsStatuses.add(SMS_STATUSES, status ?? NO_STATUS);
			this.messageParts += numberOf(smsCount);
			this.cost += numberOf(price);
		}
	}

	private addCall({ outcome, stage, price, secondsDuration, startTime, endTime }: IDataObject) {
		this.outcomes.add(OUTCOMES, outcome);
		this.stages.add(STAGES, stage);
		this.cost += numberOf(price);
		this.times.add(startTime, endTime);
		if (Number(outcome) !== ANSWERED_OUTCOME) return;
		this.answeredCalls++;
		this.answeredSeconds += numberOf(secondsDuration);
	}

	/** @param now milliseconds since 1970, by which the schedule is over */
	result(now: number): IDataObject {
		const { recipients, reached, attemptsUsed, attemptsLeft, answeredCalls, times } = this;
		const isScheduleOver = (this.plan.endsAt ?? Infinity) <= now;
		return {
			recipients,
			reached,
			notReached: recipients - reached,
			optedOut: this.optedOut,
			attemptsUsed,
			attemptsLeft: isScheduleOver ? 0 : attemptsLeft,
			outcomes: this.outcomes.toObject(),
			stages: this.stages.toObject(),
			smsStatuses: this.smsStatuses.toObject(),
			answerRate: ratio(answeredCalls, attemptsUsed),
			averageDurationSeconds: ratio(this.answeredSeconds, answeredCalls),
			messageParts: this.messageParts,
			cost: money(this.cost),
			firstTime: times.first,
			lastTime: times.last,
			finished: isScheduleOver || (recipients > 0 && attemptsLeft === 0),
		};
	}
}

/** What the messages of an SMS campaign came to. */
export class SmsSummary {
	private messages = 0;
	private reached = 0;
	private open = 0;
	private messageParts = 0;
	private cost = 0;
	private readonly statuses = new Counts();
	private readonly times = new TimeSpan();
	private readonly campaignId: string;

	constructor(campaignId: string) {
		this.campaignId = campaignId;
	}

	/** What is counted of a message of the list of SMS messages; undefined for other campaigns. */
	partOf(message: IDataObject): IDataObject | undefined {
		const { campaignId, status, smsCount, price, dateCreated, dateModified } = message;
		if (String(campaignId).toLowerCase() !== this.campaignId.toLowerCase()) return undefined;
		return { status, smsCount, price, dateCreated, dateModified };
	}

	/** Counts what `partOf` gave. */
	add(part: IDataObject | undefined) {
		if (part === undefined) return;
		const { status, smsCount, price, dateCreated, dateModified } = part;
		this.messages++;
		if (Number(status) === DELIVERED_STATUS) this.reached++;
		if (!FINAL_STATUSES.has(Number(status))) this.open++;
		this.statuses.add(SMS_STATUSES, status ?? NO_STATUS);
		this.messageParts += numberOf(smsCount);
		this.cost += numberOf(price);
		this.times.add(dateCreated, dateModified);
	}

	/** @param recipientCount as the campaign has it */
	result(recipientCount: unknown): IDataObject {
		const { messages, reached } = this;
		const recipients = typeof recipientCount === 'number' ? recipientCount : messages;
		return {
			recipients,
			messages,
			reached,
			// The campaign's own number may be lower than that of its messages.
			notReached: Math.max(recipients, messages) - reached,
			smsStatuses: this.statuses.toObject(),
			deliveryRate: ratio(reached, messages),
			messageParts: this.messageParts,
			cost: money(this.cost),
			firstTime: this.times.first,
			lastTime: this.times.last,
			finished: messages > 0 && messages >= recipients && this.open === 0,
		};
	}
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function numberOf(value: unknown): number {
	const number = Number(value ?? 0);
	return Number.isFinite(number) ? number : 0;
}

/** Four decimals; null where there is nothing to divide by. */
function ratio(part: number, whole: number): number | null {
	return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

/** Without the rounding errors of many additions. */
function money(amount: number): number {
	return Math.round(amount * 1e6) / 1e6;
}
