import { startServer } from '../support/servers.ts';
import { dataOf, exampleSuite } from './support/exampleSuite.ts';

const file = 'route-and-pass-on-events.json';

describe('the example workflow around the webhook trigger', () => {
	const { example, run } = exampleSuite('Trigger Examples');

	it('passes events on, and gives out what could not be passed on', async () => {
		const receiver = await startServer((_request, response) => void response.end('{}'));
		const failing = await startServer((_request, response) => void response.writeHead(500).end());
		try {
			for (const { url } of [receiver, failing]) {
				const execution = await example(
					file,
					async (workflow) => await run(workflow, 'On Event'),
					(workflow) => ({
						...workflow,
						nodes: workflow.nodes.map((node) =>
							node.name === 'Send to CRM'
								? { ...node, disabled: false, parameters: { ...node.parameters, url } }
								: node,
						),
					}),
				);
				expect(execution.items('Not Passed On')).toHaveLength(url === failing.url ? 4 : 0);
				if (url !== receiver.url) continue;
				const bodies = receiver.received.map(({ body }) => JSON.parse(body) as unknown);
				expect(bodies).toEqual(dataOf(execution, 'On Event'));
			}
		} finally {
			await receiver.close();
			await failing.close();
		}
	});

	it('routes each kind of event to its own branch', async () => {
		const execution = await example(file, async (workflow) => await run(workflow, 'On Event'));
		const handled = ['Opt-Outs', 'Answered Calls', 'Other Calls', 'Failed Texts'].map((branch) =>
			dataOf(execution, branch).map(({ handledBy, outcome, status }) => [
				handledBy,
				outcome ?? status,
			]),
		);
		expect(handled).toEqual([
			[['Opt-Outs', 'Answered']],
			[['Answered Calls', 'Answered']],
			[['Other Calls', 'Busy']],
			[['Failed Texts', 'Undeliverable']],
		]);
	});
});
