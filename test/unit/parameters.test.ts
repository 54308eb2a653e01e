import { InputError } from '../../nodes/MessagingService/parameters/inputError';
import { dependsOnItem } from '../../nodes/MessagingService/parameters/expressions';
import { callWith } from './support/call';
import { thrown } from './support/thrown';

describe('a field of several items', () => {
	const items = Array.from({ length: 4 }, () => ({}));

	test('is read when it is the same for all of them', () => {
		const { parameters } = callWith({ items, perItem: { sender: ['A', 'A', 'A', 'A'] } });
		expect(parameters.text('sender', 'Sender')).toBe('A');
	});

	test('is refused when it differs, with the items that differ', () => {
		const { parameters } = callWith({ items, perItem: { sender: ['A', 'B', 'A', 'C'] } });
		const error = thrown(() => parameters.text('sender', 'Sender'));
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: 'Sender differs between the input items',
			field: 'Sender',
			description: expect.stringMatching(
				/^Item 0 and items 1 and 3 have different values\. .*must be the same for all of them/,
			),
		});
	});

	test('is refused when it differs within a collection', () => {
		const { parameters } = callWith({
			items,
			perItem: { options: [{ a: { b: 1 } }, { a: { b: 1 } }, { a: { b: 1 } }, { a: { b: 2 } }] },
		});
		expect(thrown(() => parameters.collection('options', 'Options'))).toMatchObject({
			message: 'Options differs between the input items',
			description: expect.stringContaining('Item 0 and item 3 have different values (a).'),
		});
	});

	test('is named where an expression sets the whole collection', () => {
		const both = { numberFormat: 'asEntered' };
		const options = ['GB', 'FR'].map((defaultCountry) => ({ defaultCountry, ...both }));
		const { parameters } = callWith({ items: items.slice(2), perItem: { options } });
		const country = { displayName: 'Default Country', name: 'defaultCountry', default: '' };
		expect(
			thrown(() => parameters.member('options', { ...country, type: 'string' })),
		).toMatchObject({
			message: 'Options differs between the input items',
			description: expect.stringContaining('(defaultCountry).') as string,
		});
	});

	test('is refused when it differs for the last of very many items', () => {
		const senders = Array.from({ length: 5000 }, (_, index) => (index === 4998 ? 'B' : 'A'));
		const many = senders.map((value) => ({ value }));
		const { parameters } = callWith({ items: many, perItem: { sender: senders } });
		expect(thrown(() => parameters.text('sender', 'Sender'))).toMatchObject({
			description: expect.stringContaining('Item 0 and item 4998 have'),
		});
	});
});

test('of more than 1,000 items, an expression must name one input field', () => {
	const items = Array.from({ length: 1001 }, () => ({ a: 'A' }));
	const { parameters } = callWith({
		items,
		parameters: { fixed: 'A', sender: '={{ $json.a.trim() }}', now: '={{ $now }}' },
	});
	expect(parameters.text('fixed', 'Fixed')).toBe('A');
	expect(parameters.text('now', 'Now')).toBe('={{ $now }}');
	expect(thrown(() => parameters.text('sender', 'Sender'))).toMatchObject({
		message: 'Sender may differ between more than 1,000 items',
		description: expect.stringContaining('{{ $json.name }}'),
	});
});

describe('an expression', () => {
	test.each([
		...['$now', '$today', '$vars.x', '$env.X', '$secrets.vault.x', '$workflow.id', '$execution.id'],
		...['$runIndex', '$mode', '$nodeVersion', '$nodeId', '$webhookId', '$prevNode.name'],
		...['$max(1, 2)', '$min(1, 2)', '$if(true, 1, 2)', '$ifEmpty("", 1)', '1 + 1'],
		...['$("Numbers").all().map((item) => item.json.number)', "$('A').first().json.x"],
		'$input.last().json.x',
	])('of %s alone is the same for all items', (text) => {
		expect(dependsOnItem(`={{ ${text} }}`)).toBe(false);
		expect(dependsOnItem(`={{ ${text} + $json.x }}`)).toBe(true);
	});

	test.each([
		...['$json.x', '$("Rows").item.json.x', '$["json"].x', '$itemIndex', '$input.item.json.x'],
		...['$("Rows").all()[$itemIndex]', '$("Rows").itemMatching(2)', '$("Rows").all'],
		...['$binary.x', '$node["Rows"].json.x', '$parameter.x', '$nowhere'],
	])('of %s may differ', (text) => {
		expect(dependsOnItem(`={{ ${text} }}`)).toBe(true);
		expect(dependsOnItem(text)).toBe(false);
	});
});

describe('a field of one item', () => {
	test('is text even when an expression gave something else', () => {
		const { parameters } = callWith({ parameters: { a: 5, b: null, c: ' x ' } });
		expect(parameters.text('a', 'A')).toBe('5');
		expect(parameters.text('b', 'B')).toBe('');
		expect(parameters.text('c', 'C')).toBe(' x ');
		expect(parameters.text('missing', 'Missing')).toBe('');
	});

	test.each(['', '  ', undefined])('that is required is refused when it is empty (%j)', (value) => {
		const { parameters } = callWith({ parameters: { message: value } });
		expect(() => parameters.requiredText('message', 'Message')).toThrow(/^Message is empty$/);
	});

	test.each([[{ text: 'Hello' }], [['Hello']]])('is refused as text when it is %j', (message) => {
		const { parameters } = callWith({ items: [{}], perItem: { message: [message] } });
		const error = thrown(() => parameters.requiredText('message', 'Message'));
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({ message: 'Message is neither text nor a number' });
	});

	test('is a collection, empty when nothing was added', () => {
		const { parameters } = callWith({ parameters: { options: { pageSize: 5 }, text: 'x' } });
		expect(parameters.collection('options', 'Options')).toEqual({ pageSize: 5 });
		expect(parameters.collection('missing', 'Missing')).toEqual({});
		expect(parameters.collection('text', 'Text')).toEqual({});
	});

	test.each([
		[{ __rl: true, mode: 'list', value: 5 }, '5'],
		[{ __rl: true, mode: 'id', value: ' abc ' }, 'abc'],
		['abc', 'abc'],
		[' a/b ', 'a/b'],
		[0, '0'],
	])('is the ID of a resource locator (%j)', (value, id) => {
		const { parameters } = callWith({ parameters: { campaignId: value } });
		expect(parameters.locator('campaignId', 'Campaign')).toBe(id);
	});

	test.each(['.', '..', ' .. '])('is refused as an ID that leads elsewhere (%j)', (value) => {
		const { parameters } = callWith({ parameters: { id: value, locator: { value } } });
		const message = `ID cannot be "${value.trim()}"`;
		expect(thrown(() => parameters.locator('id', 'ID'))).toMatchObject({ message });
		expect(thrown(() => parameters.locator('locator', 'ID'))).toMatchObject({ message });
	});

	test.each([[{ __rl: true, mode: 'list', value: '' }], [{ value: null }], [' '], [undefined]])(
		'is refused when a resource locator is empty (%j)',
		(value) => {
			const { parameters } = callWith({ parameters: { campaignId: value } });
			expect(() => parameters.locator('campaignId', 'Campaign')).toThrow(/^Campaign is empty$/);
		},
	);
});

describe('a collection that an expression sets', () => {
	const field = { displayName: 'Page Size', name: 'pageSize', type: 'number', default: 1 } as const;

	test.each([
		[{ pageSize: '7' }, 7],
		[{}, undefined],
		[null, undefined],
		['pageSize', undefined],
		[undefined, undefined],
	])('to %j has the member %j', (value, expected) => {
		const { parameters } = callWith({ perItem: { options: [value] } });
		expect(parameters.member('options', field)).toBe(expected);
		expect(parameters.members('options', [field])).toEqual(
			expected === undefined ? {} : { pageSize: expected },
		);
		expect(parameters.collection('options', 'Options')).toEqual(
			expected === undefined ? {} : { pageSize: '7' },
		);
	});
});
