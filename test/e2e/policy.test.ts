import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { credentialType } from '../../host/workflows.ts';
import { host, loggedIn, sandbox } from './support/host.ts';
import { itOnN8n2 } from './support/versions.ts';
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
});
