import { demonstrate } from '../../../host/demonstration.ts';
import { exampleSuite } from '../support/exampleSuite.ts';
import { sandbox } from '../support/host.ts';

describe('the example workflows', () => {
	const { suite, example } = exampleSuite('Example Workflows');

	it('turn 1,000 rows into one campaign, and its 1,000 events into 1,000 executions', async () => {
		await example('receive-sms-statuses.json', async ({ id: eventsWorkflowId }) => {
			await example('sms-campaign-from-1000-rows.json', async ({ id: campaignWorkflowId }) => {
				const { n8n } = suite;
				expect(await n8n.activateWorkflow(eventsWorkflowId)).toMatchObject({
					status: 'published',
				});
				const result = await demonstrate({
					n8n,
					sandbox: sandbox(),
					campaignWorkflowId,
					eventsWorkflowId,
				});
				expect(result).toMatchObject({
					campaigns: 1,
					contacts: 1000,
					delivered: 1000,
					executions: 1000,
					lost: 0,
				});
				const [last] = await n8n.executionIds(eventsWorkflowId, 1);
				const execution = await n8n.execution(String(last));
				expect(execution.items('Keep What Matters')).toHaveLength(1);
				expect(Object.keys(execution.items('Keep What Matters')[0]?.json ?? {}).sort()).toEqual([
					'eventId',
					'lastUpdated',
					'parts',
					'phoneNumber',
					'price',
					'status',
					'statusCode',
				]);
			});
		});
	}, 600_000);
});
