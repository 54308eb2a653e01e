import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'csv-parse/sync';
import type { WorkflowContent } from '../../host/n8nClient.ts';
import { exampleFiles } from '../../host/workflows.ts';

const folder = path.resolve(__dirname, '..', '..', 'examples');

type Row = Record<string, string>;

const examples = exampleFiles().flatMap((file) => {
	const text = readFileSync(path.join(folder, file), 'utf8');
	const { nodes } = JSON.parse(text) as WorkflowContent;
	const parametersOf = (name: string) => nodes.find((node) => node.name === name)?.parameters;
	const reading = parametersOf('Read CSV');
	const code = parametersOf('Check the File')?.jsCode;
	return typeof code === 'string' ? [{ file, reading, code }] : [];
});

/** What n8n makes of a file with this delimiter. */
function extracted(bytes: Buffer, delimiter: string): Row[] | string {
	const options = { bom: true, columns: true, skip_empty_lines: true } as const;
	try {
		return parse(bytes, { ...options, delimiter }) as Row[];
	} catch (error) {
		return (error as Error).message;
	}
}

/** The rows that go on, or what the page says. */
async function checked(code: string, bytes: Buffer): Promise<Row[] | string> {
	// An empty file is none.
	const binary = bytes.length === 0 ? {} : { data: {}, list: {} };
	const $input = { first: () => ({ binary }) };
	const helpers = { getBinaryDataBuffer: async () => await Promise.resolve(bytes) };
	try {
		const run = runInNewContext(`(async function () { ${code} })`, { $input }) as () => Promise<
			[{ json: { delimiter: string } }]
		>;
		const [{ json }] = await run.call({ helpers });
		return extracted(bytes, json.delimiter);
	} catch (error) {
		return (error as Error).message;
	}
}

const picture = readFileSync(path.join(folder, '..', 'docs', 'pictures', 'example-report.png'));

// The code of the others is the same. The preview says on its own page which columns are missing.
const read = examples.filter(({ file }) =>
	['text-each-person-by-name.json', 'send-from-a-form-with-preview.json'].includes(file),
);

describe.each(read)('the file that somebody uploads to $file', ({ code }) => {
	const [, list = ''] = /columns = \[(.*)\]/.exec(code) ?? [];
	const needed = [...list.matchAll(/'(\w+)'/g)].map(([, column]) => String(column));
	const columns = needed.length > 0 ? needed : ['phone', 'consent'];
	const header = columns.join(',');
	const cells = columns.map((column) => (column === 'phone' ? '07700 900101' : 'Zoë'));
	const row = cells.join(',');
	const rowOf = Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
	const many = Array.from({ length: 300 }, (_, index) => `c${index}`).join(',');

	test('is read with any usual separator and encoding', async () => {
		const text = `${header}\n${row}\n`;
		for (const usual of [text, text.replaceAll(',', ';'), text.replaceAll(',', '\t')]) {
			for (const bytes of [
				Buffer.from(usual),
				Buffer.from(usual.replaceAll('\n', '\r\n')),
				Buffer.from(`\uFEFF${usual}`),
				Buffer.from(`\uFEFF${usual}`, 'utf16le'),
			]) {
				expect(await checked(code, bytes)).toEqual([rowOf]);
			}
		}
		const wide = await checked(code, Buffer.from(`${header},${many}\n${row},${many}\n`));
		expect(wide).toMatchObject([rowOf]);
	});

	test('has one separator: the others are letters', async () => {
		const text = [`${header},note`, `${row},"Smith, Ada"`, `${row},a; b`, ''].join('\n');
		const rows = await checked(code, Buffer.from(text));
		expect(rows).toMatchObject([{ note: 'Smith, Ada' }, { note: 'a; b' }]);
		const list = header.replaceAll(',', ';');
		const semicolons = row.replaceAll(',', ';');
		const quoted = `${list};"a;b"\r\n${semicolons};"x\ny"\r\n`;
		expect(await checked(code, Buffer.from(quoted))).toMatchObject([{ 'a;b': 'x\ny' }]);
		const hidden = `"x,${header}",y\n"1",2\n`;
		if (needed.length > 0) {
			expect(await checked(code, Buffer.from(hidden))).toMatch(/^It has no column/);
		}
		const german = `${list};"a, b, c, d";x\n${semicolons};Smith, Ada;1\n`;
		expect(await checked(code, Buffer.from(german))).toMatchObject([
			{ 'a, b, c, d': 'Smith, Ada' },
		]);
		const short = `${list};note\n${semicolons.replace('07700 900101', '07700, 900101')}\n`;
		expect(await checked(code, Buffer.from(short))).toMatch(/Record Length/);
	});

	test.each([
		['is empty', '', /^It is empty/],
		['begins with what Excel needs', `sep=;\n${header}\n${row}\n`, /^Its first line/],
		['has lines of two kinds', `${header}\n${row}\r\n${row}\r\n`, /^Its lines end/],
		['has lines with two ends', `${header}\r\r\n${row}\r\r\n`, /^Its lines end/],
		['has a header only', `${header}\n`, /^It has no rows/],
		['has a column twice', `${header},x,x\n${row},1,2\n`, /^It has two columns "x"\.$/],
		['has a quote that is not closed', `${header}\n${row.replace('0', '"0')}\n`, /Quote|quote/],
		['has a row that is too long', `${header}\n${row},b\n`, /Record Length/],
		['is a picture', picture, /^It is not a CSV file/],
		['is a sheet of Excel', 'PK\u0003\u0004\u0014\u0000"x', /^It is not a CSV file/],
	])('goes no further if it %s', async (_name, content, problem) => {
		expect(await checked(code, Buffer.from(content))).toMatch(problem);
	});

	test('may have columns without a name, as sheets with empty columns do', async () => {
		const text = `${header},,\n${row},,\n`;
		expect(await checked(code, Buffer.from(text))).toMatchObject([rowOf]);
	});

	if (needed.length > 0) {
		test.each([
			[
				'has other columns',
				'Mobile, Name\n07700 900101,Ada\n',
				/^It has no column "\w+.* "Mobile", " Name"\.$/,
			],
			['has 300 other columns', `${many}\n${many}\n`, /^It has no column .{0,400}$/],
		])('goes no further if it %s', async (_name, content, problem) => {
			expect(await checked(code, Buffer.from(content))).toMatch(problem);
		});
	}

	test('goes no further if its letters are damaged', async () => {
		const text = `${header},note\n${row},Zoë\n`;
		expect(await checked(code, Buffer.from(text, 'latin1'))).toMatch(
			/^Letters in line 2 are damaged/,
		);
	});
});

test('each form that takes a CSV file and reads it into rows checks it, with the same code', () => {
	const reading = exampleFiles().filter((file) =>
		readFileSync(path.join(folder, file), 'utf8').includes('"name": "Read CSV"'),
	);
	expect(reading).toEqual(examples.map(({ file }) => file));
	for (const { reading: { options } = {}, code } of examples) {
		expect(code).toMatch(/^\/\/ .*\nconst columns = \[.*\];\n/);
		expect(code.split('\n').slice(2)).toEqual(read[0]?.code.split('\n').slice(2));
		expect(options).toEqual({
			delimiter: '={{ $json.delimiter }}',
			enableBOM: true,
			includeEmptyCells: true,
		});
	}
});
