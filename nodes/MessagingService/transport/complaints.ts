import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';
import { arrayOf } from '../jsonList';
import type { FieldLabels } from './errors';
import { inOneLine, looksLikeMarkup, shorten } from './texts';

/** One complaint of the service about one field. */
interface Complaint {
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

/** Where a text about the whole request stands; the first one counts. */
const GENERAL = ['message', 'detail', 'title', 'error', 'errors'];

/**
 * Reads an error body: a text or several, one of the two shapes of the interface (section "Errors"),
 * `{"errors":{"WebHookUrl":["..."]}}` and `{"pageSize":["..."]}`, or a text under a usual name.
 */
export function readComplaints(body: unknown): Complaint[] {
	if (typeof body === 'string') {
		return body.trim() === '' || looksLikeMarkup(body) ? [] : [{ field: '', message: body }];
	}
	if (Array.isArray(body)) return textsIn('', body);
	if (!isObject(body)) return [];
	const lists = Object.entries(isObject(body.errors) ? body.errors : body).flatMap(
		([field, texts]) =>
			Array.isArray(texts) ? textsIn(/^errors$/i.test(field) ? '' : field, texts) : [],
	);
	if (lists.length > 0) return lists.slice(0, MAX_COMPLAINTS);
	const members = Object.entries(body);
	for (const name of GENERAL) {
		const [, text] = members.find(([member]) => member.toLowerCase() === name) ?? [];
		if (typeof text === 'string' && text.trim() !== '') return [{ field: '', message: text }];
	}
	return [];
}

function textsIn(field: string, texts: readonly unknown[]): Complaint[] {
	return texts
		.slice(0, MAX_COMPLAINTS)
		.filter((text): text is string => typeof text === 'string' && text.trim() !== '')
		.map((message) => ({ field, message }));
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
	const known = readComplaints(body).map(({ field, message }) => {
		const found = knownField(field, labels, sent);
		const name = found?.place ?? clean(field);
		const text = shorten(inOneLine(clean(message)), MAX_REASON_CHARACTERS);
		return { text: name === '' ? text : `${name}: ${text}`, label: found?.label };
	});
	const text = shorten(known.map((each) => each.text).join(' | '), MAX_REASON_CHARACTERS);
	const field = known.find(({ label }) => label !== undefined)?.label;
	return field === undefined ? { text } : { text, field };
}

/**
 * A field of ours that the service names: its label, and its place, e.g. "Contact 3
 * (+447700900123), Phone Number" for `contacts[2].phoneNumber`. By the number, people find the row.
 */
function knownField(
	field: string,
	labels: FieldLabels,
	sent: IDataObject,
): { label: string; place: string } | undefined {
	// Own names only: "constructor" is no field of ours.
	const labelOf = (name: string) => (Object.hasOwn(labels, name) ? labels[name] : undefined);
	const parts = field
		.toLowerCase()
		.split(/[^\w-]+/)
		.filter(Boolean);
	const place = parts.findIndex((part) => /^\d+$/.test(part));
	const list = parts[place - 1] ?? '';
	const label = labelOf(parts.filter((part) => !/^\d+$/.test(part)).at(-1) ?? '');
	const listLabel = labelOf(list);
	if (label === undefined) return undefined;
	if (listLabel === undefined) return { label, place: label };
	const index = Number(parts[place]);
	const [, entries] = Object.entries(sent).find(([name]) => name.toLowerCase() === list) ?? [];
	const entry = arrayOf(entries)?.[index];
	const number = isObject(entry) ? (entry.phoneNumber ?? entry.number) : undefined;
	const shown = typeof number === 'string' ? ` (${number})` : '';
	const name = `${listLabel.replace(/s$/, '')} ${index + 1}${shown}`;
	return { label, place: label === listLabel ? name : `${name}, ${label}` };
}
