import type { INodeProperties } from 'n8n-workflow';
import type { ParameterReader } from '../../parameters/reader';

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
