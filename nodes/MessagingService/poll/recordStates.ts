import type { IDataObject } from 'n8n-workflow';

/**
 * What is known of each record of a long list, in very little text: node static data is one JSON
 * text that n8n writes to its database with every execution.
 *
 * A record is an ID and a short text (its state). IDs are sorted; each is written as the distance to
 * the one before in base 36, which is left out where it is 0, and the sign of its state. With IDs
 * given in sequence, 100,000 records take 100 kB. No ID and no state is ever approximated.
 */

/** Record states as they are stored. */
export interface EncodedStates {
	/** The distinct states, in the order of their signs. */
	states: string[];
	/** IDs and signs, see above. */
	records: string;
	/** Records whose ID is no ordinary integer, or whose state has no sign. */
	others?: Record<string, string>;
}

/** States by record ID. */
export type RecordStates = Map<string, string>;

/** Printable ASCII that is no digit in base 36 and that JSON does not escape. */
const SIGNS = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(
	(sign) => !/[0-9a-z"\\]/.test(sign),
);

const ORDINARY_ID = /^(0|[1-9]\d{0,14})$/;
const ENTRY = /([0-9a-z]*)([^0-9a-z])/g;

/** The ID of a phone number or an SMS message as the key of its state. */
export function idOf({ id, newId, number }: IDataObject): string {
	return String(id ?? newId ?? number);
}

/** The text form of record states. */
export function encodeStates(recordStates: RecordStates): EncodedStates {
	const states = [...new Set(recordStates.values())].slice(0, SIGNS.length);
	const signs = new Map(states.map((state, index) => [state, SIGNS[index]]));
	const others = new Map<string, string>();
	const known: { id: number; sign: string }[] = [];
	for (const [id, state] of recordStates) {
		const sign = signs.get(state);
		if (sign !== undefined && ORDINARY_ID.test(id)) known.push({ id: Number(id), sign });
		else others.set(id, state);
	}
	known.sort((a, b) => a.id - b.id);
	let next = 0;
	const entries = known.map(({ id, sign }) => {
		const distance = id - next;
		next = id + 1;
		return distance === 0 ? sign : `${distance.toString(36)}${sign}`;
	});
	return {
		states,
		records: entries.join(''),
		...(others.size > 0 && { others: Object.fromEntries(others) }),
	};
}

/** Record states from their text form; none for `undefined`. */
export function decodeStates(encoded: EncodedStates | undefined): RecordStates {
	const { states = [], records = '', others = {} } = encoded ?? {};
	const recordStates: RecordStates = new Map(Object.entries(others));
	const stateOf = new Map(states.map((state, index) => [SIGNS[index], state]));
	let next = 0;
	for (const [, distance, sign] of records.matchAll(ENTRY)) {
		const id = next + (distance ? parseInt(distance, 36) : 0);
		recordStates.set(String(id), stateOf.get(sign) ?? '');
		next = id + 1;
	}
	return recordStates;
}
