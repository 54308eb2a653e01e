import { deepCopy } from 'n8n-workflow';
import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

type Context = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** Another published trigger of the same account, with the same Webhook Secret or credential. */
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
	/** Digest of the token that the registered URL carries. */
	tokenDigest?: string | undefined;
	/** To whom this trigger hands on what the service delivers to it. */
	others?: OtherTrigger[];
}

/**
 * The memories of the triggers that this process has published or started: the static data of their
 * hooks. n8n stores it after the hook, and once more at each poll of a poll trigger beside ours.
 */
const held = new Map<string, TriggerMemory>();

/** This node of this workflow, among all of this n8n. */
export function triggerKey(context: Context): string {
	return `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
}

/** What this process holds of a trigger; in processes that only take deliveries, what n8n has stored. */
export function memoryOf(context: Context): TriggerMemory {
	return held.get(triggerKey(context)) ?? context.getWorkflowStaticData('node');
}

/** Goes on with what this process knows of a trigger, in the static data of another hook. */
export function holdMemory(context: IHookFunctions): void {
	const key = triggerKey(context);
	const memory: TriggerMemory = context.getWorkflowStaticData('node');
	remember(memory, held.get(key) ?? {});
	held.set(key, memory);
}

/** The trigger was unpublished, or another process publishes it now. */
export function releaseMemory(key: string): void {
	held.delete(key);
}

/** Changes what is known of a trigger. */
export function remember(memory: TriggerMemory, changes: TriggerMemory): void {
	Object.assign(memory, deepCopy(changes));
}
