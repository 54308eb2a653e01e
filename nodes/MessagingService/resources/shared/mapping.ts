import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';
import { fieldReader } from './fieldPath';
import { asOptions } from './fields';
import type { FieldMapping } from './parameters';
import { ParameterReader } from './parameters';

const MODE = 'mappingMode';
const AUTOMATIC = 'autoMapInputData';
const FIELD_NAMES = 'inputFieldNames';
const SHARED_VALUES = 'sharedValues';
const SHARED_VALUES_LABEL = 'Values for All Items';

const modeField: INodeProperties = {
	displayName: 'Mapping Mode',
	name: MODE,
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Map Automatically',
			value: AUTOMATIC,
			description: 'Use the input fields that are named like the fields of the service, fast',
		},
		{
			name: 'Map Each Field Below',
			value: 'defineBelow',
			description: 'Set each field, with expressions where it differs between the items',
		},
	],
	default: 'defineBelow',
	description: 'Where the fields of the request come from',
};

/** The fields of a request that have a value of their own: those inside a collection count singly. */
function leavesOf(field: INodeProperties): INodeProperties[] {
	return field.type === 'collection' ? ((field.options ?? []) as INodeProperties[]) : [field];
}

/** An operation's fields with the choice to map some of them from the input items by their names. */
export function withMapping(
	fields: readonly INodeProperties[],
	mappable: readonly INodeProperties[],
): INodeProperties[] {
	const leaves = asOptions(mappable.flatMap(leavesOf));
	return [
		modeField,
		...fields.flatMap((field) =>
			mappable.includes(field)
				? updateDisplayOptions({ hide: { [MODE]: [AUTOMATIC] } }, [field])
				: [field],
		),
		...updateDisplayOptions({ show: { [MODE]: [AUTOMATIC] } }, [
			{
				displayName: 'Input Field Names',
				name: FIELD_NAMES,
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
				description:
					'Names of input fields that are not named like the field of the service. Dots lead into nested fields: customer.phone.',
				options: leaves.map(({ displayName, name }): INodeProperties => ({
					displayName: `${displayName} Field`,
					name,
					type: 'string',
					requiresDataPath: 'single',
					default: '',
					placeholder: `e.g. ${name}`,
				})),
			},
			{
				displayName: SHARED_VALUES_LABEL,
				name: SHARED_VALUES,
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
				description: 'Used for the items whose own field is missing or empty',
				options: leaves,
			},
		]),
	];
}

/**
 * Where the mappable fields come from when the user maps them automatically; undefined when each is
 * set in the node.
 */
export function readMapping(
	context: IExecuteFunctions,
	mappable: readonly INodeProperties[] | undefined,
): FieldMapping | undefined {
	if (mappable === undefined) return undefined;
	if (context.getNodeParameter(MODE, 0, 'defineBelow') !== AUTOMATIC) return undefined;
	const items = context.getInputData();
	const names = context.getNodeParameter(FIELD_NAMES, 0, {}) as IDataObject;
	const allItems = new ParameterReader(
		context,
		items.map((_, index) => index),
	);
	const sharedValues = allItems.collection(SHARED_VALUES, SHARED_VALUES_LABEL);
	const readers = new Map(
		mappable.flatMap(leavesOf).map(({ name }) => {
			const path = String(names[name] ?? '').trim();
			return [name, fieldReader(path === '' ? name : path)];
		}),
	);
	const leaf = (name: string, itemIndex: number) => {
		const value = readers.get(name)?.(items[itemIndex]?.json);
		return value === undefined || value === null || value === '' ? sharedValues[name] : value;
	};
	const collections = new Map(
		mappable
			.filter(({ type }) => type === 'collection')
			.map((field) => [field.name, leavesOf(field).map(({ name }) => name)]),
	);
	return {
		has: (name) => readers.has(name) || collections.has(name),
		value(name, itemIndex) {
			const members = collections.get(name);
			if (members === undefined) return leaf(name, itemIndex);
			const values: Record<string, unknown> = {};
			for (const member of members) {
				const value = leaf(member, itemIndex);
				if (value !== undefined) values[member] = value;
			}
			return values;
		},
	};
}
