import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import {
	clearableField,
	entriesOf,
	integerField,
	isClearable,
	readFieldValue,
} from '../../nodes/MessagingService/parameters/fieldValue';
import { InputError, shown } from '../../nodes/MessagingService/parameters/inputError';
import {
	readBoolean,
	readDecimal,
	readInteger,
	readOption,
	readText,
} from '../../nodes/MessagingService/parameters/values';
import { anyJson } from './support/json';
import { thrown } from './support/thrown';
import { runs } from '../support/runs';

const NOTHING = [undefined, null, '', '  ', '\n'];

const fieldOf = (type: INodeProperties['type'], more: Partial<INodeProperties> = {}) =>
	({ displayName: 'Field', name: 'field', type, default: '', ...more }) as INodeProperties;

/** What a reader makes of a value: the value, or the message of its error. */
function outcome(read: () => unknown): unknown {
	try {
		return read();
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({ field: 'Field', description: expect.stringMatching(/\w\.$/) });
		return (error as Error).message;
	}
}

describe('every reader', () => {
	const readers: Record<string, (value: unknown) => unknown> = {
		boolean: (value) => readBoolean(value, 'Field'),
		option: (value) => readOption(value, 'Field', ['a', 'b']),
		integer: (value) => readInteger(value, 'Field', { min: 1, max: 9 }),
		decimal: (value) => readDecimal(value, 'Field', { min: 0 }),
		text: (value) => readText(value, 'Field'),
	};

	test.each(Object.entries(readers))('refuses nothing as empty (%s)', (_, read) => {
		for (const value of NOTHING) expect(outcome(() => read(value))).toBe('Field is empty');
	});

	test.each(Object.entries(readers))(
		'gives a value or a title of at most 80 characters that starts with the field (%s)',
		(_, read) => {
			const value = fc.oneof(anyJson(), fc.string({ maxLength: 500 }), fc.double(), fc.bigInt());
			fc.assert(
				fc.property(value, (given) => {
					const result = outcome(() => read(given));
					if (typeof result !== 'string' || !result.startsWith('Field ')) return;
					expect([...result].length).toBeLessThanOrEqual(80);
				}),
				{ numRuns: runs(100) },
			);
		},
	);
});

test.each([
	...[true, 'true', 'TRUE', ' True ', 'yes', 'YES', '1', 1, 1n].map((value) => [value, true]),
	...[false, 'false', 'False', 'no', 'NO', '0', 0].map((value) => [value, false]),
	...['on', 'maybe', 2, -1, NaN, {}, [], [true], 'truee'].map((value) => [value, undefined]),
])('the switch %p is %p', (value, expected) => {
	const result = outcome(() => readBoolean(value, 'Field'));
	if (expected === undefined) expect(result).toMatch(/^Field is neither true nor false \(/);
	else expect(result).toBe(expected);
});

test('a menu has its own values only, and names them', () => {
	expect(readOption('b', 'Field', ['a', 'b'])).toBe('b');
	const error = thrown(() => readOption('B', 'Field', ['a', 'b']));
	expect(error).toMatchObject({
		message: 'Field cannot be "B"',
		description: 'Use one of these values: a, b.',
	});
	for (const value of [true, 1, ['a'], { a: 1 }]) {
		expect(outcome(() => readOption(value, 'Field', ['a', 'b']))).toMatch(/^Field cannot be "/);
	}
});

test.each([
	[7, 7],
	['7', 7],
	[' 7 ', 7],
	['007', 7],
	['-7', -7],
	[7n, 7],
	['7.0', 'Field is not a whole number (7.0)'],
	['3e2', 'Field is not a whole number (3e2)'],
	['0x12D', 'Field is not a whole number (0x12D)'],
	['1,000', 'Field is not a whole number (1,000)'],
	[true, 'Field is not a whole number (true)'],
	[2 ** 53, 'Field is not a whole number (9007199254740992)'],
	['9007199254740993', 'Field is not a whole number (9007199254740993)'],
	[[7], 'Field is not a whole number ([7])'],
])('the integer %p is %p', (value, expected) => {
	expect(outcome(() => readInteger(value, 'Field'))).toBe(expected);
});

test.each([
	[0.5, 0.5],
	['0.5', 0.5],
	['2', 2],
	['.5', 'Field is not a number (.5)'],
	['1e3', 'Field is not a number (1e3)'],
	[Infinity, 'Field is not a number (Infinity)'],
	[false, 'Field is not a number (false)'],
	[-0.1, 'Field is less than 0 (-0.1)'],
	[9.1, 'Field is more than 9 (9.1)'],
])('the number %p is %p', (value, expected) => {
	expect(outcome(() => readDecimal(value, 'Field', { min: 0, max: 9 }))).toBe(expected);
});

test.each([
	[' a ', ' a '],
	[0, '0'],
	[12.5, '12.5'],
	[447700900123, '447700900123'],
	[2n ** 60n, '1152921504606846976'],
	[1e21, 'Field is a number that has lost digits (1e+21)'],
	[NaN, 'Field is a number that has lost digits (NaN)'],
	[false, 'Field is neither text nor a number'],
	[{ a: 1 }, 'Field is neither text nor a number'],
	[['a'], 'Field is neither text nor a number'],
])('the text %p is %p', (value, expected) => {
	expect(outcome(() => readText(value, 'Field'))).toBe(expected);
});

describe('a field', () => {
	test('is read in the type that its definition says', () => {
		const limited = { typeOptions: { minValue: 1, maxValue: 5 } };
		const options = [{ name: 'A', value: 'a' }];
		expect(readFieldValue(fieldOf('boolean'), 'yes')).toBe(true);
		expect(readFieldValue(fieldOf('options', { options }), 'a')).toBe('a');
		expect(readFieldValue(fieldOf('number', limited), '5')).toBe(5);
		expect(outcome(() => readFieldValue(fieldOf('number', limited), 6))).toMatch(/more than 5/);
		expect(outcome(() => readFieldValue(fieldOf('number', limited), 0))).toMatch(/less than 1/);
		expect(outcome(() => readFieldValue(fieldOf('number'), 1.5))).toMatch(/whole number/);
		const precise = fieldOf('number', { typeOptions: { numberPrecision: 1 } });
		expect(readFieldValue(precise, 1.5)).toBe(1.5);
		expect(readFieldValue(fieldOf('string'), 5)).toBe('5');
		expect(readFieldValue(fieldOf('json'), '{"a":1}')).toEqual({ a: 1 });
		expect(readFieldValue(fieldOf('json'), [1])).toEqual([1]);
		expect(outcome(() => readFieldValue(fieldOf('json'), '5'))).toMatch(/not a JSON object/);
		expect(outcome(() => readFieldValue(fieldOf('dateTime'), ''))).toBe('Field is empty');
	});

	test('that holds an integer says so, and copies of it do', () => {
		const integer = { ...integerField(fieldOf('string')) };
		expect(readFieldValue(integer, '301')).toBe(301);
		expect(outcome(() => readFieldValue(integer, '3e2'))).toBe('Field is not a whole number (3e2)');
	});

	test('that is a menu of several values is a list of them', () => {
		const menu = {
			...fieldOf('multiOptions'),
			options: ['a', 'b'].map((value) => ({ name: value, value })),
		};
		expect(readFieldValue(menu, [])).toEqual([]);
		expect(readFieldValue(menu, ['b', 'a'])).toEqual(['b', 'a']);
		expect(readFieldValue(menu, 'a, b')).toEqual(['a', 'b']);
		expect(outcome(() => readFieldValue(menu, ['c']))).toBe('Field cannot be "c"');
		expect(outcome(() => readFieldValue(menu, {}))).toBe('Field is not a list ({})');
		for (const value of NOTHING) {
			expect(outcome(() => readFieldValue(menu, value))).toBe('Field is empty');
		}
	});

	test('whose menu is loaded takes any text', () => {
		const menu = { ...fieldOf('options'), typeOptions: { loadOptionsMethod: 'load' } };
		expect(readFieldValue(menu, 'GB')).toBe('GB');
		expect(outcome(() => readFieldValue(menu, ''))).toBe('Field is empty');
	});

	test.each([
		[{ __rl: true, mode: 'id', value: ' a ' }, 'a', 'Field is not a whole number (a)'],
		[{ value: '7' }, '7', 7],
		[' 7 ', '7', 7],
		[7, '7', 7],
		[{ value: '' }, 'Field is empty', 'Field is empty'],
		[null, 'Field is empty', 'Field is empty'],
	])('that chooses a record is its ID: of %j, %j, or as an integer %j', (value, text, integer) => {
		const locator = fieldOf('resourceLocator');
		expect(outcome(() => readFieldValue(locator, value))).toBe(text);
		expect(outcome(() => readFieldValue(integerField(locator), value))).toBe(integer);
	});

	test.each(['null', '5', '"a"', '[', 'true'])('of JSON is not %s', (value) => {
		expect(outcome(() => readFieldValue(fieldOf('json'), value))).toBe(
			'Field is not a JSON object or array',
		);
	});

	test('is cleared by nothing only where it may be', () => {
		const clearable = clearableField(fieldOf('string'));
		expect([clearable, fieldOf('string')].map(isClearable)).toEqual([true, false]);
		for (const value of NOTHING) expect(readFieldValue(clearable, value)).toBe('');
		expect(outcome(() => readFieldValue(clearable, false))).toMatch(/neither text/);
	});
});

test('the entries of a list come from the form, or as an array', () => {
	const entries = [{ a: 1 }, { a: 2 }];
	expect(entriesOf({ group: entries }, 'group', 'Field')).toBe(entries);
	expect(entriesOf(entries, 'group', 'Field')).toBe(entries);
	expect(entriesOf({}, 'group', 'Field')).toEqual([]);
	for (const value of [null, 'x', 5, { group: 'x' }, [null], ['x'], { group: [1] }]) {
		expect(outcome(() => entriesOf(value, 'group', 'Field'))).toBe(
			'Field is not a list of entries',
		);
	}
});

test('a value is shown on one line and short', () => {
	expect(shown(' a\n b ')).toBe('a b');
	expect(shown('x'.repeat(31))).toBe(`${'x'.repeat(30)}...`);
	expect(shown({ a: 1 })).toBe('{"a":1}');
	const circular: Record<string, unknown> = {};
	circular.self = circular;
	expect(shown(circular)).toBe('an object');
});
