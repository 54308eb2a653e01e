import { readStream } from '../../nodes/MessagingService/transport/deadline';

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
