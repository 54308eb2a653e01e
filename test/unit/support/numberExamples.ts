import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';

/** An example number of a region and type, made from the patterns of libphonenumber-js. */
export interface Example {
	region: CountryCode;
	type: string;
	callingCode: string;
	trunkPrefix: string;
	national: string;
}

interface Metadata {
	countries: Record<string, [string, string, string, number[], ...unknown[]]>;
}

/** In the order of METADATA.md. */
const TYPES = [
	'FIXED_LINE',
	'MOBILE',
	'TOLL_FREE',
	'PREMIUM_RATE',
	'PERSONAL_NUMBER',
	'VOICEMAIL',
	'UAN',
	'PAGER',
	'VOIP',
	'SHARED_COST',
];

/** For every region and type it has, a few numbers: always the same ones. */
export function exampleNumbers(each: number): Example[] {
	const { countries } = JSON.parse(
		readFileSync('node_modules/libphonenumber-js/metadata.max.json', 'utf8'),
	) as Metadata;
	return Object.entries(countries).flatMap(([region, metadata]) => {
		const types = (metadata[11] ?? []) as ([string, number[]?] | 0)[];
		return TYPES.flatMap((type, index) => {
			const [pattern = '', lengths = metadata[3]] = types[index] || [];
			if (pattern === '') return [];
			const samples = fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), {
				numRuns: each * 8,
				seed: 20260920 + index,
			});
			return [...new Set(samples)]
				.filter((national) => lengths.includes(national.length))
				.slice(0, each)
				.map((national) => ({
					region: region as CountryCode,
					type,
					callingCode: metadata[0],
					trunkPrefix: typeof metadata[5] === 'string' ? metadata[5] : '',
					national,
				}));
		});
	});
}

/** Six spellings of an example. */
export function spellingsOf(example: Example): Record<string, string> {
	const { region, callingCode, trunkPrefix, national } = example;
	const e164 = `+${callingCode}${national}`;
	const parsed = parsePhoneNumberFromString(e164, region);
	const arabic = (text: string) =>
		text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
	return {
		'E.164': e164,
		international: parsed?.formatInternational() ?? e164,
		national: parsed?.formatNational() ?? national,
		'with trunk prefix': trunkPrefix + national,
		punctuation: `(${trunkPrefix}${national.slice(0, 2)})\u00a0${national.slice(2, 4)}.${national.slice(4, 6)}\u2013${national.slice(6)}`,
		'other digits': arabic(e164),
	};
}
