import { ADDRESS_BLOCKED, INVALID_CREDENTIAL } from './errorCodes';
import { RESPONSE_TOO_LARGE } from './responseBody';

/** Why a request got no response. */
export type ConnectionProblemName =
	| 'blocked'
	| 'canceled'
	| 'certificate'
	| 'credential'
	| 'handshake'
	| 'interrupted'
	| 'refused'
	| 'timeout'
	| 'tls'
	| 'tooLong'
	| 'unknownHost';

/** What an error code says about a request that got no response. */
export interface ConnectionProblem {
	name: ConnectionProblemName;
	/** It is certain that the service did not receive the request. */
	isNotSent: boolean;
	/** Trying again does not help. */
	isLasting: boolean;
}

/** Codes of Node, axios and our own, each with what it says. The first match counts. */
const PROBLEMS: readonly (ConnectionProblem & { codes: RegExp })[] = [
	problem('blocked', new RegExp(`^${ADDRESS_BLOCKED}$`), true, true),
	problem('credential', new RegExp(`^${INVALID_CREDENTIAL}$`), true, true),
	problem('refused', /^ECONNREFUSED$/, true, false),
	problem('unknownHost', /^(ENOTFOUND|EAI_AGAIN)$/, true, false),
	// The certificate is verified before the first byte of the request is written.
	problem(
		'certificate',
		/^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/,
		true,
		true,
	),
	problem(
		'handshake',
		/^(ERR_TLS_HANDSHAKE_TIMEOUT|ERR_SSL_(UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE))$/,
		true,
		true,
	),
	// Any other failure of TLS may come after the request was received: a proxy that breaks the
	// connection then gives the very code of a wrong port (ERR_SSL_WRONG_VERSION_NUMBER).
	problem('tls', /^(EPROTO$|ERR_SSL_|ERR_TLS_)/, false, true),
	problem('canceled', /^ERR_CANCELED$/, false, true),
	problem('tooLong', new RegExp(`^${RESPONSE_TOO_LARGE}$`), false, true),
	problem('timeout', /^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT)$/, false, false),
];

const INTERRUPTED: ConnectionProblem = { name: 'interrupted', isNotSent: false, isLasting: false };

function problem(
	name: ConnectionProblemName,
	codes: RegExp,
	isNotSent: boolean,
	isLasting: boolean,
) {
	return { name, codes, isNotSent, isLasting };
}

/** What an error code says; one that is not known stands for an interrupted connection. */
export function connectionProblem(code: string): ConnectionProblem {
	return PROBLEMS.find(({ codes }) => codes.test(code)) ?? INTERRUPTED;
}
