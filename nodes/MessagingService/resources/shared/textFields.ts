import type { INodeProperties } from 'n8n-workflow';
import type { OperationInput } from '../../parameters/operationInput';
import { Failure } from '../../failure';
import { emptyPlaceholder } from '../../parameters/expressions';
import { lookAtText } from '../../parameters/textForPeople';
import { REPLACE_CHARACTERS, withPlainCharacters } from '../../messageText';

/** The fields with what people get to read, and how they are read. */

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

export const sendPlaceholders = {
	displayName: 'Send Placeholders',
	name: 'sendPlaceholders',
	type: 'boolean',
	default: false,
	description:
		'Whether to send {{name}} and ${name} as they are. Turn it on only if the service fills them in; a text with one is refused otherwise.',
} satisfies INodeProperties;

/**
 * The sender as it is sent: a cell may have blanks or a line break around it.
 * @param isFinal whether the service has nothing to fill in
 * @throws Failure for one that nobody means to send
 */
export function readSender(input: OperationInput, isFinal = false): string {
	const sender = input.parameters.read(senderField).trim();
	checkText(input, senderField, sender, { isFinal });
	return sender;
}

/**
 * The message as it is sent.
 * @param isFinal whether the service has nothing to fill in
 * @throws Failure for one that nobody means to send
 */
export function readMessage(
	input: OperationInput,
	field: INodeProperties & { type: 'string' },
	isFinal = false,
): string {
	const message = input.parameters.read(field, ONE_TEXT);
	checkText(input, field, message, { isFinal });
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
	if (refused !== undefined) throw Failure.ofField(displayName, refused.text, refused.advice);
	for (const warning of warnings) {
		input.warn?.(`${displayName} ${warning.text}. ${warning.advice}`);
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
