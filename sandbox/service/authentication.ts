import { timingSafeEqual } from 'node:crypto';
import { problem } from './errors.ts';
import type { Tokens } from './tokens.ts';

/** What a request must carry (interface: "Authentication" is not told): these headers and query parameters, or a token. */
export interface Authentication {
	headers?: Record<string, string>;
	query?: Record<string, string>;
	/** Nothing but a token of `POST /token` is accepted. */
	tokenOnly?: boolean;
}

export const isSame = (given: unknown, expected: string): boolean => {
	if (typeof given !== 'string') return false;
	const [left, right] = [Buffer.from(given), Buffer.from(expected)];
	return left.length === right.length && timingSafeEqual(left, right);
};

/**
 * Refuses a request with missing or wrong credentials (401), and takes the credentials out of its query, so that
 * what is left is the operation's own.
 */
export const authenticate = (
	{ headers = {}, query = {}, tokenOnly = false }: Authentication,
	tokens: Pick<Tokens, 'isLive'>,
	request: { headers: Record<string, unknown>; query: Record<string, unknown> },
): void => {
	const [, token] = /^Bearer (.+)$/i.exec(String(request.headers.authorization)) ?? [];
	if (token !== undefined && tokens.isLive(token)) return;
	const isProven =
		!tokenOnly &&
		Object.entries(headers).every(([name, value]) =>
			isSame(request.headers[name.toLowerCase()], value),
		) &&
		Object.entries(query).every(([name, value]) => isSame(request.query[name], value));
	if (!isProven) throw problem(401, 'The credentials are missing or wrong.');
	for (const name of Object.keys(query)) Reflect.deleteProperty(request.query, name);
};
