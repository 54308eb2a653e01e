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
import { gateOf, type Gate } from './gate';
import type { Wording } from './responseErrors';
import type { RetryRules } from './retry';
import { redact, secretsOf } from './secrets';
import type { AccountLimits, ServiceSettings } from './settings';
import { readBaseUrl, readLimits, readSettings } from './settings';

/** The n8n contexts from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | ITriggerFunctions;

/** The type of the credential. */
export const CREDENTIAL = 'messagingServiceApi';

/** The service as one run reaches it, with the credential, read once. */
export interface Service {
	context: ServiceContext;
	baseUrl: string;
	/** Host and port, for error texts. */
	host: string;
	/** Handed to n8n with each request, so that it need not read it again. */
	credential: ICredentialsDecrypted;
	ignoresSslIssues: boolean;
	settings: ServiceSettings;
	limits: AccountLimits;
	retries: RetryRules;
	/** What the requests of all runs with this account pass. */
	gate: Gate;
	/** Ends when the user cancels the execution. */
	signal: AbortSignal | undefined;
	/** What ends the requests in progress. */
	ends: Set<() => void>;
	wording: Wording;
	/** Whether the other form of a path was found, of those that have two. */
	usesOtherPath: boolean;
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
	retries: RetryRules,
): Service {
	const baseUrl = readBaseUrl(data.baseUrl);
	if (typeof baseUrl !== 'string') throw toNodeApiError(context.getNode(), baseUrl);
	const limits = readLimits(data);
	if ('message' in limits) throw toNodeApiError(context.getNode(), limits);
	const settings = readSettings(data);
	const secrets = secretsOf(data);
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	return {
		context,
		baseUrl,
		host: new URL(baseUrl).host,
		credential: { id: '', name: '', type: CREDENTIAL, data },
		ignoresSslIssues: data.ignoreSslIssues === true,
		settings,
		limits,
		retries,
		gate: gateOf([baseUrl, settings.clientId, String(data.username ?? ''), ...secrets].join('\n')),
		signal,
		ends: endsOf(signal),
		wording: { labels, clean: (text) => redact(text, secrets) },
		usesOtherPath: false,
	};
}

/** What ends the requests of an execution: one listener for all of them, since Node.js warns of many. */
const endsBySignal = new WeakMap<AbortSignal, Set<() => void>>();

function endsOf(signal: AbortSignal | undefined): Set<() => void> {
	const known = signal && endsBySignal.get(signal);
	if (known !== undefined) return known;
	const ends = new Set<() => void>();
	if (signal === undefined) return ends;
	endsBySignal.set(signal, ends);
	signal.addEventListener('abort', () => {
		for (const end of ends) end();
	});
	return ends;
}
