import { ADDRESS_BLOCKED, INVALID_CREDENTIAL } from './errorCodes';
import { MAX_RESPONSE_BYTES, RESPONSE_TOO_LARGE } from './responseBody';

/** What an error code of Node, axios or ours says about a request that got no response. */
export interface ConnectionProblem {
	codes: RegExp;
	/** What is wrong; n8n replaces titles that contain an error code. */
	title: (host: string) => string;
	/** What to do; where there is none, the text of the error is shown instead. */
	advice?: string;
	/** It is certain that the service did not receive the request. */
	isNotSent: boolean;
	/** Trying again does not help. */
	isLasting: boolean;
}

const INTERRUPTED: ConnectionProblem = {
	codes: /^/,
	title: (host) => `The connection to ${host} was interrupted`,
	isNotSent: false,
	isLasting: false,
};

/** The first match counts; one that is not known stands for an interrupted connection. */
const PROBLEMS: readonly ConnectionProblem[] = [
	{
		codes: new RegExp(`^${ADDRESS_BLOCKED}$`),
		title: (host) => `n8n is not allowed to call ${host}`,
		advice:
			'Check the Base URL in the credential, or ask the administrator of n8n to allow the address (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES).',
		isNotSent: true,
		isLasting: true,
	},
	{
		codes: new RegExp(`^${INVALID_CREDENTIAL}$`),
		title: () => 'The credential is invalid',
		isNotSent: true,
		isLasting: true,
	},
	{
		codes: /^ECONNREFUSED$/,
		title: (host) => `Could not connect to ${host}`,
		advice: 'Check the Base URL in the credential and whether the service is running.',
		isNotSent: true,
		isLasting: false,
	},
	{
		codes: /^(ENOTFOUND|EAI_AGAIN)$/,
		title: (host) => `The host ${host} was not found`,
		advice: 'Check the Base URL in the credential.',
		isNotSent: true,
		isLasting: false,
	},
	{
		// The certificate is verified before the first byte of the request is written.
		codes: /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/,
		title: (host) => `The certificate of ${host} could not be verified`,
		advice:
			'Ask the operator for a valid certificate, or turn on "Ignore SSL Issues" in the credential for a service you trust.',
		isNotSent: true,
		isLasting: true,
	},
	{
		// Also of a connection that a proxy breaks after the request was received.
		codes: /^(EPROTO$|ERR_SSL_|ERR_TLS_)/,
		title: (host) => `Could not make a secure connection to ${host}`,
		advice:
			'Check whether the Base URL in the credential must start with http:// instead of https://, and whether its port is right.',
		isNotSent: false,
		isLasting: true,
	},
	{
		codes: /^ERR_CANCELED$/,
		title: () => 'The execution was canceled while a request was in progress',
		advice: '',
		isNotSent: false,
		isLasting: true,
	},
	{
		codes: new RegExp(`^${RESPONSE_TOO_LARGE}$`),
		title: (host) => `The response of ${host} is too long`,
		advice: `n8n reads at most ${MAX_RESPONSE_BYTES / 1024 / 1024} MB. Check the Base URL in the credential.`,
		isNotSent: false,
		isLasting: true,
	},
	{
		codes: /^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT)$/,
		title: (host) => `The service at ${host} did not respond in time`,
		advice: 'Try again later. If this happens often, ask the service operator.',
		isNotSent: false,
		isLasting: false,
	},
];

/** What an error code says. */
export function connectionProblem(code: string): ConnectionProblem {
	return PROBLEMS.find(({ codes }) => codes.test(code)) ?? INTERRUPTED;
}
