import { setImmediate as nextTurn } from 'node:timers/promises';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** How much of a body is parsed without giving the event loop a turn. */
const sliceBytes = 256 * 1024;

const isBlank = (bytes: Buffer): boolean => bytes.toString().trim() === '';

/** Parses the elements of a list that stand between two commas of the list. */
const parseElements = (bytes: Buffer): unknown[] => {
	const elements = JSON.parse(`[${bytes.toString()}]`) as unknown[];
	if (elements.length === 0) throw new SyntaxError('An element is missing');
	return elements;
};

const pushAll = (list: unknown[], more: unknown[]): void => {
	for (const one of more) list.push(one);
};

/**
 * Walks through the text of an object. Lists that are members of the object are parsed slice by slice; `skeleton` is the
 * rest of the text, with a list's number in place of its elements.
 */
class ObjectScanner {
	readonly lists: unknown[][] = [];
	skeleton = '';
	readonly #bytes: Buffer;
	#at = 0;
	#depth = 0;
	/** Where the text that is not parsed yet starts. */
	#from = 0;
	#list: unknown[] | undefined;

	constructor(bytes: Buffer) {
		this.#bytes = bytes;
	}

	/** Goes on until a slice is done; whether there is more. */
	step(): boolean {
		const end = Math.min(this.#at + sliceBytes, this.#bytes.length);
		while (this.#at < end) {
			const byte = this.#bytes[this.#at] ?? 0;
			if (byte === quote) this.#skipText();
			else if (byte === openList || byte === openObject) this.#open(byte);
			else if (byte === closeList || byte === closeObject) this.#close(byte);
			else if (byte === comma) this.#separate();
			this.#at += 1;
		}
		if (this.#at < this.#bytes.length) return true;
		this.skeleton += this.#bytes.toString('utf8', this.#from);
		return false;
	}

	#skipText(): void {
		this.#at += 1;
		while (this.#at < this.#bytes.length && this.#bytes[this.#at] !== quote) {
			this.#at += this.#bytes[this.#at] === backslash ? 2 : 1;
		}
	}

	#open(byte: number): void {
		this.#depth += 1;
		if (this.#depth !== 2 || byte !== openList) return;
		this.skeleton += `${this.#bytes.toString('utf8', this.#from, this.#at)}[${String(this.lists.length)}]`;
		this.#list = [];
		this.lists.push(this.#list);
		this.#from = this.#at + 1;
	}

	#close(byte: number): void {
		if (this.#list && this.#depth === 2) {
			if (byte !== closeList) throw new SyntaxError('A list is not closed');
			const rest = this.#bytes.subarray(this.#from, this.#at);
			if (this.#list.length > 0 || !isBlank(rest)) pushAll(this.#list, parseElements(rest));
			this.#list = undefined;
			this.#from = this.#at + 1;
		}
		this.#depth -= 1;
	}

	#separate(): void {
		if (!this.#list || this.#depth !== 2 || this.#at - this.#from < sliceBytes) return;
		pushAll(this.#list, parseElements(this.#bytes.subarray(this.#from, this.#at)));
		this.#from = this.#at + 1;
	}
}

/**
 * What `JSON.parse` gives for the text of an object, without holding up the event loop where the members of the object
 * are long lists. Throws on anything that is not the JSON text of an object.
 */
export const parseLargeObject = async (bytes: Buffer): Promise<Record<string, unknown>> => {
	if (!bytes.toString('utf8', 0, 100).trimStart().startsWith('{')) {
		throw new SyntaxError('The text is not an object');
	}
	const scanner = new ObjectScanner(bytes);
	while (scanner.step()) await nextTurn();
	const result = JSON.parse(scanner.skeleton) as Record<string, unknown>;
	for (const [name, value] of Object.entries(result)) {
		if (Array.isArray(value)) result[name] = scanner.lists[Number(value[0])];
	}
	return result;
};

const elementsPerTurn = 1000;

const textOfList = async (list: unknown[]): Promise<string> => {
	const texts: string[] = [];
	for (let start = 0; start < list.length; start += elementsPerTurn) {
		texts.push(JSON.stringify(list.slice(start, start + elementsPerTurn)).slice(1, -1));
		await nextTurn();
	}
	return `[${texts.join(',')}]`;
};

/** What `JSON.stringify` gives for an object, without holding up the event loop for the lists in it. */
export const largeObjectText = async (value: Record<string, unknown>): Promise<string> => {
	const members: string[] = [];
	for (const [name, member] of Object.entries(value)) {
		const text = Array.isArray(member) ? await textOfList(member) : JSON.stringify(member);
		if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
	}
	return `{${members.join(',')}}`;
};

/** Bodies from this size on are parsed in slices. */
export const largeBody = 1024 * 1024;

/** What of a large body is kept as text, for the request log. */
const keptBytes = 250_000;

/** The beginning of a large body. */
export const beginningOf = (bytes: Buffer): string =>
	`${bytes.toString('utf8', 0, keptBytes)}... (cut; ${String(bytes.length)} bytes in all)`;

/** Whether a text may name the prototype of an object; the usual parser refuses that. */
export const mayNamePrototype = (bytes: Buffer): boolean =>
	['__proto__', '"constructor"', '\\u00'].some((text) => bytes.includes(text));
