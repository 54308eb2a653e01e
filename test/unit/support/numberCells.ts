import fc from 'fast-check';
import { regions } from '../../../nodes/MessagingService/numbers/plans';
import { exampleNumbers } from './numberExamples';

const examples = exampleNumbers(1);
const digits = (from: number, to: number) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: from, maxLength: to });
const sign = fc.constantFrom(
	...' +-./\\()[]\'",;:#*~_|&\n\t\r=%',
	...'xeE0159٣۷七９＋（）–—−･・\u00a0\u200b\u200e\u202a\u202c\ufeff\ufe0f\u3164\u3000\u0000',
	...['ext. ', '(0)', '00', '011', 'tel:', '.0', '1e5', '+44', '🙂', '\ud800'],
);
/** Anything that a cell can hold, mostly something like a number. */
export const cell = fc.oneof(
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

/** A Default Country, or none. */
export const country = fc.option(fc.constantFrom(...regions()), { nil: undefined });
