import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { loggedIn, sandbox } from './support/host.ts';
import { actionName, actionWorkflow, createCredential } from './support/workflows.ts';

const [ADA, BEN, CYD] = ['+447700900101', '+447700900102', '+447700900103'] as const;
const sms = { sender: 'Shop', message: 'Sale' };
const send = { ...sms, resource: 'smsMessage', operation: 'send' };
const sendRow = { ...send, phoneNumber: '={{ $json.phoneNumber }}' };
const create = { ...sms, resource: 'smsCampaign', operation: 'create' };
const errorOutput = { onError: 'continueErrorOutput' } as const;

/** Nobody twice, by any way of sending: the sandbox's own list of messages is the judge. */
describe('Hours Between Texts, in a real n8n', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	let clients = 7000;

	beforeAll(async () => {
		n8n = await loggedIn();
	});
	beforeEach(async () => {
		await sandbox().reset();
		// Another client is another account: n8n knows nothing of it yet.
		clients++;
		credential = await createCredential(n8n, `Hours ${String(clients)}`, {
			...{ clientId: String(clients), serviceConventions: true, serviceTimeZone: 'UTC' },
			...{ sendingPolicy: true, hoursBetweenTexts: 20 },
		});
	});

	/** The numbers of all messages that the service has. */
	const texted = async () => {
		const { data } = await sandbox().api.get<{ items: { phoneNumber: string }[] }>(
			'/api/SMSMessages?pageSize=100',
		);
		return data.items.map(({ phoneNumber }) => phoneNumber).sort();
	};

	const workflow = async (name: string, parameters: object, numbers: readonly string[]) => {
		const rows = numbers.map((phoneNumber) => ({ phoneNumber }));
		const made = actionWorkflow(name, credential, rows, { ...parameters }, errorOutput);
		return (await n8n.createWorkflow(made)).id;
	};

	const leftOut = async (id: string) => {
		const execution = await n8n.runWorkflow(id, 'Start');
		return execution.items(actionName, 1).map(({ json }) => json.phoneNumber);
	};

	it('two workflows, and a second run of the first one, text nobody twice', async () => {
		const first = await workflow('First', sendRow, [ADA, BEN]);
		const second = await workflow('Second', create, [BEN, CYD]);
		expect(await leftOut(first)).toEqual([]);
		expect(await leftOut(second)).toEqual([BEN]);
		expect(await leftOut(first)).toEqual([ADA, BEN]);
		expect(await leftOut(second)).toEqual([BEN, CYD]);
		expect(await texted()).toEqual([ADA, BEN, CYD]);
	});

	it('a retry by hand texts whom no try has reached, and a new run nobody', async () => {
		const rows = [ADA, BEN].map((phoneNumber) => ({ phoneNumber }));
		const one = actionWorkflow('Retried', credential, rows, { ...sendRow });
		const { id } = await n8n.createWorkflow(one);
		await sandbox().fault({
			match: { method: 'POST', path: 'SMSMessages' },
			...{ skip: 1, fault: { kind: 'status', status: 400 } },
		});
		const failed = await n8n.runWorkflow(id, 'Start');
		expect(failed.status).toBe('error');
		expect(await texted()).toHaveLength(1);
		const retried = await n8n.retryExecution(failed.id);
		expect(retried.items(actionName).map(({ json }) => json.sent)).toEqual(['yes', 'yes']);
		expect(await texted()).toEqual([ADA, BEN]);
		const again = await n8n.runWorkflow(id, 'Start');
		expect(again.items(actionName).map(({ json }) => [json.sent, json.skipped])).toEqual([
			['no', true],
			['no', true],
		]);
		expect(await texted()).toEqual([ADA, BEN]);
	});
});
