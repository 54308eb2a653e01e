import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { listAll, readRanges } from '../parameters/ranges';

/** What is known of a request that was sent, or possibly sent: no phone number and no text. */
export interface Receipt {
	/** `yes`: it was accepted. `possibly`: it may have been. */
	sent: 'yes' | 'possibly';
	/** Of an accepted one: what identifies the response. */
	response?: unknown;
	/** Of the others: the status of the response, where there was one. */
	httpCode?: string;
	/** What its output says beside the response. */
	known?: IDataObject;
	/** The input item whose list, file or message it is of; of a list of input items, the first. */
	item: number;
	/** Which campaign of its list it creates, from 1. */
	part: number;
	/** Whom it reaches: input items, or rows of a file, in ascending order; of a typed list, none. */
	places: readonly number[];
	/** What tells whether these are the same people now: a digest for each, or two of the rows of a file. */
	digests: readonly string[];
	/** Of a typed list or a file: a digest of the account. */
	account?: string;
	/** Of a typed list: the country of its numbers without country code, where it has any. */
	country?: string;
	/** Of a file: how it was read. */
	format?: string;
	/** Of a typed list: the people with several entries, by their digests. */
	several?: Record<string, SeveralEntries>;
}

/** The entries of a person who has several in a typed list. */
export interface SeveralEntries {
	/** How many there are in the list. */
	count: number;
	/** A digest of all of them. */
	all: string;
	/** Digests of those in the request. */
	sent: string[];
}

/** Receipts as they are stored: those of single requests that differ in response and place only are one. */
interface Packed extends Omit<Receipt, 'places' | 'digests' | 'response' | 'item'> {
	item?: number;
	places: string;
	/** All digests, each of `width` characters. */
	digests: string;
	width: number;
	responses: unknown;
}

/** Receipts as one text, as short as it can be: n8n stores it with a failed execution. */
export function packReceipts(receipts: readonly Receipt[]): string {
	const singles = new Map<string, Receipt[]>();
	const packed: Packed[] = [];
	for (const receipt of receipts) {
		const { item, places, digests, response, ...facts } = receipt;
		if (places.length !== 1 || places[0] !== item || digests.length !== 1) {
			packed.push(toPacked(facts, item, places, digests, [response]));
			continue;
		}
		const key = JSON.stringify(facts);
		const group = singles.get(key) ?? [];
		singles.set(key, group);
		group.push(receipt);
	}
	for (const group of singles.values()) {
		group.sort((a, b) => a.item - b.item);
		const facts = omit(group[0] as Receipt, 'item', 'places', 'digests', 'response');
		packed.push(
			toPacked(
				facts,
				undefined,
				group.map((each) => each.item),
				group.flatMap((each) => each.digests),
				group.map((each) => each.response),
			),
		);
	}
	return JSON.stringify(packed);
}

function toPacked(
	facts: Omit<Receipt, 'places' | 'digests' | 'response' | 'item'>,
	item: number | undefined,
	places: readonly number[],
	digests: readonly string[],
	responses: unknown[],
): Packed {
	return {
		...facts,
		item,
		places: packPlaces(places),
		digests: digests.join(''),
		width: digests[0]?.length ?? 0,
		responses: packGuids(responses) ?? responses,
	};
}

/** The receipts of a text that `packReceipts` has made. */
export function unpackReceipts(text: string): Receipt[] {
	return (JSON.parse(text) as Packed[]).flatMap((packed): Receipt[] => {
		const { item, places: ranges, digests: joined, width, responses: stored, ...facts } = packed;
		const places = unpackPlaces(ranges);
		const digests = width === 0 ? [] : (joined.match(new RegExp(`.{${width}}`, 'g')) ?? []);
		const responses = Array.isArray(stored) ? (stored as unknown[]) : unpackGuids(String(stored));
		if (item !== undefined) {
			return [{ ...facts, item, places, digests, response: responses[0] ?? undefined }];
		}
		return places.map((place, index) => ({
			...facts,
			item: place,
			places: [place],
			digests: [digests[index] ?? ''],
			response: responses[index] ?? undefined,
		}));
	});
}

/** Places as ranges, or as a bit for each, whichever is shorter. */
function packPlaces(places: readonly number[]): string {
	const ranges = listAll(places);
	const [first = 0] = places;
	const size = Math.ceil(((places.at(-1) ?? 0) - first + 1) / 8);
	if (ranges.length <= (size * 4) / 3) return ranges;
	const bits = Buffer.alloc(size);
	for (const place of places) {
		const at = place - first;
		bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
	}
	return `${first}:${bits.toString('base64url')}`;
}

function unpackPlaces(text: string): number[] {
	const [first, encoded] = text.split(':');
	if (encoded === undefined) return readRanges(text);
	const places: number[] = [];
	Buffer.from(encoded, 'base64url').forEach((byte, index) => {
		for (let bit = 0; bit < 8; bit++) {
			if ((byte & (1 << bit)) !== 0) places.push(Number(first) + index * 8 + bit);
		}
	});
	return places;
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PACKED_GUID = /.{22}/g;

/** GUIDs as one text with 22 characters of each; undefined where one of the responses is none. */
function packGuids(responses: readonly unknown[]): string | undefined {
	const isGuid = (each: unknown) => typeof each === 'string' && GUID.test(each);
	if (!responses.every(isGuid)) return undefined;
	const packed = (responses as readonly string[]).map((guid) =>
		Buffer.from(guid.replaceAll('-', ''), 'hex').toString('base64url'),
	);
	return packed.join('');
}

function unpackGuids(text: string): string[] {
	return (text.match(PACKED_GUID) ?? []).map((packed) => {
		const hex = Buffer.from(packed, 'base64url').toString('hex');
		return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
	});
}
