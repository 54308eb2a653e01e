import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { Workflow, WorkflowContent } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { withN8nApi } from '../support/examples.ts';
import {
	dataOf,
	exampleSuite,
	itIfRunnable,
	uploaded,
	withOwnTables,
} from '../support/exampleSuite.ts';
import { bodies, host, postToService, sandbox } from '../support/host.ts';
import { nodeTypes } from '../../../host/workflows.ts';

/** An example in which a text is another one. */
const withText =
	(text: string, other: string) =>
	(workflow: WorkflowContent): WorkflowContent => {
		const content = JSON.stringify(workflow);
		expect(content).toContain(text);
		return JSON.parse(content.replaceAll(text, other)) as WorkflowContent;
	};

describe('two texts, one winner', () => {
	const { suite, example, run, fail } = exampleSuite('Two Texts');
	const file = 'two-texts-one-winner.json';
	const form = {
		...{ campaign: 'Spring', textA: 'Sale on Monday:', textB: '20 % off:' },
		link: 'https://shop.example.com/spring',
	};
	const people = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			...{ phone: `07700 900${String(100 + index)}`, name: 'Ada' },
		}));

	/** The example with tables of its own, which decides so many hours after the first texts. */
	const asked =
		(suffix: string, rows: Record<string, unknown>[], hours: number) =>
		(workflow: WorkflowContent): WorkflowContent => {
			const own = withOwnTables(suffix)(uploaded(rows)(workflow));
			const changed = withText('const hours = 2;', `const hours = ${String(hours)};`)(own);
			return { ...changed, pinData: { ...changed.pinData, 'Ask for Two Texts': [{ json: form }] } };
		};

	const texts = async () =>
		(await bodies<{ phoneNumber: string; message: string }>()).map(
			({ phoneNumber, message }) => `${message.slice(0, 4)} ${phoneNumber.slice(-3)}`,
		);
	const countOf = (all: string[], text: string) =>
		all.filter((each) => each.startsWith(text)).length;

	/** Opens the links in the texts that begin so, as people do, twice. */
	async function openLinks({ id, nodes }: Workflow, text: string, count: number): Promise<void> {
		expect(await suite.n8n.activateWorkflow(id)).toMatchObject({ status: 'published' });
		const path = String(nodes.find(({ name }) => name === 'Link')?.parameters.path);
		const codes = (await bodies<{ message: string }>())
			.filter(({ message }) => message.startsWith(text))
			.map(({ message }) => /two-texts\S*\?c=(\w+)/.exec(message)?.[1] ?? '');
		for (const code of [...codes.slice(0, count), ...codes.slice(0, count)]) {
			const response = await fetch(`${host().n8nUrl}/webhook/${path}?c=${code}`, {
				redirect: 'manual',
			});
			expect(response.headers.get('location')).toBe(form.link);
		}
		await suite.n8n.deactivateWorkflow(id);
	}

	itIfRunnable(file)(
		'text two small groups, and the rest with what more people opened',
		async () => {
			const suffix = randomUUID();
			const wrong = { phone: '0770', name: 'Blaise' };
			await example(
				file,
				async (workflow) => {
					await run(workflow, 'Ask for Two Texts');
					await run(workflow, 'Start');
					const first = await texts();
					expect([countOf(first, 'Sale'), countOf(first, '20 %'), first.length]).toEqual([2, 2, 4]);
					await openLinks(workflow, '20 %', 2);
					await openLinks(workflow, 'Sale', 1);
					// Nothing is decided before two hours are over.
					await run(workflow, 'Start');
					expect(await texts()).toHaveLength(4);
				},
				asked(suffix, [...people(20), ...people(20), wrong], 2),
			);
			await sandbox().advance(60);
			const later = asked(suffix, people(20), 0);
			await example(file, async (workflow) => await run(workflow, 'Start'), later);
			await example(
				file,
				async (workflow) => {
					await run(workflow, 'Start');
					// The form once more: nobody is new.
					const again = await run(workflow, 'Ask for Two Texts');
					expect(again.runData['Random Code']).toBeUndefined();
					await run(workflow, 'Start');
				},
				later,
			);
			const all = await texts();
			expect([countOf(all, 'Sale'), countOf(all, '20 %')]).toEqual([2, 18]);
			expect(new Set(all.map((text) => text.slice(-3))).size).toBe(20);
		},
	);

	itIfRunnable(file)('text nobody else if no text arrived, and say so', async () => {
		const suffix = randomUUID();
		// Numbers whose texts fail, each in another way.
		const endings = ['903', '904', '905', '906', '907', '908', '909', '910', '934', '999'];
		const rows = endings.map((ending) => ({ phone: `07700 900${ending}`, name: 'Ada' }));
		const change = asked(suffix, rows, 0);
		await example(
			file,
			async (workflow) => {
				await run(workflow, 'Ask for Two Texts');
				await run(workflow, 'Start');
			},
			change,
		);
		await sandbox().advance(60);
		await example(
			file,
			async (workflow) => {
				// Nothing is decided while a status cannot be read.
				for (const operationId of ['getSmsMessage', 'getSmsMessageWithSlash']) {
					await sandbox().fault({
						match: { operationId },
						...{ times: 'always', fault: { kind: 'status', status: 403 } },
					});
				}
				expect((await fail(workflow, 'Start')).message).toMatch(/^Not decided yet.*: Spring\. /);
				await sandbox().clearFaults();
				const failed = await fail(workflow, 'Start');
				expect(failed.message).toMatch(
					/^No text of either group arrived, so nobody else is texted: Spring \(A: 1 sent, 0 delivered, 0 opened/,
				);
				await run(workflow, 'Start');
			},
			change,
		);
		expect(await texts()).toHaveLength(2);
	});

	itIfRunnable(file)('try again whom the service refused, and name them', async () => {
		await sandbox().fault({
			match: { operationId: 'sendSmsMessage' },
			...{ times: 2, fault: { kind: 'status', status: 400 } },
		});
		await example(
			file,
			async (workflow) => {
				await run(workflow, 'Ask for Two Texts');
				expect((await fail(workflow, 'Start')).message).toMatch(/^Not texted: Ada \(sent: no/);
				await run(workflow, 'Start');
			},
			asked(randomUUID(), people(3), 0),
		);
		// Two were refused at first; the rest has to wait for its text.
		expect(await texts()).toHaveLength(4);
	});
});

describe('what should have run', () => {
	const { suite, example, run, fail } = exampleSuite('Should Have Run');
	const file = 'what-should-have-run.json';

	/** A job that texts somebody each second. */
	const everySecond = (name: string, phoneNumber: string): WorkflowContent => ({
		name,
		nodes: [
			{
				...{ id: 'a', name: 'Every Second', type: 'n8n-nodes-base.scheduleTrigger' },
				...{ typeVersion: 1.2, position: [0, 0] },
				parameters: {
					rule: { interval: [{ field: 'cronExpression', expression: '* * * * * *' }] },
				},
			},
			{
				...{ id: 'b', name: 'Send SMS', type: nodeTypes.action, typeVersion: 1 },
				position: [200, 0],
				parameters: {
					...{ resource: 'smsMessage', operation: 'send', sender: 'MyShop' },
					...{ phoneNumber, message: 'Hello' },
				},
				credentials: { [suite.credential.type]: suite.credential },
			},
		],
		connections: { 'Every Second': { main: [[{ node: 'Send SMS', type: 'main', index: 0 }]] } },
	});

	const running: Workflow[] = [];

	afterEach(async () => {
		for (const { id } of running.splice(0)) await suite.n8n.deleteWorkflow(id);
	});

	/** Publishes a job, and waits until it has run by its schedule. */
	async function publish(content: WorkflowContent): Promise<void> {
		const workflow = await suite.n8n.createWorkflow(content);
		running.push(workflow);
		expect(await suite.n8n.activateWorkflow(workflow.id)).toMatchObject({ status: 'published' });
		const hasRun = async () =>
			(await suite.n8n.countExecutions(workflow.id, ['success', 'error'])) > 0 ? true : undefined;
		await poll(hasRun, { what: `a run of ${content.name}`, timeout: 120_000 });
	}

	itIfRunnable(file)(
		'say which jobs did not run or failed, and which rows are not done',
		async () => {
			const suffix = randomUUID();
			const api = await suite.n8n.createCredential('Own API', 'n8nApi', {
				...{ apiKey: await suite.n8n.createApiKey(), baseUrl: `${host().n8nUrl}/api/v1` },
			});
			// Somebody whose voucher is due, in a table of the jobs.
			const ada = { phone: '07700 900102', name: 'Ada', consent: 'yes' };
			await example(
				'people-from-a-file.json',
				async (workflow) => await run(workflow, 'Upload a List'),
				(workflow) =>
					withText(
						'proof: `file',
						"voucher: '2030 due', proof: `file",
					)(withOwnTables(suffix)(uploaded([ada])(workflow))),
			);
			await publish(everySecond(`Good ${suffix}`, '+447700900101'));
			await publish(everySecond(`Bad ${suffix}`, '0770'));
			/** What somebody is told; as if a job were late after so many hours. */
			const look = async (hours: string, standsStill: string) =>
				await example(
					file,
					async (workflow) => await fail(workflow, 'Start'),
					(workflow) =>
						[
							withText("'People'", `'People ${suffix}'`),
							withText('Math.min(...rules.map(hoursOf))', hours),
							withText('minus({ hours: 3 })', standsStill),
							withN8nApi(api),
						].reduce((changed, change) => change(changed), workflow),
				);
			const now = await look('25', 'minus({ hours: 3 })');
			expect(now.message).toContain(`Bad ${suffix} ended in an error`);
			expect(now.message).not.toContain(`Good ${suffix}`);
			expect(now.message).not.toContain('Not done');
			const good = dataOf(now, 'How They Went').find(({ job }) => job === `Good ${suffix}`);
			expect(good).toMatchObject({ problems: [], lastRun: expect.any(String) });
			expect(Number(good?.reached)).toBeGreaterThan(0);

			const later = await look('-1', 'plus({ hours: 1 })');
			expect(later.message).toContain(`Good ${suffix} has not run since `);
			expect(later.message).toContain(`Not done in People ${suffix}: 1, Ada (2030 due)`);
		},
	);
});

describe('people from a file', () => {
	const { example, run } = exampleSuite('No for All Names');

	itIfRunnable('people-from-a-file.json')(
		'who say no get nothing under another name of their number either',
		async () => {
			const suffix = randomUUID();
			const upload = async (...people: { name: string; consent: string }[]) =>
				await example(
					'people-from-a-file.json',
					async (workflow) => await run(workflow, 'Upload a List'),
					(workflow) =>
						withOwnTables(suffix)(
							uploaded(people.map((each) => ({ phone: '07700 900101', ...each })))(workflow),
						),
				);
			const first = await upload({ name: 'Ada', consent: 'yes' }, { name: 'Bob', consent: 'yes' });
			expect(dataOf(first, 'Who Says No')).toEqual([]);
			const second = await upload({ name: 'Ada Lovelace', consent: 'no' });
			expect(dataOf(second, 'Who Says No')).toMatchObject([
				{ name: 'Ada', consent: 'no' },
				{ name: 'Bob', consent: 'no' },
			]);
		},
	);
});

describe('the week by branch', () => {
	const { example, run } = exampleSuite('Week by Branch');
	const file = 'nightly-campaign-report.json';

	itIfRunnable(file)('counts single texts, campaigns and calls, and their cost', async () => {
		const suffix = randomUUID();
		const week = withText(
			"[$now.startOf('day').minus({ days: 7 }), $now.startOf('day')]",
			'[$now.minus({ days: 1 }), $now.plus({ days: 2 })]',
		);
		const change = (workflow: WorkflowContent) => week(withOwnTables(suffix)(workflow));
		const people = ['101 North', '102 South', '905 South', '701 North'].map((each) => {
			const [ending = '', branch = ''] = each.split(' ');
			return { phone: `07700 900${ending}`, name: ending, consent: 'yes', branch };
		});
		await example(
			'people-from-a-file.json',
			async (workflow) => await run(workflow, 'Upload a List'),
			(workflow) => withOwnTables(suffix)(uploaded(people)(workflow)),
		);
		await example(
			file,
			async (workflow) => {
				// Nothing at all is no report.
				expect((await run(workflow, 'Every Monday')).runData['Mail It']).toBeUndefined();
			},
			change,
		);
		const number = (ending: string) => `+447700900${ending}`;
		for (const ending of ['101', '101', '199']) {
			await postToService('SMSMessages', {
				...{ phoneNumber: number(ending), message: 'Hello', sender: 'MyShop' },
			});
		}
		const contacts = ['102', '905'].map((ending) => ({ phoneNumber: number(ending) }));
		await postToService('Campaigns', { message: 'Hello', sender: 'MyShop', contacts });
		const start = DateTime.utc().plus({ minutes: 2 });
		await postToService('campaigns/voice', {
			...{ callflow_Id: 301, defaultCli_Id: 401, answerMachineDetected: 0, smsOnBusy: 0 },
			...{ name: 'Calls', startDate: start.toISODate(), startTime: start.toFormat('HH:mm') },
			...{ finishTime: '23:59', phoneNumbers: [{ number: number('701') }] },
		});
		await sandbox().advance(600);
		const rows = await example(
			file,
			async (workflow) => {
				const [{ rows: found, page } = {}] = dataOf(
					await run(workflow, 'Every Monday'),
					'By Branch',
				);
				expect(page).toContain('<bdi>South</bdi>');
				return found;
			},
			change,
		);
		const figures = (texts: number, delivered: number, calls: number, answered: number) => ({
			...{ texts, delivered, calls, answered, cost: expect.any(Number) },
		});
		expect(rows).toHaveLength(4);
		expect(rows).toEqual(
			expect.arrayContaining([
				{ branch: 'North', ...figures(2, 2, 1, 1) },
				{ branch: 'South', ...figures(2, 1, 0, 0) },
				{ branch: 'No branch', ...figures(1, 1, 0, 0) },
				{ branch: 'All', ...figures(5, 4, 1, 1) },
			]),
		);
	});
});

describe('a Google Sheet as the list', () => {
	const { example, run } = exampleSuite('Google Sheet');
	const file = 'write-results-back-to-the-sheet.json';

	/** The nodes for Google Sheets switched on; stand-ins give what that node gives, and keep what it gets. */
	const withSheet =
		(rows: Record<string, unknown>[]) =>
		(workflow: WorkflowContent): WorkflowContent => ({
			...workflow,
			nodes: workflow.nodes.map(({ disabled, ...node }) => {
				if (node.type !== 'n8n-nodes-base.googleSheets') return node;
				expect(disabled).toBe(true);
				const columns = node.parameters.columns as { value: Record<string, string> } | undefined;
				const jsCode =
					columns === undefined
						? `return ${JSON.stringify(rows.map((json) => ({ json })))};`
						: `return $input.all().map(({ json }) => ({ json: { phone: json.phone, status: json.status } }));`;
				return { ...node, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
			}),
		});

	itIfRunnable(file)(
		'texts its rows, and writes each status beside the cell as it was written',
		async () => {
			const suffix = randomUUID();
			// As Google Sheets gives them: what looks like a number is one.
			const rows = [
				{ row_number: 2, phone: '07700 900101', name: 'Ada', status: '' },
				{ row_number: 3, phone: 447700900905, name: 'Dorothy', status: '' },
			];
			await example(
				file,
				async (workflow) => {
					const sent = await run(workflow, 'Text the Google Sheet');
					expect(dataOf(sent, 'Send SMS').map(({ sent: state }) => state)).toEqual(['yes', 'yes']);
					const results = await run(workflow, 'On SMS Status');
					expect(dataOf(results, 'Update Google Sheet')).toEqual([
						{ phone: '07700 900101', status: 'Delivered' },
						{ phone: '447700900905', status: 'Undeliverable' },
					]);
				},
				(workflow) => withOwnTables(suffix)(withSheet(rows)(workflow)),
			);
			expect(
				(await bodies<{ phoneNumber: string }>()).map(({ phoneNumber }) => phoneNumber),
			).toEqual(['+447700900101', '+447700900905']);
		},
	);
});

describe('left in the basket', () => {
	const { example, run, fail } = exampleSuite('Left Baskets');
	const file = 'left-in-the-basket.json';

	itIfRunnable(file)('gets one text within 48 hours, and none after an order', async () => {
		const suffix = randomUUID();
		const people = ['101 yes', '102 yes', '103 no', '104 yes', '105 yes'].map((each) => {
			const [ending = '', consent = ''] = each.split(' ');
			return { phone: `07700 900${ending}`, name: ending, consent };
		});
		await example(
			'people-from-a-file.json',
			async (workflow) => await run(workflow, 'Upload a List'),
			(workflow) => withOwnTables(suffix)(uploaded(people)(workflow)),
		);
		const report = async (event: string, basket: string, ending: string, use = run) =>
			await example(
				file,
				async (workflow) => await use(workflow, 'Shop Reports'),
				(workflow) => {
					const body = { event, basket, phone: `07700 900${ending}`, name: ending };
					const pinData = { 'Shop Reports': [{ json: { body } }] };
					return { ...withOwnTables(suffix)(workflow), pinData };
				},
			);
		/** Runs what runs every half hour, with these hours to wait, and after which it is too late. */
		const start = async (from: number, to: number, use: typeof run | typeof fail = run) =>
			await example(
				file,
				async (workflow) => await use(workflow, 'Start'),
				(workflow) =>
					withText(
						'[from, to] = [4, 48]',
						`[from, to] = [${String(from)}, ${String(to)}]`,
					)(withOwnTables(suffix)(workflow)),
			);
		const texts = async () =>
			(await bodies<{ phoneNumber: string; message: string }>())
				.map(
					({ phoneNumber, message }) =>
						`${phoneNumber.slice(-3)} ${message.split('/').at(-1) ?? ''}`,
				)
				.sort();

		// An order that arrives before its basket, and one of another basket of the same person.
		await report('order', 'b1', '101');
		await report('basket', 'b1', '101');
		await report('basket', 'b2', '102');
		await report('order', 'b3', '102');
		// Nobody has agreed, or nobody can be reached.
		await report('basket', 'b4', '103');
		await report('basket', 'b5', '0', fail);
		await report('something', 'b6', '104', fail);
		// Two baskets, one reported twice.
		await report('basket', 'b7', '104');
		await report('basket', 'b8', '104');
		await report('basket', 'b8', '104');
		await start(4, 48);
		expect(await texts()).toEqual([]);
		await sandbox().fault({
			match: { operationId: 'sendSmsMessage' },
			fault: { kind: 'status', status: 400 },
		});
		expect(await start(0, 48, fail)).toMatchObject({
			message: expect.stringMatching(/^Not texted: 104 \(sent: no/),
		});
		await sandbox().reset();
		await start(0, 48);
		await start(0, 48);
		await report('basket', 'b9', '104');
		await start(0, 48);
		expect(await texts()).toEqual(['104 b8']);
		// The text is remembered, also after its basket was ordered.
		await report('order', 'b8', '104');
		await report('basket', 'b11', '104');
		await start(0, 48);
		expect(await texts()).toEqual(['104 b8']);
		// An order without a phone number closes its basket all the same.
		await report('basket', 'b12', '105');
		await report('order', 'b12', '');
		await start(0, 48);
		expect(await texts()).toEqual(['104 b8']);
		// Nor is a basket texted that was ordered while its text was failing.
		await report('basket', 'b13', '105');
		await sandbox().fault({
			match: { operationId: 'sendSmsMessage' },
			...{ times: 'always', fault: { kind: 'status', status: 429, retryAfter: 4 } },
		});
		const failing = start(0, 48, fail);
		await poll(async () => (await texts()).length > 1 || undefined, {
			...{ what: 'the text to be tried', timeout: 60_000 },
		});
		await report('order', 'b13', '');
		expect(await failing).toMatchObject({
			message: expect.stringMatching(/^Not texted: 105 \(sent: no/),
		});
		await sandbox().reset();
		await start(0, 48);
		expect(await texts()).toEqual([]);
		// What was due while n8n was off is named, once.
		await report('basket', 'b10', '105');
		expect(await start(-1, -0.5, fail)).toMatchObject({
			message: 'Not texted within 48 hours, so not any more: 105',
		});
		await start(0, 48);
		expect(await texts()).toEqual([]);
	});
});
