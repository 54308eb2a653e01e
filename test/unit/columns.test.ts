import type { IDataObject } from 'n8n-workflow';
import { findColumns, type ColumnChoice } from '../../nodes/MessagingService/recipients/columns';
import { inputFieldNames } from '../../nodes/MessagingService/parameters/inputFields';
import { thrown } from './support/thrown';

const number: ColumnChoice = {
	name: 'phoneNumber',
	label: 'Phone Number Field',
	path: 'phoneNumber',
	matches: ['phoneNumber'],
};
const other = (name: string, path = '', matches = path === '' ? [name] : []): ColumnChoice => ({
	name,
	label: `${name} Field`,
	path,
	matches,
});

function find(choices: ColumnChoice[], rows: IDataObject[]) {
	const columns = findColumns(choices, {
		names: inputFieldNames(rows.map((json) => ({ json }))),
		has: ({ read }) => rows.some((row) => read(row) !== undefined),
		noun: 'input field',
	});
	return { ...columns, candidates: rows.map((row) => columns.read(row)) };
}

test('takes columns by their names, and says which it used', () => {
	const { used, notUsed, candidates } = find(
		[number, other('name'), other('custom1'), other('custom2')],
		[
			{ phoneNumber: '1', name: 'Ada', city: 'Leeds' },
			{ phoneNumber: '2', custom1: 'x' },
		],
	);
	expect(used).toEqual(['phoneNumber', 'name', 'custom1']);
	expect(notUsed).toEqual(['city']);
	expect(candidates).toEqual([
		{ phoneNumber: '1', name: 'Ada' },
		{ phoneNumber: '2', custom1: 'x' },
	]);
});

test.each([
	['Phone Number', 'Custom 1'],
	['PHONE_NUMBER', 'custom-1'],
	['phonenumber', 'CUSTOM1'],
])('takes the columns %s and %s as well', (phone, custom) => {
	const { candidates, notUsed } = find(
		[number, other('custom1')],
		[{ [phone]: '1', [custom]: 'x' }],
	);
	expect(candidates).toEqual([{ phoneNumber: '1', custom1: 'x' }]);
	expect(notUsed).toEqual([]);
});

test.each([
	[other('name'), { Name: 'a', name: 'b' }],
	[
		{ ...number, matches: ['phoneNumber'] },
		{ 'Phone Number': '1', PhoneNumber: '2' },
	],
])('refuses two columns that match one field', (choice, row) => {
	const [first, second] = Object.keys(row);
	expect(() => find([choice], [row as never])).toThrow(`matches "${first}" and "${second}"`);
});

test('two columns with long names make a title that n8n can show', () => {
	const [first, second] = ['Phone'.padEnd(60, '_') + 'Number', 'Phone'.padEnd(70, ' ') + 'Number'];
	expect(() => find([number], [{ [first as string]: '1', [second as string]: '2' }])).toThrow(
		/^.{40,80}$/,
	);
});

test('takes the columns that the user names, nested ones too, and no others', () => {
	const { candidates, used, notUsed } = find(
		[{ ...number, path: 'customer.phone', matches: [] }, other('name', 'first', [])],
		[{ customer: { phone: '1' }, first: 'Ada', name: 'no' }],
	);
	expect(candidates).toEqual([{ phoneNumber: '1', name: 'Ada' }]);
	expect(used).toEqual(['customer', 'first']);
	expect(notUsed).toEqual(['name']);
});

test.each(['Name', 'constructor', '+447700900123', 'a.b'])(
	'refuses the name %j, which no row has',
	(path) => {
		const act = () => find([number, other('name', path)], [{ phoneNumber: '1', name: 'Ada' }]);
		expect(act).toThrow(`name Field names "${path}", a field that no input item has`);
		expect(act).toThrow(
			expect.objectContaining({
				field: 'name Field',
				description: expect.stringContaining('The input has: phoneNumber, name.') as string,
			}) as Error,
		);
	},
);

test('a name that only a later row has is enough, also one in brackets', () => {
	const { used, candidates } = find(
		[{ ...number, path: '["customer"].phone', matches: [] }, other('name', 'first', [])],
		[{ first: 'Ada' }, { customer: { phone: '1' } }],
	);
	expect(candidates).toEqual([{ name: 'Ada' }, { phoneNumber: '1' }]);
	expect(used).toEqual(['["customer"].phone', 'first']);
});

test('names a hundred columns at most, and ten in a message', () => {
	const names = Array.from({ length: 120 }, (_, index) => `c${String(index)}`);
	const row = Object.fromEntries(names.map((name) => [name, 'x']));
	expect(find([{ ...number, path: '' }], [row]).notUsed).toEqual(names.slice(0, 100));
	expect(
		find(
			names.map((name) => other(name)),
			[row],
		).used,
	).toEqual(names.slice(0, 100));
	const descriptionOf = (json: IDataObject) =>
		(thrown(() => find([{ ...number, path: 'x', matches: [] }], [json])) as { description: string })
			.description;
	expect(descriptionOf(row)).toMatch(/: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9\.$/);
	expect(descriptionOf({})).toMatch(/: no fields\.$/);
});
