import { ExecutionCancelled } from '../../nodes/MessagingService/execution/cancellation';
import { Progress } from '../../nodes/MessagingService/execution/progress';
import { reportOfStop } from '../../nodes/MessagingService/execution/stopped';

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
