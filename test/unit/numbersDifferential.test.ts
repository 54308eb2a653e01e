import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { groupBy } from 'lodash';
import {
	getCountries,
	getCountryCallingCode,
	parsePhoneNumberFromString,
	type CountryCode,
} from 'libphonenumber-js/max';
import { classify, numberingPlanOf } from '../../nodes/MessagingService/numbers/plans';
import type { NumberType } from '../../nodes/MessagingService/numbers/numberTypes';
import { readNumber } from '../../nodes/MessagingService/numbers/readNumber';
import { holds, runs } from '../support/runs';
import { cell, country } from './support/numberCells';
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

const theirs = (text: string, region?: string) => {
	const number = parsePhoneNumberFromString(text, region as CountryCode);
	return number?.isPossible() === true ? number : undefined;
};

const ours = (text: string, region?: string) => {
	const reading = readNumber(text, { format: 'international', defaultCountry: region });
	return reading.problem === undefined ? reading.e164 : undefined;
};

/** The regions that share a calling code write each other's numbers alike: Jersey those of Great Britain. */
const sharing = (region: string) =>
	getCountries().filter(
		(other) => getCountryCallingCode(other) === getCountryCallingCode(region as CountryCode),
	);

/** The countries that dial something else than "00", or a carrier's digits after it. */
const otherExits = getCountries().filter(
	(region) => numberingPlanOf(region)?.exitsWith00 === false,
);
const isOtherExit = new Set<string | undefined>(otherExits);

/** Both numbers, if both readers have one and they differ. */
function differs(text: string, region?: string): string | undefined {
	// They read what is dialed where a country code may stand: below.
	if (isOtherExit.has(region) && text.replace(/\D/g, '').startsWith('00')) return undefined;
	const we = ours(text, region);
	const they = we === undefined ? undefined : theirs(text, region);
	if (they === undefined || they.number === we) return undefined;
	// To them, a mobile number without + is a landline that is longer than any there is.
	if (`+${text}` === we && they.getType() === 'FIXED_LINE' && classify(we).type === 'mobile') {
		return undefined;
	}
	const isSharing = region !== undefined && !they.isValid();
	if (isSharing && sharing(region).some((other) => theirs(text, other)?.number === we))
		return undefined;
	return `${text} (${region ?? 'no country'}): ${String(we)} is ${they.number} to libphonenumber-js`;
}

const examples = exampleNumbers(runs(1));
const mobiles = exampleNumbers(20).filter(({ type }) => type === 'MOBILE');
/** Those that libphonenumber-js takes for numbers of their region. */
const validMobiles = mobiles.filter(
	({ region, callingCode, national }) =>
		theirs(`+${callingCode}${national}`, region)?.isValid() === true,
);

/** Spellings that are valid, and others that people use or that a spreadsheet makes of them. */
const spellings = (example: Example) => {
	const { callingCode, trunkPrefix, national } = example;
	return [
		...Object.values(spellingsOf(example)),
		...[national, callingCode + national, `00${callingCode}${national}`],
		...[`+${callingCode} (0)${national}`, `+${callingCode} ${trunkPrefix}${national}`],
		...[`+${callingCode}${callingCode}${national}`, `+${callingCode}${national}5`],
		...[`+${callingCode}${national.slice(0, -1)}`, national.slice(1), `${national}5`],
	];
};

it('the examples are of all regions and types', () => {
	expect(new Set(examples.map(({ region }) => region)).size).toBe(245);
	expect(new Set(examples.map(({ type }) => type)).size).toBe(10);
	expect(examples.length).toBeGreaterThan(1000);
});

it('no example is completed to another number than by libphonenumber-js', () => {
	const found = examples.flatMap((example) =>
		spellings(example).flatMap((text) =>
			[example.region, undefined, 'DE', 'US', 'IT', 'KR'].map((region) => differs(text, region)),
		),
	);
	expect(found.length).toBeGreaterThan(100_000);
	expect(found.filter((difference) => difference !== undefined)).toEqual([]);
});

it('no random cell is completed to another number than by libphonenumber-js', async () => {
	await holds(
		fc.property(cell, country, (text, region) => {
			// To libphonenumber-js, a decimal zero is a digit, and few scripts have digits or a plus.
			if (/[.,]0|[^ -~]/.test(text)) return;
			expect(differs(text, region)).toBeUndefined();
		}),
		5_000,
	);
});

/** What a number that begins with 00 can stand for, to libphonenumber-js: as it is written and as it is dialed. */
const readings = (digits: string, region: string) => {
	const found = [theirs(`+${digits.slice(2)}`), theirs(digits, region)];
	// Some plans have numbers that are longer than E.164 allows.
	const numbers = found.flatMap((number) => (number?.isValid() ? [number.number] : []));
	return new Set(numbers.filter((number) => number.length <= 1 + 15));
};

/** Whether a number that begins with 00 is completed as it must be where 00 is not all that is dialed. */
function isReadBothWays(digits: string, region: string): boolean {
	const possible = readings(digits, region);
	const reading = readNumber(digits, { format: 'international', defaultCountry: region });
	if (reading.problem === undefined) return isDeepStrictEqual([...possible], [reading.e164]);
	// Plans that overlap make one of the two readings a third one: it is not sent either.
	return possible.size !== 1 || reading.problem.code === 'ambiguous';
}

const carrier = fc.constantFrom('', ...'579', '09', '12', '14', '15', '31', '456');

it('00 where something else is dialed: the reading that is in use is sent, and none if both are', async () => {
	const pick = [fc.constantFrom(...otherExits), carrier, fc.constantFrom(...examples)] as const;
	await holds(
		fc.property(...pick, (region, code, { callingCode, national }) => {
			const digits = `00${code}${callingCode}${national}`;
			return isReadBothWays(digits, region);
		}),
		3_000,
	);
});

it('a mobile number with 00 and its country code is sent to that number, or to nobody', () => {
	expect(validMobiles.length).toBeGreaterThan(1000);
	for (const country of ['DE', 'GB', ...otherExits]) {
		const numbers = validMobiles.map(({ callingCode, national }) => `${callingCode}${national}`);
		const read = numbers.map((number) => ours(`00${number}`, country));
		const others = read.filter((e164, at) => e164 !== undefined && e164 !== `+${numbers[at]}`);
		const refused = read.filter((e164) => e164 === undefined).length;
		expect({ country, others }).toEqual({ country, others: [] });
		// In Singapore, 001 to 003 and a digit more are dialed.
		expect(refused).toBeLessThan(0.12 * numbers.length);
	}
});

it('at least 97 % of the mobile and fixed-line numbers are read, with the right Default Country', () => {
	const phones = examples.filter(({ type }) => type === 'MOBILE' || type === 'FIXED_LINE');
	for (const spelling of ['E.164', 'international', 'national'] as const) {
		const valid = phones.filter((example) => {
			const text = spellingsOf(example)[spelling] ?? '';
			return theirs(text, example.region)?.isValid() === true;
		});
		const read = valid.filter((example) => {
			const { region, callingCode, national } = example;
			return ours(spellingsOf(example)[spelling] ?? '', region) === `+${callingCode}${national}`;
		});
		const share = (100 * read.length) / valid.length;
		console.log(`${spelling}: ${read.length} of ${valid.length} are read, ${share.toFixed(2)} %`);
		expect(valid.length).toBeGreaterThan(450);
		expect(share).toBeGreaterThanOrEqual(97);
	}
});

/** What a spreadsheet makes of a number that is written as in its country: all but its first zeros. */
function asNumber(region: string, digits: string): string {
	const written = theirs(`+${digits}`, region)?.formatNational() ?? digits;
	return String(BigInt(written.replace(/\D/g, '')));
}

it('a mobile number without + that has a digit too many is not a landline', () => {
	const sent = mobiles.flatMap(({ region, callingCode, national }) => {
		const digits = `${callingCode}${national}5`;
		const read = ours(digits, region);
		return read === `+${callingCode}${digits}` ? [{ region, read }] : [];
	});
	expect(sent).toEqual([]);
});

it('a mobile number of Default Country is read as spreadsheets leave it, without its 0 or its +', () => {
	const unread = validMobiles.flatMap(({ region, callingCode, national }) =>
		[...new Set([national, callingCode + national, asNumber(region, callingCode + national)])]
			.filter((text) => ours(text, region) !== `+${callingCode}${national}`)
			.map((text) => ({ region, text })),
	);
	// Digits that can be two people's mobile numbers are refused.
	expect(unread.length).toBeLessThan(0.005 * 2 * validMobiles.length);
	for (const [region, texts] of Object.entries(groupBy(unread, 'region'))) {
		const isOften = texts.length > 5;
		expect({ region, isOften, texts }).toEqual({ region, isOften: false, texts });
	}
});

it('country and type of the examples are those of libphonenumber-js', () => {
	for (const { callingCode, national } of examples) {
		const number = theirs(`+${callingCode}${national}`);
		if (number?.number !== ours(`+${callingCode}${national}`)) continue;
		if (number === undefined) continue;
		const type = TYPES[number.getType() ?? ''] ?? 'unknown';
		const country = number.country === undefined ? {} : { country: number.country };
		const expected = { number: number.number, ...country, type };
		expect({ number: number.number, ...classify(number.number) }).toEqual(expected);
	}
});
