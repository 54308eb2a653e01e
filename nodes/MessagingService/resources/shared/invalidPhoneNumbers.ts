import type { INodeProperties } from 'n8n-workflow';
import type { ParameterReader } from '../../parameters/reader';

/** `:ignoreInvalidPhoneNumbers` of the campaign endpoints; unset, their plain form is used. */
export const invalidPhoneNumbersField = {
	displayName: 'Invalid Phone Numbers',
	name: 'invalidPhoneNumbers',
	type: 'options',
	options: [
		{
			name: 'Ignore',
			value: 'ignore',
			description: 'Create the campaign without the recipients whose number is invalid',
		},
		{
			name: 'Reject',
			value: 'reject',
			description: 'Create nothing and report the invalid numbers',
		},
	],
	default: 'reject',
	description:
		'What the service does with recipients whose number it finds invalid. Without this field, the service decides. Numbers that the node finds invalid are not sent, unless you choose so in Options.',
} satisfies INodeProperties;

/** What the user's choice adds to the path of a create endpoint: `/true`, `/false` or nothing. */
export function invalidPhoneNumbersSuffix(parameters: ParameterReader): '' | '/true' | '/false' {
	const choice = parameters.member('additionalFields', invalidPhoneNumbersField);
	if (choice === undefined) return '';
	return choice === 'ignore' ? '/true' : '/false';
}
