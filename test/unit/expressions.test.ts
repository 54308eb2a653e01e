import {
	dependsOnItem,
	emptyPlaceholder,
	hasExpression,
	missingValue,
	plainPath,
} from '../../nodes/MessagingService/parameters/expressions';

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

test.each([undefined, null, 5, true, '', 'Hi $json.x', [null, 'a'], { rows: { row: null } }])(
	'what has no expression is the same for all items: %j',
	(value) => {
		expect([hasExpression(value), dependsOnItem(value)]).toEqual([false, false]);
	},
);

test('an expression anywhere in a field makes it one', () => {
	const value = { rows: [null, { name: '={{ $json.name }}' }] };
	expect([hasExpression(value), dependsOnItem(value)]).toEqual([true, true]);
});

test.each([
	['={{ $json.name }}', 'name'],
	['= {{$json.customer.naïve_name2}} ', 'customer.naïve_name2'],
	['={{ $json.name }}!', undefined],
	['={{ $json.name.trim() }}', undefined],
	['={{ $json["name"] }}', undefined],
	['{{ $json.name }}', undefined],
	[['={{ $json.name }}'], undefined],
	[undefined, undefined],
])('%j names the input field %j and nothing else', (value, path) => {
	expect(plainPath(value)).toBe(path);
});

test.each([
	['Hi null', '=Hi {{ $json.name ?? null }}', {}, { word: 'null', isCertain: true }],
	['Hi null', '=Hi {{ $json.name ?? "null" }}', {}, undefined],
	['Hi null', '=Hi {{ $json.name.trim() }}', { name: ' null ' }, { word: 'null', isCertain: true }],
	['Hi null', '=Hi {{ $json.name }}', { name: 'null and void' }, undefined],
	['Hi null', '=Hi {{ $("Rows").item.json.name }}', {}, { word: 'null', isCertain: false }],
	['Hi null', 'Hi null', {}, undefined],
])('in %j, written as %s for %j, a value is missing: %j', (text, written, item, missing) => {
	expect(missingValue(text, written, item)).toEqual(missing);
});

test.each([
	['=Hi {{ $json.name }}', {}, '{{ $json.name }}'],
	['=Hi {{ $json.name.trim() }}', { name: ' ' }, '{{ $json.name.trim() }}'],
	['=Hi {{ $json["Name?"] }}', {}, '{{ $json["Name?"] }}'],
	['=Hi {{ $json.name ?? "you" }}', {}, undefined],
	['=Hi {{ $json.name }}', { name: 'Ada' }, undefined],
	['Hi {{ $json.name }}', {}, undefined],
])('of %s for %j, the placeholder without a value is %j', (written, item, placeholder) => {
	expect(emptyPlaceholder(written, item)).toBe(placeholder);
});
