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
};
const create = { resource: 'smsCampaign', operation: 'create', message: 'Sale', sender: 'Shop' };

const rows = (count: number) =>
	Array.from({ length: count }, (_, row) => ({
		phoneNumber: `+44770090${String(row).padStart(4, '0')}`,
		text: `m${String(row)}`,
	}));

const errorBranch = { onError: 'continueErrorOutput' } as const;

describe('fields that an expression fills in, in a real n8n', () => {
	let n8n: N8nClient;
	const service = modelService();
	let credential: CredentialSummary;

	beforeAll(async () => {
		n8n = await loggedIn();
		await service.start();
		credential = await createCredential(n8n, 'Expressions', {
			baseUrl: service.url,
			concurrentRequests: 1,
		});
	});

	beforeEach(() => {
		service.reset();
	});

	afterAll(async () => {
		await n8n.deleteCredential(credential.id);
		await service.stop();
	});

	const run = async (
		items: Record<string, unknown>[],
		parameters: Record<string, unknown>,
		settings = {},
	) => await runAction(n8n, 'Expressions', credential, items, parameters, settings);

	/** The output of both branches. */
	const branches = (execution: Execution) =>
		[0, 1].map((output) => execution.items(actionName, output).map(({ json }) => json));

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
