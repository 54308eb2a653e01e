import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { classify } from '../../nodes/MessagingService/numbers/plans';
import { readNumber, type NumberOptions } from '../../nodes/MessagingService/numbers/readNumber';
import { personKey } from '../../nodes/MessagingService/numbers/samePerson';
import { timeZonesOf } from '../../nodes/MessagingService/numbers/timeZones';
import { holds } from '../support/runs';
import { cell, country } from './support/numberCells';

/** Cheaper than `expect`, of which there would be a million. */
function must(condition: boolean, claim: string): void {
	if (!condition) throw new Error(`It is not true that ${claim}`);
}

it('random cells are sent as plain text of at most 15 digits, which is read again without a change', async () => {
	await holds(
		fc.property(cell, country, (text, defaultCountry) => {
			const options: NumberOptions = { format: 'international', defaultCountry };
			const reading = readNumber(text, options);
			const entered = readNumber(text, { ...options, format: 'asEntered' });
			if (reading.problem !== undefined) {
				must(isDeepStrictEqual(entered, reading), 'formats have the same problems');
				must(
					/^.{1,63}$/.test(reading.problem.text),
					'problems are short enough for a title, in one line',
				);
				must(/^[A-Z].{20,}\.$/.test(reading.problem.advice ?? ''), 'every problem has advice');
				return;
			}
			const { number, key, e164 } = reading;
			must(number.replace(/\D/g, '').length <= 15, 'there are at most 15 digits');
			must(/^[ -~]+$/.test(number), 'what is sent is plain text');
			const asEntered = { ...reading, number: text.trim() };
			must(isDeepStrictEqual(entered, asEntered), 'As Entered changes nothing but the number');
			must(isDeepStrictEqual(readNumber(number, options), reading), 'it is read the same again');
			if (e164 === undefined) return;
			must(/^\+[1-9]\d{5,14}$/.test(e164), 'e164 is E.164');
			must(number === e164, 'E.164 is sent');
			must(/^\+[1-9]\d{5,14}$/.test(key), 'what is compared is in international form');
			must(personKey(key) === key, 'a person has one key');
			const anywhere = readNumber(number, { format: 'international' });
			must(isDeepStrictEqual(anywhere, reading), 'a completed number needs no country');
			must(typeof classify(e164).type === 'string', 'every number has a type');
			must(Array.isArray(timeZonesOf(e164)), 'every number has a list of time zones');
		}),
		5_000,
		{ examples: [['08100000000', 'BY']] },
	);
});
