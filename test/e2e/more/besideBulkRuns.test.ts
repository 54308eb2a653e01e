import type { CredentialSummary, N8nClient } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { credentialType, nodeTypes } from '../../../host/workflows.ts';
import { loggedIn, sandbox } from '../support/host.ts';
import { actionWorkflow, createCredential } from '../support/workflows.ts';

const SENDS = 60;

/** What somebody waits for in the editor, beside a run that sends as fast as the credential allows. */
describe('beside a bulk run of the same account', () => {
	let n8n: N8nClient;

	beforeAll(async () => {
		n8n = await loggedIn();
	});

	beforeEach(async () => {
		await sandbox().reset();
	});

	/** Starts the run, and waits for its first message. */
	async function startSending() {
		const credential = await createCredential(n8n, 'Beside', { requestsPerSecond: 10 });
		const rows = Array.from({ length: SENDS }, () => ({}));
		const send = { resource: 'smsMessage', operation: 'send', sender: 'Shop', message: 'Hi' };
		const parameters = { ...send, phoneNumber: '+447700900123' };
		const workflow = actionWorkflow('Sixty', credential, rows, parameters);
		const { id } = await n8n.createWorkflow(workflow);
		const execution = await n8n.startWorkflow(id, 'Start');
		await poll(async () => ((await sandbox().summary()).requests > 0 ? true : undefined), {
			what: 'the first message',
			timeout: 60_000,
		});
		return { credential, execution };
	}

	const list = async ({ id, name }: CredentialSummary) =>
		await n8n.searchList(nodeTypes.action, 'searchSmsCampaigns', {
			[credentialType]: { id, name },
		});

	/** The operations that the service was asked for, in order. */
	async function operations(): Promise<(string | null)[]> {
		const { items } = await sandbox().requests({ limit: 1000 });
		return items.map(({ operationId }) => operationId);
	}

	const isSend = (operation: string | null) => operation === 'sendSmsMessage';

	it('200 lists in a row do not stop the sends', async () => {
		const { credential, execution } = await startSending();
		for (let count = 0; count < 200; count++) await list(credential);
		expect((await n8n.finishedExecution(execution)).status).toBe('success');
		const made = await operations();
		expect(made.filter(isSend)).toHaveLength(SENDS);
		expect(made).toHaveLength(SENDS + 200);
		/** How many lists came between one send and the next. */
		const last = made.findLastIndex(isSend);
		const listsBetween = made
			.slice(0, last)
			.map((request) => (isSend(request) ? ' ' : 'l'))
			.join('')
			.split(' ')
			.map((lists) => lists.length);
		expect(Math.max(...listsBetween)).toBeLessThanOrEqual(2);
		expect(Math.max(...listsBetween)).toBeGreaterThan(0);
	});
});
