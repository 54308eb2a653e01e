import type { IDataObject } from 'n8n-workflow';

/**
 * What is known of each record of a long list, in very little text: node static data is one JSON
 * text that n8n writes to its database with every execution.
 *
 * A record is an ID and a short text (its state). IDs are sorted; each is written as the distance
 * to the one before, together with the index of its state, in printable characters that JSON does
 * not escape. Equal neighbors become one entry with a count. With IDs given in sequence, 100,000
 * records take at most 100 kB; with gaps of up to 500 on average, at most 200 kB. No ID and no
 * state is ever approximated.
 */

/** Record states as they are stored. */
export interface EncodedStates {
	/** The distinct states, in the order of their indexes. */
	states: string[];
	/** IDs and state indexes, see above. */
	records: string;
	/** Records whose ID is no ordinary integer. */
	others?: Record<string, string>;
}

/** States by record ID: an integer, or a text where the service's ID is none. */
export type RecordStates = Map<number | string, string>;

/** Printable ASCII without `"` and `\`: the first half ends a number, the second continues it. */
const CHARACTERS = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
	.filter((character) => character !== '"' && character !== '\\')
	.join('');
const BASE = CHARACTERS.length / 2;
/** The value of each character by its code. */
const VALUES = Array.from({ length: 128 }, (_, code) =>
	CHARACTERS.indexOf(String.fromCharCode(code)),
);
/** An entry of this value is followed by how many more times the entry before it occurs. */
const REPEATED = 0;
/** Beyond, a distance times the number of states would not be exact. */
const LARGEST_ID = 2 ** 40;

/** A record's ID as the key of its state. */
export function recordId(id: unknown): number | string {
	const isText = typeof id === 'string' && /^(0|[1-9]\d{0,12})$/.test(id);
	const number = isText ? Number(id) : id;
	if (typeof number === 'number' && Number.isInteger(number)) {
		if (number >= 0 && number < LARGEST_ID) return number;
	}
	return typeof id === 'string' ? id : (JSON.stringify(id) ?? '');
}

/** The ID of a phone number or an SMS message as the key of its state. */
export function idOf({ id, newId, number }: IDataObject): number | string {
	return recordId(id ?? newId ?? number);
}

/** The text form of record states. */
export function encodeStates(recordStates: RecordStates): EncodedStates {
	const indexes = new Map<string, number>();
	const others = new Map<string, string>();
	const ids: number[] = [];
	for (const [id, state] of recordStates) {
		if (typeof id === 'string') others.set(id, state);
		else {
			ids.push(id);
			if (!indexes.has(state)) indexes.set(state, indexes.size);
		}
	}
	ids.sort((a, b) => a - b);
	let previousId = -1;
	const entries = ids.map((id) => {
		const distance = id - previousId - 1;
		previousId = id;
		return 1 + distance * indexes.size + (indexes.get(recordStates.get(id) ?? '') ?? 0);
	});
	return {
		states: [...indexes.keys()],
		records: writeEntries(entries),
		...(others.size > 0 && { others: Object.fromEntries(others) }),
	};
}

/** Record states from their text form; none for `undefined`. */
export function decodeStates(encoded: EncodedStates | undefined): RecordStates {
	const recordStates: RecordStates = new Map();
	if (encoded === undefined) return recordStates;
	const { states, records, others = {} } = encoded;
	let id = -1;
	for (const entry of readEntries(records)) {
		id += 1 + Math.floor((entry - 1) / states.length);
		recordStates.set(id, states[(entry - 1) % states.length] ?? '');
	}
	for (const [otherId, state] of Object.entries(others)) recordStates.set(otherId, state);
	return recordStates;
}

function writeEntries(entries: readonly number[]): string {
	const texts: string[] = [];
	for (let index = 0; index < entries.length;) {
		const entry = entries[index] ?? REPEATED;
		let end = index + 1;
		while (entries[end] === entry) end++;
		const more = end - index - 1;
		const once = writeNumber(entry);
		const repeated = writeNumber(REPEATED) + writeNumber(more);
		texts.push(repeated.length < once.length * more ? once + repeated : once.repeat(more + 1));
		index = end;
	}
	return texts.join('');
}

function* readEntries(text: string): Generator<number> {
	let entry = 0;
	for (const numbers = readNumbers(text); ;) {
		const { value: number, done } = numbers.next();
		if (done === true) return;
		if (number !== REPEATED) {
			entry = number;
			yield entry;
			continue;
		}
		for (let more = numbers.next().value ?? 0; more > 0; more--) yield entry;
	}
}

function writeNumber(value: number): string {
	let text = '';
	let rest = value;
	for (; rest >= BASE; rest = Math.floor(rest / BASE)) text += CHARACTERS[BASE + (rest % BASE)];
	return text + CHARACTERS[rest];
}

function* readNumbers(text: string): Generator<number, undefined> {
	let number = 0;
	let factor = 1;
	for (let index = 0; index < text.length; index++) {
		const value = VALUES[text.charCodeAt(index)] ?? 0;
		number += (value % BASE) * factor;
		factor *= BASE;
		if (value >= BASE) continue;
		yield number;
		number = 0;
		factor = 1;
	}
	return undefined;
}
