import { createRequire } from 'node:module';
import path from 'node:path';
import type { CredentialSummary, N8nClient, WorkflowContent } from '../../host/n8nClient.ts';
import { credentialType } from '../../host/workflows.ts';
import { withExample } from './support/examples.ts';
import { bodies, host, loggedIn } from './support/host.ts';
import { createCredential } from './support/workflows.ts';

/** What is used here of the client of `@modelcontextprotocol/sdk`, which n8n itself brings. */
interface McpClient {
	connect(transport: unknown): Promise<void>;
	close(): Promise<void>;
	listTools(): Promise<{
		tools: { name: string; description?: string; inputSchema: { properties?: object } }[];
	}>;
	callTool(call: { name: string; arguments: Record<string, string> }): Promise<{
		content: { type: string; text: string }[];
	}>;
}

function sdk(): {
	Client: new (about: { name: string; version: string }) => McpClient;
	StreamableHTTPClientTransport: new (url: URL, options: object) => unknown;
} {
	const fromN8n = createRequire(path.join(host().installation.folder, 'package.json'));
	return {
		...(fromN8n('@modelcontextprotocol/sdk/client/index.js') as object),
		...(fromN8n('@modelcontextprotocol/sdk/client/streamableHttp.js') as object),
	} as ReturnType<typeof sdk>;
}

const file = 'send-from-an-ai-assistant.json';
const OWN_PHONE = '+447700900001';
const secret = 'sandbox-assistant';

const call = async (client: McpClient, name: string, given: Record<string, string>) =>
	JSON.stringify((await client.callTool({ name, arguments: given })).content).replace(/\\/g, '');

describe('the example for AI assistants, asked by an MCP client', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	let bearer: CredentialSummary;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'MCP', {
			...{ clientId: '7302', serviceConventions: true, serviceTimeZone: 'UTC' },
			...{ sendingPolicy: true, onlyTheseNumbers: OWN_PHONE, hoursBetweenTexts: 20 },
		});
		bearer = await n8n.createCredential('MCP Client', 'httpBearerAuth', { token: secret });
	});

	/** Bearer authentication: the client of a test cannot log in to n8n. */
	const withToken = (workflow: WorkflowContent): WorkflowContent => ({
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.credentials?.[credentialType] === undefined && node.type.endsWith('mcpTrigger')
				? {
						...node,
						parameters: { ...node.parameters, authentication: 'bearerAuth' },
						credentials: { httpBearerAuth: { id: bearer.id, name: bearer.name } },
					}
				: node,
		),
	});

	it('lists the tools, checks a number, sends, and is refused by the policy; a second client texts nobody again', async () => {
		const { Client, StreamableHTTPClientTransport } = sdk();
		await withExample(
			n8n,
			file,
			credential,
			async ({ id, nodes }) => {
				expect(await n8n.activateWorkflow(id)).toMatchObject({ status: 'published' });
				const trigger = nodes.find(({ type }) => type.endsWith('mcpTrigger'));
				const url = new URL(`${host().n8nUrl}/mcp/${String(trigger?.parameters.path)}`);
				const headers = { Authorization: `Bearer ${secret}` };
				for (const task of [use, sendAgain]) {
					const client = new Client({ name: 'test', version: '1.0.0' });
					await client.connect(
						new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
					);
					try {
						await task(client);
					} finally {
						await client.close();
					}
				}
			},
			withToken,
		);
	});

	async function use(client: McpClient): Promise<void> {
		const { tools } = await client.listTools();
		const about = Object.fromEntries(
			tools.map(({ name, description, inputSchema }) => [
				name,
				{ description, inputs: Object.keys(inputSchema.properties ?? {}).sort() },
			]),
		);
		expect(about).toEqual({
			Check_Number: {
				description: expect.stringMatching(/free of charge/),
				inputs: ['phoneNumber'],
			},
			Send_SMS: {
				description: expect.stringMatching(/real person.*costs about/),
				inputs: ['message', 'phoneNumber'],
			},
		});

		expect(await call(client, 'Check_Number', { phoneNumber: '07700 900001' })).toContain(
			`"phoneNumber":"${OWN_PHONE}","valid":true,"reason":"OK","country":"GB"`,
		);
		expect(await bodies()).toEqual([]);

		const message = 'Our sale starts on Monday';
		const sent = await call(client, 'Send_SMS', { phoneNumber: OWN_PHONE, message });
		expect(sent).toContain('"sent":"yes"');
		const refused = await call(client, 'Send_SMS', { phoneNumber: '+447700900002', message });
		expect(refused).toContain('+447700900002 is not in Only These Numbers');
		expect(refused).toContain('"sent":"no"');

		expect(await bodies()).toEqual([{ phoneNumber: OWN_PHONE, message, sender: 'MyShop' }]);
	}

	/** Another text, and the same one, to somebody whom another client has texted. */
	async function sendAgain(client: McpClient): Promise<void> {
		for (const message of ['Our sale starts today', 'Our sale starts on Monday']) {
			const refused = await call(client, 'Send_SMS', { phoneNumber: OWN_PHONE, message });
			expect(refused).toContain('another text within 20 hours');
			expect(refused).toContain('"sent":"no"');
		}
		expect(await bodies()).toHaveLength(1);
	}
});
