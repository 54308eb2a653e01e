import { Failure } from '../../failure';
import { isOff } from '../readRule';
import type { Rule } from './rule';

/** Refuses everything that reaches people. */
export const pauseSending: Rule = {
	fields: [
		{
			displayName: 'Pause Sending',
			name: 'pauseSending',
			type: 'boolean',
			default: false,
			description: 'Whether to refuse everything that would reach people, until it is off again',
		},
	],
	read: ({ pauseSending: value }) => (isOff(value) ? {} : { ofRequest: () => paused() }),
};

function paused() {
	const allowed = 'Allowed: after Pause Sending is switched off in the credential.';
	return new Failure(
		'Sending is paused by the Sending Policy',
		`${allowed} This request was not sent. Whoever may edit the credential can switch it off.`,
		{
			reasons: [
				{ code: 'pauseSending', text: 'is not sent to while sending is paused', advice: allowed },
			],
		},
	);
}
