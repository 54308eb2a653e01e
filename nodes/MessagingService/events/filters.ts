import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { entriesIn } from './decode';
import { digitsOf } from './eventKey';
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
		'Only events of these numbers, with country code, separated by commas. Spaces and the plus sign are ignored.',
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

/**
 * Whether an item of a trigger passes the filters; those of a kind that has none do.
 * @param given what the user has set
 */
export function passesFilters({ phoneNumber, ...item }: IDataObject, given: IDataObject): boolean {
	const kind: ServiceKind | undefined = SERVICE_KINDS[item.event as ServiceEventKind];
	if (kind === undefined) return true;
	const numbers = entriesIn(given[PHONE_NUMBERS]).map(digitsOf);
	if (!fits(numbers, [digitsOf(phoneNumber)])) return false;
	return kind.filters.every(({ name, valuesOf }) => fits(entriesIn(given[name]), valuesOf(item)));
}
