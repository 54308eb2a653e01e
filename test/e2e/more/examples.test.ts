import { demonstrate } from '../../../host/demonstration.ts';
import { exampleSuite } from '../support/exampleSuite.ts';
import { sandbox } from '../support/host.ts';
import { actionWorkflow } from '../support/workflows.ts';

const rows = Array.from({ length: 1000 }, (_, index) => ({
	phone: `+4477009${String(1000 + index).padStart(5, '0')}`,
}));

describe('the demonstration of npm start', () => {
	const { suite, example } = exampleSuite('Example Workflows');

	it('turns 1,000 rows into one campaign, and its 1,000 events into 1,000 executions', async () => {
		const { n8n, credential } = suite;
		const { id: campaignWorkflowId } = await n8n.createWorkflow(
			actionWorkflow('1,000 Rows', credential, rows, {
				...{ resource: 'smsCampaign', operation: 'create', phoneNumberField: 'phone' },
				...{ sender: 'MyCompany', message: 'Our spring sale starts on Monday' },
			}),
		);
		await example('receive-sms-statuses.json', async ({ id: eventsWorkflowId }) => {
			expect(await n8n.activateWorkflow(eventsWorkflowId)).toMatchObject({ status: 'published' });
			const workflows = { campaignWorkflowId, eventsWorkflowId };
			const result = await demonstrate({ n8n, sandbox: sandbox(), ...workflows });
			const counts = { contacts: 1000, delivered: 1000, executions: 1000 };
			expect(result).toMatchObject({ campaigns: 1, ...counts, lost: 0 });
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
	}, 600_000);
});
