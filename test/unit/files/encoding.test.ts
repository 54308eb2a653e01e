import range from 'lodash/range';
import {
	decodeFile,
	type FileEncoding,
} from '../../../nodes/MessagingService/recipients/file/encoding';
import { FileError } from '../../../nodes/MessagingService/recipients/file/fileError';

/** The text of a file that arrives in these chunks; or its error. */
async function decode(chunks: Uint8Array[], encoding: FileEncoding = 'auto'): Promise<string> {
	async function* stream() {
		for (const chunk of chunks) yield await Promise.resolve(chunk);
	}
	let text = '';
	try {
		for await (const part of decodeFile(stream(), encoding)) {
			expect(part).not.toBe('');
			text += part;
		}
	} catch (error) {
		if (error instanceof FileError) return `${error.message}. ${error.description}`;
		throw error;
	}
	return text;
}

const bytes = (...values: number[]) => Uint8Array.from(values);
const cutAt = (file: Uint8Array, size: number) =>
	range(0, file.length, size).map((at) => file.subarray(at, at + size));

test.each<[string, number[], string]>([
	['gzip', [0x1f, 0x8b], 'a gzip file. Decompress it'],
	['ZIP', [0x50, 0x4b, 3, 4], 'a ZIP or Excel file. Save the sheet as CSV'],
	['old Excel', [0xd0, 0xcf, 0x11, 0xe0], 'an old Excel file. Save the sheet as CSV'],
	['PDF', [0x25, 0x50, 0x44, 0x46], 'a PDF file. Choose a CSV file'],
])(
	'%s is told from text by all of its first bytes, in any encoding',
	async (_name, start, text) => {
		for (const encoding of ['auto', 'windows-1252'] as const)
			expect(await decode([bytes(...start, 65)], encoding)).toContain(`The file is ${text}`);
		for (const [index] of start.entries()) {
			const other = start.map((byte, at) => (at === index ? 0x41 : byte));
			expect(await decode([bytes(...other, 65)])).toHaveLength(start.length + 1);
		}
	},
);

describe('a file without a mark is UTF-16', () => {
	/** A text of so many pairs of bytes, of which some have a zero before or behind the letter. */
	const pairs = (count: number, before: number, behind: number) =>
		Uint8Array.from(
			range(count).flatMap((pair) => [pair < before ? 0 : 0x61, pair >= count - behind ? 0 : 0x62]),
		);

	// Of 64 bytes, more than 8 must be zero at one place, and less than an eighth of these at the other.
	test.each<[number, number, number, 'le' | 'be' | undefined]>([
		[32, 0, 9, 'le'],
		[32, 1, 9, 'le'],
		[32, 0, 8, undefined],
		[32, 2, 16, undefined],
		[32, 1, 16, 'le'],
		[32, 9, 0, 'be'],
		[32, 9, 1, 'be'],
		[32, 8, 0, undefined],
		[32, 16, 2, undefined],
		[32, 16, 1, 'be'],
		[32, 16, 16, undefined],
	])(
		'where zeros tell so: of %d pairs, %d before and %d behind',
		async (count, before, behind, end) => {
			const file = pairs(count, before, behind);
			const text = await decode([file]);
			if (end === undefined) return void expect(text).toContain('The file contains binary data');
			expect(text).toBe(new TextDecoder(`utf-16${end}`).decode(file));
		},
	);

	test('or has a mark', async () => {
		expect(await decode([bytes(0xff, 0xfe, 0x1b, 0x4f)])).toBe('\u4f1b');
		expect(await decode([bytes(0xfe, 0xff, 0x4f, 0x1b)])).toBe('\u4f1b');
		expect(await decode([bytes(0xff, 0x41)])).toBe('\u00ffA');
	});
});

test('the first 64 kB decide, however they arrive', async () => {
	const start = Buffer.from('x\n'.repeat(32 * 1024 - 1));
	const windows = Buffer.from('é\n', 'latin1');
	// The sample is not over: it is Windows-1252.
	const early = Buffer.concat([start, windows, windows]);
	for (const size of [7, 1000, early.length])
		expect(await decode(cutAt(early, size))).toMatch(/\né\né\n$/);
	const late = Buffer.concat([start, start, windows]);
	expect(await decode(cutAt(late, 1024))).toMatch(
		/^Line \d+ of the file or a later one is not valid/,
	);
	// A chunk that fills the sample is the last one of it.
	const exact = Buffer.concat([start, Buffer.from('\n\n')]);
	const message = 'Line 65537 of the file or a later one is not valid UTF-8. Set Encoding';
	expect(exact).toHaveLength(64 * 1024);
	const lines = Buffer.from('\n'.repeat(64 * 1024));
	expect(await decode([lines, windows])).toContain(message);
});

test('a character that ends in a later chunk is one', async () => {
	const file = Buffer.from('é😀'.repeat(20_000));
	expect(await decode(cutAt(file, 65_537))).toBe('é😀'.repeat(20_000));
	expect(await decode([...cutAt(file, 65_537), Buffer.from([0xc3])])).toContain('not valid UTF-8');
});

test('an encoding that is set is used, and its errors name it', async () => {
	expect(await decode([Buffer.from('é', 'latin1')], 'windows-1252')).toBe('é');
	expect(await decode([Buffer.from('é')], 'windows-1252')).toBe('Ã©');
	expect(await decode([Buffer.from('a\né', 'latin1')], 'utf-8')).toContain(
		'Line 1 of the file or a later one is not valid UTF-8',
	);
	expect(await decode([bytes(0, 0x41, 0)], 'utf-16be')).toContain('is not valid UTF-16BE');
});

test('an empty file is an empty text', async () => {
	expect(await decode([])).toBe('');
	expect(await decode([bytes()])).toBe('');
});
