import { createHash } from 'crypto';
import { keys, pick } from 'lodash';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { readBaseUrl } from './address';
import { assertKey, authenticate, AUTHENTICATION_FIELDS } from './authentication';
import { gateOf, type Gate } from './gate';
import { Login } from './login';
import type { Port } from './port';
import type { FieldLabels, Wording } from './serviceReason';
import { redact, secretsOf } from './secrets';
import type { AccountLimits, ServiceSettings } from './settings';
import { readLimits, readSettings } from './settings';
import { tokensOf } from './tokens';

/** The type of the credential. */
export const CREDENTIAL = 'messagingServiceApi';

/** How often a request is tried, and how long it may take. */
export interface Patience {
	/** Tries in total. */
	maxTries: number;
	/** How long it may take in total, with all waits and tries. */
	totalMs: number;
	/** Whether somebody waits for it in the editor: then it is next. */
	isNext: boolean;
}

/** The service as one run reaches it, with the credential, read once. */
export interface Service extends Port {
	baseUrl: string;
	/** Host and port, for error texts. */
	host: string;
	/**
	 * Adds the authentication of the credential.
	 * @param token of the login, where there is one
	 * @throws Failure where its fields make none
	 */
	sign(request: IHttpRequestOptions, token: string | undefined): IHttpRequestOptions;
	/** Gets tokens, for Authentication: Access Token. */
	login: Login | undefined;
	ignoresSslIssues: boolean;
	settings: ServiceSettings;
	/** Digest of address, Client ID and authentication: tells accounts apart, without their secrets. */
	accountKey: string;
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
	assertKey(data);
	const limits = readLimits(data);
	const settings = readSettings(data);
	const secrets = secretsOf(data);
	const accountKey = accountKeyOf(baseUrl, settings.clientId, data);
	const login =
		data.authentication === 'accessToken' ? new Login(data, tokensOf(accountKey)) : undefined;
	return {
		...port,
		baseUrl,
		host: new URL(baseUrl).host,
		sign: (request, token) => authenticate(data, request, token),
		login,
		ignoresSslIssues: data.ignoreSslIssues === true,
		settings,
		accountKey,
		limits,
		patience,
		gate: gateOf(accountKey),
		wording: {
			labels,
			// The tokens as they are when the error is worded.
			clean: (text) => redact(text, [...secrets, ...(login?.secrets ?? [])]),
		},
		usesOtherPath: false,
	};
}

function accountKeyOf(
	baseUrl: string,
	clientId: string,
	data: ICredentialDataDecryptedObject,
): string {
	const account = JSON.stringify([baseUrl, clientId, pick(data, keys(AUTHENTICATION_FIELDS))]);
	return createHash('sha256').update(account).digest('base64url');
}
