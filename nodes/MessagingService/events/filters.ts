import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { Failure } from '../failure';
import { comparedIn, readNumber } from '../numbers/readNumber';
import { entriesIn, shown } from '../texts';
import { SERVICE_KINDS, type EventFilter, type ServiceEventKind, type ServiceKind } from './kinds';

/** The filters of the triggers, each for the kinds of events that have its field. */

const PHONE_NUMBERS = 'phoneNumbers';

/** For all kinds of events. */
const phoneNumbersFilter: INodeProperties = {
	displayName: 'Phone Numbers',
	name: PHONE_NUMBERS,
	type: 'string',
	default: '',
	placeholder: 'e.g. +447700900123',
	description:
		'Only events of these numbers, separated by commas. Numbers without a country code are read with the Default Country of the credential.',
};

function toField({ label, name, description, options, placeholder }: EventFilter): INodeProperties {
	const texts = { displayName: label, name, description };
	if (options === undefined) return { ...texts, type: 'string', default: '', placeholder };
	return {
		...texts,
		type: 'multiOptions',
		noDataExpression: true,
		default: [],
		options: [...options],
	};
}

/** "Filters" of a trigger. @param kinds those that it can report */
export const eventFiltersOf = (kinds: Readonly<Record<string, ServiceKind>>): INodeProperties => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		...Object.values(kinds).flatMap(({ filters }) => filters.map(toField)),
		phoneNumbersFilter,
	].sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

/** An empty list lets everything pass; a value that is missing passes no list. */
function fits(list: readonly string[], values: readonly unknown[]): boolean {
	return list.length === 0 || values.some((value) => list.includes(String(value ?? '')));
}

/** What tells whose a number is, however it is written; undefined for what is none. */
function numberKey(number: unknown, country: string): string | undefined {
	const reading = readNumber(number, comparedIn(country));
	return reading.problem === undefined ? reading.key : undefined;
}

/**
 * The numbers of the filter, for comparison.
 * @param country Default Country of the credential
 * @throws Failure for a number that cannot be read: nothing would ever pass
 */
export function filteredNumbers(given: IDataObject, country: string): string[] {
	return entriesIn(given[PHONE_NUMBERS]).map((entry) => {
		const person = numberKey(entry, country);
		if (person !== undefined) return person;
		throw Failure.ofField(
			phoneNumbersFilter.displayName,
			`has an entry that is no phone number (${shown(entry)})`,
			'Write each number with its country code, such as +447700900123, and separate them by commas.',
		);
	});
}

/**
 * Whether an item of a trigger passes the filters; those of a kind that has none do.
 * @param given what the user has set
 * @param country Default Country of the credential
 */
export function passesFilters(
	{ phoneNumber, ...item }: IDataObject,
	given: IDataObject,
	country: string,
): boolean {
	const kind: ServiceKind | undefined = SERVICE_KINDS[item.event as ServiceEventKind];
	if (kind === undefined) return true;
	const numbers = filteredNumbers(given, country);
	if (!fits(numbers, [numberKey(phoneNumber, country)])) return false;
	return kind.filters.every(({ name, valuesOf }) => fits(entriesIn(given[name]), valuesOf(item)));
}
