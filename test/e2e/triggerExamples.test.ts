import { startServer } from '../support/servers.ts';
import { exampleSuite } from './support/exampleSuite.ts';
import { triggerName } from './support/workflows.ts';

describe('the example workflows around the trigger', () => {
	const { suite, example } = exampleSuite('Trigger Examples');

	it('pass events on unchanged, and give out what could not be passed on', async () => {
		const receiver = await startServer((_request, response) => void response.end('{}'));
		const failing = await startServer((_request, response) => void response.writeHead(500).end());
		try {
			for (const { url } of [receiver, failing]) {
				const execution = await example(
					'pass-events-on.json',
					async ({ id }) => await suite.n8n.runWorkflow(id, triggerName),
					(workflow) => {
						delete workflow.pinData?.['Send to CRM'];
						for (const node of workflow.nodes) {
							if (node.name === 'Send to CRM') Object.assign(node.parameters, { url });
						}
						return workflow;
					},
				);
				expect(execution.status).toBe('success');
				expect(execution.items('Not Passed On')).toHaveLength(url === failing.url ? 2 : 0);
				const events = execution.items(triggerName).map(({ json }) => json);
				if (url !== receiver.url) continue;
				const bodies = receiver.received.map(({ body }) => JSON.parse(body) as unknown);
				expect(bodies).toEqual(events);
			}
		} finally {
			await receiver.close();
			await failing.close();
		}
	});

	it('route events to sub-workflows, from pinned events', async () => {
		const execution = await example(
			'route-events-to-sub-workflows.json',
			async ({ id }) => await suite.n8n.runWorkflow(id, triggerName),
		);
		expect(execution.error).toBeUndefined();
		const handled = ['Opt-Outs', 'Answered Calls', 'Other Calls', 'Failed Messages'].map((name) =>
			execution.items(name).map(({ json }) => [json.handledBy, json.outcome ?? json.status]),
		);
		expect(handled).toEqual([
			[['Opt-Outs', 'Answered']],
			[['Answered Calls', 'Answered']],
			[['Other Calls', 'Busy']],
			[['Failed Messages', 'Undeliverable']],
		]);
	});
});
