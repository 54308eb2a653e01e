import { attempt, countBy, groupBy, isError, map } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { present } from '../json';
import type { OperationInput } from '../parameters/operationInput';
import { readNumberOptions, readRecipientNumber } from '../recipients/phoneNumber';
import type { RecipientList } from '../recipients/plan';
import { isChanging, sendsMessages, type Operation } from '../resources/operation';
import { ACCEPTED_EARLIER } from '../resources/shared/outcomes';
import { otherItems, personDigest, type Sending } from './ledger';
import { acceptedResult, digest, whomOf } from './planned';
import type { Receipt } from './receipts';
import {
	failedResult,
	NOTHING_EARLIER,
	type EarlierOfList,
	type PartOfList,
	type Result,
	type Rows,
} from './rows';
import type { CredentialRun, Job, Run } from './start';

/** What earlier tries have sent of the message, list or file of some input items. */
export function receiptsOf(
	{ ledger, kind }: Run,
	[first = 0]: readonly number[],
): readonly Receipt[] {
	return (kind === 'allItems' ? ledger?.earlier : ledger?.ofItem(first)) ?? [];
}

/**
 * What a request of an earlier try came to.
 * @param more of it, which the receipt does not hold
 */
export function resultOfReceipt(
	{ operation }: Run,
	{ output, ...sending }: Receipt,
	more: IDataObject = {},
): Result {
	const reason = ACCEPTED_EARLIER;
	return resultOfSending(operation, sending, { ...more, ...output }, { reason });
}

/**
 * What a request came to that is not sent again.
 * @param output what its output says beside the response
 * @param about more of that, where it was accepted
 */
export function resultOfSending(
	operation: Operation,
	{ sent, response, httpCode }: Sending,
	output: IDataObject | undefined,
	about: IDataObject,
): Result {
	return sent === 'yes' && isChanging(operation)
		? acceptedResult(operation, response, output, about)
		: failedResult(possiblySentBefore(httpCode), 'possibly');
}

/**
 * An item that the node cannot recognize is not sent.
 * @param earlier what the request of the earlier try came to, where no other item says it
 */
function resultOfOtherItem({ records }: Pick<Result, 'records'> = {}): Result {
	return { ...failedResult(otherItems(), 'possibly'), errorFields: present({ created: records }) };
}

function possiblySentBefore(httpCode: string | undefined): Failure {
	const status = httpCode === undefined ? '' : ` The service responded with status ${httpCode}.`;
	return new Failure(
		'Possibly sent before',
		`An identical request of this execution ended without a readable response, so it may have been accepted. It was not sent again: check in the service, and send it only if it is not there.${status}`,
		{ sent: 'possibly', isEarlier: true, httpCode },
	);
}

/** Notes what earlier tries have sent for input items of which nothing is sent now. */
export function settleEarlier(run: Run, itemIndexes: readonly number[]): void {
	const asked = new Set(itemIndexes);
	for (const receipt of receiptsOf(run, itemIndexes)) {
		// A list or file in one item may be open in part; places of a file are its own rows.
		if (receipt.basis !== undefined) continue;
		const own = receipt.places.filter((row) => asked.has(row));
		setEarlier(run.rows, receipt, own, resultOfReceipt(run, receipt, asWritten(run, own[0])));
	}
}

/**
 * A campaign is listed once: by the first of its rows, also where these have several credentials now,
 * and so are settled apart.
 */
function setEarlier(rows: Rows, receipt: Receipt, own: readonly number[], result: Result): void {
	const isListed = receipt.places.some((row) => rows.outcomeOf(row)?.records !== undefined);
	rows.set(own, isListed ? { ...result, records: [] } : result);
}

/** What a row has of its message, which no receipt holds. */
function asWritten({ rows }: Run, row = 0): IDataObject {
	const { message } = rows.messageOf(row) ?? {};
	return present({ phoneNumber: rows.phoneNumberOf(row), message: message as string | undefined });
}

/** What an earlier try has sent for an input item that has a request of its own; undefined if nothing. */
export function earlierOfItem(run: CredentialRun, input: OperationInput): Result | undefined {
	const [receipt] = receiptsOf(run, input.itemIndexes);
	if (receipt === undefined) return undefined;
	const { whom, output } = whomNow(run, input);
	const [then = ''] = receipt.digests;
	if (whom === undefined || whom === then) return resultOfReceipt(run, receipt, output);
	noteMoved(run, [receipt]);
	// What the item says now is about somebody else.
	return resultOfOtherItem(resultOfReceipt(run, receipt));
}

/**
 * Whom an input item reaches now, or what it changes, as a digest, and what its output says that the
 * receipt does not hold. Without `whom`, its fields do not tell: it counts as reaching whom it did.
 */
function whomNow(
	run: CredentialRun,
	input: OperationInput,
): { whom?: string; output: IDataObject } {
	const { operation, clientKey, rows } = run;
	const [row = 0] = input.itemIndexes;
	const request = attempt(() => operation.request(input));
	if (!isError(request)) {
		const [whom] = whomOf(request);
		return { whom: personDigest({ clientKey }, whom), output: { ...request.output } };
	}
	const output = asWritten(run, row);
	if (!sendsMessages(operation)) return { output };
	// The number counts, also where the text is wrong.
	const { phoneNumber } = rows.messageOf(row) ?? {};
	const reading = attempt(() => readRecipientNumber(phoneNumber, readNumberOptions(input)));
	if (isError(reading) || reading.problem !== undefined) return { output };
	const { number } = reading;
	return { whom: personDigest({ clientKey }, number), output: { ...output, phoneNumber: number } };
}

/**
 * Whether a job reaches somebody to whom an earlier try has sent for another item, which reaches
 * somebody else now.
 */
export function reachesMoved({ run: { ledger }, requests }: Job): boolean {
	if (ledger === undefined || ledger.moved.size === 0) return false;
	return requests.some((planned) =>
		whomOf(planned.request).some((each) => ledger.moved.has(personDigest(planned, each))),
	);
}

/** With which account a typed list is sent, and how its numbers are read and written. */
export function basisOfList(
	{ clientKey }: CredentialRun,
	{ isItems, options }: RecipientList,
): string | undefined {
	const { defaultCountry, format } = options.numbers;
	return isItems ? undefined : digest([clientKey, defaultCountry, format]);
}

/** Somebody on a list, with the digest by which a try knows whom an earlier one has reached. */
interface Recognized {
	place: number;
	person: string;
	/** Whether the number is one. */
	isNumber: boolean;
}

/** @throws Failure where nobody can tell whom earlier tries have sent to */
export function findEarlier(
	run: CredentialRun,
	receipts: readonly Receipt[],
	list: RecipientList,
): EarlierOfList {
	if (receipts.length === 0) return NOTHING_EARLIER;
	const basis = basisOfList(run, list);
	const scope = { clientKey: run.clientKey, basis };
	const people = list.people().map(({ number, ...each }): Recognized => ({
		...each,
		person: personDigest(scope, number),
	}));
	if (list.isItems) return { ...NOTHING_EARLIER, places: findItems(run, receipts, people) };
	const now = new Set(map(people, 'person'));
	noteMoved(run, receipts, now);
	if (receipts.some((each) => each.basis !== basis)) throw otherItems();
	const isEachSent = list.options.duplicate === 'send';
	const { known, unclear } = findEntries(receipts, people, isEachSent);
	const results = receipts.map((each, index): Result & PartOfList => ({
		...resultOfReceipt(run, each),
		places: known[index] ?? [],
		hasLeft: each.digests.some((person) => !now.has(person)),
	}));
	if (unclear.length > 0) results.push(unclearEntries(unclear));
	const places = new Set([...known.flat(), ...unclear]);
	const reached = new Set(receipts.flatMap(({ digests }) => digests));
	const others = people.filter(
		({ place, person }) => !places.has(place) && (isEachSent || !reached.has(person)),
	);
	return { places, results, others: map(others, 'place') };
}

/**
 * Notes those whom earlier tries have reached with the message or the typed list of an item, and who
 * are not in it any more: another item may be theirs now.
 * @param now who is in it; nobody where it cannot be read
 */
export function noteMoved(
	{ ledger }: CredentialRun,
	receipts: readonly Receipt[],
	now: ReadonlySet<string> = new Set(),
): void {
	for (const { digests } of receipts) {
		for (const then of digests) if (!now.has(then)) ledger?.moved.add(then);
	}
}

/**
 * Finds input items by their indexes, and notes their outcomes. An item that reaches somebody
 * else now is not sent, nor is one that reaches somebody whose own item does so.
 */
function findItems(
	run: CredentialRun,
	receipts: readonly Receipt[],
	people: readonly Recognized[],
): ReadonlySet<number> {
	const { rows } = run;
	const now = new Map(people.map((each) => [each.place, each]));
	const found = new Set<number>();
	const replaced = new Set<string>();
	for (const receipt of receipts) {
		const known: number[] = [];
		const others: number[] = [];
		receipt.places.forEach((row, index) => {
			const { person, isNumber } = now.get(row) ?? {};
			// One that is not there is of another account.
			if (person === undefined) return;
			const then = receipt.digests[index] ?? '';
			const isSame = person === then || isNumber === false;
			if (!isSame) replaced.add(then);
			(isSame ? known : others).push(row);
			found.add(row);
		});
		const result = resultOfReceipt(run, receipt);
		setEarlier(rows, receipt, known, result);
		// Where no item says what was sent, the first of the others does.
		if (known.length === 0) rows.set(others.slice(0, 1), resultOfOtherItem(result));
		rows.set(others, resultOfOtherItem());
	}
	for (const { place, person } of people) {
		if (found.has(place) || !replaced.has(person)) continue;
		found.add(place);
		rows.set([place], resultOfOtherItem());
	}
	return found;
}

/**
 * Finds the entries of a typed list by their people. Of several entries of one person, of which not
 * all were sent, nobody can tell which ones are left.
 * @param isEachSent whether a request goes to each of them, not only to the first
 * @returns `known`: those of each receipt
 */
function findEntries(
	receipts: readonly Receipt[],
	people: readonly Recognized[],
	isEachSent: boolean,
): { known: number[][]; unclear: number[] } {
	const sentTimes = countBy(receipts.flatMap(({ digests }) => digests));
	const entriesOf = new Map<string, number[]>();
	const unclear: number[] = [];
	for (const [person, entries] of Object.entries(groupBy(people, 'person'))) {
		const own = map(isEachSent ? entries : entries.slice(0, 1), 'place');
		const times = sentTimes[person] ?? 0;
		if (times >= own.length) entriesOf.set(person, own);
		else if (times > 0) unclear.push(...own);
	}
	const known = receipts.map(({ digests }) =>
		digests.flatMap((person) => entriesOf.get(person)?.shift() ?? []),
	);
	return { known, unclear };
}

/** @param places of the entries */
function unclearEntries(places: readonly number[]): Result & PartOfList {
	const failure = new Failure(
		'A person has several entries in the list, and only some were sent',
		'The retry cannot tell which, so it left all of them alone. Check in the service which were sent.',
		{ sent: 'possibly', isEarlier: true },
	);
	return { ...failedResult(failure, 'possibly'), places };
}
