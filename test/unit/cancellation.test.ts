import { ExecutionCancelled } from '../../nodes/MessagingService/execution/cancellation';
import type { SentRecord } from '../../nodes/MessagingService/execution/sentRecord';

const cancelled = (accepted: number[], uncertain: number[]) => {
	const sent = { outcomes: () => ({ accepted, uncertain }) } as unknown as SentRecord;
	const { name, message, description } = new ExecutionCancelled(sent, 10);
	return { name, message, description };
};

test('says that nothing was sent', () => {
	expect(cancelled([], [])).toEqual({
		name: 'ExecutionCancelled',
		message: 'The execution was canceled before anything was sent',
		description: 'It can be run again as it is.',
	});
});

test('says what was accepted', () => {
	expect(cancelled([0, 1, 2, 5], [])).toMatchObject({
		message: 'The execution was canceled when 4 of 10 had been sent',
		description: 'Accepted by the service: items 0 to 2, 5. Nothing was sent for the others.',
	});
});

test('says what may have been accepted', () => {
	expect(cancelled([], [3])).toMatchObject({
		message: 'The execution was canceled when 0 of 10 had been sent',
		description:
			'Under way just then, so perhaps accepted (check in the service): items 3. Nothing was sent for the others.',
	});
	expect(cancelled([0], [3]).description).toMatch(
		/^Accepted .*: items 0\. Under way .*: items 3\. /,
	);
});
