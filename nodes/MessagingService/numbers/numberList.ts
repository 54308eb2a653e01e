import { isUsable } from './complete';
import type { ReadNumber } from './readNumber';
import { earlierPersonKey } from './samePerson';

/** As many digits as people dial everywhere, without what comes before them. */
const LAST_DIGITS = 7;

/**
 * Phone numbers to compare others with. Where the country of one of two numbers is unknown, or one is
 * in no range in use, their last digits decide: it is better to leave out one person too many.
 */
export class NumberList {
	private readonly keys = new Set<string>();
	/** Whose the numbers may have been. */
	private readonly earlierKeys = new Set<string>();
	/** The last digits of all numbers, and of those that do not tell whose they are. */
	private readonly tails = new Set<string>();
	private readonly tailsOfUnknown = new Set<string>();

	add({ key, e164 }: ReadNumber): void {
		const tail = key.slice(-LAST_DIGITS);
		this.keys.add(key);
		const earlier = earlierPersonKey(key);
		if (earlier !== undefined) this.earlierKeys.add(earlier);
		this.tails.add(tail);
		if (!isKnown(e164)) this.tailsOfUnknown.add(tail);
	}

	/**
	 * Adds what is no number, or several in one cell: it covers every number whose last digits end where
	 * a group of its digits ends.
	 */
	addUnreadable(text: string): void {
		let digits = '';
		for (const [group] of text.matchAll(/\d+/g)) {
			digits += group;
			if (digits.length < LAST_DIGITS) continue;
			const tail = digits.slice(-LAST_DIGITS);
			this.tails.add(tail);
			this.tailsOfUnknown.add(tail);
		}
	}

	/** Whether a number is in the list; "may be" where that cannot be told. */
	covers({ key, e164 }: ReadNumber): 'is' | 'may be' | undefined {
		if (this.keys.has(key)) return 'is';
		if (this.earlierKeys.has(key) || this.keys.has(earlierPersonKey(key) ?? '')) return 'may be';
		const tails = isKnown(e164) ? this.tailsOfUnknown : this.tails;
		return tails.has(key.slice(-LAST_DIGITS)) ? 'may be' : undefined;
	}
}

/** Whether a number says whose it is: numbers that a country has replaced, for example, do not. */
const isKnown = (e164: string | undefined) => e164 !== undefined && isUsable(e164);
