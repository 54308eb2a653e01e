import fc from 'fast-check';
import range from 'lodash/range';
import { ExecutionCancelled } from '../../nodes/MessagingService/execution/cancellation';
import { describeRows, Progress } from '../../nodes/MessagingService/execution/progress';
import { reportOfStop } from '../../nodes/MessagingService/execution/stopped';
import { runs } from '../support/runs';

function progressOf(sent: number[], possibly: number[], total = 10): Progress {
	const progress = new Progress(total);
	progress.possiblySent([...sent, ...possibly]);
	progress.sent(sent);
	return progress;
}

const cancelled = (progress: Progress) => {
	const { name, message, description } = new ExecutionCancelled(progress);
	return { name, message, description };
};

test('a cancelled run says that nothing was sent', () => {
	const progress = progressOf([], []);
	progress.possiblySent([3]);
	progress.notSent([3]);
	expect(cancelled(progress)).toEqual({
		name: 'ExecutionCancelled',
		message: 'The execution was canceled before anything was sent',
		description: 'You can run it again.',
	});
	expect(reportOfStop(progress)).toBe('Nothing was sent: any retry is safe.');
	expect(reportOfStop(progress, { reachesPeople: false })).toBe('');
});

test('a cancelled run counts rows, and never takes one in progress for not sent', () => {
	expect(cancelled(progressOf([0, 1, 2, 5], [7, 8]))).toMatchObject({
		message: 'The execution was canceled when 4 of 10 items were sent',
		description:
			'Sent: items 0 to 2, 5 (4 in total). Possibly sent: items 7 to 8 (2 in total). Check in the service before you send them again. Not sent: items 3 to 4, 6, 9 (4 in total). To continue, start a new execution with only the items that were not sent.',
	});
});

test('a cancelled retry knows nothing of what other retries sent', () => {
	const told = (progress: Progress) => new ExecutionCancelled(progress, [], true).description;
	expect(told(progressOf([], []))).toBe('You can retry the execution again.');
	expect(told(progressOf([0], []))).toBe(
		'Sent: item 0. Not sent by this retry: items 1 to 9 (9 in total). To continue, retry the execution again: it sends what no retry has sent.',
	);
});

test('of a campaign in progress, all rows are possibly sent', () => {
	const progress = new Progress(300);
	progress.possiblySent(Array.from({ length: 300 }, (_, row) => row));
	expect(cancelled(progress)).toMatchObject({
		message: 'The execution was canceled when 0 of 300 items were sent',
		description: expect.stringMatching(/^Possibly sent: items 0 to 299 \(300 in total\)/),
	});
});

test('a row of several campaigns is sent when all of them are', () => {
	const progress = new Progress(2);
	progress.expect([0], 2);
	progress.possiblySent([0]);
	progress.sent([0]);
	expect(progress.rows()).toMatchObject({ partlySent: [0], notSent: [1] });
	progress.possiblySent([0]);
	expect(progress.rows()).toMatchObject({ possiblySent: [0], partlySent: [] });
	progress.sent([0]);
	expect(progress.rows()).toMatchObject({ sent: [0], possiblySent: [] });
});

test('a failure that stops the node says what was sent and how to continue', () => {
	expect(reportOfStop(progressOf([0, 1, 2], [3], 5))).toBe(
		'Sent: items 0 to 2 (3 in total). Possibly sent: item 3. Check in the service before you send them again. Not sent: item 4. To send only what was not sent, use Retry in the list of executions, or Retry On Fail. A new execution with these items sends all of them again.',
	);
	expect(reportOfStop(progressOf([0], [1], 2))).not.toContain('Retry');
	// The rows of files are reported by themselves.
	const ofFiles = reportOfStop(progressOf([0], [], 1), { readsFiles: true });
	expect(ofFiles).toMatch(/^Retry On Fail .* send only what was not sent\.$/);
	const stored = { readsFiles: true, reachesPeople: false };
	expect(reportOfStop(progressOf([0], [], 2), stored)).toBe('Sent: item 0. Not sent: item 1.');
});

/** What happens to a request that stands for some rows, in the order in which it does. */
const requests = fc.record({
	rows: fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1 }),
	end: fc.constantFrom<'sent' | 'notSent' | undefined>('sent', 'sent', 'notSent', undefined),
});

test('a row is what its requests came to, in any number and order', () => {
	fc.assert(
		fc.property(fc.array(requests, { maxLength: 8 }), fc.array(fc.nat()), (all, order) => {
			const progress = new Progress(4);
			const countOf = (row: number, end?: string) =>
				all.filter((request) => request.rows.includes(row) && request.end === end).length;
			for (const row of range(4)) progress.expect([row], Math.max(1, row));
			for (const { rows } of all) progress.possiblySent(rows);
			const ended = all.map((request, index) => ({ ...request, at: order[index] ?? index }));
			for (const { rows, end } of ended.sort((a, b) => a.at - b.at))
				if (end !== undefined) progress[end](rows);
			const stateOf = (row: number) => {
				if (countOf(row) > 0) return 'possiblySent';
				const accepted = countOf(row, 'sent');
				if (accepted === 0) return 'notSent';
				return accepted < Math.max(1, row) ? 'partlySent' : 'sent';
			};
			const rowsBy = (state: string) => range(4).filter((row) => stateOf(row) === state);
			expect(progress.rows()).toEqual({
				...{ sent: rowsBy('sent'), possiblySent: rowsBy('possiblySent') },
				...{ partlySent: rowsBy('partlySent'), notSent: rowsBy('notSent') },
			});
		}),
		{ numRuns: runs(100) },
	);
});

test('what was not in progress and is certainly not sent stays so', () => {
	const progress = new Progress(1);
	progress.notSent([0]);
	progress.possiblySent([0]);
	expect(progress.rows().possiblySent).toEqual([0]);
});

/** Rows in each state, and what holds for the node. */
const stops = fc.record({
	rows: fc.array(fc.constantFrom('sent', 'possiblySent', 'partlySent', 'notSent'), {
		...{ minLength: 1, maxLength: 4 },
	}),
	isRetryable: fc.boolean(),
	reachesPeople: fc.boolean(),
	isRetry: fc.boolean(),
	readsFiles: fc.boolean(),
});

test('the report of a stop names the rows, and how to continue where there is more to send', () => {
	fc.assert(
		fc.property(stops, ({ rows, ...settings }) => {
			const progress = new Progress(rows.length);
			for (const [row, state] of rows.entries()) {
				if (state !== 'notSent') progress.possiblySent([row]);
				if (state === 'partlySent') progress.expect([row], 2);
				if (state === 'sent' || state === 'partlySent') progress.sent([row]);
			}
			const text = reportOfStop(progress, settings);
			const { isRetryable, reachesPeople, isRetry, readsFiles } = settings;
			const says = (pattern: RegExp) => pattern.test(text);
			if (rows.every((state) => state === 'notSent')) {
				expect(says(/^Nothing was sent: any retry is safe\.$/)).toBe(reachesPeople && !isRetry);
				expect(says(/not start a new execution/)).toBe(reachesPeople && isRetry);
				return;
			}
			// A single item with a file has a report of its own.
			const named = readsFiles && rows.length === 1 ? '' : describeRows(progress.rows(), isRetry);
			expect(text.startsWith(named)).toBe(true);
			for (const [state, label] of Object.entries({
				...{ sent: 'Sent', possiblySent: 'Possibly sent' },
				...{ partlySent: 'Partly sent', notSent: `Not sent${isRetry ? ' by this retry' : ''}` },
			}))
				expect(named !== '' && named.includes(`${label}: item`)).toBe(
					named !== '' && rows.some((each) => each === state),
				);
			const isOpen = rows.some((state) => state === 'notSent' || state === 'partlySent');
			const isAdvised = readsFiles ? reachesPeople : isOpen;
			expect(text.length > named.length).toBe(isAdvised);
			if (!isAdvised) return;
			expect(text.slice(named.length)).toMatch(named === '' ? /^\S/ : /^ \S/);
			expect(says(/\bRetry\b/)).toBe(isRetryable);
			expect(says(/parent workflow/)).toBe(!isRetryable);
		}),
		{ numRuns: runs(50) },
	);
});

test('a run that is cancelled in a file names its rows instead of a new execution', () => {
	const { message, description } = new ExecutionCancelled(progressOf([0], [1], 3), [
		'Item 1: Sent: rows 1 to 5 of the file.',
	]);
	expect(message).toBe('The execution was canceled when a file was partly sent');
	expect(description).toMatch(/ Not sent: item 2\. Item 1: Sent: rows 1 to 5 of the file\.$/);
});
