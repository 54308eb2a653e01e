import type { ReadNumber } from '../numbers/readNumber';

/** Fewer digits than these at the end do not tell one number from another. */
const TAIL = 7;

interface Entry {
	/** All digits, without leading zeros: those are trunk or international prefixes. */
	digits: string;
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
		const tail = entry.digits.slice(-TAIL);
		const others = this.byTail.get(tail);
		if (others === undefined) this.byTail.set(tail, [entry]);
		else others.push(entry);
	}

	/** Whether a number is in the list; "may be" where that cannot be told. */
	covers(number: ReadNumber): 'is' | 'may be' | undefined {
		if (this.keys.has(number.key)) return 'is';
		const { digits, isComplete } = entryOf(number);
		const mayBe = this.byTail
			.get(digits.slice(-TAIL))
			?.some(
				(other) =>
					!(isComplete && other.isComplete) &&
					(digits.endsWith(other.digits) || other.digits.endsWith(digits)),
			);
		return mayBe === true ? 'may be' : undefined;
	}
}

function entryOf({ key, e164 }: ReadNumber): Entry {
	return { digits: key.replace(/\D/g, '').replace(/^0+/, ''), isComplete: e164 !== undefined };
}
