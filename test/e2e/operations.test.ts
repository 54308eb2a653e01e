import type {
	CredentialSummary,
	N8nClient,
	WorkflowContent,
	WorkflowNode,
} from '../../host/n8nClient.ts';
import { credentialType, nodeTypes } from '../../host/workflows.ts';
import { loggedIn, sandbox } from './support/host.ts';
import { chain, createCredential, rowsWorkflow } from './support/workflows.ts';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const smsCampaign = byId("={{ $('smsCampaign create').first().json.id }}");
const voiceCampaign = byId("={{ $('voiceCampaign create').first().json.id }}");
const stored = byId('customer/4711?#');

const voice = {
	startDate: '2090-05-17',
	startTime: '09:00',
	finishTime: '17:30',
	callflow_Id: 301,
	answerMachineDetected: 0,
	smsOnBusy: 1,
};

/** Every operation with the parameters of its node, in an order in which each can use the others. */
const operations: [resource: string, operation: string, parameters: Record<string, unknown>][] = [
	[
		'smsCampaign',
		'create',
		{
			message: 'Sale!',
			sender: 'Shop',
			phoneNumberField: 'phone',
			// A campaign that has started cannot be updated.
			startDateTime: '2090-05-17T09:00:00Z',
		},
	],
	['smsCampaign', 'get', { campaignId: smsCampaign }],
	['smsCampaign', 'getAll', { returnAll: true }],
	['smsCampaign', 'getContacts', { campaignId: smsCampaign, returnAll: true }],
	['smsCampaign', 'update', { campaignId: smsCampaign, updateFields: { message: 'Big sale!' } }],
	['smsCampaign', 'postById', { campaignId: smsCampaign }],
	['smsMessage', 'send', { phoneNumber: '+447700900001', message: 'Hello', sender: 'Shop' }],
	['smsMessage', 'get', { messageId: "={{ $('smsMessage send').first().json.newId }}" }],
	['smsMessage', 'getAll', { limit: 5, simple: false }],
	[
		'voiceCampaign',
		'create',
		{
			...voice,
			name: '=Reminders {{ $execution.id }}',
			defaultCli_Id: 401,
			phoneNumbersSource: 'list',
			phoneNumbers: { entry: [{ number: '+447700900001' }, { number: '447700900002' }] },
			additionalFields: {
				attempts: { attempt: [{ interval: 30 }, { interval: 60 }] },
				runoverDays: { day: [{ date: '2090-05-18', startTime: '09:00', finishTime: '12:00' }] },
			},
		},
	],
	[
		'voiceCampaign',
		'createForClient',
		{
			...voice,
			name: '=Reminders of a client {{ $execution.id }}',
			cli_Id: 402,
			phoneNumbersSource: 'list',
			phoneNumbers: { entry: [{ number: '+447700900001', name: 'Ada' }] },
		},
	],
	['voiceCampaign', 'get', { campaignId: voiceCampaign, simple: false }],
	['voiceCampaign', 'getAll', { returnAll: true }],
	['voiceCampaign', 'getAllUnpaged', {}],
	['voiceCampaign', 'getPhoneNumbers', { campaignId: voiceCampaign, returnAll: true }],
	[
		'phoneNumberStorage',
		'create',
		{ storageID: 'customer/4711?#', number: '+447700900001', parameters: { parameter1: 'VIP' } },
	],
	[
		'phoneNumberStorage',
		'update',
		{ storageID: 'customer/4711?#', number: '+447700900002', parameters: { parameter2: 'Leeds' } },
	],
	['phoneNumberStorage', 'get', { storageId: stored }],
	['phoneNumberStorage', 'getAll', { returnAll: true }],
	['phoneNumberStorage', 'postById', { storageId: stored, payloadJson: { parameter1: 'Gold' } }],
	['webhook', 'set', { webHookUrl: 'http://127.0.0.1:9/hook' }],
	['webhook', 'remove', {}],
];

const rows = [{ phone: '+447700900001' }, { phone: 447700900002 }];

const nameOf = ([resource, operation]: (typeof operations)[number]) => `${resource} ${operation}`;

/** The rows, of which the first operation makes a campaign, then each operation once. */
function workflowOfAll({ id, name }: CredentialSummary): WorkflowContent {
	const before = rowsWorkflow('Every operation', rows);
	const nodes: WorkflowNode[] = operations.map((entry, index) => ({
		id: `operation-${String(index)}`,
		name: nameOf(entry),
		type: nodeTypes.action,
		typeVersion: 1,
		position: [440 + index * 220, 0],
		parameters: { resource: entry[0], operation: entry[1], ...entry[2] },
		credentials: { [credentialType]: { id, name } },
		alwaysOutputData: true,
		executeOnce: index > 0,
	}));
	const all = [...before.nodes, ...nodes];
	return { ...before, nodes: all, connections: chain(...all.map((node) => node.name)) };
}

/** The requests that the sandbox has received so far. */
async function requests() {
	return (await sandbox().requests({ limit: 10_000 })).items;
}

describe('every operation in a real n8n', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Operations');
	});

	it('runs in one workflow, each on what the others made', async () => {
		const before = await requests();
		const { id } = await n8n.createWorkflow(workflowOfAll(credential));
		const execution = await n8n.runWorkflow(id, 'Start');

		expect(execution.error).toBeUndefined();
		const output = (name: string) => execution.items(name).map(({ json }) => json);
		for (const entry of operations) {
			expect([nameOf(entry), output(nameOf(entry)).length > 0]).toEqual([nameOf(entry), true]);
		}
		expect(output('smsCampaign getContacts').map(({ phoneNumber }) => phoneNumber)).toEqual([
			'+447700900001',
			'447700900002',
		]);
		expect(output('voiceCampaign getPhoneNumbers').map(({ number }) => number)).toEqual([
			'+447700900001',
			'447700900002',
		]);
		expect(output('voiceCampaign get')[0]).toMatchObject({
			startDate: expect.stringContaining('2090-05-17') as unknown,
			attempts: [
				{ interval: 30, attemptNumber: 1 },
				{ interval: 60, attemptNumber: 2 },
			],
		});
		expect(output('phoneNumberStorage get')[0]).toMatchObject({
			storageID: 'customer/4711?#',
			number: '+447700900002',
		});
		const answered = (await requests()).slice(before.length);
		// The storage has no page 0, which is how its first page is found out.
		const refused = answered.filter(({ status }) => Number(status) >= 400);
		expect(refused.map(({ operationId }) => operationId)).toEqual(['listStoredPhoneNumbers']);
		// Create and Update of stored numbers share an endpoint, and so do both webhook operations.
		expect(new Set(answered.map(({ operationId }) => operationId)).size).toBe(
			operations.length - 2,
		);
	});
});
