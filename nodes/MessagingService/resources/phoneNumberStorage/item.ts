import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { PARAMETER_NAMES } from '../../policy/storedNumbers';

/** The fields of a stored number (interface, "Stored phone number item"). */
export const STORED_FIELDS: readonly string[] = ['storageID', 'number', ...PARAMETER_NAMES];

const isEmpty = (value: unknown) => value === '' || value === null;

/** What a simplified output keeps: the parameters that hold something. */
export function withoutEmptyParameters(item: IDataObject): IDataObject {
	const empty = PARAMETER_NAMES.filter((name) => isEmpty(item[name]));
	// lodash copies each value: a list of 100,000 full records takes a third longer.
	return empty.length === 0 ? item : omit(item, empty);
}
