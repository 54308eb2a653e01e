const FIRST_BYTES = 64 * 1024;
/** Kept free before the list, for the rest of the body that it is sent in. */
const HEAD_BYTES = 16 * 1024;
const OPEN = 0x5b;
const COMMA = 0x2c;

/**
 * A long list, kept as JSON text outside of the heap: thousands of objects that live for a while are
 * what makes the memory of Node.js grow. It becomes an array where it is sent.
 */
export class JsonList {
	length = 0;
	private bytes = Buffer.allocUnsafe(FIRST_BYTES);
	private end = HEAD_BYTES;

	push(entry: unknown): void {
		const text = JSON.stringify(entry);
		// One character is at most three bytes; a separator before it, a bracket at the end.
		this.reserve(text.length * 3 + 2);
		this.bytes[this.end++] = this.length === 0 ? OPEN : COMMA;
		this.end += this.bytes.write(text, this.end);
		this.length++;
	}

	/** The text of the whole list. It is overwritten when the list is used again. */
	get content(): Buffer {
		return this.within('', '');
	}

	/** The text of the whole list between two others. It is overwritten when the list is used again. */
	within(before: string, after: string): Buffer {
		const head = Buffer.from(before);
		const tail = Buffer.from(this.length === 0 ? `[]${after}` : `]${after}`);
		this.reserve(tail.length);
		tail.copy(this.bytes, this.end);
		const end = this.end + tail.length;
		const start = HEAD_BYTES - head.length;
		if (start < 0) return Buffer.concat([head, this.bytes.subarray(HEAD_BYTES, end)]);
		head.copy(this.bytes, start);
		return this.bytes.subarray(start, end);
	}

	private reserve(bytes: number): void {
		const needed = this.end + bytes;
		if (needed <= this.bytes.length) return;
		const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
		this.bytes.copy(larger, 0, 0, this.end);
		this.bytes = larger;
	}

	/** Makes it empty, to be filled again. */
	clear(): this {
		this.length = 0;
		this.end = HEAD_BYTES;
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

/** A body with a long list as the bytes of its JSON text; undefined where it has none. */
export function bytesOf(body: Readonly<Record<string, unknown>>): Buffer | undefined {
	const [name, list] = Object.entries(body).find(([, value]) => value instanceof JsonList) ?? [];
	if (name === undefined || !(list instanceof JsonList)) return undefined;
	const others = JSON.stringify({ ...body, [name]: undefined }).slice(0, -1);
	const separator = others === '{' ? '' : ',';
	return list.within(`${others}${separator}${JSON.stringify(name)}:`, '}');
}
