import { randomUUID } from 'crypto';
import sum from 'lodash/sum';
import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../parameters/inputError';
import type { Operation } from '../resources/operation';
import { flowMemory } from './agentMemory';
import { claimStoreOf, SETTLE_MS, type ClaimStore } from './claimStore';
import { digest, SetDigest } from './digest';
import { whomOf, type Call } from './planned';

/** What is kept in the node's context. */
interface NodeMemory {
	/** The execution that may send what the record leaves open; without it, that of the flow. */
	owner?: string;
	/** The marks of the runs with this record: whether to remove them from the store when they end. */
	marks?: Record<string, boolean>;
}

/** What a run is about to send. */
export type SentTogether = Pick<Call, 'requests' | 'plan'>;

/** From so many people on, a run that is killed must not be repeated by its retry. */
const MANY_PEOPLE = 10;

/** How often a retry is claimed while other processes write at the same time. */
const MOST_ATTEMPTS = 10;

/** The claims in progress, by the node's context: simultaneous calls of a tool share one. */
const claims = new WeakMap<object, Promise<void>>();

/**
 * Lets one retry of a failed execution send. n8n starts each retry with what the execution has saved,
 * so two of them would both send the rest. A retry that fails has saved its own record, and is
 * continued by a retry of its own.
 */
export class RetryOnce {
	private readonly context: IExecuteFunctions;
	private readonly store: ClaimStore;
	private readonly node: NodeMemory;
	private readonly execution: string;
	/** The execution that the context was first saved with. */
	private readonly first: string;
	private readonly isRetry: boolean;

	constructor(context: IExecuteFunctions) {
		this.context = context;
		this.store = claimStoreOf(context);
		this.node = context.getContext('node') as NodeMemory;
		this.execution = context.getExecutionId();
		this.first = flowMemory(context).execution;
		this.isRetry = context.getMode() === 'retry';
	}

	/**
	 * Makes sure that no other retry of the same execution sends.
	 * @throws InputError where another one has claimed it before, or the store fails
	 */
	async claim(): Promise<void> {
		const { node, execution, first } = this;
		const owner = node.owner ?? first;
		if (owner === execution || !this.isRetry) return;
		const claiming = claims.get(node) ?? claimFrom(this.store, owner, execution);
		claims.set(node, claiming);
		try {
			await claiming;
			node.owner = execution;
		} finally {
			claims.delete(node);
		}
	}

	/**
	 * Marks that this run reaches many people, until `end`. n8n keeps nothing of an execution that is
	 * killed or cancelled, so its retry would send everything again.
	 * @throws InputError in a retry, where an execution that it has no record of has left the mark
	 */
	async begin(operation: Operation, calls: readonly SentTogether[]): Promise<void> {
		const mark = markOf(operation, calls);
		if (mark === undefined) return;
		const { node, store, isRetry } = this;
		const text = `running/${mark}`;
		if (node.marks?.[text] !== undefined) return;
		// A first run whose mark cannot be stored sends all the same.
		const before = isRetry
			? await reserved(store.add([text]))
			: await store.add([text], 1).catch(() => undefined);
		if (before === undefined) return;
		const isOfAnother = before.has(text);
		if (isOfAnother && isRetry) throw interrupted();
		node.marks = { ...node.marks, [text]: !isOfAnother };
	}

	/** The run has ended in a way that n8n saves. */
	async end(): Promise<void> {
		const { store, context } = this;
		const { marks = {} } = this.node;
		const stored = Object.keys(marks).filter((text) => marks[text]);
		if (stored.length === 0) return;
		try {
			await store.remove(stored);
			// They stay known: another process may write one back that it has read before.
			for (const text of stored) marks[text] = false;
		} catch (error) {
			context.logger.warn('Could not store that this run has ended', { error });
		}
	}
}

/**
 * What tells the people of a run from those of others, also of those that are left out: their list
 * may be longer in a retry. Undefined for few people, or unknown ones.
 */
function markOf(operation: Operation, calls: readonly SentTogether[]): string | undefined {
	const requests = calls.flatMap((call) => call.requests);
	const people = requests.map(({ batch }) => batch?.recipients.length ?? operation.reach ?? 0);
	if (sum(people) < MANY_PEOPLE) return undefined;
	const whom = new SetDigest();
	for (const planned of requests) whom.addAll(whomOf(operation, planned));
	const skipped = calls.flatMap(({ plan }) => plan?.skipped ?? []);
	for (const { phoneNumber } of skipped) whom.add(String(phoneNumber));
	return digest(`${operation.action} ${String(whom)}`);
}

/**
 * Claims the retry of an execution. n8n's store reads, changes and writes one list without a lock, so
 * of two that claim simultaneously, one loses what it has written. A claim counts if its token is
 * still there when all changes that were in progress have ended. Asking stores a token again, so each
 * attempt has its own.
 */
async function claimFrom(store: ClaimStore, owner: string, execution: string): Promise<void> {
	const claim = `retried/${owner}`;
	for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
		const token = `${claim}/${execution}/${randomUUID()}`;
		const before = await reserved(store.add([claim, token]));
		if (before.has(claim)) throw retriedBefore(owner);
		await sleep(SETTLE_MS * (1 + Math.random() / 4));
		if ((await reserved(store.add([token]))).has(token)) return;
	}
	throw notReserved('other retries are running');
}

/** @throws InputError where the store fails: then nothing may be sent */
async function reserved(adding: Promise<Set<string>>): Promise<Set<string>> {
	try {
		return await adding;
	} catch (error) {
		throw notReserved(error instanceof Error ? error.message : String(error));
	}
}

function retriedBefore(owner: string): InputError {
	return new InputError(
		`Execution ${owner}`,
		'was retried before, so this retry sent nothing',
		`Retry its retry instead, which knows what it has sent: the list of executions shows it as a retry of ${owner}. If that one was killed or canceled, check in the service what it sent, and start a new execution with only the items that were not sent.`,
	);
}

function interrupted(): InputError {
	return new InputError(
		'An earlier execution with these rows',
		'was interrupted while it sent',
		'This retry sent nothing: n8n does not know how far the other one came. Check in the service what was sent, then start a new execution with only the items that were not sent.',
	);
}

function notReserved(reason: string): InputError {
	return new InputError(
		'This retry',
		'could not be reserved in the n8n database',
		`This retry sent nothing (${reason}). Retry again. If that says that the execution was retried before, start a new execution with only the items that were not sent.`,
	);
}
