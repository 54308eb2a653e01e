import type { Browser } from 'playwright-core';
import type { Workflow, WorkflowContent } from '../../host/n8nClient.ts';
import { startBrowser } from './support/browser.ts';
import { poll } from '../../host/poll.ts';
import { dataOf, exampleSuite, itIfRunnable } from './support/exampleSuite.ts';
import { FormPages, formUrl } from './support/formPages.ts';
import { bodies, postToService, sandbox } from './support/host.ts';

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
		'+44 7700 900103,Charles,Y',
		'4.477E+11,Edsger,yes',
		'07700900101,Ada again,yes',
		'',
	].join('\n'),
};

describe('the forms of the example workflows, in a browser', () => {
	const { suite, example } = exampleSuite('Job Forms');
	let browser: Browser;
	let forms: FormPages;

	beforeAll(async () => {
		browser = await startBrowser();
		forms = await FormPages.open(browser);
	});

	afterAll(async () => {
		await browser.close();
	});

	const publish = async ({ id }: Workflow) => {
		expect(await suite.n8n.activateWorkflow(id)).toMatchObject({ status: 'published' });
	};

	const preview = 'send-from-a-form-with-preview.json';
	const text = 'Our <shop> opens on Monday – with coffee, cake, music and a gift for all who come';
	const sheet = { 'Your list (CSV or Excel)': list, Text: text };

	itIfRunnable(preview)(
		'show people and parts first, and send to those on confirmation',
		async () => {
			await example(preview, async (workflow) => {
				await publish(workflow);
				await forms.submit(formUrl(workflow, 'Form'), sheet);
				const page = await forms.textWith('Is this right?');
				expect(page).toMatch(/People\s+2\s/);
				expect(page).toMatch(/Countries\s+GB 2\s/);
				expect(page).toMatch(/SMS parts\s+4 \(2 per person, because of an emoji/);
				expect(page).toMatch(/Did not opt in\s+1\s/);
				expect(page).toMatch(/Left out\s+2: 1 × .*has lost digits.*; 1 × duplicate/);
				expect(page).toContain(text);
				expect(await campaigns()).toEqual([]);

				await forms.answer({ 'Send it': true });
				expect(await forms.textWith('Your text is on its way')).toContain('2 people get it');
				const [campaign, ...others] = await campaigns();
				expect(others).toEqual([]);
				expect(campaign).toMatchObject({ message: text, sender: 'MyShop' });
				expect((await campaigns()).map(numbersOf)).toEqual([['+447700900101', '+447700900103']]);

				await forms.submit(formUrl(workflow, 'Form'), sheet);
				await forms.textWith('Is this right?');
				await forms.answer({ 'Do not send it': true });
				await forms.textWith('Nothing was sent');

				// What else can be wrong with a file: unit/exampleFiles.test.ts.
				for (const [name, text, problem] of [
					['list.csv', 'phone,consent\n07700 900101,no\n', 'Nobody opted in'],
					['list.csv', 'Mobile;consent\n07700 900101;yes\n', 'has no column "phone"'],
					['list.csv', 'phone,consent\n4.477E+11,yes\n', 'has lost digits'],
					['list.xlsx', 'PK\u0003\u0004, and no more', 'This file cannot be read'],
				] as const) {
					await forms.submit(formUrl(workflow, 'Form'), {
						...sheet,
						'Your list (CSV or Excel)': { name, text },
					});
					expect(await forms.textWith(problem)).toContain('Nothing was sent');
				}
				expect(await campaigns()).toHaveLength(1);
			});
		},
	);

	describe('ask somebody else before a campaign is sent', () => {
		const approval = 'campaign-with-approval.json';
		const subscribers = { 'Your list (CSV)': list };

		/** Starts the campaign; gives the page that waits for a decision. */
		async function ask({ id }: Workflow): Promise<{ executionId: string; url: string }> {
			const executionId = await suite.n8n.startWorkflow(id, 'Start');
			const url = await poll(
				async () => {
					const { status, runData } = await suite.n8n.execution(executionId);
					const [run] = runData['Approve or Refuse'] ?? [];
					return status === 'waiting' ? String(run?.metadata?.resumeFormUrl) : undefined;
				},
				{ what: 'the execution to wait', timeout: 120_000 },
			);
			return { executionId, url };
		}

		itIfRunnable(approval)('and send it once it is approved, not when it is refused', async () => {
			await example(approval, async (workflow) => {
				await publish(workflow);
				const other = { name: 'list.csv', text: list.text.replace('consent', 'agreed') };
				await forms.submit(formUrl(workflow, 'Add Subscribers'), { 'Your list (CSV)': other });
				await forms.textWith('It has no column "consent". Its columns: "phone", "name", "agreed".');
				await forms.submit(formUrl(workflow, 'Add Subscribers'), subscribers);
				expect(await forms.textWith('Subscribers added')).toContain('Invalid phone numbers: 1.');
				const boss = await FormPages.open(browser, false);

				const refused = await ask(workflow);
				await boss.submit(refused.url, { Refuse: true, 'Your name': 'Grace' });
				await boss.textWith('Your decision has been noted');
				const { items } = await suite.n8n.finishedExecution(refused.executionId);
				expect(items('Not Sent')[0]?.json.result).toBe('Refused by Grace. Nothing was sent.');
				expect(await campaigns()).toEqual([]);

				const approved = await ask(workflow);
				await boss.submit(approved.url, { Approve: true, 'Your name': 'Grace' });
				await boss.textWith('Your decision has been noted');
				const execution = await suite.n8n.finishedExecution(approved.executionId);
				expect(dataOf(execution, 'Sent')).toMatchObject([
					{ result: expect.stringMatching(/^Approved by Grace. Campaign .* goes to 2 people/) },
				]);
				expect((await campaigns()).map(numbersOf)).toEqual([['+447700900101', '+447700900103']]);
			});
		});

		itIfRunnable(approval)('and say when it cannot be sent, or was not', async () => {
			const withSubscriber = (workflow: WorkflowContent): WorkflowContent => ({
				...workflow,
				pinData: { 'Subscribers Who Said Yes': [{ json: { number: '+447700900101' } }] },
			});
			await example(
				approval,
				async (workflow) => {
					const boss = await FormPages.open(browser, false);
					const fault = { times: 'always', fault: { kind: 'status', status: 403 } };
					const approve = async ({ url }: { url: string }) => {
						await boss.submit(url, { Approve: true, 'Your name': 'Grace' });
						await boss.textWith('Your decision has been noted');
					};
					const statusOf = async ({ executionId }: { executionId: string }) =>
						(await suite.n8n.finishedExecution(executionId)).status;
					await sandbox().fault({ match: { path: 'PhoneNumberStorageItem' }, ...fault });
					const unreadable = await ask(workflow);
					await approve(unreadable);
					const { items } = await suite.n8n.finishedExecution(unreadable.executionId);
					expect(items('Not Sent')[0]?.json.result).toMatch(/^It cannot be sent: /);
					expect(await campaigns()).toEqual([]);

					await sandbox().clearFaults();
					const refused = await ask(workflow);
					await sandbox().fault({ match: { method: 'POST', path: 'Campaigns' }, ...fault });
					await approve(refused);
					expect(await statusOf(refused)).toBe('error');
					await sandbox().clearFaults();

					const left = await ask(workflow);
					await postToService('PhoneNumberStorageItem', {
						storageID: 'left',
						number: '+447700900101',
						parameter1: 'Opt out',
					});
					await approve(left);
					expect(await statusOf(left)).toBe('error');
				},
				withSubscriber,
			);
		});

		itIfRunnable(approval)('and send nothing while asking is switched off', async () => {
			const withoutAsking = (workflow: WorkflowContent): WorkflowContent => ({
				...workflow,
				pinData: { 'Subscribers Who Said Yes': [{ json: { number: '+447700900101' } }] },
				nodes: workflow.nodes.map((node) => ({
					...node,
					disabled: node.disabled === true || node.name === 'Approve or Refuse',
				})),
			});
			await example(
				approval,
				async ({ id }) => {
					const { items } = await suite.n8n.runWorkflow(id, 'Start');
					expect(items('Not Sent')).toHaveLength(1);
				},
				withoutAsking,
			);
			expect(await campaigns()).toEqual([]);
		});
	});

	const optOuts = 'opt-outs.json';
	itIfRunnable(optOuts)('opt people out by page, by link and by staff', async () => {
		await example(optOuts, async (workflow) => {
			await publish(workflow);
			const person = await FormPages.open(browser, false);
			const optedOut = async (what: string) =>
				expect(await person.textWith('Done')).toContain(`${what} gets no more texts`);

			await person.submit(formUrl(workflow, 'Opt-Out Page'), {
				'Your phone number': '07700 900111',
			});
			await optedOut('+447700900111');
			await person.submit(formUrl(workflow, 'Opt-Out Page'), { 'Your phone number': '0770' });
			await person.textWith('This did not work');

			await forms.submit(formUrl(workflow, 'Text a List'), {
				'Your list (CSV)': {
					name: 'list.csv',
					text: 'phone;name\n07700 900101;Ada\n0770;Blaise\n',
				},
			});
			await forms.textWith('Texts sent: 1. Not sent: 1');
			const [{ message = '' } = {}] = await bodies<{ message: string }>();
			const [, link = ''] = /\?link=([\da-f]+)$/.exec(message) ?? [];
			await person.submit(`${formUrl(workflow, 'Opt-Out Link')}?link=${link}`, {});
			await optedOut('+447700900101');
			for (const wrong of ['', '%25']) {
				await person.submit(`${formUrl(workflow, 'Opt-Out Link')}?link=${wrong}`, {});
				await person.textWith('This did not work');
			}

			await forms.submit(formUrl(workflow, 'Opt Somebody Out'), { 'Phone number': '07700900112' });
			await forms.textWith('Done');
		});
		const stored = await bodies<{ storageID: string; parameter1: string }>(
			'PhoneNumberStorageItem',
		);
		expect(stored.map(({ storageID, parameter1 }) => [storageID, parameter1])).toEqual([
			['opt-out-447700900111', 'Opt out'],
			['opt-out-447700900101', 'Opt out'],
			['opt-out-447700900112', 'Opt out'],
		]);
	});
});
