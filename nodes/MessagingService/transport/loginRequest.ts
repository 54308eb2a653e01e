import { get } from 'lodash';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { isObject, parseJson } from '../json';
import { shorten, trimmed } from '../texts';
import { invalidAddress, readAddress } from './address';

/** The request of a login (RFC 6749, 4.3 and 4.4, or JSON). */
export interface LoginRequest {
	url: string;
	headers: Record<string, string>;
	/** A text: n8n's HTTP helper for credential tests spoils bytes. */
	body: string;
	/** Where its response has the token: a path with dots; empty where the response is the token. */
	tokenField: string;
}

const DEFAULT_TOKEN_FIELD = 'access_token';

/**
 * The login that a credential describes.
 * @throws Failure that names the field which is wrong, and never quotes a secret
 */
export function loginRequestOf(
	data: ICredentialDataDecryptedObject,
	baseUrl: string,
): LoginRequest {
	const url = tokenUrl(data.tokenUrl, baseUrl);
	if (data.loginWith === 'json') {
		return {
			url,
			headers: { 'Content-Type': 'application/json' },
			body: loginJson(data.loginJson),
			tokenField: trimmed(data.tokenField ?? DEFAULT_TOKEN_FIELD),
		};
	}
	const client = clientOf(data);
	return {
		url,
		headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...client.headers },
		body: formOf({ ...grantOf(data), scope: trimmed(data.scope), ...client.fields }),
		tokenField: DEFAULT_TOKEN_FIELD,
	};
}

/** An address of its own, or a path on the Base URL. */
function tokenUrl(value: unknown, baseUrl: string): string {
	const entered = trimmed(value);
	const isAddress = /^[a-z][a-z\d+.-]*:\/\//i.test(entered);
	if (!isAddress && !entered.startsWith('/')) {
		throw invalidAddress('Token URL', entered === '' ? 'is empty' : 'is not a valid address');
	}
	return readAddress('Token URL', isAddress ? entered : `${baseUrl}${entered}`);
}

/** The body of a JSON login. The error never quotes it. */
function loginJson(value: unknown): string {
	const json = trimmed(value);
	if (isObject(parseJson(json))) return json;
	throw new Failure(
		'The Login JSON of the credential is invalid',
		'Enter the JSON object that the service expects, e.g. { "username": "...", "password": "..." }.',
		{ field: 'Login JSON' },
	);
}

/** What is granted: access for the client itself, or for a user. */
function grantOf(data: ICredentialDataDecryptedObject): Record<string, string> {
	if (data.loginWith !== 'password') return { grant_type: 'client_credentials' };
	return {
		grant_type: 'password',
		username: trimmed(data.username),
		password: String(data.password ?? ''),
	};
}

/** The client where the service wants it. The password grant does not need one. */
function clientOf(
	data: ICredentialDataDecryptedObject,
): Record<'fields' | 'headers', Record<string, string>> {
	const id = trimmed(data.oauthClientId);
	const secret = trimmed(data.oauthClientSecret);
	if (id === '' || data.clientCredentialsIn !== 'header') {
		return { fields: { client_id: id, client_secret: secret }, headers: {} };
	}
	const pair = Buffer.from(clientPairOf(data)).toString('base64');
	return { fields: {}, headers: { Authorization: `Basic ${pair}` } };
}

/** The client as one text, its parts encoded as in a form (RFC 6749, 2.3.1). */
export function clientPairOf(data: ICredentialDataDecryptedObject): string {
	return [data.oauthClientId, data.oauthClientSecret]
		.map((part) => new URLSearchParams([['', trimmed(part)]]).toString().slice(1))
		.join(':');
}

/** A form with the fields that have a value. */
function formOf(fields: Record<string, string>): string {
	const given = Object.entries(fields).filter(([, value]) => value !== '');
	return new URLSearchParams(given).toString();
}

/**
 * The token in the response to a login, and for how long it lives, which stands beside it.
 * @returns undefined where there is none: it is text without spaces and special characters
 */
export function tokenIn(content: unknown, tokenField: string) {
	const path = tokenField.split('.');
	const value: unknown = tokenField === '' ? content : get(content, path);
	if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) return undefined;
	const seconds = Number(get(content, [...path.slice(0, -1), 'expires_in']) ?? NaN);
	return { value, lifetimeMs: seconds > 0 ? seconds * 1000 : undefined };
}

const MAX_NAMES_CHARACTERS = 200;
const DEEPEST_FIELD = 3;

/** What a response without a token has, without its values: one of them may be a token. */
export function fieldsIn(content: unknown): string {
	const names = pathsIn(content, DEEPEST_FIELD);
	return names.length === 0
		? 'It has no fields.'
		: `It has the fields ${shorten(names.join(', '), MAX_NAMES_CHARACTERS)}.`;
}

function pathsIn(content: unknown, depth: number): string[] {
	if (!isObject(content) || depth === 0) return [];
	return Object.entries(content).flatMap(([name, value]) => [
		name,
		...pathsIn(value, depth - 1).map((path) => `${name}.${path}`),
	]);
}
