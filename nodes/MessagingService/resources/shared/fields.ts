import type { INodeProperties } from 'n8n-workflow';
import type { OperationInput } from '../../parameters/operationInput';
import type { ParameterReader } from '../../parameters/reader';
import { isObject } from '../../json';

/** Fields that several operations share. */

/** Fields as options of a collection: none required, in alphabetical order. */
export function asOptions(fields: readonly INodeProperties[]): INodeProperties[] {
	return fields
		.map((field) => ({ ...field, required: false }))
		.sort((a, b) => a.displayName.localeCompare(b.displayName));
}

/** A member of the collection `options` of the operation that sends one message. */
const includeInputFields = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: false,
	noDataExpression: true,
	description:
		'Whether to add the fields of the input item to the output, for example a customer number',
	displayOptions: { hide: { '@tool': [true] } },
} satisfies INodeProperties;

/** Options of what the output has. */
export const outputOptions: INodeProperties[] = [includeInputFields];

/** Whether the user wants the fields of the input in the output. @param options of the node, as stored */
export function includesInput(options: unknown): boolean {
	return isObject(options) && options[includeInputFields.name] === true;
}

export const dryRunField = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description: 'Whether to send nothing and output what would be sent',
	builderHint: {
		propertyHint: 'Set true only to try a workflow out: nothing is sent then.',
	},
} satisfies INodeProperties;

/** Dry Run in the form: an agent must not decide about it, for it would report as sent what was not. */
export const dryRunFields: INodeProperties[] = [
	{ ...dryRunField, displayOptions: { hide: { '@tool': [true] } } },
	{ ...dryRunField, noDataExpression: true, displayOptions: { show: { '@tool': [true] } } },
];

/** For an operation that takes a client identifier. */
export const clientIdField = {
	displayName: 'Client ID',
	name: 'clientId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 1001',
	description: 'Client to use instead of the one in the credential',
} satisfies INodeProperties;

/** The client of an operation that takes one, where it is not the credential's. */
export function readClientId({ parameters }: OperationInput): string | undefined {
	return parameters.member('additionalFields', clientIdField)?.trim();
}

/** The collection of the service's own optional fields. */
export function additionalFields(options: readonly INodeProperties[]): INodeProperties {
	return {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: asOptions(options),
	};
}

/** The collection of what the node does. */
export function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options,
	};
}

/** `:ignoreInvalidPhoneNumbers` of the campaign endpoints; unset, their plain form is used. */
export const invalidPhoneNumbersField = {
	displayName: 'Number Check by the Service',
	name: 'invalidPhoneNumbers',
	type: 'options',
	options: [
		{
			name: 'Leave Out Invalid Numbers',
			value: 'ignore',
			description: 'The service creates the campaign without them',
		},
		{
			name: 'Reject the Campaign',
			value: 'reject',
			description: 'The service creates nothing and reports the invalid numbers',
		},
	],
	default: 'reject',
	description:
		'What the service does with numbers that it finds invalid, after the node has checked them. Without this field, the service decides.',
} satisfies INodeProperties;

/** What the user's choice adds to the path of a create endpoint: `/true`, `/false` or nothing. */
export function invalidPhoneNumbersSuffix(parameters: ParameterReader): '' | '/true' | '/false' {
	const choice = parameters.member('additionalFields', invalidPhoneNumbersField);
	if (choice === undefined) return '';
	return choice === 'ignore' ? '/true' : '/false';
}
