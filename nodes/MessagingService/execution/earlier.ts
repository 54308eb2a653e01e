import { attempt, countBy, groupBy, isError } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { present } from '../json';
import type { OperationInput } from '../parameters/operationInput';
import { listRanges } from '../parameters/ranges';
import { readNumberOptions, readRecipientNumber } from '../recipients/phoneNumber';
import type { Earlier, RecipientList } from '../recipients/plan';
import { sendsMessages, type ChangingOperation } from '../resources/operation';
import { otherItems, personDigest, type Receipt } from './ledger';
import { acceptedResult, digest, whomOf } from './planned';
import { failedResult, type Result } from './rows';
import type { AccountRun, Job } from './start';

/**
 * What a request of an earlier try came to.
 * @param more of it, which the receipt does not hold
 */
export function resultOfReceipt(
	operation: ChangingOperation,
	{ sent, response, httpCode, known }: Receipt,
	more: IDataObject = {},
): Result {
	if (sent === 'possibly') return notAgain(possiblySentBefore(httpCode));
	return acceptedResult(operation, response, { ...more, ...known });
}

/** What an earlier try may have sent is not sent again. */
const notAgain = (failure: Failure): Result => ({
	...failedResult(failure, 'possibly'),
	isEarlier: true,
});

/**
 * An item that the node cannot recognize is not sent.
 * @param earlier what the request of the earlier try came to, where no other item says it
 */
export function resultOfOtherItem({ records }: Pick<Result, 'records'> = {}): Result {
	return { ...notAgain(otherItems()), about: present({ created: records }) };
}

/**
 * Of a typed list in which somebody has several entries, of which not all were sent.
 * @param entries their positions in the list
 */
export function unclearEntries(entries: readonly number[]): Result {
	const failure = new Failure(
		'A person has several entries in the list, and only some were sent',
		`The retry cannot tell which, so it left these entries alone: ${listRanges(entries.map((entry) => entry + 1))} (of the list, from 1). Check in the service before you send any of them again.`,
		{ sent: 'possibly' },
	);
	return notAgain(failure);
}

export function possiblySentBefore(httpCode: string | undefined): Failure {
	const status = httpCode === undefined ? '' : ` The service responded with status ${httpCode}.`;
	return new Failure(
		'Possibly sent before',
		`An identical request of this execution ended without a readable response, so it may have been accepted. It was not sent again: check in the service, and send it only if it is not there.${status}`,
		{ sent: 'possibly', httpCode },
	);
}

/** What an earlier try has sent for an input item that has a request of its own; undefined if nothing. */
export function earlierOfItem(run: AccountRun, input: OperationInput): Result | undefined {
	const { ledger, operation } = run;
	const [receipt] = ledger?.of(input.itemIndexes[0] ?? 0) ?? [];
	if (receipt === undefined) return undefined;
	const now = attempt(() => whomNow(run, input));
	const { whom, known } = isError(now) ? {} : now;
	const result = resultOfReceipt(operation, receipt, known);
	const [then = ''] = receipt.digests;
	if (whom === then) return result;
	ledger?.moved.add(then);
	return resultOfOtherItem(result);
}

/**
 * Whether a job reaches somebody to whom an earlier try has sent for another item, which reaches
 * somebody else now.
 */
export function reachesMoved({ run: { ledger }, requests }: Job): boolean {
	if (ledger === undefined || ledger.moved.size === 0) return false;
	return requests.some((planned) =>
		whomOf(planned).some((each) => ledger.moved.has(personDigest(planned, each))),
	);
}

/**
 * Notes those whom earlier tries have reached with the typed list of an item, and who are not in it.
 * @param now who is in it; nobody where it cannot be read
 */
export function noteMoved(
	{ ledger }: AccountRun,
	receipts: readonly Receipt[],
	now: ReadonlySet<string>,
): void {
	for (const { digests } of receipts) {
		for (const then of digests) if (!now.has(then)) ledger?.moved.add(then);
	}
}

/**
 * Whom an input item reaches now, or what it changes, as a digest; and what its output says that the
 * receipt does not hold.
 * @throws what is wrong with the fields that say it
 */
function whomNow(
	{ operation, accountKey: account }: AccountRun,
	input: OperationInput,
): { whom: string; known: IDataObject } {
	if (!sendsMessages(operation)) {
		const request = operation.request(input);
		const [changed] = whomOf({ itemIndexes: input.itemIndexes, request, account });
		return { whom: personDigest({ account }, changed), known: { ...request.known } };
	}
	const entered = input.parameters.value('phoneNumber', 'Phone Number');
	const { number } = readRecipientNumber(entered, readNumberOptions(input));
	const request = attempt(() => operation.request(input));
	// The text is the one that the row has now.
	const { message } = isError(request) ? {} : { ...request.body };
	return {
		whom: personDigest({ account }, number),
		known: { phoneNumber: number, sent: 'yes', reason: '', message },
	};
}

/** With which account a typed list is sent, and as whose its numbers without country code are read. */
export function basisOf(
	{ accountKey }: AccountRun,
	{ isItems, options }: RecipientList,
): string | undefined {
	return isItems ? undefined : digest([accountKey, options.numbers.defaultCountry]);
}

/**
 * Finds the recipients of a list that earlier tries have sent to.
 * @param basis of the list now
 * @throws Failure where nobody can tell
 */
export function findEarlier(
	run: AccountRun,
	receipts: readonly Receipt[],
	list: RecipientList,
	basis: string | undefined,
): ReadonlyMap<number, Earlier> {
	if (receipts.length === 0) return new Map();
	const account = run.accountKey;
	const people = list.people().map(({ place, number }): Recognized => {
		return { place, person: personDigest({ account, basis }, number) };
	});
	if (list.isItems) return findItems(run, receipts, people);
	noteMoved(run, receipts, new Set(people.map(({ person }) => person)));
	if (receipts.some((each) => each.basis !== basis)) throw otherItems();
	return findEntries(receipts, people, list.options.duplicate === 'send');
}

/** Somebody on the list, with the digest by which a try knows whom an earlier one has reached. */
interface Recognized {
	place: number;
	person: string;
}

/**
 * Finds input items by their indexes, and notes their outcomes. An item that reaches somebody
 * else now is not sent, nor is one that reaches somebody whose own item does so.
 */
function findItems(
	{ rows, operation }: AccountRun,
	receipts: readonly Receipt[],
	people: readonly Recognized[],
): ReadonlyMap<number, Earlier> {
	const now = new Map(people.map(({ place, person }) => [place, person]));
	const found = new Map<number, Earlier>();
	const moved = new Set<string>();
	for (const receipt of receipts) {
		// The others are those of other accounts.
		const own = receipt.places.filter((row) => now.has(row));
		receipt.places.forEach((row, index) => {
			const then = receipt.digests[index] ?? '';
			if (!now.has(row)) return;
			found.set(row, now.get(row) === then ? 'known' : 'differs');
			if (now.get(row) !== then) moved.add(then);
		});
		const result = resultOfReceipt(operation, receipt);
		const known = own.filter((row) => found.get(row) === 'known');
		if (known.length > 0) rows.set(known, result);
		else rows.set(own.slice(0, 1), resultOfOtherItem(result));
		rows.set(own, resultOfOtherItem());
	}
	for (const { place, person } of people) {
		if (found.has(place) || !moved.has(person)) continue;
		found.set(place, 'differs');
		rows.set([place], resultOfOtherItem());
	}
	return found;
}

/**
 * Finds the entries of a typed list by their people. Of several entries of one person, of which not
 * all were sent, nobody can tell which ones are left.
 * @param isEachSent whether a request goes to each of them, not only to the first
 */
function findEntries(
	receipts: readonly Receipt[],
	people: readonly Recognized[],
	isEachSent: boolean,
): ReadonlyMap<number, Earlier> {
	const sentTimes = countBy(receipts.flatMap(({ digests }) => digests));
	const found = new Map<number, Earlier>();
	for (const [person, entries] of Object.entries(groupBy(people, 'person'))) {
		const times = sentTimes[person] ?? 0;
		if (times === 0) continue;
		const own = isEachSent ? entries : entries.slice(0, 1);
		for (const { place } of own) found.set(place, times >= own.length ? 'known' : 'differs');
	}
	return found;
}
