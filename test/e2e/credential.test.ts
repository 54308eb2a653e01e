import { credentialType } from '../../host/workflows.ts';
import { countedService, sendRow } from './support/countedService.ts';
import { loggedIn, sandbox } from './support/host.ts';
import { createCredential, runAction } from './support/workflows.ts';

const service = countedService();

describe('the credential in other nodes', () => {
	// Otherwise a request by hand would avoid the sending policy.
	it('is refused by n8n, so that the HTTP Request node cannot send with it', async () => {
		const n8n = await loggedIn();
		const { id, name } = await createCredential(n8n, 'HTTP Request');
		const making = n8n.createWorkflow({
			name: 'Around the policy',
			nodes: [
				{
					...{ id: 'request', name: 'Request', position: [0, 0] },
					type: 'n8n-nodes-base.httpRequest',
					typeVersion: 4.2,
					parameters: {
						method: 'POST',
						url: `${sandbox().url}/api/SMSMessages`,
						authentication: 'predefinedCredentialType',
						nodeCredentialType: credentialType,
					},
					credentials: { [credentialType]: { id, name } },
				},
			],
			connections: {},
		});
		await expect(making).rejects.toThrow(/restricted/);
	});
});

describe('a credential with an expression over the items', () => {
	const keys = ['key-a', 'key-b', 'key-c'];
	const rows = Array.from({ length: 300 }, (_, row) => ({
		apiKey: keys[row % 3] as string,
		phoneNumber: `+44770090${String(row).padStart(4, '0')}`,
		text: `m${String(row)}`,
	}));
	const withKey = (querySecret: string) => ({
		...{ baseUrl: service.url, authentication: 'query', queryName: 'key', querySecret },
	});
	const run = async (querySecret: string, parameters: Record<string, unknown>) => {
		const n8n = await loggedIn();
		const credential = await createCredential(n8n, querySecret, withKey(querySecret));
		return await runAction(n8n, 'Accounts', credential, rows, parameters);
	};
	const keyOf = (path: string) => new URL(path, service.url).searchParams.get('key');

	it('sends each row with the key of its own item', async () => {
		const { error } = await run('={{ $json.apiKey }}', sendRow);
		expect(error).toBeUndefined();
		const sent = service.accepted.map(({ path, body }) => [body.message, keyOf(path)]);
		expect(Object.fromEntries(sent)).toEqual(
			Object.fromEntries(rows.map(({ text, apiKey }) => [text, apiKey])),
		);
	});

	const create = { resource: 'smsCampaign', operation: 'create', message: 'Hi', sender: 'Shop' };

	it.each([
		['by the item', '={{ $json.apiKey }}', keys],
		['by its index', "={{ 'key-' + 'abc'[$itemIndex % 3] }}", keys],
		['by the item of an earlier node', "={{ $('Rows').item.json.apiKey }}", keys],
		['by nothing of the items', "={{ 'key-' + 'abc'[1] }}", ['key-b']],
	])('makes a campaign for each account: %s', async (_, secret, expected) => {
		const { error } = await run(secret, create);
		expect(error).toBeUndefined();
		expect(service.accepted.map(({ path }) => keyOf(path)).sort()).toEqual(expected);
	});
});
