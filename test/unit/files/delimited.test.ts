import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import {
	DelimitedReader,
	MAX_RECORD_CHARACTERS,
	type FileRecord,
} from '../../../nodes/MessagingService/recipients/file/delimited';
import { DELIMITERS } from '../../../nodes/MessagingService/recipients/file/delimiter';
import { thrown } from '../support/thrown';
import { runs } from '../../support/runs';

/** Rows that our reader gives when it gets the text in these chunks; or the error's message. */
function read(chunks: readonly string[], delimiter = ','): FileRecord[] | string {
	const reader = new DelimitedReader(delimiter);
	try {
		return [...chunks.flatMap((chunk) => [...reader.push(chunk)]), ...reader.end()];
	} catch (error) {
		return (error as Error).message;
	}
}

/** What csv-parse makes of it. */
function expected(text: string, delimiter: string): string[][] {
	return parse(text, {
		delimiter,
		record_delimiter: ['\r\n', '\n', '\r'],
		relax_column_count: true,
		skip_empty_lines: true,
	});
}

const cutAt = (text: string, cuts: readonly number[]) => {
	const places = [0, ...[...cuts].map((cut) => cut % (text.length + 1)).sort((a, b) => a - b)];
	return places.map((place, index) => text.slice(place, places[index + 1]));
};

const delimiters = fc.constantFrom(...DELIMITERS);
const plainCell = fc.string({ unit: fc.constantFrom(...'ab é,;|\t0+ '), maxLength: 6 });
const quotedCell = fc
	.string({
		unit: fc.constantFrom('a', '"', '\n', '\r', '\r\n', ',', ';', ' ', '😀'),
		maxLength: 6,
	})
	.map((text) => `"${text.replaceAll('"', '""')}"`);

/** A well-formed file with every quirk: line breaks of three kinds, empty lines, quoted cells. */
const files = delimiters.chain((delimiter) =>
	fc
		.array(
			fc.record({
				cells: fc.array(
					fc.oneof(
						plainCell.map((text) => text.replaceAll(delimiter, '')),
						quotedCell,
					),
					{ minLength: 1, maxLength: 5 },
				),
				end: fc.constantFrom('\n', '\r\n', '\r'),
			}),
			{ maxLength: 8 },
		)
		.chain((records) =>
			fc.record({
				delimiter: fc.constant(delimiter),
				text: fc.boolean().map((isEnded) => {
					const text = records.map(({ cells, end }) => cells.join(delimiter) + end).join('');
					return isEnded ? text : text.replace(/[\r\n]+$/, '');
				}),
			}),
		),
);

describe('DelimitedReader', () => {
	it('gives the same rows as csv-parse, wherever the file is cut', () => {
		fc.assert(
			fc.property(files, fc.array(fc.nat(), { maxLength: 6 }), ({ text, delimiter }, cuts) => {
				const whole = read([text], delimiter);
				expect(typeof whole === 'string' ? whole : whole.map(({ cells }) => cells)).toEqual(
					expected(text, delimiter),
				);
				expect(read(cutAt(text, cuts), delimiter)).toEqual(whole);
				expect(read([...text], delimiter)).toEqual(whole);
			}),
			{ numRuns: runs(500) },
		);
	});

	it('gives each row as soon as its line is complete', () => {
		const row = fc.array(
			fc.oneof(
				plainCell.map((text) => text.replaceAll(',', '')),
				quotedCell,
			),
			{
				...{ minLength: 2, maxLength: 4 },
			},
		);
		fc.assert(
			fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
				const reader = new DelimitedReader(',');
				for (const cells of rows) {
					const line = cells.join(',');
					expect([...reader.push(`\n${line}`)]).toEqual([]);
					expect([...reader.push('\n')].map((record) => record.cells)).toEqual(expected(line, ','));
				}
				expect([...reader.end()]).toEqual([]);
			}),
			{ numRuns: runs(50) },
		);
	});

	it('refuses what csv-parse refuses in a closing quote, wherever the file is cut', () => {
		const pieces = fc.constantFrom('"', 'a', ',', '\n', '\r', '""', '"b"', ' ');
		fc.assert(
			fc.property(fc.array(pieces, { maxLength: 14 }), fc.array(fc.nat()), (parts, cuts) => {
				const text = parts.join('');
				const whole = read([text]);
				expect(read(cutAt(text, cuts))).toEqual(whole);
				let theirs: string[][] | string;
				try {
					theirs = expected(text, ',');
				} catch (error) {
					theirs = String((error as { code?: unknown }).code);
				}
				// A quote within an unquoted cell is text here, and an error there.
				if (theirs === 'INVALID_OPENING_QUOTE') return;
				if (typeof theirs === 'string') expect(typeof whole).toBe('string');
				else {
					expect(typeof whole === 'string' ? whole : whole.map(({ cells }) => cells)).toEqual(
						theirs,
					);
				}
			}),
			{ numRuns: runs(1000) },
		);
	});

	it.each<[string, string, FileRecord[] | string]>([
		['a quote in a cell', 'a,5" pipe\n', [{ line: 1, cells: ['a', '5" pipe'] }]],
		[
			'lines of cells with breaks',
			'a\r\n"b\r\nc"\nd',
			[
				{ line: 1, cells: ['a'] },
				{ line: 2, cells: ['b\r\nc'] },
				{ line: 4, cells: ['d'] },
			],
		],
		['an unclosed quote', 'a\n"b\nc\n', 'Line 2 of the file has a quote that is not closed'],
		['text after a quote', 'a\n"b\nc"d\n', 'Line 3 of the file has text after a closing quote'],
	])('%s', (_name, text, rows) => {
		expect(read([text])).toEqual(rows);
		expect(read([...text])).toEqual(rows);
	});

	it('stops at a line without an end', () => {
		const reader = new DelimitedReader(',');
		const chunk = 'x'.repeat(100_000);
		let pushed = 0;
		expect(() => {
			for (; pushed < 1000; pushed++) reader.push(chunk).next();
		}).toThrow('Line 1 of the file is longer than 1000000 characters');
		expect(pushed * chunk.length).toBe(MAX_RECORD_CHARACTERS);
	});
});

describe('two stray quotes', () => {
	const rows = (count: number, row: (index: number) => string[]) =>
		Array.from({ length: count }, (_, index) => row(index));
	const numbered = (index: number) => `+4477009${String(index).padStart(5, '0')}`;

	test('do not hide the rows between them', () => {
		const shape = fc.record({
			delimiter: delimiters,
			columns: fc.integer({ min: 2, max: 4 }),
			phone: fc.nat({ max: 3 }),
			stray: fc.integer({ min: 1, max: 3 }),
			first: fc.nat({ max: 5 }),
			distance: fc.integer({ min: 1, max: 50 }),
			end: fc.constantFrom('\n', '\r\n', '\r'),
		});
		fc.assert(
			fc.property(shape, ({ delimiter, columns, phone, stray, first, distance, end }) => {
				const column = Math.min(stray, columns - 1);
				const header = Array.from({ length: columns }, (_, index) => `c${index}`);
				const lines = rows(60, (index) => {
					const cells = header.map((name) => `${name}-${index}`);
					cells[phone % columns] = numbered(index);
					if (index === first) cells[column] = `"${cells[column]}`;
					if (index === first + distance) cells[column] = `${cells[column]}"`;
					return cells;
				});
				// Of the last row, only what stands before the quote is within the cell.
				fc.pre(distance > 1 || phone % columns <= column);
				const text = [header, ...lines].map((cells) => cells.join(delimiter)).join(end);
				expect(read([text], delimiter)).toBe(
					`Line ${first + 2} of the file has a quote that is closed only in a later row`,
				);
			}),
			{ numRuns: runs(50) },
		);
	});

	test('are said with the line of the row, and what to do', () => {
		const text = 'phone,text\n+447700900001,"Hi\n+447700900002,Hello\n+447700900003,Bye"\n';
		const reader = new DelimitedReader(',');
		expect(thrown(() => [...reader.push(text)])).toMatchObject({
			line: 2,
			description: expect.stringMatching(/^Line 3 .*quote.*line breaks\.$/),
		});
		const unclosed = new DelimitedReader(',');
		expect(thrown(() => [...unclosed.push('a\n"b'), ...unclosed.end()])).toMatchObject({
			line: 2,
			description: expect.stringMatching(/quote.*""/),
		});
	});

	test.each([
		'Main Street 1\nLondon, UK',
		'Office: 020 7946 0000\nHome: 020 7946 0001',
		'1, 2\n3, 4',
		'On\n2026-11-22, 9.30',
		'Dear Ada,\ncall +447700900123, please,\nor write',
	])('are not seen in a text of several lines (%j)', (text) => {
		const file = `phone,text,city\n+447700900001,"${text}",Leeds\n`;
		expect(read([file])).toEqual([
			expect.anything(),
			{ line: 2, cells: ['+447700900001', text, 'Leeds'] },
		]);
	});
});
