import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { agentName, fromAi, runAgent } from './support/agent.ts';
import { loggedIn, sandbox } from './support/host.ts';
import { startModelServer, type ModelServer } from './support/modelServer.ts';
import { createCredential } from './support/workflows.ts';

describe("the action node as a tool of n8n's AI Agent", () => {
	let n8n: N8nClient;
	let model: ModelServer;
	let credential: CredentialSummary;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Agent Tests');
		model = await startModelServer(
			{ phone: '+447700900001', text: 'Your table is ready' },
			'The message is on its way.',
		);
	});

	afterAll(async () => {
		await n8n.deleteCredential(credential.id);
		await model.stop();
	});

	it('sends the SMS that the model asks for and gives it the result', async () => {
		const execution = await runAgent(n8n, model, credential, {
			resource: 'smsMessage',
			operation: 'send',
			phoneNumber: fromAi('phone', 'Phone number in international form'),
			message: fromAi('text', 'Text of the message'),
			sender: 'Bistro',
		});

		expect(execution.error).toBeUndefined();
		expect(execution.items(agentName).map(({ json }) => json.output)).toEqual([
			'The message is on its way.',
		]);
		const { items } = await sandbox().requests('POST', 'SMSMessages');
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
