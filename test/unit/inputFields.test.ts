import {
	fieldReader,
	findField,
	inputFieldName,
	isBlankRow,
	memberReader,
} from '../../nodes/MessagingService/parameters/inputFields';
import { thrown } from './support/thrown';

/** The field of the input that a field of the node comes from. */
function find(names: string[], path: string, matches: string[] = [], rows = {}) {
	return findField(
		{ label: 'Name Field', path, matches },
		{
			names: new Set(names),
			has: (field) => names.includes(field.path) || field.read(rows) !== undefined,
			noun: 'input field',
		},
	);
}

test.each([
	[['Custom 1'], '', ['custom_1'], 'Custom 1'],
	[['CUSTOM-1'], '', ['custom_1'], 'CUSTOM-1'],
	[['\ufeffcustom_1'], '', ['Custom 1'], '\ufeffcustom_1'],
	[['Phone', 'phone'], 'phone', [], 'phone'],
	[['\u200bphone ', 'other'], 'phone', [], '\u200bphone '],
	[['phone'], ' phone', [], 'phone'],
	[['custom_10'], '', ['custom_1'], undefined],
	[['Phone'], '', ['mobile'], undefined],
])('of the columns %j, with %j chosen, %j is %j', (names, path, matches, found) => {
	expect(find(names, path, matches)?.path).toBe(found);
});

test('a column may be in an object: customer.phone', () => {
	const row = { customer: { phone: '7' } };
	const found = find(['customer'], 'customer.phone', [], row);
	expect([found?.path, found?.read(row)]).toEqual(['customer.phone', '7']);
});

test('what every object has, or a row without the column, is nothing', () => {
	for (const read of [fieldReader('constructor'), memberReader('constructor')]) {
		expect([read({ a: 1 }), read({}), read(undefined)]).toEqual([undefined, undefined, undefined]);
	}
	for (const read of [fieldReader('a'), fieldReader('a.b'), memberReader('a.b')]) {
		expect([read({}), read(undefined)]).toEqual([undefined, undefined]);
	}
	expect(fieldReader('a.constructor')({ a: { b: 1 } })).toBeUndefined();
	expect(memberReader('a.constructor')({ a: { b: 1 } })).toBeUndefined();
});

const DRAG = 'Drag a column here, or type its name.';
const DELIMITER = 'The columns are not separated: set Delimiter in the node that reads the file.';

test.each([
	[['phone', 'name'], 'mobile', `${DRAG} There are: phone, name.`],
	[['phone;name'], 'mobile', `${DELIMITER} There are: phone;name.`],
	[['phone\tname'], 'mobile', `${DELIMITER} There are: phone[U+0009]name.`],
	[['phone;home', 'name'], 'mobile', `${DRAG} There are: phone;home, name.`],
	[['phone'], 'mobile', `${DRAG} There are: phone.`],
	[[], 'mobile', `${DRAG} There are: none.`],
	[
		['x'.repeat(150), 'y'.repeat(150)],
		'mobile',
		`${DRAG} There are: ${'x'.repeat(150)}, ${'y'.repeat(45)}....`,
	],
])('a column that is not among %j: %s', (names, path, description) => {
	expect(thrown(() => find(names, path))).toMatchObject({
		message: `Name Field names "${path}", which is no input field`,
		description,
	});
});

test('two columns of one name are refused: one of them would be dropped', () => {
	const names = ['Customer number (long)', 'customer_number (long)'];
	expect(thrown(() => find(names, '', ['Customer Number (long)']))).toMatchObject({
		message: 'Name Field matches "Customer number (l" and "customer_number (l"',
		description: 'Rename or remove one of these input fields, or enter the name of the one to use.',
	});
});

test('a field that takes the name of a column is empty until somebody fills it', () => {
	expect(inputFieldName('Message', 'message')).toEqual({
		...{ displayName: 'Message Field', name: 'message', type: 'string', default: '' },
		...{ requiresDataPath: 'single', placeholder: 'e.g. message' },
	});
});

test.each([
	[{}, true],
	[{ row_number: 7, phone: ' ', name: null }, true],
	[{ phone: '', name: 'Ada' }, false],
	[{ row_number: 7, phone: 0 }, false],
])('a row is blank where its cells are: %j', (row, isBlank) => {
	expect(isBlankRow(row)).toBe(isBlank);
});
