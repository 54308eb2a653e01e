import { groupBy, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SMS_STATUSES } from '../../codes';
import { objectsOf } from '../../json';
import { internationalForm } from '../../numbers/readNumber';
import { DOCUMENTED, OPTIONAL, type Kind } from './documented';
import { ask, ok, type Finding } from './finding';
import type { List } from './probe';

const NUMBERS = 'How are phone numbers written?';
const STATUSES = 'Which statuses are there that the interface does not show?';
const FIELDS = 'Which fields are there that the interface does not show?';

/** @param defaultCountry that of the credential; empty without one */
export function numbersFinding(lists: readonly List[], defaultCountry: string): Finding {
	const numbers = recordsOf(lists).flatMap(({ phoneNumber, number }) =>
		[phoneNumber, number].filter((value) => typeof value === 'string' && /\d/.test(value)),
	);
	if (numbers.length === 0) {
		const advice = 'How do lists and events write a phone number: with + and the country code?';
		return ask(NUMBERS, 'not tried: no list that was read has a number', advice);
	}
	const forms = groupBy(numbers, formOf);
	const found = Object.keys(forms).sort().join(', ');
	if (forms[NATIONAL] === undefined) return ok(NUMBERS, found);
	return defaultCountry === ''
		? ask(NUMBERS, found, 'Of which country are phone numbers that begin with 0?')
		: ok(NUMBERS, found, `n8n reads those without a country code as numbers of ${defaultCountry}.`);
}

const NATIONAL = 'without country code';

/** How a number is written; the number itself is not told. */
function formOf(number: unknown): string {
	const text = String(number).replace(/[\s().-]/g, '');
	if (text.startsWith('+')) return 'with +';
	if (text.startsWith('00')) return 'with 00';
	if (/^\d+$/.test(text) && internationalForm(`+${text}`) !== undefined) return 'without +';
	return NATIONAL;
}

export function statusFinding(lists: readonly List[]): Finding {
	const messages = recordsOf(lists.filter(({ kind }) => kind === 'messages'));
	const texts = recordsOf(lists).flatMap(({ smss }) => objectsOf(smss));
	const codes = uniq([...messages, ...texts].map(({ status }) => Number(status)));
	const unknown = codes.filter((code) => Number.isInteger(code) && !(code in SMS_STATUSES));
	if (unknown.length === 0) return ok(STATUSES, 'none');
	const list = unknown.sort((a, b) => a - b).join(', ');
	const advice = `What do these statuses of SMS messages mean: ${list}?`;
	return ask(STATUSES, `SMS messages: ${list}`, advice);
}

export function fieldsFinding(lists: readonly List[]): Finding {
	const kinds = Object.keys(DOCUMENTED) as Kind[];
	const seen = kinds.flatMap((kind) => {
		const records = recordsOf(lists.filter((list) => list.kind === kind));
		return records.length === 0 ? [] : [{ kind, names: namesIn(records) }];
	});
	const unknown = seen.flatMap(({ kind, names }) =>
		names
			.filter((name) => !DOCUMENTED[kind].includes(name) && OPTIONAL[kind]?.test(name) !== true)
			.map((name) => `${kind}.${name}`),
	);
	const missing = seen.flatMap(({ kind, names }) =>
		DOCUMENTED[kind].filter((name) => !names.includes(name)).map((name) => `${kind}.${name}`),
	);
	const found = unknown.length === 0 ? 'none' : unknown.join(', ');
	if (missing.length === 0) return ok(FIELDS, found);
	return ask(
		FIELDS,
		`${found}; missing: ${missing.join(', ')}`,
		`These fields are in the interface, but not in your responses: ${missing.join(', ')}. Do they have other names?`,
	);
}

function recordsOf(lists: readonly List[]): IDataObject[] {
	return lists.flatMap(({ records }) => records);
}

/** Names of fields; what could be data in the place of a name is left out. */
function namesIn(records: readonly IDataObject[]): string[] {
	const names = uniq(records.flatMap((record) => Object.keys(record)));
	return names.filter((name) => /^[a-z_]\w{0,40}$/i.test(name));
}
