import { randomUUID } from 'node:crypto';
import type { Workflow, WorkflowContent } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { exampleSuite, itIfRunnable, withOwnTables } from './support/exampleSuite.ts';
import { withWebhookCredentials } from './support/examples.ts';
import { formUrl } from './support/formPages.ts';
import { bodies } from './support/host.ts';

/** What somebody without a login can do with the pages of the examples, without a browser. */
describe('strangers at the pages of the examples', () => {
	const { suite, example, publish } = exampleSuite('Strangers');

	/** Sends a form as many times at once; gives the status codes. */
	async function flood(url: string, fields: string[], times: number): Promise<number[]> {
		const send = async () => {
			const form = new FormData();
			for (const [index, value] of fields.entries()) form.set(`field-${String(index)}`, value);
			return (await fetch(url, { method: 'POST', body: form })).status;
		};
		return await Promise.all(Array.from({ length: times }, send));
	}

	/** The numbers that got a text, once nothing of the workflow runs any more. */
	async function texted({ id }: Workflow): Promise<string[]> {
		await poll(
			async () => {
				const running = await suite.n8n.countExecutions(id, ['new', 'running']);
				return running === 0 ? true : undefined;
			},
			{ what: 'the executions to end', timeout: 120_000 },
		);
		const texts = await bodies<{ phoneNumber: string }>();
		return texts.map(({ phoneNumber }) => phoneNumber).sort();
	}

	const ownTables = () => withOwnTables(randomUUID());

	const signUp = 'sign-up-with-proof.json';
	itIfRunnable(signUp)('a number entered 20 times at once gets one text', async () => {
		await example(
			signUp,
			async (workflow) => {
				await publish(workflow);
				const url = formUrl(workflow, 'Sign Up');
				// The first sign-up makes the table.
				await flood(url, ['Ada', '07700 900109'], 1);
				expect(await texted(workflow)).toEqual(['+447700900109']);
				const codes = await flood(url, ['Ada', '07700 900101'], 20);
				expect(codes).toEqual(codes.map(() => 200));
				expect(await texted(workflow)).toEqual(['+447700900101', '+447700900109']);
				await flood(url, ['Bob', '07700 900101'], 1);
				expect(await texted(workflow)).toHaveLength(2);
			},
			ownTables(),
		);
	});

	const stock = 'back-in-stock.json';
	itIfRunnable(stock)('who waits for a product 20 times gets one text', async () => {
		const shop = await suite.n8n.createCredential('Shop of Strangers', 'httpHeaderAuth', {
			...{ name: 'X-Shop', value: 'made up' },
		});
		await example(
			stock,
			async (workflow) => {
				await publish(workflow);
				const url = formUrl(workflow, 'Tell Me When It Is Back');
				await flood(url, ['07700 900109', 'Red Teapot'], 1);
				expect(await texted(workflow)).toEqual([]);
				await flood(url, ['07700 900101', 'Blue Teapot'], 20);
				await texted(workflow);
				await suite.n8n.runWorkflow(workflow.id, 'Shop Reports Stock');
				expect(await texted(workflow)).toEqual(['+447700900101']);
			},
			(workflow: WorkflowContent) => withWebhookCredentials(ownTables()(workflow), shop),
		);
	});
});
