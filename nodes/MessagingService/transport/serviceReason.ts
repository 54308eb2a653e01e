import { isObject } from '../json';
import { inOneLine, looksLikeMarkup, shorten } from '../texts';

/** Names of the n8n fields by the service's names in lower case, e.g. `webhookurl` -> `URL`. */
export type FieldLabels = Readonly<Record<string, string>>;

/** How texts of the service are shown. */
export interface Wording {
	labels: FieldLabels;
	/** Removes secrets from a text; before it is cut, so that no part of one remains. */
	clean(text: string): string;
}

/** As much as is quoted of what the service says. */
export const MAX_QUOTED_CHARACTERS = 300;

/** A response with more complaints repeats itself. */
const MAX_COMPLAINTS = 100;

/** Where a text about the whole request stands; the first one counts. */
const GENERAL = ['message', 'detail', 'title', 'error_description', 'error'];

/**
 * The complaints in an error body, each with its field: in one of the two shapes of the interface
 * (section "Errors"), `{"errors":{"WebHookUrl":["..."]}}` and `{"pageSize":["..."]}`. A text about
 * the whole request has no field.
 */
function complaintsIn(body: unknown): [field: string, text: unknown][] {
	if (typeof body === 'string') return looksLikeMarkup(body) ? [] : [['', body]];
	if (Array.isArray(body)) return body.map((text) => ['', text]);
	if (!isObject(body)) return [];
	const listed = Object.entries(isObject(body.errors) ? body.errors : body).flatMap(
		([field, texts]) =>
			Array.isArray(texts) ? texts.map((text): [string, unknown] => [field, text]) : [],
	);
	if (listed.length > 0) return listed;
	const texts = new Map(Object.entries(body).map(([name, text]) => [name.toLowerCase(), text]));
	return [['', GENERAL.map((name) => texts.get(name)).find(hasText)]];
}

function hasText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/**
 * The service's reason for refusing a request: its complaints in one text of at most 300 characters,
 * empty where it gave none, with the display name of the first n8n field that it names, and whether
 * it is about the client ID.
 */
export function reasonOf(body: unknown, { labels, clean }: Wording) {
	const complaints = complaintsIn(body).slice(0, MAX_COMPLAINTS);
	const texts = complaints.flatMap(([field, message]) => {
		if (!hasText(message)) return [];
		// A place in a list, e.g. `contacts[2].phoneNumber`, is shown as the service writes it.
		const label = /[[./]\d/.test(field) ? undefined : labelOf(field, labels);
		const name = label ?? clean(field);
		const text = inOneLine(clean(message));
		return name === '' ? text : `${name}: ${text}`;
	});
	const text = shorten(texts.join(' | '), MAX_QUOTED_CHARACTERS);
	const field = complaints.map(([name]) => labelOf(name, labels)).find(Boolean);
	return { text, field, isOfClient: complaints.some(([name]) => /client_?id$/i.test(name)) };
}

/** The n8n field behind the last name in a path. */
function labelOf(field: string, labels: FieldLabels): string | undefined {
	const names = field.toLowerCase().match(/[a-z_]\w*/g) ?? [];
	const name = names.at(-1) ?? '';
	// Own names only: "constructor" is no field of ours.
	return Object.hasOwn(labels, name) ? labels[name] : undefined;
}
