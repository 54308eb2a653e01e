import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { N8nClient, WorkflowContent } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { useBrowser } from '../support/browser.ts';
import {
	dataOf,
	exampleSuite,
	itIfRunnable,
	uploaded,
	withOwnTables,
	zoneWhereItIs,
} from '../support/exampleSuite.ts';
import { type Answers, FormPages, formUrl, useForms } from '../support/formPages.ts';
import { bodies, postToService } from '../support/host.ts';

interface CampaignBody {
	contacts: { phoneNumber: string }[];
}

const reached = async () =>
	(await bodies<CampaignBody>('/api/Campaigns')).map(({ contacts }) =>
		contacts.map(({ phoneNumber }) => phoneNumber.slice(-3)),
	);

/** Waits until an execution waits. */
async function untilWaiting(n8n: N8nClient, executionId: string): Promise<void> {
	await poll(
		async () => ((await n8n.execution(executionId)).status === 'waiting' ? true : undefined),
		{ what: 'the execution to wait', timeout: 120_000 },
	);
}

const withNode =
	(wanted: string, parameters: Record<string, unknown>) =>
	(workflow: WorkflowContent): WorkflowContent => ({
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.name === wanted
				? { ...node, disabled: false, parameters: { ...node.parameters, ...parameters } }
				: node,
		),
	});

describe('waves', () => {
	const { suite, example } = exampleSuite('Stopped Waves');
	const waves = 'send-in-waves.json';

	itIfRunnable(waves)('end when the execution is stopped, and a new start goes on', async () => {
		const form = { campaign: `Spring ${randomUUID()}`, text: 'Hello', sender: 'MyShop' };
		const rows = ['101', '102', '103'].map((ending) => ({
			...{ phone: `07700 900${ending}`, name: 'Ada' },
		}));
		const small = (amount: number) => (workflow: WorkflowContent) => {
			const waiting = withNode('Ten Minutes', { amount, unit: 'seconds' })(
				uploaded(rows)(workflow),
			);
			const ready = { amount: 0.5, unit: 'seconds' };
			const changed = withNode('Next Wave', { limit: 2 })(
				withNode('Until n8n Is Ready', ready)(waiting),
			);
			return { ...changed, pinData: { ...changed.pinData, Form: [{ json: form }] } };
		};
		await example(
			waves,
			async ({ id }) => {
				const executionId = await suite.n8n.startWorkflow(id, 'Form');
				await untilWaiting(suite.n8n, executionId);
				await suite.n8n.stopExecution(executionId);
			},
			small(600),
		);
		expect(await reached()).toEqual([['101', '102']]);
		await example(
			waves,
			async ({ id }) => {
				await suite.n8n.runWorkflow(id, 'Form');
			},
			small(0.5),
		);
		expect(await reached()).toEqual([['101', '102'], ['103']]);
	});
});

describe('calls about appointments', () => {
	const { example, run } = exampleSuite('Opted-Out Appointments');
	const appointments = 'remind-of-appointments-by-call.json';

	itIfRunnable(appointments)('leave out who has opted out, which is no error', async () => {
		const zone = zoneWhereItIs(17);
		const day = DateTime.now().setZone(zone).plus({ days: 2 }).toISODate() ?? '';
		await postToService('PhoneNumberStorageItem', {
			...{ storageID: 'opt-out-447700900101', number: '+447700900101' },
			parameter1: 'Opt out',
		});
		const ada = { phone: '07700 900101', name: 'Ada', day, time: '10:30' };
		const blaise = { ...ada, phone: '07700 900102', name: 'Blaise' };
		/** What the table says of those who are left out. */
		const plan = async (rows: (typeof ada)[], note: string) =>
			await example(
				appointments,
				async (workflow) => {
					await run(workflow, 'Add Appointments');
					return dataOf(await run(workflow, 'Start'), note);
				},
				(workflow) => ({
					...withOwnTables(randomUUID())(uploaded(rows)(workflow)),
					settings: { ...workflow.settings, timezone: zone },
				}),
			);
		const leftOut = [expect.objectContaining({ name: 'Ada', answer: 'opted out' })];
		expect(await plan([ada], 'Not Planned')).toEqual(leftOut);
		expect(await plan([ada, blaise], 'Note Left Out')).toEqual(leftOut);
		expect(await bodies('/api/campaigns/voice')).toMatchObject([
			{ phoneNumbers: [{ number: '+447700900102' }] },
		]);
	});
});

describe('the forms that take a file, in a browser', () => {
	const { suite, example } = exampleSuite('File Forms');
	const browser = useBrowser();
	const forms = useForms(browser);

	const rows = (...lines: string[]) => `${lines.join('\n')}\n`;
	const people = rows('phone;name', '07700 900101;Ada', '4.477E+11;Blaise');
	it.each([
		[
			'people-from-a-file',
			'Upload a List',
			'phone,name,consent,birthday\n07700 900101,Ada,yes,17.5.',
			/Rows to fix: 1.*birthday "17.5." is not a date like 2030-05-17/s,
		],
		[
			'text-before-an-appointment',
			'Upload Appointments',
			'phone,name,day,time\n07700 900101,Ada,17.5.2030,9:30\n07700 900101,Bob,May,9:30',
			/Appointments: 1.*day "May" is not a date/s,
		],
		['call-first-then-sms', 'Upload a List', people, /People: 1, tomorrow from nine.*Left out: 1/s],
		[
			'import-stored-numbers-from-csv',
			'Upload a File',
			'customer,phone,name,appointment\n1,0770,Ada,May',
			/Stored: 0. Rows to fix: 1/,
		],
		['nine-oclock-for-everyone', 'Upload a List', people, /Europe\/London: people: 1/],
		['nine-oclock-for-everyone', 'Upload a List', 'phone\n0770', /No row has a valid phone number/],
		[
			'remind-of-appointments-by-call',
			'Add Appointments',
			'phone,name,day,time\n07700 900101,Ada,May,9',
			/Cannot be called: 1.*day "May" is not a date/s,
		],
		['send-within-sending-hours', 'Upload a List', people, /Rows: 2. Their texts go out now or/],
		[
			'sms-campaigns-from-large-file',
			'Upload a File',
			people,
			/Campaigns: 1. People: 1. Rows in the file: 2/,
		],
		[
			'sms-campaigns-from-large-file',
			'Upload a File',
			'Mobile\n07700 900101',
			/which is no column of the file/,
		],
		[
			'text-each-person-by-name',
			'Upload a List',
			'phone,name,drink\n07700 900101,Ada,tea',
			/Open Executions in n8n/,
		],
		['text-each-person-by-name', 'Upload a List', people, /It has no column "drink"/],
		['write-results-back-to-the-sheet', 'Upload a List', people, /Texts sent: 1. Not sent: 1/],
	])('%s, %s: the page says what happened', async (name, trigger, text, page) => {
		await example(
			`${name}.json`,
			async (workflow) => {
				expect(await suite.n8n.activateWorkflow(workflow.id)).toMatchObject({
					status: 'published',
				});
				await forms().submit(formUrl(workflow, trigger), {
					'Your list (CSV)': { name: 'list.csv', text },
				});
				await forms().textWith(page);
			},
			withNode(trigger, {}),
		);
	});
});

describe('a form whose page is closed', () => {
	const { suite, example } = exampleSuite('Closed Page');
	const browser = useBrowser();

	const csv = { name: 'list.csv', text: 'phone,name\n07700 900101,Ada\n07700 900102,\n' };

	/** Waits until something was sent to both people, though n8n cannot show that page. */
	const sentTo = async (
		file: string,
		[form, answers]: [string, Answers],
		sent: () => Promise<string[]>,
	) =>
		await example(file, async (workflow) => {
			const published = await suite.n8n.activateWorkflow(workflow.id);
			expect(published).toMatchObject({ status: 'published' });
			const person = await FormPages.open(browser());
			await person.neverShowResults();
			await person.submit(formUrl(workflow, form), answers);
			const both = async () => {
				const all = await sent();
				return all.length < 2 ? undefined : all.sort();
			};
			const all = await poll(both, { what: 'what was sent', timeout: 150_000 });
			await person.close();
			return all;
		});

	const waves = 'send-in-waves.json';
	itIfRunnable(waves)('sends the first wave', async () => {
		const answers = {
			...{ 'Your list (CSV)': csv, 'Name of the campaign': `Closed ${randomUUID()}` },
			...{ Text: 'Our spring sale starts on Monday', Sender: 'MyShop' },
		};
		const numbers = async () => (await reached()).flat();
		expect(await sentTo(waves, ['Form', answers], numbers)).toEqual(['101', '102']);
	});

	const hours = 'send-within-sending-hours.json';
	itIfRunnable(hours)('sends what the sending hours allow', async () => {
		const texts = async () => (await bodies<{ message: string }>()).map(({ message }) => message);
		const answers = { 'Your list (CSV)': csv };
		expect(await sentTo(hours, ['Upload a List', answers], texts)).toEqual([
			'Hello Ada, our spring sale starts on Monday',
			'Hello there, our spring sale starts on Monday',
		]);
	});
});
