import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { regions } from '../../nodes/MessagingService/numbers/plans';
import { classify } from '../../nodes/MessagingService/numbers/classify';
import { readNumber, type NumberOptions } from '../../nodes/MessagingService/numbers/readNumber';
import { timeZonesOf } from '../../nodes/MessagingService/numbers/timeZones';
import { exampleNumbers } from './support/numberExamples';

const examples = exampleNumbers(1);
const digits = (from: number, to: number) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: from, maxLength: to });
const sign = fc.constantFrom(
	...' +-./\\()[]\'",;:#*~_|&\n\t\r=%',
	...'xeE0159٣۷七９＋（）–—−･・\u00a0\u200b\u200e\u202a\u202c\ufeff\u3000\u0000',
	...['ext. ', '(0)', '00', '011', 'tel:', '.0', '1e5', '+44', '🙂', '\ud800'],
);
/** Whatever a cell can hold, mostly something like a number. */
const cell = fc.oneof(
	{
		weight: 4,
		arbitrary: fc
			.array(fc.oneof(digits(1, 6), sign), { maxLength: 8 })
			.map((parts) => parts.join('')),
	},
	{ weight: 2, arbitrary: digits(5, 18) },
	{ weight: 2, arbitrary: digits(5, 18).map((text) => `+${text}`) },
	{
		weight: 2,
		arbitrary: fc
			.tuple(
				fc.constantFrom(...examples),
				fc.constantFrom('', '+', '00', '0', '8', '011', '+0'),
				sign,
				fc.nat(12),
			)
			.map(([{ callingCode, national }, start, inserted, at]) => {
				const text =
					start === '' || start === '0' || start === '8' ? national : callingCode + national;
				return start + text.slice(0, at) + inserted + text.slice(at);
			}),
	},
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const country = fc.option(fc.constantFrom(...regions()), { nil: undefined });

/** Cheaper than `expect`, of which there would be a million. */
function must(condition: boolean, claim: string): void {
	if (!condition) throw new Error(`It is not true that ${claim}`);
}

describe('100,000 random strings', () => {
	it('are read without exceptions, into at most 15 digits, and the same when read again', () => {
		fc.assert(
			fc.property(cell, country, (text, defaultCountry) => {
				const options: NumberOptions = { format: 'international', defaultCountry };
				const reading = readNumber(text, options);
				const entered = readNumber(text, { ...options, format: 'asEntered' });
				if (reading.problem !== undefined) {
					must(isDeepStrictEqual(entered, reading), 'formats have the same problems');
					must(reading.problem.length < 120, 'problems are short');
					return;
				}
				const { number, key, e164 } = reading;
				must(number.replace(/\D/g, '').length <= 15, 'there are at most 15 digits');
				must(/^[ -~\n]+$/.test(number), 'what is sent is plain text');
				const asEntered = { ...reading, number: text.trim() };
				must(isDeepStrictEqual(entered, asEntered), 'As Entered changes nothing but the number');
				const again = readNumber(number, options);
				must(isDeepStrictEqual(again, reading), 'completing twice gives the same');
				if (e164 === undefined) return;
				must(/^\+[1-9]\d{5,14}$/.test(e164), 'e164 is E.164');
				must(number === e164 && key === e164, 'E.164 is sent and compared');
				const anywhere = readNumber(number, { format: 'international' });
				must(isDeepStrictEqual(anywhere, reading), 'a completed number needs no country');
				must(typeof classify(e164).type === 'string', 'every number has a type');
				must(Array.isArray(timeZonesOf(e164)), 'every number has a list of time zones');
			}),
			{ numRuns: 100_000 },
		);
	});
});
