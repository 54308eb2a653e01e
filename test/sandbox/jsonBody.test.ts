import fc from 'fast-check';
import { largeObjectText, parseLargeObject } from '../../sandbox/service/jsonBody';
import { runs } from '../support/runs';

const parsed = async (text: string): Promise<unknown> => {
	try {
		return await parseLargeObject(Buffer.from(text));
	} catch (error) {
		return (error as Error).name;
	}
};

const expected = (text: string): unknown => {
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		return (error as Error).name;
	}
};

test('gives what JSON.parse gives for every object', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.dictionary(fc.string(), fc.jsonValue()),
			fc.constantFrom(undefined, 1, '\t'),
			async (value, indent) => {
				const text = JSON.stringify(value, null, indent);
				expect(await parsed(text)).toEqual(expected(text));
			},
		),
		{ numRuns: runs(100) },
	);
});

test('refuses what JSON.parse refuses', async () => {
	const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '"\\""', '"', '1', ' ', '{"a":[1,2],"b":'];
	await fc.assert(
		fc.asyncProperty(fc.array(fc.constantFrom(...pieces)), async (parts) => {
			const text = `{${parts.join('')}}`;
			expect(await parsed(text)).toEqual(expected(text));
		}),
		{ numRuns: runs(200) },
	);
});

test('parses long lists in slices, wherever they are cut', async () => {
	const element = { phoneNumber: '+44 "\\77', name: 'ü,]}', list: [[], {}] };
	const value = { before: [1], contacts: Array(20_000).fill(element), after: [], text: 'x' };
	expect(await parsed(JSON.stringify(value))).toEqual(value);
	const text = JSON.stringify(value);
	for (const wrong of [
		text.replace(/\],"after/, ',],"after'),
		text.replace(/\],"after/, '},"after'),
	]) {
		expect(wrong).not.toBe(text);
		expect(await parsed(wrong)).toBe('SyntaxError');
	}
});

test('gives the event loop a turn after each slice', async () => {
	const contacts = Array.from({ length: 100_000 }, (_, index) => ({
		phoneNumber: `+447700${String(index).padStart(6, '0')}`,
		name: `Person ${String(index)}`,
	}));
	const bytes = Buffer.from(JSON.stringify({ message: 'Hello', contacts }));
	let turns = 0;
	const count = () => {
		turns += 1;
		next = setImmediate(count);
	};
	let next = setImmediate(count);
	const result = await parseLargeObject(bytes);
	clearImmediate(next);
	expect(result).toEqual({ message: 'Hello', contacts });
	const sliceBytes = 256 * 1024;
	expect(turns).toBeGreaterThanOrEqual(Math.floor(bytes.length / sliceBytes));
});

test('writes what JSON.stringify writes', async () => {
	await fc.assert(
		fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
			expect(await largeObjectText({ ...value, none: undefined })).toBe(JSON.stringify(value));
		}),
		{ numRuns: runs(100) },
	);
	const long = { contacts: Array.from({ length: 2500 }, (_, index) => ({ index })), after: [] };
	expect(await largeObjectText(long)).toBe(JSON.stringify(long));
});
