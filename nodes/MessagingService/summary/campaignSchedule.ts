import { max, sortBy } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { ANSWERED, EXCLUDED_NUMBER, INVALID_NUMBER } from '../codes';
import { objectsOf } from '../json';
import { momentOf } from '../times';

/**
 * What a voice campaign is going to do (interface, "Voice campaign (single-campaign response)").
 * The meaning of `campaignStatus` is not told, so the end of a campaign is read off its schedule.
 */
export interface Schedule {
	/** Calls to a number that is not answered. */
	attempts: number;
	/** End of the last day of calls, in milliseconds since 1970; undefined where it is not told. */
	endsAt?: number;
}

/** @param zone IANA zone of the service's times */
export function scheduleOf(campaign: IDataObject, zone: string): Schedule {
	const { startDate, starttime, finishtime, attempts, runOverDays } = campaign;
	const firstDay = { date: startDate, startTime: starttime, finishTime: finishtime };
	const ends = [firstDay, ...objectsOf(runOverDays)]
		.map((day) => endOf(day, zone))
		// A date before 1970 (0001-01-01) stands for none.
		.filter((end) => end > 0);
	return {
		attempts: Math.max(1, objectsOf(attempts).length),
		endsAt: max(ends),
	};
}

/** When the calls of a day end; NaN where it is not told. A day that ends before it starts ends on the next one. */
function endOf({ date, startTime, finishTime }: IDataObject, zone: string): number {
	const end = momentOf(`${String(date).slice(0, 10)}T${String(finishTime)}`, zone);
	const isOvernight = startTime !== undefined && String(finishTime) <= String(startTime);
	return isOvernight ? DateTime.fromMillis(end, { zone }).plus({ days: 1 }).toMillis() : end;
}

/** The calls of a phone number record that have been made, in their order, not that of the list. */
export function callsOf(record: IDataObject): IDataObject[] {
	return sortBy(objectsOf(record.calls).filter(hasEnded), [
		({ startTime }) => String(startTime ?? ''),
		({ attemptNumber }) => Number(attemptNumber ?? 0),
	]);
}

/** Whether a call of a phone number record has no outcome yet. */
export function hasCallInProgress(record: IDataObject): boolean {
	return !objectsOf(record.calls).every(hasEnded);
}

function hasEnded({ outcome }: IDataObject): boolean {
	return outcome !== undefined && outcome !== null;
}

/** The SMS records of a phone number record. */
export function smssOf(record: IDataObject): IDataObject[] {
	return objectsOf(record.smss);
}

/** Outcomes after which a number is not called again. */
const LAST_OUTCOMES = [ANSWERED, EXCLUDED_NUMBER, INVALID_NUMBER];

/** Whether another call to a number is possible. */
export function isNumberOpen(calls: readonly IDataObject[], { attempts }: Schedule): boolean {
	const isLast = ({ outcome }: IDataObject) => LAST_OUTCOMES.includes(Number(outcome));
	return attemptsIn(calls).length < attempts && !calls.some(isLast);
}

/** Calls to the number, without those to which an answered one was transferred. */
export function attemptsIn(calls: readonly IDataObject[]): IDataObject[] {
	return calls.filter(({ isTransferCall }) => isTransferCall !== true);
}

/** Whether a call was answered. */
export function isAnswered({ outcome }: IDataObject): boolean {
	return Number(outcome) === ANSWERED;
}
