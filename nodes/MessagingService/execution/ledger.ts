import { omit, sumBy } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { Failure } from '../failure';
import { personOf } from '../recipients/phoneNumber';
import { digest, rowsOf, whomOf, type PlannedRequest } from './planned';
import { packPlaces, packReceipts, unpackPlaces, unpackReceipts, type Receipt } from './receipts';

/** What is remembered of a request that was sent, or possibly sent. */
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
	/** The requests of this try. */
	private readonly now = new Map<string, { receipt: ReceiptMaker; sending: Sending }>();

	/**
	 * @param operation resource, operation, and source of the recipients
	 * @throws Failure where an earlier try has sent with another one
	 */
	constructor(context: IExecuteFunctions, operation: string) {
		this.operation = operation;
		this.context = context.getContext('node') as { sent?: StoredLedger };
		const { sent } = this.context;
		if (sent !== undefined && sent.operation !== operation) throw otherItems();
		this.earlier = sent === undefined ? [] : unpackReceipts(sent.receipts);
		for (const receipt of this.earlier) {
			const own = this.byItem.get(receipt.item);
			if (own === undefined) this.byItem.set(receipt.item, [receipt]);
			else own.push(receipt);
		}
	}

	/** The receipts of the message, list or file of an input item. */
	ofItem(item: number): readonly Receipt[] {
		return this.byItem.get(item) ?? [];
	}

	/** How many people earlier tries have reached, or possibly reached. */
	get reached(): number {
		return sumBy(this.earlier, ({ places, digests }) => Math.max(places.length, digests.length));
	}

	/** Notes a request: before it goes out that it is possibly sent, then what it came to. */
	note(planned: PlannedRequest, sending: Sending): void {
		const key = keyOf(planned);
		const { receipt = receiptMaker(planned) } = this.now.get(key) ?? {};
		this.now.set(key, { receipt, sending });
	}

	/** It is certain that a request was not accepted. */
	forget(planned: PlannedRequest): void {
		this.now.delete(keyOf(planned));
	}

	/** The try has ended, and there may be another one. */
	save(): void {
		const made = [...this.now.values()].map(({ sending, receipt }) => ({
			...receipt(),
			...sending,
		}));
		const receipts = [...this.earlier, ...made];
		if (receipts.length === 0) this.clear();
		else this.context.sent = { operation: this.operation, receipts: packReceipts(receipts) };
	}

	/** The run is done: nothing of it is tried again. */
	clear(): void {
		delete this.context.sent;
	}
}

/** Tells the requests of a try apart, without keeping them. */
function keyOf({ itemIndexes, block }: PlannedRequest): string {
	return `${itemIndexes[0]}/${block?.part ?? 1}`;
}

/** Makes what recognizes the recipients of a request in a later try: only failed tries need it. */
type ReceiptMaker = () => Omit<Receipt, keyof Sending>;

function receiptMaker(planned: PlannedRequest): ReceiptMaker {
	const { request, block, itemIndexes, basis, isOfFile } = planned;
	// The number and the text of a message are those of its row. Where nobody is reached, `output` is
	// made again from what the request changes.
	const isKept = 'numbers' in request.reaches;
	const output = isKept ? omit(request.output, 'phoneNumber', 'message') : undefined;
	const facts = { item: itemIndexes[0] ?? 0, part: block?.part ?? 1, output, basis };
	return isOfFile ? ofFile(facts, packPlaces(block?.places ?? [])) : ofPeople(facts, planned);
}

type Facts = Omit<ReturnType<ReceiptMaker>, 'places' | 'digests'>;

/** Keeps no rows, of which there may be millions: a function of its own has nothing else in reach. */
function ofFile(facts: Facts, places: string): ReceiptMaker {
	return () => ({ ...facts, places: unpackPlaces(places), digests: [] });
}

function ofPeople(facts: Facts, planned: PlannedRequest): ReceiptMaker {
	return () => ({
		...facts,
		places: planned.basis === undefined ? rowsOf(planned) : [],
		digests: whomOf(planned.request).map((each) => personDigest(planned, each)),
	});
}

/** Enough for a check of what an index says; of 100,000 people in a typed list, no two have the same. */
const CHARACTERS = { check: 4, person: 8 };

/** Who somebody is, by the number of a request, and with which account; in each spelling the same. */
export function personDigest(
	{ clientKey, basis }: Pick<PlannedRequest, 'clientKey' | 'basis'>,
	number: unknown,
): string {
	const length = basis === undefined ? CHARACTERS.check : CHARACTERS.person;
	return digest([clientKey, personOf(number)]).slice(0, length);
}

/** The number of the next campaign: names of voice campaigns are unique. */
export function nextPart(receipts: readonly Receipt[]): number {
	return 1 + Math.max(0, ...receipts.map(({ part }) => part));
}

/** Something was sent that the items are not, so nothing is sent in its place. */
export function otherItems(): Failure {
	return new Failure(
		'The items differ from those of the earlier try',
		'The earlier try has sent something else from this place, or with another operation, source, account or Base URL, or has read or written phone numbers or the file otherwise, so this was not sent. If this try has sent nothing, restore the fields of the earlier one and retry this one. Otherwise check in the service which items were sent, and start a new execution with the others.',
		{ sent: 'possibly', isEarlier: true },
	);
}
