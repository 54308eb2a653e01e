import fc from 'fast-check';
import { hasLongInteger, isNestedDeeply, parseJson } from '../../nodes/MessagingService/json';

test('JSON without long integers is what JSON.parse makes of it', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			const text = JSON.stringify(value);
			fc.pre(!hasLongInteger(text));
			expect(parseJson(text)).toEqual(JSON.parse(text));
		}),
	);
});

test('every integer comes back with all its digits', () => {
	const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
	fc.assert(
		fc.property(integer, fc.constantFrom('', ' ', '\n'), (number, space) => {
			const digits = String(number);
			const record = parseJson(`{"a":${space}${digits}${space},"b":[${digits}],"c":"${digits}"}`);
			const { a, b, c } = record as { a: unknown; b: unknown[]; c: string };
			expect([String(a), String(b[0]), c]).toEqual([digits, digits, digits]);
			expect(typeof a).toBe(Number.isSafeInteger(Number(digits)) ? 'number' : 'string');
			expect(String(parseJson(digits))).toBe(digits);
		}),
		{
			examples: [
				[9007199254740993n, ''],
				[-9007199254740992n, ' '],
				[9007199254740991n, ''],
			],
		},
	);
});

test.each(['', '{', 'nothing', '{"a":12345678901234567890', '\ufeff{'])('%j is no JSON', (text) => {
	expect(parseJson(text)).toBeUndefined();
});

test('a byte order mark in front is no part of it', () => {
	expect(parseJson('\ufeff{"a":12345678901234567890}')).toEqual({ a: '12345678901234567890' });
});

test('digits in a text are no integer', () => {
	expect(hasLongInteger('{"a":"12345678901234567890"}')).toBe(false);
	expect(hasLongInteger('{"a":[ 12345678901234567890 ]}')).toBe(true);
});

test.each([
	[100, false],
	[102, true],
	[100_000, true],
])('%p levels: nested deeply %p', (levels, expected) => {
	const nest = (open: string, close: string) =>
		JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`) as unknown;
	expect(isNestedDeeply(nest('[', ']'))).toBe(expected);
	expect(isNestedDeeply(nest('{"a":', '}'))).toBe(expected);
});
