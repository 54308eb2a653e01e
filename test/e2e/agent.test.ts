import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { credentialType, nodeTypes } from '../../host/workflows.ts';
import { loggedIn, sandbox } from './support/host.ts';
import { startModelServer, type ModelServer } from './support/modelServer.ts';
import { n8nDifferences } from './support/versions.ts';
import { createCredential } from './support/workflows.ts';

const fromAi = (key: string, description: string) =>
	`={{ $fromAI('${key}', '${description}', 'string') }}`;

describe("the action node as a tool of n8n's AI Agent", () => {
	let n8n: N8nClient;
	let model: ModelServer;
	const credentials: CredentialSummary[] = [];

	beforeAll(async () => {
		n8n = await loggedIn();
		model = await startModelServer(
			{ phone: '+447700900001', text: 'Your table is ready' },
			'The message is on its way.',
		);
	});

	afterAll(async () => {
		for (const { id } of credentials) await n8n.deleteCredential(id);
		await model.stop();
	});

	it('sends the SMS that the model asks for and gives it the result', async () => {
		const service = await createCredential(n8n, 'Agent Tests');
		const openAi = await n8n.createCredential('Scripted Model', 'openAiApi', {
			apiKey: 'none',
			url: model.url,
			header: false,
		});
		credentials.push(service, openAi);
		const before = await sandbox().requests('POST', 'SMSMessages');

		const { id } = await n8n.createWorkflow({
			name: 'Agent',
			nodes: [
				{
					id: 'start',
					name: 'Start',
					type: 'n8n-nodes-base.manualTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: {},
				},
				{
					id: 'agent',
					name: 'Agent',
					type: '@n8n/n8n-nodes-langchain.agent',
					typeVersion: n8nDifferences().agentVersion,
					position: [220, 0],
					parameters: {
						promptType: 'define',
						text: 'Tell Ada that her table is ready',
						options: {},
					},
				},
				{
					id: 'model',
					name: 'Model',
					type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
					typeVersion: 1.3,
					position: [160, 220],
					parameters: {
						model: { __rl: true, mode: 'id', value: 'scripted' },
						responsesApiEnabled: false,
						options: {},
					},
					credentials: { openAiApi: { id: openAi.id, name: openAi.name } },
				},
				{
					id: 'tool',
					name: 'Send SMS',
					type: `${nodeTypes.action}Tool`,
					typeVersion: 1,
					position: [340, 220],
					parameters: {
						resource: 'smsMessage',
						operation: 'send',
						phoneNumber: fromAi('phone', 'Phone number in international form'),
						message: fromAi('text', 'Text of the message'),
						sender: 'Bistro',
					},
					credentials: { [credentialType]: { id: service.id, name: service.name } },
				},
			],
			connections: {
				Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
				Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
				'Send SMS': { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
			},
		});
		const execution = await n8n.runWorkflow(id, 'Start');
		await n8n.deleteWorkflow(id);

		expect(execution.error).toBeUndefined();
		expect(execution.items('Agent').map(({ json }) => json.output)).toEqual([
			'The message is on its way.',
		]);
		const { items } = await sandbox().requests('POST', 'SMSMessages', before.total);
		expect(items.map(({ body }) => body)).toEqual([
			{ phoneNumber: '+447700900001', message: 'Your table is ready', sender: 'Bistro' },
		]);
		// What the model is told about the tool, and what it gets back.
		const [offered] = model.requests[0]?.tools ?? [];
		expect(offered?.function.description).toMatch(/send.*SMS message/i);
		expect(Object.keys(offered?.function.parameters.properties ?? {})).toEqual(['phone', 'text']);
		const result = model.requests[1]?.messages.find(({ role }) => role === 'tool');
		expect(JSON.stringify(result?.content)).toMatch(/newId/);
	});
});
