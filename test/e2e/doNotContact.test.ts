import type { Execution, N8nClient } from '../../host/n8nClient.ts';
import { voiceParameters } from '../support/voiceCampaign.ts';
import { fromAi, runAgent } from './support/agent.ts';
import { bodies, loggedIn, postToService, sandbox } from './support/host.ts';
import { startModelServer, toolResults } from './support/modelServer.ts';
import {
	actionName,
	actionsWorkflow,
	actionWorkflow,
	createCredential,
} from './support/workflows.ts';

const STOPPED = '+447700900001';
const OTHER = '+447700900002';
const rows = [STOPPED, OTHER].map((phoneNumber) => ({ phoneNumber }));

const errorOutput = { onError: 'continueErrorOutput' } as const;
const sms = { sender: 'Shop', message: 'Sale' };
const send = { resource: 'smsMessage', operation: 'send', ...sms };
const sendRow = { ...send, phoneNumber: '={{ $json.phoneNumber }}' };
const createSms = { resource: 'smsCampaign', operation: 'create', ...sms };
const createVoice = { ...voiceParameters, operation: 'create' };

/** What protects whoever said stop, in workflows that know nothing of it. */
describe('the do-not-contact list of a credential, in a real n8n', () => {
	let n8n: N8nClient;

	/** Another value is another list to n8n, which it has not read yet. */
	const withRule = async (doNotContactValue: string) =>
		await createCredential(n8n, doNotContactValue, {
			...{ sendingPolicy: true, doNotContactParameter: 'parameter1', doNotContactValue },
		});

	const store = async (number: string, parameter1: string) => {
		await postToService('PhoneNumberStorageItem', { storageID: parameter1, number, parameter1 });
	};

	/** Everybody whom the service was asked to text or call, in order. */
	async function reached(): Promise<unknown[]> {
		const [messages, campaigns, calls] = await Promise.all([
			bodies<{ phoneNumber: string }>('SMSMessages'),
			bodies<{ contacts?: { phoneNumber: string }[] }>('Campaigns'),
			bodies<{ phoneNumbers?: { number: string }[] }>('campaigns/voice'),
		]);
		return [
			...messages.map(({ phoneNumber }) => phoneNumber),
			...campaigns.flatMap(({ contacts = [] }) => contacts.map((each) => each.phoneNumber)),
			...calls.flatMap(({ phoneNumbers = [] }) => phoneNumbers.map((each) => each.number)),
		];
	}

	/** What left by the error output: who, and why. */
	const refused = (execution: Execution, node = actionName) =>
		execution.items(node, 1).map(({ json }) => [json.phoneNumber, json.sent, json.error]);

	const why = 'The phone number is on the do-not-contact list of the credential';

	beforeAll(async () => {
		n8n = await loggedIn();
	});

	beforeEach(async () => {
		await sandbox().reset();
	});

	it('keeps somebody out of every send and create of all workflows, and lets the others through', async () => {
		await store(STOPPED, 'Opted out');
		const credential = await withRule('opted OUT');
		const all = actionsWorkflow('Send and Create', credential, rows, {
			Send: sendRow,
			SMS: createSms,
			Voice: createVoice,
		});
		all.nodes = all.nodes.map((node) => ({ ...node, ...errorOutput }));
		const { id } = await n8n.createWorkflow(all);
		const execution = await n8n.runWorkflow(id, 'Start');
		for (const node of ['Send', 'SMS', 'Voice']) {
			expect([node, refused(execution, node)]).toEqual([node, [[STOPPED, 'no', why]]]);
			expect([node, execution.items(node)]).toMatchObject([node, [{ json: { sent: 'yes' } }]]);
		}
		expect(await reached()).toEqual([OTHER, OTHER, OTHER]);

		const file = { contactsSource: 'file', phoneNumberField: 'phone' };
		const another = actionWorkflow('A File', credential, [], { ...createSms, ...file });
		const data = Buffer.from(`phone\n${STOPPED}\n${OTHER}\n`).toString('base64');
		const binary = { data: { data, mimeType: 'text/csv' } };
		const jsCode = `return [{ json: {}, binary: ${JSON.stringify(binary)} }];`;
		Object.assign(another.nodes[1]?.parameters ?? {}, { jsCode });
		const ofFile = await n8n.runWorkflow((await n8n.createWorkflow(another)).id, 'Start');
		expect(ofFile.items(actionName)).toMatchObject([
			{ json: { sent: 'yes', recipients: 1, file: { leftOut: { doNotContact: 1 } } } },
		]);
		expect(await reached()).toEqual([OTHER, OTHER, OTHER, OTHER]);
	});

	it('keeps an agent from texting somebody, and tells it why', async () => {
		await store(STOPPED, 'No agent');
		const model = await startModelServer({ phone: STOPPED, text: 'Your table is ready' }, 'Done.');
		const parameters = { ...send, phoneNumber: fromAi('phone'), message: fromAi('text') };
		const credential = await withRule('No agent');
		const execution = await runAgent(n8n, model, [{ credential, parameters }]);
		await model.stop();
		expect(execution.error).toBeUndefined();
		expect(toolResults(model)).toEqual([expect.stringContaining(why)]);
		expect(await reached()).toEqual([]);
	});
});
