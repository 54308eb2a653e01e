import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';
import type { OperationInput } from '../parameters/operationInput';
import {
	COLUMN_ADVICE,
	inputFieldName,
	NAME_ADVICE,
	namesInputField,
} from '../parameters/inputFields';
import type { NumberOptions } from '../numbers/readNumber';
import type { RecipientKind } from './kind';
import { doNotContactOptions } from './doNotContactOptions';
import { FILE, fileFields, INPUT_ITEMS } from './fileFields';
import { numberFormat, numberReadingOptions, readNumberOptions } from './phoneNumber';

const sourceName = (kind: RecipientKind) => `${kind.name}Source`;
export const jsonName = (kind: RecipientKind) => `${kind.name}Json`;
const otherFieldsLabel = ({ singular }: RecipientKind) => `Other ${singular} Fields`;
export const AUTOMATIC = 'autoMapInputData';
export const NUMBER_PRESET = 'phoneNumber';

/** What to do with invalid or duplicate recipients. */
export type OnProblem = 'stop' | 'skip' | 'send';

/** The recipient options. */
export interface RecipientOptions {
	invalid: OnProblem;
	duplicate: OnProblem;
	/** Maximum number of recipients in one campaign; undefined without a limit. */
	perCampaign: number | undefined;
	numbers: NumberOptions;
}

const invalidLabel = ({ singular }: RecipientKind) => `On Invalid ${singular}`;
const duplicateLabel = ({ singular }: RecipientKind) => `On Duplicate ${singular}`;

/** Where the user says what happens to invalid and duplicate recipients. */
export const onProblemLabels = (kind: RecipientKind) =>
	`"${invalidLabel(kind)}" and "${duplicateLabel(kind)}"`;

/** The node's fields that say where the recipients come from. */
export function recipientFields(kind: RecipientKind): INodeProperties[] {
	return [
		sourceField(kind),
		...updateDisplayOptions(onlyFromSources(kind, FILE), fileFields),
		numberField(kind),
		{
			...numberField(kind),
			description:
				'Name of the column of the file that holds the phone number. In JSON Lines, use dots for nested fields: customer.phone.',
			hint: COLUMN_ADVICE,
			displayOptions: onlyFromSources(kind, FILE),
		},
		listField(kind),
		jsonField(kind),
	];
}

const onlyFromSources = (kind: RecipientKind, ...sources: string[]) => ({
	show: { [sourceName(kind)]: sources },
});

/** For the members of a collection: where input items or rows of a file become recipients. */
const onlyForFields = (kind: RecipientKind) => ({
	show: { [`/${sourceName(kind)}`]: [INPUT_ITEMS, FILE] },
});

const sortedFields = ({ otherFields }: RecipientKind) =>
	Object.entries(otherFields).sort(([, a], [, b]) => a.localeCompare(b));

/** Where the recipients come from. */
export function sourceField(kind: RecipientKind) {
	const { label, singular } = kind;
	const lowerLabel = label.toLowerCase();
	return {
		displayName: `${label} From`,
		name: sourceName(kind),
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'All Input Items (One Campaign)',
				value: INPUT_ITEMS,
				description: `Every input item is one ${singular.toLowerCase()}. Leave Execute Once off in the settings of the node: it takes the first item only.`,
			},
			{
				name: 'File (Divided Into Campaigns)',
				value: FILE,
				description: 'A CSV or JSON Lines file of any size in each input item, read row by row',
			},
			{
				name: 'JSON (One Campaign per Item)',
				value: 'json',
				description: `An array of ${lowerLabel} in each input item`,
			},
			{
				name: 'List Below (One Campaign per Item)',
				value: 'list',
				description: `Enter the ${lowerLabel} here`,
			},
		],
		default: INPUT_ITEMS,
		description: `Where the ${lowerLabel} of the campaign come from`,
		builderHint: {
			propertyHint: `Keep "inputItems" for ${lowerLabel} that another node outputs: all input items become one campaign, without a loop. Use "list" only for a few fixed ${lowerLabel}.`,
		},
	} satisfies INodeProperties;
}

/** Which input field, or column of a file, has the phone number. */
export function numberField(kind: RecipientKind) {
	return {
		displayName: 'Phone Number Field',
		name: 'phoneNumberField',
		type: 'string',
		requiresDataPath: 'single',
		default: NUMBER_PRESET,
		required: true,
		placeholder: 'e.g. phoneNumber',
		description:
			'Name of the input field that holds the phone number. Use dots for nested fields: customer.phone.',
		hint: NAME_ADVICE,
		builderHint: namesInputField,
		displayOptions: onlyFromSources(kind, INPUT_ITEMS),
	} satisfies INodeProperties;
}

/**
 * Names of the input fields that hold more than the number: a member of the collection
 * `additionalFields`.
 */
export function otherFieldNames(kind: RecipientKind): INodeProperties {
	const lowerSingular = kind.singular.toLowerCase();
	return {
		displayName: otherFieldsLabel(kind),
		name: 'otherFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: `Input fields, or columns of the file, that hold more about each ${lowerSingular}. Enter those that are not named like the field of the service.`,
		builderHint: namesInputField,
		displayOptions: onlyForFields(kind),
		options: sortedFields(kind).map(([name, displayName]) => inputFieldName(displayName, name)),
	};
}

/** Where the fields of each recipient come from: a member of the collection `options`. */
export function mappingMode(kind: RecipientKind) {
	const lowerSingular = kind.singular.toLowerCase();
	return {
		displayName: 'Mapping Mode',
		name: 'mappingMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Map Automatically',
				value: AUTOMATIC,
				description: `Use the input fields or columns that are named like the fields of a ${lowerSingular}`,
			},
			{
				name: 'Only the Columns I Name',
				value: 'defineBelow',
				description: `Use only Phone Number Field and what ${otherFieldsLabel(kind)} name`,
			},
		],
		default: AUTOMATIC,
		description: `Where the fields of each ${lowerSingular} come from`,
		displayOptions: onlyForFields(kind),
	} satisfies INodeProperties;
}

function listField(kind: RecipientKind): INodeProperties {
	const text = (displayName: string, name: string): INodeProperties => ({
		displayName,
		name,
		type: 'string',
		default: '',
	});
	return {
		displayName: kind.label,
		name: kind.name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${kind.singular}`,
		// One empty row.
		default: { entry: [{ [kind.numberName]: '' }] },
		required: true,
		displayOptions: onlyFromSources(kind, 'list'),
		options: [
			{
				displayName: kind.singular,
				name: 'entry',
				values: [
					{ ...text('Phone Number', kind.numberName), placeholder: 'e.g. +447700900123' },
					...sortedFields(kind).map(([name, displayName]) => text(displayName, name)),
				],
			},
		],
	};
}

function jsonField(kind: RecipientKind): INodeProperties {
	const { jsonSample, label } = kind;
	return {
		displayName: `${label} (JSON)`,
		name: jsonName(kind),
		type: 'json',
		default: jsonSample,
		description: `JSON array of ${label.toLowerCase()}, with the field names of the service`,
		displayOptions: onlyFromSources(kind, 'json'),
	};
}

const onProblem = ({ send, skip }: { send: string; skip: string }) => [
	{ name: 'Send Anyway', value: 'send', description: send },
	{ name: 'Skip', value: 'skip', description: skip },
	{ name: 'Stop', value: 'stop', description: 'Send nothing and list them' },
];

const onDuplicate = (kind: RecipientKind): INodeProperties => ({
	displayName: duplicateLabel(kind),
	name: 'duplicates',
	type: 'options',
	options: onProblem({ send: 'Send to each of them', skip: 'Send to the first of them only' }),
	default: 'stop',
	description: 'What to do with recipients whose phone number occurs earlier in the list',
});

const onInvalid = (kind: RecipientKind): INodeProperties => ({
	displayName: invalidLabel(kind),
	name: 'unusable',
	type: 'options',
	options: onProblem({
		send: 'Send them unchanged and let the service decide',
		skip: 'Send to the others only',
	}),
	default: 'stop',
	description:
		'What to do with recipients whose phone number is missing or invalid, or that have another invalid value',
});

const perCampaign = ({ label }: RecipientKind) =>
	({
		displayName: `${label} per Campaign`,
		name: 'perCampaign',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10_000,
		description: `Maximum number in one campaign: a longer list becomes several campaigns. Without this option, all ${label.toLowerCase()} go into one campaign, and those of a file into campaigns of 10,000.`,
	}) satisfies INodeProperties;

export const outsideHours = {
	displayName: 'Outside Sending Hours',
	name: 'outsideSendingHours',
	type: 'options',
	options: [
		{ name: 'Skip', value: 'skip', description: 'Send to the others only' },
		{ name: 'Stop', value: 'stop', description: 'Send nothing and list them' },
	],
	default: 'stop',
	description:
		'What to do with recipients that the sending hours of the credential do not allow when the campaign starts',
} satisfies INodeProperties;

/** Members of the collection `options`: whom to reach, when, and how. */
export function recipientOptions(kind: RecipientKind): INodeProperties[] {
	return [
		...doNotContactOptions,
		onDuplicate(kind),
		onInvalid(kind),
		...numberReadingOptions,
		outsideHours,
		perCampaign(kind),
		mappingMode(kind),
		numberFormat,
	];
}

/** Reads the recipient options. @throws Failure for a value that is none of the allowed ones */
export function readRecipientOptions(kind: RecipientKind, input: OperationInput): RecipientOptions {
	// First, because it names the field that differs between the items.
	const numbers = readNumberOptions(input);
	const { parameters } = input;
	return {
		invalid: (parameters.member('options', onInvalid(kind)) ?? 'stop') as OnProblem,
		duplicate: (parameters.member('options', onDuplicate(kind)) ?? 'stop') as OnProblem,
		perCampaign: parameters.member('options', perCampaign(kind)),
		numbers,
	};
}

/** Where the recipients of an operation come from: all input items as one list, a file, ... */
export function sourceOf(kind: RecipientKind, context: OperationInput['context']): unknown {
	return context.getNodeParameter(sourceName(kind), 0);
}
