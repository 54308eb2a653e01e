import { createHash } from 'crypto';

/** Tables that grow one by one: copying a small one needs little memory. */
const TABLE_BITS = 6;
const TABLES = 1 << TABLE_BITS;
const HASH_UNIT = 1 / 2 ** (32 - TABLE_BITS);
const FIRST_SLOTS = 16;
const FULLEST = 0.9;
const GROWTH = 1.5;

/** Numbers of at most 15 digits are stored as themselves; those with leading zeros above them. */
const ABOVE_NUMBERS = 1e15;

/**
 * A set of positive numbers, or of pairs of them, in 8 bytes per number and slot. At least 60% of the
 * slots of a large set are in use.
 */
class CompactSet {
	private readonly width: 1 | 2;
	private readonly tables: Float64Array[] = [];
	private readonly sizes = new Uint32Array(TABLES);

	constructor(width: 1 | 2) {
		this.width = width;
	}

	/** @returns whether the set has it already */
	add(number: number, second = 0): boolean {
		const hash = hashOf(number);
		const index = hash & (TABLES - 1);
		let table = (this.tables[index] ??= new Float64Array(FIRST_SLOTS * this.width));
		const size = this.sizes[index] as number;
		if (size >= (table.length / this.width) * FULLEST) {
			table = this.grown(table);
			this.tables[index] = table;
		}
		const at = this.find(table, hash, number, second);
		if (table[at] !== 0) return true;
		this.put(table, at, number, second);
		this.sizes[index] = size + 1;
		return false;
	}

	/** The place of a number or pair, or the empty one where it belongs. */
	private find(table: Float64Array, hash: number, number: number, second: number): number {
		const { width } = this;
		const { length } = table;
		// The rest of the hash, as a fraction of the slots: a remainder takes several times as long.
		let at = Math.floor((hash >>> TABLE_BITS) * HASH_UNIT * (length / width)) * width;
		for (;;) {
			const found = table[at];
			if (found === 0) return at;
			if (found === number && (width === 1 || table[at + 1] === second)) return at;
			at += width;
			if (at === length) at = 0;
		}
	}

	private put(table: Float64Array, at: number, number: number, second: number): void {
		table[at] = number;
		if (this.width === 2) table[at + 1] = second;
	}

	private grown(table: Float64Array): Float64Array {
		const { width } = this;
		const larger = new Float64Array(Math.ceil((table.length / width) * GROWTH) * width);
		for (let from = 0; from < table.length; from += width) {
			const number = table[from] as number;
			if (number === 0) continue;
			const second = width === 1 ? 0 : (table[from + 1] as number);
			this.put(larger, this.find(larger, hashOf(number), number, second), number, second);
		}
		return larger;
	}

	get bytes(): number {
		return this.tables.reduce((sum, { byteLength }) => sum + byteLength, 0);
	}
}

/** Spreads numbers, which often follow each other, over 32 bits. */
function hashOf(number: number): number {
	// The last 32 bits, then those before them.
	let hash = Math.imul(number | 0, 0x9e37_79b1);
	hash = Math.imul(hash ^ (hash >>> 15) ^ ((number / 0x1_0000_0000) | 0), 0x85eb_ca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
	return hash ^ (hash >>> 16);
}

/**
 * The numbers of a long file: at most 16 bytes for each. Phone numbers are compared as they are.
 * Texts that are no phone numbers, which only "Send Anyway" brings here, are compared by 96 bits of
 * their hash: among ten million, two different ones are taken for one with a chance of 1 to 10^15.
 */
export class NumberSet {
	private readonly numbers = new CompactSet(1);
	private readonly texts = new CompactSet(2);

	/** @returns whether the set has it already */
	add(key: string): boolean {
		const number = exactNumber(key);
		return number === undefined ? this.texts.add(...digestOf(key)) : this.numbers.add(number);
	}

	/** How much memory it takes. */
	get bytes(): number {
		return this.numbers.bytes + this.texts.bytes;
	}
}

/** A number that no other key has; undefined for keys that are too long, or no digits. */
function exactNumber(key: string): number | undefined {
	const hasPlus = key.charCodeAt(0) === PLUS;
	const digits = key.length - (hasPlus ? 1 : 0);
	if (digits === 0 || digits > 15 || (!hasPlus && key.charCodeAt(0) !== ZERO)) return undefined;
	if (hasPlus && key.charCodeAt(1) === ZERO) return undefined;
	// Those with leading zeros get a one before them.
	let number = hasPlus ? 0 : 1;
	for (let index = hasPlus ? 1 : 0; index < key.length; index++) {
		const digit = key.charCodeAt(index) - ZERO;
		if (digit < 0 || digit > 9) return undefined;
		number = number * 10 + digit;
	}
	return hasPlus ? number : ABOVE_NUMBERS + number;
}

const PLUS = 43;
const ZERO = 48;

function digestOf(text: string): [number, number] {
	const digest = createHash('sha256').update(text).digest();
	// 0 stands for an empty slot.
	return [digest.readUIntBE(0, 6) + 1, digest.readUIntBE(6, 6)];
}
