import { groupBy, map, partition, sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

/** What is known of a request that was sent, or possibly sent: no phone number and no text. */
export interface Receipt {
	/** `yes`: it was accepted. `possibly`: it may have been. */
	sent: 'yes' | 'possibly';
	/** Of an accepted one: what identifies the response. */
	response?: unknown;
	/** Of the others: the status of the response, where there was one. */
	httpCode?: string | undefined;
	/** What its output says beside the response. */
	output?: IDataObject | undefined;
	/** The input item whose list, file or message it is of; of a list of input items, the first. */
	item: number;
	/** Which campaign of its list it creates, from 1. */
	part: number;
	/** Whom it reaches: input items, or rows of a file, in ascending order; of a typed list, none. */
	places: readonly number[];
	/** Who they are, which tells whether they are the same people now; of a file, none. */
	digests: readonly string[];
	/** Of a typed list or a file: with which account it was sent, and how it was read. */
	basis?: string | undefined;
}

/** Receipts as they are stored: those of one row each that differ in place and response only are one. */
interface Packed extends Omit<Receipt, 'places' | 'digests' | 'response' | 'item'> {
	/** Undefined where each place is the item of a receipt of its own. */
	item?: number | undefined;
	places: string;
	/** All digests, each of `width` characters. */
	digests: string;
	width: number;
	responses: unknown[];
}

/** Receipts as one text, as short as it can be: n8n stores it with a failed execution. */
export function packReceipts(receipts: readonly Receipt[]): string {
	const [single, others] = partition(receipts, isOfOneRow);
	const groups = groupBy(single, (each) => JSON.stringify(factsOf(each)));
	return JSON.stringify([...others.map((each) => [each]), ...Object.values(groups)].map(pack));
}

/** What JSON has of a receipt but for its place and its response. */
const factsOf = ({ sent, httpCode, output, part, basis }: Receipt) => {
	return { sent, httpCode, output, part, basis };
};

const isOfOneRow = ({ item, places, digests }: Receipt) =>
	places.length === 1 && places[0] === item && digests.length === 1;

/** @param group one receipt, or those of one row each */
function pack(group: Receipt[]): Packed {
	const sorted = sortBy(group, 'item');
	const [first] = sorted as [Receipt];
	return {
		...factsOf(first),
		item: isOfOneRow(first) ? undefined : first.item,
		places: packPlaces(sorted.flatMap((each) => each.places)),
		digests: sorted.flatMap((each) => each.digests).join(''),
		width: first.digests[0]?.length ?? 0,
		responses: map(sorted, 'response'),
	};
}

/** The receipts of a text that `packReceipts` has made. */
export function unpackReceipts(text: string): Receipt[] {
	return (JSON.parse(text) as Packed[]).flatMap((packed): Receipt[] => {
		const { item, places: bits, digests: joined, width, responses, ...facts } = packed;
		const places = unpackPlaces(bits);
		const digests = width === 0 ? [] : (joined.match(new RegExp(`.{${width}}`, 'g')) ?? []);
		const responseAt = (index: number) => responses[index] ?? undefined;
		if (item !== undefined) return [{ ...facts, item, places, digests, response: responseAt(0) }];
		return places.map((place, index) => ({
			...facts,
			item: place,
			places: [place],
			digests: [digests[index] ?? ''],
			response: responseAt(index),
		}));
	});
}

/** Places in ascending order as a text: the first of them, and a bit for each from there on. */
export function packPlaces(places: readonly number[]): string {
	const [first = 0] = places;
	const bits = Buffer.alloc(Math.ceil(((places.at(-1) ?? -1) - first + 1) / 8));
	for (const place of places) {
		const at = place - first;
		bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
	}
	return `${first}:${bits.toString('base64url')}`;
}

/** The places of a text that `packPlaces` has made. */
export function unpackPlaces(text: string): number[] {
	const [first, bits = ''] = text.split(':');
	const places: number[] = [];
	Buffer.from(bits, 'base64url').forEach((byte, index) => {
		for (let bit = 0; bit < 8; bit++) {
			if ((byte & (1 << bit)) !== 0) places.push(Number(first) + index * 8 + bit);
		}
	});
	return places;
}
