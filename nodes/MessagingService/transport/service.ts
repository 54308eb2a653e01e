import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	ITriggerFunctions,
} from 'n8n-workflow';
import type { FieldLabels } from './errors';
import { toNodeApiError } from './errors';
import { Pace } from './pace';
import type { RequestBehaviour } from './request';
import type { Wording } from './responseFailure';
import { redact, secretsOf } from './secrets';
import type { ServiceSettings } from './settings';
import { readBaseUrl, readSettings } from './settings';

/** The n8n contexts from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | ITriggerFunctions;

/** The type of the credential. */
export const CREDENTIAL = 'messagingServiceApi';

/** The service as one run reaches it: the credential, read once, and the limits of its requests. */
export interface Service {
	context: ServiceContext;
	baseUrl: string;
	/** Host and port, for error texts. */
	host: string;
	/** Handed to n8n with each request, so that it need not read it again. */
	credential: ICredentialsDecrypted;
	ignoresSslIssues: boolean;
	settings: ServiceSettings;
	behaviour: RequestBehaviour;
	pace: Pace;
	/** Ends when the user cancels the execution. */
	signal: AbortSignal | undefined;
	wording: Wording;
}

/**
 * Reads what the credential says about the service.
 * @param data the credential, decrypted
 * @throws NodeApiError that names the credential's field
 */
export function readService(
	context: ServiceContext,
	data: ICredentialDataDecryptedObject,
	labels: FieldLabels,
	behaviour: RequestBehaviour,
): Service {
	const baseUrl = readBaseUrl(data.baseUrl);
	if (typeof baseUrl !== 'string') throw toNodeApiError(context.getNode(), baseUrl);
	const secrets = secretsOf(data);
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	return {
		context,
		baseUrl,
		host: new URL(baseUrl).host,
		credential: { id: '', name: '', type: CREDENTIAL, data },
		ignoresSslIssues: data.ignoreSslIssues === true,
		settings: readSettings(data),
		behaviour,
		pace: new Pace(behaviour, behaviour.budgetMs, signal),
		signal,
		wording: { labels, clean: (text) => redact(text, secrets) },
	};
}
