import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { trimmed } from '../texts';
import { clientPairOf } from './loginRequest';
import { webhookToken } from './webhookToken';

/** A shorter one is taken for an ordinary word. */
const MIN_CHARACTERS = 4;

/**
 * The secrets of a credential in the forms in which a service may write them back: as they are, in
 * a URL, in JSON, and the pairs of Basic Auth and of the client in Base64. For error texts, descriptions and logs only:
 * what the service returns as a result stays as it is.
 */
export function secretsOf(data: ICredentialDataDecryptedObject): string[] {
	const secrets = [
		data.password,
		data.token,
		data.headerSecret,
		data.querySecret,
		data.oauthClientSecret,
		...customSecrets(data.secretJson),
		...customSecrets(data.loginJson),
		data.webhookSecret,
		webhookToken(data),
	].flatMap((value) => (['string', 'number'].includes(typeof value) ? String(value) : []));
	const pairs = [
		...(data.authentication === 'basicAuth'
			? [`${trimmed(data.username)}:${String(data.password ?? '')}`]
			: []),
		...(data.clientCredentialsIn === 'header' ? [clientPairOf(data)] : []),
	];
	const forms = [
		...secrets
			.flatMap((secret) => [secret, secret.trim(), withoutScheme(secret.trim())])
			.flatMap(formsOf),
		...pairs.map((pair) => Buffer.from(pair).toString('base64')),
	];
	return [...new Set(forms)].filter(({ length }) => length >= MIN_CHARACTERS);
}

/** Replaces every occurrence of a secret, should the service have returned one. */
export function redact(text: string, secrets: readonly string[]): string {
	// The longest first: one that contains another must not keep the rest of it.
	return [...secrets]
		.sort((a, b) => b.length - a.length)
		.reduce((result, secret) => result.replaceAll(secret, '*****'), text);
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

/** The forms in which a service may write a secret back. */
export function formsOf(secret: string): string[] {
	const encoded = encodeURIComponent(secret.toWellFormed());
	// As n8n writes queries: more than encodeURIComponent does.
	const strict = encoded.replace(/[!'()*]/g, percent);
	// As forms write values, with + for a space.
	const inForms = [
		strict.replace(/%20/g, '+'),
		new URLSearchParams([['', secret]]).toString().slice(1),
	];
	return [secret, encoded, strict, ...inForms, JSON.stringify(secret).slice(1, -1)];
}

function percent(character: string): string {
	return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
