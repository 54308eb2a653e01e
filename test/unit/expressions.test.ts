import { dependsOnItem } from '../../nodes/MessagingService/parameters/expressions';

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
