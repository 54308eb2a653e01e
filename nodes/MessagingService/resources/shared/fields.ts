import type { INodeProperties } from 'n8n-workflow';
import type { OperationInput } from '../../parameters/operationInput';
import type { ParameterReader } from '../../parameters/reader';
import { Failure } from '../../failure';
import { isObject } from '../../json';
import { emptyPlaceholder } from '../../parameters/expressions';
import { lookAtText } from '../../parameters/textForPeople';
import { REPLACE_CHARACTERS, withPlainCharacters } from '../../messageText';

/** Fields that several operations share. */

/** Fields as options of a collection: none required, in alphabetical order. */
export function asOptions(fields: readonly INodeProperties[]): INodeProperties[] {
	return fields
		.map((field) => (field.required === true ? { ...field, required: false } : field))
		.sort((a, b) => a.displayName.localeCompare(b.displayName));
}

export const senderField = {
	displayName: 'Sender',
	name: 'sender',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. MyCompany',
	description: 'Name or number that the message comes from',
} satisfies INodeProperties;

export const messageField = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	required: true,
	placeholder: 'e.g. Our summer sale starts on Monday',
	description: 'Text of the SMS, the same for all recipients',
	builderHint: {
		propertyHint:
			'Plain text without Markdown, the same for all recipients. A personal text per item needs the operation Send.',
	},
} satisfies INodeProperties;

const replaceCharacters = {
	displayName: REPLACE_CHARACTERS,
	name: 'replaceCharacters',
	type: 'boolean',
	default: false,
	description:
		'Whether to replace curly quotes, dashes, ellipses and special spaces by plain ones where the message then takes fewer SMS parts',
} satisfies INodeProperties;

/** Members of the collection `options` of operations with a message. */
export const messageOptions: INodeProperties[] = [replaceCharacters];

/** Of a message that differs between the items of a campaign. */
const ONE_TEXT =
	'A campaign has one text for everybody: for a text of their own, use SMS Message: Send.';

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

export const sendPlaceholders = {
	displayName: 'Send Placeholders',
	name: 'sendPlaceholders',
	type: 'boolean',
	default: false,
	description:
		'Whether to send {{name}} and ${name} as they are. Turn it on only if the service fills them in; a text with one is refused otherwise.',
} satisfies INodeProperties;

/**
 * A text that people get to see.
 * @param isFinal whether the service has nothing to fill in
 * @throws Failure for one that nobody means to send
 */
export function readTextForPeople(
	input: OperationInput,
	field: INodeProperties & { type: 'string' },
	isFinal = false,
): string {
	const text = input.parameters.read(
		field,
		field.name === messageField.name ? ONE_TEXT : undefined,
	);
	checkText(input, field, text, { isFinal });
	return text;
}

/** The message as it is sent. @throws Failure for one that nobody means to send */
export function readMessage(
	input: OperationInput,
	field: INodeProperties & { type: 'string' },
	isFinal = false,
): string {
	const message = readTextForPeople(input, field, isFinal);
	const isReplaced = input.parameters.member('options', replaceCharacters) === true;
	return isReplaced ? withPlainCharacters(message) : message;
}

/**
 * Looks at a text that people get to see, and notes what looks wrong.
 * @param path of its field
 * @param isFinal whether the service has nothing to fill in
 * @throws Failure for a text that nobody means to send
 */
export function checkText(
	input: OperationInput,
	{ displayName, name }: INodeProperties,
	text: unknown,
	{ path = name, isFinal = false }: { path?: string; isFinal?: boolean } = {},
): void {
	if (typeof text !== 'string') return;
	const { isOfAgent } = input;
	const origin = { ...input.parameters.origin(path), isFinal, isOfAgent };
	const { refused, warnings } = lookAtText(text, origin);
	if (refused !== undefined) throw Failure.ofField(displayName, refused.problem, refused.advice);
	for (const { problem, advice } of warnings) {
		input.warn?.(`${displayName} ${problem}. ${advice}`.trim());
	}
}

/**
 * An ID that the user gives to a record.
 * @throws Failure for one that lacks a part: records would have it in common, and replace each other
 */
export function readOwnId(
	input: OperationInput,
	field: INodeProperties & { type: 'string' },
): string {
	const id = input.parameters.read(field).trim();
	const { written, item } = input.parameters.origin(field.name);
	const placeholder = emptyPlaceholder(written, item);
	if (placeholder !== undefined) {
		throw Failure.ofField(
			field.displayName,
			`has nothing in place of ${placeholder}`,
			'Rows with the same ID replace each other. Check the name of the field.',
		);
	}
	checkText(input, field, id);
	return id;
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
