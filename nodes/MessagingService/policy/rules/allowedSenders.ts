import { Failure } from '../../failure';
import { isNothing } from '../../parameters/values';
import { entriesIn, inOneLine, shown } from '../../texts';
import { refusedRequest } from '../refused';
import type { Rule } from './rule';

const LABEL = 'Allowed Senders';

/** Refuses messages from other senders. Who calls is decided by an ID of the operator. */
export const allowedSenders: Rule = {
	fields: [
		{
			displayName: LABEL,
			name: 'allowedSenders',
			type: 'string',
			default: '',
			placeholder: 'e.g. MyCompany, +447700900100',
			description: 'Names and numbers that messages may come from, with commas between them',
			hint: 'Empty: all senders',
		},
	],
	read({ allowedSenders: value }) {
		if (isNothing(value)) return {};
		const senders = entriesIn(value);
		if (senders.length === 0) {
			throw Failure.ofField(
				LABEL,
				'has no sender',
				'Enter the names and numbers with commas between them, or leave it empty.',
			);
		}
		const allowed = `${LABEL}: ${senders.join(', ')}.`;
		const names = new Set(senders.map(comparable));
		return {
			ofSender(sender) {
				if (isNothing(sender)) {
					return refusedSender(
						'the sender of the campaign is not known',
						`The service does not tell it. Set Sender under Update Fields. ${allowed}`,
						allowed,
					);
				}
				if (names.has(comparable(String(sender)))) return undefined;
				const title = `sender "${shown(sender)}" is not allowed`;
				return refusedSender(title, allowed, allowed);
			},
		};
	},
};

/** Phones show capitals and blanks, but nobody is deceived by them. */
const comparable = (sender: string) => inOneLine(sender).toLowerCase();

function refusedSender(title: string, why: string, advice: string): Failure {
	const text = 'would get a text from another sender';
	return refusedRequest(title, why, { code: 'allowedSenders', text, advice });
}
