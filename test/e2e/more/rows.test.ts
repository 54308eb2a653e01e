import type { CredentialSummary, Execution, N8nClient } from '../../../host/n8nClient.ts';
import { modelService } from '../../support/modelService.ts';
import { voiceParameters } from '../../support/voiceCampaign.ts';
import { loggedIn } from '../support/host.ts';
import { actionName, createCredential, runAction } from '../support/workflows.ts';

const send = {
	resource: 'smsMessage',
	operation: 'send',
	phoneNumber: '={{ $json.phoneNumber }}',
	message: '={{ $json.text }}',
	sender: 'Shop',
	options: { requestsAtOnce: 1, maxRetries: 0 },
};
const create = { resource: 'smsCampaign', operation: 'create', message: 'Sale', sender: 'Shop' };

const rows = (count: number) =>
	Array.from({ length: count }, (_, row) => ({
		phoneNumber: `+44770090${String(row).padStart(4, '0')}`,
		text: `m${String(row)}`,
		sender: `Shop ${String(row)}`,
	}));

const errorBranch = { onError: 'continueErrorOutput' } as const;

describe('what the action node makes of rows and fields, in a real n8n', () => {
	let n8n: N8nClient;
	const service = modelService();
	let credential: CredentialSummary;
	const credentials: CredentialSummary[] = [];

	const credentialWith = async (name: string, data: Record<string, unknown>) => {
		const made = await createCredential(n8n, name, { baseUrl: service.url, ...data });
		credentials.push(made);
		return made;
	};

	beforeAll(async () => {
		n8n = await loggedIn();
		await service.start();
		credential = await credentialWith('Rows', {});
	});

	beforeEach(() => {
		service.reset();
	});

	afterAll(async () => {
		for (const { id } of credentials) await n8n.deleteCredential(id);
		await service.stop();
	});

	const run = async (
		items: Record<string, unknown>[],
		parameters: Record<string, unknown>,
		settings = {},
		used = credential,
	) => await runAction(n8n, 'Rows', used, items, parameters, settings);

	/** The output of both branches. */
	const branches = (execution: Execution) =>
		[0, 1].map((output) => execution.items(actionName, output).map(({ json }) => json));

	it('an option that is wrong sends every row to the error branch, and none to the other', async () => {
		for (const options of [{ timeout: 0 }, { maxRetries: '={{ $itemIndex }}' }]) {
			const execution = await run(rows(3), { ...send, options }, errorBranch);
			const [succeeded, failed] = branches(execution);
			expect(execution.status).toBe('success');
			expect(succeeded).toEqual([]);
			expect(failed?.map(({ text, sent }) => [text, sent])).toEqual([
				['m0', 'no'],
				['m1', 'no'],
				['m2', 'no'],
			]);
		}
		expect(service.accepted).toEqual([]);
	});

	it('shared values and Dry Run are read of each row', async () => {
		const items = rows(3).map(({ text, ...row }, index) => ({
			...row,
			message: text,
			dry: index > 1,
		}));
		const parameters = {
			...{ resource: 'smsMessage', operation: 'send', mappingMode: 'autoMapInputData' },
			inputFieldNames: { sender: 'nobody' },
			sharedValues: { sender: '={{ $json.sender }}' },
			dryRun: '={{ $json.dry }}',
		};
		const named = items.map((item) => ({ ...item, nobody: '' }));
		const execution = await run(named, parameters, errorBranch);
		expect(branches(execution)[1]).toEqual([]);
		const sent = service.accepted.map(({ body }) => [body.message, body.sender]).sort();
		expect(sent).toEqual([
			['m0', 'Shop 0'],
			['m1', 'Shop 1'],
		]);
	});

	it('each row of a campaign that fails has its own error item and reason', async () => {
		const items = [...rows(2), { phoneNumber: '', text: 'bad' }, { phoneNumber: '+447700900777' }];
		const failed = await run(items, create, errorBranch);
		expect(branches(failed)[0]).toEqual([]);
		expect(branches(failed)[1]?.map(({ error, sent }) => [error, sent])).toEqual([
			['Not sent because of item 2', 'no'],
			['Not sent because of item 2', 'no'],
			['The phone number is empty', 'no'],
			['Not sent because of item 2', 'no'],
		]);
		expect(service.accepted).toEqual([]);
		const skipping = { ...create, options: { unusable: 'skip' } };
		const [created, skipped] = branches(await run(items, skipping, errorBranch));
		expect(created).toMatchObject([{ sent: 'yes', skippedCount: 1 }]);
		expect(skipped).toMatchObject([{ text: 'bad', skipped: true, sent: 'no' }]);
		expect(service.accepted).toHaveLength(1);
	});

	it('a response is never changed, with any credential', async () => {
		const secretJson = JSON.stringify({
			headers: { 'X-Company': 'Acme Retail Ltd' },
			body: { account: 100200300400 },
		});
		const custom = await credentialWith('Custom', { authentication: 'customJson', secretJson });
		const parameters = {
			...voiceParameters,
			operation: 'create',
			name: 'Acme Retail Ltd',
			options: { fullResponse: true },
		};
		const execution = await run(rows(1), parameters, {}, custom);
		expect(execution.error).toBeUndefined();
		expect(execution.items(actionName)[0]?.json).toMatchObject({
			account: 100200300400,
			name: 'Acme Retail Ltd',
			sent: 'yes',
		});
	});

	it('a campaign takes the columns of its rows by their names, and says which', async () => {
		const items = [{ phoneNumber: '+447700900001', name: 'Ada', custom1: 'Leeds', city: 'Leeds' }];
		const execution = await run(items, create);
		expect(service.accepted[0]?.body.contacts).toEqual([
			{ phoneNumber: '+447700900001', name: 'Ada', custom1: 'Leeds' },
		]);
		const [item] = execution.items(actionName);
		expect(JSON.stringify(item?.json.columnsUsed)).toMatch(/phoneNumber.*name.*custom1/);
		expect(item?.json.columnsNotUsed).toEqual(['city']);
	});

	it('a Dry Run that an expression turns on sends nothing, with any value of the expression', async () => {
		const values = ['true', 'TRUE', 'yes', '1', 1, true, 'maybe', null, ''];
		const items = values.map((dry, row) => ({ ...rows(values.length)[row], dry }));
		const execution = await run(items, { ...send, dryRun: '={{ $json.dry }}' }, errorBranch);
		const [dry, refused] = branches(execution);
		expect(dry?.map(({ dryRun, wouldSend }) => [dryRun, wouldSend])).toEqual(
			values.slice(0, 6).map(() => [true, true]),
		);
		expect(refused?.map(({ field }) => field)).toEqual(['Dry Run', 'Dry Run', 'Dry Run']);
		expect(service.accepted).toEqual([]);
	});

	it('a Client ID or Opt-Out Link ID that an expression does not find is refused', async () => {
		for (const value of ['={{ $json.typo }}', '={{ "" }}', '={{ null }}']) {
			const calls = {
				...voiceParameters,
				operation: 'createForClient',
				additionalFields: { clientId: value },
			};
			const ofOther = await run(rows(2), calls);
			expect(ofOther.error?.message).toBe('Client ID is empty');
			const optOut = { ...create, additionalFields: { optOutLinkId: value } };
			expect((await run(rows(2), optOut)).error?.message).toBe('Opt-Out Link ID is empty');
		}
		expect(service.accepted).toEqual([]);
		const other = {
			...voiceParameters,
			operation: 'createForClient',
			additionalFields: { clientId: '={{ 1002 }}' },
		};
		await run(rows(1), other);
		expect(service.accepted.map(({ path }) => path)).toEqual([
			'/api/Campaign/Voice/?clientId=1002',
		]);
	});
});
