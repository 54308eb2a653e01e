import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { isObject } from '../json';
import { Failure } from '../failure';
import { hasInvalidUnicode, isDroppedName, kindOf, shorten, trimmed } from '../texts';

/** What "Custom JSON" authentication adds to every request. */
interface CustomAuthentication {
	headers?: Record<string, string>;
	qs?: Record<string, string>;
}

const isPlainValue = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

function isCustomAuthentication(value: unknown): value is CustomAuthentication {
	if (!isObject(value)) return false;
	return Object.entries(value).every(
		([part, entries]) =>
			isObject(entries) &&
			(part === 'qs' || (part === 'headers' && Object.values(entries).every(isPlainValue))),
	);
}

/** Reads the "Custom JSON" secret. The error never quotes it. */
function parseCustomAuthentication(json: unknown): CustomAuthentication {
	const parsed = jsonParse<unknown>(trimmed(json), { fallbackValue: () => undefined });
	if (isCustomAuthentication(parsed)) return parsed;
	throw new Failure(
		'The "JSON" field of the credential is invalid',
		'Write it like { "headers": { "X-Api-Key": "..." }, "qs": { "user": "..." } }: one of them or both, with values in quotes.',
	);
}

/** Headers that say where a request goes and where it ends: the authentication must not change them. */
const HEADERS_OF_THE_CONNECTION =
	/^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** Adds a header. n8n's HTTP helper would silently drop or change one that HTTP does not allow. */
function addHeader(request: IHttpRequestOptions, name: string, value: string) {
	const isAllowedName =
		/^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
		!HEADERS_OF_THE_CONNECTION.test(name) &&
		!isDroppedName(name);
	if (!isAllowedName || /[^\t -~\u0080-\u00ff]/.test(value)) {
		throw new Failure(
			`The header "${shorten(name, 30)}" of the credential is not allowed`,
			'Use a name like X-Api-Key, and a value without line breaks or characters outside of Latin-1.',
		);
	}
	request.headers = { ...request.headers, [name]: value };
}

function addQuery(request: IHttpRequestOptions, parameters: IDataObject) {
	for (const [name, value] of Object.entries(parameters)) {
		if (name === '' || isDroppedName(name) || hasInvalidUnicode(`${name}${String(value)}`)) {
			throw new Failure(
				'A query parameter in the credential is invalid',
				'Enter the name and value that the service operator told you.',
			);
		}
		if (Object.hasOwn(request.qs ?? {}, name)) {
			throw new Failure(
				`The credential and the node both set "${shorten(name, 28)}" in the query`,
				'Remove it from the node, for example from its Filters.',
			);
		}
	}
	request.qs = { ...request.qs, ...parameters };
}

/** A key as text. One that an expression makes an object of would go out empty. */
function keyIn(value: unknown, label: string): string {
	const isWrong = typeof value === 'boolean' || (typeof value === 'object' && value !== null);
	if (!isWrong) return trimmed(value);
	const kind = kindOf(value);
	throw new Failure(
		`The ${label} of the credential is ${kind}, not text`,
		`Its expression gives ${kind}: name the field that holds the text, for example {{ $json.login.token }}.`,
	);
}

/** A token, which people copy with the word before it. */
const bearerToken = (token: unknown) => keyIn(token, 'Token').replace(/^bearer\s+/i, '');

/** A field of the credential by which the service knows who asks. */
interface AuthenticationField {
	/** The kind of authentication that needs it, or another field with the same kind. */
	keyOf?: string;
	/** What no text may show: all of it, or the values in its JSON. */
	secret?: 'text' | 'json';
}

/** The fields that belong to a kind of authentication: together, they tell accounts apart. */
export const AUTHENTICATION_FIELDS: Readonly<Record<string, AuthenticationField>> = {
	username: { keyOf: 'basicAuth' },
	password: { keyOf: 'basicAuth', secret: 'text' },
	token: { keyOf: 'bearer', secret: 'text' },
	headerName: {},
	headerSecret: { keyOf: 'header', secret: 'text' },
	queryName: {},
	querySecret: { keyOf: 'query', secret: 'text' },
	secretJson: { secret: 'json' },
	tokenUrl: {},
	loginWith: {},
	oauthClientId: {},
	oauthClientSecret: { secret: 'text' },
	clientCredentialsIn: {},
	scope: {},
	loginJson: { secret: 'json' },
	tokenField: {},
};

/**
 * What has no key must not go out without one: it may be for another account.
 * @throws Failure
 */
export function assertKey(data: ICredentialDataDecryptedObject): void {
	const kind = String(data.authentication);
	const keys = Object.entries(AUTHENTICATION_FIELDS).filter(([, { keyOf }]) => keyOf === kind);
	const isEmpty = ([name]: readonly [string, unknown]) => String(data[name] ?? '').trim() === '';
	if (keys.length === 0 || !keys.every(isEmpty)) return;
	throw new Failure(
		'The credential has no key',
		'Enter it in the credential. Where an expression gives it, check the field of the item that it names. This request was not sent.',
	);
}

/**
 * Adds the authentication that the credential chooses to a request.
 * @param token of the login, where that gives one
 * @throws Failure where its fields make none
 */
export function authenticate(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
	token?: string,
): IHttpRequestOptions {
	switch (credentials.authentication) {
		case 'accessToken':
			addHeader(request, 'Authorization', `Bearer ${token ?? ''}`);
			break;
		case 'basicAuth': {
			const pair = `${trimmed(credentials.username)}:${String(credentials.password ?? '')}`;
			addHeader(request, 'Authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
			break;
		}
		case 'bearer':
			addHeader(request, 'Authorization', `Bearer ${bearerToken(credentials.token)}`);
			break;
		case 'header':
			addHeader(
				request,
				trimmed(credentials.headerName),
				keyIn(credentials.headerSecret, 'Header Value'),
			);
			break;
		case 'query':
			addQuery(request, {
				[trimmed(credentials.queryName)]: keyIn(credentials.querySecret, 'Parameter Value'),
			});
			break;
		case 'customJson': {
			const custom = parseCustomAuthentication(credentials.secretJson);
			for (const [name, value] of Object.entries(custom.headers ?? {})) {
				addHeader(request, name, String(value));
			}
			addQuery(request, custom.qs ?? {});
			break;
		}
	}
	return request;
}
