import type { IDataObject } from 'n8n-workflow';
import { FileColumns } from '../../../nodes/MessagingService/recipients/file/columns';
import { MAX_COLUMNS, type FileRow } from '../../../nodes/MessagingService/recipients/file/rows';

const choice = (name: string, path = '') => ({
	...{ name, label: `${name} Field`, path, matches: path === '' ? [name] : [] },
});
const csvRow = (values: IDataObject, columns = Object.keys(values)): FileRow => ({
	...{ line: 2, values, record: { columns, cells: [] } },
});
const jsonRow = (values: IDataObject, line = 2): FileRow => ({ line, values });
const columnsOf = () => new FileColumns([choice('phone'), choice('name')]);

test('of a CSV file are known from the header, even if the first rows are too short', () => {
	const columns = columnsOf();
	columns.meetFirst([csvRow({ phone: '1' }, ['phone', '', 'name', 'city'])]);
	expect(columns.found).toMatchObject({ used: ['phone', 'name'], notUsed: ['city'] });
	expect(columns.read({ phone: '1', name: 'Ada', city: 'x' })).toEqual({ phone: '1', name: 'Ada' });
	const { found } = columns;
	columns.meet(csvRow({ phone: '2' }, ['phone', 'name', 'other']));
	expect(columns.found).toBe(found);
});

test('of a file without a row at its start are found with the first one', () => {
	const columns = columnsOf();
	columns.meetFirst([]);
	expect(columns.found).toBeUndefined();
	expect(columns.read({ phone: '1' })).toEqual({});
	columns.meet(csvRow({ phone: '1', city: 'x' }));
	expect(columns.found).toMatchObject({ used: ['phone'], notUsed: ['city'] });
});

test('of a JSON Lines file grow with each line that has a new one, and only then', () => {
	const columns = columnsOf();
	columns.meetFirst([jsonRow({ phone: '1' }), jsonRow({ phone: '2', city: 'x' })]);
	const { found } = columns;
	expect(found).toMatchObject({ used: ['phone'], notUsed: ['city'] });
	columns.meet(jsonRow({ city: 'y' }));
	expect(columns.found).toBe(found);
	columns.meet(jsonRow({ name: 'Ada' }));
	expect(columns.found).toMatchObject({ used: ['phone', 'name'], notUsed: ['city'] });
	columns.meet({ line: 9, values: { nothing: 1 }, problem: 'is not a JSON object' });
	expect(columns.found).toMatchObject({ used: ['phone', 'name'], notUsed: ['city'] });
});

test('of a CSV row that is wrong are known like those of the others', () => {
	const columns = columnsOf();
	columns.meetFirst([{ ...csvRow({ phone: '1' }, ['phone', 'name']), problem: 'has 1 cell' }]);
	expect(columns.found).toMatchObject({ used: ['phone', 'name'] });
});

test('a named column is missing where none of the first rows has it', () => {
	const named = new FileColumns([choice('phone', 'number')]);
	expect(() => {
		named.meetFirst([jsonRow({ phone: '1' }), jsonRow({ phone: '2' })]);
	}).toThrow('names "number", a column that the file does not have');
	const later = new FileColumns([choice('phone', 'number')]);
	later.meetFirst([jsonRow({ phone: '1' }), jsonRow({ number: '2' })]);
	expect(later.read({ number: '2' })).toEqual({ phone: '2' });
});

test('are a thousand at most, over all lines', () => {
	const columns = columnsOf();
	const names = (from: number, to: number) =>
		Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`c${from + index}`, 1]));
	columns.meetFirst([jsonRow({ phone: '1', ...names(1, MAX_COLUMNS) })]);
	expect(() => {
		columns.meet(jsonRow({ one: 'more' }, 7));
	}).toThrow('Line 7 of the file brings its columns to more than 1000');
});
