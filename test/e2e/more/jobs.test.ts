import { exampleSuite, itIfRunnable } from '../support/exampleSuite.ts';
import { bodies } from '../support/host.ts';

describe('a campaign that waits for approval', () => {
	const { suite, example } = exampleSuite('Late Approval');

	const approval = 'campaign-with-approval.json';
	itIfRunnable(approval)('is not sent once the time for it has passed', async () => {
		await example(
			approval,
			async ({ id }) => {
				const { items } = await suite.n8n.runWorkflow(id, 'Start');
				expect(items('Not Sent')[0]?.json.result).toMatch(/^Nobody decided/);
			},
			(workflow) => ({
				...workflow,
				pinData: { 'Subscribers Who Said Yes': [{ json: { number: '+447700900101' } }] },
				nodes: workflow.nodes.map((node) =>
					node.name === 'Approve or Refuse'
						? {
								...node,
								parameters: { ...node.parameters, resumeAmount: 1, resumeUnit: 'minutes' },
							}
						: node,
				),
			}),
		);
		expect(await bodies('/api/Campaigns')).toEqual([]);
	});
});
