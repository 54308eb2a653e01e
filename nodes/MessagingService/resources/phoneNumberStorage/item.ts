import type { IDataObject } from 'n8n-workflow';
import { PARAMETER_NAMES } from '../../policy/storedNumbers';
import { text, type Fields } from '../../returns/fields';

/** Interface, "Stored phone number item". */
export const STORED_ITEM: Fields = {
	storageID: text('customer-4711'),
	number: text('+447700900123'),
	...Object.fromEntries(
		PARAMETER_NAMES.map((name, index) => [
			name,
			text(['Ada', 'Monday', '10:30'][index] ?? `Text ${index + 1}`),
		]),
	),
};

const isEmpty = (value: unknown) => value === '' || value === null;

/** What a simplified output keeps: the parameters that hold something. */
export function withoutEmptyParameters(item: IDataObject): IDataObject {
	if (!Object.values(item).some(isEmpty)) return item;
	return Object.fromEntries(
		Object.entries(item).filter(
			([name, value]) => !PARAMETER_NAMES.includes(name) || !isEmpty(value),
		),
	);
}
