import type { CredentialSummary, Publication } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { credentialType, nodeTypes } from '../../host/workflows.ts';
import { sendEvents, type Sent } from '../support/eventSender.ts';
import { voiceBody } from '../support/voiceCampaign.ts';
import { postToService, sandbox } from './support/host.ts';
import { OwnN8n } from './support/ownN8n.ts';
import { countOpenExecutions, storedExecutions } from './support/storedEvents.ts';
import { n8nDifferences } from './support/versions.ts';
import {
	actionWorkflow,
	createCredential,
	pollWorkflow,
	triggerName,
	triggerWorkflow,
	webhookUrl,
} from './support/workflows.ts';

const folder = 'n8n-promises';

/** The promises about events and results, each in a real n8n that is killed. */
describe('promises about events and results, in a real n8n', () => {
	const n8n = new OwnN8n(folder, n8nDifferences().flood);
	let credential: CredentialSummary;
	/** n8n tries to publish for 15 seconds: the other tests go on meanwhile. */
	let failing: Promise<Publication>;

	beforeAll(async () => {
		await n8n.start();
		credential = await createCredential(n8n.client, 'Promises of Triggers');
		const wrong = await createCredential(n8n.client, 'Wrong Key', { headerSecret: 'not-the-key' });
		const { id } = await n8n.client.createWorkflow(
			triggerWorkflow('Wrong Key', wrong, { path: 'wrong-key', events: ['smsStatus'] }),
		);
		failing = n8n.client.activateWorkflow(id);
		failing.catch(() => undefined);
	});

	afterAll(async () => {
		await n8n.stop();
	});

	async function create(path: string, options = {}): Promise<string> {
		const { id } = await n8n.client.createWorkflow(
			triggerWorkflow(path, credential, { path, events: ['smsStatus'], options }),
		);
		return id;
	}

	async function publish(id: string): Promise<void> {
		expect(await n8n.client.activateWorkflow(id)).toMatchObject({ status: 'published' });
	}

	/** Every URL that was registered so far, in order; an empty one is a removal. */
	async function registrations(): Promise<string[]> {
		const { history } = await sandbox().webhook();
		return history.map(({ url }) => url);
	}

	async function registered(path: string | undefined): Promise<void> {
		const expected = path === undefined ? null : webhookUrl(n8n.url, path);
		await poll(async () => ((await sandbox().webhook()).url === expected ? true : undefined), {
			what: `the registration of ${String(expected)}`,
			timeout: 120_000,
		});
	}

	/** Has the service deliver an event, which n8n must acknowledge. */
	async function deliver(): Promise<void> {
		const event = {
			webHookType: 1,
			data: { Id: 900, statusCode: 1, phoneNumber: '+447700900124' },
		};
		expect(await sandbox().event(event)).toMatchObject({ status: 'acknowledged' });
	}

	it('the URL stays until its workflow is unpublished: then it is that of the next one, or none', async () => {
		const first = await create('first');
		const second = await create('second');
		await publish(first);
		await registered('first');
		await publish(second);
		await registered('first');
		await deliver();
		await n8n.client.deactivateWorkflow(first);
		await registered('second');
		await deliver();
		await n8n.client.deactivateWorkflow(second);
		await registered(undefined);
	});

	it('listening in the editor changes no registration', async () => {
		const id = await create('listening');
		await publish(id);
		await registered('listening');
		const before = await registrations();
		await n8n.client.listen(id, triggerName);
		await poll(async () => (await n8n.client.executionIds(id))[0], {
			what: 'the sample',
			timeout: 120_000,
		});
		await n8n.client.stopListening(id);
		await deliver();
		expect(await registrations()).toEqual(before);
		await n8n.client.deactivateWorkflow(id);
		await registered(undefined);
		expect(await registrations()).toEqual([...before, '']);
	});

	it('a list and publishing do not wait behind a run that sends one message every two seconds', async () => {
		// Another user name makes it another account than that of the other tests.
		const slow = await createCredential(n8n.client, 'Slow', {
			username: 'slow',
			requestsPerSecond: 0.5,
		});
		const rows = Array.from({ length: 60 }, () => ({}));
		const message = { sender: 'Shop', message: 'Hi', phoneNumber: '+447700900123' };
		const { id } = await n8n.client.createWorkflow(
			actionWorkflow('Sixty', slow, rows, {
				resource: 'smsMessage',
				operation: 'send',
				...message,
			}),
		);
		const execution = await n8n.client.startWorkflow(id, 'Start');
		const sent = async () =>
			(await sandbox().requests({ method: 'POST', path: 'SMSMessages', limit: 100 })).items.length;
		await poll(async () => ((await sent()) > 0 ? true : undefined), {
			what: 'the first message',
			timeout: 60_000,
		});

		const trigger = await n8n.client.createWorkflow(
			triggerWorkflow('Beside', slow, { path: 'beside', events: ['smsStatus'] }),
		);
		const { total } = await sandbox().requests({ limit: 1 });
		const credentials = { [credentialType]: { id: slow.id, name: slow.name } };
		const [{ results }] = await Promise.all([
			n8n.client.searchList(nodeTypes.action, 'searchSmsCampaigns', credentials),
			publish(trigger.id),
		]);
		expect(results).toEqual([]);
		await registered('beside');
		// Two seconds lie between requests: within five, it is one of the next two or three.
		const { items } = await sandbox().requests({ limit: 1000 });
		const since = items.slice(total).map(({ operationId }) => operationId);
		const sendsBefore = (operation: string) =>
			since.slice(0, since.indexOf(operation)).filter((each) => each === 'sendSmsMessage').length;
		expect(sendsBefore('listSmsCampaigns')).toBeLessThanOrEqual(1);
		expect(sendsBefore('updateWebHook')).toBeLessThanOrEqual(2);
		expect((await registrations()).filter((url) => url.includes('/beside?'))).toHaveLength(1);
		await n8n.client.stopExecution(execution);
		await n8n.client.deactivateWorkflow(trigger.id);
	});

	it('publishing says why the URL could not be registered', async () => {
		const { status, triggers } = await failing;
		expect([status, triggers[0]?.errorMessage]).toEqual(['failed', expect.stringMatching(/\w/)]);
		expect((await registrations()).filter((url) => url.includes('/wrong-key?'))).toEqual([]);
	});

	describe('every published workflow gets every event', () => {
		const ids: Record<string, string> = {};
		const numbers = (count: number, first = 0) =>
			Array.from({ length: count }, (_, index) => first + index);
		let startedAgain = new Date(0);

		async function publishShared(path: string, options = {}): Promise<void> {
			const all = { ...n8nDifferences().storesFirst, ...options };
			ids[path] = await create(path, all);
			await publish(ids[path]);
		}

		/** The numbers of the events that a workflow has stored, each as often as it has. */
		async function stored(path: string): Promise<number[]> {
			const id = String(ids[path]);
			await poll(() => (countOpenExecutions(folder, id, startedAgain) === 0 ? true : undefined), {
				what: `the executions of ${path}`,
				timeout: 240_000,
			});
			const { items } = storedExecutions(folder, id, triggerName);
			return items.map(({ json }) => Number(json.messageId)).sort((one, other) => one - other);
		}

		it('publishing a second workflow leaves the first one its events, and the URL as it was', async () => {
			for (const path of ['first', 'second', 'third', 'fourth']) await publishShared(path);
			await publishShared('batched', { batchEvents: true });
			await publishShared('last', { responseMode: 'lastNode' });
			await registered('first');
			const url = webhookUrl(n8n.url, 'first');
			const { acknowledged } = await sendEvents({ url, count: 40, connections: 20 });
			expect(acknowledged.size).toBe(40);
			for (const path of Object.keys(ids)) {
				expect([path, await stored(path)]).toEqual([path, numbers(40)]);
			}
		});

		describe('and a poll trigger every result, over a kill -9', () => {
			const pollName = 'Poll';
			const endings = ['123', '703', '706', '721', '722'];
			const count = 300;
			let polled: string;
			let sent: Sent;
			let callsAtFirst: number;

			/** A voice campaign that starts on this day, with three attempts for those it does not reach. */
			async function createCampaign(startDate: string): Promise<number> {
				const phoneNumbers = endings.map((ending) => ({ number: `+447700900${ending}` }));
				const attempts = [1, 2, 3].map((attemptNumber) => ({ interval: 1, attemptNumber }));
				const name = `Polled ${startDate}`;
				const body = voiceBody({ name, startDate, phoneNumbers, attempts });
				return (await postToService<{ id: number }>('campaigns/voice', body)).id;
			}

			async function publishPoll(campaignIds: number[]): Promise<string> {
				const content = pollWorkflow(pollName, credential, {
					events: ['callAttempted'],
					campaigns: 'selected',
					voiceCampaigns: {
						campaign: campaignIds.map((id) => ({ campaignId: { mode: 'id', value: String(id) } })),
					},
				});
				const { id } = await n8n.client.createWorkflow(content);
				await publish(id);
				return id;
			}

			async function advanceTo(to: string): Promise<void> {
				await sandbox().advanceTo(to);
				await sandbox().idle();
			}

			/** Waits until every call that was made is reported; none may be reported twice. */
			async function allReported(): Promise<number> {
				return await poll(
					async () => {
						const { items } = storedExecutions(folder, polled, pollName);
						const reported = items.flatMap(({ json }) => json.eventKey ?? []);
						expect(new Set(reported).size).toBe(reported.length);
						// The calls of the sandbox go on meanwhile.
						const { calls } = await sandbox().summary();
						return reported.length === calls ? calls : undefined;
					},
					{ what: 'every call', timeout: 240_000 },
				);
			}

			/** What happens while n8n is dead: the service loses the URL, and the last attempts are made. */
			async function whileDead(): Promise<void> {
				await sandbox().registerWebhook('');
				await advanceTo('2999-01-10T12:00:00Z');
			}

			const incidents = [
				async () => {
					await n8n.client.deactivateWorkflow(String(ids.third));
				},
				async () => {
					await n8n.client.archiveWorkflow(String(ids.fourth));
				},
				async () => {
					await n8n.kill();
					await whileDead();
					startedAgain = new Date();
					await n8n.start();
				},
			];

			beforeAll(async () => {
				polled = await publishPoll([
					await createCampaign('2999-01-10'),
					await createCampaign('2999-01-11'),
				]);
				await advanceTo('2999-01-10T09:00:30Z');
				callsAtFirst = await allReported();
				await sandbox().fault({
					match: { method: 'GET', path: '/api' },
					...{ every: 4, times: 'always', fault: { kind: 'status', status: 500 } },
				});
				// The second attempts come while n8n is up.
				await advanceTo('2999-01-10T09:01:45Z');
				let happening = Promise.resolve();
				sent = await sendEvents({
					url: webhookUrl(n8n.url, 'first'),
					...{ count, connections: 20, tries: 1000, first: 1000 },
					onAcknowledged: (total) => {
						if (total < (count * (4 - incidents.length)) / 4) return;
						const [incident] = incidents.splice(0, 1);
						if (incident !== undefined) happening = happening.then(incident);
					},
				});
				await happening;
			}, 600_000);

			it('while one is unpublished and one is archived, no event is acknowledged before all others have stored it', async () => {
				const { acknowledged, lostInStartUp } = sent;
				expect(acknowledged.size).toBe(count);
				for (const path of ['first', 'second', 'batched', 'last']) {
					const found = new Set(await stored(path));
					// While it starts, n8n itself responds with success to events that no trigger has seen.
					const missing = [...acknowledged.keys()].filter(
						(number) => !found.has(number) && !lostInStartUp.has(number),
					);
					expect([path, missing]).toEqual([path, []]);
				}
			}, 480_000);

			it('the webhook trigger registers its URL on publishing and on every start of n8n', async () => {
				await registered('first');
				const url = webhookUrl(n8n.url, 'first');
				expect((await registrations()).slice(-3)).toEqual([url, '', url]);
				await deliver();
			});

			it('the poll trigger reports each result once, over failed polls', async () => {
				expect(callsAtFirst).toBeGreaterThan(0);
				const made = await allReported();
				expect(made).toBeGreaterThan(callsAtFirst);
				// What would come twice comes before the calls of the next campaign.
				await advanceTo('2999-01-11T12:00:00Z');
				expect(await allReported()).toBe(2 * made);
			}, 600_000);
		});

		it('when the first one is unpublished, the next one has the URL, and the rest their events', async () => {
			await n8n.client.deactivateWorkflow(String(ids.first));
			await registered('second');
			const url = webhookUrl(n8n.url, 'second');
			const { acknowledged } = await sendEvents({ url, count: 10, connections: 5, first: 5000 });
			expect(acknowledged.size).toBe(10);
			for (const path of ['second', 'batched', 'last']) {
				expect([path, (await stored(path)).slice(-10)]).toEqual([path, numbers(10, 5000)]);
			}
			expect(Math.max(...(await stored('first')))).toBeLessThan(5000);
		});
	});
});
