import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { Browser } from 'playwright-core';
import type { Workflow, WorkflowContent } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { startBrowser } from './support/browser.ts';
import { withViewers } from './support/examples.ts';
import { dataOf, exampleSuite, itIfRunnable, uploaded } from './support/exampleSuite.ts';
import { FormPages, formUrl } from './support/formPages.ts';
import { bodies, host, postToService, sandbox } from './support/host.ts';

/** An example whose nodes have other parameters. */
const withParameters =
	(changes: Record<string, Record<string, unknown>>, timezone = 'UTC') =>
	(workflow: WorkflowContent): WorkflowContent => ({
		...workflow,
		settings: { ...workflow.settings, timezone },
		nodes: workflow.nodes.map((node) => ({
			...node,
			parameters: { ...node.parameters, ...changes[node.name] },
		})),
	});

describe('the jobs of the example workflows, from start to end', () => {
	const { suite, example, run } = exampleSuite('Job Runs');
	let browser: Browser;

	beforeAll(async () => {
		browser = await startBrowser();
	});

	afterAll(async () => {
		await browser.close();
	});

	const publish = async ({ id }: Workflow) => {
		expect(await suite.n8n.activateWorkflow(id)).toMatchObject({ status: 'published' });
	};

	const messages = async () =>
		(await bodies<{ phoneNumber: string; message: string }>()).map(
			({ phoneNumber, message }) => `${phoneNumber} ${message}`,
		);

	describe('send in waves', () => {
		const waves = 'send-in-waves.json';
		const campaigns = async () =>
			(await bodies<{ contacts: { phoneNumber: string }[] }>('/api/Campaigns')).map(
				({ contacts }) => contacts.map(({ phoneNumber }) => phoneNumber.slice(-3)),
			);

		/** Sends to the numbers with these endings, in waves of so many. */
		const send = async (
			campaign: string,
			batchSize: number,
			endings: readonly string[],
			seconds = 0.5,
			hoursToWait = 2,
		) => {
			const rows = endings.map((ending) => ({ phone: `07700 900${ending}`, name: 'Ada' }));
			const form = { campaign, text: 'Our spring sale starts on Monday', sender: 'MyShop' };
			const small = withParameters({
				'500 at a Time': { batchSize },
				'Ten Minutes': { amount: seconds, unit: 'seconds' },
			});
			return await example(
				waves,
				async (workflow) => await run(workflow, 'Form'),
				(workflow) => {
					const text = JSON.stringify(small(uploaded(rows)(workflow)));
					const changed = JSON.parse(
						text.replace('"value":"=2"', `"value":"=${String(hoursToWait)}"`),
					) as WorkflowContent;
					return { ...changed, pinData: { ...changed.pinData, Form: [{ json: form }] } };
				},
			);
		};

		itIfRunnable(waves)('stop when one goes badly, and reach nobody twice', async () => {
			const campaign = `Spring ${randomUUID()}`;
			const good = await send(campaign, 2, ['101', '102', '103']);
			expect(await campaigns()).toEqual([['101', '102'], ['103']]);
			expect(dataOf(good, 'All Sent')).toHaveLength(1);

			const bad = await send(campaign, 2, ['101', '102', '103', '905', '104', '105', '106']);
			expect(dataOf(bad, 'Stopped')).toMatchObject([
				{ result: expect.stringContaining('Of 2 texts of the last wave, 1 were delivered') },
			]);
			expect((await campaigns()).slice(2)).toEqual([['905', '104']]);
		});

		itIfRunnable(waves)('reach nobody twice when the form is sent again meanwhile', async () => {
			const campaign = `Spring ${randomUUID()}`;
			const endings = ['101', '102', '103', '104', '105'];
			const first = send(campaign, 2, endings, 5);
			await poll(async () => ((await campaigns()).length > 0 ? true : undefined), {
				what: 'the first wave',
				timeout: 60_000,
			});
			await send(campaign, 2, endings);
			expect(dataOf(await first, 'All Sent')).toHaveLength(1);
			expect((await campaigns()).flat().sort()).toEqual(endings);
		});

		itIfRunnable(waves)('stop when too few have a result', async () => {
			// Eight of ten arrive, and two never have a final status.
			const wave = [...Array.from({ length: 8 }, (_, index) => String(110 + index)), '906', '908'];
			const stopped = await send(`Spring ${randomUUID()}`, 10, [...wave, '101'], 0.5, 0);
			expect(dataOf(stopped, 'Stopped')).toHaveLength(1);
			expect(await campaigns()).toEqual([wave]);
		});

		itIfRunnable(waves)('stop when there is no credit left', async () => {
			// Ten of eleven arrive, which would be good enough.
			const wave = [...Array.from({ length: 10 }, (_, index) => String(110 + index)), '999'];
			const stopped = await send(`Spring ${randomUUID()}`, 11, [...wave, '101']);
			expect(dataOf(stopped, 'Stopped')).toMatchObject([
				{ result: expect.stringContaining('There is not enough credit') },
			]);
			expect(await campaigns()).toEqual([wave]);
		});
	});

	const appointments = 'remind-of-appointments-by-call.json';
	itIfRunnable(appointments)('call people the day before, and note what they pressed', async () => {
		const day = DateTime.utc().plus({ days: 2 }).toFormat('yyyy-MM-dd');
		const rows = [
			['07700 900101', 'Ada', day, '10:30'],
			['07700 900102', 'Blaise', day, '11:00'],
			['07700 900102', 'Bob', day, '15:00'],
			['07700 900103', 'Charles', '2020-01-01', '11:00'],
			['07700 900101', 'Ada', '2999-01-01', '11:00'],
		].map(([phone, name, on, time]) => ({ phone, name, day: on, time }));
		await example(
			appointments,
			async (workflow) => {
				await run(workflow, 'Add Appointments');
				await run(workflow, 'Start');
				expect(await bodies('/api/campaigns/voice')).toMatchObject([
					{
						...{ name: `Appointments of ${day}`, startTime: '09:00' },
						startDate: DateTime.utc().plus({ days: 1 }).toFormat('yyyy-MM-dd'),
						phoneNumbers: [
							{
								...{ number: '+447700900101', name: 'Ada' },
								parameters: expect.arrayContaining([{ parameter: 3, value: '10:30' }]),
							},
							{ number: '+447700900102' },
							{ number: '+447700900102', name: 'Bob' },
						],
					},
				]);
				const answers = await run(workflow, 'On Answer');
				expect(dataOf(answers, 'Confirmed')).toMatchObject([
					{ name: 'Ada', day, answer: 'confirmed' },
				]);
				expect(dataOf(answers, 'Add to the List')).toMatchObject([{ number: '+447700900102' }]);
			},
			(workflow) => {
				const { pinData, ...rest } = withParameters({})(uploaded(rows)(workflow));
				const answers = pinData?.['On Answer'] ?? [];
				// Blaise presses 1 in another campaign, which says nothing about an appointment.
				const other = { phoneNumber: '+447700900102', userInput: '1', campaignId: '9999' };
				const call = { json: { ...answers[0]?.json, ...other } };
				return { ...rest, pinData: { ...pinData, 'On Answer': [...answers, call] } };
			},
		);
	});

	const birthday = 'birthday-voucher.json';
	itIfRunnable(birthday)('send a voucher on a birthday, once a year', async () => {
		const on = (day: DateTime) => day.toFormat('1990-MM-dd');
		const rows = [
			{ phone: '07700 900101', name: 'Ada', birthday: on(DateTime.utc()) },
			{ phone: '07700 900102', name: 'Blaise', birthday: on(DateTime.utc().plus({ days: 2 })) },
		];
		await example(
			birthday,
			async (workflow) => {
				await run(workflow, 'Add Customers');
				await run(workflow, 'Start');
				await run(workflow, 'Start');
			},
			(workflow) => withParameters({})(uploaded(rows)(workflow)),
		);
		expect(await messages()).toEqual([
			expect.stringMatching(/^\+447700900101 Happy birthday, Ada!/),
		]);
	});

	const stock = 'back-in-stock.json';
	itIfRunnable(stock)('text those who wait for a product, once', async () => {
		await example(
			stock,
			async (workflow) => {
				await publish(workflow);
				const person = await FormPages.open(browser, false);
				const url = formUrl(workflow, 'Tell Me When It Is Back');
				for (const [phone, product] of [
					['07700 900101', 'Blue%20Teapot'],
					['+44 7700 900102', 'red-teapot'],
				] as const) {
					await person.submit(`${url}?product=${product}`, { 'Your phone number': phone });
					await person.textWith('Thank you');
				}
				await run(workflow, 'Shop Reports Stock');
				await run(workflow, 'Shop Reports Stock');
			},
			(workflow) => ({
				...workflow,
				pinData: {
					'Shop Reports Stock': [{ json: { body: { product: 'blue teapot ', name: 501 } } }],
				},
			}),
		);
		expect(await messages()).toEqual([
			expect.stringMatching(/^\+447700900101 The 501 is back. .*\/blue%20teapot\?for=/),
		]);
	});

	it('call those whose text failed, once', async () => {
		const contacts = ['123', '905', '999'].map((ending) => ({
			phoneNumber: `+447700900${ending}`,
		}));
		await postToService('Campaigns', { message: 'Hello', sender: 'MyShop', contacts });
		await sandbox().advance(60);
		await example('call-those-whose-text-failed.json', async (workflow) => {
			await run(workflow, 'Start');
			const again = await run(workflow, 'Start');
			expect(again.runData['Call Tomorrow']).toBeUndefined();
		});
		expect(await bodies('/api/campaigns/voice')).toMatchObject([
			{ phoneNumbers: [{ number: '+447700900905' }, { number: '+447700900999' }] },
		]);
	});

	it('tell somebody once an hour what went wrong', async () => {
		await example(
			'alert-me.json',
			async (workflow) => {
				const first = await run(workflow, 'On Failed Text');
				expect(dataOf(first, 'Once per Hour').map(({ kind }) => kind)).toEqual([
					'A text failed',
					'No credit',
				]);
				const second = await run(workflow, 'On Failed Text');
				expect(dataOf(second, 'Once per Hour')).toEqual([]);
			},
			({ pinData, ...workflow }) => {
				const failed = pinData?.['On Failed Text'] ?? [];
				return withParameters({
					'Once per Hour': { dedupeValue: '={{ $json.kind }} within an hour' },
				})({ ...workflow, pinData: { 'On Failed Text': [...failed, ...failed] } });
			},
		);
	});

	it('say in one sentence how a campaign went', async () => {
		const execution = await example(
			'tell-me-when-it-is-over.json',
			async (workflow) => await run(workflow, 'On Campaign Finished'),
			({ pinData, ...workflow }) => {
				const finished = pinData?.['On Campaign Finished'] ?? [];
				const json = { ...finished[0]?.json, finishedBecause: 'noChangeForThreeDays' };
				return { ...workflow, pinData: { 'On Campaign Finished': [...finished, { json }] } };
			},
		);
		expect(dataOf(execution, 'In One Sentence').map(({ text }) => text)).toEqual([
			'1148 of 1204 texts were delivered, cost 91.84.',
			'97 of 120 people were reached, 2 opted out, cost 14.20.',
			'1148 of 1204 texts were delivered, cost 91.84. Nothing has changed for three days.',
		]);
	});

	const dashboard = 'campaign-dashboard.json';
	itIfRunnable(dashboard)(
		'show campaigns on a page of their own, to those with a password',
		async () => {
			const viewer = { user: 'viewer', password: 'Sandbox-1234' };
			const credential = await suite.n8n.createCredential('Viewers', 'httpBasicAuth', viewer);
			const hostile = '<script>document.title = "broken"</script>&amp;';
			const start = DateTime.utc().plus({ minutes: 2 });
			const voice = {
				...{ callflow_Id: 301, defaultCli_Id: 401 },
				...{ answerMachineDetected: 0, smsOnBusy: 0 },
				...{ startDate: start.toFormat('yyyy-MM-dd'), startTime: start.toFormat('HH:mm') },
				finishTime: '23:59',
				phoneNumbers: ['701', '703'].map((ending) => ({ number: `+447700900${ending}` })),
			};
			await postToService('campaigns/voice', { ...voice, name: hostile });
			const { id } = await postToService<{ id: number }>('campaigns/voice', {
				...voice,
				name: 'Gone',
			});
			await sandbox().fault({
				match: { path: `^/api/campaigns/voice/${String(id)}$` },
				...{ times: 'always', fault: { kind: 'status', status: 404 } },
			});
			await sandbox().advance(600);
			await example(
				dashboard,
				async (workflow) => {
					const { parameters } = workflow.nodes.find(({ name }) => name === 'Page') ?? {};
					await publish(workflow);
					const url = `${host().n8nUrl}/webhook/${String(parameters?.path)}`;
					expect((await fetch(url)).status).toBe(401);
					const context = await browser.newContext({
						httpCredentials: { username: viewer.user, password: viewer.password },
						viewport: { width: 390, height: 800 },
					});
					const page = await context.newPage();
					await page.goto(url);
					expect(await page.locator('h2').allInnerTexts()).toEqual(['No figures of the last hour']);
					await run(workflow, 'Start');
					const before = (await sandbox().requests({ limit: 1 })).total;
					await page.goto(url);
					expect(await page.locator('.sub').first().innerText()).toContain(
						'A campaign could not be read at ',
					);
					expect(await page.locator('h2').first().innerText()).toBe(hostile);
					expect(await page.locator('main section').first().innerText()).toContain('2 people');
					expect(await page.locator('script').count()).toBe(0);
					expect(await page.locator('body').innerText()).not.toContain('447700900');
					const isCut = await page.evaluate('document.body.scrollWidth > innerWidth');
					expect(isCut).toBe(false);
					expect((await sandbox().requests({ limit: 1 })).total).toBe(before);
				},
				(workflow) => {
					// A table of its own, which nothing has written to.
					const own = JSON.stringify(workflow).replaceAll('Campaign Figures', randomUUID());
					const { nodes, ...rest } = JSON.parse(own) as WorkflowContent;
					return withViewers(
						{
							...rest,
							// It would read the service while the test counts its requests.
							nodes: nodes.map((node) => ({
								...node,
								disabled: node.disabled === true || node.name === 'Every Minute',
							})),
						},
						credential,
					);
				},
			);
		},
	);
});
