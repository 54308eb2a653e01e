import { codeName } from '../codes';
import { momentOf } from '../times';

/** Reads the values of events, which the service may write as numbers or as texts. */

/** What values are read with that do not say it themselves. */
export interface EventLocale {
	/** IANA zone of the service's times without designator. */
	zone: string;
	/** Default Country of the credential, for numbers without its code; empty without one. */
	country: string;
}

/** A code of the interface's tables, with its name; what is no code is passed on as text. */
export function readCode(table: Readonly<Record<number, string>>, value: unknown) {
	const code = toNumber(value) ?? null;
	return { code, name: code === null ? toText(value) : codeName(table, code) };
}

/** A number, or the number that a text is. */
export function toNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const number = Number(value);
	return Number.isNaN(number) ? undefined : number;
}

/** An identifier as text; null where there is none. */
export function toText(value: unknown): string | null {
	if (value === undefined || value === null) return null;
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** No call takes longer. */
const DAY_SECONDS = 86_400;

/** Null where a time is missing, or the two are not those of a call: one of them may stand for none. */
export function secondsBetween(start: unknown, end: unknown): number | null {
	if (typeof start !== 'string' || typeof end !== 'string') return null;
	const seconds = (momentOf(end, 'utc') - momentOf(start, 'utc')) / 1000;
	return seconds >= 0 && seconds <= DAY_SECONDS ? seconds : null;
}
