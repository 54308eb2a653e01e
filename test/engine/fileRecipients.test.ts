import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Container } from '@n8n/di';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { keys, pick, sortBy } from 'lodash';
import { BinaryDataService } from 'n8n-core';
import type { IDataObject, INode } from 'n8n-workflow';
import { binaryFile } from '../support/binaryFiles';
import { retryAction, runAction, type EngineResult } from '../support/engine';
import type { Behaviour, ModelRequest } from '../support/modelService';
import { namesIn, rowsIn } from '../support/modelRows';
import { modelSuite } from '../support/modelSuite';
import { voiceParameters } from '../support/voiceCampaign';
import { holds } from '../support/runs';
import { shortenWaits } from '../support/waits';

const { service, credential } = modelSuite();

shortenWaits(50);

const create = {
	resource: 'smsCampaign',
	operation: 'create',
	message: 'Sale',
	sender: 'Shop',
	contactsSource: 'file',
	phoneNumberField: 'phone',
};
const voice = {
	...voiceParameters,
	phoneNumbersSource: 'file',
	phoneNumberField: 'phone',
};
const numberAt = (row: number) => `+4477009${String(row).padStart(5, '0')}`;
const csv = (rows: string[], header = 'phone,name') =>
	Buffer.from([header, ...rows, ''].join('\n'));
const people = (count: number) =>
	Array.from({ length: count }, (_, row) => `${numberAt(row + 1)},row ${row + 1}`);
const skip = { unusable: 'skip', duplicates: 'skip' };

type More = Omit<Partial<Parameters<typeof runAction>[0]>, 'parameters' | 'files'>;

const run = async (file: Buffer | Buffer[], parameters: object = {}, more: More = {}) => {
	const files = [file].flat();
	return await runAction({
		credential,
		parameters: { ...create, ...parameters } as IDataObject,
		items: files.map((_, item) => ({ item })),
		files,
		...more,
	});
};

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

const rowsOf = (request: ModelRequest) =>
	namesIn(request).map((name) => Number(name.replace('row ', '')));
const acceptedSizes = () => service.accepted.map((request) => namesIn(request).length).sort();
const jsonOf = ({ items }: EngineResult) => items.map(({ json }) => json);

test('a problem is counted once, also in a file that is read twice', async () => {
	const options = { unusable: 'stop', duplicates: 'skip' };
	const { items } = await run(csv([...people(2), `${numberAt(1)},again`]), { options });
	expect(items[0]?.json).toMatchObject({ problemsCount: 1, file: { leftOut: { duplicate: 1 } } });
	expect(items[0]?.json.problems).toHaveLength(1);
});

describe('campaigns from a file', () => {
	test('are created as it is read, with an item for each', async () => {
		const result = await run(csv(people(25)), { options: { perCampaign: 10 } });
		expect(acceptedSizes()).toEqual([10, 10, 5]);
		expect(jsonOf(result)).toEqual([
			{
				...{ id: expect.any(String), sent: 'yes', campaign: 1, firstRow: 1, lastRow: 10 },
				...{ reason: 'Accepted by the service' },
				...{ recipients: 10, columnsUsed: ['phone', 'name'], columnsNotUsed: [] },
				file: { rows: 25, campaigns: 3, encoding: 'utf-8' },
			},
			expect.objectContaining({ campaign: 2, firstRow: 11, lastRow: 20, recipients: 10 }),
			expect.objectContaining({ campaign: 3, firstRow: 21, lastRow: 25, recipients: 5 }),
		]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
	});

	test.each(['create', 'createForClient'])('are voice campaigns, too (%s)', async (operation) => {
		const file = csv([`${numberAt(1)},row 1,Monday`], 'phone,name,Parameter 1');
		const result = await run(file, { ...voice, operation });
		expect(result.error).toBeUndefined();
		expect(service.accepted.map(({ body }) => body.phoneNumbers)).toEqual([
			[{ number: numberAt(1), name: 'row 1', parameters: [{ parameter: 1, value: 'Monday' }] }],
		]);
		expect(jsonOf(result)).toMatchObject([{ id: expect.any(Number), recipients: 1, firstRow: 1 }]);
	});

	test('have at most 10,000 recipients unless the user says so', async () => {
		await run(csv(people(20_001)));
		expect(acceptedSizes()).toEqual([1, 10_000, 10_000]);
	});

	test('come from the columns that the user names, and from JSON Lines', async () => {
		const lines = [1, 2].map((row) =>
			JSON.stringify({ person: { phone: numberAt(row), first: `row ${row}` } }),
		);
		const result = await run(Buffer.from(lines.join('\n')), {
			...{ options: { mappingMode: 'defineBelow' }, phoneNumberField: 'person.phone' },
			additionalFields: { otherFields: { name: 'person.first' } },
		});
		expect(result.error).toBeUndefined();
		expect(service.accepted.flatMap(namesIn)).toEqual(['row 1', 'row 2']);
	});

	test('list the columns that are not used, but none without a name', async () => {
		const { items } = await run(csv([`${numberAt(1)},x,,y`], 'phone,note,,'));
		expect(items[0]?.json).toMatchObject({ columnsUsed: ['phone'], columnsNotUsed: ['note'] });
	});

	test('have a field that only a later line of a JSON Lines file has', async () => {
		const lines = people(8000).map((_, row) =>
			JSON.stringify({ phone: numberAt(row + 1), ...(row < 7990 ? {} : { name: `row ${row}` }) }),
		);
		const { items } = await run(Buffer.from(lines.join('\n')));
		expect(service.accepted.flatMap(namesIn).filter(Boolean)).toHaveLength(10);
		expect(items[0]?.json.columnsUsed).toEqual(['phone', 'name']);
	});

	test.each([false, true])(
		'say how the file was decoded, and what to check (dry run: %s)',
		async (dryRun) => {
			const file = Buffer.from(
				`sep=;\nphone;name\n${numberAt(1)};Michał Wójcik\n`.replace('ł', '\xb3'),
				'latin1',
			);
			const { items, hints } = await run(file, { dryRun });
			const warning =
				'The file is read as windows-1250, which is a guess ("Michał"). If this word is wrong, set Encoding in File Options.';
			const encoding = 'windows-1250';
			expect(items[0]?.json).toMatchObject({
				warnings: [warning],
				...(dryRun ? { details: { encoding } } : { file: { encoding } }),
			});
			expect(hints).toContain(warning);
			expect(service.accepted.flatMap(namesIn)).toEqual(dryRun ? [] : ['Michał Wójcik']);
		},
	);

	test('leave out a row with a damaged byte, and no other', async () => {
		const file = Buffer.concat([
			csv(['+447700900001,Zoë']),
			Buffer.from('+447700900002,Zo\xeb\n', 'latin1'),
		]);
		const { items } = await run(file, { options: skip });
		expect(items[0]?.json.problems).toMatchObject([
			{
				line: 3,
				reason: 'the row contains a character that is not valid in the encoding of the file',
			},
		]);
		expect(items[0]?.binary).toBeUndefined();
		expect(service.accepted.flatMap(namesIn)).toEqual(['Zoë']);
	});

	test.each(['memory', 'a stream'])('are whole where a large file comes from %s', async (where) => {
		const folder = mkdtempSync(path.join(tmpdir(), 'file-recipients-'));
		try {
			const file = path.join(folder, 'people.csv');
			const content = csv(people(9000));
			writeFileSync(file, content);
			const { error } = await runAction({
				credential,
				parameters: create,
				files: [where === 'memory' ? content : binaryFile(file)],
			});
			expect(error).toBeUndefined();
			expect(service.accepted.flatMap(rowsOf)).toEqual(people(9000).map((_, row) => row + 1));
		} finally {
			rmSync(folder, { recursive: true });
		}
	});
});

describe('before anything is sent', () => {
	const bad = [...people(3), 'nope,row 4', `${numberAt(2)},row 5`, 'a'];

	test('Stop finds what is wrong in the last line', async () => {
		const { error } = await run(csv(bad), { options: { perCampaign: 1 } });
		expect(error?.message).toBe(
			'Contacts include 3 invalid or duplicate rows of 6 (first: line 5)',
		);
		expect(error?.description).toContain(
			'In line 5 of the file, the phone number is not a single number (nope). Leave one number in the field:',
		);
		expect(service.accepted).toEqual([]);
	});

	test.each([
		['an invalid row', { unusable: 'stop', duplicates: 'skip' }, 'nope,row 4'],
		['a duplicate', { unusable: 'skip', duplicates: 'stop' }, `${numberAt(2)},row 4`],
	])('%s stops the file, also where the others are skipped', async (_what, options, line) => {
		const lines = [...people(3), line];
		const { error } = await run(csv(lines), { options: { ...options, perCampaign: 1 } });
		expect(error?.message).toBe('Contacts include 1 invalid or duplicate row of 4 (first: line 5)');
		expect(error?.description).toContain('In line 5 of the file');
		expect(service.accepted).toEqual([]);
	});

	test('the error item lists the rows, and has them as a file', async () => {
		const { items, errorItems } = await run(
			csv(bad),
			{ fileOptions: { problemsFile: true } },
			{ onError: 'continueErrorOutput' },
		);
		expect(items).toEqual([]);
		expect(errorItems).toHaveLength(1);
		expect(errorItems[0]?.json).toMatchObject({
			sent: 'no',
			problemsCount: 3,
			problems: [
				{ line: 5, phoneNumber: 'nope', reason: expect.stringContaining('is not a single number') },
				{ line: 6, reason: 'the phone number is a duplicate of line 3' },
				{ line: 7, reason: 'the row has 1 cell, but the header has 2' },
			],
		});
		const { data = '' } = errorItems[0]?.binary?.problems ?? {};
		expect(Buffer.from(data, 'base64').toString()).toBe(
			[
				'\ufeffline of the file,why not sent,phone,name',
				'5,the phone number is not a single number (nope),nope,row 4',
				'7,"the row has 1 cell, but the header has 2",a',
				'',
			].join('\n'),
		);
	});

	/** The records of the problems file of a run, as any reader of CSV sees them. */
	const problemsIn = ({ items, errorItems }: EngineResult): string[][] => {
		const { data = '', fileName } = (items[0] ?? errorItems[0])?.binary?.problems ?? {};
		expect(fileName).toBe('problems.csv');
		return parse(Buffer.from(data, 'base64'), { bom: true });
	};
	const withProblemsFile = { options: skip, fileOptions: { problemsFile: true } };

	test('a problems file has no row that was sent anyway', async () => {
		const result = await run(csv([...people(2), `${numberAt(2)},row 3`, 'nope,row 4']), {
			options: { unusable: 'skip', duplicates: 'send' },
			fileOptions: { problemsFile: true },
		});
		expect(result.items[0]?.json).toMatchObject({ recipients: 3, problemsCount: 1 });
		expect(problemsIn(result).slice(1)).toEqual([
			['5', expect.stringContaining('is not a single number'), 'nope', 'row 4'],
		]);
	});

	test('a problems file that is fixed and sent reaches nobody twice, and nobody left out on purpose', async () => {
		const rows = [...people(2), 'nope,row 3', `${numberAt(1)},row 4`, `${numberAt(5)},row 5`];
		const first = await run(csv(rows), {
			...{ ...withProblemsFile, options: { ...skip, doNotContactNumbers: numberAt(5) } },
		});
		expect(first.items[0]?.json).toMatchObject({ recipients: 2, problemsCount: 3 });
		const { data = '' } = first.items[0]?.binary?.problems ?? {};
		await run(
			Buffer.from(
				Buffer.from(data, 'base64')
					.toString()
					.replace('nope,', `${numberAt(3)},`),
			),
			withProblemsFile,
		);
		const reached = service.accepted.flatMap(({ body }) => body.contacts as IDataObject[]);
		expect(reached.map(({ phoneNumber }) => phoneNumber)).toEqual([1, 2, 3].map(numberAt));
	});

	test('a problems file has nothing that a spreadsheet runs, and phone numbers as they are', async () => {
		const formulas = ['=1+1', '@SUM(A1)', '+A1', '-A1', '\t=1', '＝1+1', '＠SUM(A1)', '＋A1'];
		const others = ['+44 7700', '-5', '(020) 7946', 'a=b', 'x@example.com', '1-2', '-'];
		const rows = [...formulas, ...others].map((cell, row) => `nope,row ${row},"${cell}"`);
		const file = csv([...rows, `${numberAt(1)},row 99,`], 'phone,name,note');
		const cells = problemsIn(await run(file, withProblemsFile)).slice(1);
		expect(cells.map((row) => row.at(-1))).toEqual([
			...formulas.map((cell) => `'${cell}`),
			...others,
		]);
	});

	test('a problems file that n8n cannot store leaves the rows accounted for', async () => {
		const storing = jest
			.spyOn(Container.get(BinaryDataService), 'store')
			.mockRejectedValue(new Error('The disk is full'));
		const { items, error } = await run(csv([...people(2), 'nope,row 3']), withProblemsFile);
		storing.mockRestore();
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ sent: 'yes', recipients: 2, problemsCount: 1 });
		expect(items[0]?.binary).toBeUndefined();
		expect(service.accepted).toHaveLength(1);
	});

	test('a problems file can be sent again, as often as needed', async () => {
		// The encoding is that of the first file, and its columns have the names of ours.
		const latin = {
			...{ ...withProblemsFile, additionalFields: { otherFields: { custom1: 'reason' } } },
			fileOptions: { problemsFile: true, encoding: 'windows-1252' },
		};
		const header = 'phone,line,reason,name';
		const rows = [`${numberAt(1)},1,visit,row 7`, 'nope,2,Café,row 8', 'nope,3,tea,row 9'];
		const first = await run(Buffer.from(csv(rows, header).toString(), 'latin1'), latin);
		const { data = '' } = first.items[0]?.binary?.problems ?? {};
		const fixed = Buffer.from(data, 'base64')
			.toString()
			.replace('nope,2', `${numberAt(2)},2`);
		const second = await run(Buffer.from(fixed), latin);
		expect(problemsIn(second)).toEqual([
			['line of the file', 'why not sent', 'phone', 'line', 'reason', 'name'],
			['3', expect.stringContaining('is not a single number'), 'nope', '3', 'tea', 'row 9'],
		]);
		expect(service.accepted.map(({ body }) => body.contacts)).toMatchObject([
			[{ custom1: 'visit' }],
			[{ custom1: 'Café' }],
		]);
	});

	test('a problems file has all cells of all rows, with any characters in them', async () => {
		const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', ' ', 'é') });
		const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
		// A spreadsheet may run what follows a line break at the start of a cell.
		const asNoFormula = (text: string) => text.replace(/^\n/, "'\n");
		await holds(
			fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1 }), async (rows) => {
				const lines = rows.map((cells) => ['nope', ...cells].map(quoted).join(','));
				const file = csv([...people(1).map((row) => `${row},`), ...lines], 'phone,name,city');
				const [header, ...problems] = problemsIn(await run(file, withProblemsFile));
				expect(header).toEqual(['line of the file', 'why not sent', 'phone', 'name', 'city']);
				expect(problems.map(([, , ...cells]) => cells)).toEqual(
					rows.map((cells) => ['nope', ...cells.map(asNoFormula)]),
				);
			}),
			15,
		);
	});

	test('a long problems file has each row once, and the output the first 1,000', async () => {
		const bad = Array.from({ length: 1001 }, (_, row) => `nope,row ${row}`);
		const result = await run(csv([...people(1), ...bad]), withProblemsFile);
		const [, ...problems] = problemsIn(result);
		expect(problems.map(([, , ...cells]) => cells.join())).toEqual(bad);
		const { problems: listed, problemsCount } = result.items[0]?.json ?? {};
		expect(problemsCount).toBe(1001);
		expect((listed as IDataObject[]).map(({ line }) => line)).toEqual(
			Array.from({ length: 1000 }, (_, row) => row + 3),
		);
	});

	test('the problems file of JSON Lines is a CSV file, too', async () => {
		const lines = [
			...[{ phone: numberAt(1), tags: ['a'] }, { phone: 'nope', tags: ['a', 'b'], age: 7 }, 5],
			...[{ phone: 'no', age: null }],
		].map((line) => JSON.stringify(line));
		const result = await run(Buffer.from(lines.join('\n')), withProblemsFile);
		expect(problemsIn(result)).toEqual([
			['line of the file', 'why not sent', 'phone', 'tags', 'age'],
			['2', expect.any(String), 'nope', '["a","b"]', '7'],
			['3', 'the row is not a JSON object', '', '', ''],
			['4', expect.any(String), 'no', '', ''],
		]);
	});

	test('the problems file of JSON Lines has all columns in each row, also those of much later lines', async () => {
		const bad = Array<object>(3000).fill({ phone: 'nope', note: 'a\n"b', city: 'Leeds' });
		const lines = [...bad, { phone: 'no', age: 7 }, { phone: numberAt(1), more: 1 }];
		const file = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
		const problems = problemsIn(await run(file, withProblemsFile));
		expect(problems.map(([, , ...cells]) => cells)).toEqual([
			['phone', 'note', 'city', 'age', 'more'],
			...bad.map(() => ['nope', 'a\n"b', 'Leeds', '', '']),
			['no', '', '', '7', ''],
		]);
	});

	test.each(['stop', 'skip'])(
		'rows that the sending policy refuses are in the same CSV (%s)',
		async (unusable) => {
			const policy = { ...credential, sendingPolicy: true, allowedCountries: ['GB'] };
			const rows = [...people(2), '+33612345678,row 3', 'nope,row 4', '+4915112345678,row 5'];
			const result = await run(
				csv(rows),
				{
					options: { ...skip, unusable, perCampaign: 2 },
					fileOptions: { problemsFile: true, startAtRow: 2 },
				},
				{ credential: policy, onError: 'continueErrorOutput' },
			);
			expect(service.accepted).toEqual([]);
			expect(problemsIn(result)).toEqual([
				['line of the file', 'why not sent', 'phone', 'name'],
				['4', expect.stringMatching(/^the phone number /), '+33612345678', 'row 3'],
				['5', expect.stringContaining('is not a single number'), 'nope', 'row 4'],
				['6', expect.stringMatching(/^the phone number /), '+4915112345678', 'row 5'],
			]);
		},
	);

	test.each([1, 2, 3, 4, 100])(
		'rows that the sending policy refuses are named by their own lines, with %i contacts per campaign',
		async (perCampaign) => {
			const policy = { ...credential, sendingPolicy: true, allowedCountries: ['GB'] };
			const [one = '', two = '', three = ''] = people(3);
			const french = (row: number) => `+3361234567${row},row ${row}`;
			const rows = [one, 'nope,row 2', french(3), two, french(5), one, ',', french(8), three];
			const options = { ...skip, perCampaign };
			const settings = { credential: policy, onError: 'continueErrorOutput' as const };
			const wanted = { options, fileOptions: { problemsFile: true } };
			const result = await run(csv(rows), wanted, settings);
			const inFile = problemsIn(result).slice(1);
			expect(sortBy(inFile.map(([line, , ...cells]) => [line, cells.join(',')]))).toEqual(
				[2, 3, 5, 8].map((row) => [String(row + 1), rows[row - 1]]),
			);
			const listed = result.errorItems[0]?.json.problems as IDataObject[];
			expect(sortBy(listed.map(({ line, phoneNumber }) => [line, phoneNumber]))).toEqual(
				[2, 3, 5, 6, 8].map((row) => [row + 1, rows[row - 1]?.split(',')[0]]),
			);
			expect(service.accepted).toEqual([]);
		},
	);

	test('Skip sends the others; the first item alone counts those that are left out, and has their file', async () => {
		const result = await run(csv(bad), {
			options: { ...skip, perCampaign: 1 },
			fileOptions: { problemsFile: true },
		});
		expect(service.accepted.flatMap(rowsOf).sort()).toEqual([1, 2, 3]);
		expect(jsonOf(result)[0]).toMatchObject({
			file: { rows: 6, campaigns: 3, leftOut: { invalid: 2, duplicate: 1 } },
			problemsCount: 3,
		});
		const ofFile = ['file', 'problems', 'problemsCount', 'columnsUsed', 'binary'];
		expect(result.items.map((item) => keys(pick({ ...item.json, ...item }, ofFile)))).toEqual([
			ofFile,
			[],
			[],
		]);
	});

	test('Send Anyway counts nobody whom it sends to as left out', async () => {
		const rows = [...people(1), `${numberAt(1)},row 2`, 'none,row 3'];
		const result = await run(csv(rows), { options: { unusable: 'send', duplicates: 'send' } });
		expect(service.accepted.flatMap(rowsOf)).toEqual([1, 2, 3]);
		expect(jsonOf(result)[0]).toMatchObject({ recipients: 3 });
		expect(jsonOf(result)[0]?.file).not.toHaveProperty('leftOut');
	});

	test('Send Anyway sends no row whose cells may be those of other columns, and counts it', async () => {
		const result = await run(csv([...people(1), '+447700900199,row 2,x']), {
			options: { unusable: 'send' },
		});
		expect(service.accepted.flatMap(rowsOf)).toEqual([1]);
		expect(jsonOf(result)[0]).toMatchObject({
			file: { leftOut: { invalid: 1 } },
			problemsCount: 1,
		});
	});

	test('the sending policy looks at the whole file', async () => {
		const policy = { ...credential, sendingPolicy: true, allowedCountries: ['GB'] };
		const file = csv([...people(3), '+4915112345678,row 4']);
		const options = { ...skip, perCampaign: 1 };
		const blocked = await run(file, { options }, { credential: policy });
		expect(blocked.error?.message).toMatch(/^Sending Policy/);
		const most = { ...credential, sendingPolicy: true, maxRecipients: 3 };
		const tooMany = await run(file, { options }, { credential: most });
		expect(tooMany.error?.message).toBe('The Sending Policy allows 3 recipients in one execution');
		expect(service.accepted).toEqual([]);
		await run(csv(people(3)), { options }, { credential: most });
		expect(service.accepted).toHaveLength(3);
	});

	test('numbers that must not be contacted are left out', async () => {
		await run(csv(people(3)), { options: { doNotContactNumbers: numberAt(2) } });
		expect(service.accepted.flatMap(rowsOf)).toEqual([1, 3]);
	});

	test('a file of which all rows are left out gets the reason of the first', async () => {
		const { error } = await run(csv(['nope,row 1', 'a']), { options: skip });
		expect(error?.message).toBe('Contacts are all left out');
		expect(error?.description).toContain(
			'None of 2 is left to send to. For the first of them, the phone number',
		);
	});

	test('Dry Run says of a file what the run then does', async () => {
		const kinds = {
			...{ person: people(9), again: [`${numberAt(1)},again`], invalid: ['nope,row'] },
			...{ blank: [','], short: [numberAt(99)], none: [',nobody'] },
		};
		const kind = fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[]));
		const problem = fc.constantFrom('skip', 'send');
		const given = fc.record({
			rows: fc.array(kind, { minLength: 5, maxLength: 12 }),
			options: fc.record({
				...{ unusable: problem, duplicates: problem },
				perCampaign: fc.integer({ min: 1, max: 9 }),
			}),
		});
		await holds(
			fc.asyncProperty(given, async ({ rows, options }) => {
				const lines = rows.map((each, row) => kinds[each][row % kinds[each].length] ?? '');
				const file = csv([...people(1), ...lines]);
				const [planned] = jsonOf(await run(file, { options, dryRun: true }));
				const items = jsonOf(await run(file, { options }));
				const { details, campaigns, recipients } = planned as Record<string, IDataObject>;
				const { rows: count, encoding, leftOut, columnsUsed, reasons } = details ?? {};
				const { file: ran } = items[0] as { file: IDataObject };
				const { problems = [], problemsCount = 0 } = items[0] ?? {};
				const kindsOf = reasons as { code: string; count: number; first: IDataObject }[];
				expect(new Set(kindsOf.map(({ code }) => code)).size).toBe(kindsOf.length);
				expect(sumOf(kindsOf.map(({ count: each }) => each))).toBe(problemsCount);
				expect(problems).toEqual(expect.arrayContaining(kindsOf.map(({ first }) => first)));
				expect({ recipients, columnsUsed, rows: count, campaigns, encoding, leftOut }).toEqual({
					recipients: sumOf(items.map((item) => Number(item.recipients))),
					columnsUsed: items[0]?.columnsUsed,
					leftOut: undefined,
					...ran,
				});
			}),
			10,
		);
	});

	test('Dry Run describes the whole file and sends nothing', async () => {
		const file = csv([...people(4), '+4915112345678,row five']);
		const result = await run(file, {
			...{ dryRun: true, message: 'Hello, name' },
			options: { perCampaign: 2 },
		});
		expect(service.accepted).toEqual([]);
		expect(jsonOf(result)).toMatchObject([
			{
				...{ dryRun: true, wouldSend: true, campaigns: 3, recipients: 5 },
				reason: expect.stringMatching(/^Would be sent: 5 people, 5 SMS parts/),
				details: {
					...{ rows: 5, byCountry: { GB: 4, DE: 1 } },
					message: { units: 'Hello, name'.length, partsInAll: 5 },
				},
			},
		]);
	});

	const lineOfFields = (count: number) =>
		JSON.stringify(
			Object.fromEntries(Array.from({ length: count }, (_, name) => [name, numberAt(name)])),
		);

	test('a file may have 1,000 columns', async () => {
		const { error } = await run(Buffer.from(lineOfFields(1000)), { phoneNumberField: '999' });
		expect(error).toBeUndefined();
		expect(service.accepted).toHaveLength(1);
	});

	test.each<[string, Buffer | string, object, string]>([
		['gzip', Buffer.from([31, 139, 8, 0]), {}, 'The file contains binary data'],
		['an unclosed quote', 'phone\n"+44', {}, 'Line 2 of the file has a quote that is not closed'],
		[
			'no such column',
			'number\n1',
			{},
			'names "phone", which is no column of the file. Type the name of the column as the file has it. There are: number.',
		],
		[
			'too many columns',
			lineOfFields(1001),
			{},
			'Line 1 of the file has a column too many: 1000 are the maximum',
		],
		['an empty file', '', {}, 'Contacts are empty: the file has no rows. The first row names'],
		['only a header', 'phone\n', {}, 'Contacts are empty: the file has no rows'],
		['rows that do not exist', 'phone\n+447700900123', { startAtRow: 2 }, 'Start at Row is after'],
	])('%s gets a clear message', async (_name, file, fileOptions, message) => {
		const { error } = await run(Buffer.from(file), { fileOptions });
		expect(`${error?.message}. ${error?.description}`).toContain(message);
		expect(error?.description).toContain('Nothing was sent');
		expect(service.accepted).toEqual([]);
	});

	test.each(['phone.mobile', 'phone[0]', 'name.phone', 'Phone'])(
		'%j is no column of a file with the columns phone and name',
		async (phoneNumberField) => {
			const { error } = await run(csv(people(2)), { phoneNumberField });
			expect(`${error?.message}. ${error?.description}`).toContain(
				`names "${phoneNumberField}", which is no column of the file.`,
			);
			expect(service.accepted).toEqual([]);
		},
	);

	test.each([
		['delimiter', 'Delimiter', [undefined, null, '', 'x', 0, {}]],
		['encoding', 'Encoding', [undefined, null, '', 'utf-7', true, []]],
		['startAtRow', 'Start at Row', [undefined, null, '', 0, -1, 1.5, 'two', {}]],
		['problemsFile', 'Problems File', [undefined, null, '', 'maybe', 7, {}]],
	])('a value of %s from an expression that is none is refused', async (name, label, values) => {
		for (const value of values) {
			const { error } = await run(
				csv(people(1)),
				{ fileOptions: { [name]: '={{ $json.value }}' } },
				{ items: [{ value }] as IDataObject[] },
			);
			expect([value, error?.message]).toEqual([value, expect.stringContaining(label)]);
		}
		expect(service.accepted).toEqual([]);
	});
});

test('a file whose last row is left out, and is the one to start at, has nobody to send to', async () => {
	const rows = ['none,row 1', ...people(1), 'none,row 3'];
	const { error } = await run(csv(rows), { options: skip, fileOptions: { startAtRow: 3 } });
	expect(error?.message).toBe('Contacts are all left out');
	expect(error?.description).toMatch(/^None of 1 is left to send to\. For the first of them, the /);
});

test('a dry run says of a file with nobody to send to that nothing would be sent', async () => {
	const { items } = await run(csv(['none,row 1', ...people(1)]), {
		...{ dryRun: true, options: { ...skip, doNotContactNumbers: numberAt(1) } },
	});
	expect(items[0]?.json).toMatchObject({
		wouldSend: false,
		reason: expect.stringContaining('Contacts are all left out'),
	});
});

test('what is wrong with rows before Start at Row stops nothing, and is not counted', async () => {
	const rows = ['phone,name', '12,', ...Array<string>(2).fill('+447700900123,N/A'), 'x,'];
	rows.push('+447700900124,Ann');
	const { error, items } = await run(Buffer.from(rows.join('\n')), {
		fileOptions: { startAtRow: 5 },
	});
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toEqual([expect.objectContaining({ recipients: 1 })]);
	expect(items[0]?.json.file).not.toHaveProperty('leftOut');
	expect(items[0]?.json.warnings).toBeUndefined();
});

/** What may be wrong with a row of a generated file. */
type Flaw = 'none' | 'noNumber' | 'duplicate' | 'cells';

const lineOf = (flaw: Flaw, row: number) => {
	if (flaw === 'cells') return 'a,b,c';
	const number = flaw === 'noNumber' ? '' : numberAt(flaw === 'duplicate' ? 1 : row);
	return `"${number}",row ${row}`;
};

const scenario = fc.record({
	flaws: fc.array(
		fc.oneof(
			{ weight: 8, arbitrary: fc.constant<Flaw>('none') },
			{ weight: 1, arbitrary: fc.constantFrom<Flaw>('noNumber', 'duplicate', 'cells') },
		),
		{ minLength: 1, maxLength: 14 },
	),
	unusable: fc.constantFrom('stop', 'skip', 'skip'),
	duplicates: fc.constantFrom('stop', 'skip', 'skip'),
	perCampaign: fc.integer({ min: 1, max: 4 }),
	startAtRow: fc.integer({ min: 1, max: 3 }),
	onError: fc.constantFrom<INode['onError']>(
		'continueErrorOutput',
		'continueRegularOutput',
		'stopWorkflow',
	),
	isRetried: fc.boolean(),
	behaviours: fc.array(
		fc.constantFrom<Behaviour>(
			...(['accept', 'accept', 'accept', 'reject', 'failAfter'] as const),
			...(['cutBefore', 'cutAfter', 'acceptVaguely'] as const),
		),
		{ minLength: 1, maxLength: 8 },
	),
});

test('what the service accepted is what is reported, and nobody gets it twice', async () => {
	await holds(
		fc.asyncProperty(scenario, async (options) => {
			service.reset();
			const { flaws, behaviours, onError, isRetried, startAtRow } = options;
			let requests = 0;
			service.decide = () => behaviours[requests++] ?? 'accept';
			const { unusable, duplicates, perCampaign } = options;
			const result = await run(
				csv(flaws.map((flaw, index) => lineOf(flaw, index + 1))),
				{
					options: { unusable, duplicates, perCampaign },
					fileOptions: { startAtRow, problemsFile: true },
				},
				{
					onError,
					...(isRetried
						? { settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } }
						: {}),
				},
			);
			const accepted = service.accepted.flatMap(rowsOf);
			expect(new Set(accepted).size).toBe(accepted.length);
			expect(accepted.every((row) => row >= startAtRow)).toBe(true);
			const report = expectReported(result, flaws, accepted, options);
			if (report === undefined) return;
			service.decide = () => 'accept';
			const possibly = rowsIn(String(report.possiblySentRows ?? ''));
			const next = Number(report.continueAtRow ?? 0);
			if (next > 0 && next <= flaws.length) {
				const lines = flaws.map((flaw, index) => lineOf(flaw, index + 1));
				const fileOptions = { startAtRow: next };
				await run(csv(lines), { options: { unusable, duplicates, perCampaign }, fileOptions });
			}
			// Whoever follows the report reaches everybody once.
			const reached = service.accepted.flatMap(rowsOf);
			const isCertain = (row: number) => !possibly.includes(row);
			expect(reached.filter(isCertain)).toEqual(goodRows(flaws, startAtRow).filter(isCertain));
		}),
		8,
	);
}, 300_000);

/** Rows of a file that are sent to, if nothing stops it: the first of each number. */
function goodRows(flaws: readonly Flaw[], startAtRow: number): number[] {
	const known = new Set<number>();
	return flaws.flatMap((flaw, index) => {
		const person = flaw === 'duplicate' ? 1 : index + 1;
		if (flaw === 'noNumber' || flaw === 'cells' || known.has(person)) return [];
		known.add(person);
		return index + 1 >= startAtRow ? [index + 1] : [];
	});
}

/** @returns what the failed run reports, where some of it was sent or may have been */
function expectReported(
	result: EngineResult,
	flaws: readonly Flaw[],
	accepted: readonly number[],
	{ startAtRow, unusable }: { startAtRow: number; unusable: string },
): IDataObject | undefined {
	const { items, errorItems, error } = result;
	const good = goodRows(flaws, startAtRow);
	const all = [...items, ...errorItems];
	// The input item leaves by exactly one branch: as its campaigns, or as one error item.
	const failed = all.filter(({ json }) => json.error !== undefined);
	if (error === undefined)
		expect(failed.length === 0 ? all.length > 0 : all.length === 1).toBe(true);
	if (error === undefined && failed.length === 0) {
		expect([...accepted].sort((a, b) => a - b)).toEqual(good);
		expect(all.reduce((sum, { json }) => sum + Number(json.recipients), 0)).toBe(good.length);
		const { leftOut = {} } = all[0]?.json.file as { leftOut?: Record<string, number> };
		const rows = flaws.length - startAtRow + 1;
		expect(sumOf(Object.values(leftOut))).toBe(rows - good.length);
		return undefined;
	}
	const report = error === undefined ? (failed[0]?.json ?? {}) : reportIn(error.description ?? '');
	const sent = rowsIn(String(report.sentRows ?? ''));
	const possibly = rowsIn(String(report.possiblySentRows ?? ''));
	for (const row of good.filter((each) => sent.includes(each))) expect(accepted).toContain(row);
	for (const row of accepted) expect([...sent, ...possibly]).toContain(row);
	const hasFlaw = flaws.some(
		(flaw, index) =>
			index + 1 >= startAtRow &&
			(flaw === 'noNumber' || flaw === 'cells' ? unusable === 'stop' : false),
	);
	if (hasFlaw) expect(accepted).toEqual([]);
	if (sent.length + possibly.length === 0) {
		expect(error === undefined ? report.sent : 'no').toBe('no');
		return undefined;
	}
	// Each row with a recipient is named once, or comes later.
	const named = [...sent, ...possibly];
	expect(new Set(named).size).toBe(named.length);
	const next = Number(report.continueAtRow ?? Infinity);
	for (const row of good) expect(named.includes(row)).toBe(row < next);
	// Nobody is told to continue where nobody is left.
	if (report.continueAtRow !== undefined) expect(good.at(-1)).toBeGreaterThanOrEqual(next);
	return report;
}

/** The rows in an error's description. */
function reportIn(description: string): IDataObject {
	const rows = (label: string) =>
		new RegExp(`(?:^| )${label}: rows? ([^.]+?) of the file\\.`).exec(description)?.[1];
	const next = /Start at Row in File Options to (\d+),/.exec(description)?.[1];
	return {
		sentRows: rows('Sent'),
		possiblySentRows: rows('Possibly sent'),
		...(next === undefined ? {} : { continueAtRow: next }),
	};
}

describe('a run that fails in the middle of a file', () => {
	const failing = async (
		behave: (rows: number[]) => Behaviour,
		more: object = {},
		settings: More = {},
	) => {
		service.decide = (request) => behave(rowsOf(request));
		const options = { ...skip, perCampaign: 10 };
		const { errorItems } = await run(
			csv(people(50)),
			{ options, ...more },
			{ onError: 'continueErrorOutput', ...settings },
		);
		expect(errorItems).toHaveLength(1);
		return errorItems[0]?.json ?? {};
	};

	test('knows who was in the rows before the one to continue at', async () => {
		const [first = '', second = ''] = people(2);
		const file = csv([first, second, first]);
		await run(file, { options: skip, fileOptions: { startAtRow: 2 } });
		expect(service.accepted.flatMap(rowsOf)).toEqual([2]);
	});

	test.each<[Behaviour, RegExp]>([
		['reject', /^Sent in part: /],
		['failAfter', /^Possibly sent: /],
	])('says what it knows, where its last campaign meets "%s"', async (behaviour, reason) => {
		const json = await failing((rows) => (rows.includes(31) ? behaviour : 'accept'));
		expect(json.reason).toMatch(reason);
	});

	test.each(['continueErrorOutput', 'stopWorkflow'] as const)(
		'says nothing of continuing where its last campaign was possibly sent (%s)',
		async (onError) => {
			service.decide = (request) => (rowsOf(request).includes(9) ? 'failAfter' : 'accept');
			const options = { ...skip, perCampaign: 8 };
			const result = await run(csv([...people(10), 'nobody,row 11']), { options }, { onError });
			const [json = {}] = result.errorItems.map((item) => item.json);
			expect(json).not.toHaveProperty('continueAtRow');
			const description = String(result.error?.description ?? json.description);
			expect(description).toContain('Possibly sent: rows 9 to 10 of the file.');
			expect(description).not.toContain('Start at Row');
		},
	);

	test('sends one campaign at a time, in order, and says at which row to continue', async () => {
		const json = await failing((rows) => (rows.includes(31) ? 'reject' : 'accept'));
		expect(service.accepted.map((request) => rowsOf(request)[0])).toEqual([1, 11, 21]);
		expect(json).toMatchObject({ sent: 'possibly', sentRows: '1 to 30', continueAtRow: 31 });
		expect(json).not.toHaveProperty('possiblySentRows');
		expect(json.created).toHaveLength(3);
		expect(json.description).toContain(
			'Sent: rows 1 to 30 of the file. To continue in a new execution, set Start at Row in File Options to 31,',
		);
	});
});

test('a row that failed before, and fails again, says nothing of the earlier failure', async () => {
	const details = [
		...['httpStatus', 'field', 'policyRule', 'allowed', 'nextAllowedTime', 'refusedCount'],
		...['refused', 'skipped', 'skippedCount', 'created', 'sentRows', 'possiblySentRows'],
		...['continueAtRow', 'problemsCount', 'problems', 'error', 'sent'],
	];
	const earlier = Object.fromEntries(details.map((name) => [name, 'earlier']));
	service.decide = () => 'reject';
	const again = await run(
		csv(people(3)),
		{ options: skip },
		{
			...{ onError: 'continueErrorOutput', items: [{ ...earlier, name: 'Ann' }] },
		},
	);
	const [json] = JSON.parse(JSON.stringify(jsonOf({ ...again, items: again.errorItems })));
	expect(json).toMatchObject({ name: 'Ann', sent: 'no', httpStatus: 400 });
	expect(Object.values(json)).not.toContain('earlier');
});

describe('a run that was stopped', () => {
	test('by hand says which rows were sent, and where to continue', async () => {
		let cancel: () => void = () => undefined;
		const cancelled = new Promise<void>((resolve) => {
			cancel = resolve;
		});
		service.decide = () => {
			if (service.accepted.length === 2) cancel();
			return 'accept';
		};
		const { error } = await run(
			csv(people(400)),
			{ options: { perCampaign: 1 } },
			{ cancel: cancelled },
		);
		const [, next] = /Start at Row in File Options to (\d+)/.exec(error?.description ?? '') ?? [];
		expect(Number(next)).toBe(service.accepted.length + 1);
		expect(error?.description).toMatch(/^Sent: rows 1 to \d+ of the file\./);
	});

	test('by the file of one item does not begin with that of the next', async () => {
		service.decide = (request) => (rowsOf(request).includes(1) ? 'reject' : 'accept');
		const { error } = await run([csv(people(1)), csv(['+447700900777,row 7'])]);
		expect(error?.message).toBe('Message: not today');
		expect(service.accepted).toEqual([]);
	});

	test('among the files of several items says of each item, and of the file it was in, what was sent', async () => {
		service.decide = () => (service.accepted.length < 3 ? 'accept' : 'reject');
		const files = [people(2), ['+447700900777,row 3', '+447700900778,row 4'], people(1)];
		const { error } = await run(
			files.map((rows) => csv(rows)),
			{ options: { perCampaign: 1 } },
		);
		expect(service.accepted).toHaveLength(3);
		expect(error?.description).toMatch(
			/Item 1: Sent: row 1 of the file\..* Sent: item 0\. Not sent: item 2\./,
		);
	});

	test.each([
		['of other rows', people(7).slice(1), {}],
		['that is read in another way', people(6), { fileOptions: { delimiter: ',' } }],
	])('and is a file %s in a retry sends nothing more', async (_, rows, fields) => {
		service.decide = () => (service.accepted.length < 2 ? 'accept' : 'reject');
		const parameters = { ...create, options: { perCampaign: 2 } };
		const { run: failed } = await runAction({ credential, parameters, files: [csv(people(6))] });
		service.decide = () => 'accept';
		// The input items are those of the failed execution.
		const item = failed.data.executionData?.nodeExecutionStack[0]?.data.main?.[0]?.[0];
		if (item?.binary?.data !== undefined) item.binary.data.data = csv(rows).toString('base64');
		const { error } = await retryAction(failed, {
			credential,
			parameters: { ...parameters, ...fields },
		});
		expect(error?.message).toBe('The items differ from those of the earlier try');
		expect(service.accepted).toHaveLength(2);
	});

	test('finds duplicates of what it had sent in its retry, and names their lines', async () => {
		service.decide = () => (service.accepted.length < 1 ? 'accept' : 'reject');
		const rows = ['none,row 1', ...people(2), `${numberAt(1)},row 4`, ...people(4).slice(2)];
		const options = { ...skip, perCampaign: 2 };
		const settings = { credential, parameters: { ...create, options }, files: [csv(rows)] };
		const { run: failed } = await runAction(settings);
		service.decide = () => 'accept';
		const { items } = await retryAction(failed, settings);
		expect(service.accepted.flatMap(rowsOf)).toEqual([1, 2, 3, 4]);
		expect(items[0]?.json.problems).toMatchObject([
			{ line: 2 },
			{ line: 5, reason: 'the phone number is a duplicate of line 3' },
		]);
	});

	test.each([
		['a list', { phoneNumbersSource: 'json', phoneNumbersJson: [1, 2, 3].map(numberAt) }],
		['a file', voice],
	])('numbers the voice campaigns of %s on in its retry', async (_, source) => {
		service.decide = () => (service.accepted.length < 1 ? 'accept' : 'reject');
		const options = { perCampaign: 1 };
		const settings = {
			credential,
			parameters: { ...voiceParameters, operation: 'create', ...source, options },
			files: [csv(people(3))],
		};
		const { run: failed } = await runAction(settings);
		service.decide = () => 'accept';
		const { items } = await retryAction(failed, settings);
		expect(service.accepted.map(({ body }) => body.name)).toEqual(['May', 'May (2)', 'May (3)']);
		expect(items.map(({ json }) => json.campaign)).toEqual([1, 2, 3]);
	});

	test('and may not send in a retry says where to continue', async () => {
		service.decide = () => (service.accepted.length < 2 ? 'accept' : 'reject');
		const parameters = { ...create, options: { perCampaign: 2 } };
		const options = { credential, parameters, files: [csv(people(6))] };
		const { run: failed } = await runAction(options);
		const paused = { ...credential, sendingPolicy: true, pauseSending: true };
		const { error } = await retryAction(failed, { ...options, credential: paused });
		expect(error?.message).toBe('Sending is paused by the Sending Policy');
		expect(error?.description).toContain('set Start at Row in File Options to 5,');
	});

	test.each([
		['', {}],
		[
			', also where all of its rows reach Max Recipients',
			{ sendingPolicy: true, maxRecipients: 10 },
		],
	])('by a failure is continued by Retry in the list of executions%s', async (_, policy) => {
		const parameters = { ...create, options: { perCampaign: 2 } };
		service.decide = () => (service.accepted.length < 3 ? 'accept' : 'reject');
		const files = [csv(people(10))];
		const options = { credential: { ...credential, ...policy }, parameters, files };
		const first = await runAction(options);
		expect(first.error?.description?.match(/Sent: rows 1 to 6 of the file\./g)).toHaveLength(1);
		expect(JSON.stringify(first.run.data.executionData?.contextData)).not.toContain(numberAt(1));
		service.decide = () => (service.accepted.length < 4 ? 'accept' : 'reject');
		const second = await retryAction(first.run, options);
		expect(second.error?.description).toContain('Sent: rows 1 to 8 of the file.');
		service.decide = () => 'accept';
		const refused = await retryAction(first.run, options);
		expect(refused.error?.message).toMatch(/was retried before/);
		// The retry that it names says which rows were sent.
		expect(refused.error?.description).not.toContain('of the file');
		const last = await retryAction(second.run, options);
		expect(last.error).toBeUndefined();
		expect(last.items).toHaveLength(5);
		expect(service.accepted.flatMap(rowsOf)).toEqual(people(10).map((_, row) => row + 1));
	});
});
