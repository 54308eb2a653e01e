import { countBy, max, min, round, sumBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import {
	codeName,
	DELIVERED,
	FAILED_STATUSES,
	OPT_OUT,
	OUTCOMES,
	SMS_STATUSES,
	STAGES,
} from '../codes';
import { toNumber } from '../events/decode';
import { present } from '../json';
import { DAY_MS, momentOf } from '../times';
import type { Schedule } from './campaignSchedule';
import { attemptsIn, callsOf, isAnswered, isNumberOpen, smssOf } from './campaignSchedule';

/** Summaries of campaigns, counted record by record. */

/** How messages without a status are counted. */
const NO_STATUS = 'None';

/** Statuses after which an SMS does not change any more (interface, "SMS delivery status codes"). */
const FINAL_STATUSES = [DELIVERED, ...FAILED_STATUSES];

/**
 * What the calls and SMS of a voice campaign came to.
 * @param records its phone numbers
 * @param now milliseconds since 1970, by which the schedule is over
 */
export function voiceSummary(
	records: readonly IDataObject[],
	schedule: Schedule,
	now: number,
): IDataObject {
	const numbers = records.map(callsOf);
	const calls = numbers.flat();
	const smss = records.flatMap(smssOf);
	const attempts = attemptsIn(calls);
	const answered = attempts.filter(isAnswered);
	const reached = numbers.filter((each) => each.some(isAnswered)).length;
	const open = numbers.filter((each) => isNumberOpen(each, schedule));
	const attemptsLeft = sumBy(open, (each) => schedule.attempts - attemptsIn(each).length);
	const isScheduleOver = (schedule.endsAt ?? Infinity) <= now;
	return {
		recipients: numbers.length,
		reached,
		notReached: numbers.length - reached,
		answerRate: ratio(answered.length, attempts.length),
		finished: isScheduleOver || (numbers.length > 0 && attemptsLeft === 0),
		optedOut: numbers.filter((each) => each.some(isOptOut)).length,
		attemptsUsed: attempts.length,
		attemptsLeft: isScheduleOver ? 0 : attemptsLeft,
		outcomes: countsOf(attempts, OUTCOMES, ({ outcome }) => outcome),
		stages: countsOf(calls, STAGES, ({ stage }) => stage),
		smsStatuses: countsOf(smss, SMS_STATUSES, statusOf),
		averageDurationSeconds: ratio(sumOf(answered, 'secondsDuration'), answered.length),
		messageParts: sumOf(smss, 'smsCount'),
		cost: money(sumOf(calls, 'price') + sumOf(smss, 'price')),
		firstTime: min(timesOf(calls, 'startTime')) ?? null,
		lastTime: max([...timesOf(calls, 'startTime'), ...timesOf(calls, 'endTime')]) ?? null,
	};
}

/**
 * What the messages of an SMS campaign came to.
 * @param recipientCount as the campaign has it
 */
export function smsSummary(messages: readonly IDataObject[], recipientCount: unknown): IDataObject {
	const { length } = messages;
	const recipients = toNumber(recipientCount) ?? length;
	const reached = messages.filter(({ status }) => Number(status) === DELIVERED).length;
	const areFinal = messages.every(({ status }) => FINAL_STATUSES.includes(Number(status)));
	const created = timesOf(messages, 'dateCreated');
	return {
		recipients,
		reached,
		// The campaign's own number may be lower than that of its messages.
		notReached: Math.max(recipients, length) - reached,
		deliveryRate: ratio(reached, length),
		finished: length > 0 && length === recipients && areFinal,
		messages: length,
		smsStatuses: countsOf(messages, SMS_STATUSES, statusOf),
		messageParts: sumOf(messages, 'smsCount'),
		cost: money(sumOf(messages, 'price')),
		firstTime: min(created) ?? null,
		lastTime: max([...created, ...timesOf(messages, 'dateModified')]) ?? null,
	};
}

/** The figures of a campaign, with the currency of the credential behind the cost. */
export function withCurrency(figures: IDataObject, currency: string | undefined): IDataObject {
	const { cost, firstTime, lastTime, ...counts } = figures;
	return present({ ...counts, cost, currency, firstTime, lastTime });
}

/** Without a change for so long, an SMS campaign is over: some messages never get a final status. */
const QUIET_MS = 3 * DAY_MS;

/**
 * Why an SMS campaign is over; undefined while it is not.
 * @param summary its figures
 * @param campaign as the service has it
 */
export function endOfSmsCampaign(
	{ finished, lastTime }: IDataObject,
	{ recipientCount, startDateTime }: IDataObject,
	{ now, zone }: { now: number; zone: string },
): 'allMessagesFinal' | 'noChangeForThreeDays' | undefined {
	if (toNumber(recipientCount) !== undefined && finished === true) return 'allMessagesFinal';
	const moments = [startDateTime, lastTime].map((time) => momentOf(time, zone));
	const lastChange = max(moments.filter((moment) => !Number.isNaN(moment))) ?? Infinity;
	return lastChange + QUIET_MS <= now ? 'noChangeForThreeDays' : undefined;
}

function isOptOut({ stage }: IDataObject): boolean {
	return Number(stage) === OPT_OUT;
}

function statusOf({ status }: IDataObject): unknown {
	return status ?? NO_STATUS;
}

/** How many records have each code, by the names of the codes: the most frequent first. */
function countsOf(
	records: readonly IDataObject[],
	table: Readonly<Record<number, string>>,
	codeOf: (record: IDataObject) => unknown,
): IDataObject {
	const codes = records.map(codeOf).filter((code) => code !== undefined && code !== null);
	const counts = countBy(codes, (code) => {
		const number = toNumber(code);
		return number === undefined ? String(code) : codeName(table, number);
	});
	return Object.fromEntries(Object.entries(counts).sort(([, a], [, b]) => b - a));
}

/** A time before 1970 (`0001-01-01`) stands for none. */
function timesOf(records: readonly IDataObject[], field: string): string[] {
	const values = records.map((record) => record[field]);
	return values.filter((value) => typeof value === 'string').filter((text) => text >= '1970');
}

function sumOf(records: readonly IDataObject[], field: string): number {
	return sumBy(records, (record) => {
		const number = Number(record[field] ?? 0);
		return Number.isFinite(number) ? number : 0;
	});
}

/** Four decimals; null where there is nothing to divide by. */
function ratio(part: number, whole: number): number | null {
	return whole === 0 ? null : round(part / whole, 4);
}

/** Without the rounding errors of many additions. */
function money(amount: number): number {
	return round(amount, 6);
}
