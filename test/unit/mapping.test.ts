import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { fieldReader } from '../../nodes/MessagingService/parameters/fieldPath';
import { InputError } from '../../nodes/MessagingService/parameters/inputError';
import { inputFieldNames } from '../../nodes/MessagingService/parameters/inputFields';
import { assertNoPaging, readFilters } from '../../nodes/MessagingService/resources/shared/lists';
import { readMapping } from '../../nodes/MessagingService/resources/shared/mapping';
import { ParameterReader, RunParameters } from '../../nodes/MessagingService/parameters/reader';
import { callWith, defaultSettings } from './support/call';
import { thrown } from './support/thrown';

const text = (displayName: string, name: string, required = false): INodeProperties => ({
	...{ displayName, name, type: 'string', default: '', required },
});
const number = text('Phone Number', 'number', true);
const city = text('Home City', 'homeCity');
const others: INodeProperties = {
	...{ displayName: 'Others', name: 'others', type: 'collection', default: {} },
	options: [text('First', 'first'), text('Second', 'second')],
};
const MAPPABLE = [number, city, others];

/** Fields that are mapped from input items. */
function mapped(items: IDataObject[], parameters: IDataObject = {}) {
	const { context } = callWith({
		items,
		parameters: { mappingMode: 'autoMapInputData', ...parameters },
	});
	const mapping = readMapping(context, MAPPABLE);
	if (mapping === undefined) throw new Error('Nothing is mapped');
	const readerOf = (item: number) =>
		new ParameterReader(context, [item], new RunParameters(context, mapping));
	return { mapping, readerOf };
}

describe('fields that are mapped by name', () => {
	test('are mapped only where the user chose so', () => {
		const { context } = callWith({ parameters: { mappingMode: 'defineBelow' } });
		expect(readMapping(context, MAPPABLE)).toBeUndefined();
		expect(readMapping(callWith({}).context, MAPPABLE)).toBeUndefined();
		const automatic = callWith({ parameters: { mappingMode: 'autoMapInputData' } }).context;
		expect(readMapping(automatic, undefined)).toBeUndefined();
		expect(readMapping(automatic, MAPPABLE)).toBeDefined();
	});

	test.each<[IDataObject, unknown, unknown, IDataObject]>([
		[{ number: '1', homeCity: 'A', first: 'x' }, '1', 'A', { first: 'x' }],
		[{ NUMBER: '1', 'Home City': 'A', FIRST: 'x', second: 0 }, '1', 'A', { first: 'x', second: 0 }],
		[{ 'num-ber': '1', home_city: false, 'sec ond': 'y' }, '1', false, { second: 'y' }],
		[{ number: ' ', homeCity: null, first: '' }, undefined, undefined, {}],
		[{ other: 1 }, undefined, undefined, {}],
	])('of %j are %j, %j and %j', (item, first, second, collection) => {
		const { mapping } = mapped([item]);
		expect(mapping.value('number', 0)).toBe(first);
		expect(mapping.value('homeCity', 0)).toBe(second);
		expect(mapping.value('others', 0)).toEqual(collection);
	});

	test('are all those of the operation, no others', () => {
		const { mapping } = mapped([{}]);
		const names = ['number', 'homeCity', 'others', 'first', 'second', 'third', 'Others', ''];
		expect(names.filter((name) => mapping.has(name))).toEqual(names.slice(0, 5));
	});

	test('come from the field that the user named, and from the shared values', () => {
		const { mapping } = mapped(
			[
				{ number: '1', phone: { mobile: '2' }, town: 'A' },
				{ number: '1', phone: {}, town: '' },
			],
			{
				inputFieldNames: { number: ' phone.mobile ', homeCity: 'town' },
				sharedValues: { homeCity: 'B', first: 'shared' },
			},
		);
		expect([0, 1].map((item) => mapping.value('number', item))).toEqual(['2', undefined]);
		expect([0, 1].map((item) => mapping.value('homeCity', item))).toEqual(['A', 'B']);
		expect(mapping.value('others', 0)).toEqual({ first: 'shared' });
	});

	test('of an expression for all shared values count as set', () => {
		const { mapping } = mapped([{}], { sharedValues: '={{ $json.shared }}' });
		expect(mapping.value('others', 0)).toEqual({ first: undefined, second: undefined });
	});

	test('are refused where no item has the field that the user named', () => {
		const { mapping } = mapped([{ a: 1, b: 2 }, { c: 3 }], {
			inputFieldNames: { number: 'phone' },
		});
		const error = thrown(() => mapping.value('number', 0));
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: 'Phone Number Field names "phone", a field that no input item has',
			description: expect.stringMatching(/The input has: a, b, c\.$/),
		});
		expect(
			thrown(() => mapped([{}], { inputFieldNames: { number: '' } }).mapping.value('number', 0)),
		).toMatchObject({ message: 'Input Field Names is empty' });
	});

	test('are refused where two input fields match', () => {
		const { mapping } = mapped([{ 'Home City': 1 }, { home_city: 2 }]);
		expect(thrown(() => mapping.value('homeCity', 0))).toMatchObject({
			message: 'Home City Field matches "Home City" and "home_city"',
			description: expect.stringMatching(/^Rename or remove one of these/),
		});
	});

	test.each<[IDataObject, string]>([
		[{}, 'no fields'],
		[{ a: 1, b: 2 }, 'a, b'],
		[
			Object.fromEntries(
				['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'd'].map((name) => [name, 1]),
			),
			'c1, c2, c3, c4, c5, c6, c7, c8, c9, d',
		],
		[
			Object.fromEntries(
				['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'd', 'e'].map((name) => [name, 1]),
			),
			'c1, c2, c3, c4, c5, c6, c7, c8, c9, d, ...',
		],
	])('that are missing are refused with what the item has: %j', (item, has) => {
		const { readerOf } = mapped([{ first: 'other' }, item]);
		expect(thrown(() => readerOf(1).read(number))).toMatchObject({
			message: 'Phone Number is empty',
			description: `The item has no value in "number" (it has: ${has}). Choose another field under "Input Field Names", or add a value under "Values for All Items".`,
		});
	});
});

test.each<[string, IDataObject | undefined, unknown]>([
	['a', { a: 1 }, 1],
	['a', { b: 1 }, undefined],
	['a', undefined, undefined],
	['constructor', {}, undefined],
	['toString.name', {}, undefined],
	['a.constructor', { a: {} }, undefined],
	['a.b', { a: { b: 1 } }, 1],
	['a.b', { 'a.b': 2 }, 2],
	['a[1]', { a: [1, 2] }, 2],
	['[a]', { a: 1 }, 1],
	['a.b', undefined, undefined],
	['a b', { 'a b': 1 }, 1],
])('the field %j of %j is %j', (path, json, value) => {
	expect(fieldReader(path)(json)).toBe(value);
});

test('the names of input fields are those of all items, or of some', () => {
	const items = [
		{ a: 1, b: 2 },
		{ b: 3, c: 4 },
	].map((json) => ({ json }));
	expect([...inputFieldNames(items)]).toEqual(['a', 'b', 'c']);
	expect([...inputFieldNames(items, [1, 7])]).toEqual(['b', 'c']);
});

describe('the query parameters of a list', () => {
	const filters = (...entries: unknown[]) => readFilters({ parameter: entries }, 'Filters');

	test('are lists of texts by their names', () => {
		expect(
			filters({ name: ' a ', value: ' 1 ' }, { name: 'b', value: true }, { name: 'a', value: 2 }),
		).toEqual({
			...{ a: [' 1 ', '2'], b: ['true'] },
		});
		expect(readFilters({}, 'Filters')).toEqual({});
		expect(readFilters([{ name: 'a', value: 0 }], 'Filters')).toEqual({ a: ['0'] });
		expect(Object.keys(filters({ name: '__proto__', value: 'x' }))).toEqual(['__proto__']);
	});

	test.each<[unknown, string]>([
		['', 'Filters is empty'],
		[undefined, 'Filters is empty'],
		[' ', 'Filters is empty'],
		['a=1', 'Filters is not a list of entries'],
		[null, 'Filters is not a list of entries'],
		[
			[
				{ name: 'a', value: 1 },
				{ name: ' ', value: 1 },
			],
			'Name of Filter 2 is empty',
		],
		[[{ name: 'a' }], 'Value of Filter 1 is empty'],
		[[{ name: 'a', value: ' ' }], 'Value of Filter 1 is empty'],
		[[{ name: 'a', value: {} }], 'Value of Filter 1 is neither text nor a number'],
	])('that are %j are refused', (value, message) => {
		expect(thrown(() => readFilters(value, 'Filters'))).toMatchObject({ message });
	});

	test('that are empty would return the whole list', () => {
		expect(thrown(() => filters({ name: 'a', value: '' }))).toMatchObject({
			description: expect.stringMatching(/^An empty value could return the whole list/),
		});
	});

	test.each(['pageIndex', 'pageSize'])('cannot be %s', (name) => {
		expect(thrown(() => assertNoPaging({ a: 1, [name]: 1 }, defaultSettings))).toMatchObject({
			message: `Filters cannot set "${name}"`,
			description: expect.stringContaining('Page Size under Options'),
		});
		const settings = { ...defaultSettings, pageIndexParameter: 'p', pageSizeParameter: 's' };
		expect(() => assertNoPaging({ [name]: 1 }, settings)).not.toThrow();
	});
});
