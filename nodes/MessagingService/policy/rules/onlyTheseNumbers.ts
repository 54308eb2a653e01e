import { Failure } from '../../failure';
import { internationalForm } from '../../numbers/readNumber';
import { isNothing } from '../../parameters/values';
import type { Rule } from './rule';

const LABEL = 'Only These Numbers';

/** Limits a trial to some numbers. */
export const onlyTheseNumbers: Rule = {
	fields: [
		{
			displayName: LABEL,
			name: 'onlyTheseNumbers',
			type: 'string',
			default: '',
			placeholder: 'e.g. +447700900123, +447700900124',
			description:
				'Phone numbers, with their country code, to which a trial is limited: nobody else can be reached',
			hint: 'Empty: everybody',
		},
	],
	read({ onlyTheseNumbers: value }) {
		if (isNothing(value)) return {};
		const numbers = readNumbers(String(value as string));
		return {
			ofRecipients:
				() =>
				({ e164 }) => {
					if (e164 !== undefined && numbers.has(e164)) return undefined;
					return {
						code: 'onlyTheseNumbers',
						text: `is not in ${LABEL}`,
						advice: `${LABEL} limits this credential to the numbers of a trial.`,
					};
				},
		};
	},
};

function readNumbers(text: string): ReadonlySet<string> {
	const entries = text.split(/[,;\n]/).filter((entry) => entry.trim() !== '');
	const numbers = entries.map((entry) => {
		const number = internationalForm(entry);
		if (number !== undefined) return number;
		throw Failure.ofField(
			LABEL,
			`has an invalid number (${entry.trim().slice(0, 20)})`,
			'Write each number with + and its country code, with commas between them, for example +447700900123, +447700900124.',
		);
	});
	return new Set(numbers);
}
