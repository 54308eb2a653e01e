import { connectionProblem } from './connectionProblems';
import { INVALID_CREDENTIAL } from './errorCodes';
import type { Failure } from './errors';
import { PauseTooLong } from './gate';
import type { RequestLine } from './responseFailure';
import { lineOf, outcomeText } from './responseFailure';
import { shorten } from './texts';

/** A host has up to 253 characters, a title 80. */
const MAX_HOST_CHARACTERS = 38;

/**
 * A request that got no response at all.
 * @param code Node's or axios' error code
 * @param detail the text of the error, without secrets
 */
export function describeConnectionFailure(
	request: RequestLine,
	host: string,
	code: string,
	detail: string,
): Failure {
	if (code === INVALID_CREDENTIAL) return invalidCredential(detail);
	const { title, isNotSent, advice = detail && `${detail}.` } = connectionProblem(code);
	const sent = request.method === 'GET' || isNotSent ? 'no' : 'possibly';
	// The code goes into the description: n8n replaces messages that contain one.
	const suffix = ` (${[lineOf(request), code].filter(Boolean).join(', ')})`;
	return {
		message: title(shorten(host, MAX_HOST_CHARACTERS)),
		description: `${advice}${outcomeText(request, sent)}${suffix}`.trim(),
		sent,
	};
}

/** The credential makes no authentication: `detail` is a title and, after its first sentence, what to do. */
function invalidCredential(detail: string): Failure {
	const [message = '', advice = 'Fix the credential'] = detail.split(/\. (.*)/s);
	return { message, description: `${advice}. This request was not sent.`, sent: 'no' };
}

/**
 * Why a request was not sent at all: the service asked for a pause that is too long, or the
 * execution was canceled before its turn came.
 */
export function describeNotStarted(error: unknown): Failure {
	if (error instanceof PauseTooLong) {
		return {
			message: `The service asked for a pause of ${Math.ceil(error.milliseconds / 1000)} s`,
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
