import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';
import { Failure } from '../../failure';
import {
	findField,
	inputFieldName,
	inputFieldNames,
	listNames,
	namesInputField,
	type FoundField,
} from '../../parameters/inputFields';
import {
	COLUMN_NAME,
	ParameterReader,
	RunParameters,
	type FieldMapping,
} from '../../parameters/reader';
import { isNothing, readText } from '../../parameters/values';
import { AUTOMATIC } from '../../recipients/fields';
import { asOptions } from './fields';

const MODE = 'mappingMode';
/** Paths of the collections: n8n drops fields outside of Options that are shown because of an option. */
const FIELD_NAMES = 'options.inputFieldNames';
const FIELD_NAMES_LABEL = 'Input Field Names';
const SHARED_VALUES = 'options.sharedValues';
const SHARED_VALUES_LABEL = 'Values for All Items';

/** Without this option, each field is set in the node. */
const modeOption = {
	displayName: 'Mapping Mode',
	name: MODE,
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Map Automatically',
			value: AUTOMATIC,
			description: 'Use the input fields that have the names of the fields of the service (fast)',
		},
		{
			name: 'Map Each Field',
			value: 'defineBelow',
			description: 'Set each field, with expressions where it differs between the items',
		},
	],
	default: 'defineBelow',
	description: 'Where the fields of the request come from',
} satisfies INodeProperties;

/** What shows or hides a field for the option, which a new node does not have. */
const whenAutomatic = { [`/options.${MODE}`]: [AUTOMATIC] };

/** The fields of a request that have a value of their own: those inside a collection count singly. */
function leavesOf(field: INodeProperties): INodeProperties[] {
	return field.type === 'collection' ? ((field.options ?? []) as INodeProperties[]) : [field];
}

/** An operation's fields, of which those that may be mapped give way to the mapping. */
export function withMapping(
	fields: readonly INodeProperties[],
	mappable: readonly INodeProperties[],
): INodeProperties[] {
	const names = mappable.flatMap(leavesOf).map(({ name }) => name);
	const notice: INodeProperties = {
		displayName: `Uses the input fields ${names.join(', ')}. For other names, add Input Field Names in Options.`,
		name: 'mappedNotice',
		type: 'notice',
		default: '',
	};
	return [
		...updateDisplayOptions({ show: whenAutomatic }, [notice]),
		...fields.flatMap((field) =>
			mappable.includes(field) ? updateDisplayOptions({ hide: whenAutomatic }, [field]) : [field],
		),
	];
}

/** Members of the collection `options`: the choice to map fields from the input items by their names. */
export function mappingOptions(mappable: readonly INodeProperties[]): INodeProperties[] {
	const leaves = asOptions(mappable.flatMap(leavesOf));
	const collections: INodeProperties[] = [
		{
			displayName: FIELD_NAMES_LABEL,
			name: 'inputFieldNames',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description:
				'Input fields to use where they are not named like the field of the service. Use dots for nested fields: customer.phone.',
			builderHint: namesInputField,
			options: leaves.map(({ displayName, name }) => inputFieldName(displayName, name)),
		},
		{
			displayName: SHARED_VALUES_LABEL,
			name: 'sharedValues',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Values to use for items in which the input field is missing or empty',
			options: leaves,
		},
	];
	return [modeOption, ...updateDisplayOptions({ show: { [MODE]: [AUTOMATIC] } }, collections)];
}

/**
 * Where the mappable fields come from when the user maps them automatically; undefined when each is
 * set in the node. Nothing is read before a field is: a wrong mapping is an error of its item.
 */
export function readMapping(
	context: IExecuteFunctions,
	mappable: readonly INodeProperties[] = [],
): FieldMapping | undefined {
	if (mappable.length === 0) return undefined;
	const isAutomatic = context.getNodeParameter(`options.${MODE}`, 0, 'defineBelow') === AUTOMATIC;
	return isAutomatic ? new AutomaticMapping(context, mappable) : undefined;
}

/** Takes fields from the input items by their names, and from the shared values where they are empty. */
class AutomaticMapping implements FieldMapping {
	private readonly items: readonly INodeExecutionData[];
	private readonly node: RunParameters;
	/** What holds for all items: which input fields they have the values in. */
	private readonly shared: ParameterReader;
	private readonly mappable: readonly INodeProperties[];
	private names: Set<string> | undefined;
	private readonly found = new Map<string, FoundField>();

	constructor(context: IExecuteFunctions, mappable: readonly INodeProperties[]) {
		this.items = context.getInputData();
		this.node = new RunParameters(context);
		this.shared = new ParameterReader(this.node, [...this.items.keys()]);
		this.mappable = mappable;
	}

	has(name: string): boolean {
		return this.mappable.some((field) => field.name === name);
	}

	rawValue(name: string, itemIndex: number): unknown {
		const field = this.mappable.find((each) => each.name === name);
		const given = field && this.source(field).read(this.items[itemIndex]?.json);
		// Which field of the item it is makes no difference.
		return isNothing(given) ? this.node.rawValue(`${SHARED_VALUES}.${name}`) : '={{ $json }}';
	}

	value(name: string, itemIndex: number): unknown {
		const field = this.mappable.find((each) => each.name === name);
		if (field === undefined) return undefined;
		if (field.type === 'collection') {
			const values = leavesOf(field).map(
				(leaf) => [leaf.name, this.leaf(leaf, itemIndex)] as const,
			);
			return Object.fromEntries(values.flatMap(([key, set]) => (set ? [[key, set.value]] : [])));
		}
		const value = this.leaf(field, itemIndex)?.value;
		if (!isNothing(value)) return value;
		const names = listNames(Object.keys(this.items[itemIndex]?.json ?? {}));
		throw Failure.ofField(
			field.displayName,
			'is empty',
			`The item has no value in "${this.source(field).path}" (it has: ${names}). Choose another field under "${FIELD_NAMES_LABEL}", or add a value under "${SHARED_VALUES_LABEL}".`,
		);
	}

	/** The item's value of a field, or the shared one; undefined where neither is set. */
	private leaf(field: INodeProperties, itemIndex: number): { value: unknown } | undefined {
		const value = this.source(field).read(this.items[itemIndex]?.json);
		if (!isNothing(value)) return { value };
		const { name } = field;
		// Where an expression sets all of them, one that it does not give has the value undefined.
		const isShared = this.node.memberNames(SHARED_VALUES)?.includes(name) ?? true;
		return isShared ? { value: this.node.value(`${SHARED_VALUES}.${name}`, itemIndex) } : undefined;
	}

	/** The input field that a field comes from, found once for all items. */
	private source({ name, displayName }: INodeProperties): FoundField {
		const known = this.found.get(name);
		if (known !== undefined) return known;
		const named = this.shared.added(FIELD_NAMES, name, FIELD_NAMES_LABEL, COLUMN_NAME);
		const path = named === undefined ? '' : readText(named.value, FIELD_NAMES_LABEL).trim();
		this.names ??= inputFieldNames(this.items);
		const source = findField(
			{ label: `${displayName} Field`, path, matches: named === undefined ? [name] : [] },
			{
				names: this.names,
				has: ({ read }) => this.items.some(({ json }) => read(json) !== undefined),
				noun: 'input field',
			},
		) ?? { path: name, read: () => undefined };
		this.found.set(name, source);
		return source;
	}
}
