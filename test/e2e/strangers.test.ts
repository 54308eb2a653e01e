import { randomUUID } from 'node:crypto';
import type { Workflow, WorkflowContent } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { exampleSuite, itIfRunnable, withOwnTables } from './support/exampleSuite.ts';
import { withWebhookCredentials } from './support/examples.ts';
import { formUrl } from './support/formPages.ts';
import { bodies, host } from './support/host.ts';

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
	['application/xml', '<answer>agree</answer>'],
	['multipart/form-data; boundary=x', '--x\r\nanswer'],
];

/** The answer of the page on which a campaign is confirmed, as it is and malformed. */
const sendIt = '["Send it"]';
const notSendIt = ['', '{', 'null', '[]', '{"a":1}', '["Perhaps"]', '[["Send it"]]', 'Send it'];

/** As if a colleague who may use the forms had let a stranger in. */
const withoutLogin = (workflow: WorkflowContent): WorkflowContent => ({
	...workflow,
	nodes: workflow.nodes.map((node) => ({
		...node,
		parameters: {
			...node.parameters,
			...(node.type.endsWith('.formTrigger') && { authentication: 'none' }),
		},
	})),
});

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

	const preview = 'send-from-a-form-with-preview.json';
	itIfRunnable(preview)(
		'a malformed answer at the page that shows a campaign sends nothing, and four at once send one',
		async () => {
			await example(
				preview,
				async (workflow) => {
					await publish(workflow);
					/** Sends the form; gives the address of the page with the preview. */
					const previewed = async () => {
						const form = new FormData();
						form.set('field-0', new Blob(['phone,consent\n+447700900101,yes\n']), 'list.csv');
						for (const [index, value] of ['phone', 'consent', 'Hello', 'MyShop'].entries()) {
							form.set(`field-${String(index + 1)}`, value);
						}
						const sent = await fetch(formUrl(workflow, 'Form'), { method: 'POST', body: form });
						const { formWaitingUrl: url } = (await sent.json()) as { formWaitingUrl: string };
						await poll(
							async () =>
								(await (await fetch(url)).text()).includes('Is this right?') ? true : undefined,
							{ what: 'the preview', timeout: 60_000 },
						);
						return url;
					};
					const answer = async (url: string, text: string) => {
						const form = new FormData();
						form.set('field-0', text);
						return (await fetch(url, { method: 'POST', body: form })).status;
					};
					const unsigned = (await previewed()).replace(/\?.*/, '');
					expect(await answer(unsigned, sendIt)).toBe(401);
					expect(await answer(`${unsigned}?signature=${'0'.repeat(64)}`, sendIt)).toBe(401);
					for (const text of notSendIt) await answer(await previewed(), text);
					await texted(workflow);
					expect(await bodies('ampaigns')).toEqual([]);
					const url = await previewed();
					await Promise.all([sendIt, sendIt, sendIt, sendIt].map((text) => answer(url, text)));
					await texted(workflow);
					expect(await bodies('ampaigns')).toHaveLength(1);
				},
				withoutLogin,
			);
		},
	);
});
