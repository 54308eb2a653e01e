import { createHash } from 'crypto';

/** Tells texts apart without keeping them. */
export function digest(content: string): string {
	return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/**
 * Tells a set of texts from others without keeping them, in any order: it adds up two
 * hashes of each text. 100,000 numbers take a tenth of the time of sorting them.
 */
export class SetDigest {
	private count = 0;
	private low = 0;
	private high = 0;

	add(text: string): void {
		// FNV-1a, from two starting points.
		let low = 0x811c9dc5;
		let high = 0x01000193;
		for (let index = 0; index < text.length; index++) {
			const code = text.charCodeAt(index);
			low = Math.imul(low ^ code, 0x01000193);
			high = Math.imul(high ^ code, 0x01000193);
		}
		this.count++;
		this.low = (this.low + mixed(low)) >>> 0;
		this.high = (this.high + mixed(high)) >>> 0;
	}

	/** Adds all texts of another one. */
	addAll({ count, low, high }: SetDigest): void {
		this.count += count;
		this.low = (this.low + low) >>> 0;
		this.high = (this.high + high) >>> 0;
	}

	toString(): string {
		return [this.count, this.low, this.high].map((part) => part.toString(36)).join('.');
	}
}

/** Spreads each bit over all others, as MurmurHash3 does: sums of similar texts must differ. */
function mixed(hash: number): number {
	let spread = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	spread = Math.imul(spread ^ (spread >>> 13), 0xc2b2ae35);
	return spread ^ (spread >>> 16);
}
