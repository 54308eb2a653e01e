import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { loggedIn, sandbox } from '../e2e/support/host.ts';
import { actionName, actionWorkflow, createCredential } from '../e2e/support/workflows.ts';
import { restart, start, stop } from '../queue/support/stand.ts';
import { writeRow } from './support/rows.ts';

describe('other faults', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;

	beforeEach(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Other Faults');
	});

	it('the clocks of the workers are in another time zone', async () => {
		await stop('worker2');
		const sms = {
			resource: 'smsCampaign',
			operation: 'create',
			message: 'Sale!',
			sender: 'Shop',
			phoneNumberField: 'phone',
			additionalFields: { startDateTime: '2090-07-01T10:00:00' },
		};
		const voice = {
			resource: 'voiceCampaign',
			operation: 'create',
			startDate: '2090-07-01',
			startTime: '09:30',
			finishTime: '17:30',
			callflow_Id: 301,
			answerMachineDetected: 0,
			smsOnBusy: 0,
			name: '=Clock {{ $execution.id }}',
			phoneNumberField: 'phone',
			defaultCli_Id: 401,
		};

		/** What goes to the service, and what comes out when it is read back. */
		async function dates() {
			const run = async (parameters: Record<string, unknown>) => {
				const { id } = await n8n.createWorkflow({
					...actionWorkflow('Clock', credential, [{ phone: '+447700900001' }], parameters),
					settings: { executionOrder: 'v1', timezone: 'Europe/London' },
				});
				const execution = await n8n.runWorkflow(id, 'Start');
				await n8n.deleteWorkflow(id);
				expect(execution.status).toBe('success');
				return execution.items(actionName)[0]?.json ?? {};
			};
			const get = { operation: 'get', simple: false };
			const { id: smsId } = await run(sms);
			const smsOut = await run({ resource: 'smsCampaign', ...get, campaignId: byId(smsId) });
			const { id: voiceId } = await run(voice);
			const voiceOut = await run({ resource: 'voiceCampaign', ...get, campaignId: byId(voiceId) });
			const bodyOf = async (path: string) => {
				const { items } = await sandbox().requests('POST', path);
				return items.filter((request) => request.path === path).at(-1)?.body as Record<
					string,
					unknown
				>;
			};
			const { startDateTime } = await bodyOf('/api/Campaigns');
			const { startDate, startTime, finishTime } = await bodyOf('/api/campaigns/voice');
			return {
				sent: { startDateTime, startDate, startTime, finishTime },
				sms: smsOut.startDateTime,
				voice: [voiceOut.startDate, voiceOut.startTime, voiceOut.finishTime],
			};
		}
		const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });

		const usual = await dates();
		expect(usual.sent).toMatchObject({ startDateTime: '2090-07-01T09:00:00Z', startTime: '09:30' });
		await stop('worker1');
		await start('worker1', { TZ: 'Asia/Kolkata', GENERIC_TIMEZONE: 'Pacific/Auckland' });
		expect(await dates()).toEqual(usual);
		await writeRow({
			table: 'others',
			place: 0,
			scenario: 'workers in another time zone: TZ=Asia/Kolkata, GENERIC_TIMEZONE=Pacific/Auckland',
			cells: ['dates sent and dates read back are the same, in a workflow with its own time zone'],
		});
		await restart('worker1');
		await start('worker2');
	}, 180_000);
});
