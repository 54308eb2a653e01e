import fc from 'fast-check';
import omit from 'lodash/omit';
import { FileError } from '../../../nodes/MessagingService/recipients/file/fileError';
import {
	readRows,
	type FileFormat,
	type FileRow,
} from '../../../nodes/MessagingService/recipients/file/rows';
import { runs } from '../../support/runs';

async function* chunksOf(bytes: Uint8Array, size: number) {
	for (let at = 0; at < bytes.length; at += size)
		yield await Promise.resolve(bytes.subarray(at, at + size));
}

/** All rows of a file that arrives in chunks of so many bytes; or its error. */
async function read(
	file: string | Uint8Array,
	format: Partial<FileFormat> = {},
	size = 7,
): Promise<FileRow[] | string> {
	const bytes = typeof file === 'string' ? Buffer.from(file) : file;
	const rows: FileRow[] = [];
	try {
		const options = { encoding: 'auto', delimiter: 'auto', ...format } as const;
		for await (const group of readRows(chunksOf(bytes, size), options)) {
			rows.push(...[...group].map((row) => omit(row, 'record')));
		}
	} catch (error) {
		if (error instanceof FileError) return error.message;
		throw error;
	}
	return rows;
}

const utf16 = (text: string, isBig = false) => {
	const bytes = Buffer.from(text, 'utf16le');
	return isBig ? bytes.swap16() : bytes;
};

const ada = [{ line: 2, values: { phone: '+447700900123', name: 'Zoë' } }];

describe('readRows', () => {
	it.each([';', ',', '\t', '|'])(
		"reads a file with Excel's line for the delimiter %j",
		async (by) => {
			const file = `sep=${by}\r\nphone${by}name\r\n+447700900123${by}Zoë\r\n`;
			const rows = [{ ...ada[0], line: 3 }];
			for (const size of [1, 64 * 1024]) {
				expect(await read(file, {}, size)).toEqual(rows);
				expect(await read(file, { delimiter: by }, size)).toEqual(rows);
			}
			// The named delimiter counts, not the one that the names of the columns have.
			const other = by === ';' ? ',' : ';';
			const header = `a${other}b${other}c${by}d`;
			expect(await read(`sep=${by}\n${header}\n1${by}2\n`)).toEqual([
				{ line: 3, values: { [`a${other}b${other}c`]: '1', d: '2' } },
			]);
		},
	);

	it.each(['[{"phone":"+447700900123"}]', '\n[\n  {\n    "phone": 1', '[]'])(
		'says that it does not read a JSON array: %j',
		async (file) => {
			expect(await read(file)).toBe('Line 1 of the file begins a JSON array');
		},
	);

	it.each<[string, string | Uint8Array]>([
		['UTF-8', 'phone,name\n+447700900123,Zoë\n'],
		['UTF-8 with byte order mark', '\ufeffphone,name\n+447700900123,Zoë\n'],
		['UTF-16 LE with mark', utf16('\ufeffphone,name\n+447700900123,Zoë\n')],
		['UTF-16 BE with mark', utf16('\ufeffphone,name\n+447700900123,Zoë\n', true)],
		['UTF-16 LE without mark', utf16('phone,name\n+447700900123,Zoë\n')],
		['UTF-16 BE without mark', utf16('phone,name\n+447700900123,Zoë\n', true)],
		['Windows-1252', Buffer.from('phone,name\n+447700900123,Zoë\n', 'latin1')],
		['semicolons', 'phone;name\n+447700900123;Zoë'],
		['tabs', 'phone\tname\r\n+447700900123\tZoë\r\n'],
		['pipes', 'phone|name\r+447700900123|Zoë\r'],
		['quotes', '"phone";"name"\n"+447700900123";"Zoë"\n'],
		['a delimiter within a quoted column name', 'phone;"name"\n+447700900123;Zoë'],
		['spaces around column names', ' phone , name \n+447700900123,Zoë'],
	])('reads %s in chunks of any size', async (_name, file) => {
		for (const size of [1, 2, 3, 64 * 1024]) expect(await read(file, {}, size)).toEqual(ada);
	});

	it('reads the start of a long file that arrives in small chunks', async () => {
		const names = Array.from({ length: 20_000 }, (_, row) => `row ${row}`);
		const rows = await read(['name', ...names].join('\n'), {}, 5000);
		expect(typeof rows === 'string' ? rows : rows.map(({ values }) => values.name)).toEqual(names);
	});

	it('reads JSON Lines, and says which line is none', async () => {
		expect(await read('{"phone":"+44","n":1}\n\nnope\n[1]\n{"phone":"+45"}')).toEqual([
			{ line: 1, values: { phone: '+44', n: 1 } },
			{ line: 3, values: {}, problem: 'is not a JSON object' },
			{ line: 4, values: {}, problem: 'is not a JSON object' },
			{ line: 5, values: { phone: '+45' } },
		]);
	});

	it.each(['null', '7', '"a"', '[]', '{"a":1', '{}}'])(
		'%s is no row of JSON Lines',
		async (line) => {
			expect(await read(`{"a":1}\n${line}\n`)).toEqual([
				{ line: 1, values: { a: 1 } },
				{ line: 2, values: {}, problem: 'is not a JSON object' },
			]);
		},
	);

	it('stops at a line of JSON without an end, and says which', async () => {
		const file = Buffer.from(`{"a":1}\n\n{"b":"${'x'.repeat(1_100_000)}`);
		expect(await read(file, {}, 65_536)).toBe(
			'Line 3 of the file is longer than 1000000 characters',
		);
		const long = `{"b":"${'x'.repeat(999_000)}"}`;
		expect(await read(Buffer.from(`{"a":1}\n${long}\n`), {}, 65_536)).toHaveLength(2);
	});

	it.each(['sep=;', 'SEP=;', 'sep=,'])(
		'skips %j before the header, also where another delimiter is set',
		async (first) => {
			expect(await read(`${first}\na,b\n1,2\n`, { delimiter: ',' })).toEqual([
				{ line: 3, values: { a: '1', b: '2' } },
			]);
		},
	);

	it('takes a row that begins like the line of Excel for a row', async () => {
		expect(await read('a\nsep=;\n')).toEqual([{ line: 2, values: { a: 'sep=;' } }]);
	});

	it('takes a thousand columns, and no more', async () => {
		const header = (count: number) => Array.from({ length: count }, (_, name) => `c${name}`).join();
		expect(await read(`${header(1000)}\n`, {}, 65_536)).toEqual([]);
		expect(await read(`${header(1001)}\n`, {}, 65_536)).toBe(
			'Line 1 of the file has more than 1000 columns',
		);
		expect(await read(`${header(1000)},,,\n`, {}, 65_536)).toEqual([]);
	});

	it('takes a header that starts like another format, and columns without a name', async () => {
		expect(await read('Phone,,\n+44,a,b\n')).toEqual([{ line: 2, values: { Phone: '+44' } }]);
	});

	it('gives a row with another number of cells its reason', async () => {
		expect(await read('a,b\n1\n1,2,3\n')).toEqual([
			{ line: 2, values: { a: '1' }, problem: 'has 1 cell, but the header has 2' },
			{ line: 3, values: { a: '1', b: '2' }, problem: 'has 3 cells, but the header has 2' },
		]);
	});

	it.each<[string, string | Uint8Array, Partial<FileFormat>, string]>([
		['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), {}, 'The file is a gzip file'],
		['Excel', Buffer.from('PK\u0003\u0004abc', 'latin1'), {}, 'The file is a ZIP or Excel file'],
		[
			'rubbish',
			Buffer.from([65, 0, 0, 0, 200, 0, 66, 67, 68]),
			{},
			'The file contains binary data',
		],
		['a column twice', 'a,b,a\n1,2,3\n', {}, 'Line 1 of the file names the column "a" twice'],
		['an unclosed quote', 'a\n"b\n\n', {}, 'Line 2 of the file has a quote that is not closed'],
		[
			'bytes that are not in the encoding',
			Buffer.from(`a\n${'x\n'.repeat(70_000)}é\n`, 'latin1'),
			{},
			'Line 65537 of the file or a later one is not valid UTF-8',
		],
	])('says of %s what is wrong', async (_name, file, format, message) => {
		expect(await read(file, format, 65_536)).toBe(message);
	});

	it('takes the encoding and the delimiter that are set', async () => {
		const bytes = Buffer.from('a;b,c\n1;2,é\n', 'latin1');
		expect(await read(bytes, { encoding: 'windows-1252', delimiter: ',' })).toEqual([
			{ line: 2, values: { 'a;b': '1;2', c: 'é' } },
		]);
	});

	it('throws nothing but errors for users, with any bytes', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.uint8Array({ maxLength: 200 }),
				fc.integer({ min: 1, max: 50 }),
				async (bytes, size) => {
					expect(await read(bytes, {}, size)).toEqual(await read(bytes, {}, 1000));
				},
			),
			{ numRuns: runs(300) },
		);
	});

	it.each([
		['short', 3, 3],
		['long', 5000, undefined],
	])('shows the first rows of a %s file once, before it gives any', async (_name, count, all) => {
		const events: string[] = [];
		const lines = Array.from({ length: count }, (_, row) => `${String(row)},x`);
		const bytes = Buffer.from(['a,b', ...lines, ''].join('\n'));
		const format = { encoding: 'auto', delimiter: 'auto' } as const;
		const look = (first: Iterable<FileRow>) => {
			const rows = [...first];
			expect(rows[0]).toMatchObject({ line: 2, values: { a: '0', b: 'x' } });
			if (all !== undefined) expect(rows).toHaveLength(all);
			events.push('look');
		};
		for await (const group of readRows(chunksOf(bytes, 20_000), format, look))
			for (const { line } of group) if (line < 4) events.push(`line ${String(line)}`);
		expect(events).toEqual(['look', 'line 2', 'line 3']);
	});
});
