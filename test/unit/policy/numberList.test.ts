import { readNumber, type ReadNumber } from '../../../nodes/MessagingService/numbers/readNumber';
import { NumberList } from '../../../nodes/MessagingService/numbers/numberList';

function read(text: string): ReadNumber {
	const reading = readNumber(text, { format: 'international' });
	if (reading.problem !== undefined) throw new Error(reading.problem.text);
	return reading;
}

/** What a list with one number says about another one. */
function covers(listed: string, asked: string) {
	const list = new NumberList();
	list.add(read(listed));
	return list.covers(read(asked));
}

describe('a list of numbers', () => {
	it.each([
		['a United Kingdom number', '+447700900123', '07700 900123'],
		['an Italian fixed line, which keeps its zero', '+390612345678', '06 1234 5678'],
		['a Russian mobile number, dialed with 8', '+79161234567', '8 916 123-45-67'],
		['a Hungarian mobile number, dialed with 06', '+36201234567', '06 20 123 4567'],
		['a Lithuanian mobile number, dialed with 8', '+37061234567', '8 612 34567'],
		['an Argentine mobile number, dialed with 15', '+5491123456789', '011 15 2345 6789'],
	])('may hold %s without country code', (_, complete, national) => {
		expect(covers(complete, national)).toBe('may be');
		expect(covers(national, complete)).toBe('may be');
		expect(covers(complete, complete)).toBe('is');
		expect(covers(national, national)).toBe('is');
	});

	it.each([
		['complete numbers that end alike', '+33612345678', '+34612345678'],
		['a complete number with which another one ends', '+33612345678', '+4933612345678'],
		['a national number with other last digits', '+79161234567', '8 916 123-45-68'],
	])('does not hold %s', (_, listed, asked) => {
		expect(covers(listed, asked)).toBeUndefined();
		expect(covers(asked, listed)).toBeUndefined();
	});

	it.each([
		['the first of two in a cell', '07911 110001 / 07911 220002', '+447911110001'],
		['the second of two in a cell', '07911 110001 07911 220002', '+447911220002'],
		[
			'one of two in a cell, for a number without country code',
			'07911 110001 / 07911 220002',
			'07911 110001',
		],
		['one with a word behind it', '07911 110001 (home), work 020 7946 0000', '+447911110001'],
		['one that a sheet has written as a power of ten', '4.47911110001E+11', '+447911110001'],
		['one of which only the last seven digits are left', 'x1110001', '+447911110001'],
	])('may hold %s', (_, stored, asked) => {
		const list = new NumberList();
		list.addUnreadable(stored);
		expect(list.covers(read(asked))).toBe('may be');
		expect(list.covers(read('+447911330003'))).toBeUndefined();
	});
});
