const FIRST_BYTES = 64 * 1024;
const OPEN = 0x5b;
const COMMA = 0x2c;
const CLOSE = 0x5d;

/**
 * A long list, kept as JSON text outside of the heap: thousands of objects that live for a while are
 * what makes the memory of Node.js grow: by 400 instead of 60 MB for a file of a million rows in n8n
 * (`test/bench/fileRuns.mts`). It becomes an array where it is sent.
 */
export class JsonList {
	length = 0;
	private bytes = Buffer.allocUnsafe(FIRST_BYTES);
	private end = 0;

	push(entry: unknown): void {
		const text = JSON.stringify(entry);
		// One character is at most three bytes; a separator before it, a bracket at the end.
		const needed = this.end + text.length * 3 + 2;
		if (needed > this.bytes.length) {
			const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
			this.bytes.copy(larger, 0, 0, this.end);
			this.bytes = larger;
		}
		this.bytes[this.end++] = this.length === 0 ? OPEN : COMMA;
		this.end += this.bytes.write(text, this.end);
		this.length++;
	}

	/** The text of the whole list. It is overwritten when the list is used again. */
	get content(): Buffer {
		if (this.length === 0) return Buffer.from('[]');
		this.bytes[this.end] = CLOSE;
		return this.bytes.subarray(0, this.end + 1);
	}

	/** Makes it empty, to be filled again. */
	clear(): this {
		this.length = 0;
		this.end = 0;
		return this;
	}

	/** Its entries, made anew. */
	toArray(): unknown[] {
		return JSON.parse(this.content.toString()) as unknown[];
	}

	/** For JSON.stringify. */
	toJSON(): unknown[] {
		return this.toArray();
	}
}

/** A list as an array, wherever it is kept; undefined for anything else. */
export function arrayOf(list: unknown): unknown[] | undefined {
	if (list instanceof JsonList) return list.toArray();
	return Array.isArray(list) ? list : undefined;
}

/**
 * A body with a long list as the bytes of its JSON text; undefined where it has none. A copy: a
 * service may respond before it has read all of it, and the list is used again after that.
 */
export function bytesOf(body: Readonly<Record<string, unknown>>): Buffer | undefined {
	const [name, list] = Object.entries(body).find(([, value]) => value instanceof JsonList) ?? [];
	if (name === undefined || !(list instanceof JsonList)) return undefined;
	const others = JSON.stringify({ ...body, [name]: undefined }).slice(0, -1);
	const separator = others === '{' ? '' : ',';
	return Buffer.concat([
		Buffer.from(`${others}${separator}${JSON.stringify(name)}:`),
		list.content,
		Buffer.from('}'),
	]);
}
