import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { loggedIn, sandbox } from './support/host.ts';
import { actionName, actionsWorkflow, createCredential, runAction } from './support/workflows.ts';

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const rows = (count: number) =>
	Array.from({ length: count }, (_, row) => ({
		phone: `+447700900${String(row).padStart(3, '0')}`,
		person: { name: `Person ${String(row)}` },
	}));

const create = {
	resource: 'smsCampaign',
	operation: 'create',
	message: 'Hello from the tests',
	sender: 'Tests',
	contactsSource: 'inputItems',
	phoneNumberField: 'phone',
	additionalFields: { otherFields: { name: 'person.name' } },
};

const send = {
	resource: 'smsMessage',
	operation: 'send',
	message: '=Hello {{ $json.person.name }}',
	sender: 'Tests',
	phoneNumber: '={{ $json.phone }}',
};

const get = {
	resource: 'smsCampaign',
	operation: 'get',
	campaignId: { __rl: true, mode: 'id', value: '={{ $json.campaign }}' },
};

describe('the action node', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Action Tests');
	});

	afterAll(async () => {
		await n8n.deleteCredential(credential.id);
	});

	it('keeps to the requests per second of the account, in parallel branches and simultaneous executions', async () => {
		const limited = await createCredential(n8n, 'Five a Second', { requestsPerSecond: 5 });
		const branch = (text: string) => ({ ...send, message: text });
		const { id } = await n8n.createWorkflow(
			actionsWorkflow('Five a Second', limited, rows(10), {
				First: branch('Limited, first branch'),
				Second: branch('Limited, second branch'),
			}),
		);
		const executions = await Promise.all(
			[1, 2].map(async () => await n8n.runWorkflow(id, 'Start')),
		);
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		const { items } = await sandbox().requests('POST', 'SMSMessages');
		const times = items
			.filter(({ body }) => String((body as { message: string }).message).startsWith('Limited'))
			.map(({ at }) => Date.parse(at))
			.sort((a, b) => a - b);
		expect(times).toHaveLength(40);
		// 40 starts, 200 ms apart: the first second has at most six, each later one five.
		expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(7500);
		await n8n.deleteWorkflow(id);
		await n8n.deleteCredential(limited.id);
	});

	it('makes one campaign with 1,000 contacts of 1,000 rows, by one request', async () => {
		const before = await sandbox().requests('POST', 'Campaigns');
		const execution = await runAction(n8n, 'Create', credential, rows(1000), create);
		expect(execution.status).toBe('success');
		const [item, ...others] = execution.items(actionName);
		expect(others).toEqual([]);
		const id = String(item?.json.id);
		expect(item?.pairedItem).toHaveLength(1000);
		expect(await sandbox().contactCount(id)).toBe(1000);
		expect((await sandbox().requests('POST', 'Campaigns')).total).toBe(before.total + 1);
	});

	it('gets the campaign that it has made', async () => {
		const made = await runAction(n8n, 'Create', credential, rows(2), create);
		const campaign = made.items(actionName)[0]?.json.id;
		const execution = await runAction(n8n, 'Get', credential, [{ campaign }], get);
		expect(execution.items(actionName).map(({ json }) => json)).toEqual([
			expect.objectContaining({
				id: campaign,
				message: 'Hello from the tests',
				sender: 'Tests',
				recipientCount: 2,
			}),
		]);
	});

	it('sends one SMS for each row, with the text for that row', async () => {
		const before = await sandbox().requests('POST', 'SMSMessages');
		const execution = await runAction(n8n, 'Send', credential, rows(3), send);
		expect(execution.status).toBe('success');
		const ids = execution.items(actionName).map(({ json }) => String(json.newId));
		expect(ids).toHaveLength(3);
		expect(new Set(ids).size).toBe(3);
		for (const id of ids) expect(id).toMatch(guid);

		const { items } = await sandbox().requests('POST', 'SMSMessages', before.total);
		const sent = items.map(({ body }) => body as Record<string, unknown>);
		const byNumber = (a: Record<string, unknown>, b: Record<string, unknown>) =>
			String(a.phoneNumber).localeCompare(String(b.phoneNumber));
		expect(sent.sort(byNumber)).toEqual(
			rows(3).map(({ phone, person }) => ({
				phoneNumber: phone,
				sender: 'Tests',
				message: `Hello ${person.name}`,
			})),
		);
	});

	describe('with a row that fails', () => {
		const [good, other] = rows(2);
		const mixed = [good, { ...good, phone: '' }, other].map((row) => ({ ...row }));

		it('fails the workflow and names the item', async () => {
			const execution = await runAction(n8n, 'Fail', credential, mixed, send);
			expect(execution.status).toBe('error');
			expect(execution.error?.message).toMatch(/phone number/i);
			expect(execution.error?.context).toMatchObject({ itemIndex: 1 });
		});

		it('continues with an error item when told to', async () => {
			const execution = await runAction(n8n, 'Continue', credential, mixed, send, {
				onError: 'continueRegularOutput',
			});
			expect(execution.status).toBe('success');
			const items = execution.items(actionName);
			expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
		});
	});

	it('says what the service said when it refuses', async () => {
		const execution = await runAction(n8n, 'Missing', credential, [{ campaign: 'no-such' }], get);
		expect(execution.status).toBe('error');
		expect(execution.error).toMatchObject({ httpCode: '404' });
	});
});
