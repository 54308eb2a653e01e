import { attempt, countBy, groupBy, isEmpty, isError, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import type { Batch } from '../parameters/operationInput';
import { personOf, readNumberOptions, readRecipientNumber } from '../recipients/phoneNumber';
import type { Earlier, Person, RecipientList } from '../recipients/plan';
import { reachesPeople, sendsMessages, type ChangingOperation } from '../resources/operation';
import {
	digest,
	rowDigest,
	traceOf,
	whomOf,
	type Receipt,
	type SeveralEntries,
	type Trace,
} from './planned';
import { otherItems } from './ledger';
import { failedResult, type Result } from './rows';
import { inputFor, type SendingRun } from './start';
import { Turns } from '../transport/concurrency';

/**
 * What a request of an earlier try came to.
 * @param known more of it, which the receipt does not hold
 */
export function ofReceipt(
	operation: ChangingOperation,
	{ sent, response, httpCode, known }: Receipt,
	more: IDataObject = {},
): Result {
	if (sent === 'possibly') {
		return { ...failedResult(possiblySentBefore(httpCode), 'possibly'), isEarlier: true };
	}
	const record = operation.result(response, { ...more, ...known });
	const about = reachesPeople(operation) ? { ...record, ...known, sent: 'yes' } : record;
	return { sent: 'yes', records: [about] };
}

/**
 * An item that the node cannot recognize is not sent.
 * @param earlier what the request of the earlier try came to, where no other item says it
 */
export function ofOtherItem({ records }: Pick<Result, 'records'> = {}): Result {
	const about = records === undefined ? {} : { about: { created: records } };
	return {
		...failedResult(otherItems({ sent: 'possibly' }), 'possibly'),
		isEarlier: true,
		...about,
	};
}

export function possiblySentBefore(httpCode: string | undefined): Failure {
	const status = httpCode === undefined ? '' : ` The service responded with status ${httpCode}.`;
	return new Failure(
		'Possibly sent before',
		`An identical request of this execution ended without a readable response, so it may have been accepted. It was not sent again: check in the service, and send it only if it is not there.${status}`,
		{ sent: 'possibly', httpCode },
	);
}

/** Whom an input item reaches now, or what it changes. */
interface Whom {
	whom: unknown;
	digest: string;
	/** What the output says of it that the receipt does not hold. */
	known: IDataObject;
}

/**
 * Notes what became of the input items that earlier tries have sent, each with a request of its own.
 * @returns the digests of whom they have reached, where it is not whom they reach now
 */
export async function settleSingles(
	runs: readonly SendingRun[],
	{ earlier }: { earlier: unknown[] },
): Promise<ReadonlySet<string>> {
	const [{ operation, ledger, rows }] = runs as [SendingRun];
	const receipts = new Map((ledger?.earlier ?? []).map((receipt) => [receipt.item, receipt]));
	const now = new Map<number, Whom | undefined>();
	if (operation.recipients !== undefined || receipts.size === 0) return new Set();
	const turns = new Turns();
	for (const run of runs) {
		for (const row of run.own) {
			if (!receipts.has(row)) continue;
			const whom = attempt(() => whomNow(run, row));
			now.set(row, isError(whom) ? undefined : whom);
			await turns.give();
		}
	}
	const digests = new Map([...now].map(([row, whom]) => [row, whom?.digest] as const));
	const { found, moved } = findRows([...receipts.values()], digests);
	for (const [row, receipt] of receipts) {
		const { whom, known } = now.get(row) ?? {};
		const result = ofReceipt(operation, receipt, known);
		if (found.has(row)) rows.set([row], found.get(row) === 'known' ? result : ofOtherItem(result));
		if (whom !== undefined) earlier.push(whom);
	}
	return moved;
}

/** @throws what is wrong with the fields that say it */
function whomNow(run: SendingRun, row: number): Whom {
	const { operation, accountKey } = run;
	const input = inputFor(run, [row]);
	if (sendsMessages(operation)) {
		const entered = input.parameters.value('phoneNumber', 'Phone Number');
		const { number } = readRecipientNumber(entered, readNumberOptions(input));
		const digest = rowDigest(accountKey, personOf(number));
		const request = attempt(() => operation.request(input));
		// In the order of the columns; the text is the one that the row has now.
		const { message } = isError(request) ? {} : { ...request.body };
		return {
			whom: number,
			digest,
			known: { phoneNumber: number, sent: 'yes', reason: '', message },
		};
	}
	const request = operation.request(input);
	const planned = { itemIndexes: [row], request, account: accountKey };
	const [digest = ''] = traceOf(planned).digests;
	return { whom: whomOf(planned)[0], digest, known: { ...request.known } };
}

/** What earlier tries have sent of a list. */
export interface EarlierOfList {
	receipts: readonly Receipt[];
	/** Of a typed list: what became of the requests. */
	results: Result[];
}

export function earlierOfList(
	{ kind, ledger, operation }: SendingRun,
	itemIndexes: readonly number[],
): EarlierOfList {
	if (ledger === undefined) return { receipts: [], results: [] };
	if (kind === 'allItems') return { receipts: ledger.earlier, results: [] };
	const receipts = ledger.of(itemIndexes[0] ?? 0);
	return { receipts, results: receipts.map((each) => ofReceipt(operation, each)) };
}

/** Finds what earlier tries have sent of a list, and notes what became of it. */
export function findEarlier(
	run: SendingRun,
	list: RecipientList,
	{ receipts, results }: EarlierOfList,
	planning: { earlier: unknown[] },
): { earlier: ReadonlyMap<number, Earlier>; firstPart: number } {
	const people = list.people();
	const earlier = list.isItems
		? settleRows(run, receipts, people)
		: findEntries(receipts, list, people, run.accountKey);
	const isUnclear = !list.isItems && [...earlier.values()].includes('differs');
	if (isUnclear) results.push(ofOtherItem());
	for (const { place, number } of people) if (earlier.has(place)) planning.earlier.push(number);
	return { earlier, firstPart: Math.max(...receipts.map(({ part }) => part)) + 1 };
}

/** Notes what became of the input items of a list that earlier tries have sent. */
function settleRows(
	run: SendingRun,
	receipts: readonly Receipt[],
	people: readonly Person[],
): ReadonlyMap<number, Earlier> {
	const { rows, operation } = run;
	const account = run.accountKey;
	const digests = new Map(
		people.map(({ place, number }) => [place, rowDigest(account, personOf(number))] as const),
	);
	const { found, moved } = findRows(receipts, digests);
	for (const [row, digest] of digests) {
		if (!found.has(row) && moved.has(digest)) found.set(row, 'differs');
	}
	for (const receipt of receipts) {
		const result = ofReceipt(operation, receipt);
		// The others are those of other accounts, or are gone.
		const own = receipt.places.filter((row) => digests.has(row));
		const known = own.filter((row) => found.get(row) === 'known');
		if (known.length > 0) rows.set(known, result);
		else rows.set(own.slice(0, 1), ofOtherItem(result));
	}
	for (const [row, state] of found) if (state === 'differs') rows.set([row], ofOtherItem());
	return found;
}

/** What earlier tries have sent for input items. */
interface FoundRows {
	found: Map<number, Earlier>;
	/** Digests of those whose item reaches somebody else now: another item may be theirs. */
	moved: Set<string>;
}

/**
 * Looks up input items in what earlier tries have sent. An item is known by its index, if it reaches
 * whom it reached then.
 * @param rows their digests; undefined where nobody can tell whom an item reaches
 */
function findRows(
	receipts: readonly Receipt[],
	rows: ReadonlyMap<number, string | undefined>,
): FoundRows {
	const found = new Map<number, Earlier>();
	const moved = new Set<string>();
	for (const { places, digests } of receipts) {
		places.forEach((row, index) => {
			if (!rows.has(row)) return;
			const then = digests[index] ?? '';
			const isKnown = rows.get(row) === then;
			found.set(row, isKnown ? 'known' : 'differs');
			if (!isKnown) moved.add(then);
		});
	}
	return { found, moved };
}

/** Of 100,000 people, no two have the same. */
const PERSON_CHARACTERS = 8;

const digestOf = (text: string) => digest([text]).slice(0, PERSON_CHARACTERS);
const personDigest = ({ number }: Person) => digestOf(personOf(number));
const entryDigest = ({ candidate }: Person, numberName: string) =>
	digestOf(JSON.stringify(omit(candidate, numberName)));
const allDigest = (entries: readonly string[]) => digestOf([...entries].sort().join());

/** The entries of a typed list, as a later try recognizes them. */
interface EntryIndex {
	/** Digests of the people, by the places of their entries. */
	people: ReadonlyMap<number, string>;
	/** The entries of people who have several, by place. */
	several: ReadonlyMap<number, Omit<SeveralEntries, 'sent'> & { own: string }>;
	country?: string;
}

/** Reads all entries of a list. */
export function indexOfEntries({ people, kind, options }: RecipientList): EntryIndex {
	const { numberName } = kind;
	const { defaultCountry: country } = options.numbers;
	const all = people();
	const digests = new Map(all.map((each) => [each.place, personDigest(each)] as const));
	const several = new Map<number, Omit<SeveralEntries, 'sent'> & { own: string }>();
	for (const own of Object.values(groupBy(all, ({ place }) => digests.get(place)))) {
		if (own.length < 2) continue;
		const entries = own.map((each) => entryDigest(each, numberName));
		own.forEach(({ place }, index) => {
			const facts = { count: own.length, all: allDigest(entries), own: entries[index] ?? '' };
			several.set(place, facts);
		});
	}
	const isOpen = all.some(({ isFull }) => !isFull);
	return { people: digests, several, ...(isOpen && country !== undefined ? { country } : {}) };
}

/**
 * What recognizes the recipients of a typed list in a later try.
 * @param account what tells it from others in each try
 */
export function traceOfEntries(
	{ places = [] }: Batch,
	{ people, several: all, country }: EntryIndex,
	account: string,
): Trace {
	const several: Record<string, SeveralEntries> = {};
	for (const place of places) {
		const { own, ...facts } = all.get(place) ?? {};
		if (own === undefined || !('count' in facts)) continue;
		const person = (several[people.get(place) ?? ''] ??= { ...facts, sent: [] } as SeveralEntries);
		person.sent.push(own);
	}
	return {
		places: [],
		digests: places.map((place) => people.get(place) ?? ''),
		account: digestOf(account),
		...(country === undefined ? {} : { country }),
		...(isEmpty(several) ? {} : { several }),
	};
}

/**
 * Looks up the entries of a typed list in what earlier tries have sent: by person and, where somebody
 * has several entries, by which of them it is.
 * @throws Failure where another account or country makes them other people
 */
function findEntries(
	receipts: readonly Receipt[],
	{ kind: { numberName }, options }: RecipientList,
	people: readonly Person[],
	account: string,
): Map<number, Earlier> {
	const { defaultCountry: country } = options.numbers;
	const isOther = receipts.some(
		(each) =>
			each.account !== digestOf(account) ||
			(each.country !== undefined && each.country !== country),
	);
	if (isOther) throw otherItems({ sent: 'possibly' });
	const sentTimes = countBy(receipts.flatMap(({ digests }) => digests));
	const several = severalOf(receipts);
	const found = new Map<number, Earlier>();
	for (const [person, own] of Object.entries(groupBy(people, personDigest))) {
		const times = sentTimes[person] ?? 0;
		if (times === 0) continue;
		const { count = 1, all, sent = [] } = several[person] ?? {};
		const digests = own.map((each) => entryDigest(each, numberName));
		const isSame = all === allDigest(digests);
		const isAllSent = times >= count && own.length <= count;
		const left = [...sent];
		own.forEach(({ place }, index) => {
			const at = left.indexOf(digests[index] ?? '');
			if (at >= 0) left.splice(at, 1);
			if (at >= 0 || isAllSent || (count === 1 && index === 0)) found.set(place, 'known');
			else if (!isSame) found.set(place, 'differs');
		});
	}
	return found;
}

/** The entries of people with several, over all requests. */
function severalOf(receipts: readonly Receipt[]): Record<string, SeveralEntries> {
	const found: Record<string, SeveralEntries> = {};
	for (const { several = {} } of receipts) {
		for (const [person, entries] of Object.entries(several)) {
			const { sent = [] } = found[person] ?? {};
			found[person] = { ...entries, sent: [...sent, ...entries.sent] };
		}
	}
	return found;
}
