import { randomUUID } from 'crypto';
import { clamp, partition, range, sortedUniq, sumBy, union } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { Failure } from '../failure';
import { numbersIn } from '../reach';
import { messageOf } from '../texts';
import type { Sending } from './ledger';
import { digest, whomOf, type PlannedRequest } from './planned';

/*
 * Each failed execution is continued by one retry, and one that was killed while it reached many
 * people by none. n8n starts each retry with what the execution has saved: two of them would both
 * send the rest, and of a killed one nothing is saved.
 *
 * What is kept where:
 * - Flow context, saved with a failed execution and handed to its retries: in which execution the
 *   first Messaging Service node ran (`flowMemory`).
 * - Node context, handed on likewise: `NodeMemory`, and what was sent (`Ledger`).
 * - n8n's store behind Remove Duplicates, which all executions share (`addTexts`): the claims
 *   `retried/<owner>`, for ever, and the marks
 *   `running/<day>/<digest of a person>` of today and the next days, while a run sends.
 * - This process: the claims in progress.
 */

/** What all Messaging Service nodes of an execution share, as plain JSON. */
interface FlowMemory {
	/** The execution in which the first of them ran; its retries inherit it. */
	execution: string;
	/** What agents have sent, or possibly sent, by digests of the requests. */
	sentByAgent?: Record<string, Sending>;
}

/**
 * What is kept in n8n's context of the whole execution, which n8n saves with a failed execution and
 * hands to its retries. The first node that asks makes it.
 */
export function flowMemory(context: IExecuteFunctions): FlowMemory {
	const flow = context.getContext('flow') as { messagingService?: FlowMemory };
	flow.messagingService ??= { execution: context.getExecutionId() };
	return flow.messagingService;
}

/** What is kept in the node's context, as plain JSON. */
interface NodeMemory {
	/** The execution that may send what the record leaves open; without it, that of the flow. */
	owner?: string;
	/** The people of the marks of the first run that reached many: a retry begins with that run as well. */
	firstMarks?: string[];
	/** Whose marks the runs with this record have met, and whether they are ours to take out of the store. */
	marks?: Record<string, boolean>;
	/** The tries of Retry On Fail that have failed. */
	tries?: number;
}

/** From so many people on, a run that is killed must not be repeated by its retry. */
const MANY_PEOPLE = 10;

/** How many of its people mark a run: a list that has changed a little still has most of them. */
const MARKED_PEOPLE = 5;

/** How often a retry is claimed while other processes write at the same time. */
const MOST_ATTEMPTS = 10;

/** The claims in progress, by the node's context: simultaneous calls of a tool share one. */
const claims = new WeakMap<object, Promise<void>>();

const nodeMemory = (context: IExecuteFunctions) => context.getContext('node') as NodeMemory;
const isRetry = (context: IExecuteFunctions) => context.getMode() === 'retry';

/**
 * Makes sure that no other retry of the same execution sends.
 * @param isSending whether the run is about to send anything
 * @throws Failure where another one has claimed it before, or the store fails
 */
export async function claimRetry(context: IExecuteFunctions, isSending: boolean): Promise<void> {
	const node = nodeMemory(context);
	const execution = context.getExecutionId();
	// The first node of an execution notes it, whether it sends or not.
	const { execution: first } = flowMemory(context);
	const owner = node.owner ?? first;
	if (owner === execution || !isSending || !isRetry(context)) return;
	const claiming = claims.get(node) ?? claimFrom(context, owner, execution);
	claims.set(node, claiming);
	try {
		await claiming;
		node.owner = execution;
	} finally {
		claims.delete(node);
	}
}

/**
 * Claims the retry of an execution. n8n's store reads, changes and writes one list without a lock, so
 * of two that claim simultaneously, one loses what it has written. A claim counts if its token is
 * still there when all changes that were in progress have ended. Asking stores a token again, so each
 * attempt has its own.
 */
async function claimFrom(
	context: IExecuteFunctions,
	owner: string,
	execution: string,
): Promise<void> {
	const claim = `retried/${owner}`;
	for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
		const token = `${claim}/${execution}/${randomUUID()}`;
		const before = await reserve(context, [claim, token]);
		if (before.has(claim)) throw retriedBefore(owner);
		await sleep(SETTLE_MS * (1 + Math.random() / 4));
		if ((await reserve(context, [token])).has(token)) return;
	}
	throw notReserved('other retries are running');
}

/**
 * Whether a run reaches many people.
 * @param reached how many earlier tries have reached
 */
export function reachesMany(requests: readonly PlannedRequest[], reached: number): boolean {
	const people = sumBy(requests, ({ request }) => numbersIn(request.reaches)?.length ?? 0);
	return people + reached >= MANY_PEOPLE;
}

/**
 * Marks that a run reaches many people, until `unmarkRuns` or for three days. n8n keeps nothing of an
 * execution that is killed or cancelled, so its retry would send everything again. Each try and each
 * round of a loop has the marks of the first one as well, with which a retry begins.
 * @throws Failure in a retry, where an execution that it has no record of has left a mark
 */
export async function markRun(
	context: IExecuteFunctions,
	requests: readonly PlannedRequest[],
): Promise<void> {
	const own = peopleOf(requests.flatMap(({ request }) => whomOf(request)));
	const node = nodeMemory(context);
	node.firstMarks ??= own;
	const known = (node.marks ??= {});
	const people = union(node.firstMarks, own).filter((each) => known[each] !== true);
	const marks = people.flatMap(marksOf);
	if (marks.length === 0) return;
	const before = isRetry(context)
		? await reserve(context, marks)
		: await addTexts(context, marks, 1).catch(() => undefined);
	// A first run whose marks cannot be stored sends all the same.
	if (before === undefined) return;
	const [found, added] = partition(people, (each) => before.has(markOf(each, 0)));
	if (isRetry(context) && found.some((each) => known[each] === undefined)) {
		await forget(context, added);
		throw interrupted();
	}
	for (const each of people) known[each] = added.includes(each);
	confirmMarks(context, node, added.flatMap(marksOf));
}

/** As many last digits of a number as each of its spellings has. */
const LAST_DIGITS = 8;

/** The digests of a few people, by what each try has, even with other fields: the end of their numbers. */
function peopleOf(people: readonly unknown[]): string[] {
	let first: string[] = [];
	for (const each of people) {
		const end = String(each).replace(/\D/g, '').slice(-LAST_DIGITS);
		const largest = first[MARKED_PEOPLE - 1];
		if (largest !== undefined && end >= largest) continue;
		first = sortedUniq([...first, end].sort()).slice(0, MARKED_PEOPLE);
	}
	return first.map((each) => digest([each]));
}

/** How many days a mark counts after its own. */
const MARKED_DAYS = 3;
const DAY_MS = 86_400_000;

/** The mark of somebody on a day that is so many days ahead, in UTC. */
function markOf(person: string, days: number): string {
	return `running/${Math.floor(Date.now() / DAY_MS) + days}/${person}`;
}

/** A mark for each day on which a retry may look for it. */
const marksOf = (person: string) => range(MARKED_DAYS + 1).map((days) => markOf(person, days));

/** The confirmations in progress, by the node's context, until the run ends. */
const confirmations = new WeakMap<object, { isEnded: boolean; writing?: Promise<unknown> }>();

/**
 * Stores marks again, until they are found: a run that was marked or has ended at the same moment may
 * have overwritten them. Nobody waits for it: a run that ends sooner needs no marks.
 */
function confirmMarks(context: IExecuteFunctions, node: NodeMemory, marks: string[]): void {
	const confirmation = confirmations.get(node) ?? { isEnded: false };
	confirmations.set(node, confirmation);
	const confirm = async () => {
		for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
			await sleep(SETTLE_MS * (1 + Math.random()));
			if (confirmation.isEnded) return;
			const writing = addTexts(context, marks).catch(() => undefined);
			confirmation.writing = writing;
			if ((await writing)?.size === marks.length) return;
		}
	};
	void confirm();
}

/** The run has ended in a way that n8n saves. */
export async function unmarkRuns(context: IExecuteFunctions): Promise<void> {
	const node = nodeMemory(context);
	const confirmation = confirmations.get(node);
	if (confirmation !== undefined) {
		confirmation.isEnded = true;
		confirmations.delete(node);
		await confirmation.writing;
	}
	const { marks = {} } = node;
	const own = Object.keys(marks).filter((each) => marks[each]);
	await forget(context, own);
	for (const each of own) marks[each] = false;
}

/** Takes people's marks out of the store. One that stays refuses retries at most, never a new execution. */
async function forget({ helpers, logger }: IExecuteFunctions, people: string[]): Promise<void> {
	if (people.length === 0) return;
	try {
		await persistently(ATTEMPTS, async () =>
			helpers.removeProcessed(people.flatMap(marksOf), 'node', OPTIONS),
		);
	} catch (error) {
		logger.warn('Could not store that this run has ended', { error });
	}
}

/** Counts a try. @returns whether n8n runs the node once more, as its Retry On Fail is set */
export function countTry(context: IExecuteFunctions, hasFailed: boolean): boolean {
	const { retryOnFail, maxTries } = context.getNode();
	const node = nodeMemory(context);
	const tries = (node.tries ?? 0) + 1;
	// n8n's own reading of the setting.
	const isAgain = hasFailed && retryOnFail === true && tries < clamp(Number(maxTries) || 3, 2, 5);
	if (isAgain) node.tries = tries;
	else delete node.tries;
	return isAgain;
}

/** @throws Failure where the store fails: then nothing may be sent */
async function reserve(context: IExecuteFunctions, texts: string[]): Promise<Set<string>> {
	try {
		return await addTexts(context, texts);
	} catch (error) {
		throw notReserved(messageOf(error));
	}
}

/** Why a retry sends nothing. Whether another one has sent is not known here. */
function refusedRetry(title: string, advice: string): Failure {
	return new Failure(title, advice, { sent: 'possibly' });
}

function retriedBefore(owner: string): Failure {
	return refusedRetry(
		`Execution ${owner} was retried before, so this retry sent nothing`,
		`Retry its first retry instead, which knows what was sent: the list of executions shows it as a retry of ${owner}. If that one was killed or canceled, check in the service what it sent, and start a new execution with only the items that were not sent.`,
	);
}

function interrupted(): Failure {
	return refusedRetry(
		'An earlier execution with these rows was interrupted while it sent',
		'This node sent nothing now: n8n does not know how far the other one came. Check in the service what was sent, then start a new execution with only the items that were not sent.',
	);
}

function notReserved(reason: string): Failure {
	return refusedRetry(
		'This retry could not be reserved in the n8n database',
		`This retry sent nothing (${reason}). Retry again. If that says that the execution was retried before, start a new execution with only the items that were not sent.`,
	);
}

/**
 * How long a claim must have been stored before it counts. n8n's store reads, changes and writes a
 * whole list without a lock: a process that writes at the same time may remove a claim just made.
 */
const SETTLE_MS = 1000;

const ATTEMPTS = 5;

/** n8n removes the oldest texts beyond so many. */
const OPTIONS = { mode: 'entries', maxEntries: 10_000 } as const;

/**
 * Adds texts to the store behind n8n's Remove Duplicates node, which outlives executions. It keeps
 * only hashes of the texts, for this node of this workflow.
 * @returns those that it had before
 */
async function addTexts(
	{ helpers }: IExecuteFunctions,
	texts: string[],
	attempts = ATTEMPTS,
): Promise<Set<string>> {
	const { processed } = await persistently(attempts, async () =>
		helpers.checkProcessedAndRecord(texts, 'node', OPTIONS),
	);
	return new Set(processed.map(String));
}

/** The database may be busy, and of two executions that store the first text of the node, one fails. */
async function persistently<Result>(
	attempts: number,
	change: () => Promise<Result>,
): Promise<Result> {
	let problem: unknown;
	for (let attempt = 1; attempt <= attempts; attempt++) {
		if (attempt > 1) await sleep((SETTLE_MS / 4) * (1 + Math.random()));
		try {
			return await change();
		} catch (error) {
			problem = error;
		}
	}
	throw problem;
}
