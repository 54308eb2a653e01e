import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { omit } from 'lodash';
import { DateTime } from 'luxon';
import type { WorkflowContent } from '../../host/n8nClient.ts';
import { exampleFiles } from '../../host/workflows.ts';

const folder = path.resolve(__dirname, '..', '..', 'examples');

type Row = Record<string, unknown>;

const examples = exampleFiles().flatMap((file) => {
	const { nodes } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as WorkflowContent;
	const code = nodes.find(({ name }) => name === 'Read the List')?.parameters.jsCode;
	return typeof code === 'string' ? [{ file, code }] : [];
});

/** The rows that go on, or what the page says. */
async function read(code: string, bytes: Buffer): Promise<Row[] | string> {
	// An empty file is none.
	const binary = bytes.length === 0 ? {} : { data: {}, list: {} };
	const $input = { first: () => ({ binary }) };
	const helpers = { getBinaryDataBuffer: async () => await Promise.resolve(bytes) };
	try {
		const body = `(async function () { ${code} })`;
		const run = runInNewContext(body, { $input, DateTime }) as () => Promise<{ json: Row }[]>;
		const items = await run.call({ helpers });
		// From another realm, which Jest tells apart.
		return JSON.parse(JSON.stringify(items.map(({ json }) => json))) as Row[];
	} catch (error) {
		return (error as Error).message;
	}
}

/** The cells alone. */
const cellsOf = (rows: Row[] | string) =>
	typeof rows === 'string' ? rows : rows.map((row) => omit(row, 'row', 'problem'));

const picture = readFileSync(path.join(folder, '..', 'docs', 'pictures', 'example-report.png'));

// The code of the others is the same. The preview says on its own page which columns are missing.
const typical = examples.filter(({ file }) =>
	['text-each-person-by-name.json', 'send-from-a-form-with-preview.json'].includes(file),
);

describe.each(typical)('the file that somebody uploads to $file', ({ code }) => {
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
				expect(cellsOf(await read(code, bytes))).toEqual([rowOf]);
			}
		}
		const wide = await read(code, Buffer.from(`${header},${many}\n${row},${many}\n`));
		expect(wide).toMatchObject([rowOf]);
	});

	test('has one separator: the others are letters', async () => {
		const text = [`${header},note`, `${row},"Smith, Ada"`, `${row},a; b`, ''].join('\n');
		const rows = await read(code, Buffer.from(text));
		expect(rows).toMatchObject([{ note: 'Smith, Ada' }, { note: 'a; b' }]);
		const list = header.replaceAll(',', ';');
		const semicolons = row.replaceAll(',', ';');
		const quoted = `${list};"a;b"\r\n${semicolons};"x\ny"\r\n`;
		expect(await read(code, Buffer.from(quoted))).toMatchObject([{ 'a;b': 'x\ny' }]);
		const hidden = `"x,${header}",y\n"1",2\n`;
		if (needed.length > 0) {
			expect(await read(code, Buffer.from(hidden))).toMatch(/^It has no column/);
		}
		const german = `${list};"a, b, c, d";x\n${semicolons};Smith, Ada;1\n`;
		expect(await read(code, Buffer.from(german))).toMatchObject([{ 'a, b, c, d': 'Smith, Ada' }]);
		const short = `${list};note\n${semicolons.replace('07700 900101', '07700, 900101')}\n`;
		expect(await read(code, Buffer.from(short))).toMatch(/^Row 2 has \d+ cells/);
	});

	test.each([
		['is empty', '', /^It is empty/],
		['begins with what Excel needs', `sep=;\n${header}\n${row}\n`, /^Its first line/],
		['has lines of two kinds', `${header}\n${row}\r\n${row}\r\n`, /^Its lines end/],
		['has lines with two ends', `${header}\r\r\n${row}\r\r\n`, /^Its lines end/],
		['has a header only', `${header}\n`, /^It has no rows/],
		['has a column twice', `${header},x,x\n${row},1,2\n`, /^It has two columns "x"\.$/],
		[
			'has a quote that is not closed',
			`${header}\n${row.replace('0', '"0')}\n`,
			/^A quotation mark in line 2/,
		],
		['has a row that is too long', `${header}\n${row},b\n`, /^Row 2 has \d+ cells/],
		['is a picture', picture, /^It is not a CSV file/],
		['is a sheet of Excel', 'PK\u0003\u0004\u0014\u0000"x', /^It is not a CSV file/],
	])('goes no further if it %s', async (_name, content, problem) => {
		expect(await read(code, Buffer.from(content))).toMatch(problem);
	});

	test('may have columns without a name, as sheets with empty columns do', async () => {
		const text = `${header},,\n${row},,\n`;
		expect(await read(code, Buffer.from(text))).toMatchObject([rowOf]);
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
			expect(await read(code, Buffer.from(content))).toMatch(problem);
		});
	}

	test('goes no further if its letters are damaged', async () => {
		const text = `${header},note\n${row},Zoë\n`;
		expect(await read(code, Buffer.from(text, 'latin1'))).toMatch(/^Letters in line 2 are damaged/);
	});
});

test('each form that takes a CSV file and reads it into rows does so with the same code', () => {
	const forms = exampleFiles().filter((file) =>
		readFileSync(path.join(folder, file), 'utf8').includes('"Cannot Read the File"'),
	);
	expect(examples.map(({ file }) => file)).toEqual(forms);
	const [, shared] = String(examples[0]?.code).split('\n\n// From shared/');
	expect(shared?.length).toBeGreaterThan(1000);
	for (const { code } of examples) {
		const [own = '', same] = code.split('\n\n// From shared/');
		expect(own).toMatch(/^\/\/ .*\nconst columns = \[.*\];\n\/\/ .*\nconst kinds = \{.*\};$/);
		expect(same).toBe(shared);
	}
});

test('a page about a file shows no HTML of the file', async () => {
	const code = examples.find(({ file }) => file === 'text-each-person-by-name.json')?.code ?? '';
	const image = '<img src=x onerror=alert(1)>';
	const problem = await read(code, Buffer.from(`${image},x\n1,2\n`));
	expect(problem).toMatch(/^It has no column .*img src=x/);
	expect(problem).not.toMatch(/[<>&]/);
	expect(await read(code, Buffer.from(`phone,name,drink,${image},${image}\n1,2,3,4,5\n`))).toBe(
		'It has two columns "img src=x onerror=alert(1)".',
	);
});

/** n8n adds the line to what a Code node throws: "It is empty. [line 3]". */
test('a page about an error does not name a line of the workflow', () => {
	const shown = exampleFiles().flatMap((file) =>
		[
			...readFileSync(path.join(folder, file), 'utf8').matchAll(
				/\{\{ ([^{}]*\$json\.error\.replace.*?) \}\}/g,
			),
		].map(([, expression = '']) => JSON.parse(`"${expression}"`) as string),
	);
	expect(shown.length).toBeGreaterThan(14);
	for (const expression of shown) {
		const page = runInNewContext(expression, { $json: { error: 'It <b>is empty. [line 3]' } });
		expect(page).toBe('It bis empty.');
	}
});

describe('a list with yes and no, dates and times', () => {
	const code = examples.find(({ file }) => file === 'text-each-person-by-name.json')?.code ?? '';
	const kinds = "{ yesNo: ['consent'], dates: ['day'], times: ['time'] }";
	const own = code
		.replace(/const columns = .*;/, "const columns = ['consent', 'day', 'time'];")
		.replace(/const kinds = .*;/, `const kinds = ${kinds};`);
	const rowsOf = async (...lines: string[]) => {
		const rows = await read(own, Buffer.from(['consent;day;time', ...lines, ''].join('\n')));
		return rows as { consent: string; day: string; time: string; problem: string; row: number }[];
	};
	const of = async (cells: string[], write: (cell: string) => string) =>
		await rowsOf(...cells.map(write));

	test('knows yes in the languages of the people who send it, and ticks', async () => {
		const words = [
			'yes',
			'Y',
			'TRUE',
			'ja',
			'Oui',
			'sí',
			'да',
			'wahr',
			'✓',
			'☑️',
			'x',
			'1',
			' Sì ',
		];
		const rows = await of(words, (word) => `${word};2030-05-17;9:30`);
		expect(rows.map(({ consent, problem }) => [consent, problem])).toEqual(
			words.map(() => ['yes', '']),
		);
		const refusals = await of(
			['no', 'Nein', 'non', 'нет', '', '✗', '0', 'FALSCH'],
			(word) => `${word};2030-05-17;9:30`,
		);
		expect(new Set(refusals.map(({ consent, problem }) => consent + problem))).toEqual(
			new Set(['no']),
		);
	});

	test('names what it does not understand, with its row, and keeps it', async () => {
		expect(await rowsOf('maybe;2030-02-30;25:00')).toEqual([
			{
				...{ consent: 'maybe', day: '2030-02-30', time: '25:00', row: 2 },
				problem:
					'consent "maybe" is not yes or no, day "2030-02-30" is not a date like 2030-05-17, time "25:00" is not a time like 09:30',
			},
		]);
	});

	test('reads dates as people and spreadsheets write them', async () => {
		const forms = [
			...['2030-05-17', '17.5.2030', '17.05.2030', '17/05/2030', '17-5-2030', '2030/05/17'],
			...['17 May 2030', 'May 17, 2030', '47620', '2030-05-17T00:00:00'],
		];
		const rows = await of(forms, (day) => `yes;${day};9:30`);
		expect(rows.map(({ day, problem }) => [day, problem])).toEqual(
			forms.map(() => ['2030-05-17', '']),
		);
	});

	test('takes 3/4/2030 for what the other rows are, and for nothing where they do not tell', async () => {
		const days = async (...cells: string[]) =>
			(await of(cells, (day) => `yes;${day};9:30`)).map(({ day, problem }) =>
				problem === '' ? day : '?',
			);
		expect(await days('3/4/2030', '17/4/2030')).toEqual(['2030-04-03', '2030-04-17']);
		expect(await days('3/4/2030', '4/17/2030')).toEqual(['2030-03-04', '2030-04-17']);
		expect(await days('3/4/2030')).toEqual(['?']);
		expect(await days('3/4/2030', '17/4/2030', '4/17/2030')).toEqual([
			'?',
			'2030-04-17',
			'2030-04-17',
		]);
	});

	test('reads times of 12 and of 24 hours', async () => {
		const times = ['9:30', '09:30', '9.30', '9h30', '9:30 am', '9:30 PM', '12:05 am', '14', '2pm'];
		expect((await of(times, (time) => `yes;2030-05-17;${time}`)).map(({ time }) => time)).toEqual([
			...['09:30', '09:30', '09:30', '09:30', '09:30', '21:30', '00:05', '14:00', '14:00'],
		]);
	});

	test('is read as csv-parse reads it', async () => {
		const cell = fc.string({ unit: fc.constantFrom('a', 'ë', ';', ',', '"', '\n', ' ', "'") });
		const write = (value: string) => `"${value.replaceAll('"', '""')}"`;
		await fc.assert(
			fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1 }), async (rows) => {
				const text = [['note', 'other'], ...rows].map((row) => row.map(write).join(';')).join('\n');
				const plain = own
					.replace(/const columns = .*;/, 'const columns = [];')
					.replace(kinds, '{}');
				expect(cellsOf(await read(plain, Buffer.from(text)))).toEqual(
					parse(text, { delimiter: ';', columns: true }),
				);
			}),
		);
	});
});
