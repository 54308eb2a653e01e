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
			],
		},
	);
});

test.each(['', '{', 'nothing', '{"a":12345678901234567890', '\ufeff{'])('%j is no JSON', (text) => {
	expect(parseJson(text)).toBeUndefined();
});

test('a byte order mark elsewhere stays', () => {
	const record = { a: 'x\ufeff', b: '\ufeff' };
	expect(parseJson(JSON.stringify(record))).toEqual(record);
	expect(parseJson('{"a":"\ufeff","b":12345678901234567890}')).toEqual({
		a: '\ufeff',
		b: '12345678901234567890',
	});
});
