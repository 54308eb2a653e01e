import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { readNumber } from '../../nodes/MessagingService/numbers/readNumber';
import { exampleNumbers } from './support/numberExamples';
import { WRITTEN } from './support/writtenNumbers';
import { runs } from '../support/runs';

const read = (cell: unknown, country: string) =>
	readNumber(cell, {
		format: 'international',
		...(country === '' ? {} : { defaultCountry: country }),
	});

/** In the notation of the rows. */
function outcomeOf(cell: unknown, country: string): string {
	const reading = read(cell, country);
	if (reading.problem !== undefined) return `!${reading.reason}`;
	return reading.e164 ?? '=';
}

function theirOutcomeOf(cell: unknown, country: string): string {
	const number = parsePhoneNumberFromString(
		String(cell),
		country === '' ? undefined : (country as CountryCode),
	);
	if (number === undefined) return '=';
	return number.isPossible() && number.ext === undefined ? number.number : '!';
}

/** Rows that are not read as wanted: docs/development/phone-numbers.md says why. */
const OPEN = new Set(['06 12 34 56 78 GB']);

describe.each(Object.entries(WRITTEN))('%s', (_class, rows) => {
	it.each(rows)('%j (%s): %s', (cell, country, wanted) => {
		const outcome = outcomeOf(cell, country);
		const isAsWanted = wanted.startsWith('!')
			? outcome.startsWith('!') && wanted.slice(1).split(' ').includes(outcome.slice(1))
			: outcome === wanted;
		expect([isAsWanted, outcome]).toEqual([!OPEN.has(`${String(cell)} ${country}`), outcome]);
		if (outcome.startsWith('+')) expect(outcomeOf(outcome, country)).toBe(outcome);
	});
});

test('docs/development/phone-numbers.md counts them', () => {
	const rows = Object.entries(WRITTEN).map(([name, cells]) => {
		const outcomes = cells.map(([cell, country]) => outcomeOf(cell, country));
		const differing = cells.filter(([cell, country], index) => {
			const [we = '', they] = [outcomes[index], theirOutcomeOf(cell, country)];
			return we.startsWith('+') || they.startsWith('+') ? we !== they : false;
		});
		const count = (start: string) => outcomes.filter((text) => text.startsWith(start)).length;
		const counts = [cells.length, count('+'), count('='), count('!'), differing.length];
		return `| ${name} | ${counts.join(' | ')} |`;
	});
	const page = readFileSync('docs/development/phone-numbers.md', 'utf8');
	expect(rows.filter((row) => !page.includes(row))).toEqual([]);
	expect(rows.length).toBeGreaterThan(8);
});

test('E.164 that is read only once gives the result of all other spellings', () => {
	const codes = [...new Set(exampleNumbers(1).map(({ callingCode }) => callingCode))];
	const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 4, maxLength: 13 });
	fc.assert(
		fc.property(fc.constantFrom(...codes), digits, (code, national) => {
			const [e164, spaced] = [`+${code}${national}`, `+ ${code}${national}`];
			const [once, fully] = [read(e164, ''), read(spaced, '')];
			if (once.problem !== undefined) return fully.problem !== undefined;
			return isDeepStrictEqual(once, fully);
		}),
		{ numRuns: runs(5000) },
	);
});
