import { timingSafeEqual } from 'node:crypto';
import { problem } from './errors.ts';
import type { Authentication } from './settings.ts';

/** The parts of a request that can carry credentials. */
export interface Credentials {
	headers: Record<string, unknown>;
	query: Record<string, unknown>;
	body: unknown;
}

/** What a request must carry to be let in. */
export const credentialsOf = (
	authentication: Authentication,
): Record<'headers' | 'query' | 'body', Record<string, string>> => {
	const none = { headers: {}, query: {}, body: {} };
	switch (authentication.kind) {
		case 'none':
			return none;
		case 'basic': {
			const { username, password } = authentication;
			const text = Buffer.from(`${username}:${password}`).toString('base64');
			return { ...none, headers: { authorization: `Basic ${text}` } };
		}
		case 'bearer':
			return { ...none, headers: { authorization: `Bearer ${authentication.token}` } };
		case 'header':
			return { ...none, headers: { [authentication.name]: authentication.value } };
		case 'query':
			return { ...none, query: { [authentication.name]: authentication.value } };
		case 'custom':
			return { ...none, ...authentication };
	}
};

const isSame = (given: unknown, expected: string): boolean => {
	if (typeof given !== 'string') return false;
	const [left, right] = [Buffer.from(given), Buffer.from(expected)];
	return left.length === right.length && timingSafeEqual(left, right);
};

const holds = (given: Record<string, unknown>, expected: Record<string, string>): boolean =>
	Object.entries(expected).every(([name, value]) => isSame(given[name], value));

const lowerCased = (values: Record<string, string>): Record<string, string> =>
	Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));

const challenges: Partial<Record<Authentication['kind'], string>> = {
	basic: 'Basic realm="sandbox"',
	bearer: 'Bearer realm="sandbox"',
};

/**
 * Refuses a request with missing or wrong credentials (401), and takes the credentials out of its query and body,
 * so that what is left is the operation's own. A request without a body cannot carry credentials there.
 */
export const authenticate = (
	authentication: Authentication,
	{ headers, query, body }: Credentials,
): void => {
	const expected = credentialsOf(authentication);
	const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
	const isProven =
		holds(headers, lowerCased(expected.headers)) &&
		holds(query, expected.query) &&
		(body === undefined || holds(fields, expected.body));
	if (!isProven) {
		const challenge = challenges[authentication.kind];
		throw problem(
			401,
			'The credentials are missing or wrong.',
			challenge ? { 'www-authenticate': challenge } : {},
		);
	}
	for (const name of Object.keys(expected.query)) Reflect.deleteProperty(query, name);
	for (const name of Object.keys(expected.body)) Reflect.deleteProperty(fields, name);
};
