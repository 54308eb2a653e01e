import { Problems } from '../../../nodes/MessagingService/recipients/file/problems';

test('a row of a JSON Lines problems file that is sent again gets its new line and reason', async () => {
	const parts: string[] = [];
	const problems = new Problems(async (content) => void parts.push(content.toString()));
	const complaint = {
		itemIndex: 2,
		phoneNumber: 'nope',
		reason: 'is missing',
		code: 'field',
	} as const;
	problems.add(complaint, {
		line: 2,
		values: { line: 7, reason: 'was a duplicate', phone: 'nope' },
	});
	await problems.flush(true);
	expect(parts).toEqual(['{"line":2,"reason":"is missing","phone":"nope"}\n']);
});
