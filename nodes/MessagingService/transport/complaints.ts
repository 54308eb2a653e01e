import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';
import { arrayOf } from '../jsonList';
import type { FieldLabels } from './errors';
import { inOneLine, looksLikeMarkup, shorten } from './texts';

/** One complaint of the service about one field. */
export interface Complaint {
	/** The field as the service names it; empty when the complaint is about the whole request. */
	field: string;
	message: string;
}

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

/** Where complaints about single fields stand: `errors` (interface, "Errors"), ASP.NET's `ModelState`. */
const BY_FIELD = ['errors', 'modelstate'];

/** Where a text about the whole request stands; the first one counts. */
const GENERAL = ['message', 'detail', 'title', 'error_description', 'error'];

/** How deep `{"error": {"errors": [...]}}` may be nested. */
const MAX_DEPTH = 4;

/**
 * Reads an error body in the shapes the interface documents (section "Errors"),
 * `{"errors":{"WebHookUrl":["..."]}}` and `{"pageSize":["..."]}`, and in the common ones:
 * `{Message, ModelState}`, `{error: {message}}`, `{errors: [...]}` of texts or of objects with a
 * `field` and a `message`, and texts under `message`, `title`, `detail` or `error`.
 */
export function readComplaints(body: unknown, depth = 0): Complaint[] {
	if (typeof body === 'string') {
		return body.trim() === '' || looksLikeMarkup(body) ? [] : [{ field: '', message: body }];
	}
	if (depth > MAX_DEPTH) return [];
	if (Array.isArray(body)) {
		return body.slice(0, MAX_COMPLAINTS).flatMap((entry) => readComplaints(entry, depth + 1));
	}
	if (!isObject(body)) return [];
	const members = Object.entries(body).map(([name, value]) => ({
		name: name.toLowerCase(),
		value,
		isByField: BY_FIELD.includes(name.toLowerCase()),
	}));
	const nested = members
		.filter(({ isByField }) => isByField)
		.flatMap(({ value }) => readByField(value, depth + 1));
	if (nested.length > 0) return nested;
	const documented = readLists(body);
	if (documented.length > 0) return documented;
	for (const name of GENERAL) {
		const { value } = members.find((member) => member.name === name) ?? {};
		const general = readComplaints(value, depth + 1);
		const field = nameOfField(body);
		if (general.length > 0) return field === '' ? general : [{ ...general[0], field } as Complaint];
	}
	return [];
}

/** The values of `errors`: by field, as a list, or one text. */
function readByField(value: unknown, depth: number): Complaint[] {
	if (!isObject(value)) return readComplaints(value, depth);
	return Object.entries(value)
		.slice(0, MAX_COMPLAINTS)
		.flatMap(([field, inner]) =>
			readComplaints(inner, depth).map((complaint) => ({
				message: complaint.message,
				field: complaint.field === '' ? field : complaint.field,
			})),
		);
}

/** The lists of texts under the names of fields: `{"pageSize": ["..."]}`. */
function readLists(body: IDataObject): Complaint[] {
	return Object.entries(body)
		.filter(([name, value]) => Array.isArray(value) && !BY_FIELD.includes(name.toLowerCase()))
		.slice(0, MAX_COMPLAINTS)
		.flatMap(([field, value]) =>
			(value as unknown[])
				.filter((entry): entry is string => typeof entry === 'string' && entry.trim() !== '')
				.slice(0, MAX_COMPLAINTS)
				.map((message) => ({ field, message })),
		);
}

/** The field of `{"field": "sender", "message": "..."}`, under its usual names. */
function nameOfField(body: IDataObject): string {
	const name = body.field ?? body.propertyName ?? body.property;
	return typeof name === 'string' ? name : '';
}

/**
 * The complaints in one readable text, with the n8n field's name where it is known.
 * @param clean removes secrets from a text; before it is cut, so that no part of one remains
 * @param sent the body of the request
 */
export function reasonOf(
	body: unknown,
	labels: FieldLabels,
	clean: (text: string) => string,
	sent: IDataObject = {},
): Reason {
	const numberAt = numbersOf(sent);
	const complaints = readComplaints(body).slice(0, MAX_COMPLAINTS);
	const texts = complaints.map(({ field, message }) => {
		const name =
			knownField(field, labels, numberAt)?.place ??
			(BY_FIELD.includes(field.toLowerCase()) ? '' : clean(field));
		const text = shorten(inOneLine(clean(message)), MAX_REASON_CHARACTERS);
		return name === '' ? text : `${name}: ${text}`;
	});
	const text = shorten(texts.join(' | '), MAX_REASON_CHARACTERS);
	const field = complaints
		.map((complaint) => knownField(complaint.field, labels, numberAt)?.label)
		.find(Boolean);
	return field === undefined ? { text } : { text, field };
}

/** A field of ours that the service names, and its place where it is in a list. */
interface KnownField {
	label: string;
	/** e.g. "Contact 3 (+447700900123), Phone Number". */
	place: string;
}

/** Tells the phone number of an entry in a list of a request. */
type NumberAt = (list: string, index: number) => string | undefined;

function numbersOf(sent: IDataObject): NumberAt {
	const lists = new Map<string, unknown[]>();
	return (name, index) => {
		const [, list] = Object.entries(sent).find(([key]) => key.toLowerCase() === name) ?? [];
		const entries = lists.get(name) ?? arrayOf(list) ?? [];
		lists.set(name, entries);
		const entry = entries[index];
		const number = isObject(entry) ? (entry.phoneNumber ?? entry.number) : undefined;
		return typeof number === 'string' ? number : undefined;
	};
}

/**
 * `contacts[2].phoneNumber` is looked up as a whole first, then by its last name. The position is
 * that in the request, counted from 1; by the number, people find the row.
 */
function knownField(
	field: string,
	labels: FieldLabels,
	numberAt: NumberAt,
): KnownField | undefined {
	// Own names only: "constructor" is no field of ours.
	const labelFor = (key: string | undefined) =>
		key !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
	const name = field.toLowerCase();
	const parts = name.split(/[^\p{L}\p{N}_-]+/u).filter(Boolean);
	const names = parts.filter((part) => !/^\d+$/.test(part));
	const label = labelFor(name) ?? labelFor(names.at(-1));
	if (label === undefined) return undefined;
	const index = parts.findIndex((part) => /^\d+$/.test(part));
	const list = index < 1 ? undefined : labelFor(parts[index - 1]);
	if (list === undefined) return { label, place: label };
	const number = numberAt(parts[index - 1] ?? '', Number(parts[index]));
	const entry = `${list.replace(/s$/, '')} ${Number(parts[index]) + 1}${number === undefined ? '' : ` (${number})`}`;
	return { label, place: label === list ? entry : `${entry}, ${label}` };
}
