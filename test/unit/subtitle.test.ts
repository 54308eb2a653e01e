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
		resources.flatMap(({ value, operations }) =>
			operations.map((operation) => ({
				parameters: { resource: value, operation: operation.value },
				wanted: operation.name,
			})),
		),
	)(
		'of the action node names the operation, and fits ($wanted)',
		async ({ parameters, wanted }) => {
			const subtitle = await subtitleOf(new MessagingService(), parameters);
			expect(subtitle).toContain(wanted);
			// More is cut on the canvas.
			expect(String(subtitle).length).toBeLessThanOrEqual(27);
		},
	);

	test.each([
		['smsCampaign', 'create', 'Create: SMS Campaign'],
		['phoneNumberStorage', 'getAll', 'Get Many: Stored Number'],
		['voiceCampaign', 'getSummary', 'Get Summary: Voice Campaign'],
		['voiceCampaign', 'createForClient', 'Create for Another Client'],
	])('of %s %s reads %s', async (resource, operation, wanted) => {
		expect(await subtitleOf(new MessagingService(), { resource, operation })).toBe(wanted);
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
