/** A power of two, as every number of slots is: the last bits of a hash name a slot. */
const FIRST_SLOTS = 1024;
const FULLEST = 0.75;

/**
 * The phone numbers of a file, in at most 22 bytes each outside of the heap. A Set of a million texts
 * takes 170 MB more (test/bench/fileRuns.mts).
 */
export class NumberSet {
	private slots = new Float64Array(FIRST_SLOTS);
	private size = 0;
	/** What is no phone number: only "Send Anyway" brings it here. */
	private readonly texts = new Set<string>();

	/** @returns whether the set has it already */
	add(key: string): boolean {
		const number = exactNumber(key);
		if (number === undefined) {
			const { size } = this.texts;
			return this.texts.add(key).size === size;
		}
		const slot = slotOf(this.slots, number);
		if (this.slots[slot] === number) return true;
		this.slots[slot] = number;
		this.size++;
		if (this.size > this.slots.length * FULLEST) this.grow();
		return false;
	}

	private grow(): void {
		const larger = new Float64Array(this.slots.length * 2);
		for (const number of this.slots) {
			if (number !== 0) larger[slotOf(larger, number)] = number;
		}
		this.slots = larger;
	}
}

/** The slot that has a number, or the empty one where it belongs. */
function slotOf(slots: Float64Array, number: number): number {
	const last = slots.length - 1;
	let slot = hashOf(number) & last;
	while (slots[slot] !== 0 && slots[slot] !== number) slot = (slot + 1) & last;
	return slot;
}

/** Spreads numbers, which often follow each other. */
function hashOf(number: number): number {
	// The last 32 bits, then those before them.
	let hash = Math.imul(number | 0, 0x9e37_79b1);
	hash = Math.imul(hash ^ (hash >>> 15) ^ ((number / 0x1_0000_0000) | 0), 0x85eb_ca6b);
	return hash ^ (hash >>> 16);
}

/** A number that no other key has; undefined for a key that is not exact as a number. */
function exactNumber(key: string): number | undefined {
	if (/^\+[1-9]\d{0,14}$/.test(key)) return Number(key);
	// The one keeps leading zeros.
	return /^0\d{0,13}$/.test(key) ? -Number(`1${key}`) : undefined;
}
