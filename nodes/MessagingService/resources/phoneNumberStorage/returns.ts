import { pick } from 'lodash';
import { PARAMETER_NAMES } from '../../policy/storedNumbers';
import { flag, text, type Fields, type Returns } from '../../returns/fields';

/** Interface, "Stored phone number item". */
const STORED_ITEM: Fields = {
	storageID: text('customer-4711'),
	number: text('+447700900123'),
	...Object.fromEntries(
		PARAMETER_NAMES.map((name, index) => [
			name,
			text(['Ada', 'Monday', '10:30'][index] ?? `Text ${index + 1}`),
		]),
	),
};

const saved: Returns = {
	fields: { ...pick(STORED_ITEM, ['storageID', 'number']), success: flag(true) },
	isOpen: true,
};

export const phoneNumberStorageReturns: Record<string, Returns> = {
	create: saved,
	get: { fields: STORED_ITEM },
	getAll: { fields: STORED_ITEM },
	update: saved,
	postById: {
		fields: { ...pick(STORED_ITEM, ['storageID']), success: flag(true) },
		isOpen: true,
	},
};
