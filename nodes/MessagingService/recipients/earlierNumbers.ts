/** A power of two, as every number of slots is: the last bits of a hash name a slot. */
const FIRST_SLOTS = 1024;
const FULLEST = 0.75;
/** More may not be exact as a number. */
const MOST_DIGITS = 14;

/**
 * The phone numbers of recipients, each with its first place, to find duplicates. A slot takes 12
 * bytes outside of the heap. A Map of texts takes three times as long, and for the million rows of a
 * file some 170 MB more (test/bench/fileRuns.mts).
 */
export class EarlierNumbers {
	private numbers: Float64Array;
	private places: Uint32Array;
	private size = 0;
	/** What is no phone number: only "Send Anyway" brings it here. */
	private readonly texts = new Map<string, number>();

	/** @param expected about how many there are */
	constructor(expected = 0) {
		const slots = 2 ** Math.ceil(Math.log2(Math.max(FIRST_SLOTS, expected / FULLEST)));
		this.numbers = new Float64Array(slots);
		this.places = new Uint32Array(slots);
	}

	/**
	 * Notes a number.
	 * @param place an integer from 0
	 * @returns the first place of the number; undefined where this is the first
	 */
	note(key: string, place: number): number | undefined {
		const number = exactNumber(key);
		if (number === undefined) {
			const first = this.texts.get(key);
			if (first === undefined) this.texts.set(key, place);
			return first;
		}
		const slot = slotOf(this.numbers, number);
		if (this.numbers[slot] === number) return this.places[slot];
		this.numbers[slot] = number;
		this.places[slot] = place;
		this.size++;
		if (this.size > this.numbers.length * FULLEST) this.grow();
		return undefined;
	}

	private grow(): void {
		const { numbers, places } = this;
		this.numbers = new Float64Array(numbers.length * 2);
		this.places = new Uint32Array(numbers.length * 2);
		numbers.forEach((number, index) => {
			if (number === 0) return;
			const slot = slotOf(this.numbers, number);
			this.numbers[slot] = number;
			this.places[slot] = places[index] ?? 0;
		});
	}
}

/** The slot that has a number, or the empty one where it belongs. */
function slotOf(numbers: Float64Array, number: number): number {
	const last = numbers.length - 1;
	let slot = hashOf(number) & last;
	while (numbers[slot] !== 0 && numbers[slot] !== number) slot = (slot + 1) & last;
	return slot;
}

/** Spreads numbers, which often follow each other. */
function hashOf(number: number): number {
	// The last 32 bits, then those before them.
	let hash = Math.imul(number | 0, 0x9e37_79b1);
	hash = Math.imul(hash ^ (hash >>> 15) ^ ((number / 0x1_0000_0000) | 0), 0x85eb_ca6b);
	return hash ^ (hash >>> 16);
}

const ZERO = 0x30;

/**
 * A number that no other key has; undefined for a key that is not exact as a number. Read digit by
 * digit: an expression and a conversion take three times as long.
 */
function exactNumber(key: string): number | undefined {
	const isComplete = key.startsWith('+');
	const start = isComplete ? 1 : 0;
	const hasZero = key.charCodeAt(start) === ZERO;
	if (isComplete === hasZero || key.length === start || key.length > MOST_DIGITS + start) {
		return undefined;
	}
	// The one keeps leading zeros.
	let number = isComplete ? 0 : 1;
	for (let index = start; index < key.length; index++) {
		const digit = key.charCodeAt(index) - ZERO;
		if (digit < 0 || digit > 9) return undefined;
		number = number * 10 + digit;
	}
	return isComplete ? number : -number;
}
