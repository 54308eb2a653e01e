import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../parameters/inputError';
import type { ParameterReader } from '../parameters/reader';
import { readRecipientNumber } from './number';
import { numberOptions, readNumberOptions } from './numberOptions';

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
export const singleNumberOptions: INodeProperties[] = [...numberOptions, invalidNumber];

/**
 * The phone number of an operation that takes one, as it is sent.
 * @throws InputError when it is invalid, unless the user sends it anyway
 */
export function readSingleNumber(
	parameters: ParameterReader,
	field: INodeProperties & { type: 'string' },
): string {
	return toSingleNumber(parameters, field, parameters.read(field));
}

/** As `readSingleNumber`, for a field whose value has been read. */
export function toSingleNumber(
	parameters: ParameterReader,
	{ displayName }: INodeProperties,
	entered: unknown,
): string {
	// Read for valid numbers too: an option that cannot be read is refused, not ignored.
	const isAnywaySent = parameters.member('options', invalidNumber) === 'send';
	const reading = readRecipientNumber(entered, readNumberOptions(parameters));
	if (reading.problem === undefined || isAnywaySent) return reading.number;
	throw new InputError(displayName, reading.problem, reading.advice);
}
