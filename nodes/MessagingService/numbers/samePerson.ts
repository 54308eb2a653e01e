/** A spelling that a country has replaced, and what stands in its place today. */
type Change = readonly [was: RegExp, is: string];

/**
 * A change for each pair of old and new first digits.
 * @param kept how many digits follow them, and stay
 */
function changes(callingCode: string, pairs: string, kept: number): Change[] {
	return pairs.split(' ').map((pair) => {
		const [was = '', is = ''] = pair.split(':');
		return [new RegExp(`^\\+${callingCode}${was}(?=\\d{${kept}}$)`), `+${callingCode}${is}`];
	});
}

/** Two spellings of one number: those that countries have replaced since 2016, and some that both work. */
const CHANGES: readonly Change[] = [
	// Argentina has a 9 in mobile numbers that are dialed from abroad, Mexico had a 1.
	...changes('54', '9:', 10),
	...changes('52', '1:', 10),
	[/(?<=^\+55[1-9]\d)(?=[689]\d{7}$)/, '9'],
	[/^\+57(?=[124-8]\d{7}$)/, '+5760'],
	...changes(
		'84',
		'120:70 121:79 122:77 126:76 128:78 123:83 124:84 125:85 127:81 129:82 162:32 163:33 164:34 165:35 166:36 167:37 168:38 169:39 186:56 188:58 199:59',
		7,
	),
	[/^\+225(?=[04-9][0-3]\d{6}$)/, '+22501'],
	[/^\+225(?=[04-9][4-6]\d{6}$)/, '+22505'],
	[/^\+225(?=[04-9][7-9]\d{6}$)/, '+22507'],
	[/^\+225(?=[23]\d0\d{5}$)/, '+22525'],
	[/^\+225(?=[23]\d8\d{5}$)/, '+22521'],
	[/^\+225(?=[23]\d{7}$)/, '+22527'],
	[/^\+229(?=\d{8}$)/, '+22901'],
	[/^\+234(?=[1-9]\d{7}$)/, '+23420'],
	[/^\+24101(?=\d{6}$)/, '+24111'],
	[/^\+2410?(?=[256]\d{6}$)/, '+2416'],
	[/^\+2410?(?=[47]\d{6}$)/, '+2417'],
	// Kosovo had parts of the plans of Monaco, Serbia and Slovenia.
	[/^\+377(?=4[45]\d{6}$)/, '+383'],
	[/^\+381(?=[23][89]\d{5,10}$)/, '+383'],
	[/^\+386(?=4[39]\d{6}$)/, '+383'],
	// Palestinian operators are reached by Israel's code as well.
	[/^\+972(?=(?:5[69]|[2489]2)\d+$)/, '+970'],
];

/** The calling codes above: most numbers have another one. */
const HAS_CHANGES = /^\+(?:5[2457]|84|2(?:25|29|34|41)|3(?:77|81|86)|972)/;

/** Older spellings that are somebody else's number today, or may be. */
const DOUBTFUL_CHANGES: readonly Change[] = [
	// Nextel kept eight digits.
	[/(?<=^\+55[1-9]\d)(?=7\d{7}$)/, '9'],
	// Area codes of Vietnam that became codes of mobile operators.
	...changes('84', '8:28', 8),
	...changes(
		'84',
		'33:203 36:227 37:237 38:238 39:239 52:232 55:255 56:256 57:257 58:258 59:269 70:270 72:272 73:273 75:275 76:296 77:297 79:299',
		7,
	),
];

function changed(e164: string, all: readonly Change[]): string | undefined {
	const change = all.find(([was]) => was.test(e164));
	return change && e164.replace(...change);
}

/**
 * The same text for all spellings of one person's number: what recipients, opt-outs and earlier
 * messages are compared by. It is not a number to send to.
 * @param number with + and country code
 */
export function personKey(number: string): string {
	return HAS_CHANGES.test(number) ? (changed(number, CHANGES) ?? number) : number;
}

/** The key of whom a number may have belonged to, if that is another person than `personKey` says. */
export function earlierPersonKey(number: string): string | undefined {
	return changed(number, DOUBTFUL_CHANGES);
}
