import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { Failure } from '../../failure';
import type { ParameterReader } from '../../parameters/reader';
import { entriesOf } from '../../parameters/values';

/**
 * The entries of a list that the user fills in either in the form or as JSON; undefined when neither
 * is set.
 * @param group name of one entry in the form's fixed collection
 */
export function readEntries(
	parameters: ParameterReader,
	formField: INodeProperties & { type: 'fixedCollection' },
	jsonField: INodeProperties & { type: 'json' },
	group: string,
): { label: string; list: IDataObject[] } | undefined {
	const form = parameters.member('additionalFields', formField);
	const json = parameters.member('additionalFields', jsonField);
	if (form === undefined && json === undefined) return undefined;
	if (form !== undefined && json !== undefined) {
		throw Failure.ofField(
			jsonField.displayName,
			`and ${formField.displayName} are both set`,
			'Remove one of the two fields.',
		);
	}
	const label = form === undefined ? jsonField.displayName : formField.displayName;
	return { label, list: entriesOf(form ?? json, group, label) as IDataObject[] };
}
