import { configuredOutputs, OUTPUTS } from '../../nodes/MessagingService/trigger/fields';
import { webhookDescription } from '../../nodes/MessagingService/trigger/webhookDescription';

describe('the outputs of the trigger', () => {
	test.each([[{}], [{ options: {} }], [{ options: { separateOutputs: false } }]])(
		'are one with %j',
		(parameters) => {
			expect(configuredOutputs(parameters)).toEqual([{ type: 'main' }]);
		},
	);

	test('are one for each kind of event on demand', () => {
		expect(configuredOutputs({ options: { separateOutputs: true } })).toEqual([
			{ type: 'main', displayName: 'Call Attempted' },
			{ type: 'main', displayName: 'SMS Status' },
			{ type: 'main', displayName: 'Unknown' },
		]);
	});

	test('are worked out by an expression with the parameters of the node', () => {
		expect(OUTPUTS).toMatch(/^=\{\{\(function configuredOutputs\(.*\)\(\$parameter\)\}\}$/s);
	});
});

test('n8n reads the path of the webhook off the node, without an expression', () => {
	expect(webhookDescription.path).toBe('={{$parameter["path"]}}');
	// What n8n 2.41 calls instead of evaluating that.
	const [resolvers] = Object.getOwnPropertySymbols(webhookDescription);
	expect(resolvers?.toString()).toContain('webhookDescriptionResolvers');
});
