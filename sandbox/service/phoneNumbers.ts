/** Countries by calling code, with the time zone of their capital or largest city; the longest code wins. */
const countries: Record<string, [country: string, timeZone: string]> = {
	'1': ['US', 'America/New_York'],
	'27': ['ZA', 'Africa/Johannesburg'],
	'30': ['GR', 'Europe/Athens'],
	'31': ['NL', 'Europe/Amsterdam'],
	'32': ['BE', 'Europe/Brussels'],
	'33': ['FR', 'Europe/Paris'],
	'34': ['ES', 'Europe/Madrid'],
	'351': ['PT', 'Europe/Lisbon'],
	'353': ['IE', 'Europe/Dublin'],
	'358': ['FI', 'Europe/Helsinki'],
	'39': ['IT', 'Europe/Rome'],
	'41': ['CH', 'Europe/Zurich'],
	'420': ['CZ', 'Europe/Prague'],
	'43': ['AT', 'Europe/Vienna'],
	'44': ['GB', 'Europe/London'],
	'45': ['DK', 'Europe/Copenhagen'],
	'46': ['SE', 'Europe/Stockholm'],
	'47': ['NO', 'Europe/Oslo'],
	'48': ['PL', 'Europe/Warsaw'],
	'49': ['DE', 'Europe/Berlin'],
	'61': ['AU', 'Australia/Sydney'],
	'64': ['NZ', 'Pacific/Auckland'],
	'91': ['IN', 'Asia/Kolkata'],
};

/** A number that can be reached: an optional plus and 7 to 15 digits. */
export const isValidPhoneNumber = (phoneNumber: string): boolean =>
	/^\+?\d{7,15}$/.test(phoneNumber);

/** The digits of a number: two spellings of one number are equal by these. */
export const digitsOf = (phoneNumber: string): string => phoneNumber.replace(/\D/g, '');

const entryOf = (phoneNumber: string): [country: string, timeZone: string] | undefined => {
	const digits = digitsOf(phoneNumber).replace(/^00/, '');
	return [3, 2, 1].map((length) => countries[digits.slice(0, length)]).find((entry) => entry);
};

/** The two letters of the number's country, or nothing. */
export const countryOf = (phoneNumber: string): string => entryOf(phoneNumber)?.[0] ?? '';

/** The time zone of a number: by the longest of these prefixes, or else by its country. */
export const recipientZoneOf = (
	phoneNumber: string,
	zones: Record<string, string>,
): string | undefined => {
	const digits = digitsOf(phoneNumber).replace(/^00/, '');
	const [prefix] = Object.keys(zones)
		.filter((candidate) => digits.startsWith(digitsOf(candidate)))
		.sort((left, right) => digitsOf(right).length - digitsOf(left).length);
	return prefix === undefined ? entryOf(phoneNumber)?.[1] : zones[prefix];
};

/** What the service says about numbers that it does not take, by their places in the request. */
export const invalidNumberMessage = (phoneNumber: string): string =>
	`'${phoneNumber}' is not a valid phone number: an optional plus and 7 to 15 digits.`;
