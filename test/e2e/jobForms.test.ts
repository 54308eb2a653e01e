import { randomUUID } from 'node:crypto';
import type { Execution, Workflow, WorkflowContent } from '../../host/n8nClient.ts';
import { useBrowser } from './support/browser.ts';
import { poll } from '../../host/poll.ts';
import { dataOf, exampleSuite, itIfRunnable, withOwnTables } from './support/exampleSuite.ts';
import { FormPages, formUrl, useForms } from './support/formPages.ts';
import { bodies, host, postToService, sandbox } from './support/host.ts';

interface CampaignBody {
	message: string;
	sender: string;
	contacts: { phoneNumber: string }[];
}

const campaigns = async () => await bodies<CampaignBody>('/api/Campaigns');
const numbersOf = ({ contacts }: CampaignBody) => contacts.map(({ phoneNumber }) => phoneNumber);

const list = {
	name: 'list.csv',
	text: [
		'phone,name,consent',
		'07700 900101,Ada,yes',
		'07700 900102,<b>Blaise</b>,no',
		'+44 7700 900103,Charles,Ja',
		'07700 900104,Dorothy,perhaps',
		'4.477E+11,Edsger,yes',
		'07700900101,Ada again,yes',
		'07700 900106,Frances,yes',
		'',
	].join('\n'),
};

describe('the forms of the example workflows, in a browser', () => {
	const { suite, example, run, fail, publish, people } = exampleSuite('Job Forms');
	const browser = useBrowser();
	const forms = useForms(browser);

	const preview = 'send-from-a-form-with-preview.json';
	const text = 'Our <shop> opens on Monday – with coffee, cake, music and a gift for all who come';
	const sheet = { 'Your list (CSV or Excel)': list, Text: text };

	itIfRunnable(preview)(
		'show people and parts first, and send to those on confirmation',
		async () => {
			await example(preview, async (workflow) => {
				await publish(workflow);
				const optOut = { storageID: 'f', number: '+447700900106', parameter1: 'Opt out' };
				await postToService('PhoneNumberStorageItem', optOut);
				await forms().submit(formUrl(workflow, 'Form'), sheet);
				const page = await forms().textWith('Is this right?');
				expect(page).toMatch(/People\s+2\s/);
				expect(page).toMatch(/Countries\s+GB 2\s/);
				expect(page).toMatch(/SMS parts\s+4 \(2 per person\)\s+Longer because of an emoji/);
				expect(page).toMatch(/Did not opt in\s+2\s/);
				expect(page).toMatch(/Not understood\s+"perhaps" \(row 5\)/);
				expect(page).toMatch(/Sender\s+MyShop/);
				expect(page).toMatch(
					/Left out\s+3\s+1 × .*has lost digits.*\s+1 × .*must not be contacted\s+1 × duplicate/,
				);
				expect(page).toContain(text);
				expect(await campaigns()).toEqual([]);

				await forms().answer({ 'Send it': true });
				expect(await forms().textWith('Your text is on its way')).toContain('2 people get it');
				const [campaign, ...others] = await campaigns();
				expect(others).toEqual([]);
				expect(campaign).toMatchObject({ message: text, sender: 'MyShop' });
				expect((await campaigns()).map(numbersOf)).toEqual([['+447700900101', '+447700900103']]);

				await forms().submit(formUrl(workflow, 'Form'), sheet);
				await forms().textWith('Is this right?');
				await forms().answer({ 'Do not send it': true });
				await forms().textWith('Nothing was sent');

				// What else can be wrong with a file: unit/exampleFiles.test.ts.
				for (const [name, text, problem] of [
					['list.csv', 'phone,consent\n07700 900101,no\n', 'Nobody opted in'],
					['list.csv', 'Mobile;consent\n07700 900101;yes\n', 'has no column "phone"'],
					['list.xlsx', 'PK\u0003\u0004, and no more', 'This file cannot be used'],
				] as const) {
					await forms().submit(formUrl(workflow, 'Form'), {
						...sheet,
						'Your list (CSV or Excel)': { name, text },
					});
					expect(await forms().textWith(problem)).toContain('Nothing was sent');
				}
				const { page: failure } = forms();
				await failure.setViewportSize({ width: 390, height: 800 });
				expect(await failure.evaluate('document.body.scrollWidth > innerWidth')).toBe(false);
				await failure.getByText('Try again').click();
				await failure.getByRole('button', { name: 'Show me first' }).waitFor();
				expect(await failure.getByLabel('Text', { exact: true }).inputValue()).toBe(text);
				expect(await campaigns()).toHaveLength(1);
			});
		},
	);

	describe('ask somebody else before a campaign is sent', () => {
		const approval = 'campaign-with-approval.json';

		/** Runs with a table People of its own, with these people who said yes. */
		async function withPeople(
			agreed: [string, string][],
			use: (workflow: Workflow, add: typeof addPeople) => Promise<void>,
			change: (workflow: WorkflowContent) => WorkflowContent = (workflow) => workflow,
		): Promise<void> {
			const suffix = randomUUID();
			const add = async (more: [string, string][]) => await addPeople(more, suffix);
			await add(agreed);
			await example(
				approval,
				async (workflow) => {
					await publish(workflow);
					await use(workflow, add);
				},
				(workflow) => change(withOwnTables(suffix)(workflow)),
			);
		}

		/** Puts people with these numbers into the table. */
		const addPeople = async (some: [ending: string, consent: string][], suffix?: string) => {
			const rows = some.map(([ending, consent]) => ({
				...{ phone: `07700 900${ending}`, name: `Person ${ending}`, consent },
			}));
			await people(rows, suffix);
		};

		/** Starts the campaign; gives the address of the page that waits for a decision. */
		async function ask(workflow: Workflow): Promise<string> {
			const [asked] = dataOf(await run(workflow, 'Start'), 'Ask');
			const { parameters } = workflow.nodes.find(({ name }) => name === 'Page') ?? {};
			return `${host().n8nUrl}/webhook/${String(parameters?.path)}?c=${String(asked?.code)}`;
		}

		/** The execution of the workflow that a decision has started, when it has ended. */
		async function decided({ id }: Workflow, before: readonly string[]): Promise<Execution> {
			const executionId = await poll(
				async () => (await suite.n8n.executionIds(id)).find((each) => !before.includes(each)),
				{ what: 'the execution of the decision', timeout: 60_000 },
			);
			return await suite.n8n.finishedExecution(executionId);
		}

		/** Opens the page and presses a button; gives what that started. */
		async function press(workflow: Workflow, url: string, button: string): Promise<Execution> {
			const page = await browser().newPage();
			await page.goto(url);
			await page.getByLabel('Your name').fill('Grace');
			const before = await suite.n8n.executionIds(workflow.id);
			await page.getByRole('button', { name: button }).click();
			await page
				.getByText(/(Approved|Refused) by Grace/)
				.waitFor()
				.catch(async () => {
					throw new Error(await page.locator('body').innerText());
				});
			await page.close();
			return await decided(workflow, before);
		}

		const textOf = async (url: string) => {
			const page = await browser().newPage();
			await page.goto(url);
			const content = await page.locator('body').innerText();
			await page.close();
			return content;
		};

		itIfRunnable(approval)('and send it once it is approved, not when it is refused', async () => {
			await withPeople(
				[
					['101', 'yes'],
					['102', 'no'],
					['103', 'yes'],
				],
				async (workflow, add) => {
					const refused = await ask(workflow);
					expect(await textOf(refused)).toMatch(/People\s+2\s/);
					expect(await textOf(refused)).toContain('Our spring sale starts on Monday.');
					expect(await textOf(refused)).toContain('MyShop');
					await press(workflow, refused, 'Refuse');
					expect(await campaigns()).toEqual([]);
					expect(await textOf(refused)).toContain('Refused by Grace. Nothing was sent.');

					const approved = await ask(workflow);
					// Consent taken back, and somebody new, after the page was made.
					await add([
						['103', 'no'],
						['104', 'yes'],
					]);
					expect((await press(workflow, approved, 'Approve')).status).toBe('success');
					expect((await campaigns()).map(numbersOf)).toEqual([['+447700900101']]);
					// Nobody can decide twice.
					expect(await textOf(approved)).not.toContain('Your name');
					await fetch(approved, {
						method: 'POST',
						body: new URLSearchParams({ decision: 'approved', name: 'Somebody' }),
					});
					expect(await campaigns()).toHaveLength(1);
				},
			);
		});

		itIfRunnable(approval)('and take no request for a decision that is none', async () => {
			await withPeople([['101', 'yes']], async (workflow) => {
				const url = await ask(workflow);
				for (const body of ['decision=approved%00', 'decision[]=approved', '{"decision":', 'x']) {
					for (const type of ['application/x-www-form-urlencoded', 'application/json']) {
						await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body });
					}
				}
				await fetch(url.replace(/c=\w+/, 'c=0123456789abcdef'), {
					method: 'POST',
					body: new URLSearchParams({ decision: 'approved' }),
				});
				expect(await textOf(url)).toContain('May this campaign go out?');
				expect(await textOf(url.replace(/c=\w+/, 'c[]=x'))).toContain('This link is not known');
				expect(await campaigns()).toEqual([]);
				expect(await suite.n8n.countExecutions(workflow.id, ['error'])).toBe(0);
			});
		});

		itIfRunnable(approval)('and say when it cannot be sent, or was not', async () => {
			await withPeople([['101', 'yes']], async (workflow) => {
				const fault = { times: 'always', fault: { kind: 'status', status: 403 } };
				await sandbox().fault({ match: { path: 'PhoneNumberStorageItem' }, ...fault });
				expect((await fail(workflow, 'Start')).message).toMatch(/^The campaign cannot be sent: /);

				await sandbox().clearFaults();
				const refused = await ask(workflow);
				await sandbox().fault({ match: { method: 'POST', path: 'Campaigns' }, ...fault });
				expect((await press(workflow, refused, 'Approve')).status).toBe('error');
				await sandbox().clearFaults();

				const left = await ask(workflow);
				await postToService('PhoneNumberStorageItem', {
					storageID: 'left',
					number: '+447700900101',
					parameter1: 'Opt out',
				});
				expect((await press(workflow, left, 'Approve')).status).toBe('error');
			});
		});

		itIfRunnable(approval)('and tell when nobody has decided in time', async () => {
			await withPeople(
				[['101', 'yes']],
				async (workflow) => {
					const url = await ask(workflow);
					expect(await textOf(url)).toContain('Nobody decided within two days');
					await fetch(url, {
						method: 'POST',
						body: new URLSearchParams({ decision: 'approved', name: 'Late' }),
					});
					expect(await campaigns()).toEqual([]);
					expect((await fail(workflow, 'Every Hour')).message).toMatch(/^Nobody decided/);
				},
				(workflow) =>
					JSON.parse(
						JSON.stringify(workflow).replace('plus({ days: 2 })', 'minus({ minutes: 1 })'),
					) as WorkflowContent,
			);
		});
	});

	const optOuts = 'opt-outs.json';
	itIfRunnable(optOuts)('opt people out by link, by staff, and on a page', async () => {
		const suffix = randomUUID();
		const person = await FormPages.open(browser(), false);
		const optedOut = async (what: string) =>
			expect(await person.textWith('Done')).toContain(`${what} gets no more texts`);
		await example(
			optOuts,
			async (workflow) => {
				await publish(workflow);
				await forms().submit(formUrl(workflow, 'Text a List'), {
					'Your list (CSV)': {
						name: 'list.csv',
						text: 'phone;name\n07700 900101;Ada\n0770;Blaise\n',
					},
				});
				await forms().textWith('Texts sent: 1. Not sent: 1');
				const [{ message = '' } = {}] = await bodies<{ message: string }>();
				const [, link = ''] = /\?link=([\da-f]+)$/.exec(message) ?? [];
				await person.submit(`${formUrl(workflow, 'Opt-Out Link')}?link=${link}`, {});
				// A link can be passed on, and a number is nobody else's business.
				await optedOut('The number that ends in 101');
				for (const wrong of ['', '%25']) {
					await person.submit(`${formUrl(workflow, 'Opt-Out Link')}?link=${wrong}`, {});
					await person.textWith('This did not work');
				}
				await forms().submit(formUrl(workflow, 'Opt Somebody Out'), {
					'Phone number': '07700900112',
				});
				await forms().textWith('Done');
				// Who has opted out gets no more of these texts, though the credential has no rule.
				await forms().submit(formUrl(workflow, 'Text a List'), {
					'Your list (CSV)': { name: 'list.csv', text: 'phone;name\n07700 900101;Ada\n' },
				});
				await forms().textWith('Texts sent: 0. Not sent: 1');
			},
			withOwnTables(suffix),
		);
		await example(
			'opt-out-page.json',
			async (workflow) => {
				expect(workflow.nodes.filter(({ disabled }) => disabled).map(({ name }) => name)).toEqual([
					'Opt-Out Page',
				]);
			},
			withOwnTables(suffix),
		);
		await example(
			'opt-out-page.json',
			async (workflow) => {
				await publish(workflow);
				await person.submit(formUrl(workflow, 'Opt-Out Page'), {
					'Your phone number': '07700 900111',
				});
				await optedOut('+447700900111');
				await person.submit(formUrl(workflow, 'Opt-Out Page'), { 'Your phone number': '0770' });
				await person.textWith('This did not work');
			},
			(workflow) => {
				const { nodes, ...rest } = withOwnTables(suffix)(workflow);
				return { ...rest, nodes: nodes.map((node) => ({ ...node, disabled: false })) };
			},
		);
		expect(await bodies('PhoneNumberStorageItem')).toMatchObject([
			{ storageID: 'opt-out-447700900101', parameter1: 'Opt out', parameter2: 'link' },
			{ storageID: 'opt-out-447700900112', parameter1: 'Opt out', parameter2: 'staff' },
			{ storageID: 'opt-out-447700900111', parameter1: 'Opt out', parameter2: 'page' },
		]);
	});
});
