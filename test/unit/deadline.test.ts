import { getEventListeners } from 'node:events';
import { MAX_RESPONSE_BYTES } from '../../nodes/MessagingService/transport/connectionProblems';
import { limited, readStream, whenAborted } from '../../nodes/MessagingService/transport/deadline';

async function* streamOf(...chunks: Uint8Array[]) {
	yield* chunks;
	await Promise.resolve();
}

test('the pieces of a response become one text, also where a character is cut in two', async () => {
	const bytes = Buffer.from('{"name":"Zoë"}');
	const cut = bytes.indexOf(0xc3) + 1;
	expect(await readStream(streamOf(bytes.subarray(0, cut), bytes.subarray(cut)))).toBe(
		'{"name":"Zoë"}',
	);
});

test('a response of 100 MB is read, and none that is longer', async () => {
	const all = Buffer.alloc(MAX_RESPONSE_BYTES, 'x');
	expect(await readStream(streamOf(all))).toHaveLength(MAX_RESPONSE_BYTES);
	const longer = readStream(streamOf(all, Buffer.from('x')));
	await expect(longer).rejects.toMatchObject({ code: 'ERR_RESPONSE_TOO_LARGE' });
});

describe('a task that waits', () => {
	test('ends with a timeout when its time is over', async () => {
		await expect(limited(20, undefined, whenAborted)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
	});

	test('ends when its execution is canceled, and leaves nothing behind at its signal', async () => {
		const controller = new AbortController();
		const { signal } = controller;
		expect(await limited(60_000, signal, async () => await Promise.resolve(7))).toBe(7);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		const canceled = limited(60_000, signal, whenAborted);
		controller.abort();
		await expect(canceled).rejects.toMatchObject({ code: 'ERR_CANCELED' });
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('that fails by itself fails with its own error', async () => {
		const error = new Error('is down');
		await expect(limited(60_000, undefined, () => Promise.reject(error))).rejects.toBe(error);
	});
});
