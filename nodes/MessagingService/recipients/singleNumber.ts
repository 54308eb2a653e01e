import type { INodeProperties } from 'n8n-workflow';
import type { OperationInput } from '../parameters/operationInput';
import { Failure } from '../failure';
import { readRecipientNumber } from './number';
import { numberFormat, numberReadingOptions, readNumberOptions } from './numberOptions';

const invalidNumber = {
	displayName: 'On Invalid Phone Number',
	name: 'unusable',
	type: 'options',
	options: [
		{
			name: 'Send Anyway',
			value: 'send',
			description: 'Send it as entered and let the service decide',
		},
		{ name: 'Stop', value: 'stop', description: 'Send nothing to it and report it' },
	],
	default: 'stop',
	description: 'What to do with a phone number that is damaged, impossible or not allowed',
} satisfies INodeProperties;

/** Members of the collection `options` of operations that take one phone number. */
export const singleNumberOptions: INodeProperties[] = [
	invalidNumber,
	...numberReadingOptions,
	numberFormat,
];

/**
 * The phone number of an operation that takes one, as it is sent.
 * @throws Failure when it is invalid, unless the user sends it anyway
 */
export function readSingleNumber(
	input: OperationInput,
	field: INodeProperties & { type: 'string' },
): string {
	const entered = input.parameters.read(field);
	// Read for valid numbers too: an option that cannot be read is refused, not ignored.
	const isAnywaySent = input.parameters.member('options', invalidNumber) === 'send';
	const reading = readRecipientNumber(entered, readNumberOptions(input));
	if (reading.problem === undefined || isAnywaySent) return reading.number;
	throw Failure.ofField(field.displayName, reading.problem.text, reading.problem.advice ?? '');
}
