import { Failure } from '../../failure';
import { readMaximum } from '../readRule';
import { WHO_DECIDES } from '../refused';
import type { Rule } from './rule';

const LABEL = 'Max Recipients';

/** Limits how many people one node reaches in one execution. */
export const maxRecipients: Rule = {
	fields: [
		{
			displayName: LABEL,
			name: 'maxRecipients',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			hint: '0: no limit',
			description:
				'Maximum number of recipients that one node may reach in one execution, loops and agent calls included. Over MCP, each call is an execution of its own.',
		},
	],
	read({ maxRecipients: value }) {
		const max = readMaximum(value, LABEL);
		if (max === undefined) return {};
		return {
			ofCount(reached, more) {
				if (reached + more <= max) return undefined;
				const allowed = `${LABEL}: ${max} for this node in one execution, ${max - reached} of them left.`;
				return new Failure(
					`The Sending Policy allows ${max} recipient${max === 1 ? '' : 's'} in one execution`,
					`${reached} are counted already, and this would reach ${more} more. ${allowed} This request was not sent. ${WHO_DECIDES}`,
					{ reasons: [{ code: 'maxRecipients', text: 'is one too many', advice: allowed }] },
				);
			},
		};
	},
};
