import type { INode, INodeParameters, INodeType } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServicePollTrigger } from '../../nodes/MessagingService/MessagingServicePollTrigger.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';
import { resources } from '../../nodes/MessagingService/resources';

/** A node's subtitle, evaluated as the editor does it. */
async function subtitleOf(nodeType: INodeType, parameters: INodeParameters): Promise<unknown> {
	const { name, subtitle = '' } = nodeType.description;
	const node: INode = {
		...{ id: '1', name, type: name, typeVersion: 1, position: [0, 0] },
		parameters,
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => nodeType,
			getByNameAndVersion: () => nodeType,
			getKnownTypes: () => ({}),
		},
	});
	await workflow.expression.acquireIsolate();
	try {
		return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

describe('the subtitle', () => {
	test.each(
		resources.flatMap(({ value, name, operations }) =>
			operations.map((operation) => ({
				parameters: { resource: value, operation: operation.value },
				wanted: `${operation.name}: ${name}`,
			})),
		),
	)('of the action node reads $wanted', async ({ parameters, wanted }) => {
		expect(await subtitleOf(new MessagingService(), parameters)).toBe(wanted);
	});

	test('of the trigger names the events', async () => {
		const trigger = new MessagingServiceTrigger();
		const events = ['callAttempted', 'smsStatus'];
		expect(await subtitleOf(trigger, { events })).toBe('Call Attempted, SMS Status');
		expect(await subtitleOf(trigger, { events: ['smsStatus'] })).toBe('SMS Status');
		const pollTrigger = new MessagingServicePollTrigger();
		expect(await subtitleOf(pollTrigger, { events: ['campaignFinished', 'another'] })).toBe(
			'Campaign Finished, another',
		);
	});
});
