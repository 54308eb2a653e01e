import { classify } from '../../nodes/MessagingService/numbers/classify';
import { readNumber } from '../../nodes/MessagingService/numbers/readNumber';
import { exampleNumbers } from './support/numberExamples';

const read = (cell: string, defaultCountry?: string) =>
	readNumber(cell, { format: 'international', defaultCountry });

describe('a number of another country without its +', () => {
	it.each([
		['33612345678', 'DE', '+4933612345678'],
		['447400123456', 'DE', '+49447400123456'],
		['41791234567', 'DE', '+4941791234567'],
		['12127365000', 'DE', '+4912127365000'],
		['4915123456789', 'AT', '+434915123456789'],
		['34612345678', 'IT', '+3934612345678'],
		['4520123456', 'IT', '+3904520123456'],
		['4520123456', 'FI', '+3584520123456'],
		['6591234567', 'ID', '+626591234567'],
		['447400123456', 'GR', '+30447400123456'],
		['61412345678', 'SG', '+6561412345678'],
		['85251234567', 'CN', '+8685251234567'],
		['6591234567', 'JP', '+816591234567'],
		['15512345678', 'MX', '+525512345678'],
	])('%s (%s) is ambiguous', (cell, country, national) => {
		const reading = read(cell, country);
		expect(reading).toMatchObject({ reason: 'ambiguous' });
		expect((reading as { advice: string }).advice).toContain(`It can be ${national} or +${cell}.`);
	});

	it.each([
		['4915123456789', 'DE', '+4915123456789'],
		['15123456789', 'DE', '+4915123456789'],
		['30901820', 'DE', '+4930901820'],
		['3212345678', 'US', '+13212345678'],
		['13012345678', 'CN', '+8613012345678'],
		['81234567890', 'ID', '+6281234567890'],
		['6531234567', 'BR', '+556531234567'],
		['80012171851', 'GR', '+3080012171851'],
		['033612345678', 'DE', '+4933612345678'],
	])('%s (%s) is how people write %s', (cell, country, number) => {
		expect(read(cell, country)).toMatchObject({ number });
	});
});

describe('a zero too many', () => {
	it.each([
		['+39 (0)331 1234567', '+393311234567'],
		['0039 (0)346 123 4567', '+393461234567'],
		['+39 (0)800123456', '+39800123456'],
		['+39 (0)331 123456', '+390331123456'],
		['+39 0335 1234567', '+393351234567'],
		['+3903351234567', '+393351234567'],
		['+39 0331 1234567', '+3903311234567'],
		['44 (0)7400 123456', '+447400123456'],
		['+45 (0)20 12 34 56', '+4520123456'],
		['+45 (0)10 12 34 56', '+4510123456'],
		['0034 (0)612 345 678', '+34612345678'],
		['+351 [0] 912 345 678', '+351912345678'],
	])('%s is %s, with and without Default Country', (cell, number) => {
		for (const country of [undefined, 'IT', 'US', 'DE']) {
			expect(read(cell, country)).toMatchObject({ number });
		}
	});

	it('is left out of a national number, too', () => {
		expect(read('0335 1234567', 'IT')).toMatchObject({ number: '+393351234567' });
	});
});

describe('a country code that is there twice', () => {
	it.each([
		'+49 49 151 23456789',
		'+494915123456789',
		'0049 49 30 901820',
		'+43 43 664 1234567',
		'+39 39 347 1234567',
	])('%s is ambiguous', (cell) => {
		const plain = cell.replace(/ /g, '').replace(/^00/, '+');
		const once = `+${plain.slice(3)}`;
		expect(read(cell)).toMatchObject({
			reason: 'ambiguous',
			advice: expect.stringContaining(`It can be ${plain} or ${once}.`),
		});
	});

	it.each(['+49492112345', '+5555991234567', '+919123456789'])('%s has one', (cell) => {
		expect(read(cell)).toMatchObject({ number: cell });
	});
});

it.each(['2026-12-31', '31-12-2026', '20261231', '2026-12-31 10:00'])('%s is a date', (cell) => {
	expect(read(cell)).toMatchObject({ problem: `is a date (${cell})` });
});

it.each([
	['20261231', 'DK', '+4520261231'],
	['22-33-2020', 'NO', '+4722332020'],
])('%s (%s) is no date', (cell, country, number) => {
	expect(read(cell, country)).toMatchObject({ number });
});

/** A day in the ways in which a spreadsheet writes it. */
function spellingsOf(day: Date): string[] {
	const [year = '', month = '', date = ''] = day.toISOString().slice(0, 10).split('-');
	const short = `${Number(date)}/${Number(month)}/${year}`;
	return [
		...[`${year}-${month}-${date}`, `${date}.${month}.${year}`, `${month}/${date}/${year}`],
		...[short, `${year}/${Number(month)}/${Number(date)} 9:30:00`, `${year}${month}${date}`],
	];
}

it('the days of a century are dates, and no phone numbers', () => {
	for (let day = Date.UTC(1930, 0); day < Date.UTC(2050, 0); day += 17 * 86_400_000) {
		const readings = spellingsOf(new Date(day)).map((text) => [text, read(text).problem]);
		const expected = readings.map(([text]) => [text, `is a date (${text ?? ''})`]);
		expect(readings).toEqual(expected);
	}
});

it.each([
	...['20261301', '20260001', '20260132', '20260100', '19291231', '20500101', '2026-13-32'],
	...['20261231-5', '12-2026-31', '2026.12/31', '1026-12-31', '99/99/2026', '31.12.2026 07400'],
])('%s is no date', (cell) => {
	expect(read(cell).problem ?? '').not.toContain('is a date');
});

it('a zero is put back only where no other digit can have been lost', () => {
	const examples = exampleNumbers(2).filter(({ trunkPrefix }) => trunkPrefix === '');
	const typeOf = (number: string) => classify(number).type;
	for (const { region, callingCode, national } of examples) {
		if (national.startsWith('0')) continue;
		const number = `+${callingCode}0${national.slice(1)}`;
		const isCompleted = read(national.slice(1), region).problem === undefined;
		const isSame = typeOf(number) === typeOf(`+${callingCode}${national}`);
		if (!isCompleted || !isSame) continue;
		expect(read(national.slice(1), region)).not.toMatchObject({ number });
	}
	expect(read('612345678', 'IT')).toMatchObject({ number: '+390612345678' });
	expect(read('498765432', 'IT')).toMatchObject({ reason: 'ambiguous' });
});

it('a number in its usual form is looked at for a prefix like one in any other form', () => {
	const outcomeOf = (cell: string) => {
		const reading = read(cell);
		return reading.problem === undefined ? reading.number : reading.reason;
	};
	for (const { callingCode, trunkPrefix, national } of exampleNumbers(1)) {
		const digits = `${callingCode}${trunkPrefix}${national}`;
		expect([digits, outcomeOf(`+${digits}`)]).toEqual([digits, outcomeOf(`+ ${digits}`)]);
	}
});

it('problems with long texts are cut to what a title has room for, and short ones are not', () => {
	const digits = '1'.repeat(16);
	const what = 'has 99 digits, more than any phone number ()';
	for (let blanks = 0; blanks < 20; blanks++) {
		const text = `${digits.slice(0, 8)}${' '.repeat(blanks % 2)}${digits.slice(8)}${'1'.repeat(blanks)}`;
		const { problem = '' } = read(text);
		const isCut = what.length + text.length > 63;
		expect(problem).toHaveLength(isCut ? 63 : what.length + text.length);
		expect(problem.endsWith('…)')).toBe(isCut);
	}
});

it.each([
	['3913688', 'TT', '+18683913688'],
	['310 0380', 'GU', '+16713100380'],
	['893044763', 'BY', '+375893044763'],
	['15123456789', 'DE', '+4915123456789'],
])('%s (%s) is %s, though its first digits look like a prefix', (cell, country, number) => {
	expect(read(cell, country)).toMatchObject({ number });
});

it('a number without its area code is not completed', () => {
	expect(read('91234-5678', 'BR')).toMatchObject({ reason: 'length' });
	expect(read('4004-1234', 'BR')).toMatchObject({ number: '+5540041234' });
});

it.each([
	['447400123456.0000', 'GB', '+447400123456'],
	['447.400.123.456,00', 'GB', '+447400123456'],
	['9,87,65,43,210', 'IN', '+919876543210'],
	['447,400,123,456.00', 'GB', '+447400123456'],
	['447,400,123,456,0', 'GB', '+447400123456'],
])('%s (%s) is a formatted %s', (cell, country, number) => {
	expect(read(cell, country)).toMatchObject({ number });
});

it('an exponent form that has lost nothing is not said to have', () => {
	expect(read('4.47400123456E+11')).toMatchObject({
		problem: 'is in exponent form (4.47400123456E+11)',
	});
});

it.each(["tel:'0000050", "' '0000008", '&constructor;07400 123456'])('%s is read once', (cell) => {
	const reading = read(cell);
	if (reading.problem === undefined) expect(read(reading.number)).toEqual(reading);
	else expect(reading.problem).toContain(cell);
});

describe('what a cell holds', () => {
	it.each([
		['1'.repeat(200), undefined, /^has 200 digits/],
		['1'.repeat(201), undefined, /^is a long text \(1/],
		['447400123456.50', undefined, /^is a decimal number/],
		['020 7946 0958\n12345', 'GB', /^holds two numbers/],
		['020 7946 0958 020 7946 0959', undefined, /^holds two numbers/],
		['7400123456 7400123457', 'GB', /^holds two numbers/],
		['7946 0958 7946 0959', 'GB', /^has 16 digits/],
		['<td>07400123456</td><td>07400123457</td>', 'GB', /^holds two numbers/],
		['12345', undefined, /^has only 5 digits/],
		['12   3', 'GB', /\(12 3\)$/],
		['44 (0)1', undefined, /^has only 4 digits/],
		['+44740012345x', undefined, /^contains letters/],
		['447400123456E0', 'GB', /^is in exponent form \(/],
		['447400123456E9', 'GB', /^is in exponent form and has lost digits \(/],
		['4.474E+11', 'GB', /^is in exponent form and has lost digits/],
		['Ann 4.474E+11', 'GB', /^contains letters/],
		['020 7946 0958\n(12345)', 'GB', /^holds two numbers/],
		['020 7946 0958 \n12345', 'GB', /^holds two numbers/],
		['54802216/9945796', 'AU', /^holds two numbers/],
		['5259300 5259300', 'LC', /^is too long for country code \+1/],
		['7123456, 7123457', 'GB', /^holds two numbers/],
		['581 2345 581 2346', 'IS', /^holds two numbers/],
		['07400 123456 / 07400 123457', undefined, /^holds two numbers/],
		['012345678 012345679', undefined, /^holds two numbers/],
		['01234567 01234568', undefined, /^has 16 digits, more than any phone number/],
		['00447400123456789', undefined, /^is too long for country code \+44/],
		['447.400.123.456,00 4', 'GB', /^is too long for country code \+44/],
		['+3551', 'GB', /^is too short for country code \+355/],
		['+640074418026', 'GB', /^is not possible for country code \+64/],
		['+44 740012 (0)3456', undefined, /^is too long for country code \+44/],
		['07 12 34 56', 'CI', /^is too short for country code \+225/],
		['Bob 020123456', 'GB', /^has text beside the number/],
		['5', undefined, /^has only 1 digit \(5\)$/],
		['-447400123456.50', 'GB', /^is a negative number/],
		['447400123456.05', 'GB', /^is a decimal number/],
		['07400 123456,88', 'GB', /^has an extension/],
		['Bob 02012345', 'GB', /^contains letters/],
	])('%j (%s) is told in words', (cell, country, problem) => {
		expect(read(cell, country)).toMatchObject({ problem: expect.stringMatching(problem) });
	});

	it('a short number can be one of Default Country', () => {
		expect(read('12345')).toMatchObject({
			advice: 'Set Default Country if the numbers of your country are this short.',
		});
	});

	it.each([
		['[(+44)] 7400 123456', '+447400123456'],
		['999 (0)7400 123456', '999 (0)7400 123456'],
		['4 (0)47400123456', '4 (0)47400123456'],
		['39 (0)066993', '39 (0)066993'],
		['+44 7400\n123456', '+447400123456'],
	])('%s without Default Country is %s', (cell, number) => {
		expect(read(cell)).toMatchObject({ number });
	});
});

/** A cell, Default Country, and the number, `=` for one that is sent as it is, or `!` and a reason. */
it.each<[cell: string, country: string | undefined, wanted: string]>([
	// A zero in brackets is left out only if it is none of the number.
	['+2 (0)800123456', undefined, '+20800123456'],
	['+9681 (0) 25216', undefined, '+9681025216'],
	['+3521 [0] 912343 678', undefined, '+35210912343678'],
	['+852(0)65747665', undefined, '+85265747665'],
	['44(0)7400 123456', undefined, '+447400123456'],
	['351 (0)912 345 678', undefined, '+351912345678'],
	['7 (0)9161234567', undefined, '+79161234567'],
	['00351(0)912345678', undefined, '+351912345678'],
	['044 (0)7400 123456', undefined, '='],
	['05[0]78556', 'DK', '!length'],
	['5(0)9030', 'TO', '+67659030'],
	['0( 0 )8804', 'NF', '+672308804'],
	// Prefixes, and digits that look like one.
	['01191234-56782', 'BR', '!length'],
	['003682171851', 'KR', '!ambiguous'],
	['+5590828039798', undefined, '+5590828039798'],
	['93408887', 'LB', '+96193408887'],
	['666045727', 'BA', '!length'],
	['09006865925', 'CO', '+579006865925'],
	['2617930', 'AL', '!leadingZero'],
	['490026245', 'HU', '!leadingZero'],
	['027106', 'AT', '+4327106'],
	['3980804', 'ZW', '!length'],
	['0800217185', 'PA', '!length'],
	['359008005755692', undefined, '='],
	['810344731', 'AR', '!length'],
	['+3758259316883', undefined, '+375259316883'],
	['+37588008556', undefined, '+3758008556'],
	['6247638', 'BY', '!length'],
	['002906322', 'SN', '+2906322'],
	['0697564674', 'LI', '+423697564674'],
	['60041865925', 'AR', '!leadingZero'],
	['(0)512808', 'IM', '!length'],
	['0301234/5678901', 'DE', '+493012345678901'],
	// Formats of spreadsheets, with something else beside them.
	['+4.47E+11', 'GB', '!lostDigits'],
	['7.4E+09 #', 'GB', '!letters'],
	['-44 (0)7400 123456', undefined, '+447400123456'],
	['-07400123456;07400123457', 'GB', '!twoNumbers'],
	['61,23,45,678.00', 'FR', '+33612345678'],
	['9,87,65,43,210.00', 'IN', '+919876543210'],
	['4 447.400.123.456,00', 'GB', '!extension'],
	['07400123456,12,34', 'GB', '!extension'],
	['06,12,34,56,7', 'FR', '!extension'],
	['1020261231', undefined, '='],
	['19200101', undefined, '='],
	// Signs within the number, and text beside it.
	['2+960025204', undefined, '!characters'],
	['040/1234', 'DE', '+49401234'],
	['1234 ext 12', 'GB', '!letters'],
	['07400 123456 EXT 12', 'GB', '!extension'],
	['07400 123456 \u0414\u041e\u0411 12', 'GB', '!extension'],
	['07400 123456 0740 123457', 'GB', '!digits'],
	['201234567 301234567', undefined, '!digits'],
	['+2369743 Bob', undefined, '!letters'],
	['508418345', 'FR', '+508418345'],
	['389331988', 'RE', '+33389331988'],
	['692911688', 'GF', '+262692911688'],
])('%s (%s): %s', (cell, country, wanted) => {
	const reading = read(cell, country);
	expect(reading.problem === undefined ? (reading.e164 ?? '=') : `!${reading.reason}`).toBe(wanted);
});
