import { DateTime } from 'luxon';
import type { CredentialSummary, Workflow, WorkflowContent } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { exampleWorkflow } from '../../../host/workflows.ts';
import { withExample } from '../support/examples.ts';
import { itIfRunnable, uploaded, zoneWhereItIs } from '../support/exampleSuite.ts';
import { sandbox } from '../support/host.ts';
import { OwnN8n } from '../support/ownN8n.ts';
import { createCredential } from '../support/workflows.ts';

/** Jobs that claim rows, what starts them by hand and by themselves, and their text. */
const jobs = [
	['birthday-voucher.json', 'Start', 'Every Hour', /^101 Happy birthday/],
	['a-series.json', 'Start', 'Every Hour', / Welcome/],
	['come-again.json', 'Start', 'Every Hour', /^103 Hi Again, it is time/],
	['text-before-an-appointment.json', 'Start', 'Every Half Hour', /^104 Hi Appointment/],
	['back-in-stock.json', 'Shop Reports Stock', 'Every Hour', /^105 The Blue Teapot/],
	['two-texts-one-winner.json', 'Start', 'Every Ten Minutes', /^106 A /],
	['left-in-the-basket.json', 'Start', 'Every Half Hour', /^107 Hi Basket/],
] as const;

describe('jobs that were killed while they sent', () => {
	const n8n = new OwnN8n('n8n-interrupted');
	const zone = zoneWhereItIs(10);
	const now = DateTime.now().setZone(zone);
	let credential: CredentialSummary;

	const inZone = (workflow: WorkflowContent): WorkflowContent => ({
		...workflow,
		settings: { ...workflow.settings, timezone: zone },
	});

	/** Runs an example from one of its triggers to its end, with these items instead of its own. */
	async function run(
		file: string,
		trigger: string,
		change: (workflow: WorkflowContent) => WorkflowContent = (workflow) => workflow,
	) {
		const use = async ({ id }: Workflow) => await n8n.client.runWorkflow(id, trigger);
		return await withExample(n8n.client, file, credential, use, (workflow) =>
			inZone(change(workflow)),
		);
	}

	/** As if somebody had sent the form with this. */
	const filledIn =
		(form: string, json: Record<string, unknown>, rows: Record<string, unknown>[] = []) =>
		(workflow: WorkflowContent): WorkflowContent => {
			const { pinData, ...changed } = uploaded(rows)(workflow);
			const list = rows.length > 0 ? pinData : workflow.pinData;
			return { ...changed, pinData: { ...list, [form]: [{ json }] } };
		};

	async function fillTables(): Promise<void> {
		const people = [
			{ phone: '07700 900101', name: 'Birthday', birthday: now.toFormat('1990-MM-dd') },
			{ phone: '07700 900102', name: 'Series' },
			{ phone: '07700 900103', name: 'Again', lastVisit: now.minus({ months: 7 }).toISODate() },
			{ phone: '07700 900107', name: 'Basket' },
		].map((person) => ({ consent: 'yes', ...person }));
		await run('people-from-a-file.json', 'Upload a List', uploaded(people));
		const time = now.plus({ hours: 3 });
		const appointment = {
			...{ phone: '07700 900104', name: 'Appointment' },
			...{ day: time.toISODate(), time: time.toFormat('HH:mm') },
		};
		await run('text-before-an-appointment.json', 'Upload Appointments', uploaded([appointment]));
		const waiting = { phone: '07700 900105', product: 'Blue Teapot' };
		const form = 'Tell Me When It Is Back';
		await run('back-in-stock.json', form, filledIn(form, waiting));
		const body = { event: 'basket', basket: 'b1', phone: '07700 900107', name: 'Basket' };
		await run('left-in-the-basket.json', 'Shop Reports', (workflow) => ({
			...workflow,
			pinData: { 'Shop Reports': [{ json: { body } }] },
		}));
		const texts = { campaign: 'Spring', textA: 'A', textB: 'B', link: 'https://shop.example.com' };
		const ask = 'Ask for Two Texts';
		const rows = [{ phone: '07700 900106', name: 'Two Texts' }];
		await run('two-texts-one-winner.json', ask, filledIn(ask, texts, rows));
	}

	/** The texts that the service has accepted. */
	const texts = async () => {
		const { data } = await sandbox().api.get<{ items: { message: string; phoneNumber: string }[] }>(
			'/api/SMSMessages?pageSize=100',
		);
		return data.items
			.map(({ phoneNumber, message }) => `${phoneNumber.slice(-3)} ${message}`)
			.sort();
	};

	/** What somebody who looks at a job hours later reads in its error; nothing where it has none. */
	const errorOf = async (file: string, trigger: string, hours: number) => {
		const later = (workflow: WorkflowContent) =>
			JSON.parse(
				JSON.stringify(workflow).replace(
					'minus({ hours: 2 })',
					`minus({ hours: ${String(2 - hours)} })`,
				),
			) as WorkflowContent;
		const { error } = await run(file, trigger, later);
		return error?.message;
	};

	beforeAll(async () => {
		await n8n.start();
		credential = await createCredential(n8n.client, 'Interrupted');
	}, 300_000);

	afterAll(async () => {
		await n8n.stop();
	});

	itIfRunnable('a-series.json')(
		'name whom they have possibly texted, after two hours and once, and text nobody again',
		async () => {
			await fillTables();
			await sandbox().fault({
				match: { operationId: 'sendSmsMessage' },
				...{ times: 'always', fault: { kind: 'delay', when: 'after', delayMs: 3_600_000 } },
			});
			for (const [file, trigger] of jobs) {
				const workflow = JSON.stringify(inZone(exampleWorkflow(file, credential)));
				const { id } = await n8n.client.createWorkflow(
					// A basket is due as soon as it was left.
					JSON.parse(workflow.replace('= [4, 48]', '= [0, 48]')) as WorkflowContent,
				);
				await n8n.client.startWorkflow(id, trigger);
			}
			const all = async () => {
				const sent = await texts();
				return jobs.every(([, , , text]) => sent.some((each) => text.test(each)))
					? true
					: undefined;
			};
			await poll(all, { what: 'all jobs to send', timeout: 240_000 });
			const sent = await texts();
			await n8n.kill();
			await sandbox().clearFaults();
			await n8n.start();
			for (const [file, , schedule] of jobs) {
				expect([file, await errorOf(file, schedule, 0)]).toEqual([file, undefined]);
				expect([file, await errorOf(file, schedule, 3)]).toEqual([
					file,
					expect.stringMatching(/possibly sent/),
				]);
				expect([file, await errorOf(file, schedule, 3)]).toEqual([file, undefined]);
			}
			expect(await texts()).toEqual(sent);
		},
		600_000,
	);
});
