import { timingSafeEqual } from 'node:crypto';
import { problem } from './errors.ts';
import type { Authentication } from './settings.ts';

/** The parts of a request that can carry credentials. */
export interface Credentials {
	headers: Record<string, unknown>;
	query: Record<string, unknown>;
	body: unknown;
}

const same = (given: unknown, expected: string): boolean => {
	if (typeof given !== 'string') return false;
	const [left, right] = [Buffer.from(given), Buffer.from(expected)];
	return left.length === right.length && timingSafeEqual(left, right);
};

const holds = (given: Record<string, unknown>, expected: Record<string, string> = {}): boolean =>
	Object.entries(expected).every(([name, value]) => same(given[name], value));

const lowerCased = (values: Record<string, string> = {}): Record<string, string> =>
	Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));

const isProven = (
	authentication: Authentication,
	{ headers, query, body }: Credentials,
): boolean => {
	switch (authentication.kind) {
		case 'none':
			return true;
		case 'basic': {
			const { username, password } = authentication;
			const expected = Buffer.from(`${username}:${password}`).toString('base64');
			return same(headers.authorization, `Basic ${expected}`);
		}
		case 'bearer':
			return same(headers.authorization, `Bearer ${authentication.token}`);
		case 'header':
			return same(headers[authentication.name.toLowerCase()], authentication.value);
		case 'query':
			return same(query[authentication.name], authentication.value);
		case 'custom':
			return (
				holds(headers, lowerCased(authentication.headers)) &&
				holds(query, authentication.query) &&
				(body === undefined || holds(body as Record<string, unknown>, authentication.body))
			);
	}
};

const challenges: Partial<Record<Authentication['kind'], string>> = {
	basic: 'Basic realm="sandbox"',
	bearer: 'Bearer realm="sandbox"',
};

/**
 * Refuses a request with missing or wrong credentials (401), and takes the credentials out of its query and body,
 * so that what is left is the operation's own.
 */
export const authenticate = (authentication: Authentication, credentials: Credentials): void => {
	const { query, body } = credentials;
	if (!isProven(authentication, credentials)) {
		const challenge = challenges[authentication.kind];
		throw problem(
			401,
			'The credentials are missing or wrong.',
			challenge ? { 'www-authenticate': challenge } : {},
		);
	}
	const queryNames =
		authentication.kind === 'query'
			? [authentication.name]
			: authentication.kind === 'custom'
				? Object.keys(authentication.query ?? {})
				: [];
	for (const name of queryNames) Reflect.deleteProperty(query, name);
	if (authentication.kind !== 'custom' || typeof body !== 'object' || body === null) return;
	for (const name of Object.keys(authentication.body ?? {})) Reflect.deleteProperty(body, name);
};

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
