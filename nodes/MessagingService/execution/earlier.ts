import { attempt, isError } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import type { OperationInput } from '../parameters/operationInput';
import { personOf, readNumberOptions, readRecipientNumber } from '../recipients/phoneNumber';
import type { Earlier, Person, RecipientList } from '../recipients/plan';
import { reachesPeople, sendsMessages, type ChangingOperation } from '../resources/operation';
import { rowDigest, traceOf, whomOf } from './job';
import { otherItems } from './ledger';
import type { Receipt } from './receipts';
import { findEntries, findRows } from './recognize';
import { failedResult, type Result } from './rows';
import { inputFor, type SendingRun } from './start';
import { Turns } from './turns';

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
	noteNumbers: (run: SendingRun, input: OperationInput) => void,
): Promise<ReadonlySet<string>> {
	const [{ operation, ledger, rows }] = runs as [SendingRun];
	const receipts = new Map((ledger?.earlier ?? []).map((receipt) => [receipt.item, receipt]));
	const now = new Map<number, Whom | undefined>();
	if (operation.recipients !== undefined) return new Set();
	const turns = new Turns();
	for (const run of runs) {
		for (const row of run.own) {
			if (!receipts.has(row)) continue;
			const input = inputFor(run, [row]);
			noteNumbers(run, input);
			const whom = attempt(() => whomNow(run, row, input));
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
function whomNow({ operation, accountKey }: SendingRun, row: number, input: OperationInput): Whom {
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
