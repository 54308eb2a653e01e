import { findSwallowedRow } from '../../../nodes/MessagingService/recipients/file/swallowedRows';

const NUMBER = '+447700900123';

/** Where a row is seen in the second of three cells, in a file with three columns. */
const found = (text: string, delimiter = ',') =>
	findSwallowedRow(['Ada', text, 'Leeds'], delimiter, 3);

test.each([
	['020 7946 0000', true],
	['(020) 7946-0000', true],
	['+44.7700/900-123', true],
	[`'+447700900123'`, true],
	[' "447700900123 ', true],
	['1234567', true],
	['123456', false],
	['Tel. 447700900123', false],
	['447700900123 x', false],
	['12--34--56--78', true],
	['2026-11-22', false],
	[' 22.11.2026 ', false],
	['22/11/2026', false],
	['22/11-2026', true],
	['22-11-20261', true],
	['12345-11-22', true],
])('%j is a phone number: %j', (cell, isNumber) => {
	expect(found(`x\n${cell},Bob,Leeds\ny`)).toBe(isNumber ? 1 : undefined);
});

test.each(['\n', '\r\n', '\r'])('lines end with %j', (end) => {
	expect(found(['a', 'b', `${NUMBER},b,c`, 'd'].join(end))).toBe(2);
});

test('a row has as many cells as the others; the last one only those before the quote', () => {
	expect(found(`x\n${NUMBER},b\ny`)).toBeUndefined();
	expect(found(`x\n${NUMBER},b,c,d\ny`)).toBeUndefined();
	expect(found(`x\n${NUMBER},b`)).toBe(1);
	expect(found(`x\n${NUMBER},b,c`)).toBeUndefined();
	expect(found(`${NUMBER},b,c\ny`)).toBeUndefined();
	expect(found(`x\na,b,c\ny`)).toBeUndefined();
	expect(found(`x\n${NUMBER}|b|c\ny`, '|')).toBe(1);
});

test('a line without a delimiter is none, even if it has a number', () => {
	expect(findSwallowedRow([`x\n${NUMBER}`, 'b'], ',', 2)).toBeUndefined();
	expect(findSwallowedRow([`x\n${NUMBER}\ny`], ',', 1)).toBeUndefined();
});

test('lines of earlier cells count', () => {
	expect(findSwallowedRow(['a\nb\nc', `d\ne\n${NUMBER},f\ng`], ',', 2)).toBe(4);
});
