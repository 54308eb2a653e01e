import {
	ANSWER_TOO_LARGE,
	MOST_ANSWER_BYTES,
	readAnswer,
} from '../../nodes/MessagingService/transport/answerBody';

async function* streamOf(...chunks: Uint8Array[]) {
	yield* chunks;
	await Promise.resolve();
}

test('the pieces of an answer become one text, also where a character is cut in two', async () => {
	const bytes = Buffer.from('{"name":"Zoë"}');
	const cut = bytes.indexOf(0xc3) + 1;
	const end = jest.fn();
	expect(await readAnswer(streamOf(bytes.subarray(0, cut), bytes.subarray(cut)), end)).toBe(
		'{"name":"Zoë"}',
	);
	expect(end).not.toHaveBeenCalled();
});

test('no more than 100 MiB are read', async () => {
	expect(MOST_ANSWER_BYTES).toBe(104_857_600);
	const tenth = Buffer.alloc(MOST_ANSWER_BYTES / 10, 'x');
	const most = Array.from({ length: 10 }, () => tenth);
	const end = jest.fn();
	expect(await readAnswer(streamOf(...most), end)).toHaveLength(MOST_ANSWER_BYTES);
	expect(end).not.toHaveBeenCalled();
	await expect(readAnswer(streamOf(...most, Buffer.from('x'), tenth), end)).rejects.toMatchObject({
		code: ANSWER_TOO_LARGE,
		message: 'The answer is too long',
	});
	expect(end).toHaveBeenCalledTimes(1);
});
