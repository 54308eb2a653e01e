import { readNumber } from '../../nodes/MessagingService/numbers/readNumber';

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
		expect(read(cell)).toMatchObject({ reason: 'ambiguous' });
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

it('a number without its area code is not completed', () => {
	expect(read('91234-5678', 'BR')).toMatchObject({ reason: 'length' });
	expect(read('4004-1234', 'BR')).toMatchObject({ number: '+5540041234' });
});

it.each([
	['447400123456.0000', 'GB', '+447400123456'],
	['447.400.123.456,00', 'GB', '+447400123456'],
	['9,87,65,43,210', 'IN', '+919876543210'],
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
		['44 (0)1', undefined, /^has only 4 digits/],
		['+44740012345x', undefined, /^contains letters/],
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
	])('%s without Default Country is %s', (cell, number) => {
		expect(read(cell)).toMatchObject({ number });
	});
});
