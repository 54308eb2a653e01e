import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { runAction, type EngineResult } from '../support/engine';
import { rowsNamed } from '../support/fileRows';
import type { Behaviour } from '../support/modelService';
import { modelSuite } from '../support/modelSuite';
import { runs } from '../support/runs';

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
	file: Buffer | Buffer[],
	parameters: object = {},
	more: Omit<Partial<Parameters<typeof runAction>[0]>, 'parameters' | 'files'> = {},
) =>
	await runAction({
		credential,
		parameters: { ...store, ...parameters } as IDataObject,
		items: [file].flat().map((_, item) => ({ item })),
		files: [file].flat(),
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
				'5,"The row has 1 cell, but the header has 2. Fix the row.",id-3',
				'',
			].join('\n'),
		);
		expect(stored()).toEqual([]);
	});

	const stores = (rows: number, first = 1) =>
		csv(Array.from({ length: rows }, (_, row) => `id-${first + row},${numberAt(first + row)}`));
	const refuse = (id: string) => {
		service.decide = ({ body }) => (body.storageID === id ? 'reject' : 'accept');
	};

	test('stop at the first that the service refuses, and say where to continue', async () => {
		refuse('id-1200');
		const result = await run(stores(1500), { fileOptions: { problemsFile: true } }, onErrorBranch);
		const ids = storedRows();
		const last = Math.max(...ids);
		expect(problemsIn(result)).toMatch(/^line,reason,Storage ID,phone\n1201,.+,id-1200,/);
		const { errorItems } = result;
		expect(errorItems.map(({ json }) => json)).toMatchObject([
			{
				...{ sent: 'partly', continueAtRow: 1200 },
				sentRows: `1 to 1199, 1201 to ${last}`,
				notSentRows: `1200, ${last + 1} to 1500`,
				problems: [{ line: 1201, reason: 'message: not today' }],
				description: expect.stringMatching(/^Line 1201 of the file \(row 1200\): .*Fix the row\./),
			},
		]);
		expect(last).toBe(ids.length + 1);
		expect(errorItems[0]?.json).not.toHaveProperty('created');
	});

	test('say so in the error that stops the node, and store the rest from there', async () => {
		refuse('id-12');
		const { error } = await run(stores(50));
		expect(error?.message).toBe('message: not today');
		expect(error?.description).toMatch(
			/^Line 13 of the file \(row 12\): .* Stored: rows 1 to 11, 13 to \d+ of the file\. Not stored: rows 12, \d+ to 50 of the file\. To continue in a new execution, set Start at Row in File Options to 12: storing a row again overwrites it\.$/,
		);
		service.decide = () => 'accept';
		await run(stores(50), { fileOptions: { startAtRow: 12 } });
		expect(new Set(stored().map(({ storageID }) => storageID)).size).toBe(50);
	});

	test('name all that failed', async () => {
		service.decide = ({ body }) =>
			body.storageID === 'id-2' ? 'reject' : body.storageID === 'id-3' ? 'failBefore' : 'accept';
		const { errorItems } = await run(stores(3), {}, onErrorBranch);
		expect(errorItems[0]?.json).toMatchObject({
			...{ error: 'message: not today', sent: 'partly', sentRows: '1', possiblySentRows: '3' },
			...{ notSentRows: '2', continueAtRow: 2, problemsCount: 2 },
			description: expect.stringContaining('Also failed: line 4 (The service failed'),
		});
	});

	test('of several items say where to continue with those that failed only', async () => {
		refuse('id-105');
		const { error } = await run(
			[stores(10), stores(10, 101), stores(1, 201)],
			{},
			{
				settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
			},
		);
		expect(error?.description).toMatch(
			/ Item 1: Stored: rows 1 to 4, .* set Start at Row in File Options to 5: [^:]* Sent: item 0\. Partly sent: item 1\. Not sent: item 2\.$/,
		);
		expect(error?.description).not.toContain('Item 0');
	});

	test('name the first that failed, three others, and how many more', async () => {
		service.decide = () => 'reject';
		const options = { requestsAtOnce: 6, maxRetries: 0 };
		const { error } = await run(stores(6), { options });
		expect(error?.description).toMatch(
			/^Line 2 of the file \(row 1\): .* Also failed: line 3 \(message: not today\), line 4 \(message: not today\), line 5 \(message: not today\) and 2 more\.$/,
		);
		const four = await run(stores(4), { options });
		expect(four.error?.description).toMatch(/, line 5 \(message: not today\)\.$/);
	});

	test('that all fail are not partly stored', async () => {
		service.decide = () => 'reject';
		const { errorItems } = await run(stores(3), {}, onErrorBranch);
		expect(errorItems[0]?.json).toMatchObject({ sent: 'no', problemsCount: 3 });
		expect(errorItems[0]?.json).not.toHaveProperty('continueAtRow');
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
			const { sentRows, possiblySentRows, notSentRows, continueAtRow } = failed.json;
			const [sent, possibly, notSent] = [sentRows, possiblySentRows, notSentRows].map((text) =>
				rowsNamed(text, rows),
			) as [number[], number[], number[]];
			expect(accepted).toEqual(expect.arrayContaining(sent));
			for (const row of accepted) expect([...sent, ...possibly]).toContain(row);
			const isUntouched = sent.length + possibly.length === 0;
			// Every row is in exactly one of the lists, unless nothing was stored.
			expect([...sent, ...possibly, ...notSent].sort((a, b) => a - b)).toEqual(
				isUntouched ? [] : wanted,
			);
			service.decide = () => 'accept';
			await run(file, { fileOptions: { startAtRow: continueAtRow ?? startAtRow } });
			expect([...new Set(storedRows())].sort((a, b) => a - b)).toEqual(wanted);
		}),
		{ numRuns: runs(12) },
	);
}, 120_000);
