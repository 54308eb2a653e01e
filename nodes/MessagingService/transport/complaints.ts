import { isObject } from '../json';
import type { FieldLabels } from './errors';
import { inOneLine, looksLikeMarkup, shorten } from './texts';

/** The service's reason for refusing a request. */
export interface Reason {
	/** At most 300 characters; empty where the service gave none. */
	text: string;
	/** Display name of the first n8n field that it names. */
	field?: string;
}

const MAX_REASON_CHARACTERS = 300;

/** A response with more complaints repeats itself. */
const MAX_COMPLAINTS = 100;

/** Where a text about the whole request stands; the first one counts. */
const GENERAL = ['message', 'detail', 'title', 'error', 'errors'];

/** One complaint of the service; the field is empty when it is about the whole request. */
type Complaint = [field: string, message: string];

/**
 * Reads an error body: a text or several, one of the two shapes of the interface (section "Errors"),
 * `{"errors":{"WebHookUrl":["..."]}}` and `{"pageSize":["..."]}`, or a text under a usual name.
 */
function readComplaints(body: unknown): Complaint[] {
	if (typeof body === 'string') return looksLikeMarkup(body) ? [] : textsIn('', [body]);
	if (Array.isArray(body)) return textsIn('', body);
	if (!isObject(body)) return [];
	const fields = Object.entries(isObject(body.errors) ? body.errors : body);
	const lists = fields.flatMap(([field, texts]) =>
		Array.isArray(texts) ? textsIn(field === 'errors' ? '' : field, texts) : [],
	);
	if (lists.length > 0) return lists;
	const members = new Map(Object.entries(body).map(([name, text]) => [name.toLowerCase(), text]));
	return textsIn(
		'',
		GENERAL.map((name) => members.get(name)),
	).slice(0, 1);
}

function textsIn(field: string, texts: readonly unknown[]): Complaint[] {
	return texts
		.slice(0, MAX_COMPLAINTS)
		.filter((text): text is string => typeof text === 'string' && text.trim() !== '')
		.map((message) => [field, message]);
}

/**
 * The complaints in one readable text, with the n8n field's name where it is known.
 * @param clean removes secrets from a text; before it is cut, so that no part of one remains
 */
export function reasonOf(
	body: unknown,
	labels: FieldLabels,
	clean: (text: string) => string,
): Reason {
	const complaints = readComplaints(body).slice(0, MAX_COMPLAINTS);
	const texts = complaints.map(([field, message]) => {
		const name = isPath(field) ? clean(field) : (labelOf(field, labels) ?? clean(field));
		const text = shorten(inOneLine(clean(message)), MAX_REASON_CHARACTERS);
		return name === '' ? text : `${name}: ${text}`;
	});
	const text = shorten(texts.join(' | '), MAX_REASON_CHARACTERS);
	const field = complaints.map(([name]) => labelOf(name, labels)).find(Boolean);
	return field === undefined ? { text } : { text, field };
}

/** Whether a field is written with its place in a list, e.g. `contacts[2].phoneNumber`. */
function isPath(field: string): boolean {
	return /[[./]\d/.test(field);
}

/** The n8n field behind the last name in a path. */
function labelOf(field: string, labels: FieldLabels): string | undefined {
	const name =
		field
			.toLowerCase()
			.match(/[a-z_]\w*/g)
			?.at(-1) ?? '';
	// Own names only: "constructor" is no field of ours.
	return Object.hasOwn(labels, name) ? labels[name] : undefined;
}
