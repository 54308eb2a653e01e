import { createHash } from 'crypto';
import { pick } from 'lodash';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	ITriggerFunctions,
} from 'n8n-workflow';
import { authenticate } from './authentication';
import { gateOf, type Gate } from './gate';
import type { FieldLabels, Wording } from './errors';
import { redact, secretsOf } from './secrets';
import type { AccountLimits, ServiceSettings } from './settings';
import { readBaseUrl, readLimits, readSettings } from './settings';

/** The n8n contexts from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | ITriggerFunctions;

/** A response whose body is still to be read: decompressed, as n8n's HTTP helper streams it. */
export interface HttpResponse {
	statusCode: number;
	headers: IDataObject;
	body: AsyncIterable<Uint8Array>;
}

/** How a client reaches the service. */
export interface Port {
	/**
	 * Sends a signed request.
	 * @param signal ends it
	 * @throws what n8n's HTTP helper throws where there is no response
	 */
	http(request: IHttpRequestOptions, signal: AbortSignal): Promise<HttpResponse>;
	/** Ends when the user cancels the execution. */
	signal?: AbortSignal | undefined;
}

/** The port of a node that runs. n8n's helper that authenticates would put its own signal in place of ours. */
export function portOf(context: ServiceContext): Port {
	return {
		http: async (request, signal) =>
			(await context.helpers.httpRequest({ ...request, abortSignal: signal })) as HttpResponse,
		signal: 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined,
	};
}

/** The type of the credential. */
export const CREDENTIAL = 'messagingServiceApi';

/** The fields of the credential that tell accounts apart, beside the address and the client. */
const ACCOUNT = ['username', 'password', 'token', 'headerSecret', 'querySecret', 'secretJson'];

/** How long a request waits, and how often it is tried. */
export interface Patience {
	/** Tries in total. */
	maxTries: number;
	/** How long it waits for its tries in all. A longer pause of the service is not waited for. */
	maxWaitMs: number;
	/** A try that cannot start within this time is not made: the service needs some time as well. */
	startWithinMs: number;
	/** How long it may take in total, its retries included. */
	totalMs: number;
	/** Whether somebody waits for it in the editor: then it is next, at most every other turn. */
	isNext: boolean;
}

/** The service as one run reaches it, with the credential, read once. */
export interface Service extends Port {
	baseUrl: string;
	/** Host and port, for error texts. */
	host: string;
	/** Adds the authentication of the credential. @throws Failure where its fields make none */
	sign(request: IHttpRequestOptions): IHttpRequestOptions;
	ignoresSslIssues: boolean;
	settings: ServiceSettings;
	/** Tells the account from others, without its secrets. */
	account: string;
	limits: AccountLimits;
	patience: Patience;
	/** What the requests of all runs with this account pass. */
	gate: Gate;
	wording: Wording;
	/** Whether the other form of a path was found, of those that have two. */
	usesOtherPath: boolean;
}

/**
 * Reads what the credential says about the service.
 * @param data the credential, decrypted
 * @throws Failure that names the credential's field
 */
export function readService(
	port: Port,
	data: ICredentialDataDecryptedObject,
	labels: FieldLabels,
	patience: Patience,
): Service {
	const baseUrl = readBaseUrl(data.baseUrl);
	const limits = readLimits(data);
	const settings = readSettings(data);
	const secrets = secretsOf(data);
	const account = accountOf(baseUrl, settings.clientId, data);
	return {
		...port,
		baseUrl,
		host: new URL(baseUrl).host,
		sign: (request) => authenticate(data, request),
		ignoresSslIssues: data.ignoreSslIssues === true,
		settings,
		account,
		limits,
		patience,
		gate: gateOf(account),
		wording: { labels, clean: (text) => redact(text, secrets) },
		usesOtherPath: false,
	};
}

function accountOf(
	baseUrl: string,
	clientId: string,
	data: ICredentialDataDecryptedObject,
): string {
	const account = JSON.stringify([baseUrl, clientId, pick(data, ACCOUNT)]);
	return createHash('sha256').update(account).digest('base64url');
}
