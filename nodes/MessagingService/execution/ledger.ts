import { groupBy, map, omit, partition, sortBy, sumBy } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { Failure } from '../failure';
import { listAll, readRanges } from '../parameters/ranges';
import { personOf } from '../recipients/phoneNumber';
import { digest, rowsOf, whomOf, type PlannedRequest } from './planned';

/** What is known of a request that was sent, or possibly sent: no phone number and no text. */
export interface Receipt {
	/** `yes`: it was accepted. `possibly`: it may have been. */
	sent: 'yes' | 'possibly';
	/** Of an accepted one: what identifies the response. */
	response?: unknown;
	/** Of the others: the status of the response, where there was one. */
	httpCode?: string | undefined;
	/** What the request says of its output. */
	known?: IDataObject;
	/** The input item whose list, file or message it is of; of a list of input items, the first. */
	item: number;
	/** Which campaign of its list it creates, from 1. */
	part: number;
	/** Whom it reaches: input items, or rows of a file, in ascending order; of a typed list, none. */
	places: readonly number[];
	/** Who they are, which tells whether they are the same people now; of a file, one for all. */
	digests: readonly string[];
	/** Of a typed list or a file: with which account it was sent, and how it was read. */
	basis?: string | undefined;
}

/** The number of the next campaign: names of voice campaigns are unique. */
export function nextPart(receipts: readonly Receipt[]): number {
	return 1 + Math.max(0, ...receipts.map(({ part }) => part));
}

/** What a request came to. */
export type Sending = Pick<Receipt, 'sent' | 'response' | 'httpCode'>;

/** What is kept in the node's context, as plain JSON. */
interface StoredLedger {
	/** Resource, operation, and source of the recipients. */
	operation: string;
	receipts: string;
}

/**
 * Remembers for each row what the tries of an execution have sent. n8n's "Retry On Fail" runs the node
 * again with all its items, and "Retry" in the list of executions continues where one failed: who is
 * in the ledger is not sent to again, even if other things have changed since.
 *
 * It lives in the node's context, which n8n keeps with the execution and hands to its retries. It is
 * written when a try ends, and emptied when the node is done, so that it stays in the data of failed
 * executions only, and the next round of a loop sends again.
 */
export class Ledger {
	/** Of the requests of earlier tries. */
	readonly earlier: readonly Receipt[];
	/** Digests of people whose own item, or its typed list, reaches somebody else now. */
	readonly moved = new Set<string>();
	private readonly byItem = new Map<number, Receipt[]>();
	private readonly operation: string;
	private readonly context: { sent?: StoredLedger };
	/** What an earlier try with another operation or source has sent. */
	private readonly other: StoredLedger | undefined;
	/** The requests of this try. */
	private readonly now = new Map<string, Noted & { sending: Sending }>();
	/** The input items of all requests; undefined where it is to be collected anew. */
	private items: Set<number> | undefined;

	/** @param operation resource, operation, and source of the recipients */
	constructor(context: IExecuteFunctions, operation: string) {
		this.operation = operation;
		this.context = context.getContext('node') as { sent?: StoredLedger };
		const { sent } = this.context;
		const isOther = sent !== undefined && sent.operation !== operation;
		this.other = isOther ? sent : undefined;
		this.earlier = sent === undefined || isOther ? [] : unpackReceipts(sent.receipts);
		for (const receipt of this.earlier) {
			const own = this.byItem.get(receipt.item);
			if (own === undefined) this.byItem.set(receipt.item, [receipt]);
			else own.push(receipt);
		}
	}

	/** @throws Failure where an earlier try has sent with another operation or source */
	assertSameOperation(): void {
		if (this.other !== undefined) throw otherItems();
	}

	/** The receipts of the message, list or file of an input item. */
	of(item: number): readonly Receipt[] {
		return this.byItem.get(item) ?? [];
	}

	/** How many people earlier tries have reached, or possibly reached. */
	get reached(): number {
		return sumBy(this.earlier, ({ places, digests }) => Math.max(places.length, digests.length));
	}

	/** Whether anything of an input item was sent, or possibly sent. */
	knows(item: number): boolean {
		if (this.other !== undefined) return true;
		this.items ??= new Set([
			...this.earlier.flatMap(itemsOfReceipt),
			...[...this.now.values()].flatMap(({ rows }) => rows),
		]);
		return this.items.has(item);
	}

	/** Notes a request: before it goes out that it is possibly sent, then what it came to. */
	note(planned: PlannedRequest, sending: Sending): void {
		const key = keyOf(planned);
		const known = this.now.get(key);
		this.now.set(key, { ...(known ?? noted(planned)), sending });
		if (known === undefined) this.items = undefined;
	}

	/** It is certain that a request was not accepted. */
	forget(planned: PlannedRequest): void {
		if (this.now.delete(keyOf(planned))) this.items = undefined;
	}

	/** The try has ended, and there may be another one. */
	save(): void {
		if (this.other !== undefined) return;
		const made = [...this.now.values()].map(({ sending, receipt }) => ({
			...receipt(),
			...sending,
		}));
		const receipts = [...this.earlier, ...made];
		if (receipts.length === 0) delete this.context.sent;
		else this.context.sent = { operation: this.operation, receipts: packReceipts(receipts) };
	}

	/** The run is done: nothing of it is tried again. */
	clear(): void {
		delete this.context.sent;
	}
}

function itemsOfReceipt({ item, basis, places }: Receipt): readonly number[] {
	return basis === undefined ? places : [item];
}

/** Tells the requests of a try apart, without keeping them. */
function keyOf({ itemIndexes, batch }: PlannedRequest): string {
	return `${itemIndexes[0]}/${batch?.part ?? 1}`;
}

/** A request of this try. */
interface Noted {
	/** The input items that it stands for. */
	rows: readonly number[];
	/** Recognizes its recipients in a later try: only failed tries need it. */
	receipt(): Omit<Receipt, keyof Sending>;
}

function noted(planned: PlannedRequest): Noted {
	const { request, batch, itemIndexes, basis, isOfFile = false } = planned;
	const rows = rowsOf(planned);
	// The number and the text of a message are those of its row. Where nobody is reached, `known` is
	// made again from what the request changes.
	const isKept = 'numbers' in request.reaches;
	const facts = {
		item: itemIndexes[0] ?? 0,
		part: batch?.part ?? 1,
		known: isKept ? omit(request.known, 'phoneNumber', 'message') : undefined,
		basis,
	};
	// Nothing keeps the rows of a file: there may be millions.
	if (isOfFile) {
		const fileRows = listAll(batch?.places ?? []);
		return { rows, receipt: () => ({ ...facts, places: readRanges(fileRows), digests: [] }) };
	}
	const receipt = () => ({
		...facts,
		places: basis === undefined ? rows : [],
		digests: whomOf(planned).map((each) => personDigest(planned, each)),
	});
	return { rows, receipt };
}

/** Enough for a check of what an index says; of 100,000 people in a typed list, no two have the same. */
const CHARACTERS = { check: 4, person: 8 };

/** Who somebody is, by the number of a request, and with which account; in each spelling the same. */
export function personDigest(
	{ account, basis }: Pick<PlannedRequest, 'account' | 'basis'>,
	number: unknown,
): string {
	const length = basis === undefined ? CHARACTERS.check : CHARACTERS.person;
	return digest([account, personOf(number)]).slice(0, length);
}

/** Something was sent that the items are not, so nothing is sent in its place. */
export function otherItems(): Failure {
	return new Failure(
		'The items differ from those of the earlier try',
		'The earlier try has sent something else from this place, or with another operation or source, so this was not sent. Restore the items and fields of the earlier try, or start a new execution with only the items that were not sent.',
		{ sent: 'possibly' },
	);
}

/** Receipts as they are stored: those of one row each that differ in place and response only are one. */
interface Packed extends Omit<Receipt, 'places' | 'digests' | 'response' | 'item'> {
	/** Undefined where each place is the item of a receipt of its own. */
	item?: number | undefined;
	places: string;
	/** All digests, each of `width` characters. */
	digests: string;
	width: number;
	responses: unknown;
}

/** Receipts as one text, as short as it can be: n8n stores it with a failed execution. */
export function packReceipts(receipts: readonly Receipt[]): string {
	const [single, others] = partition(receipts, isOfOneRow);
	const groups = groupBy(single, (each) => JSON.stringify(factsOf(each)));
	return JSON.stringify([...others.map((each) => [each]), ...Object.values(groups)].map(pack));
}

/** What JSON has of a receipt but for its place and its response. */
const factsOf = (receipt: Receipt) => {
	return {
		...receipt,
		item: undefined,
		places: undefined,
		digests: undefined,
		response: undefined,
	};
};

const isOfOneRow = ({ item, places, digests }: Receipt) =>
	places.length === 1 && places[0] === item && digests.length === 1;

/** @param group one receipt, or those of one row each */
function pack(group: Receipt[]): Packed {
	const sorted = sortBy(group, 'item');
	const [first] = sorted as [Receipt];
	const responses = map(sorted, 'response');
	return {
		...factsOf(first),
		item: isOfOneRow(first) ? undefined : first.item,
		places: packPlaces(sorted.flatMap((each) => each.places)),
		digests: sorted.flatMap((each) => each.digests).join(''),
		width: first.digests[0]?.length ?? 0,
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
