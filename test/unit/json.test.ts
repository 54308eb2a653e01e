import fc from 'fast-check';
import { isObject, objectsOf, parseJson, traitsOf } from '../../nodes/MessagingService/json';
import { runs } from '../support/runs';

test('JSON without long integers is what JSON.parse makes of it', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			const text = JSON.stringify(value);
			fc.pre(!traitsOf(value).isRounded);
			expect(parseJson(text)).toEqual(JSON.parse(text));
		}),
		{ numRuns: runs(100) },
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
			numRuns: runs(100),
			examples: [
				[9007199254740993n, ''],
				[-9007199254740992n, ' '],
				[9007199254740991n, ''],
			],
		},
	);
});

test('small integers beside a long one stay numbers, and texts stay texts', () => {
	const text =
		'{"a":12345678901234567890,"b":7,"c":["-8",-8,{"d":0}],"e":null,"f":"12345678901234567891"}';
	expect(parseJson(text)).toEqual({
		...{ a: '12345678901234567890', b: 7, c: ['-8', -8, { d: 0 }], e: null },
		f: '12345678901234567891',
	});
});

test('objects are told from lists, texts and nothing', () => {
	const values = [{}, { a: 1 }, [], [{}], null, undefined, 'a', 7, true];
	expect(values.map(isObject)).toEqual([true, true, ...Array<boolean>(7).fill(false)]);
	expect(objectsOf(values)).toEqual([{}, { a: 1 }]);
	for (const value of [{ a: 1 }, null, 'a', undefined]) expect(objectsOf(value)).toEqual([]);
});

test.each(['', '{', 'nothing', '{"a":12345678901234567890', '\ufeff{'])('%j is no JSON', (text) => {
	expect(parseJson(text)).toBeUndefined();
});

test('a byte order mark in front is no part of it', () => {
	expect(parseJson('\ufeff{"a":12345678901234567890}')).toEqual({ a: '12345678901234567890' });
});

test('a byte order mark elsewhere stays', () => {
	const record = { a: 'x\ufeff', b: '\ufeff' };
	expect(parseJson(JSON.stringify(record))).toEqual(record);
	expect(parseJson('{"a":"\ufeff","b":12345678901234567890}')).toEqual({
		a: '\ufeff',
		b: '12345678901234567890',
	});
});

test.each([
	...[2 ** 53, -(2 ** 53), 1e30, Infinity, -Infinity, [2 ** 53], { a: [1, { b: 2 ** 60 }] }],
])('%j may be rounded', (value) => {
	expect(traitsOf(value)).toEqual({ isDeep: false, isRounded: true });
});

test.each([
	...[2 ** 53 - 1, 1 - 2 ** 53, 0.1, -1.5, 0, null, true, '9007199254740993', undefined],
	...[[], {}, { a: ['9007199254740993', null, 7] }],
])('%j is what was meant', (value) => {
	expect(traitsOf(value)).toEqual({ isDeep: false, isRounded: false });
});

test('numbers that are no integers stay as they are', () => {
	const text = '{"a":1e30,"b":1e400,"c":12345678901234567890.5,"d":12345678901234567890}';
	expect(parseJson(text)).toEqual({
		...{ a: 1e30, b: Infinity, c: 12345678901234567890.5 },
		d: '12345678901234567890',
	});
});

test.each([
	[100, false],
	[101, false],
	[102, true],
	[100_000, true],
])('%p levels: nested deeply %p', (levels, expected) => {
	const nest = (open: string, close: string) => `${open.repeat(levels)}1${close.repeat(levels)}`;
	for (const text of [nest('[', ']'), nest('{"a":', '}'), nest('["x",', ']')]) {
		expect(traitsOf(JSON.parse(text)).isDeep).toBe(expected);
		expect(parseJson(text) === undefined).toBe(expected);
	}
});
