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

describe('100,000 random strings', () => {
	it('are read without exceptions, into at most 15 digits, and the same when read again', () => {
		fc.assert(
			fc.property(cell, country, (text, defaultCountry) => {
				const options: NumberOptions = { format: 'international', defaultCountry };
				const reading = readNumber(text, options);
				const entered = readNumber(text, { ...options, format: 'asEntered' });
				if (reading.problem !== undefined) {
					expect(entered).toEqual(reading);
					expect(reading.problem.length).toBeLessThan(120);
					return;
				}
				expect(reading.number.replace(/\D/g, '').length).toBeLessThanOrEqual(15);
				expect(reading.number).toMatch(/^[ -~\n]+$/);
				expect(entered).toEqual({ ...reading, number: text.trim() });
				expect(readNumber(reading.number, options)).toEqual(reading);
				if (reading.e164 === undefined) return;
				expect(reading.number).toMatch(/^\+[1-9]\d{5,14}$/);
				expect(reading.key).toBe(reading.e164);
				// Completed once, a number needs no country any more.
				expect(readNumber(reading.number, { format: 'international' })).toEqual(reading);
				expect(typeof classify(reading.e164).type).toBe('string');
				expect(Array.isArray(timeZonesOf(reading.e164))).toBe(true);
			}),
			{ numRuns: 100_000 },
		);
	});
});
