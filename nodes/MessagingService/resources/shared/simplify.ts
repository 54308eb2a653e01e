import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OperationCall } from '../operation';

/** For records with more than ten fields. */
export const simplifyField = {
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
} satisfies INodeProperties;

/**
 * What makes an output record: as received, or with these fields only, if the user wants it
 * simplified. A record that has none of them stays as it is.
 */
export function simplifier(
	{ parameters }: OperationCall,
	fields: readonly string[],
): (record: IDataObject) => IDataObject {
	if (!parameters.read(simplifyField)) return (record) => record;
	return (record) => {
		const simplified: IDataObject = {};
		for (const field of fields) if (field in record) simplified[field] = record[field];
		return Object.keys(simplified).length === 0 ? record : simplified;
	};
}
