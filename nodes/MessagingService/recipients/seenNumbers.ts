/** A power of two, as every number of slots is: the last bits of a hash name a slot. */
const FIRST_SLOTS = 1024;
const FULLEST = 0.75;
/** Of an E.164 number; it is exact as a number. */
const MOST_DIGITS = 15;

/**
 * The phone numbers of recipients, each with its first place, to find duplicates. A slot takes 12
 * bytes outside of the heap. A Map of numbers takes 90 MB more for the million rows of a file, and a
 * tenth more time (test/bench/versions.mts).
 */
export class SeenNumbers {
	private numbers = new Float64Array(FIRST_SLOTS);
	private places = new Uint32Array(FIRST_SLOTS);
	private size = 0;
	/** What has no country code, or is no phone number. */
	private readonly texts = new Map<string, number>();

	/**
	 * Notes a number.
	 * @param place an integer from 0
	 * @returns the first place of the number; undefined where this is the first
	 */
	note(key: string, place: number): number | undefined {
		const number = numberOf(key);
		if (number === undefined) {
			const first = this.texts.get(key);
			if (first === undefined) this.texts.set(key, place);
			return first;
		}
		const slot = this.slotOf(number);
		if (this.numbers[slot] === number) return this.places[slot];
		this.numbers[slot] = number;
		this.places[slot] = place;
		this.size++;
		if (this.size > this.numbers.length * FULLEST) this.grow();
		return undefined;
	}

	/** The slot that has a number, or the empty one where it belongs. */
	private slotOf(number: number): number {
		const { numbers } = this;
		const last = numbers.length - 1;
		// Spreads numbers, which often follow each other.
		const hash = Math.imul(number | 0, 0x9e37_79b1);
		let slot = (hash ^ (hash >>> 15)) & last;
		while (numbers[slot] !== 0 && numbers[slot] !== number) slot = (slot + 1) & last;
		return slot;
	}

	private grow(): void {
		const { numbers, places } = this;
		this.numbers = new Float64Array(numbers.length * 2);
		this.places = new Uint32Array(numbers.length * 2);
		numbers.forEach((number, index) => {
			if (number === 0) return;
			const slot = this.slotOf(number);
			this.numbers[slot] = number;
			this.places[slot] = places[index] ?? 0;
		});
	}
}

/**
 * A number with country code; undefined for any other text. Read digit by digit: an expression and a
 * conversion take three times as long.
 */
function numberOf(key: string): number | undefined {
	if (!key.startsWith('+') || key.length > MOST_DIGITS + 1) return undefined;
	let number = 0;
	for (let index = 1; index < key.length; index++) {
		const digit = key.charCodeAt(index) - 0x30;
		if (digit < 0 || digit > 9 || (digit === 0 && index === 1)) return undefined;
		number = number * 10 + digit;
	}
	return number === 0 ? undefined : number;
}
