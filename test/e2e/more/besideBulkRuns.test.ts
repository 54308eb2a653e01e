import type { CredentialSummary, N8nClient } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { credentialType, nodeTypes } from '../../../host/workflows.ts';
import { loggedIn, sandbox } from '../support/host.ts';
import { actionWorkflow, createCredential, triggerWorkflow } from '../support/workflows.ts';

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
	async function startSending(requestsPerSecond: number) {
		const credential = await createCredential(n8n, 'Beside', { requestsPerSecond });
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

	/** The requests to the service, in order. */
	async function requests(): Promise<{ operation: string | null; at: number }[]> {
		const { items } = await sandbox().requests({ limit: 1000 });
		return items.map(({ operationId, at }) => ({ operation: operationId, at: Date.parse(at) }));
	}

	const isSend = ({ operation }: { operation: string | null }) => operation === 'sendSmsMessage';

	it('a list and publishing take two turns, and the sends keep to their rate', async () => {
		const { credential, execution } = await startSending(0.5);
		const workflow = triggerWorkflow('Beside', credential, {
			path: 'beside',
			events: ['smsStatus'],
		});
		const { id } = await n8n.createWorkflow(workflow);
		const [publication] = await Promise.all([n8n.activateWorkflow(id), list(credential)]);
		expect(publication.status).toBe('published');
		expect((await n8n.finishedExecution(execution)).status).toBe('success');

		const made = await requests();
		expect(made.filter(isSend)).toHaveLength(SENDS);
		const others = made.filter((request) => !isSend(request)).map(({ operation }) => operation);
		expect(others.sort()).toEqual(['listSmsCampaigns', 'updateWebHook']);
		// 62 requests, 2 s apart: as many turns as there are requests, with a tenth for a busy machine.
		const seconds = ((made.at(-1)?.at ?? NaN) - (made[0]?.at ?? NaN)) / 1000;
		console.log(`${String(made.length)} requests in ${String(seconds)} s, 2 s apart`);
		expect(seconds).toBeLessThan(2 * (made.length - 1) * 1.1);
		await n8n.deactivateWorkflow(id);
		await poll(async () => ((await sandbox().webhook()).url === null ? true : undefined), {
			what: 'the removal of the URL',
			timeout: 60_000,
		});
	});

	it('200 lists in a row do not stop the sends', async () => {
		const { credential, execution } = await startSending(10);
		for (let count = 0; count < 200; count++) await list(credential);
		expect((await n8n.finishedExecution(execution)).status).toBe('success');
		const made = await requests();
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
