import { randomUUID } from 'node:crypto';
import type { WorkflowContent } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { useBrowser } from '../support/browser.ts';
import { dataOf, exampleSuite, itIfRunnable, withOwnTables } from '../support/exampleSuite.ts';
import { FormPages, formUrl, useForms } from '../support/formPages.ts';
import { bodies, postToService, sandbox } from '../support/host.ts';

/** An example with tables of its own, and the path of its page in its texts as well. */
const withOwnLinks =
	(name: string, suffix: string = randomUUID()) =>
	(workflow: WorkflowContent): WorkflowContent => {
		const own = withOwnTables(suffix)(workflow);
		const page = own.nodes.find(({ parameters }) => String(parameters.path).startsWith(`${name}-`));
		const path = `/webhook/${String(page?.parameters.path)}?`;
		const text = JSON.stringify(own).replaceAll(`/webhook/${name}?`, path);
		return JSON.parse(text) as WorkflowContent;
	};

describe('the jobs that people answer by a link in a text, in a browser', () => {
	const { suite, example, publish, people } = exampleSuite('Job Pages');
	const browser = useBrowser();
	const forms = useForms(browser);

	const linksOf = async () =>
		(await bodies<{ message: string }>()).map(
			({ message }) => /https?:\S+/.exec(message)?.[0] ?? '',
		);
	const waitForLinks = async (count: number) =>
		await poll(async () => ((await linksOf()).length >= count ? await linksOf() : undefined), {
			what: 'the texts',
			timeout: 60_000,
		});

	const byLink = 'answer-by-link.json';
	itIfRunnable(byLink)('ask by text, and get the answers and who has not answered', async () => {
		await example(
			byLink,
			async (workflow) => {
				await publish(workflow);
				await forms().submit(formUrl(workflow, 'Ask'), {
					'Your list (CSV)': {
						name: 'list.csv',
						text: 'phone;name\n07700 900101;Ada\n07700 900102;<b>Blaise</b>\n0770;Charles\n',
					},
					Question: 'Will you come on <Friday>?',
					'Answers, with commas between them': 'Yes, No thanks, 100%',
				});
				expect(await forms().textWith('Asked: 2.')).toContain('Row 4 (Charles)');
				const [first = '', second = ''] = await waitForLinks(2);
				expect(first).toMatch(/\?c=[\da-f]{10}$/);
				const page = await browser().newPage({ viewport: { width: 390, height: 800 } });
				await page.goto(first);
				expect(await page.locator('h1').innerText()).toBe('Will you come on <Friday>?');
				expect(await page.locator('button').allInnerTexts()).toEqual(['Yes', 'No thanks', '100']);
				expect(await page.evaluate('document.body.scrollWidth > innerWidth')).toBe(false);
				await page.getByRole('button', { name: 'No thanks' }).click();
				await page.getByText('Your answer: No thanks').waitFor();
				await page.getByRole('button', { name: 'Yes' }).click();
				await page.getByText('Your answer: Yes').waitFor();
				// What is no answer of the question changes nothing, and neither does a code that nobody has.
				const post = async (url: string, answer: string) =>
					await (
						await fetch(url, { method: 'POST', body: new URLSearchParams({ answer }) })
					).text();
				for (const wrong of ['', '%', '*', 'Yes|No thanks', '<script>']) {
					expect(await post(first, wrong)).toContain('Your answer: <b>Yes</b>');
				}
				expect(await post(first.replace(/c=.*/, 'c=0000000000'), 'Yes')).toContain('not known');
				await page.goto(second);
				await page.getByRole('button', { name: '100' }).click();
				await page.getByText('Your answer: 100').waitFor();
				await page.close();

				const asked = await poll(
					async () => {
						const executions = await Promise.all(
							(await suite.n8n.executionIds(workflow.id)).map(
								async (id) => await suite.n8n.execution(id),
							),
						);
						return executions.find(({ runData }) => runData.Summary !== undefined);
					},
					{ what: 'the summary', timeout: 120_000 },
				);
				const [{ text = '' } = {}] = dataOf(asked, 'Summary');
				expect(String(text).split('\n').sort()).toEqual(['100: 1', 'Yes: 1']);
			},
			(workflow) => {
				const { nodes, ...rest } = withOwnLinks('answer')(workflow);
				return {
					...rest,
					nodes: nodes.map((node) =>
						['An Hour', 'Until n8n Is Ready'].includes(node.name)
							? { ...node, parameters: { amount: 2, unit: 'seconds' } }
							: node,
					),
				};
			},
		);
	});

	const signUp = 'sign-up-with-proof.json';
	itIfRunnable(signUp)('sign up with a proof, and take the consent back', async () => {
		const person = await FormPages.open(browser(), false);
		// Somebody who has said yes before, with another spelling of the name.
		const suffix = await people([{ phone: '07700 900101', name: 'Adelaide', consent: 'yes' }]);
		await example(
			signUp,
			async (workflow) => {
				await publish(workflow);
				const send = async (phone: string, page: string | RegExp) => {
					await person.submit(formUrl(workflow, 'Sign Up'), {
						'Your name': 'Ada <b>Pay 1.99: https://example.com</b>',
						'Your mobile number': phone,
					});
					return await person.textWith(page);
				};
				await send('07700 900101', 'Thank you');
				const [link = ''] = await waitForLinks(1);
				const [{ message = '' } = {}] = await bodies<{ message: string }>();
				expect(message).not.toContain('example.com');
				for (const other of ['020 7946 0123', '+1 212 555 0142', '0770']) {
					await send(other, 'It has to be a mobile');
				}
				const page = await browser().newPage();
				await page.goto(link);
				// Strangers can enter any name: who agrees sees it, and it can hold no link.
				expect(await page.locator('main').innerText()).toContain(
					'For Ada bPay httpsexamplecomb, at the number that ends in 101.',
				);
				await page.getByRole('button', { name: 'Yes, I agree' }).click();
				await page.getByText('You get our offers').waitFor();
				const written = async (node: string) =>
					await poll(
						async () => {
							const ids = await suite.n8n.executionIds(workflow.id);
							const executions = await Promise.all(
								ids.map(async (id) => await suite.n8n.execution(id)),
							);
							const rows = executions.flatMap((each) => dataOf(each, node));
							return rows.length > 0 ? rows : undefined;
						},
						{ what: `the rows of ${node}`, timeout: 60_000 },
					);
				const [person101] = await written('Into People');
				expect(person101).toMatchObject({
					...{ number: '+447700900101', name: 'Ada bPay  httpsexamplecomb', consent: 'yes' },
					proof: expect.stringMatching(/^I agree to offers by text.*\(page sign-up, 20\d\d-/),
				});
				await page.getByRole('button', { name: 'I do not want them any more' }).click();
				await page.getByText('You have taken your consent back').waitFor();
				const time = expect.stringMatching(/^20\d\d-/);
				expect(await written('Take It Back')).toMatchObject([
					{ state: 'taken back', agreed: time, takenBack: time },
				]);
				expect(
					(await written('Take Consent Out')).map(({ name, consent }) => [name, consent]).sort(),
				).toEqual([
					['Ada bPay  httpsexamplecomb', 'no'],
					['Adelaide', 'no'],
				]);
				await page.close();
				expect(await bodies()).toHaveLength(1);
				await postToService('PhoneNumberStorageItem', {
					...{ storageID: 'left', number: '+447700900102', parameter1: 'Opt out' },
				});
				await send('07700 900102', 'Thank you');
				expect(await bodies()).toHaveLength(1);
				// Whose text the service has refused can try again at once.
				await sandbox().fault({
					match: { operationId: 'sendSmsMessage' },
					fault: { kind: 'status', status: 400 },
				});
				await send('07700 900103', 'Thank you');
				const isNoted = async () =>
					(await written('Note It')).some(({ state }) => state === 'not sent') || undefined;
				await poll(isNoted, { what: 'the note that nothing was sent', timeout: 60_000 });
				const tried = (await linksOf()).length;
				await send('07700 900103', 'Thank you');
				await waitForLinks(tried + 1);
			},
			withOwnLinks('agree', suffix),
		);
	});
});
