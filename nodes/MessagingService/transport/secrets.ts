import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { webhookToken } from './webhookToken';

/** A shorter one is taken for an ordinary word. */
const FEWEST_CHARACTERS = 4;

/**
 * Every form in which a secret of a credential may come back: as it was entered or sent, and as
 * URLs, JSON, HTML and Base64 write it.
 * @param fewest characters that a secret must have to count
 */
export function secretsOf(
	data: ICredentialDataDecryptedObject,
	fewest = FEWEST_CHARACTERS,
): string[] {
	const secrets = [
		data.password,
		data.token,
		data.headerSecret,
		data.querySecret,
		...customSecrets(data.secretJson),
		data.webhookSecret,
		webhookToken(data),
	].filter((value): value is string => typeof value === 'string' && value.length >= fewest);
	const pair = `${String(data.username ?? '').trim()}:${String(data.password ?? '')}`;
	const forms = [
		...secrets.flatMap((secret) => [...formsOf(secret), ...formsOf(secret.trim())]),
		...(data.authentication === 'basicAuth' ? base64Forms(pair) : []),
	];
	return [...new Set(forms)].filter(({ length }) => length >= FEWEST_CHARACTERS);
}

/** Replaces every occurrence of a secret, should the service have echoed one. */
export function redact(text: string, secrets: readonly string[]): string {
	// The longest first: one that contains another must not keep the rest of it.
	return [...secrets]
		.sort((a, b) => b.length - a.length)
		.reduce(
			(result, secret) =>
				secret.length < FEWEST_CHARACTERS ? result : result.replaceAll(secret, '*****'),
			text,
		);
}

/** The texts and numbers in "Custom JSON"; of what is no JSON, whatever looks like a text in it. */
function customSecrets(json: unknown): string[] {
	if (typeof json !== 'string') return [];
	const parsed = jsonParse<unknown>(json, { fallbackValue: () => undefined });
	const quoted = [...json.matchAll(/:\s*"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] ?? '');
	return [...quoted, ...leavesOf(parsed)];
}

function leavesOf(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value === 'number') return [String(value)];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(leavesOf);
}

function formsOf(secret: string): string[] {
	const wellFormed = secret.replace(/\p{Surrogate}/gu, '\ufffd');
	const encoded = encodeURIComponent(wellFormed);
	// As n8n writes queries: more than encodeURIComponent does.
	const strict = encoded.replace(/[!'()*]/g, percent);
	const json = JSON.stringify(secret).slice(1, -1);
	return [
		secret,
		...[encoded, strict, strict.replaceAll('%20', '+'), asFormField(wellFormed)].flatMap((form) => [
			form,
			form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
			// A URL within a URL, as in the address of a login page.
			encodeURIComponent(form),
		]),
		...[json, asciiOf(json)]
			.flatMap((form) => [form, form.replaceAll('/', '\\/')])
			// JSON within JSON, as a gateway passes on the answer of another one.
			.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]),
		...htmlForms(secret),
		...base64Forms(secret),
	];
}

/** As forms and `URLSearchParams` write it: `*` stays, `~` does not. */
function asFormField(text: string): string {
	return new URLSearchParams([['', text]]).toString().slice(1);
}

function percent(character: string): string {
	return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** JSON without letters beyond ASCII. */
function asciiOf(json: string): string {
	return json.replace(
		/[\u0080-\uffff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

function htmlForms(secret: string): string[] {
	const escaped = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
	return [
		escaped,
		escaped.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
		escaped.replaceAll('"', '&#34;').replaceAll("'", '&#x27;'),
	];
}

function base64Forms(secret: string): string[] {
	const bytes = Buffer.from(secret);
	return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}
