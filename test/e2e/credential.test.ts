import { credentialType } from '../../host/workflows.ts';
import { loggedIn, sandbox } from './support/host.ts';
import { createCredential } from './support/workflows.ts';

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
