import { measure } from '../../messageText';
import { readMaximum } from '../readRule';
import { refusedRequest } from '../refused';
import type { Rule } from './rule';

const LABEL = 'Max Message Parts';

/** Refuses a text that would be billed as too many SMS parts. */
export const maxMessageParts: Rule = {
	fields: [
		{
			displayName: LABEL,
			name: 'maxMessageParts',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			hint: '0: no limit',
			description:
				'Maximum number of billed SMS parts of one message (160 characters each, 70 with emoji). A longer text is refused.',
		},
	],
	read({ maxMessageParts: value }) {
		const max = readMaximum(value, LABEL);
		if (max === undefined) return {};
		return {
			ofRequest({ body }) {
				if (typeof body?.message !== 'string') return undefined;
				const { parts } = measure(body.message);
				if (parts <= max) return undefined;
				const allowed = `${LABEL}: ${max}.`;
				return refusedRequest(
					`Message has ${parts} SMS parts, and ${max} ${max === 1 ? 'is' : 'are'} allowed`,
					`${allowed} Shorten the text, or replace emoji and letters such as ë, ç and ł, which cut a part from 160 to 70 characters.`,
					{ code: 'maxMessageParts', text: 'would get too many SMS parts', advice: allowed },
				);
			},
		};
	},
};
