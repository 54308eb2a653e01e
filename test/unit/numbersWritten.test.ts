import { inspect } from 'node:util';
import fc from 'fast-check';
import { regions } from '../../nodes/MessagingService/numbers/plans';
import { readNumber } from '../../nodes/MessagingService/numbers/readNumber';
import { exampleNumbers } from './support/numberExamples';
import { WRITTEN } from './support/writtenNumbers';
import { holds } from '../support/runs';

const read = (cell: unknown, country = '') =>
	readNumber(cell, {
		format: 'international',
		isEntered: true,
		...(country === '' ? {} : { defaultCountry: country }),
	});

/** In the notation of the rows. */
function outcomeOf(cell: unknown, country = ''): string {
	const reading = read(cell, country);
	return reading.problem === undefined ? (reading.e164 ?? '=') : `!${reading.problem.code}`;
}

describe.each(Object.entries(WRITTEN))('%s', (_class, rows) => {
	const named = rows.map(([cell, country, outcome]) => {
		const where = country === '' ? 'without Default Country' : `with Default Country ${country}`;
		const isSent = outcome.startsWith('+') ? `is sent as ${outcome}` : 'is sent as entered';
		const what = outcome.startsWith('!') ? `is refused: ${outcome.slice(1)}` : isSent;
		return [`${inspect(cell)} ${where} ${what}`, cell, country, outcome] as const;
	});
	it.each(named)('%s', (_, cell, country, outcome) => {
		expect(outcomeOf(cell, country)).toBe(outcome);
	});
});

/** What is refused for a reason: the cell, and how to fix it. */
const refusedFor = (reason: string) =>
	Object.values(WRITTEN)
		.flat()
		.filter(([, , outcome]) => outcome === `!${reason}`)
		.map(
			([cell, country]) => [inspect(cell), country, read(cell, country).problem?.advice] as const,
		);

it.each(refusedFor('ambiguous'))(
	'the advice for %s, ambiguous with Default Country "%s", names the numbers that it can be',
	(_, __, advice = '') => {
		const numbers = advice.match(/\+\d+/g) ?? [];
		expect(advice).toBe(
			`It can be ${numbers.join(' or ')}. Write + and the country code before the number.`,
		);
		expect(new Set(numbers.map((number) => outcomeOf(number))).size).toBeGreaterThan(1);
	},
);

it.each(refusedFor('lostDigits'))(
	'the advice for %s, which has lost digits, is to restore it (%j)',
	(cell, _, advice) => {
		const isRounded = /^'?\d+0{6}(\.0)?'?$/.test(cell);
		expect(advice).toMatch(/as text/);
		expect(advice?.includes('If this one really ends in zeros, write + before it.')).toBe(
			isRounded,
		);
	},
);

// Chinese decimals are letters to Unicode.
const systems = Intl.supportedValuesOf('numberingSystem').filter((name) => name !== 'hanidec');

it.each(systems)('the digits of %s are read', (numberingSystem) => {
	const format = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false });
	expect(outcomeOf(`+${format.format(447_400_123_456)}`)).toBe('+447400123456');
});

it('the days of a century are dates, not phone numbers', () => {
	for (let day = Date.UTC(1930, 0); day < Date.UTC(2050, 0); day += 17 * 86_400_000) {
		const [year = '', month = '', date = ''] = new Date(day).toISOString().slice(0, 10).split('-');
		const spellings = [
			...[`${year}-${month}-${date}`, `${date}.${month}.${year}`, `${month}/${date}/${year}`],
			...[`${Number(date)}/${Number(month)}/${year} 9:30:00`],
		];
		expect(spellings.map((text) => [text, read(text).problem?.text])).toEqual(
			spellings.map((text) => [text, `is not a single number (${text})`]),
		);
	}
});

/** Days since 1900 with a time, degrees, amounts: also the text that a CSV file has of them. */
const fraction = fc.oneof(
	fc.double({ min: 40_000, max: 50_000, noNaN: true }),
	fc.double({ min: 0.001, max: 180, noNaN: true }),
	fc.double({ min: 100_000, max: 1e9, noNaN: true }),
);
const refused: unknown = expect.stringMatching(/^!/);
const places = fc.integer({ min: 3, max: 9 });

it('no fraction is a phone number in any country, be it a number or its text', async () => {
	await holds(
		fc.property(fraction, places, fc.constantFrom('', ...regions()), (value, most, country) => {
			const rounded = Number(value.toFixed(most));
			if (Number.isInteger(rounded) || String(rounded).includes('e')) return;
			const cells = [rounded, String(rounded), String(rounded).replace('.', ',')];
			const outcomes = cells.map((cell) => outcomeOf(cell, country));
			expect([rounded, ...outcomes]).toEqual([rounded, ...Array<unknown>(3).fill(refused)]);
		}),
		2500,
	);
});

it('an E.164 number is read like its other spellings', async () => {
	const codes = [...new Set(exampleNumbers(1).map(({ callingCode }) => callingCode))];
	const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 4, maxLength: 13 });
	await holds(
		fc.property(fc.constantFrom(...codes), digits, (code, national) => {
			return outcomeOf(`+${code}${national}`) === outcomeOf(`+ ${code}${national}`);
		}),
		2500,
	);
});
