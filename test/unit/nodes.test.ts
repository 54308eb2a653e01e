import type { IHookFunctions, INodeTypeDescription } from 'n8n-workflow';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServicePollTrigger } from '../../nodes/MessagingService/MessagingServicePollTrigger.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';

const CREDENTIALS = [
	expect.objectContaining({
		...{ name: 'messagingServiceApi', required: true, testedBy: 'testMessagingService' },
	}),
];

describe('the nodes as n8n loads them', () => {
	const nodes = [
		new MessagingService(),
		new MessagingServiceTrigger(),
		new MessagingServicePollTrigger(),
	];

	test('can be found, have a credential with a test, and hints for the AI builder', () => {
		for (const { description, methods } of nodes) {
			const { credentials, builderHint } = description as INodeTypeDescription & {
				builderHint?: { relatedNodes?: { nodeType: string; relationHint: string }[] };
			};
			expect(credentials).toEqual(CREDENTIALS);
			expect(methods.credentialTest.testMessagingService).toBeInstanceOf(Function);
			const related = builderHint?.relatedNodes ?? [];
			for (const { nodeType, relationHint } of related) {
				expect(nodeType).toMatch(/^n8n-nodes-messaging-service\.messagingService/);
				expect(relationHint).toMatch(/\w \w/);
			}
		}
	});

	test('start workflows: the triggers have no inputs, and each its own way to start', () => {
		const [action, trigger, poll] = nodes;
		expect(nodes.map(({ description }) => description.inputs)).toEqual([['main'], [], []]);
		expect([trigger?.description.group, poll?.description.group]).toEqual([
			['trigger'],
			['trigger'],
		]);
		expect(nodes.map(({ description }) => description.polling === true)).toEqual([
			...[false, false, true],
		]);
		expect(nodes.map(({ description }) => description.webhooks?.length ?? 0)).toEqual([0, 1, 0]);
		expect(action).toMatchObject({ execute: expect.any(Function) });
		expect(trigger).toMatchObject({
			...{ execute: expect.any(Function), trigger: expect.any(Function) },
			webhook: expect.any(Function),
		});
		expect(poll).toMatchObject({ poll: expect.any(Function) });
		expect(Object.keys(new MessagingServicePollTrigger().methods.listSearch).sort()).toEqual([
			...['searchSmsCampaigns', 'searchVoiceCampaigns'],
		]);
	});
});

test('the trigger never takes a URL for registered, for the service cannot be asked', async () => {
	const { checkExists } = new MessagingServiceTrigger().webhookMethods.default;
	expect(await checkExists.call({} as IHookFunctions)).toBe(false);
});
