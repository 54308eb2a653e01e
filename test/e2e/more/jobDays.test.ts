import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { Workflow, WorkflowContent } from '../../../host/n8nClient.ts';
import {
	dataOf,
	exampleSuite,
	itIfRunnable,
	uploaded,
	withOwnTables,
	zoneWhereItIs,
} from '../support/exampleSuite.ts';
import { bodies, sandbox } from '../support/host.ts';

const inZone =
	(timezone: string) =>
	(workflow: WorkflowContent): WorkflowContent => ({
		...workflow,
		settings: { ...workflow.settings, timezone },
	});

describe('the jobs that text people over days', () => {
	const { example, run, fail, people } = exampleSuite('Job Days');

	const texts = async () =>
		(await bodies<{ phoneNumber: string; message: string }>())
			.map(({ phoneNumber, message }) => `${phoneNumber.slice(-3)} ${message}`)
			.sort();

	const before = 'text-before-an-appointment.json';
	itIfRunnable(before)(
		'text before an appointment, and see changes and cancellations',
		async () => {
			const zone = zoneWhereItIs(10);
			const suffix = randomUUID();
			const now = DateTime.now().setZone(zone);
			const at = (hours: number) => {
				const time = now.plus({ hours });
				return { day: time.toISODate() ?? '', time: time.toFormat('HH:mm') };
			};
			const person = (ending: string, name: string, hours: number) => ({
				...{ phone: `07700 900${ending}`, name },
				...at(hours),
			});
			/** Uploads a list, and runs what runs every half hour. */
			const upload = async (
				rows: ReturnType<typeof person>[],
				use: (workflow: Workflow) => Promise<unknown>,
			) => {
				await example(
					before,
					async (workflow) => {
						await run(workflow, 'Upload Appointments');
						await use(workflow);
					},
					(workflow) => withOwnTables(suffix)(inZone(zone)(uploaded(rows)(workflow))),
				);
			};
			const start = async (workflow: Workflow) => await run(workflow, 'Start');
			const rows = [
				person('101', 'Ada', 3),
				person('102', 'Blaise', 20),
				person('103', 'Charles', 40),
			];
			await upload(rows, async (workflow) => {
				await start(workflow);
				await start(workflow);
			});
			const first = [
				expect.stringMatching(/^101 Hi Ada, see you today at 1[23]:/),
				expect.stringMatching(/^102 Hi Blaise, see you tomorrow at 0[56]:/),
			];
			expect(await texts()).toEqual(first);

			// Blaise has moved, Charles is gone, and Dorothy is too late.
			const dorothy = person('104', 'Dorothy', 0.5);
			await upload(
				[person('101', 'Ada', 3), person('102', 'Blaise', 22), dorothy],
				async (workflow) => {
					expect((await fail(workflow, 'Start')).message).toMatch(
						/^Too late for a text: Dorothy \(/,
					);
					await start(workflow);
				},
			);
			const moved = expect.stringMatching(/^102 Hi Blaise, see you tomorrow at 0[78]:/);
			expect(await texts()).toEqual([...first, moved]);

			await sandbox().reset();
			// Charles comes back, and the service fails at first.
			await sandbox().fault({
				match: { operationId: 'sendSmsMessage' },
				fault: { kind: 'status', status: 400 },
			});
			const edsger = person('105', 'Edsger', 0.5);
			await upload([person('103', 'Charles', 23), edsger], async (workflow) => {
				const { message } = await fail(workflow, 'Start');
				expect(message).toMatch(/^Not texted: Charles \(sent: no/);
				expect(message).toContain('Too late for a text: Edsger (');
				await start(workflow);
				await start(workflow);
			});
			expect(await texts()).toHaveLength(2);
		},
	);

	itIfRunnable(before)('cancel nobody whose list was sent twice', async () => {
		const day = DateTime.now().plus({ days: 3 }).toISODate();
		const list = Array.from({ length: 40 }, (_, index) => ({
			...{ phone: `07700 900${String(100 + index)}`, name: String(index), day, time: '10:00' },
		}));
		await example(
			before,
			async (workflow) => {
				await run(workflow, 'Upload Appointments');
				const sent = await Promise.all(
					[1, 2].map(async () => await run(workflow, 'Upload Appointments')),
				);
				const cancelled = sent.flatMap((execution) => dataOf(execution, 'Cancelled'));
				expect(cancelled.filter(({ id }) => id !== undefined)).toEqual([]);
			},
			(workflow) => withOwnTables(randomUUID())(uploaded(list)(workflow)),
		);
	});

	const series = 'a-series.json';
	itIfRunnable(series)('text a series over days, which those leave who opt out', async () => {
		const suffix = randomUUID();
		const add = async (...rows: [string, string, string][]) =>
			await people(
				rows.map(([phone, name, consent]) => ({ phone, name, consent })),
				suffix,
			);
		/** Runs the workflow as if so many days had passed. */
		const start = async (days: number, use = run) => {
			await example(
				series,
				async (workflow) => {
					await use(workflow, 'Start');
					await use(workflow, 'Start');
				},
				(workflow) =>
					JSON.parse(
						JSON.stringify(withOwnTables(suffix)(workflow)).replace(
							'const today = $now.toISODate();',
							`const today = $now.plus({ days: ${String(days)} }).toISODate();`,
						),
					) as WorkflowContent,
			);
		};
		await add(
			['07700 900101', 'Ada', 'yes'],
			['07700 900102', 'Blaise', 'yes'],
			['07700 900103', 'Charles', 'no'],
		);
		await start(0);
		await start(2);
		expect((await texts()).map((text) => text.slice(0, 11))).toEqual([
			'101 Welcome',
			'102 Welcome',
		]);
		await add(['07700 900102', 'Blaise', 'no']);
		// Late, but all of them, in their order.
		await start(5);
		await start(9);
		await start(30);
		expect((await texts()).map((text) => text.slice(0, 11))).toEqual([
			'101 Did you',
			'101 Tell a ',
			'101 Welcome',
			'102 Welcome',
		]);
	});

	const again = 'come-again.json';
	itIfRunnable(again)('text those who have not come for months, once for each visit', async () => {
		const suffix = randomUUID();
		const visited = (months: number) => DateTime.utc().minus({ months }).toISODate();
		const add = async (...rows: [string, string, number, string?][]) =>
			await people(
				rows.map(([ending, name, months, consent = 'yes']) => ({
					...{ phone: `07700 900${ending}`, name, consent, lastVisit: visited(months) },
				})),
				suffix,
			);
		const start = async (use: typeof run | typeof fail) =>
			await example(
				again,
				async (workflow) => await use(workflow, 'Start'),
				(workflow) => withOwnTables(suffix)(inZone('UTC')(workflow)),
			);
		await add(
			['101', 'Ada', 7],
			['102', 'Blaise', 2],
			['103', 'Charles', 30],
			['104', 'Dorothy', 7, 'no'],
		);
		await sandbox().fault({
			match: { operationId: 'sendSmsMessage' },
			fault: { kind: 'status', status: 400 },
		});
		expect(await start(fail)).toMatchObject({
			message: expect.stringMatching(/^Not texted: Ada \(sent: no/),
		});
		await sandbox().reset();
		await start(run);
		await start(run);
		expect((await texts()).map((text) => text.slice(0, 10))).toEqual(['101 Hi Ada']);
		// A visit starts the months anew, and so does the next one.
		await add(['101', 'Ada', 1]);
		await start(run);
		await add(['101', 'Ada', 6]);
		await start(run);
		expect(await texts()).toHaveLength(2);
	});

	const byMail = 'by-mail-where-texts-fail.json';
	itIfRunnable(byMail)(
		'mail those whose text failed, and text no number that failed twice',
		async () => {
			const suffix = await people([
				{ phone: '07700 900905', name: 'Ada', consent: 'yes', mail: 'ada@example.com' },
				{ phone: '07700 900906', name: 'Blaise', consent: 'yes' },
			]);
			await example(
				byMail,
				async (workflow) => {
					const first = await run(workflow, 'On Failed Text');
					expect(dataOf(first, 'Has an Address').map(({ mail }) => mail)).toEqual([
						'ada@example.com',
						'ada@example.com',
					]);
					const again = await run(workflow, 'On Failed Text');
					expect(again.runData['Has an Address']).toBeUndefined();
				},
				withOwnTables(suffix),
			);
			expect(await bodies('PhoneNumberStorageItem')).toMatchObject([
				{ storageID: 'undeliverable-447700900905', parameter1: 'Undeliverable' },
			]);
			// No example texts that number any more.
			await example(
				'text-each-person-by-name.json',
				async (workflow) => await run(workflow, 'Upload a List'),
				uploaded([
					{ phone: '07700 900905', name: 'Ada', drink: 'tea' },
					{ phone: '07700 900101', name: 'Grace', drink: 'tea' },
				]),
			);
			expect((await texts()).map((text) => text.slice(0, 3))).toEqual(['101']);
		},
	);
});
