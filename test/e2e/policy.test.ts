import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { credentialType, nodeTypes } from '../../host/workflows.ts';
import { withExample } from './support/examples.ts';
import { host, loggedIn, sandbox } from './support/host.ts';
import { startModelServer } from './support/modelServer.ts';
import { itOnN8n2, n8nDifferences } from './support/versions.ts';
import { actionName, createCredential, runAction, sendByPhone } from './support/workflows.ts';

const MOBILE = '+447400123456';
/** A day of the week that it is nowhere on earth now: 1 (Monday) to 7 (Sunday). */
const OTHER_DAY = String(((new Date().getUTCDay() + 2) % 7) + 1);

describe('the sending policy in n8n', () => {
	let n8n: N8nClient;
	const credentials: CredentialSummary[] = [];

	const withPolicy = async (name: string, policy: Record<string, unknown>) => {
		const credential = await createCredential(n8n, `Policy: ${name}`, {
			sendingPolicy: true,
			...policy,
		});
		credentials.push(credential);
		return credential;
	};
	const accepted = async () => (await sandbox().requests('POST', 'SMSMessages')).total;

	beforeAll(async () => {
		n8n = await loggedIn();
	});

	afterAll(async () => {
		for (const { id } of credentials) await n8n.deleteCredential(id);
	});

	it.each([
		['allowedCountries', { allowedCountries: 'FR' }, [MOBILE], 0],
		['blockedNumberTypes', { blockedNumberTypes: ['mobile'] }, [MOBILE], 0],
		['maxRecipients', { maxRecipients: 1 }, [MOBILE, '+447400123457'], 1],
		['sendingHours', { sendingDays: [OTHER_DAY] }, [MOBILE], 0],
	])('refuses by %s', async (rule, policy, numbers, sent) => {
		const credential = await withPolicy(rule, policy);
		const before = await accepted();
		const rows = numbers.map((phone) => ({ phone }));
		const execution = await runAction(n8n, rule, credential, rows, sendByPhone, {
			onError: 'continueErrorOutput',
		});
		expect(await accepted()).toBe(before + sent);
		expect(execution.items(actionName)).toHaveLength(sent);
		const [refused] = execution.items(actionName, 1);
		expect(refused?.json).toMatchObject({ policyRule: rule, sent: 'no' });
	});

	it('simulates', async () => {
		const credential = await withPolicy('simulate', { simulate: true });
		const before = await accepted();
		const execution = await runAction(n8n, 'Sim', credential, [{ phone: MOBILE }], sendByPhone);
		expect(execution.items(actionName)[0]?.json).toMatchObject({ simulated: true, sent: 'no' });
		expect(await accepted()).toBe(before);
	});

	it('lets a message wait until the sending hours begin, as the example does', async () => {
		// The next minute, by the clock of London, where the example's recipient is.
		const clock = new Intl.DateTimeFormat('en-GB', {
			timeZone: 'Europe/London',
			hour: '2-digit',
			minute: '2-digit',
			hourCycle: 'h23',
		});
		const sendingHoursFrom = clock.format(Date.now() + 60_000);
		const credential = await withPolicy('example', { sendingHoursFrom });
		const before = await accepted();
		const execution = await withExample(
			n8n,
			'send-within-sending-hours.json',
			credential,
			async ({ id }) => await n8n.runWorkflow(id, 'Start'),
		);
		expect(execution.status).toBe('success');
		expect(execution.runData['Send SMS']).toHaveLength(2);
		expect(await accepted()).toBe(before + 1);
		const { items } = await sandbox().requests('POST', 'SMSMessages', before);
		expect(items.map(({ body }) => body)).toEqual([
			expect.objectContaining({ phoneNumber: '+447700900123' }),
		]);
	}, 180_000);

	itOnN8n2('it restricts no credential to nodes')(
		'cannot be avoided by the HTTP Request node',
		async () => {
			const { id, name } = await withPolicy('HTTP Request', { allowedCountries: 'FR' });
			const before = await accepted();
			const making = n8n.createWorkflow({
				name: 'Around the policy',
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
						id: 'request',
						name: 'Request',
						type: 'n8n-nodes-base.httpRequest',
						typeVersion: 4.2,
						position: [220, 0],
						parameters: {
							method: 'POST',
							url: `${host().sandboxUrl}/api/SMSMessages`,
							authentication: 'predefinedCredentialType',
							nodeCredentialType: credentialType,
							sendBody: true,
							specifyBody: 'json',
							jsonBody: JSON.stringify({ phoneNumber: MOBILE, message: 'Hi', sender: 'x' }),
						},
						credentials: { [credentialType]: { id, name } },
					},
				],
				connections: { Start: { main: [[{ node: 'Request', type: 'main', index: 0 }]] } },
			});
			await expect(making).rejects.toThrow(/restricted/);
			expect(await accepted()).toBe(before);
		},
	);

	it.each([
		['100 times with the same arguments: one message', {}, () => MOBILE, 1],
		[
			'100 times with different numbers and Max Recipients 5: five',
			{ maxRecipients: 5 },
			(call: number) => `+44740013${String(1000 + call)}`,
			5,
		],
	])('an agent calls the tool %s', async (title, policy, phoneOf, sent) => {
		const service = await withPolicy(title, policy);
		const model = await startModelServer(
			(call) => ({ phone: phoneOf(call), text: 'Your table is ready' }),
			'Done.',
			100,
		);
		const openAi = await n8n.createCredential('Scripted Model', 'openAiApi', {
			apiKey: 'none',
			url: model.url,
			header: false,
		});
		credentials.push(openAi);
		const before = await accepted();
		const fromAi = (key: string) => `={{ $fromAI('${key}', '', 'string') }}`;
		const at = (x: number, y: number): [number, number] => [x, y];
		const { id } = await n8n.createWorkflow({
			name: 'Agent',
			nodes: [
				{
					id: 'start',
					name: 'Start',
					type: 'n8n-nodes-base.manualTrigger',
					typeVersion: 1,
					position: at(0, 0),
					parameters: {},
				},
				{
					id: 'agent',
					name: 'Agent',
					type: '@n8n/n8n-nodes-langchain.agent',
					typeVersion: n8nDifferences().agentVersion,
					position: at(220, 0),
					parameters: { promptType: 'define', text: 'Tell Ada', options: {} },
				},
				{
					id: 'model',
					name: 'Model',
					type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
					typeVersion: 1.3,
					position: at(160, 220),
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
					position: at(340, 220),
					parameters: {
						...sendByPhone,
						phoneNumber: fromAi('phone'),
						message: fromAi('text'),
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
		await model.stop();
		expect(execution.error).toBeUndefined();
		expect(await accepted()).toBe(before + sent);
		const results = (model.requests[1]?.messages ?? []).filter(({ role }) => role === 'tool');
		expect(results).toHaveLength(100);
		const others = results.filter(({ content }) =>
			/alreadySent|maxRecipients/.test(JSON.stringify(content)),
		);
		expect(others).toHaveLength(100 - sent);
	});
});
