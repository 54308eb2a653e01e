import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Reason } from './reason';
import { shorten } from './texts';

/** Whether the service has accepted what an input row, or a request, stands for. */
export type Sent = 'yes' | 'no' | 'possibly';

/** What a failure says beside its title and what to do. */
export interface FailureFacts {
	/** Display name of the n8n field that is wrong, where the service or we name one. */
	field?: string | undefined;
	/** HTTP status, where the service responded at all. */
	httpCode?: string | undefined;
	/** Of a request: whether it may have been accepted; `no` for a GET. */
	sent?: Sent | undefined;
	/** Why nothing is sent; those with a place are about one recipient. */
	reasons?: readonly Reason[] | undefined;
	/** Whether the recipients of the reasons are left out on purpose. */
	isLeftOut?: boolean | undefined;
	/** An earlier try of the execution failed, not this one: it does not stop the other rows. */
	isEarlier?: boolean | undefined;
	/** Set where another try can succeed, with the wait that the service asked for. */
	retry?: { afterMs?: number | undefined } | undefined;
	/** What was thrown, where it was no failure. */
	cause?: unknown;
}

/** n8n's title has room for so many. */
export const MAX_FIELD_TITLE_CHARACTERS = 80;
/** n8n stores every error: 500 that quote 100 KB each must not make 50 MB. */
export const MAX_TITLE_CHARACTERS = 300;
export const MAX_DESCRIPTION_CHARACTERS = 1000;

/**
 * What went wrong, in the words the user reads. The one error of the package; where n8n takes over,
 * `toNodeError` makes one of n8n's of it.
 */
export class Failure extends Error {
	/** What to do next. */
	declare readonly description: string;
	declare readonly facts: FailureFacts;

	/** @param message what happened: at most 80 characters where we word it */
	constructor(message: string, description: string, facts: FailureFacts = {}) {
		super(shorten(message, MAX_TITLE_CHARACTERS));
		this.name = 'Failure';
		// Not enumerable: n8n stores what is, and phone numbers are among it.
		Object.defineProperties(this, {
			description: { value: shorten(description, MAX_DESCRIPTION_CHARACTERS) },
			facts: { value: facts },
		});
	}

	/**
	 * Invalid input of the user, found before anything was sent.
	 * @param field display name of the n8n field that is wrong
	 * @param problem what is wrong with it, continuing the field's name: "is empty"
	 * @param description how to fix it
	 */
	static ofField(field: string, problem: string, description: string, facts?: FailureFacts) {
		const message = shorten(`${field} ${problem}`, MAX_FIELD_TITLE_CHARACTERS);
		return new Failure(message, description, { field, ...facts });
	}

	/** Whatever was thrown, as a failure. */
	static of(thrown: unknown): Failure {
		if (thrown instanceof Failure) return thrown;
		if (!(thrown instanceof Error)) return new Failure(String(thrown), '');
		const { message, description, httpCode } = thrown as Error & Record<string, unknown>;
		return new Failure(message, typeof description === 'string' ? description : '', {
			httpCode: typeof httpCode === 'string' ? httpCode : undefined,
			cause: thrown,
		});
	}

	/** The failure in other words. */
	with({ message = this.message, description = this.description }): Failure {
		return new Failure(message, description, this.facts);
	}

	get sent(): Sent {
		return this.facts.sent ?? 'no';
	}

	/** Whether the user's input is wrong, not what the service says about it. */
	get isInput(): boolean {
		const { field, httpCode, isLeftOut = false } = this.facts;
		return field !== undefined && httpCode === undefined && !isLeftOut;
	}
}

/**
 * The error that n8n shows. It is made from plain text only: the HTTP library's own error carries
 * the request with its headers, and n8n would store those with the execution.
 */
export function toNodeError(node: INode, thrown: unknown): NodeApiError | NodeOperationError {
	const failure = Failure.of(thrown);
	const { message, description } = failure;
	const { httpCode, sent, cause } = failure.facts;
	if (cause instanceof NodeApiError || cause instanceof NodeOperationError) return cause;
	const shown = { message, description, httpCode };
	const isOfRequest = sent !== undefined && !failure.isInput;
	const error = isOfRequest
		? new NodeApiError(node, { ...shown } as JsonObject, { ...shown })
		: new NodeOperationError(node, cause instanceof Error ? cause : message, { description });
	// n8n replaces a message that contains an error code, be it as part of a word ("preexisting").
	error.message = message;
	return error;
}

/** Does something for n8n, whose errors belong to a node. */
export async function withNodeErrors<Value>(
	context: { getNode(): INode },
	task: () => Promise<Value>,
): Promise<Value> {
	try {
		return await task();
	} catch (thrown) {
		throw toNodeError(context.getNode(), thrown);
	}
}
