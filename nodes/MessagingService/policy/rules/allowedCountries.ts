import { Failure } from '../../failure';
import { countryOptions, regionIn } from '../../numbers/countries';
import { regions } from '../../numbers/plans';
import { isNothing } from '../../parameters/values';
import { readWords } from '../readRule';
import type { Rule } from './rule';

const LABEL = 'Allowed Countries';

/** Refuses numbers of other countries, and those whose country is unknown. */
export const allowedCountries: Rule = {
	fields: [
		{
			displayName: LABEL,
			name: 'allowedCountries',
			type: 'multiOptions',
			options: countryOptions(),
			default: [],
			hint: 'Empty: all countries',
			description:
				'Countries whose numbers may be reached. An expression may give their two-letter codes.',
		},
	],
	read({ allowedCountries: value }) {
		if (isNothing(value) || (Array.isArray(value) && value.length === 0)) return {};
		const countries = readCountries(value);
		const allowed = `${LABEL}: ${[...countries].sort().join(', ')}.`;
		return {
			ofRecipients:
				() =>
				({ classification, advice }) => {
					const country = classification?.country;
					if (country !== undefined && countries.has(country)) return undefined;
					return {
						code: 'allowedCountries',
						text: `is of ${country === undefined ? 'an unknown country' : `a blocked country (${country})`}`,
						advice: allowed + advice,
					};
				},
		};
	},
};

function readCountries(value: unknown): ReadonlySet<string> {
	const known = new Set(regions());
	const countries = readWords(value).map(regionIn);
	const unknown = countries.find((code) => !known.has(code));
	if (unknown === undefined && countries.length > 0) return new Set(countries);
	throw Failure.ofField(
		LABEL,
		`has an unknown code (${(unknown ?? '').slice(0, 10)})`,
		'Use two-letter country codes with commas between them, for example GB, IE, or leave it empty.',
	);
}
