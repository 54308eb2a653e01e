import range from 'lodash/range';
import type { Complaint } from '../../../nodes/MessagingService/recipients/checks';
import { Problems } from '../../../nodes/MessagingService/recipients/file/problems';
import type { FileRow } from '../../../nodes/MessagingService/recipients/file/rows';

const complaint = (line: number, others: Partial<Complaint> = {}): Complaint => ({
	...{ itemIndex: line, phoneNumber: 'nope', reason: 'is missing', code: 'field' },
	...others,
});
const csvRow = (line: number, cells: string[], columns = ['phone', 'name']): FileRow => ({
	line,
	values: {},
	record: { columns, cells },
});

/** Problems whose file is kept: its parts by their names. */
function problemsWithFile() {
	const parts: Record<string, string> = {};
	const problems = new Problems(async (content, name) => {
		expect(parts).not.toHaveProperty([name]);
		parts[name] = content.toString();
	});
	return { problems, parts };
}

test('a row of a JSON Lines problems file that is sent again gets its new line and reason', async () => {
	const { problems, parts } = problemsWithFile();
	problems.add(complaint(2), {
		line: 2,
		values: { line: 7, reason: 'was a duplicate', phone: 'nope' },
	});
	await problems.flush(true);
	expect(parts).toEqual({
		'problems.jsonl': '{"line":2,"reason":"is missing","phone":"nope"}\n',
	});
});

test('a row of a CSV problems file that is sent again does, too', async () => {
	const { problems, parts } = problemsWithFile();
	const columns = ['line', 'phone', 'reason', ''];
	problems.add(complaint(2), csvRow(2, ['7', 'nope', 'was a duplicate', 'x', 'one more'], columns));
	await problems.flush(true);
	expect(parts).toEqual({
		'problems.csv': 'line,reason,phone,\n2,is missing,nope,x,one more\n',
	});
});

test.each(['a"b', 'a,b', 'a;b', 'a\rb', 'a\nb'])('%j is one cell of the file', async (cell) => {
	const { problems, parts } = problemsWithFile();
	problems.add(complaint(2), csvRow(2, [cell, 'a b']));
	await problems.flush(true);
	expect(parts['problems.csv']).toBe(
		`line,reason,phone,name\n2,is missing,"${cell.replace('"', '""')}",a b\n`,
	);
});

test('a long file is stored in parts, each with the header, and nothing twice', async () => {
	const { problems, parts } = problemsWithFile();
	const line = 'x'.repeat(1_000_000);
	await problems.flush();
	for (const number of range(1, 10)) {
		problems.add(complaint(number), csvRow(number, [line, '']));
		await problems.flush();
	}
	expect(Object.keys(parts)).toEqual(['problems.csv', 'problems-2.csv']);
	await problems.flush(true);
	await problems.flush(true);
	expect(Object.keys(parts)).toEqual(['problems.csv', 'problems-2.csv', 'problems-3.csv']);
	const linesIn = (text: string) => text.split('\n').map((each) => each.split(',')[0]);
	expect(Object.values(parts).map(linesIn)).toEqual([
		['line', '1', '2', '3', '4', ''],
		['line', '5', '6', '7', '8', ''],
		['line', '9', ''],
	]);
});

test('a file without problems, or without a wish for them, has no file of them', async () => {
	const { problems, parts } = problemsWithFile();
	await problems.flush(true);
	expect(parts).toEqual({});
	await expect(new Problems(undefined).flush(true)).resolves.toBeUndefined();
});

test('all problems are counted by their codes, and the first of them listed', () => {
	const problems = new Problems(undefined);
	const advice = 'Add a country code.';
	const nextAllowedTime = '2030-05-18T08:00:00Z';
	problems.add(complaint(1, { advice }), undefined);
	problems.add(complaint(2, { code: 'duplicate', nextAllowedTime }), undefined);
	for (const line of range(3, 1003)) problems.add(complaint(line), undefined);
	const first = { line: 1, phoneNumber: 'nope', reason: 'is missing', advice };
	const second = { line: 2, phoneNumber: 'nope', reason: 'is missing', nextAllowedTime };
	expect(problems.total).toBe(1002);
	expect(problems.listed).toHaveLength(1000);
	expect(problems.listed.slice(0, 3)).toStrictEqual([
		...[first, second],
		{ line: 3, phoneNumber: 'nope', reason: 'is missing' },
	]);
	expect([...problems.reasons]).toStrictEqual([
		['field', { count: 1001, first }],
		['duplicate', { count: 1, first: second }],
	]);
});

test('the values of problems are shown as they are, but for very long texts', () => {
	const problems = new Problems(undefined);
	for (const phoneNumber of ['é'.repeat(300), 12, undefined, null])
		problems.add(complaint(1, { phoneNumber }), undefined);
	expect(problems.listed.map(({ phoneNumber }) => phoneNumber)).toEqual([
		...['é'.repeat(200), 12, undefined, null],
	]);
});

test('what stops the run is counted apart, with the first of it', () => {
	const problems = new Problems(undefined);
	for (const line of [3, 5]) problems.stop(complaint(line));
	expect([problems.stopping, problems.firstStopping]).toEqual([2, complaint(3)]);
	expect(problems.total).toBe(0);
});
