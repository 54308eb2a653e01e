import { groupBy, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SMS_STATUSES } from '../../codes';
import { objectsOf } from '../../json';
import { internationalForm } from '../../numbers/readNumber';
import { ask, ok, type Finding } from './finding';
import { isOfMessages, type List } from './probe';

const NUMBERS = 'How are phone numbers written?';
const STATUSES = 'Which statuses are there that the interface does not show?';

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
	const messages = recordsOf(lists.filter(isOfMessages));
	const texts = recordsOf(lists).flatMap(({ smss }) => objectsOf(smss));
	const codes = uniq([...messages, ...texts].map(({ status }) => Number(status)));
	const unknown = codes.filter((code) => Number.isInteger(code) && !(code in SMS_STATUSES));
	if (unknown.length === 0) return ok(STATUSES, 'none');
	const list = unknown.sort((a, b) => a - b).join(', ');
	const advice = `What do these statuses of SMS messages mean: ${list}?`;
	return ask(STATUSES, `SMS messages: ${list}`, advice);
}

function recordsOf(lists: readonly List[]): IDataObject[] {
	return lists.flatMap(({ records }) => records);
}
