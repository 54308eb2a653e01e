import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { Failure } from '../../nodes/MessagingService/failure';
import { encoding } from '../../nodes/MessagingService/recipients/fileFields';
import { readRows, type FileRow } from '../../nodes/MessagingService/recipients/file/rows';
import type { FileSource } from '../../nodes/MessagingService/recipients/file/source';
import { holds } from '../support/runs';

async function* chunksOf(bytes: Uint8Array, size: number) {
	for (let at = 0; at < bytes.length; at += size)
		yield await Promise.resolve(bytes.subarray(at, at + size));
}

/** All rows of a file that arrives in chunks of so many bytes; or its error. */
async function readAll(
	file: string | Uint8Array,
	format: Partial<FileSource['format']> = {},
	size = 7,
): Promise<FileRow[] | Failure> {
	const bytes = typeof file === 'string' ? Buffer.from(file) : file;
	return await readPieces(chunksOf(bytes, size), format);
}

/** The same of a file that arrives in these pieces. */
async function readPieces(
	pieces: AsyncIterable<Uint8Array> | Uint8Array[],
	format: Partial<FileSource['format']> = {},
): Promise<FileRow[] | Failure> {
	const rows: FileRow[] = [];
	try {
		const options = { encoding: 'auto', delimiter: 'auto', ...format } as const;
		for await (const group of readRows(Readable.from(pieces), options)) rows.push(...group.rows);
	} catch (error) {
		if (error instanceof Failure) return error;
		throw error;
	}
	return rows;
}

type ReadRow = Pick<FileRow, 'line' | 'values'> & { problem: string | undefined };

/** The rows without their cells, or the message of the error. */
async function read(...file: Parameters<typeof readAll>): Promise<ReadRow[] | string> {
	const rows = await readAll(...file);
	if (rows instanceof Failure) return rows.message;
	return rows.map(({ line, values, problem }) => ({ line, values, problem: problem?.text }));
}

/** The cells of all rows below the header, or the message of the error. */
async function readCells(...file: Parameters<typeof readAll>) {
	const rows = await readAll(...file);
	return rows instanceof Failure ? rows.message : rows.map(({ cells }) => cells);
}

const utf16 = (text: string, isBig = false) => {
	const bytes = Buffer.from(text, 'utf16le');
	return isBig ? bytes.swap16() : bytes;
};

/** More than a row may have. */
const LONG = 'x'.repeat(1_000_001);

const ada = [{ line: 2, values: { phone: '+447700900123', name: 'Zoë' } }];

describe('a file', () => {
	it.each(['[{"phone":"+447700900123"}]', '\n[\n  {\n    "phone": 1', '[]'])(
		'says that it does not read a JSON array: %j',
		async (file) => {
			expect(await read(file)).toBe('Line 1 of the file begins a JSON array');
		},
	);

	it.each([
		'<html xmlns:x="urn:schemas-microsoft-com:office:excel">\n<table><tr><td>phone</td></tr></table>',
		'\ufeff<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>',
		'<table><tr><th>phone</th></tr></table>',
	])('says that it is a web page, whatever its name: %j', async (file) => {
		expect(await read(file)).toBe('Line 1 of the file begins a web page or XML');
	});

	it.each<[string, string | Uint8Array]>([
		['UTF-8', 'phone,name\n+447700900123,Zoë\n'],
		['UTF-8 with byte order mark', '\ufeffphone,name\n+447700900123,Zoë\n'],
		['UTF-16 LE with mark', utf16('\ufeffphone,name\n+447700900123,Zoë\n')],
		['UTF-16 BE with mark', utf16('\ufeffphone,name\n+447700900123,Zoë\n', true)],
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

	it.each(
		encoding.options.flatMap(({ value }): [string, string, Uint8Array][] => {
			const text = '\ufeffphone,name\n+447700900123,Zoë\n';
			return [
				['UTF-8', value, Buffer.from(text)],
				['UTF-16 LE', value, utf16(text)],
				['UTF-16 BE', value, utf16(text, true)],
			];
		}),
	)('says by its mark that it is %s, also where Encoding is %s', async (_, set, file) => {
		expect(await read(file, { encoding: set as FileSource['format']['encoding'] })).toEqual(ada);
	});

	it.each([
		[[0xff]],
		[[0x61, 0xfe]],
		[[0xfe]],
		[[0x61, 0xff]],
		[[0xef, 0xbb]],
		[[0xef, 0x61, 0xbf]],
		[[0x61, 0xbb, 0xbf]],
	])(
		'that begins with bytes of a mark, but not with all of one, has the Encoding that is set: %j',
		async (bytes) => {
			const text = `${Buffer.from(bytes).toString('latin1')}name`;
			const file = Buffer.from(`${text}\nZoë\n`, 'latin1');
			expect(await read(file, { encoding: 'windows-1252' })).toEqual([
				{ line: 2, values: { [text]: 'Zoë' } },
			]);
		},
	);

	it('finds its delimiter outside of quoted column names', async () => {
		expect(await read('"Surname, first";phone\nAda;+44\n')).toEqual([
			{ line: 2, values: { 'Surname, first': 'Ada', phone: '+44' } },
		]);
	});

	it.each([
		['CSV', 'a,b\n', 'x,y\n', '"Zoë\r\n😀",c\r\n\r\nd\r"e\rf""",g\n5" pipe,h\n1,2,3\n"i",j'],
		['JSON Lines', '{}\n', '{"a":1}\n', '{"a":"Zoë 😀"}\r\n\r\n[1]\r{"a":"\\"","b":2}\n{"a"'],
	])('is read the same, wherever a piece of it ends: %s', async (_, header, row, end) => {
		// The first 64 kB are one piece, by which its encoding is found.
		const start = Buffer.from(header + row.repeat(Math.ceil(65_536 / row.length)));
		const last = Buffer.from(end);
		const lastRows = async (pieces: Uint8Array[]) => {
			const rows = await readPieces(pieces);
			return rows instanceof Failure ? rows.message : [rows.length, rows.slice(-9)];
		};
		const whole = await lastRows([start, last]);
		for (let cut = 1; cut < last.length; cut++) {
			const pieces = [start, last.subarray(0, cut), last.subarray(cut)];
			expect(await lastRows(pieces)).toEqual(whole);
		}
	});

	it('reads JSON Lines, and says which line is none', async () => {
		expect(await read('{"phone":"+44","n":1}\n\nnope\n[1]\n \t\n{"phone":"+45"}')).toEqual([
			{ line: 1, values: { phone: '+44', n: 1 } },
			{ line: 3, values: {}, problem: 'is not a JSON object' },
			{ line: 4, values: {}, problem: 'is not a JSON object' },
			{ line: 6, values: { phone: '+45' } },
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

	it('gives a row with another number of cells its reason', async () => {
		expect(await read('a,b\n1\n1,2,3\n')).toEqual([
			{ line: 2, values: { a: '1' }, problem: 'has 1 cell, but the header has 2' },
			{ line: 3, values: { a: '1', b: '2' }, problem: 'has 3 cells, but the header has 2' },
		]);
	});

	it.each([',,\n,a,b\n,1,2\n', '\n ;\n;;;\n;a;b\n;1;2\n', '"",""\na,b\n1,2\n'])(
		'may have blank rows above the names of its columns: %j',
		async (file) => {
			expect(await read(file)).toMatchObject([{ values: { a: '1', b: '2' } }]);
		},
	);

	it.each(['a,,b,\n1,2,3,4\n', 'a;;;b\n1;;2;3\n'])(
		'may have several columns without a name, which nothing is read from: %j',
		async (file) => {
			const [header = '', row = ''] = file.split('\n').map((line) => line.split(/[,;]/));
			const named = [...header].flatMap((name, at) => (name === '' ? [] : [[name, row[at]]]));
			expect(await read(file)).toEqual([{ line: 2, values: Object.fromEntries(named) }]);
		},
	);

	it.each<[string, string | Uint8Array, Partial<FileSource['format']>, string]>([
		['gzip', gzipSync('phone\n+447700900123\n'), {}, 'The file contains binary data'],
		[
			'Excel',
			Buffer.from('PK\u0003\u0004\u0014\u0000', 'latin1'),
			{},
			'The file contains binary data',
		],
		['a column twice', 'a,b,a\n1,2,3\n', {}, 'Line 1 of the file names the column "a" twice'],
		['an unclosed quote', 'a\n"b\n\n', {}, 'Line 2 of the file has a quote that is not closed'],
		[
			'a text behind a quote',
			'a\n1\n"b"c\n',
			{},
			'Line 3 of the file has text after a closing quote',
		],
		['an endless row', `a\n"${LONG}\n`, {}, 'Line 2 of the file is longer than 1000000 characters'],
		[
			'an endless line',
			`{}\n{"${LONG}`,
			{},
			'Line 2 of the file is longer than 1000000 characters',
		],
	])('says of %s what is wrong', async (_name, file, format, message) => {
		expect(await read(file, format, 65_536)).toBe(message);
	});

	const problem = 'contains a character that is not valid in the encoding of the file';
	const eacute = Buffer.from([0xe9]);

	it.each<[string, Buffer, number]>([
		['near its start', Buffer.concat([Buffer.from('a,b\n1,Zoë\n2,'), eacute]), 3],
		[
			'far from its start',
			Buffer.concat([Buffer.from(`a,b\n${'1,x\n'.repeat(30_000)}2,`), eacute]),
			30_002,
		],
		[
			'within quotes over several chunks',
			Buffer.concat([
				Buffer.from('a,b\n1,Zoë\n2,"'),
				eacute,
				Buffer.alloc(200_000, 'x\n'),
				Buffer.from('"'),
			]),
			3,
		],
	])(
		'with a damaged byte %s is UTF-8, and only its row has a problem',
		async (_where, file, at) => {
			const lines = [file, Buffer.from('\n3,Zoë\n')];
			const rows = await read(Buffer.concat(lines), {}, 65_536);
			expect(typeof rows === 'string' ? rows : rows.filter((row) => row.problem)).toEqual([
				{ line: at, values: expect.anything(), problem },
			]);
			expect(rows.at(-1)).toMatchObject({ values: { b: 'Zoë' } });
		},
	);

	it('with a damaged byte in the name of a column has no problem in its rows', async () => {
		const file = Buffer.concat([Buffer.from('a,b'), eacute, Buffer.from('\n1,Zoë\n')]);
		expect(await read(file)).toEqual([{ line: 2, values: { a: '1', 'b\ufffd': 'Zoë' } }]);
	});

	it('that was cut off within its last character has a problem in its last row', async () => {
		const file = Buffer.from('a\nZoë\nZoë').subarray(0, -1);
		for (const size of [1, 1000]) {
			expect(await read(file, {}, size)).toEqual([
				{ line: 2, values: { a: 'Zoë' } },
				{ line: 3, values: { a: 'Zo\ufffd' }, problem },
			]);
		}
	});

	it.each([
		['a', [['1'], ['2', '3']]],
		['a,b;c', [['1'], ['2', '3']]],
	])('with the header %j has commas between its cells', async (header, cells) => {
		expect(await readCells(`${header}\n1\n2,3\n`)).toEqual(cells);
	});

	it.each(['\r\n', '\n'])('that begins with "sep=;" has this delimiter', async (end) => {
		const lines = ['sep=;', 'a,x;b', '1;2'].join(end);
		for (const size of [1, 1000]) {
			expect(await read(lines, {}, size)).toEqual([{ line: 3, values: { 'a,x': '1', b: '2' } }]);
		}
		const values = { a: '1;2', 'x;b': '2;' };
		expect(await read(`${lines},2;`, { delimiter: ',' })).toEqual([
			{ line: 3, values, problem: undefined },
		]);
	});

	it.each([',', ';', '\t', '|'])(
		'that begins with empty lines has the delimiter of its header: %j',
		async (delimiter) => {
			const text = '\n\r\n\na.b#c\n1#2'.replaceAll('#', delimiter);
			expect(await read(text)).toEqual([{ line: 5, values: { 'a.b': '1', c: '2' } }]);
		},
	);

	it.each(['sep=#', '"sep=#"', 'SEP=#', '\ufeffsep=#'])(
		'that begins with %j has this delimiter, whichever it is',
		async (line) => {
			for (const delimiter of [',', ';', '\t', '|']) {
				const lines = [line, 'a.b#c', '1#2'].join('\n').replaceAll('#', delimiter);
				expect(await read(lines)).toEqual([{ line: 3, values: { 'a.b': '1', c: '2' } }]);
			}
		},
	);

	it('takes the encoding and the delimiter that are set', async () => {
		const bytes = Buffer.from('a;b,c\n1;2,é\n', 'latin1');
		expect(await read(bytes, { encoding: 'windows-1252', delimiter: ',' })).toEqual([
			{ line: 2, values: { 'a;b': '1;2', c: 'é' } },
		]);
	});

	it('throws nothing but errors for users, with any bytes', async () => {
		await holds(
			fc.asyncProperty(
				fc.uint8Array({ maxLength: 200 }),
				fc.integer({ min: 1, max: 50 }),
				async (bytes, size) => {
					expect(await read(bytes, {}, size)).toEqual(await read(bytes, {}, 1000));
				},
			),
			100,
		);
	});
});

/** What csv-parse makes of a text below its header. */
function expected(text: string, delimiter: string): string[][] {
	const records = parse(text.replace(/\r\n?/g, '\n'), {
		delimiter,
		relax_column_count: true,
		skip_empty_lines: true,
	});
	return records.slice(1);
}

const DELIMITERS = [',', ';', '\t', '|'];
const plainCell = fc.string({ unit: fc.constantFrom(...'ab é,;|\t0+ '), maxLength: 6 });
const quotedCell = fc
	.string({
		unit: fc.constantFrom('a', '"', '\n', '\r', '\r\n', ',', ';', ' ', '😀'),
		maxLength: 6,
	})
	.map((text) => `"${text.replaceAll('"', '""')}"`);

/** A well-formed file with every quirk: line breaks of three kinds, empty lines, quoted cells. */
const files = fc.constantFrom(...DELIMITERS).chain((delimiter) => {
	const cell = fc.oneof(
		plainCell.map((text) => text.replaceAll(delimiter, '')),
		quotedCell,
	);
	const record = fc.record({
		cells: fc.array(cell, { minLength: 1, maxLength: 5 }),
		end: fc.constantFrom('\n', '\r\n', '\r'),
	});
	return fc.tuple(fc.array(record, { maxLength: 8 }), fc.boolean()).map(([records, isEnded]) => {
		const lines = records.map(({ cells, end }) => cells.join(delimiter) + end);
		const text = [`a${delimiter}b\n`, ...lines].join('');
		return { delimiter, text: isEnded ? text : text.replace(/[\r\n]+$/, '') };
	});
});

const encodings: Record<string, (text: string) => Buffer> = {
	'UTF-8': (text) => Buffer.from(text),
	'UTF-8 with mark': (text) => Buffer.from(`\ufeff${text}`),
	'UTF-16 LE': (text) => utf16(`\ufeff${text}`),
	'UTF-16 BE': (text) => utf16(`\ufeff${text}`, true),
};

describe('beside csv-parse, a CSV file', () => {
	it('has the same cells in the same rows, in any encoding and wherever it is cut', async () => {
		const encoding = fc.constantFrom(...Object.keys(encodings));
		await holds(
			fc.asyncProperty(
				files,
				encoding,
				fc.integer({ min: 1, max: 50 }),
				async (file, name, size) => {
					const { text, delimiter } = file;
					const bytes = encodings[name]?.(text) ?? Buffer.of();
					expect(await readCells(bytes, {}, size)).toEqual(expected(text, delimiter));
				},
			),
			150,
		);
	});

	it('is refused for the same quotes', async () => {
		const pieces = fc.constantFrom('"', 'a', ',', '\n', '\r', '""', '"b"', ' ');
		await holds(
			fc.asyncProperty(
				fc.array(pieces, { maxLength: 14 }),
				fc.integer({ min: 1, max: 20 }),
				async (parts, size) => {
					const text = `a,b\n${parts.join('')}`;
					const ours = await readCells(text, {}, size);
					let theirs: string[][] | string;
					try {
						theirs = expected(text, ',');
					} catch (error) {
						theirs = String((error as { code?: unknown }).code);
					}
					// A quote within an unquoted cell is text here, and an error there.
					if (theirs === 'INVALID_OPENING_QUOTE') return;
					if (typeof theirs === 'string') expect(typeof ours).toBe('string');
					else expect(ours).toEqual(theirs);
				},
			),
			250,
		);
	});

	it('counts the same lines', async () => {
		const text = 'a\r\n"b\r\nc"\n\nd\r"e\rf"\n5" pipe';
		const rows = [2, 5, 6, 8].map((line) => expect.objectContaining({ line }));
		for (const size of [1, 2, 1000]) expect(await readAll(text, {}, size)).toEqual(rows);
	});
});
