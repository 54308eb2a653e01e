import { randomUUID } from 'node:crypto';
import type { Workflow, WorkflowContent } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { exampleSuite, itIfRunnable, withOwnTables } from '../support/exampleSuite.ts';
import { withWebhookCredentials } from '../support/examples.ts';
import { formUrl } from '../support/formPages.ts';
import { bodies, host } from '../support/host.ts';

const asForm = 'application/x-www-form-urlencoded';
const asJson = 'application/json';

/** What no button of a page behind a link sends: [type, body]. */
const malformed: [string, string][] = [
	...['', 'answer=constructor', 'answer=__proto__', 'answer[]=agree', 'answer[toString]=agree'].map(
		(body): [string, string] => [asForm, body],
	),
	[asForm, Array.from({ length: 10_000 }, (_, index) => `a${String(index)}=1`).join('&')],
	...['{"answer":', 'null', '["agree"]', '{"answer":{"toString":1}}', '{"answer":["stop"]}'].map(
		(body): [string, string] => [asJson, body],
	),
	[asJson, `{"answer":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
	[asJson, `{"answer":"${'x'.repeat(17 * 1024 * 1024)}"}`],
	['text/plain', 'answer=agree'],
	['application/xml', '<page><answer>perhaps</answer></page>'],
	['multipart/form-data; boundary=x', '--x\r\nanswer'],
];

describe('strangers at the pages of the examples', () => {
	const { suite, example, publish } = exampleSuite('Strangers');

	/** Sends a form so many times simultaneously; gives the status codes. */
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
	itIfRunnable(signUp)('a number entered 20 times simultaneously gets one text', async () => {
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

	itIfRunnable(signUp)(
		'a malformed or huge answer at a page behind a link changes nothing and fails nothing',
		async () => {
			await example(
				signUp,
				async (workflow) => {
					await publish(workflow);
					await flood(formUrl(workflow, 'Sign Up'), ['Ada', '07700 900109'], 1);
					await texted(workflow);
					const [{ message } = { message: '' }] = await bodies<{ message: string }>();
					const [, code = ''] = /\?c=(\w+)/.exec(message) ?? [];
					const { parameters } = workflow.nodes.find(({ name }) => name === 'Answer') ?? {};
					const url = `${host().n8nUrl}/webhook/${String(parameters?.path)}?c=${code}`;
					const post = async (type: string, body: string) =>
						// n8n closes the connection where a body is too large.
						await fetch(url, { method: 'POST', headers: { 'content-type': type }, body }).catch(
							() => new Response(null, { status: 413 }),
						);
					const failed = [];
					for (const [type, body] of malformed) {
						const { status } = await post(type, body);
						if (status >= 500 && body.length < 1_000_000) failed.push([type, body.slice(0, 40)]);
					}
					expect(failed).toEqual([]);
					expect(await (await fetch(url)).text()).toContain('Offers by text?');
					expect(await suite.n8n.countExecutions(workflow.id, ['error', 'crashed'])).toBe(0);
					expect(await (await post(asForm, 'answer=agree')).text()).toContain('You get our offers');
				},
				ownTables(),
			);
		},
	);
});
