import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { Workflow, WorkflowContent } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { useBrowser } from './support/browser.ts';
import { withExample, withWebhookCredentials } from './support/examples.ts';
import {
	dataOf,
	exampleSuite,
	itIfRunnable,
	uploaded,
	withOwnTables,
	zoneWhereItIs,
} from './support/exampleSuite.ts';
import { FormPages, formUrl } from './support/formPages.ts';
import { bodies, host, postToService, sandbox } from './support/host.ts';
import { createCredential } from './support/workflows.ts';

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
	const { suite, example, run, fail, publish, people } = exampleSuite('Job Runs');
	const browser = useBrowser();

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

		/** The form with the numbers with these endings, in waves of so many. */
		const form =
			(
				campaign: string,
				limit: number,
				endings: readonly string[],
				{ seconds = 0.5, hoursToWait = 2 } = {},
			) =>
			(workflow: WorkflowContent): WorkflowContent => {
				const rows = endings.map((ending) => ({ phone: `07700 900${ending}`, name: 'Ada' }));
				const small = withParameters({
					'Next Wave': { limit },
					'Ten Minutes': { amount: seconds, unit: 'seconds' },
					'Until n8n Is Ready': { amount: 0.5, unit: 'seconds' },
				})(uploaded(rows)(workflow));
				const changed = JSON.parse(
					JSON.stringify(small).replace('.hours < 2', `.hours < ${String(hoursToWait)}`),
				) as WorkflowContent;
				const json = { campaign, text: 'Our spring sale starts on Monday', sender: 'MyShop' };
				return { ...changed, pinData: { ...changed.pinData, Form: [{ json }] } };
			};
		const send = async (...parameters: Parameters<typeof form>) =>
			await example(waves, async (workflow) => await run(workflow, 'Form'), form(...parameters));
		const sendAndStop = async (...parameters: Parameters<typeof form>) =>
			await example(waves, async (workflow) => await fail(workflow, 'Form'), form(...parameters));

		itIfRunnable(waves)('stop when one goes badly, and reach nobody twice', async () => {
			const campaign = `Spring ${randomUUID()}`;
			await send(campaign, 2, ['101', '102', '103']);
			expect(await campaigns()).toEqual([['101', '102'], ['103']]);

			const bad = await sendAndStop(campaign, 2, ['101', '102', '103', '905', '104', '105', '106']);
			expect(bad.message).toContain('Of 2 texts of the last wave, 1 were delivered');
			expect((await campaigns()).slice(2)).toEqual([['905', '104']]);
		});

		itIfRunnable(waves)('reach nobody twice when the form is sent again meanwhile', async () => {
			const campaign = `Spring ${randomUUID()}`;
			const endings = ['101', '102', '103', '104', '105'];
			const first = send(campaign, 2, endings, { seconds: 5 });
			await poll(async () => ((await campaigns()).length > 0 ? true : undefined), {
				what: 'the first wave',
				timeout: 60_000,
			});
			await send(campaign, 2, endings);
			await first;
			expect((await campaigns()).flat().sort()).toEqual(endings);
		});

		itIfRunnable(waves)('stop when too few have a result', async () => {
			// Eight of ten arrive, and two never have a final status.
			const wave = [...Array.from({ length: 8 }, (_, index) => String(110 + index)), '906', '908'];
			const endings = [...wave, '101'];
			await sendAndStop(`Spring ${randomUUID()}`, 10, endings, { hoursToWait: 0 });
			expect(await campaigns()).toEqual([wave]);
		});

		itIfRunnable(waves)('stop when there is no credit left', async () => {
			// Ten of eleven arrive, which would be good enough.
			const wave = [...Array.from({ length: 10 }, (_, index) => String(110 + index)), '999'];
			const stopped = await sendAndStop(`Spring ${randomUUID()}`, 11, [...wave, '101']);
			expect(stopped.message).toContain('There is not enough credit');
			expect(await campaigns()).toEqual([wave]);
		});

		itIfRunnable(waves)('say who was left out of one, and who got the text', async () => {
			await postToService('PhoneNumberStorageItem', {
				...{ storageID: 'left', number: '+447700900102', parameter1: 'Opt out' },
			});
			const endings = ['102', '101', '103'];
			const states = async (workflow: Workflow) => {
				const { runData } = await run(workflow, 'Form');
				const noted = runData['Note It']?.flatMap(({ data }) => data?.main?.[0] ?? []) ?? [];
				return new Map(noted.map(({ json }) => [String(json.number).slice(-3), json.state]));
			};
			await example(
				waves,
				async (workflow) => {
					expect([...(await states(workflow))].sort()).toEqual([
						['101', 'sent'],
						['102', 'left out'],
						['103', 'sent'],
					]);
				},
				form(`Spring ${randomUUID()}`, 3, endings),
			);
			expect(await campaigns()).toEqual([['101', '103']]);
		});

		itIfRunnable(waves)('are not lost when the service fails: the same name goes on', async () => {
			const campaign = `Spring ${randomUUID()}`;
			await sandbox().fault({
				match: { method: 'POST', path: 'Campaigns' },
				fault: { kind: 'status', status: 400 },
			});
			const failed = await sendAndStop(campaign, 2, ['101', '102', '103']);
			expect(failed.message).toMatch(/A wave of ".*" failed \(sent: no\)/);
			await send(campaign, 2, ['101', '102', '103']);
			// The one that failed was refused.
			expect(await campaigns()).toEqual([['101', '102'], ['101', '102'], ['103']]);
		});
	});

	const appointments = 'remind-of-appointments-by-call.json';
	describe('remind of appointments by call', () => {
		const rowsOf = (...rows: string[][]) =>
			rows.map(([phone, name, day, time]) => ({ phone, name, day, time }));
		const inDays = (days: number, zone: string) =>
			DateTime.now().setZone(zone).plus({ days }).toISODate() ?? '';

		itIfRunnable(appointments)('the day before, and note what people pressed', async () => {
			const zone = zoneWhereItIs(17);
			const day = inDays(2, zone);
			const rows = rowsOf(
				['07700 900101', 'Ada', day, '10:30'],
				['07700 900102', 'Blaise', day, '11:00'],
				['07700 900102', 'Bob', day, '15:00'],
				['07700 900101', 'Ada', '2999-01-01', '11:00'],
			);
			// Of two rows of one appointment, the last one counts.
			const [noon] = rowsOf(['07700 900104', 'Bea', day, 'noon']);
			const bea = [
				...rowsOf(['07700 900104', 'Bea', day, '12:00']),
				{ ...noon, problem: 'time "noon" is not a time like 09:30' },
			];
			const own = withOwnTables(randomUUID());
			// An appointment of the same day, whose call another run is planning, or was when n8n stopped,
			// and one whose time could not be read in an earlier file.
			await example(
				appointments,
				async (workflow) => await run(workflow, 'Add Appointments'),
				(workflow) => {
					const [unread] = rowsOf(['07700 900102', 'Blaise', day, 'eleven']);
					const earlier = [
						...rowsOf(['07700 900103', 'Cy', day, '12:00']),
						{ ...unread, problem: 'time "eleven" is not a time like 09:30' },
					];
					const cy = own(uploaded(earlier)(workflow));
					return JSON.parse(
						JSON.stringify(cy).replace("'not called yet'", "'planning 1'"),
					) as WorkflowContent;
				},
			);
			await example(
				appointments,
				async (workflow) => {
					await run(workflow, 'Add Appointments');
					const planned = dataOf(await run(workflow, 'Start'), 'Note the Calls');
					expect(planned.map(({ name }) => name)).toEqual(['Blaise', 'Ada', 'Bob']);
					await run(workflow, 'Start');
					expect(await bodies('/api/campaigns/voice')).toMatchObject([
						{
							name: expect.stringMatching(`^Appointments of ${day}`),
							startTime: '09:00',
							startDate: inDays(1, zone),
							phoneNumbers: [
								{
									...{ number: '+447700900102', name: 'Blaise and Bob' },
									parameters: expect.arrayContaining([{ parameter: 3, value: '11:00 and 15:00' }]),
								},
								{
									...{ number: '+447700900101', name: 'Ada' },
									parameters: expect.arrayContaining([{ parameter: 3, value: '10:30' }]),
								},
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
					const { pinData, ...rest } = withParameters(
						{},
						zone,
					)(own(uploaded([...rows, ...bea])(workflow)));
					const answers = pinData?.['On Answer'] ?? [];
					// Blaise presses 1 in another campaign, which says nothing about an appointment.
					const other = { phoneNumber: '+447700900102', userInput: '1', campaignId: '9999' };
					const call = { json: { ...answers[0]?.json, ...other } };
					return { ...rest, pinData: { ...pinData, 'On Answer': [...answers, call] } };
				},
			);
		});

		itIfRunnable(appointments)(
			'later if n8n was off, and name those whom nobody can call any more',
			async () => {
				const zone = zoneWhereItIs(10);
				await sandbox().settings({ conventions: { timeZone: zone } });
				const zoned = await createCredential(suite.n8n, 'In Time', {
					serviceConventions: true,
					serviceTimeZone: zone,
				});
				const rows = rowsOf(
					['07700 900101', 'Ada', inDays(1, zone), '10:30'],
					['07700 900102', 'Blaise', inDays(0, zone), '18:00'],
				);
				await withExample(
					suite.n8n,
					appointments,
					zoned,
					async (workflow) => {
						await run(workflow, 'Add Appointments');
						expect((await fail(workflow, 'Start')).message).toMatch(
							/^Too late to be called: Blaise \(/,
						);
						await run(workflow, 'Start');
					},
					(workflow) =>
						withOwnTables(randomUUID())(withParameters({}, zone)(uploaded(rows)(workflow))),
				);
				await sandbox().settings({ conventions: { timeZone: 'UTC' } });
				expect(await bodies('/api/campaigns/voice')).toMatchObject([
					{ startDate: inDays(0, zone), phoneNumbers: [{ number: '+447700900101' }] },
				]);
			},
		);

		itIfRunnable(appointments)('again in an hour when the service fails', async () => {
			const zone = zoneWhereItIs(17);
			const day = inDays(2, zone);
			const rows = rowsOf(
				['07700 900101', 'Ada', day, '10:30'],
				['07700 900102', 'Blaise', day, '11:00'],
			);
			await postToService('PhoneNumberStorageItem', {
				...{ storageID: 'left', number: '+447700900102', parameter1: 'Opt out' },
			});
			await example(
				appointments,
				async (workflow) => {
					await run(workflow, 'Add Appointments');
					await sandbox().fault({
						match: { method: 'POST', path: 'voice' },
						...{ times: 'always', fault: { kind: 'status', status: 429 } },
					});
					expect((await fail(workflow, 'Start')).message).toMatch(/failed \(sent: no\)/);
					await sandbox().clearFaults();
					const again = await run(workflow, 'Start');
					expect(dataOf(again, 'Note the Calls').map(({ name }) => name)).toEqual([
						'Ada',
						'Blaise',
					]);
					expect(dataOf(again, 'Note Left Out')).toMatchObject([
						{ name: 'Blaise', answer: 'opted out' },
					]);
				},
				(workflow) =>
					withOwnTables(randomUUID())(withParameters({}, zone)(uploaded(rows)(workflow))),
			);
			expect((await bodies('/api/campaigns/voice')).at(-1)).toMatchObject({
				phoneNumbers: [{ number: '+447700900101' }],
			});
		});
	});

	const birthday = 'birthday-voucher.json';
	describe('send a voucher on a birthday', () => {
		const person = (ending: string, name: string, days: number, more = {}) => ({
			...{ phone: `07700 900${ending}`, name, consent: 'yes' },
			birthday: DateTime.utc().plus({ days }).toFormat('1988-MM-dd'),
			...more,
		});
		const start = async (suffix: string, use: (workflow: Workflow) => Promise<unknown>) => {
			await example(birthday, use, (workflow) =>
				withOwnTables(suffix)(withParameters({})(workflow)),
			);
		};

		itIfRunnable(birthday)('once a year, also days later, to those who agreed', async () => {
			const suffix = await people([
				person('101', 'Ada', 0),
				person('102', 'Blaise', -3),
				person('103', 'Charles', 2),
				person('104', 'Dorothy', 0, { consent: 'no' }),
				person('105', 'Edsger', -30),
			]);
			await start(suffix, async (workflow) => {
				await run(workflow, 'Start');
				await run(workflow, 'Start');
			});
			expect((await messages()).sort()).toEqual([
				expect.stringMatching(/^\+447700900101 Happy birthday, Ada!/),
				expect.stringMatching(/^\+447700900102 Happy birthday, Blaise!/),
			]);
		});

		itIfRunnable(birthday)('an hour later if the service fails, and name who waits', async () => {
			const suffix = await people([person('101', 'Ada', 0), person('102', 'Blaise', 0)]);
			await sandbox().fault({
				match: { operationId: 'sendSmsMessage' },
				fault: { kind: 'status', status: 400 },
			});
			await start(suffix, async (workflow) => {
				expect((await fail(workflow, 'Start')).message).toMatch(
					/^No voucher: (Ada|Blaise) \(sent: no, /,
				);
				await run(workflow, 'Start');
				await run(workflow, 'Start');
			});
			const texted = (await messages()).map((text) => text.slice(0, 13));
			// One of them was refused the first time.
			expect(texted).toHaveLength(3);
			expect(new Set(texted)).toEqual(new Set(['+447700900101', '+447700900102']));
		});

		itIfRunnable(birthday)('never again by itself if it was possibly sent', async () => {
			const suffix = await people([person('101', 'Ada', 0)]);
			await sandbox().fault({
				match: { operationId: 'sendSmsMessage' },
				fault: { kind: 'status', status: 500 },
			});
			await start(suffix, async (workflow) => {
				expect((await fail(workflow, 'Start')).message).toContain('Ada (sent: possibly');
				await run(workflow, 'Start');
			});
			expect(await messages()).toHaveLength(1);
		});

		itIfRunnable(birthday)('nobody at night: it is due again when it is allowed', async () => {
			const suffix = await people([person('101', 'Ada', 0)]);
			const isMorning = DateTime.utc().hour < 12;
			const closed = await createCredential(suite.n8n, 'Closed Now', {
				sendingPolicy: true,
				sendingHoursFrom: isMorning ? '14:00' : '02:00',
				sendingHoursTo: isMorning ? '16:00' : '04:00',
				serviceConventions: true,
				serviceTimeZone: 'UTC',
			});
			await withExample(
				suite.n8n,
				birthday,
				closed,
				async (workflow) => await run(workflow, 'Start'),
				(workflow) => withOwnTables(suffix)(withParameters({})(workflow)),
			);
			expect(await messages()).toEqual([]);
			await start(suffix, async (workflow) => await run(workflow, 'Start'));
			expect(await messages()).toHaveLength(1);
		});
	});

	const stock = 'back-in-stock.json';
	itIfRunnable(stock)('text those who wait for a product, once', async () => {
		const secret = { name: 'X-Shop', value: randomUUID() };
		const shop = await suite.n8n.createCredential('Shop', 'httpHeaderAuth', secret);
		await example(
			stock,
			async (workflow) => {
				await publish(workflow);
				const person = await FormPages.open(browser(), false);
				const url = formUrl(workflow, 'Tell Me When It Is Back');
				for (const [phone, product, page] of [
					['07700 900101', 'Blue%20Teapot', 'Thank you'],
					['+44 7700 900102', 'red-teapot', 'Thank you'],
					// A landline, a number abroad, and a product that nobody sells.
					['020 7946 0123', 'red-teapot', 'It has to be a mobile'],
					['+1 212 555 0142', 'red-teapot', 'It has to be a mobile'],
					['07700 900103', 'Your parcel is held', 'We do not sell this product'],
				] as const) {
					await person.submit(`${url}?product=${product}`, { 'Your phone number': phone });
					await person.textWith(page);
				}
				const { parameters } =
					workflow.nodes.find(({ name }) => name === 'Shop Reports Stock') ?? {};
				const report = async (product: string, headers = {}) => {
					const response = await fetch(`${host().n8nUrl}/webhook/${String(parameters?.path)}`, {
						method: 'POST',
						headers: { 'Content-Type': 'application/json', ...headers },
						body: JSON.stringify({ product }),
					});
					return response.status;
				};
				// A stranger knows the address, and not the secret.
				expect(await report('Blue Teapot')).toBe(403);
				expect(await report('Pay 1.99: https://example.com', { 'X-Shop': secret.value })).toBe(200);
				expect(await report('blue_teapot ', { 'X-Shop': secret.value })).toBe(200);
				await poll(async () => ((await messages()).length > 0 ? true : undefined), {
					what: 'the text',
					timeout: 60_000,
				});
				await run(workflow, 'Shop Reports Stock');
			},
			(workflow) => withWebhookCredentials(withOwnTables(randomUUID())(workflow), shop),
		);
		expect(await messages()).toEqual([
			expect.stringMatching(/^\+447700900101 The Blue Teapot is back: .*\/blue-teapot\?for=/),
		]);
	});

	const textFailed = 'call-those-whose-text-failed.json';
	itIfRunnable(textFailed)('call those whose text failed, once', async () => {
		const contacts = ['123', '905', '999'].map((ending) => ({
			phoneNumber: `+447700900${ending}`,
		}));
		await postToService('Campaigns', { message: 'Hello', sender: 'MyCompany', contacts });
		await postToService('Campaigns', { message: 'Hello', sender: 'Other', contacts });
		await sandbox().advance(60);
		await example(
			textFailed,
			async (workflow) => {
				await sandbox().fault({
					match: { method: 'POST', path: 'voice' },
					fault: { kind: 'status', status: 400 },
				});
				expect((await fail(workflow, 'Start')).message).toMatch(/^Not called: \+447700900905/);
				await run(workflow, 'Start');
				const again = await run(workflow, 'Start');
				expect(again.runData['Call Tomorrow']).toBeUndefined();
			},
			withOwnTables(randomUUID()),
		);
		const called = { phoneNumbers: [{ number: '+447700900905' }, { number: '+447700900999' }] };
		// The first was refused.
		expect(await bodies('/api/campaigns/voice')).toMatchObject([called, called]);
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
					const context = await browser().newContext({
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
					return withWebhookCredentials(
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
