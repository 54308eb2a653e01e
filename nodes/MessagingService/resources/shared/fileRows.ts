import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';
import type { ColumnChoice } from '../../recipients/columns';
import { FILE, fileFields } from '../../recipients/file/fields';
import { asOptions } from './fields';
import type { FieldMapping, ParameterReader } from './parameters';
import { isNothing } from './values';

const SOURCE = 'phoneNumbersSource';
const COLUMN_NAMES = 'inputFieldNames';
const COLUMN_NAMES_LABEL = 'Column Names';

const sourceField: INodeProperties = {
	displayName: 'Phone Numbers From',
	name: SOURCE,
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'File',
			value: FILE,
			description: 'Store each row of a CSV or JSON Lines file of any size',
		},
		{ name: 'Input Items', value: 'inputItems', description: 'Store one number per input item' },
	],
	default: 'inputItems',
	description: 'Where the phone numbers come from',
	builderHint: {
		propertyHint:
			'Keep "inputItems" for rows that another node outputs; "file" is for a CSV or JSON Lines file.',
	},
};

interface Leaf {
	leaf: INodeProperties;
	collection: string | undefined;
}

/** The fields of a request that have a value of their own, and the collection that they are in. */
function leavesOf(mappable: readonly INodeProperties[]): Leaf[] {
	return mappable.flatMap((field): Leaf[] =>
		field.type === 'collection'
			? ((field.options ?? []) as INodeProperties[]).map((leaf) => ({
					leaf,
					collection: field.name,
				}))
			: [{ leaf: field, collection: undefined }],
	);
}

/** An operation's fields with the choice to run it for each row of a file. */
export function withFileRows(
	fields: readonly INodeProperties[],
	mappable: readonly INodeProperties[],
): INodeProperties[] {
	const columnNames: INodeProperties = {
		displayName: COLUMN_NAMES_LABEL,
		name: COLUMN_NAMES,
		type: 'collection',
		placeholder: 'Add Column',
		default: {},
		description: 'Names of the columns that are not named like the field of the service',
		builderHint: {
			propertyHint: 'Names of columns of the file, e.g. "phone": no expression, no value.',
		},
		options: asOptions(leavesOf(mappable).map(({ leaf }) => leaf)).map(({ displayName, name }) => ({
			displayName: `${displayName} Column`,
			name,
			type: 'string',
			default: '',
			placeholder: `e.g. ${name}`,
		})),
	};
	return [
		sourceField,
		...updateDisplayOptions({ show: { [SOURCE]: [FILE] } }, [...fileFields, columnNames]),
		...updateDisplayOptions({ hide: { [SOURCE]: [FILE] } }, [...fields]),
	];
}

/** Whether the user runs an operation for the rows of a file. */
export function isForFileRows(context: IExecuteFunctions): boolean {
	return context.getNodeParameter(SOURCE, 0, 'inputItems') === FILE;
}

/** The column of each mappable field. */
export function columnsOfFields(
	parameters: ParameterReader,
	mappable: readonly INodeProperties[],
): ColumnChoice[] {
	const names = parameters.collection(COLUMN_NAMES, COLUMN_NAMES_LABEL);
	return leavesOf(mappable).map(({ leaf: { name, displayName, required } }) => {
		const chosen = typeof names[name] === 'string' ? names[name].trim() : '';
		return {
			name,
			label: `${displayName} Column`,
			// A required field without a column is an error.
			path: chosen === '' && required === true ? name : chosen,
			matches: chosen === '' ? [name] : [],
		};
	});
}

/** Takes the mappable fields from one row of a file. */
export class RowMapping implements FieldMapping {
	private readonly values: IDataObject;

	/** @param row its values by the names of the fields */
	constructor(mappable: readonly INodeProperties[], row: IDataObject) {
		this.values = {};
		for (const { leaf, collection } of leavesOf(mappable)) {
			const value = row[leaf.name];
			if (collection === undefined) this.values[leaf.name] = value;
			else {
				const members = (this.values[collection] ??= {}) as IDataObject;
				if (!isNothing(value)) members[leaf.name] = value;
			}
		}
	}

	has(name: string): boolean {
		return Object.hasOwn(this.values, name);
	}

	value(name: string): unknown {
		return this.values[name];
	}

	advice(): string {
		return 'The row has no value in its column.';
	}
}
