import { clamp } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { Failure } from '../failure';
import { messageOf } from '../texts';
import type { Sending } from './ledger';

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
 *   `retried/<owner>`, for ever (retryOnce.ts), and while a run sends the marks
 *   `running/<day>/<digest of a person>` of today and the next days (killedRuns.ts).
 * - This process: what is in progress, of claims, marks and requests of agents.
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
export interface NodeMemory {
	/** The execution that may send what the record leaves open; without it, that of the flow. */
	owner?: string;
	/** The people of the marks of the first run that reached many: a retry begins with that run as well. */
	firstMarks?: string[];
	/** Whose marks the runs with this record have met, and whether they are ours to take out of the store. */
	marks?: Record<string, boolean>;
	/** The tries of Retry On Fail that have failed. */
	tries?: number;
}

export const nodeMemory = (context: IExecuteFunctions) => context.getContext('node') as NodeMemory;
export const isRetry = (context: IExecuteFunctions) => context.getMode() === 'retry';

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

/**
 * How long after it was stored a text is looked for again. n8n's store reads, changes and writes a
 * whole list without a lock: a process that writes at the same time may remove what was just stored.
 */
export const CONFIRM_MS = 1000;

/** How often something is stored while other processes write at the same time. */
export const MOST_ATTEMPTS = 10;

const ATTEMPTS = 5;
const PAUSE_MS = 250;

/** n8n removes the oldest texts beyond so many. */
const OPTIONS = { mode: 'entries', maxEntries: 10_000 } as const;

/**
 * Adds texts to the store behind n8n's Remove Duplicates node, which outlives executions. It keeps
 * only hashes of the texts, for this node of this workflow.
 * @returns those that it had before
 */
export async function addTexts(
	{ helpers }: IExecuteFunctions,
	texts: string[],
	attempts = ATTEMPTS,
): Promise<Set<string>> {
	const { processed } = await persistently(attempts, async () =>
		helpers.checkProcessedAndRecord(texts, 'node', OPTIONS),
	);
	return new Set(processed.map(String));
}

/** Removes texts from the store. */
export async function removeTexts({ helpers }: IExecuteFunctions, texts: string[]): Promise<void> {
	await persistently(ATTEMPTS, async () => helpers.removeProcessed(texts, 'node', OPTIONS));
}

/** The database may be busy, and of two executions that store the first text of the node, one fails. */
async function persistently<Result>(
	attempts: number,
	change: () => Promise<Result>,
): Promise<Result> {
	let problem: unknown;
	for (let attempt = 1; attempt <= attempts; attempt++) {
		if (attempt > 1) await sleep(PAUSE_MS * (1 + Math.random()));
		try {
			return await change();
		} catch (error) {
			problem = error;
		}
	}
	throw problem;
}

/** `addTexts` for a retry. @throws Failure where the store fails: then nothing may be sent */
export async function reserve(context: IExecuteFunctions, texts: string[]): Promise<Set<string>> {
	try {
		return await addTexts(context, texts);
	} catch (error) {
		throw notReserved(messageOf(error));
	}
}

/** Why a retry sends nothing. Whether another one has sent is not known here. */
export function refusedRetry(title: string, advice: string): Failure {
	return new Failure(title, advice, { sent: 'possibly' });
}

export function notReserved(reason: string): Failure {
	return refusedRetry(
		'This retry could not be reserved in the n8n database',
		`This retry sent nothing (${reason}). Retry again. If that says that the execution was retried before, start a new execution with only the items that were not sent.`,
	);
}
