import type { ReadNumber } from './readNumber';

/** As many digits as people dial everywhere, without what comes before them. */
const LAST_DIGITS = 7;

/**
 * Phone numbers to compare others with. Where the country of one of two numbers is unknown, their
 * last digits decide: it is better to leave out one person too many.
 */
export class NumberList {
	private readonly keys = new Set<string>();
	/** The last digits of all numbers, and of those whose country is unknown. */
	private readonly tails = new Set<string>();
	private readonly tailsOfUnknown = new Set<string>();

	add({ key, e164 }: ReadNumber): void {
		const tail = key.slice(-LAST_DIGITS);
		this.keys.add(key);
		this.tails.add(tail);
		if (e164 === undefined) this.tailsOfUnknown.add(tail);
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
		const tails = e164 === undefined ? this.tails : this.tailsOfUnknown;
		return tails.has(key.slice(-LAST_DIGITS)) ? 'may be' : undefined;
	}
}
