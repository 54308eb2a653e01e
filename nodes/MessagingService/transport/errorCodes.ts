/** The code of an error that the credential throws when its fields make no authentication. */
export const INVALID_CREDENTIAL = 'ERR_INVALID_CREDENTIAL';

/** The code of an address that the settings of n8n forbid; n8n's own errors for that have none. */
export const ADDRESS_BLOCKED = 'ERR_ADDRESS_BLOCKED';

/**
 * Node's or axios' code of an error. n8n's own error around it has the other as its `cause`; in
 * n8n 1 that is lost, but the code is in `httpCode`.
 */
export function errorCode(error: unknown): string {
	for (const { code, name } of causesOf(error)) {
		if (typeof code === 'string') return code;
		if (/^SsrfBlocked/.test(String(name))) return ADDRESS_BLOCKED;
	}
	const httpCode = isErrorLike(error) ? error.httpCode : undefined;
	return typeof httpCode === 'string' && /^[A-Z][A-Z\d_]+$/.test(httpCode) ? httpCode : '';
}

/**
 * The text of the innermost cause of an error, e.g. "socket hang up". n8n's own texts around it
 * advise to try again, which is wrong for a request that may have been accepted. In n8n 1, which
 * loses the cause, its text is the first of `messages`.
 */
export function innermostMessage(error: unknown): string {
	const [outermost, ...causes] = causesOf(error);
	const { message, messages } = outermost ?? {};
	const original: unknown = Array.isArray(messages) ? messages[0] : undefined;
	const texts = [message, original, ...causes.map((cause) => cause.message)];
	const innermost = texts.filter((text) => typeof text === 'string').at(-1) ?? '';
	return innermost.replace(/\.+$/, '');
}

interface ErrorLike {
	code?: unknown;
	cause?: unknown;
	httpCode?: unknown;
	message?: unknown;
	messages?: unknown;
	name?: unknown;
}

function isErrorLike(value: unknown): value is ErrorLike {
	return typeof value === 'object' && value !== null;
}

/** An error, its cause, the cause of that, and so on; they may form a cycle. */
function causesOf(error: unknown): ErrorLike[] {
	const causes: ErrorLike[] = [];
	for (let current = error; isErrorLike(current) && causes.length < 5; current = current.cause) {
		causes.push(current);
	}
	return causes;
}
