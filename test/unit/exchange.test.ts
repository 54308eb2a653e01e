import {
	MAX_RESPONSE_BYTES,
	RESPONSE_TOO_LARGE,
} from '../../nodes/MessagingService/transport/connectionErrors';
import { readBody } from '../../nodes/MessagingService/transport/exchange';

async function* streamOf(...chunks: Uint8Array[]) {
	yield* chunks;
	await Promise.resolve();
}

test('the pieces of a response become one text, also where a character is cut in two', async () => {
	const bytes = Buffer.from('{"name":"Zoë"}');
	const cut = bytes.indexOf(0xc3) + 1;
	const end = jest.fn();
	expect(await readBody(streamOf(bytes.subarray(0, cut), bytes.subarray(cut)), end)).toBe(
		'{"name":"Zoë"}',
	);
	expect(end).not.toHaveBeenCalled();
});

test('no more than 100 MiB are read', async () => {
	expect(MAX_RESPONSE_BYTES).toBe(104_857_600);
	const tenth = Buffer.alloc(MAX_RESPONSE_BYTES / 10, 'x');
	const most = Array.from({ length: 10 }, () => tenth);
	const end = jest.fn();
	expect(await readBody(streamOf(...most), end)).toHaveLength(MAX_RESPONSE_BYTES);
	expect(end).not.toHaveBeenCalled();
	await expect(readBody(streamOf(...most, Buffer.from('x'), tenth), end)).rejects.toMatchObject({
		code: RESPONSE_TOO_LARGE,
		message: 'The response is too long',
	});
	expect(end).toHaveBeenCalledTimes(1);
});
