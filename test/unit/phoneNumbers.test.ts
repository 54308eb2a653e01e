import fc from 'fast-check';
import { readPhoneNumber } from '../../nodes/MessagingService/resources/shared/phoneNumbers';
import { anyJson } from './support/json';

describe('a phone number that is text', () => {
	test('stays as it is, with its plus and its leading zeros', () => {
		const number = fc.stringMatching(/^(\+|0{0,3})[1-9][0-9 ()-]{0,20}[0-9]$/);
		fc.assert(
			fc.property(number, (text) => {
				expect(readPhoneNumber(text)).toEqual({ number: text });
			}),
		);
	});

	test('loses the spaces around it', () => {
		expect(readPhoneNumber(' +447700900123\n')).toEqual({ number: '+447700900123' });
		expect(readPhoneNumber('00447700900123')).toEqual({ number: '00447700900123' });
	});

	test.each(['4.47701E+11', '4,47701E+11', '4.4770090012e11', '447e9', '+4.4E12', '1E-7'])(
		'is refused in exponent form (%s)',
		(text) => {
			expect(readPhoneNumber(text)).toEqual({
				problem: `has lost digits (${text})`,
				advice: expect.stringContaining('Format the column as text'),
			});
		},
	);

	test.each(['1e5 ext 2', 'ext 1e5', 'x1e5', '1e5x', '12e', 'e12'])(
		'is not taken for an exponent form when it only has one in it (%s)',
		(text) => {
			expect(readPhoneNumber(text)).toEqual({ number: text });
		},
	);

	test('is refused in every exponent form that a number prints as', () => {
		const large = fc.double({ min: 1e21, noNaN: true, noDefaultInfinity: true });
		fc.assert(
			fc.property(large, fc.boolean(), (number, hasComma) => {
				const text = hasComma ? String(number).replace('.', ',') : String(number);
				expect(readPhoneNumber(text).number).toBeUndefined();
			}),
		);
	});

	test.each(['', '   ', '\t\n'])('is empty when there is nothing in it (%j)', (text) => {
		expect(readPhoneNumber(text)).toMatchObject({ problem: 'is empty' });
	});
});

describe('a phone number that is a number', () => {
	test('becomes its digits', () => {
		fc.assert(
			fc.property(fc.maxSafeNat(), (number) => {
				const reading = readPhoneNumber(number);
				expect(reading.number).toMatch(/^\d+$/);
				expect(BigInt(reading.number ?? '')).toBe(BigInt(number));
			}),
			{ examples: [[0], [447700900123], [Number.MAX_SAFE_INTEGER]] },
		);
	});

	test('is refused when it has lost digits', () => {
		const damaged = fc.oneof(
			fc.double().filter((number) => !Number.isSafeInteger(number)),
			fc.double({ min: 2 ** 53, noNaN: true }),
			fc.integer({ max: -1 }),
			fc.constantFrom(NaN, Infinity, -Infinity, 2 ** 53, -1, 0.5, 1e21, 447700900123.5),
		);
		fc.assert(
			fc.property(damaged, (number) => {
				expect(readPhoneNumber(number)).toEqual({
					problem: `has lost digits (${number})`,
					advice: expect.stringContaining('Format the column as text'),
				});
			}),
		);
	});
});

describe('anything else', () => {
	test.each([undefined, null])('is empty (%s)', (value) => {
		expect(readPhoneNumber(value)).toMatchObject({ problem: 'is empty' });
	});

	test.each([[true], [{ number: '1' }], [['+447700900123']]])('is refused (%j)', (value) => {
		expect(readPhoneNumber(value)).toMatchObject({ problem: 'is neither text nor a number' });
	});

	test('gives either a number or a problem, for any JSON', () => {
		fc.assert(
			fc.property(anyJson(), (value) => {
				const { number, problem } = readPhoneNumber(value);
				expect([number, problem].filter((part) => part !== undefined)).toHaveLength(1);
				expect(number ?? problem).not.toBe('');
			}),
			{ numRuns: 1000 },
		);
	});
});
