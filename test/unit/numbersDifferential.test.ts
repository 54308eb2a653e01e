import { readFileSync } from 'node:fs';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { classify } from '../../nodes/MessagingService/numbers/classify';
import type { NumberType } from '../../nodes/MessagingService/numbers/numberTypes';
import { readNumber } from '../../nodes/MessagingService/numbers/readNumber';
import { type Example, exampleNumbers, spellingsOf } from './support/numberExamples';

/** Our names of their types. */
const TYPES: Record<string, NumberType> = {
	FIXED_LINE: 'fixedLine',
	MOBILE: 'mobile',
	TOLL_FREE: 'tollFree',
	PREMIUM_RATE: 'premiumRate',
	PERSONAL_NUMBER: 'personalNumber',
	VOICEMAIL: 'voicemail',
	UAN: 'companyNumber',
	PAGER: 'pager',
	VOIP: 'voip',
	SHARED_COST: 'sharedCost',
	FIXED_LINE_OR_MOBILE: 'fixedLineOrMobile',
};

/** What a reader makes of a text. `refused`: it knows that the number cannot be right. */
type Reading =
	| { verdict: 'number'; number: string; country?: string; type: NumberType }
	| { verdict: 'refused'; reason: string }
	| { verdict: 'unknown' };

function theirs(text: string, country?: CountryCode): Reading {
	const number = parsePhoneNumberFromString(text, country);
	if (number === undefined) return { verdict: 'unknown' };
	if (!number.isPossible()) return { verdict: 'refused', reason: 'length' };
	return {
		verdict: 'number',
		number: number.number,
		country: number.country,
		type: TYPES[number.getType() ?? ''] ?? 'unknown',
	};
}

function ours(text: string, country?: CountryCode): Reading {
	const reading = readNumber(text, { format: 'international', defaultCountry: country });
	if (reading.problem !== undefined) return { verdict: 'refused', reason: reading.reason };
	if (reading.e164 === undefined) return { verdict: 'unknown' };
	const { type, ...place } = classify(reading.e164);
	return { verdict: 'number', number: reading.e164, country: place.country, type };
}

const same = (one: Reading, other: Reading) =>
	one.verdict === 'number'
		? JSON.stringify(one) === JSON.stringify(other)
		: // A text that is no number to either of them: they need not say it in the same way.
			other.verdict !== 'number';

/** The kinds of differences that docs/development/phone-numbers.md explains, the first that applies. */
function kindOf(text: string, we: Reading, they: Reading, country?: CountryCode): string {
	if (they.verdict === 'number' && they.number.length > 16) return 'more than 15 digits';
	if (we.verdict === 'refused') {
		return we.reason === 'ambiguous' ? 'ambiguous' : 'impossible to us only';
	}
	if (we.verdict !== 'number') return 'no number to us only';
	if (they.verdict !== 'number') {
		return country === undefined && !text.startsWith('+') ? 'read after 00' : 'a number to us only';
	}
	if (they.number !== we.number) return 'another number';
	if (we.type === 'unknown' && they.type === 'unknown') return 'main region';
	return 'another country or type';
}

type Spellings = (example: Example) => Record<string, string>;

/** All differences as "kind: regions", with the right country and with none. */
function differences(spellings: Spellings): string[] {
	const found: Record<string, Set<string>> = {};
	for (const example of exampleNumbers(3)) {
		for (const text of Object.values(spellings(example))) {
			for (const country of [example.region, undefined]) {
				const [we, they] = [ours(text, country), theirs(text, country)];
				if (same(we, they)) continue;
				(found[kindOf(text, we, they, country)] ??= new Set()).add(example.region);
			}
		}
	}
	return Object.entries(found)
		.map(([kind, regions]) => `${kind}: ${[...regions].sort().join(' ')}`)
		.sort();
}

/** What the page lists under a heading, in the same form. */
function listed(heading: string): string[] {
	const page = readFileSync('docs/development/phone-numbers.md', 'utf8');
	const [, section = ''] = page.split(`${heading}\n`);
	const [table = ''] = section.split('\n#');
	return [...table.matchAll(/^\| ([^|]+) \| ([A-Z ]+) \| [^|]+ \|$/gm)]
		.map(([, kind = '', regions = '']) => `${kind}: ${regions}`)
		.sort();
}

describe('differences from libphonenumber-js, which docs/development/phone-numbers.md lists', () => {
	it('has examples of all regions and types', () => {
		const examples = exampleNumbers(3);
		expect(new Set(examples.map(({ region }) => region)).size).toBe(245);
		expect(new Set(examples.map(({ type }) => type)).size).toBe(10);
		expect(examples.length).toBeGreaterThan(3000);
	});

	it('example numbers in six spellings', () => {
		expect(differences(spellingsOf)).toEqual(listed('### Example numbers in six spellings'));
	});

	it('example numbers with a digit more or less', () => {
		const spellings: Spellings = ({ callingCode, national }) => ({
			longer: `+${callingCode}${national}5`,
			shorter: `+${callingCode}${national.slice(0, -1)}`,
		});
		expect(differences(spellings)).toEqual(listed('### With a digit more or less'));
	});
});
