import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { InputError } from '../resources/shared/inputError';
import { pagedListFields } from '../resources/shared/lists';

/** "Filters" of Get Many for the list of SMS messages, under another name or label. */
export function messageFiltersField(changes: Partial<INodeProperties>): INodeProperties[] {
	return pagedListFields
		.filter(({ name }) => name === 'filters')
		.map((field) => ({
			...field,
			description: 'Query parameters that narrow down the list of SMS messages',
			...changes,
		}));
}

/**
 * The query parameters of such a field; a name may occur several times.
 * @throws InputError for an entry without a name
 */
export function readMessageFilters(value: unknown, label: string): IDataObject {
	const { parameter } = (value ?? {}) as IDataObject;
	// A map: no name that the user enters means anything to it.
	const query = new Map<string, string[]>();
	for (const entry of Array.isArray(parameter) ? (parameter as IDataObject[]) : []) {
		const name = String(entry.name ?? '').trim();
		if (name === '') {
			throw new InputError(
				label,
				'has an entry without a name',
				'Enter the name or remove the entry.',
			);
		}
		query.set(name, [...(query.get(name) ?? []), String(entry.value ?? '')]);
	}
	return Object.fromEntries(query);
}
