import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Failure } from '../failure';
import {
	flowMemory,
	isRetry,
	MOST_ATTEMPTS,
	nodeMemory,
	notReserved,
	refusedRetry,
	reserve,
	CONFIRM_MS,
} from './memory';

/** The claims in progress, by the node's context: simultaneous calls of a tool share one. */
const claims = new WeakMap<object, Promise<void>>();

/**
 * Makes sure that no other retry of the same execution sends, before this one does.
 * @throws Failure where another one has claimed it before, or the store fails
 */
export async function claimRetry(context: IExecuteFunctions): Promise<void> {
	const node = nodeMemory(context);
	const execution = context.getExecutionId();
	const { owner = flowMemory(context).execution } = node;
	if (owner === execution || !isRetry(context)) return;
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
		await sleep(CONFIRM_MS * (1 + Math.random() / 4));
		if ((await reserve(context, [token])).has(token)) return;
	}
	throw notReserved('other retries are running');
}

function retriedBefore(owner: string): Failure {
	return refusedRetry(
		`Execution ${owner} was retried before, so this retry sent nothing`,
		`The list of executions shows its first retry as a retry of ${owner}. If that one succeeded, all items are handled: nothing is left to do, and new rows need a new execution. If it failed, retry it: it knows what was sent. If it was killed or canceled, check in the service what it sent, and start a new execution with only the items that were not sent.`,
	);
}
