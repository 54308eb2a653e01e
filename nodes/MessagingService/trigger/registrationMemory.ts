import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/**
 * What a trigger keeps in the workflow's static data, which n8n saves after publishing and after
 * start-up, and of which webhook processors read a copy with every delivery. Nothing in it is secret.
 */
export interface RegistrationMemory extends IDataObject {
	/** When the workflow was published, in milliseconds. */
	publishedAt?: number;
	/** Digest of the token in the URL that was registered then. */
	tokenDigest?: string;
	/** Set while the editor listens: n8n calls `delete` with the copy that `create` has set it in. */
	isListening?: boolean;
}

export function memoryOf(context: IHookFunctions | IWebhookFunctions): RegistrationMemory {
	return context.getWorkflowStaticData('node') as RegistrationMemory;
}
