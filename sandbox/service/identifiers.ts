import { createHash, randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

const tables = ['sms', 'smsCampaigns'];

/** Makes the GUIDs of messages and SMS campaigns: random, or the same ones in every run with the same seed. */
export class Identifiers {
	readonly #seed: string | undefined;
	readonly #database: Database;
	#count = 0;

	constructor(database: Database, seed?: string) {
		this.#seed = seed;
		this.#database = database;
		this.restart();
	}

	/** A new GUID. */
	guid(): string {
		if (this.#seed === undefined) return randomUUID();
		this.#count += 1;
		const hash = createHash('md5')
			.update(`${this.#seed}:${String(this.#count)}`)
			.digest('hex');
		return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20)}`;
	}

	/** Goes on after what the store holds. */
	restart(): void {
		this.#count =
			this.#database.number(
				`SELECT sum(seq) AS n FROM sqlite_sequence WHERE name IN (${tables.map(() => '?').join(', ')})`,
				...tables,
			) ?? 0;
	}
}
