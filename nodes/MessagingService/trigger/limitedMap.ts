/** A map that forgets its oldest entries, so that it can live as long as n8n runs. */
export class LimitedMap<Key, Value> {
	private readonly entries = new Map<Key, Value>();
	private readonly limit: number;

	constructor(limit: number) {
		this.limit = limit;
	}

	get(key: Key): Value | undefined {
		return this.entries.get(key);
	}

	/** Puts an entry in, as the youngest. */
	set(key: Key, value: Value): void {
		this.entries.delete(key);
		this.entries.set(key, value);
		if (this.entries.size > this.limit) {
			for (const oldest of this.entries.keys()) {
				this.entries.delete(oldest);
				break;
			}
		}
	}

	delete(key: Key): void {
		this.entries.delete(key);
	}

	get size(): number {
		return this.entries.size;
	}
}
