import type { INodeProperties } from 'n8n-workflow';
import {
	entriesOf,
	readFieldValue,
	readInteger,
	readOptions,
	readText,
} from '../../nodes/MessagingService/parameters/values';
import { thrown } from './support/thrown';

/** What a field makes of a value that an expression gives, and what it says of one that it refuses. */

const field = (type: INodeProperties['type'], more: object = {}) =>
	({ displayName: 'Field', name: 'field', type, default: '', ...more }) as INodeProperties;

const MENU = { options: ['drop', 'keep'].map((value) => ({ name: value, value })) };
const FIELDS = {
	boolean: field('boolean'),
	options: field('options', MENU),
	loaded: field('options', { typeOptions: { loadOptionsMethod: 'getFlows' } }),
	multiOptions: field('multiOptions', MENU),
	number: field('number', { typeOptions: { minValue: 1, maxValue: 9 } }),
	id: field('number'),
	resourceLocator: field('resourceLocator'),
	string: field('string'),
	json: field('json'),
	dateTime: field('dateTime'),
};
type Name = keyof typeof FIELDS;

test.each<[Name, unknown, unknown]>([
	['boolean', true, true],
	['boolean', false, false],
	['boolean', ' YES ', true],
	['boolean', 0, false],
	['options', 'keep', 'keep'],
	['loaded', 'flow 7', 'flow 7'],
	['multiOptions', ['keep'], ['keep']],
	['multiOptions', [], []],
	['multiOptions', 'keep , drop', ['keep', 'drop']],
	['number', ' 7 ', 7],
	['number', 7n, 7],
	['id', 123456, 123456],
	['resourceLocator', { mode: 'id', value: ' c7 ' }, 'c7'],
	['resourceLocator', 7, '7'],
	['string', ' Hi ', ' Hi '],
	['string', Number.MAX_SAFE_INTEGER, '9007199254740991'],
	['string', -Number.MAX_SAFE_INTEGER, '-9007199254740991'],
	['string', 12345678901234567890n, '12345678901234567890'],
	['json', '{"a": 1}', { a: 1 }],
	['json', [1], [1]],
	['dateTime', '2030-01-09', '2030-01-09'],
])('a field (%s) takes %p as %p', (name, value, taken) => {
	expect(readFieldValue(FIELDS[name], value)).toEqual(taken);
});

const EMPTY =
	'Enter a value, or check that its expression names an input field that has one. If the field is optional, remove it.';

test.each(Object.keys(FIELDS) as Name[])('a field (%s) without a value says so', (name) => {
	for (const value of [undefined, null, '', ' ']) {
		expect(thrown(() => readFieldValue(FIELDS[name], value))).toMatchObject({
			message: 'Field is empty',
			description: EMPTY,
		});
	}
});

const NOT_A_VALUE = 'Use one of these values: drop, keep.';
const LOST = 'Pass it as text, for example by formatting the column of the spreadsheet as text.';

test.each<[Name, unknown, string, string]>([
	['boolean', 'maybe', 'is neither true nor false (maybe)', 'Use true or false.'],
	['boolean', ['true'], 'is neither true nor false (["true"])', 'Use true or false.'],
	['options', 'Keep', 'cannot be "Keep"', NOT_A_VALUE],
	['multiOptions', ['keep', 'lose'], 'cannot be "lose"', NOT_A_VALUE],
	['multiOptions', 'keep,', 'is empty', EMPTY],
	['multiOptions', 7, 'is not a list (7)', 'Use a list of these values: drop, keep.'],
	[
		...(['number', '7 days', 'is not a whole number (7 days)'] as const),
		'Write it in decimal digits only, for example 50.',
	],
	['number', 0, 'is less than 1 (0)', 'Use 1 or more.'],
	['number', 10, 'is more than 9 (10)', 'Use 9 or less.'],
	[
		...(['string', 'Hi \ud83d', 'contains an invalid Unicode character'] as const),
		'Remove the character. It may be half of an emoji that an expression has cut off.',
	],
	[
		...(['string', ['a'], 'is a list'] as const),
		'Put Split Out before this node, so that each entry is an item, or choose one of the list: phones[0] in place of phones.',
	],
	[
		...(['loaded', true, 'is neither text nor a number'] as const),
		'Use an expression that returns one field of the input: text or a number, not true or false, an object or a list.',
	],
	['string', NaN, 'is a number that has lost digits (NaN)', LOST],
	['string', 2 ** 53, 'is a number that has lost digits (9007199254740992)', LOST],
	[
		...(['json', '{"a": 1', 'is not a JSON object or array'] as const),
		'Check the brackets, quotes and commas. In expression mode, return an object or an array.',
	],
])('a field (%s) refuses %p: it %s', (name, value, problem, description) => {
	expect(thrown(() => readFieldValue(FIELDS[name], value))).toMatchObject({
		message: `Field ${problem}`,
		description,
		facts: { field: 'Field' },
	});
});

test.each([undefined, null, '', ' '])('no value is a value: %p', (value) => {
	for (const read of [readInteger, readText, readOptions] as const) {
		expect(thrown(() => read(value, 'Field', [] as never))).toMatchObject({
			...{ message: 'Field is empty', description: EMPTY },
		});
	}
});

test.each([
	[-1, -1],
	[0, 0],
	[' -12 ', -12],
	['007', 7],
])('a code that nobody documents can be any whole number: %p', (value, number) => {
	expect(readInteger(value, 'Field')).toBe(number);
});

describe('a list of entries', () => {
	test.each([
		['as the form has it', { row: [{ a: 1 }] }, [{ a: 1 }]],
		['as the form has it without an entry', {}, []],
		['of an expression', [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2 }]],
	])('is taken %s', (_, value, entries) => {
		expect(entriesOf(value, 'row', 'Rows')).toEqual(entries);
	});

	test.each([{ a: 1 }, { row: { a: 1 } }, { row: [1] }, [null], ['a'], 'a', null])(
		'is refused where it is none: %j',
		(value) => {
			expect(thrown(() => entriesOf(value, 'row', 'Rows'))).toMatchObject({
				message: 'Rows must be a list of entries',
				description: 'Use an array of objects.',
			});
		},
	);
});
