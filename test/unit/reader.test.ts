import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { ParameterReader, RunParameters } from '../../nodes/MessagingService/parameters/reader';
import { thrown } from './support/thrown';

const field = (name: string, more: object = {}) =>
	({ displayName: 'Field', name, type: 'string', default: '', ...more }) as INodeProperties;
const TEXT = field('text');

/** Reads fields of these items: n8n evaluates `={{ $json.a + "!" }}`, and nothing else. */
function readerOf(items: IDataObject[], parameters: IDataObject, indexes = [...items.keys()]) {
	const context = {
		getNode: () => ({ parameters }),
		getInputData: () => items.map((json) => ({ json })),
		getNodeParameter: (name: string, index: number) => {
			const raw = parameters[name];
			return typeof raw === 'string' && raw.startsWith('=') ? `${String(items[index]?.a)}!` : raw;
		},
	};
	return new ParameterReader(new RunParameters(context as never), indexes);
}

const COMPOSED = '={{ $json.a + "!" }}';
const ONE_REQUEST =
	'All input items become one request, so its shared fields must be the same for all of them. Put what differs into fields of the contacts, or loop over the items one by one.';

test('each item has its own value, and is where it comes from', () => {
	const run = { text: COMPOSED };
	const items = [{ a: 'x' }, { a: 'y' }];
	for (const [index, item] of items.entries()) {
		const reader = readerOf(items, run, [index]);
		expect([reader.read(TEXT), reader.optional(TEXT)]).toEqual([`${item.a}!`, `${item.a}!`]);
		expect(reader.origin('text')).toEqual({ written: COMPOSED, item });
	}
	expect(readerOf(items, { text: '' }).optional(TEXT)).toBeUndefined();
});

test('of one run, each item has its own value', () => {
	const items = [{ a: 'x' }, { a: 'y' }];
	const context = {
		getNode: () => ({ parameters: { text: COMPOSED } }),
		getInputData: () => items.map((json) => ({ json })),
		getNodeParameter: (_: string, index: number) => `${String(items[index]?.a)}!`,
	};
	const run = new RunParameters(context as never);
	expect(items.map((_, index) => run.value('text', index))).toEqual(['x!', 'y!']);
});

test.each([
	[COMPOSED, {}, ONE_REQUEST],
	['={{ $json.a }}', {}, ONE_REQUEST],
	[
		'={{ $json.a }}',
		{ requiresDataPath: 'single' },
		'Drag a column here, or type its name. As fixed text: phone, not {{ $json.phone }}.',
	],
])('%s that differs between the items of one request is refused', (text, more, advice) => {
	const read = (values: string[]) =>
		readerOf(
			values.map((a) => ({ a })),
			{ text },
		).read(field('text', more));
	expect(read(['x', 'x'])).toBe(text === COMPOSED ? 'x!' : 'x');
	expect(thrown(() => read(['x', 'y']))).toMatchObject({
		message: 'Field must be the same for all input items',
		description: `Item 0 and item 1 have different values. ${advice}`,
	});
});

test('for more than a thousand items, an expression must name one input field', () => {
	const read = (text: string, count: number) =>
		readerOf(
			Array.from({ length: count }, () => ({ a: 'x' })),
			{ text },
		).read(TEXT);
	expect(read(COMPOSED, 1000)).toBe('x!');
	expect(read('={{ $json.a }}', 1001)).toBe('x');
	expect(read('Hi', 1001)).toBe('Hi');
	expect(thrown(() => read(COMPOSED, 1001))).toMatchObject({
		message: 'Field may differ between more than 1,000 items',
		description: `Enter a fixed value, or an expression that names one input field: {{ $json.name }}. ${ONE_REQUEST}`,
	});
});
