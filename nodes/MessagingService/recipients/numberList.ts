import { callingCodeOf } from '../numbers/plans';
import type { ReadNumber } from '../numbers/readNumber';

/** Fewer digits than these at the end do not tell one number from another. */
const TAIL = 7;

interface Entry {
	/** All digits. */
	digits: string;
	/** Without leading zeros: those are trunk or international prefixes. */
	significant: string;
	isComplete: boolean;
}

/**
 * Phone numbers to compare others with. Where the country of one of two numbers is unknown, they
 * count as equal if one can be the national form of the other: it is better to leave out one person
 * too many.
 */
export class NumberList {
	private readonly keys = new Set<string>();
	private readonly byTail = new Map<string, Entry[]>();

	add(number: ReadNumber) {
		if (this.keys.has(number.key)) return;
		this.keys.add(number.key);
		const entry = entryOf(number);
		const tail = tailOf(entry);
		const others = this.byTail.get(tail);
		if (others === undefined) this.byTail.set(tail, [entry]);
		else others.push(entry);
	}

	/** Whether a number is in the list; "may be" where that cannot be told. */
	covers(number: ReadNumber): 'is' | 'may be' | undefined {
		if (this.keys.has(number.key)) return 'is';
		const entry = entryOf(number);
		const mayBe = this.byTail.get(tailOf(entry))?.some((other) => mayBeEqual(entry, other));
		return mayBe === true ? 'may be' : undefined;
	}
}

function entryOf({ key, e164 }: ReadNumber): Entry {
	const digits = key.replace(/\D/g, '');
	return { digits, significant: digits.replace(/^0+/, ''), isComplete: e164 !== undefined };
}

function tailOf({ significant }: Entry): string {
	return significant.slice(-TAIL);
}

function mayBeEqual(one: Entry, other: Entry): boolean {
	if (one.isComplete && other.isComplete) return false;
	if (one.significant.endsWith(other.significant)) return true;
	if (other.significant.endsWith(one.significant)) return true;
	return isNationalForm(one, other) || isNationalForm(other, one);
}

/** Whether digits are how people in the country of a complete number write it: 8 916 ... for +7 916 ... */
function isNationalForm({ digits, isComplete }: Entry, complete: Entry): boolean {
	const code = callingCodeOf(complete.digits);
	if (isComplete || !complete.isComplete || code === undefined) return false;
	return code.digits + code.main.significant(digits) === complete.digits;
}
