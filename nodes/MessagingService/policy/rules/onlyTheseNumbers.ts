import { Failure } from '../../failure';
import { internationalForm } from '../../numbers/readNumber';
import { isNothing } from '../../parameters/values';
import { entriesIn } from '../../texts';
import type { Rule } from './rule';

const LABEL = 'Only These Numbers';

/** Limits a trial, or an agent, to some numbers. */
export const onlyTheseNumbers: Rule = {
	fields: [
		{
			displayName: LABEL,
			name: 'onlyTheseNumbers',
			type: 'string',
			default: '',
			placeholder: 'e.g. +447700900123, +447700900124',
			description:
				'Phone numbers that this credential may reach, and no others: for a trial, or an agent that texts only you',
			hint: 'Empty: everybody. Write numbers with + and the country code.',
		},
	],
	read({ onlyTheseNumbers: value }) {
		if (isNothing(value)) return {};
		const numbers = readAllowed(entriesIn(value));
		return {
			ofRecipients:
				() =>
				({ e164 }) => {
					if (e164 !== undefined && numbers.has(e164)) return undefined;
					return {
						code: 'onlyTheseNumbers',
						text: `is not in ${LABEL}`,
						advice: 'The credential reaches no other numbers.',
					};
				},
		};
	},
};

function readAllowed(entries: readonly string[]): ReadonlySet<string> {
	const numbers = entries.map((entry) => {
		const number = internationalForm(entry);
		if (number !== undefined) return number;
		throw Failure.ofField(
			LABEL,
			`has an invalid number (${entry.slice(0, 20)})`,
			'Write each number with + and its country code, with commas between them, for example +447700900123, +447700900124.',
		);
	});
	return new Set(numbers);
}
