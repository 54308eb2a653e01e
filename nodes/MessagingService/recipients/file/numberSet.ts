import { createHash } from 'crypto';
import type { EarlierNumbers } from '../checks';

/** Tables that grow one by one: copying a small one needs little memory. */
const TABLES = 64;
const FIRST_SLOTS = 64;
const FULLEST = 0.9;
const GROWTH = 1.5;

/** Numbers of at most 15 digits are stored as themselves; those with leading zeros above them. */
const ABOVE_NUMBERS = 1e15;

/**
 * A set of tuples of positive numbers, in 8 bytes per number and slot. At least 60% of the slots of
 * a large set are in use.
 */
class TupleSet {
	private readonly width: number;
	private readonly tables: Float64Array[];
	private readonly sizes = new Uint32Array(TABLES);

	constructor(width: number) {
		this.width = width;
		this.tables = Array.from({ length: TABLES }, () => new Float64Array(FIRST_SLOTS * width));
	}

	/** @returns whether the set has it already */
	add(tuple: readonly number[]): boolean {
		const hash = hashOf(tuple[0] as number);
		const index = hash % TABLES;
		let table = this.tables[index] as Float64Array;
		const size = this.sizes[index] as number;
		if (size >= (table.length / this.width) * FULLEST) {
			table = this.grown(table);
			this.tables[index] = table;
		}
		const slot = this.find(table, hash, tuple);
		if (table[slot] !== 0) return true;
		table.set(tuple, slot);
		this.sizes[index] = size + 1;
		return false;
	}

	/** The place of a tuple, or the empty one where it belongs. */
	private find(table: Float64Array, hash: number, tuple: readonly number[]): number {
		const { width } = this;
		const slots = table.length / width;
		for (let slot = Math.floor(hash / TABLES) % slots; ; slot = (slot + 1) % slots) {
			const at = slot * width;
			if (table[at] === 0) return at;
			let isSame = true;
			for (let part = 0; part < width; part++) isSame &&= table[at + part] === tuple[part];
			if (isSame) return at;
		}
	}

	private grown(table: Float64Array): Float64Array {
		const { width } = this;
		const slots = Math.ceil((table.length / width) * GROWTH);
		const larger = new Float64Array(slots * width);
		for (let at = 0; at < table.length; at += width) {
			if (table[at] === 0) continue;
			const tuple = Array.from(table.subarray(at, at + width));
			larger.set(tuple, this.find(larger, hashOf(tuple[0] as number), tuple));
		}
		return larger;
	}

	get bytes(): number {
		return this.tables.reduce((sum, { byteLength }) => sum + byteLength, 0);
	}
}

/** Spreads numbers, which often follow each other, over 32 bits. */
function hashOf(number: number): number {
	let hash = Math.imul((number % 0x1_0000_0000) | 0, 0x9e37_79b1);
	hash = Math.imul(hash ^ (hash >>> 15) ^ Math.floor(number / 0x1_0000_0000), 0x85eb_ca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
	return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * The numbers of a long file: at most 16 bytes for each. Phone numbers are compared as they are.
 * Texts that are no phone numbers, which only "Send Anyway" brings here, are compared by 96 bits of
 * their hash: among ten million, two different ones are taken for one with a chance of 1 to 10^15.
 */
export class NumberSet implements EarlierNumbers {
	private readonly numbers = new TupleSet(1);
	private readonly texts = new TupleSet(2);

	note(key: string): string | undefined {
		const number = exactNumber(key);
		const isKnown =
			number === undefined ? this.texts.add(digestOf(key)) : this.numbers.add([number]);
		return isKnown ? 'an earlier row' : undefined;
	}

	/** How much memory it takes. */
	get bytes(): number {
		return this.numbers.bytes + this.texts.bytes;
	}
}

/** A number that no other key has; undefined for keys that are too long, or no digits. */
function exactNumber(key: string): number | undefined {
	if (/^\+[1-9]\d{0,14}$/.test(key)) return Number(key);
	if (/^0\d{0,13}$/.test(key)) return ABOVE_NUMBERS + Number(`1${key}`);
	return undefined;
}

function digestOf(text: string): [number, number] {
	const digest = createHash('sha256').update(text).digest();
	// 0 stands for an empty slot.
	return [digest.readUIntBE(0, 6) + 1, digest.readUIntBE(6, 6)];
}
