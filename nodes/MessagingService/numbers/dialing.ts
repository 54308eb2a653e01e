/**
 * What people dial and write although the numbering plans of the tables do not have it: numbers
 * that were changed, and numbers of another country that are dialed like national ones.
 */

/**
 * An expression for the beginning of the digits, and the international digits that replace it.
 * `afterCode`: only a country code before them tells that they are not of another country.
 */
type Route = readonly [dialed: RegExp, international: string, certain?: 'afterCode'];

/** France and its overseas departments dial each other's numbers like their own. */
const FRENCH: readonly Route[] = [
	[/^0?(?=(?:26[239]|639|69[23]|7092|7093[5-7])\d+$)(?=\d{9}$)/, '262'],
	[/^0?(?=(?:590|69[01]|7090)\d+$)(?=\d{9}$)/, '590'],
	[/^0?(?=(?:[56]94|7093)\d+$)(?=\d{9}$)/, '594'],
	[/^0?(?=(?:596|69[67]|7091)\d+$)(?=\d{9}$)/, '596'],
	[/^0?508(?=\d{6}$)/, '508'],
	[/^0?(?=708[45]\d{5}$)/, '508'],
];

/** By calling code, for the digits after it, and the first digits that these can have. */
const CHANGES: Readonly<Record<string, { routes: readonly Route[]; first: string }>> = {
	// Written with the code of France, which they do not have.
	33: { routes: FRENCH, first: '02567' },
	// San Marino can be reached through Italy: two spellings of one number.
	39: { routes: [[/^0549(?=[89]\d{5}$)/, '3780549']], first: '0' },
	// Trunk prefixes that are no longer dialed.
	48: { routes: [[/^0(?=\d{9}$)/, '48', 'afterCode']], first: '0' },
	56: { routes: [[/^0(?=9\d{8}$)/, '56']], first: '0' },
	380: { routes: [[/^80(?=\d{9}$)/, '380']], first: '8' },
	420: { routes: [[/^0(?=\d{9}$)/, '420', 'afterCode']], first: '0' },
	992: { routes: [[/^8(?=\d{9}$)/, '992']], first: '8' },
	998: { routes: [[/^8(?=\d{9}$)/, '998']], first: '8' },
	// Mexico, until 2019: 01 for long distance, 044 and 045 for mobile phones, 1 from abroad.
	52: {
		routes: [
			[/^0(?:1|4[45])(?=\d{10}$)/, '52'],
			[/^1(?=\d{10}$)/, '52', 'afterCode'],
		],
		first: '01',
	},
	// Colombia, until 2021: area codes of one digit.
	57: { routes: [[/^(?=(?!46)[124-8]\d{7}$)/, '5760', 'afterCode']], first: '1245678' },
	// Vietnam, until 2018: mobile numbers with a digit more.
	84: {
		routes: [
			...[
				...['120:70', '121:79', '122:77', '126:76', '128:78'],
				...['123:83', '124:84', '125:85', '127:81', '129:82'],
				...['186:56', '188:58', '199:59'],
			].map((pair): Route => {
				const [was = '', is = ''] = pair.split(':');
				return [new RegExp(String.raw`^${was}(?=\d{7}$)`), `84${is}`];
			}),
			[/^16(?=[2-9]\d{7}$)/, '843'],
		],
		first: '1',
	},
	// Benin, until 2024: eight digits.
	229: { routes: [[/^(?=[24-69]\d{7}$)/, '22901']], first: '24569' },
};

/** The first digits that a number of a calling code can have which `changedNumber` changes. */
export const firstDigitsOfChanged = (callingCode: string) => CHANGES[callingCode]?.first ?? '';

/** What a number is today; undefined where nothing has changed. */
export function changedNumber(
	callingCode: string,
	national: string,
): { digits: string; needsCode: boolean } | undefined {
	const route = CHANGES[callingCode]?.routes.find(([dialed]) => dialed.test(national));
	if (route === undefined) return undefined;
	const [dialed, international, certain] = route;
	return { digits: national.replace(dialed, international), needsCode: certain !== undefined };
}

const OVERSEAS: readonly Route[] = [...FRENCH, [/^0?(?=[1-7]\d{8}$)/, '33']];

/** Numbers of other countries that are dialed like national ones, by Default Country. */
const ROUTES: Readonly<Record<string, readonly Route[]>> = {
	FR: FRENCH,
	...Object.fromEntries(
		['BL', 'GF', 'GP', 'MF', 'MQ', 'PM', 'RE', 'YT'].map((region) => [region, OVERSEAS]),
	),
	IE: [[/^048(?=\d{8}$)/, '4428']],
};

/** The same where the digits can also be an exit code and a number of another country. */
const EXIT_CODES: Readonly<Record<string, readonly Route[]>> = {
	KE: [
		[/^006(?=\d{9}$)/, '256'],
		[/^007(?=\d{9}$)/, '255'],
	],
	TZ: [
		[/^005(?=\d{9}$)/, '254'],
		[/^006(?=\d{9}$)/, '256'],
	],
	UG: [
		[/^005(?=\d{9}$)/, '254'],
		[/^007(?=\d{9}$)/, '255'],
	],
};

/** By Default Country: numbers of no known type that have the form of those of a neighbor. */
const NEIGHBORS: Readonly<Record<string, Route>> = {
	AD: [/^(?=[6-9]\d{8}$)/, '34'],
	HK: [/^(?=1[3-9]\d{9}$)/, '86'],
	LI: [/^0?(?=[1-9]\d{8}$)/, '41'],
	MO: [/^(?=1[3-9]\d{9}$)/, '86'],
	PS: [/^0?(?=(?:[2-489]\d|5[0-57-8]\d)\d{6}$)/, '972'],
	SM: [/^(?=0[1-9]\d{5,9}$|3\d{8,9}$)/, '39'],
};

/** Of any type: all French mobile numbers look like those of Monaco, for example. */
const TWINS: Readonly<Record<string, Route>> = {
	MC: [/^0?(?=[67]\d{8}$)/, '33'],
	// 02 is also how Sydney, Taipei and Manila are dialed in their countries.
	MY: [/^02(?=[3689]\d{7}$)/, '65'],
};

function dialedBy(routes: readonly Route[], digits: string): string | undefined {
	const route = routes.find(([dialed]) => dialed.test(digits));
	return route && digits.replace(route[0], route[1]);
}

/** The international digits of a number of another country that is dialed like a national one. */
export const dialedAbroad = (region: string, digits: string) =>
	dialedBy(ROUTES[region] ?? [], digits);

export const afterSpecialExitCode = (region: string, digits: string) =>
	dialedBy(EXIT_CODES[region] ?? [], digits);

/** The international digits if a number of the neighboring country was meant. */
export function inNeighbor(
	region: string,
	digits: string,
): { digits: string; evenIfInUse: boolean } | undefined {
	const route = TWINS[region] ?? NEIGHBORS[region];
	const neighbor = route && dialedBy([route], digits);
	return neighbor === undefined
		? undefined
		: { digits: neighbor, evenIfInUse: TWINS[region] !== undefined };
}
