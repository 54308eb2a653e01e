import {
	afterSpecialExitCode,
	changedNumber,
	dialedAbroad,
	firstDigitsOfChanged,
	inNeighbor,
} from '../../nodes/MessagingService/numbers/dialing';

const changed = (code: string) => (digits: string) => changedNumber(code, digits)?.digits;
const abroad = (region: string) => (digits: string) => dialedAbroad(region, digits);
const afterExit = (region: string) => (digits: string) => afterSpecialExitCode(region, digits);
const neighbor = (region: string) => (digits: string) => inNeighbor(region, digits)?.digits;

type Row = [dialed: string, international: string];

/** France and its overseas departments. */
const FRENCH: Row[] = [
	['0262123456', '262262123456'],
	['692123456', '262692123456'],
	['0709212345', '262709212345'],
	['0709312345', '594709312345'],
	['0709351234', '262709351234'],
	['0590123456', '590590123456'],
	['0709012345', '590709012345'],
	['0694123456', '594694123456'],
	['0696123456', '596696123456'],
	['0709112345', '596709112345'],
	['0508123456', '508123456'],
	['0708412345', '508708412345'],
	['590123456', '590590123456'],
	['594123456', '594594123456'],
	['596123456', '596596123456'],
	['508123456', '508123456'],
	['708412345', '508708412345'],
];

/** Numbers that each rule is for. */
const rules: [name: string, read: (digits: string) => string | undefined, rows: Row[]][] = [
	['changed +39', changed('39'), [['0549886123', '3780549886123']]],
	['changed +48', changed('48'), [['0601234567', '48601234567']]],
	['changed +56', changed('56'), [['0912345678', '56912345678']]],
	['changed +380', changed('380'), [['80501234567', '380501234567']]],
	['changed +420', changed('420'), [['0601234567', '420601234567']]],
	['changed +992', changed('992'), [['8917123456', '992917123456']]],
	['changed +998', changed('998'), [['8901234567', '998901234567']]],
	[
		...(['changed +52', changed('52')] as const),
		[
			['015512345678', '525512345678'],
			['0445512345678', '525512345678'],
			['0455512345678', '525512345678'],
			['15512345678', '525512345678'],
		],
	],
	[
		'changed +57',
		changed('57'),
		[...'1245678'].map((area): Row => [`${area}2345678`, `5760${area}2345678`]),
	],
	[
		...(['changed +84', changed('84')] as const),
		[
			...['120:70', '121:79', '122:77', '126:76', '128:78', '123:83', '124:84', '125:85'],
			...['127:81', '129:82', '186:56', '188:58', '199:59', '162:32', '169:39'],
		].map((pair): Row => {
			const [was = '', is = ''] = pair.split(':');
			return [`${was}1234567`, `84${is}1234567`];
		}),
	],
	[
		'changed +229',
		changed('229'),
		[...'24569'].map((first): Row => [`${first}7123456`, `22901${first}7123456`]),
	],
	['changed +33', changed('33'), FRENCH],
	['Ireland', abroad('IE'), [['04828123456', '442828123456']]],
	[...(['France', abroad('FR')] as const), FRENCH],
	...['BL', 'GF', 'GP', 'MF', 'MQ', 'PM', 'RE', 'YT'].map((region): (typeof rules)[number] => [
		...([`overseas (${region})`, abroad(region)] as const),
		[
			['0112345678', '33112345678'],
			['112345678', '33112345678'],
			['0696123456', '596696123456'],
		],
	]),
	[
		...(['Kenya', afterExit('KE')] as const),
		[
			['006712345678', '256712345678'],
			['007712345678', '255712345678'],
		],
	],
	[
		...(['Tanzania', afterExit('TZ')] as const),
		[
			['005712345678', '254712345678'],
			['006712345678', '256712345678'],
		],
	],
	[
		...(['Uganda', afterExit('UG')] as const),
		[
			['005712345678', '254712345678'],
			['007712345678', '255712345678'],
		],
	],
	['Andorra', neighbor('AD'), [['612345678', '34612345678']]],
	['Hong Kong', neighbor('HK'), [['13912345678', '8613912345678']]],
	['Macao', neighbor('MO'), [['13912345678', '8613912345678']]],
	[
		...(['Liechtenstein', neighbor('LI')] as const),
		[
			['0791234567', '41791234567'],
			['791234567', '41791234567'],
		],
	],
	[
		...(['Palestine', neighbor('PS')] as const),
		[
			['021234567', '97221234567'],
			['0501234567', '972501234567'],
			['21234567', '97221234567'],
			['501234567', '972501234567'],
		],
	],
	[
		...(['San Marino', neighbor('SM')] as const),
		[
			['3471234567', '393471234567'],
			['06123456789', '3906123456789'],
			['0612345', '390612345'],
		],
	],
	[
		...(['Monaco', neighbor('MC')] as const),
		[
			['0612345678', '33612345678'],
			['712345678', '33712345678'],
		],
	],
	['Malaysia', neighbor('MY'), [['0291234567', '6591234567']]],
];

describe.each(rules)('%s', (_name, read, rows) => {
	it.each(rows)('%s is %s, and not as a part of more digits', (dialed, international) => {
		expect(read(dialed)).toBe(international);
		for (const other of [`${dialed}12345`, `5${dialed}`]) {
			expect(read(other)).not.toBe(other.replace(dialed, international));
		}
	});
});

it.each(rules.filter(([name]) => name.startsWith('changed')))(
	'%s: the first digits of all of them are known',
	(name, _read, rows) => {
		const first = firstDigitsOfChanged(name.replace('changed +', ''));
		for (const [dialed] of rows) expect(first).toContain(dialed.charAt(0));
	},
);

it.each([
	['48', '0601234567'],
	['420', '0601234567'],
	['52', '15512345678'],
	['57', '12345678'],
])('+%s: %s is changed after a country code only', (code, digits) => {
	expect(changedNumber(code, digits)?.needsCode).toBe(true);
});

it.each([
	['56', '0912345678'],
	['52', '015512345678'],
	['84', '1211234567'],
	['229', '97123456'],
])('+%s: %s is changed without a country code, too', (code, digits) => {
	expect(changedNumber(code, digits)?.needsCode).toBe(false);
});
