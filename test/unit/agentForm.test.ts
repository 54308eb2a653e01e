import { NodeHelpers } from 'n8n-workflow';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';

const { description } = new MessagingService();

/** The fields of Send with this name, where the node has this type. */
function shownFields(fieldName: string, typeName: string) {
	const values = { resource: 'smsMessage', operation: 'send' };
	const type = { ...description, name: typeName };
	return description.properties.filter(
		(field) =>
			field.name === fieldName &&
			NodeHelpers.displayParameter(values, field, { typeVersion: 1 }, type),
	);
}

describe('Dry Run', () => {
	test('can be an expression in a workflow', () => {
		const fields = shownFields('dryRun', description.name);
		expect(fields).toHaveLength(1);
		expect(fields[0]?.noDataExpression).not.toBe(true);
	});

	// n8n names the type of a tool so, and lets a model fill every field that may be an expression.
	test('is not left to the model of an agent', () => {
		const fields = shownFields('dryRun', `${description.name}Tool`);
		expect(fields).toHaveLength(1);
		expect(fields[0]?.noDataExpression).toBe(true);
	});
});
