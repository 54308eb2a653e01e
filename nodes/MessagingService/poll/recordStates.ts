import { groupBy, partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

/** States by record ID: an ID and a short text for each record of a long list. */
export type RecordStates = Map<string, string>;

/**
 * Record states as they are stored, in little text: n8n writes it to its database with every
 * execution. Each distinct state has the IDs of its records. Ordinary ones are sorted, and each is
 * the distance to the one before: 100,000 records take 200 kB. Others stay texts.
 */
export type EncodedStates = [state: string, ids: (number | string)[]][];

const ORDINARY_ID = /^(0|[1-9]\d{0,14})$/;

/** The ID of a phone number or an SMS message as the key of its state, or what tells it from others. */
export function idOf({ id, newId, number, phoneNumber, dateCreated }: IDataObject): string {
	return String(id ?? newId ?? number ?? [phoneNumber, dateCreated].join(' '));
}

/** The stored form of record states. */
export function encodeStates(recordStates: RecordStates): EncodedStates {
	const groups = groupBy([...recordStates.keys()], (id) => recordStates.get(id));
	return Object.entries(groups).map(([state, ids]) => [state, encodeIds(ids)]);
}

function encodeIds(ids: readonly string[]): (number | string)[] {
	const [ordinary, others] = partition(ids, (id) => ORDINARY_ID.test(id));
	const numbers = ordinary.map(Number).sort((a, b) => a - b);
	const distances = numbers.map((id, index) => id - (numbers[index - 1] ?? 0));
	return [...distances, ...others];
}

/** Record states from their stored form; none for `undefined`. */
export function decodeStates(encoded: EncodedStates = []): RecordStates {
	const recordStates: RecordStates = new Map();
	for (const [state, ids] of encoded) {
		let last = 0;
		for (const id of ids) {
			if (typeof id === 'number') last += id;
			recordStates.set(typeof id === 'number' ? String(last) : id, state);
		}
	}
	return recordStates;
}
