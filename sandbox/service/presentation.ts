import type { Conventions } from './settings.ts';

type Json = Record<string, unknown>;

/** Fields that hold a phone number. */
const numberFields = new Set(['phoneNumber', 'number']);

/** A phone number in the form that the settings want; only British ones have a national form here. */
const numberIn = (form: Conventions['numberForm'], number: string): string => {
	if (form === 'withoutPlus') return number.replace(/^\+/, '');
	return form === 'national' ? number.replace(/^\+?44/, '0') : number;
};

/** A message as a service has it that has more than the interface shows. */
const withMore = (record: Json): Json =>
	'newId' in record && 'status' in record
		? { ...record, status: record.status === 1 ? 50 : record.status, network: 'Example Mobile' }
		: record;

/** Records and events in the form that the settings want; as they are unless those say otherwise. */
export const presented = (conventions: Conventions, value: unknown): unknown => {
	const { numberForm, undocumented } = conventions;
	if (numberForm === 'asSent' && !undocumented) return value;
	if (Array.isArray(value)) return value.map((item) => presented(conventions, item));
	if (typeof value !== 'object' || value === null) return value;
	const fields = Object.entries(undocumented ? withMore(value as Json) : value);
	return Object.fromEntries(
		fields.map(([name, field]) => [
			name,
			numberFields.has(name) && typeof field === 'string'
				? numberIn(numberForm, field)
				: presented(conventions, field),
		]),
	);
};
