import type { ConnectionProblemName } from './connectionProblems';
import { connectionProblem } from './connectionProblems';
import type { Failure } from './errors';
import { PauseTooLong } from './gate';
import { MAX_RESPONSE_BYTES } from './responseBody';
import type { RequestLine } from './responseFailure';
import { lineOf, outcomeText } from './responseFailure';
import { shorten } from './texts';

/** A host has up to 253 characters, a title 80. */
const MAX_HOST_CHARACTERS = 38;

/** A kind of failure: its title, and what to do. */
interface Wording {
	message(host: string): string;
	advice?: string;
}

const SECURE: Wording = {
	message: (host) => `Could not make a secure connection to ${host}`,
	advice:
		'Check whether the Base URL in the credential must start with http:// instead of https://, and whether its port is right.',
};

const WORDINGS: Readonly<Record<Exclude<ConnectionProblemName, 'credential'>, Wording>> = {
	blocked: {
		message: (host) => `n8n is not allowed to call ${host}`,
		advice:
			'Check the Base URL in the credential, or ask the administrator of n8n to allow the address (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES).',
	},
	refused: {
		message: (host) => `Could not connect to ${host}`,
		advice: 'Check the Base URL in the credential and whether the service is running.',
	},
	unknownHost: {
		message: (host) => `The host ${host} was not found`,
		advice: 'Check the Base URL in the credential.',
	},
	handshake: SECURE,
	tls: SECURE,
	certificate: {
		message: (host) => `The certificate of ${host} could not be verified`,
		advice:
			'Ask the operator for a valid certificate, or turn on "Ignore SSL Issues" in the credential for a service you trust.',
	},
	canceled: {
		message: () => 'The execution was canceled while a request was in progress',
		advice: '',
	},
	tooLong: {
		message: (host) => `The response of ${host} is too long`,
		advice: `n8n reads at most ${MAX_RESPONSE_BYTES / 1024 / 1024} MB. Check the Base URL in the credential; a list may need a smaller Page Size.`,
	},
	timeout: {
		message: (host) => `The service at ${host} did not respond in time`,
		advice: 'Try again later. If this happens often, ask the service operator.',
	},
	interrupted: { message: (host) => `The connection to ${host} was interrupted` },
};

/** A request that got no response at all; `code` is Node's or axios' error code. */
export function describeConnectionFailure(
	request: RequestLine,
	host: string,
	code: string,
	detail: string,
): Failure {
	const { name, isNotSent } = connectionProblem(code);
	if (name === 'credential') return invalidCredential(detail);
	const { message, advice = detail === '' ? '' : `${detail}.` } = WORDINGS[name];
	const sent = request.method === 'GET' || isNotSent ? 'no' : 'possibly';
	// The code goes into the description: n8n replaces messages that contain one.
	const suffix = ` (${[lineOf(request), code].filter(Boolean).join(', ')})`;
	return {
		message: message(shorten(host, MAX_HOST_CHARACTERS)),
		description: `${advice}${outcomeText(request, sent)}${suffix}`.trim(),
		sent,
	};
}

/** The credential makes no authentication: `detail` is a title and, after its first sentence, what to do. */
function invalidCredential(detail: string): Failure {
	const [, message = '', advice = ''] = /^(.*?)(?:\. (.*))?$/s.exec(detail) ?? [];
	const remedy = advice === '' ? 'Fix the credential' : advice;
	return { message, description: `${remedy}. This request was not sent.`, sent: 'no' };
}

/**
 * Why a request was not sent at all: the service asked for a pause that is too long, or the
 * execution was canceled before its turn came.
 */
export function describeNotStarted(error: unknown): Failure {
	if (error instanceof PauseTooLong) {
		return {
			message: `The service asked for a pause of ${Math.ceil(error.milliseconds / 1000)} seconds`,
			description:
				'n8n does not wait that long, so this request was not sent. Try again after the pause.',
			sent: 'no',
		};
	}
	return {
		message: 'The execution was canceled before the request was sent',
		description: 'This request was not sent.',
		sent: 'no',
	};
}
