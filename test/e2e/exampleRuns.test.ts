import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { Workflow, WorkflowContent } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { withExample } from './support/examples.ts';
import {
	dataOf,
	exampleSuite,
	itIfRunnable,
	uploaded,
	withOwnTables,
} from './support/exampleSuite.ts';
import { bodies, postToService, sandbox } from './support/host.ts';
import { createCredential, pollEvery, runAction } from './support/workflows.ts';

interface SmsBody {
	phoneNumber: string;
	message: string;
}

interface CampaignBody {
	contacts: { phoneNumber: string; name?: string; custom1?: string }[];
	startDateTime?: string;
}

interface StoredBody {
	storageID: string;
	number: string;
}

const campaigns = async () => await bodies<CampaignBody>('/api/Campaigns');
const messages = async () => await bodies<SmsBody>();

/** Advances the sandbox's clock and waits until all calls are made and all events delivered. */
async function advance(seconds: number): Promise<void> {
	await sandbox().advance(seconds);
	await sandbox().idle();
}

describe('each example workflow, run against the sandbox', () => {
	const { suite, example, run } = exampleSuite('Example Runs');

	/** Waits until so many executions have succeeded, those that events have started included; there are no others. */
	async function allSucceed({ id }: Workflow, count: number): Promise<void> {
		await poll(
			async () => ((await suite.n8n.countExecutions(id, ['success'])) >= count ? true : undefined),
			{ what: `${String(count)} executions`, timeout: 120_000 },
		);
		expect(await suite.n8n.executionIds(id)).toHaveLength(count);
	}

	it('makes a first campaign, shows how it went, and runs for its statuses', async () => {
		await example('receive-sms-statuses.json', async (statuses) => {
			const pinned = await run(statuses, 'On SMS Status');
			expect(dataOf(pinned, 'Keep What Matters')).toMatchObject([
				{ status: 'Delivered', parts: 1 },
				{ status: 'Undeliverable', parts: 1 },
			]);
			expect(await suite.n8n.activateWorkflow(statuses.id)).toMatchObject({ status: 'published' });
			const execution = await example(
				'start-here.json',
				async (workflow) => await run(workflow, 'Start'),
			);
			expect(dataOf(execution, 'Create SMS Campaign')).toMatchObject([
				{ skipped: [{ itemIndex: 4 }, { itemIndex: 5 }, { itemIndex: 6 }] },
			]);
			expect(dataOf(execution, 'Get Summary')).toMatchObject([
				{ recipients: 4, smsStatuses: { Delivered: 3, Undeliverable: 1 } },
			]);
			// The run by hand, and one for each of the four events.
			await allSucceed(statuses, 5);
		});
	});

	/** What the notes under "Try it" name, step by step, with what the examples themselves hold. */
	describe('a try that begins with another example', () => {
		const textFailed = 'call-those-whose-text-failed.json';
		itIfRunnable(textFailed)('calls Dorothy, whose text fails in Start Here', async () => {
			await example('start-here.json', async (workflow) => await run(workflow, 'Start'));
			await advance(60);
			await example(
				textFailed,
				async (workflow) => await run(workflow, 'Start'),
				withOwnTables(randomUUID()),
			);
			const called = await bodies<{ phoneNumbers: unknown[] }>('/api/campaigns/voice');
			expect(called.map(({ phoneNumbers }) => phoneNumbers.length)).toEqual([1]);
		});

		itIfRunnable('come-again.json')('texts those in People From a File', async () => {
			const own = withOwnTables(randomUUID());
			for (const file of ['people-from-a-file.json', 'come-again.json']) {
				await example(file, async (workflow) => await run(workflow, 'Start'), own);
			}
			expect((await messages()).length).toBeGreaterThan(1);
		});
	});

	const largeFile = 'sms-campaigns-from-large-file.json';
	itIfRunnable(largeFile)('makes campaigns of a file, and lists the rows to fix', async () => {
		const withFile =
			(text: string) =>
			(workflow: WorkflowContent): WorkflowContent => {
				const file = { data: Buffer.from(text).toString('base64'), mimeType: 'text/csv' };
				const form = { json: {}, binary: { data: { ...file, fileName: 'list.csv' } } };
				const changed = uploaded([])(workflow);
				const small = {
					defaultCountry: 'GB',
					duplicates: 'skip',
					unusable: 'skip',
					perCampaign: 4,
				};
				const [create] = changed.nodes.filter(({ name }) => name === 'Create SMS Campaigns');
				if (create !== undefined) create.parameters.options = small;
				return { ...changed, pinData: { 'Upload a File': [form] } };
			};
		const upload = async (text: string) =>
			await example(
				largeFile,
				async (workflow) => await run(workflow, 'Upload a File'),
				withFile(text),
			);
		const clean = await upload('phone;name\n+447700900101;Ada\n');
		expect(clean.runData['Rows to Fix']).toBeUndefined();
		expect(clean.items('Result')).toHaveLength(1);
		await sandbox().reset();
		const people = ['+447700900101;Ada', '00447700900102;Blaise', '447700900103;Charles'];
		const others = ['07700900104;Dorothy', '+44 7700 900101;Ada again', '4.477E+11;Edsger'];
		const last = ['07700900105;Frances', '07700900106;Grace', ';Hedy'];
		const execution = await upload(['phone;name', ...people, ...others, ...last, ''].join('\n'));
		expect((await campaigns()).map(({ contacts }) => contacts.map(({ name }) => name))).toEqual(
			expect.arrayContaining([
				['Ada', 'Blaise', 'Charles', 'Dorothy'],
				['Frances', 'Grace'],
			]),
		);
		expect(dataOf(execution, 'Create SMS Campaigns')).toMatchObject([
			{ campaign: 1, firstRow: 1, lastRow: 4, recipients: 4, file: { rows: 9, campaigns: 2 } },
			{ campaign: 2, firstRow: 7, lastRow: 8, recipients: 2 },
		]);
		expect(execution.items('Rows to Fix')).toMatchObject([
			{ binary: { problems: { fileExtension: 'csv' } } },
		]);
	});

	itIfRunnable('call-first-then-sms.json')(
		'sends one SMS to those whom pinned calls did not reach, and none in a second run',
		async () => {
			const addOthers = ({ pinData, ...workflow }: WorkflowContent): WorkflowContent => {
				const events = pinData?.['On Campaign Finished'] ?? [];
				const numbers = pinData?.['Get Phone Numbers'] ?? [];
				const number = (outcome: number, stage: number) => ({
					json: { number: `+4477009008${outcome}${stage}`, calls: [{ outcome, stage }] },
				});
				return {
					...workflow,
					pinData: {
						'On Campaign Finished': [
							...events,
							{ json: { campaignId: 'c7', campaignType: 'sms', campaignName: 'Call first' } },
							{ json: { campaignId: '2002', campaignType: 'voice', campaignName: 'Another' } },
						],
						// Excluded, invalid, opted out in the call, not reached.
						'Get Phone Numbers': [
							...numbers,
							number(11, 9),
							number(13, 0),
							number(3, 14),
							number(0, 0),
						],
					},
				};
			};
			// No call has reached somebody who has opted out since.
			await postToService('PhoneNumberStorageItem', {
				...{ storageID: 'left', number: '+447700900800', parameter1: 'Opt out' },
			});
			await example(
				'call-first-then-sms.json',
				async (workflow) => {
					const first = await run(workflow, 'On Campaign Finished');
					expect(dataOf(first, 'Own Campaigns Only')).toHaveLength(1);
					const noted = first.runData['Note It']?.flatMap(({ data }) => data?.main?.[0] ?? []);
					expect(noted?.map(({ json }) => json.state).sort()).toEqual([
						'opted out',
						'sent',
						'sent',
					]);
					const again = await run(workflow, 'On Campaign Finished');
					expect(dataOf(again, 'Not Reached')).toHaveLength(3);
					expect(again.runData['Send SMS']).toBeUndefined();
				},
				(workflow) => withOwnTables(randomUUID())(addOthers(workflow)),
			);
			expect(await textedNumbers()).toEqual(['+447700900703', '+447700900706']);
		},
	);

	/** Those of the examples' people whom two calls do not reach. */
	const notReached = ['703', '704', '706', '722'].map((ending) => `+447700900${ending}`);

	const textedNumbers = async () => (await messages()).map(({ phoneNumber }) => phoneNumber).sort();

	itIfRunnable('call-first-then-sms.json')(
		'calls first, and sends one SMS to each person not reached once the campaign has finished',
		async () => {
			const rows = ['701', '703', '704', '706', '721', '722'].map((ending) => ({
				phone: `+447700900${ending}`,
				name: `Person ${ending}`,
			}));
			const pollOften = (workflow: WorkflowContent): WorkflowContent => {
				const changed = uploaded(rows)({ ...workflow, pinData: {} });
				for (const { name, parameters } of changed.nodes) {
					if (name === 'On Campaign Finished') parameters.pollTimes = pollEvery(10);
				}
				return changed;
			};
			await example(
				'call-first-then-sms.json',
				async (workflow) => {
					expect(await suite.n8n.activateWorkflow(workflow.id)).toMatchObject({
						status: 'published',
					});
					const [campaign] = dataOf(await run(workflow, 'Upload a List'), 'Create Voice Campaign');
					expect(campaign).toMatchObject({ id: expect.any(Number) });
					await advance(2 * 86_400);
					await poll(
						async () => ((await messages()).length >= notReached.length ? true : undefined),
						{
							what: 'the messages',
							timeout: 120_000,
						},
					);
					await allSucceed(workflow, 2);
				},
				(workflow) => withOwnTables(randomUUID())(pollOften(workflow)),
			);
			expect(await textedNumbers()).toEqual(notReached);
			expect(
				(await messages()).find(({ phoneNumber }) => phoneNumber.endsWith('706'))?.message,
			).toBe(
				'Hello Person 706, we could not reach you by phone. Our offer is at https://shop.example.com',
			);
		},
	);

	const neverMiss = 'never-miss-a-result.json';

	itIfRunnable(neverMiss)('lets a result through once, whichever way it came', async () => {
		await example(neverMiss, async (workflow) => {
			const phoneNumbers = async (start: string) =>
				dataOf(await run(workflow, start), 'Result').map(({ phoneNumber }) => phoneNumber);
			expect(await phoneNumbers('On Event')).toEqual(['+447700900123']);
			expect(await phoneNumbers('Every Five Minutes')).toEqual(['+447700900124']);
		});
	});

	itIfRunnable('opt-outs.json')('stores opt-outs by key under their numbers', async () => {
		const use = async (workflow: Workflow) => {
			await run(workflow, 'On Opt-Out');

			expect(await suite.n8n.activateWorkflow(workflow.id)).toMatchObject({ status: 'published' });
			const call = { outCome: 1, phoneNumber: '+447700900121' };
			for (const stage of [10, 13, 14, 14]) {
				await sandbox().event({ webHookType: 0, data: { ...call, stage } });
			}
			// The run by hand, and one for each call that ended in opting out.
			await allSucceed(workflow, 3);

			// One batch: a caller without a number costs nobody else the opt-out, and somebody learns of it.
			const together = [null, '+447700900131', '+447700900132'].map((phoneNumber) => ({
				webHookType: 0,
				data: { ...call, stage: 14, phoneNumber },
			}));
			await Promise.all(together.map(async (event) => sandbox().event(event)));
			const failed = await poll(
				async () => (await suite.n8n.countExecutions(workflow.id, ['error'])) > 0 || undefined,
				{ what: 'the execution of the batch', timeout: 30_000 },
			);
			expect(failed).toBe(true);
		};
		// There is no table People yet: the example makes it.
		await example('opt-outs.json', use, withOwnTables(randomUUID()));
		const stored = await bodies<StoredBody>('PhoneNumberStorageItem');
		expect(new Set(stored.map(({ storageID }) => storageID))).toEqual(
			new Set([
				'opt-out-447700900814',
				'opt-out-447700900124',
				'opt-out-447700900121',
				'opt-out-447700900131',
				'opt-out-447700900132',
			]),
		);
		expect(stored.find(({ number }) => number === '+447700900132')).toMatchObject({
			parameter1: 'Opt out',
		});
	});

	itIfRunnable('opt-outs.json')('opts nobody out by a link that is not complete', async () => {
		const opened = (workflow: WorkflowContent): WorkflowContent => ({
			...workflow,
			pinData: { 'Opt-Out Link': [{ json: { link: '4f9a' } }] },
			nodes: workflow.nodes.map((node) => ({
				...node,
				disabled: node.type === 'n8n-nodes-base.form',
			})),
		});
		const execution = await example(
			'opt-outs.json',
			async (workflow) => await run(workflow, 'Opt-Out Link'),
			// Nobody has a link yet.
			(workflow) => withOwnTables(randomUUID())(opened(workflow)),
		);
		expect(dataOf(execution, 'Not a Number')).toHaveLength(1);
		expect(await bodies<StoredBody>('PhoneNumberStorageItem')).toEqual([]);
	});

	itIfRunnable('import-stored-numbers-from-csv.json')(
		'imports a CSV file into the storage, and gives out the rows to fix',
		async () => {
			const rows = [
				['4711', '+447700900131', 'Ada', 'Monday 9:30'],
				['4712', '00447700900132', 'Blaise', 'Monday 10:00'],
				['4713', '07700900133', 'Charles', 'Tuesday, 9:30'],
				['', '+447700900134', 'Emmy', 'Tuesday 10:30'],
				['4714', '4.477E+11', 'Dorothy', 'Tuesday 10:00'],
				['4715', '07700900135', 'Edith', 'Tuesday 11:00'],
				['4715', '07700900136', 'Florence', 'Tuesday 11:30'],
			].map(([customer, phone, name, appointment]) => ({ customer, phone, name, appointment }));
			const execution = await example(
				'import-stored-numbers-from-csv.json',
				async (workflow) => await run(workflow, 'Upload a File'),
				uploaded(rows),
			);
			const stored = [
				['customer-4711', '+447700900131', 'Ada', 'Monday 9:30'],
				['customer-4712', '+447700900132', 'Blaise', 'Monday 10:00'],
				['customer-4713', '+447700900133', 'Charles', 'Tuesday, 9:30'],
			].map(([storageID, number, parameter1, parameter2]) => ({
				...{ storageID, number, parameter1, parameter2 },
			}));
			const sent = await bodies<StoredBody>('PhoneNumberStorageItem');
			expect(sent.sort((a, b) => a.storageID.localeCompare(b.storageID))).toEqual(stored);
			// An ID that two people have is nobody's.
			expect(dataOf(execution, 'Store Phone Numbers').slice(-2)).toMatchObject([
				{ sent: 'no' },
				{ sent: 'no' },
			]);
			expect(dataOf(execution, 'Store Phone Numbers').at(-3)).toMatchObject({
				...{ sent: 'no', error: expect.stringContaining('has lost digits') },
			});
		},
	);

	it('counts the calls, outcomes and costs of a real campaign in its report', async () => {
		// A zone in which it is about noon: the campaign starts and ends on the day of the report.
		const hours = 12 - DateTime.utc().hour;
		const timeZone = `Etc/GMT${hours > 0 ? '-' : '+'}${String(Math.abs(hours))}`;
		await sandbox().settings({ conventions: { timeZone } });
		const zoned = await createCredential(suite.n8n, 'Report Runs', {
			serviceConventions: true,
			serviceTimeZone: timeZone,
		});
		const start = DateTime.now().setZone(timeZone).plus({ minutes: 2 });
		const rows = ['701', '100', '703', '706', '705', '713'].map((ending) => ({
			phoneNumber: `+447700900${ending}`,
		}));
		const creation = await runAction(suite.n8n, 'Voice Campaign', zoned, rows, {
			...{ resource: 'voiceCampaign', operation: 'create', name: 'Spring <reminders>' },
			startDate: start.toFormat('yyyy-MM-dd'),
			startTime: start.toFormat('HH:mm'),
			finishTime: '23:00',
			...{ callflow_Id: 301, defaultCli_Id: 401, answerMachineDetected: 1, smsOnBusy: 1 },
			additionalFields: { attempts: { attempt: [{ interval: 1 }, { interval: 1 }] } },
		});
		expect(creation.status).toBe('success');
		await advance(15 * 60);

		const execution = await withExample(
			suite.n8n,
			'nightly-campaign-report.json',
			zoned,
			async (workflow) => await run(workflow, 'Every Night'),
			(workflow) => ({
				...workflow,
				pinData: {},
				settings: { ...workflow.settings, timezone: timeZone },
			}),
		);

		const { calls, voiceSmss } = await sandbox().summary();
		expect([calls, voiceSmss]).toEqual([8, 1]);
		const [summary] = dataOf(execution, 'Call Figures');
		expect(summary).toMatchObject({
			campaignName: 'Spring <reminders>',
			recipients: 6,
			reached: 2,
			attemptsUsed: calls,
			smsStatuses: { Delivered: voiceSmss },
			outcomes: {
				...{ Answered: 2, Busy: 2, 'No Answer': 2, 'Answerphone Message Left': 1 },
				'Invalid Number': 1,
			},
		});
		const [page] = dataOf(execution, 'Build Report');
		expect(page?.html).toContain('Spring &#60;reminders&#62;');
		// The prices are those of sandbox/README.md.
		expect(page?.html).toContain(`<dt>Cost</dt><dd>${Number(summary?.cost).toFixed(2)}</dd>`);
	});
});
