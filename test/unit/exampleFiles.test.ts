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

/** What n8n makes of a file with the options of the node Read CSV. */
function extracted(bytes: Buffer): Row[] {
	if (bytes.length === 0) return [{ error: "no binary file 'list'" }];
	const options = { bom: true, columns: true, skip_empty_lines: true } as const;
	try {
		const rows: Row[] = parse(bytes, { ...options, delimiter: [',', ';', '\t'] });
		// The node always has an output.
		return rows.length > 0 ? rows : [{}];
	} catch (error) {
		return [{ error: (error as Error).message }];
	}
}

/** The rows that go on, or what the page says. */
function checked(code: string, bytes: Buffer): Row[] | string {
	const $input = { all: () => extracted(bytes).map((json) => ({ json })) };
	try {
		const items: unknown = runInNewContext(`(() => { ${code} })()`, { $input });
		return (JSON.parse(JSON.stringify(items)) as { json: Row }[]).map(({ json }) => json);
	} catch (error) {
		return (error as Error).message;
	}
}

const picture = readFileSync(path.join(folder, '..', 'docs', 'pictures', 'example-report.png'));

describe.each(examples)('the file that somebody uploads to $file', ({ reading, code }) => {
	const [, list = ''] = /columns = \[(.*)\]/.exec(code) ?? [];
	const columns = [...list.matchAll(/'(\w+)'/g)].map(([, column]) => String(column));
	const header = columns.join(',');
	const cells = columns.map((column) => (column === 'phone' ? '07700 900101' : 'Zoë'));
	const row = cells.join(',');
	const rowOf = Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
	const many = Array.from({ length: 300 }, (_, index) => `c${index}`).join(',');

	test('is read with any usual separator and encoding', () => {
		expect(reading?.options).toEqual({
			...{ delimiter: "={{ [',', ';', '\\t'] }}", enableBOM: true, includeEmptyCells: true },
		});
		const text = `${header}\n${row}\n`;
		for (const usual of [text, text.replaceAll(',', ';'), text.replaceAll(',', '\t')]) {
			expect(checked(code, Buffer.from(usual))).toEqual([rowOf]);
			expect(checked(code, Buffer.from(`\uFEFF${usual}`))).toEqual([rowOf]);
			expect(checked(code, Buffer.from(`\uFEFF${usual}`, 'utf16le'))).toEqual([rowOf]);
		}
		const wide = checked(code, Buffer.from(`${header},${many}\n${row},${many}\n`));
		expect(wide).toMatchObject([rowOf]);
	});

	test.each([
		['is empty', '', /^It is empty/],
		['has a header only', `${header}\n`, /^It has no rows/],
		[
			'has other columns',
			'Mobile,Name\n07700 900101,Ada\n',
			/^It has no column "\w+.* Mobile, Name\.$/,
		],
		['has 300 other columns', `${many}\n${many}\n`, /^It has no column .{0,400}$/],
		['has a quote that is not closed', `${header}\n${row.replace('0', '"0')}\n`, /Quote/],
		['has a row that is too long', `${header}\n${row},b\n`, /Record Length/],
		['is a picture', picture, /^It is not a CSV file/],
		['is a sheet of Excel', 'PK\u0003\u0004\u0014\u0000"x', /^It is not a CSV file/],
	])('goes no further if it %s', (_name, content, problem) => {
		expect(checked(code, Buffer.from(content))).toMatch(problem);
	});

	test('goes no further if its letters are damaged', () => {
		const text = `${header},note\n${row},Zoë\n`;
		expect(checked(code, Buffer.from(text, 'latin1'))).toMatch(/^Letters in row 1 are damaged/);
	});
});

test('each form that takes a CSV file and reads it into rows checks it', () => {
	const reading = exampleFiles().filter((file) =>
		readFileSync(path.join(folder, file), 'utf8').includes('"name": "Read CSV"'),
	);
	// The preview shows what is wrong on its own page.
	const checking = [...examples.map(({ file }) => file), 'send-from-a-form-with-preview.json'];
	expect(reading).toEqual(checking.sort());
});
