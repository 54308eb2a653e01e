import { deepCopy } from 'n8n-workflow';
import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

type Context = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** Another published trigger with the same account and Webhook Secret. */
export interface OtherTrigger extends IDataObject {
	/** Last part of its webhook URL. */
	path: string;
	/** When it was published, in milliseconds: the URL of the first one is registered. */
	publishedAt: number;
	/** The kinds of events that it wants. */
	kinds: string[];
	/** Name of its workflow, for messages. */
	workflow: string;
}

/** What n8n stores of a trigger, in the static data of its workflow. */
export interface TriggerMemory extends IDataObject {
	/** When the workflow was published, in milliseconds. */
	publishedAt?: number;
	/** When this was written, in milliseconds. */
	writtenAt?: number;
	/** Digest of the token that the registered URL carries. */
	tokenDigest?: string | undefined;
	/** Digest of the token before it, which is accepted until `previousUntil`. */
	previousDigest?: string;
	previousUntil?: number;
	/** To whom this trigger hands on what the service delivers to it. */
	others?: OtherTrigger[];
}

/** The newest memory of each trigger that this process knows. */
const newest = new Map<string, TriggerMemory>();

/**
 * The static data that n8n has in this process. It stores that of a workflow as a whole: a poll
 * trigger beside ours stores again and again what it was published with.
 */
const held = new Map<string, TriggerMemory[]>();

/** This node of this workflow, among all of this n8n. */
export function triggerKey(context: Context): string {
	return `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
}

/** What n8n has stored of the trigger, or what this process knows where that is newer. */
export function memoryOf(context: Context): TriggerMemory {
	const key = triggerKey(context);
	const stored: TriggerMemory = context.getWorkflowStaticData('node');
	const known = newest.get(key);
	if (known !== undefined && (known.writtenAt ?? 0) >= (stored.writtenAt ?? 0)) return known;
	newest.set(key, deepCopy(stored));
	return stored;
}

/** From now on, changes reach the static data of this context, which n8n stores after the hook. */
export function holdMemory(context: IHookFunctions): void {
	const key = triggerKey(context);
	memoryOf(context);
	held.set(key, [...(held.get(key) ?? []), context.getWorkflowStaticData('node')]);
}

export function releaseMemory(key: string): void {
	held.delete(key);
}

/** Changes what this process knows of a trigger. */
export function remember(key: string, changes: TriggerMemory): TriggerMemory {
	const known = newest.get(key);
	// The clocks of processes differ, and what is written later must win.
	const writtenAt = Math.max(Date.now(), (known?.writtenAt ?? 0) + 1);
	const memory = { ...known, ...changes, writtenAt };
	newest.set(key, memory);
	for (const each of held.get(key) ?? []) Object.assign(each, deepCopy(memory));
	return memory;
}

/** Whether n8n has stored something older than this process knows. */
export function isStale(context: Context): boolean {
	const { writtenAt = 0 }: TriggerMemory = context.getWorkflowStaticData('node');
	return (memoryOf(context).writtenAt ?? 0) > writtenAt;
}

/** Takes over what another process knows of the trigger, where it is newer. */
export function updateMemory(context: Context, memory: TriggerMemory): void {
	const stored: TriggerMemory = context.getWorkflowStaticData('node');
	if ((memory.writtenAt ?? 0) > (stored.writtenAt ?? 0)) Object.assign(stored, memory);
}
