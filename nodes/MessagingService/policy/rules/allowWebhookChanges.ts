import type { Failure } from '../../failure';
import { refusedRequest } from '../refused';
import type { Rule } from './rule';

const LABEL = 'Allow Webhook Changes';

/** Refuses the operations that decide where the events of the account go, unless it is on. */
export const allowWebhookChanges: Rule = {
	fields: [
		{
			displayName: LABEL,
			name: 'allowWebhookChanges',
			type: 'boolean',
			default: false,
			description:
				'Whether Webhook: Set and Remove may change where the events of the account go. A published trigger registers its URL in any case.',
		},
	],
	read: ({ allowWebhookChanges: value }) =>
		value === true ? {} : { ofWebhook: () => refusedChange() },
};

function refusedChange(): Failure {
	const allowed = `Allowed: after ${LABEL} is switched on in the credential.`;
	return refusedRequest(
		'the webhook URL may not be changed',
		`${allowed} A Messaging Service Trigger registers its URL when it is published.`,
		{ code: 'allowWebhookChanges', text: 'would change the webhook URL', advice: allowed },
	);
}
