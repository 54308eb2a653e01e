import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';
import { shorten } from '../texts';

/** The code of an address that the settings of n8n forbid; n8n's own errors for that have none. */
export const ADDRESS_BLOCKED = 'ERR_ADDRESS_BLOCKED';

/** Maximum size of one response, decompressed. A page of 10,000 records has about a tenth of it. */
export const MAX_RESPONSE_BYTES = 100 * 1024 * 1024;

/** The code of the error for a longer one. */
export const RESPONSE_TOO_LARGE = 'ERR_RESPONSE_TOO_LARGE';

/** A host has up to 253 characters, a title 80. */
export const MAX_HOST_CHARACTERS = 38;

/** What an error code of Node, axios or ours says about a request that got no response. */
interface ConnectionProblem {
	codes: RegExp;
	/** What is wrong; n8n replaces titles that contain an error code. */
	title: (host: string) => string;
	/** What to do; where there is none, the text of the error is shown instead. */
	advice?: string;
	/** It is certain that the service did not receive the request. */
	isNotSent?: boolean;
	/** Trying again can help. */
	isTemporary?: boolean;
}

/** The first match counts. */
const PROBLEMS: readonly ConnectionProblem[] = [
	{
		codes: new RegExp(`^${ADDRESS_BLOCKED}$`),
		title: (host) => `n8n is not allowed to call ${host}`,
		advice:
			'Check the Base URL in the credential, or ask the administrator of n8n to allow the address (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES).',
		isNotSent: true,
	},
	{
		codes: /^ECONNREFUSED$/,
		title: (host) => `Could not connect to ${host}`,
		advice:
			'Check the Base URL in the credential and whether the service is running. Where n8n has a proxy, check HTTPS_PROXY as well.',
		isNotSent: true,
		isTemporary: true,
	},
	{
		codes: /^(ENOTFOUND|EAI_AGAIN)$/,
		title: (host) => `The host ${host} was not found`,
		advice: 'Check the Base URL in the credential.',
		isNotSent: true,
		isTemporary: true,
	},
	{
		// The certificate is verified before the first byte of the request is written.
		codes: /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/,
		title: (host) => `The certificate of ${host} could not be verified`,
		advice:
			'Ask the operator for a valid certificate, or turn on "Ignore SSL Issues" in the credential for a service you trust.',
		isNotSent: true,
	},
	{
		// Also of a connection that a proxy breaks after the request was received.
		codes: /^(EPROTO$|ERR_SSL_|ERR_TLS_)/,
		title: (host) => `Could not make a secure connection to ${host}`,
		advice:
			'Check whether the Base URL in the credential must start with http:// instead of https://, and whether its port is right.',
	},
	{
		codes: /^ERR_CANCELED$/,
		title: () => 'The execution was canceled while a request was in progress',
		advice: '',
	},
	{
		codes: new RegExp(`^${RESPONSE_TOO_LARGE}$`),
		title: (host) => `The response of ${host} is too long`,
		advice: `n8n reads at most ${MAX_RESPONSE_BYTES / 1024 / 1024} MB. Check the Base URL in the credential.`,
	},
	{
		codes: /^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT)$/,
		title: (host) => `The service at ${host} did not respond in time`,
		advice:
			'Try again later. If runs of the node end like this often, raise Timeout (Seconds) in the credential.',
		isTemporary: true,
	},
	{
		codes: /^/,
		title: (host) => `The connection to ${host} was interrupted`,
		isTemporary: true,
	},
];

/** What has ended a request, an error of n8n, axios or Node, or a cause of it: its code and its text. */
function causeOf(error: unknown) {
	const chain: IDataObject[] = [];
	for (let each = error; isObject(each) && chain.length < 5; each = each.cause) chain.push(each);
	const codes = chain.map(({ code, name }) =>
		/^SsrfBlocked/.test(String(name)) ? ADDRESS_BLOCKED : code,
	);
	const isCode = (code: unknown) => typeof code === 'string' && /^[A-Z][A-Z\d_]+$/.test(code);
	const texts = chain.map(({ message }) => message).filter((each) => typeof each === 'string');
	return {
		code: String(codes.find(isCode) ?? ''),
		message: texts.at(-1)?.replace(/\.+$/, '') ?? '',
	};
}

/**
 * What is known of a request that got no response at all; the text of its cause has no secrets.
 * @param error of n8n, axios or Node
 */
export function connectionProblem(host: string, error: unknown) {
	const { code, message } = causeOf(error);
	const problem = PROBLEMS.find(({ codes }) => codes.test(code)) as ConnectionProblem;
	const { title, advice = message && `${message}.` } = problem;
	return {
		title: title(shorten(host, MAX_HOST_CHARACTERS)),
		advice,
		code,
		isNotSent: problem.isNotSent === true,
		isTemporary: problem.isTemporary === true,
	};
}
