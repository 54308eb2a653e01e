import fc from 'fast-check';
import { parseJson, traitsOf } from '../../nodes/MessagingService/json';
import { holds } from '../support/runs';

test('JSON without long integers is what JSON.parse makes of it', async () => {
	await holds(
		fc.property(fc.jsonValue(), (value) => {
			const text = JSON.stringify(value);
			fc.pre(!traitsOf(value).isRounded);
			expect(parseJson(text)).toEqual(JSON.parse(text));
		}),
		100,
	);
});

test('every integer comes back with all its digits', async () => {
	const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
	await holds(
		fc.property(integer, fc.constantFrom('', ' ', '\n'), (number, space) => {
			const digits = String(number);
			const record = parseJson(`{"a":${space}${digits}${space},"b":[${digits}],"c":"${digits}"}`);
			const { a, b, c } = record as { a: unknown; b: unknown[]; c: string };
			expect([String(a), String(b[0]), c]).toEqual([digits, digits, digits]);
			expect(typeof a).toBe(Number.isSafeInteger(Number(digits)) ? 'number' : 'string');
			expect(String(parseJson(digits))).toBe(digits);
		}),
		100,
		{
			examples: [
				[9007199254740993n, ''],
				[-9007199254740992n, ' '],
				[9007199254740991n, ''],
				// Too long for a number: it would be Infinity.
				[10n ** 400n, ''],
			],
		},
	);
});

test.each(['', '{', 'nothing', '{"a":12345678901234567890', '\ufeff{'])('%j is no JSON', (text) => {
	expect(parseJson(text)).toBeUndefined();
});

test('JSON may begin with a byte order mark', () => {
	expect(parseJson('\ufeff{"a":1}')).toEqual({ a: 1 });
});

test('JSON is read down to the 101st level, whatever it is nested in', () => {
	const listsOf = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
	const objectsOf = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
	for (const nested of [listsOf, objectsOf]) {
		expect(parseJson(nested(101))).toEqual(JSON.parse(nested(101)));
		expect(parseJson(nested(102))).toBeUndefined();
	}
});

test('a byte order mark elsewhere stays', () => {
	const record = { a: 'x\ufeff', b: '\ufeff' };
	expect(parseJson(JSON.stringify(record))).toEqual(record);
	expect(parseJson('{"a":"\ufeff","b":12345678901234567890}')).toEqual({
		a: '\ufeff',
		b: '12345678901234567890',
	});
});
