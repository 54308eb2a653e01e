import { escapeRegExp } from 'lodash';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { trimmed } from '../texts';
import { AUTHENTICATION_FIELDS } from './authentication';
import { clientPairOf } from './loginRequest';
import { webhookToken } from './webhookToken';

/** A shorter one is taken for an ordinary word. */
const MIN_CHARACTERS = 4;

/**
 * The secrets of a credential, and the pairs of Basic Auth and of the client in Base64. For error
 * texts, descriptions and logs only: what the service returns as a result stays as it is.
 */
export function secretsOf(data: ICredentialDataDecryptedObject): string[] {
	const ofAuthentication = Object.entries(AUTHENTICATION_FIELDS).flatMap(([name, { secret }]) => {
		if (secret === 'json') return customSecrets(data[name]);
		return secret === 'text' ? [data[name]] : [];
	});
	const secrets = [...ofAuthentication, data.webhookSecret, webhookToken(data)].flatMap((value) =>
		['string', 'number'].includes(typeof value) ? String(value) : [],
	);
	const pairs = [
		...(data.authentication === 'basicAuth'
			? [`${trimmed(data.username)}:${String(data.password ?? '')}`]
			: []),
		...(data.clientCredentialsIn === 'header' ? [clientPairOf(data)] : []),
	];
	const forms = [
		...secrets.flatMap((secret) => [secret, secret.trim(), withoutScheme(secret.trim())]),
		...pairs.map((pair) => Buffer.from(pair).toString('base64')),
	];
	return [...new Set(forms)].filter(({ length }) => length >= MIN_CHARACTERS);
}

/** Replaces every occurrence of a secret, should the service have returned one: see `patternOf`. */
export function redact(text: string, secrets: readonly string[]): string {
	// The longest first: one that contains another must not keep the rest of it.
	return [...secrets]
		.sort((a, b) => b.length - a.length)
		.reduce((result, secret) => result.replace(patternOf(secret), '*****'), text);
}

/** The values in Custom JSON and Login JSON: which of them are secrets, only the user knows. */
function customSecrets(json: unknown): string[] {
	if (typeof json !== 'string') return [];
	return textsIn(jsonParse<unknown>(json, { fallbackValue: () => undefined }));
}

/** The token of `Bearer <token>`: a service may quote it alone. */
function withoutScheme(text: string): string {
	return text.replace(/^\w+ +(?=\S{8,}$)/, '');
}

/** The texts and numbers within a JSON object or array. */
function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap((inner: unknown) =>
		typeof inner === 'string' || typeof inner === 'number' ? [String(inner)] : textsIn(inner),
	);
}

/** A secret with each of its characters as it is, or as a URL, a form or JSON has it. */
function patternOf(secret: string): RegExp {
	const characters = [...secret].map((character) => {
		const inJson = JSON.stringify(character).slice(1, -1);
		const inUrl = Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&');
		const forms = [inJson, inUrl, character, ...(character === ' ' ? ['+'] : [])];
		return `(?:${forms.map(escapeRegExp).join('|')})`;
	});
	return new RegExp(characters.join(''), 'g');
}
