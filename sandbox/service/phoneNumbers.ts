import type { ErrorCollector } from './errors.ts';

/** Countries by calling code; the longest code wins. */
const countries: Record<string, string> = {
	'1': 'US',
	'27': 'ZA',
	'30': 'GR',
	'31': 'NL',
	'32': 'BE',
	'33': 'FR',
	'34': 'ES',
	'351': 'PT',
	'353': 'IE',
	'358': 'FI',
	'39': 'IT',
	'41': 'CH',
	'420': 'CZ',
	'43': 'AT',
	'44': 'GB',
	'45': 'DK',
	'46': 'SE',
	'47': 'NO',
	'48': 'PL',
	'49': 'DE',
	'61': 'AU',
	'64': 'NZ',
	'91': 'IN',
};

/** A number that can be reached: an optional plus and 7 to 15 digits. */
export const isValidPhoneNumber = (phoneNumber: string): boolean =>
	/^\+?\d{7,15}$/.test(phoneNumber);

/** The digits of a number: two spellings of one number are equal by these. */
export const digitsOf = (phoneNumber: string): string => phoneNumber.replace(/\D/g, '');

/** The two letters of the number's country, or nothing. */
export const countryOf = (phoneNumber: string): string => {
	const digits = digitsOf(phoneNumber).replace(/^00/, '');
	return [3, 2, 1].map((length) => countries[digits.slice(0, length)]).find(Boolean) ?? '';
};

/** What a campaign does about invalid numbers: they fail later, are left out, or are named in an error. */
export type InvalidNumbers = 'accept' | 'ignore' | 'reject';

/** The entries of a campaign's request that it takes; adds what is wrong with the others. */
export const acceptedEntries = <Field extends string, Entry extends Record<Field, string>>(
	entries: Entry[],
	[list, field]: [list: string, field: Field],
	invalidNumbers: InvalidNumbers,
	errors: ErrorCollector,
): Entry[] => {
	const valid = entries.filter((entry) => isValidPhoneNumber(entry[field]));
	if (invalidNumbers === 'ignore') {
		if (valid.length === 0) errors.add(list, 'There is no valid phone number.');
		return valid;
	}
	for (const [index, entry] of entries.entries()) {
		if (invalidNumbers === 'accept' || isValidPhoneNumber(entry[field])) continue;
		errors.add(
			`${list}[${String(index)}].${field}`,
			`'${entry[field]}' is not a valid phone number: an optional plus and 7 to 15 digits.`,
		);
	}
	return entries;
};
