import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { identifiersOf } from '../transport/responseShape';
import type { Planned } from './planned';

/** What is known of a request that was sent, or possibly sent: no phone number and no text. */
export type Known =
	/** It was accepted: what identifies the response. */
	| { response: unknown }
	/** It may have been accepted. */
	| { possiblySent: true; httpCode?: string }
	/** Something else was sent from its place, or it was sent from another one. */
	| { differs: true };

/** Remembers what an execution has sent, so that it is not sent again. */
export interface Memory {
	/** Whether it is that of an agent's tools. */
	isAgent: boolean;
	/** Looks at all requests of a run before the first is sent. */
	compare(planned: readonly Planned[]): void;
	/** What is known of a request from earlier. */
	find(planned: Planned): Known | undefined;
	/** Whether anything of a call was sent, or possibly sent, by its first input item. */
	knowsCall(place: string): boolean;
	/** How many requests of a call were sent, or possibly sent. */
	countOf(place: string): number;
	/** Notes a request: before it goes out that it is possibly sent, then what it came to. */
	note(planned: Planned, known: Exclude<Known, { differs: true }>): void;
	/** It is certain that a request was not accepted. */
	forget(planned: Planned): void;
	/** Runs a task when no identical request is in progress. */
	inTurn<Result>(planned: Planned, task: () => Promise<Result>): Promise<Result>;
	/** The run is done: nothing of it is tried again. */
	clear(): void;
}

/** Of a response, only what identifies: an ID as such, or the fields that hold one. */
export function identifying(response: unknown): unknown {
	if (typeof response === 'string' || typeof response === 'number') return response;
	if (typeof response !== 'object' || response === null) return null;
	return identifiersOf(response as IDataObject);
}

/** What all Messaging Service nodes of an execution share, as plain JSON. */
export interface FlowMemory {
	/** The execution in which the first of them ran; its retries inherit it. */
	execution: string;
	/** What agents have sent, or possibly sent, by digests of the requests. */
	sentByAgent?: Record<string, Exclude<Known, { differs: true }>>;
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
