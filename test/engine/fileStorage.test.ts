import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { runAction, type EngineResult } from '../support/engine';
import { rowsNamed } from '../support/fileRows';
import type { Behaviour } from '../support/modelService';
import { modelSuite } from '../support/modelSuite';

const { service, credential } = modelSuite();

const HEADER = 'Storage ID,phone';
const numberAt = (row: number) => `+4477009${String(row).padStart(5, '0')}`;
const csv = (rows: string[], header = HEADER) => Buffer.from([header, ...rows, ''].join('\n'));
const listOf = (count: number) =>
	Array.from({ length: count }, (_, row) => `id-${row + 1},${numberAt(row + 1)}`);
const jsonOf = ({ items }: EngineResult) => items.map(({ json }) => json);
const store = {
	resource: 'phoneNumberStorage',
	operation: 'create',
	phoneNumbersSource: 'file',
	inputFieldNames: { number: 'phone' },
};

const run = async (
	file: Buffer,
	parameters: object = {},
	more: Omit<Partial<Parameters<typeof runAction>[0]>, 'parameters' | 'files'> = {},
) =>
	await runAction({
		credential,
		parameters: { ...store, ...parameters } as IDataObject,
		files: [file],
		...more,
	});

const stored = () => service.accepted.map(({ body }) => body);
/** Rows that the service has stored, in the order in which it did. */
const storedRows = () => stored().map(({ storageID }) => Number(String(storageID).slice(3)));
const onErrorBranch = { onError: 'continueErrorOutput' } as const;
const problemsIn = ({ errorItems }: EngineResult) =>
	Buffer.from(errorItems[0]?.binary?.problems?.data ?? '', 'base64').toString();

describe('stored numbers from a file', () => {
	test('are its rows, each stored once, and one item tells of them', async () => {
		const rows = [1, 2, 3].map((row) => `id-${row},${numberAt(row)},text ${row}`);
		const result = await run(csv(rows, 'Storage ID,phone,parameter1'));
		expect(result.error).toBeUndefined();
		expect(stored()).toEqual(
			expect.arrayContaining(
				[1, 2, 3].map((row) => ({
					...{ storageID: `id-${row}`, number: numberAt(row), parameter1: `text ${row}` },
				})),
			),
		);
		expect(jsonOf(result)).toMatchObject([{ firstRow: 1, lastRow: 3, stored: 3 }]);
	});

	test('are not stored where one of them is invalid', async () => {
		const rows = [`id-1,${numberAt(1)}`, 'id-2,nope', `,${numberAt(3)}`];
		const { error } = await run(csv(rows));
		expect(error?.message).toBe('Phone Numbers include 2 invalid rows of 3 (first: line 3)');
		expect(error?.description).toContain('Phone Number is missing (nope)');
		expect(stored()).toEqual([]);
	});

	test('are not stored where the file has no row to start at', async () => {
		const file = csv(listOf(1));
		const { error } = await run(file, { fileOptions: { startAtRow: 5 } });
		expect(error?.message).toBe('Phone Numbers are empty: the file has no such rows');
		expect(stored()).toEqual([]);
	});

	test('are not stored where rows are invalid, which the problems file has', async () => {
		const rows = [`id-1,${numberAt(1)}`, '"id\n2",nope', `id-3`];
		const result = await run(csv(rows), { fileOptions: { problemsFile: true } }, onErrorBranch);
		expect(result.errorItems[0]?.json).toMatchObject({
			sent: 'no',
			problemsCount: 2,
			problems: [{ line: 3 }, { line: 5 }],
		});
		const advice = 'Enter a number in international form, for example +447700900123.';
		expect(problemsIn(result)).toBe(
			[
				'line,reason,Storage ID,phone',
				`3,"Phone Number is missing (nope). ${advice}","id\n2",nope`,
				'5,"The row has 1 cells, but the header has 2. Fix the row.",id-3',
				'',
			].join('\n'),
		);
		expect(stored()).toEqual([]);
	});

	test('stop at the first that the service refuses, and say where to continue', async () => {
		const file = csv(listOf(1100));
		service.decide = ({ body }) => (body.storageID === 'id-1050' ? 'reject' : 'accept');
		const result = await run(file, { fileOptions: { problemsFile: true } }, onErrorBranch);
		const report = result.errorItems[0]?.json ?? {};
		expect(report).toMatchObject({ sent: 'partly', notSentRows: '1050', problemsCount: 1 });
		expect(report.problems).toMatchObject([{ line: 1051 }]);
		expect(problemsIn(result)).toMatch(/^line,reason,Storage ID,phone\n1051,.+,id-1050,/);
		expect(rowsNamed(report.sentRows)).toEqual(storedRows().sort((a, b) => a - b));
		service.decide = () => 'accept';
		await run(file, { fileOptions: { startAtRow: report.continueAtRow } });
		await run(file, { fileOptions: { startAtRow: 1050, endAtRow: 1050 } });
		expect(storedRows().sort((a, b) => a - b)).toEqual(listOf(1100).map((_, row) => row + 1));
	});

	test('that stopped say in the error which rows are stored', async () => {
		service.decide = () => (service.accepted.length < 3 ? 'accept' : 'reject');
		const { error } = await run(csv(listOf(9)), { options: { requestsAtOnce: 1 } });
		expect(error?.description).toContain(
			'Sent: rows 1 to 3 of the file. Not sent: rows 4, 5 and later. To continue in a new execution, set Start at Row in File Options to 5. For the rows before that, use Start at Row and End at Row.',
		);
	});
});

const scenario = fc.record({
	rows: fc.integer({ min: 1, max: 12 }),
	startAtRow: fc.integer({ min: 1, max: 3 }),
	requestsAtOnce: fc.integer({ min: 1, max: 3 }),
	behaviours: fc.array(
		fc.constantFrom<Behaviour>(
			...(['accept', 'accept', 'accept', 'accept', 'reject'] as const),
			...(['failAfter', 'cutBefore', 'cutAfter'] as const),
		),
		{ minLength: 1, maxLength: 12 },
	),
});

test('what is reported is what the service stored, and continuing stores the rest', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async ({ rows, startAtRow, requestsAtOnce, behaviours }) => {
			service.reset();
			let requests = 0;
			service.decide = () => behaviours[requests++] ?? 'accept';
			const options = { requestsAtOnce, maxRetries: 0 };
			const file = csv(listOf(rows));
			const wanted = listOf(rows).flatMap((_, row) => (row + 1 < startAtRow ? [] : [row + 1]));
			const { items, errorItems } = await run(
				file,
				{ options, fileOptions: { startAtRow } },
				onErrorBranch,
			);
			expect(items.length + errorItems.length).toBe(1);
			const accepted = storedRows();
			const [failed] = errorItems;
			if (failed === undefined)
				return void expect([...accepted].sort((a, b) => a - b)).toEqual(wanted);
			const { sentRows, possiblySentRows, notSentRows, continueAtRow = startAtRow } = failed.json;
			const [sent, possibly, notSent] = [sentRows, possiblySentRows, notSentRows].map(rowsNamed);
			expect(accepted).toEqual(expect.arrayContaining(sent ?? []));
			for (const row of accepted) expect([...(sent ?? []), ...(possibly ?? [])]).toContain(row);
			const left = wanted.filter((row) => row >= Number(continueAtRow));
			// Every row is in exactly one of the lists, or to be continued with.
			expect([sent, possibly, notSent, left].flat().sort((a, b) => Number(a) - Number(b))).toEqual(
				wanted,
			);
			service.decide = () => 'accept';
			if (left.length > 0) await run(file, { fileOptions: { startAtRow: continueAtRow } });
			expect(new Set(storedRows()).size).toBe(storedRows().length);
			expect(storedRows()).toEqual(expect.arrayContaining([...(sent ?? []), ...left]));
		}),
		{ numRuns: 60 },
	);
}, 120_000);
