import type { IDataObject } from 'n8n-workflow';
import { decodeEvent } from '../../nodes/MessagingService/events/events';
import { actionSuite, byId } from '../support/actionSuite';
import { PolledWorkflow } from '../support/poll';
import { serversOfTest } from '../support/servers';
import { voiceBody } from '../support/voiceCampaign';

const { sandbox, credential, run } = actionSuite();
const startServer = serversOfTest();

/** Attempts, 30 minutes apart. */
const attempts = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ interval: 30, attemptNumber: index + 1 }));

async function created(change: Record<string, unknown>): Promise<number> {
	const { status, data } = await sandbox().api.post<{ id: number }>(
		'/api/campaigns/voice',
		voiceBody(change),
	);
	expect(status).toBeLessThan(300);
	return data.id;
}

const polled = (parameters: IDataObject = {}, staticData?: IDataObject, timezone = 'UTC') =>
	new PolledWorkflow({ credential: credential(), parameters, timezone }, staticData);

const numbers = (...endings: string[]) =>
	endings.map((ending) => ({ number: `+447700900${ending}` }));

const jsonOf = (items: { json: IDataObject }[] | null) => (items ?? []).map(({ json }) => json);

afterEach(() => {
	jest.restoreAllMocks();
});

it('a poll ends in the time that n8n gives it, also if the service does not respond', async () => {
	const silent = await startServer(() => undefined);
	const workflow = new PolledWorkflow({
		credential: { ...credential(), baseUrl: silent.url },
		parameters: { events: ['smsStatus'] },
		budgetMs: 1000,
	});
	await expect(workflow.poll()).rejects.toThrow();
});

it('the first poll takes a minute, for n8n publishes nothing else meanwhile, and the others their time', async () => {
	const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2999-01-10T10:00:00Z'));
	const slow = await startServer((_request, response) => {
		clock.mockReturnValue(Date.now() + 45_000);
		const page = { pageIndex: 1, totalPages: 1, totalRecords: 0, items: [] };
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(page));
	});
	const workflow = new PolledWorkflow({
		credential: { ...credential(), baseUrl: slow.url },
		parameters: { events: ['smsStatus', 'campaignStatus'] },
		budgetMs: 300_000,
	});
	const requestsOfPoll = async () => {
		slow.received.length = 0;
		await workflow.poll();
		return slow.received.length;
	};
	const isCut = 'The poll has taken all of its time: the next one goes on';
	// Two for the list of messages, one each for voice and SMS campaigns.
	expect([await requestsOfPoll(), workflow.log]).toEqual([2, [isCut]]);
	expect([await requestsOfPoll(), workflow.log]).toEqual([4, [isCut]]);
});

describe('the polling trigger', () => {
	it('starts nothing for what was there before, then reports each call attempt once', async () => {
		await created({ name: 'Before', phoneNumbers: numbers('123', '705') });
		await sandbox().advanceTo('2999-01-10T09:30:00Z');
		const workflow = polled({ events: ['callAttempted'] });
		expect(await workflow.poll()).toBeNull();

		const id = await created({
			name: 'After',
			startDate: '2999-01-11',
			attempts: attempts(2),
			phoneNumbers: numbers('123', '703'),
		});
		await sandbox().advanceTo('2999-01-11T09:10:00Z');
		const first = jsonOf(await workflow.poll());
		expect(first.map(({ phoneNumber, outcome }) => [phoneNumber, outcome])).toEqual([
			['+447700900123', 'Answered'],
			['+447700900703', 'Busy'],
		]);
		expect(await workflow.poll()).toBeNull();
		await sandbox().advanceTo('2999-01-11T09:40:00Z');
		expect(jsonOf(await workflow.poll())).toEqual([
			expect.objectContaining({
				event: 'callAttempted',
				campaignId: String(id),
				clientId: 1001,
				phoneNumber: '+447700900703',
				outcomeCode: 3,
				attemptNumber: 2,
				answered: false,
			}),
		]);
	});

	it.each([false, true])(
		'skips a poll while the one before goes on, so that nothing is reported twice (copies of static data: %p)',
		async (copiesData) => {
			const parameters = { events: ['callAttempted'] };
			const workflow = new PolledWorkflow({ credential: credential(), parameters, copiesData });
			await workflow.poll();
			await created({ phoneNumbers: numbers('123') });
			await sandbox().advanceTo('2999-01-10T17:00:00Z');
			const both = await Promise.all([workflow.poll(), workflow.poll()]);
			expect(both.map((items) => items?.length ?? 0).sort()).toEqual([0, 1]);
			expect(await workflow.poll()).toBeNull();
		},
	);

	it.each([{ id: 'another' }, { nodeId: 'another' }])(
		'polls while that of another workflow, or another one of this workflow, goes on: %j',
		async (another) => {
			const setup = { credential: credential(), parameters: { events: ['callAttempted'] } };
			const both = [setup, { ...setup, ...another }].map((each) => new PolledWorkflow(each));
			const poll = async () => await Promise.all(both.map(async (each) => await each.poll()));
			await poll();
			await created({ phoneNumbers: numbers('123') });
			await sandbox().advanceTo('2999-01-10T17:00:00Z');
			expect((await poll()).map((items) => items?.length)).toEqual([1, 1]);
		},
	);

	it('gives an event the key that the webhook gives it, in every zone', async () => {
		await sandbox().settings({ conventions: { timeZone: 'America/New_York' } });
		const workflow = polled({ events: ['callAttempted', 'smsStatus'] }, {}, 'America/New_York');
		await workflow.poll();
		const id = await created({ smsOnBusy: 1, phoneNumbers: numbers('123', '703', '814') });
		await sandbox().advanceTo('2999-01-10T22:00:00Z');
		await sandbox().idle();
		const items = jsonOf(await workflow.poll());
		const keys = items.map(({ eventKey }) => eventKey).sort();
		expect(keys).toHaveLength(4);
		expect(new Set(keys).size).toBe(4);

		const { items: deliveries } = await sandbox().deliveries({ limit: 100 });
		const delivered = deliveries.map(({ event }) =>
			decodeEvent(event as Parameters<typeof decodeEvent>[0], {
				zone: 'America/New_York',
				country: '',
				selected: ['callAttempted', 'smsStatus'],
			}),
		);
		expect(delivered.map(({ eventKey }) => eventKey).sort()).toEqual(keys);

		const listed = async (output: string) =>
			(
				await run(
					{
						resource: 'voiceCampaign',
						operation: 'getPhoneNumbers',
						campaignId: byId(id),
						returnAll: true,
						output,
					},
					{ timezone: 'America/New_York' },
				)
			).items.map(({ json }) => json.eventKey);
		expect([...(await listed('calls')), ...(await listed('smss'))].sort()).toEqual(keys);
		// The same fields, in the same order; what only the list has follows.
		const call: IDataObject = delivered.find(({ event }) => event === 'callAttempted') ?? {};
		const item: IDataObject = items.find(({ eventKey }) => eventKey === call.eventKey) ?? {};
		expect(Object.keys(item)).toEqual(expect.arrayContaining(Object.keys(call)));
	});

	it('reads a filter with the Default Country of the credential', async () => {
		const workflow = new PolledWorkflow({
			credential: credential({ defaultCountry: 'GB' }),
			parameters: { events: ['smsStatus'], filters: { phoneNumbers: '07700 900123' } },
		});
		expect(await workflow.poll()).toBeNull();
		for (const phoneNumber of ['+447700900905', '+447700900123']) {
			await sandbox().api.post('/api/SMSMessages', { message: 'Hi', sender: 'Shop', phoneNumber });
		}
		await sandbox().idle();
		const items = jsonOf(await workflow.poll());
		expect(new Set(items.map(({ phoneNumber }) => phoneNumber))).toEqual(
			new Set(['+447700900123']),
		);
	});

	it('reports SMS messages and their statuses, narrowed by filters, of which an expression gives another value in each poll', async () => {
		await sandbox().settings({ strict: false });
		const parameter = [
			{ name: 'phoneNumber', value: '+447700900905' },
			{ name: 'until', value: '={{ $now.toMillis() }}' },
		];
		const workflow = polled({ events: ['smsStatus'], options: { smsFilters: { parameter } } });
		await sandbox().api.post('/api/SMSMessages', {
			message: 'Hi',
			sender: 'Shop',
			phoneNumber: '+447700900905',
		});
		await sandbox().idle();
		expect(await workflow.poll()).toBeNull();
		for (const phoneNumber of ['+447700900905', '+447700900123']) {
			await sandbox().api.post('/api/SMSMessages', { message: 'Hi', sender: 'Shop', phoneNumber });
		}
		await sandbox().idle();
		const items = jsonOf(await workflow.poll());
		expect(items.map(({ phoneNumber, status }) => [phoneNumber, status]).at(-1)).toEqual([
			'+447700900905',
			'Undeliverable',
		]);
		expect(await workflow.poll()).toBeNull();
	});

	it('tells SMS messages without IDs apart by number and date', async () => {
		const messages: IDataObject[] = [];
		const { url } = await startServer((request, response) => {
			const items = request.url.includes('/api/SMSMessages') ? messages : [];
			const page = { pageIndex: 1, totalPages: 1, totalRecords: items.length, items };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(page));
		});
		const workflow = new PolledWorkflow({
			credential: { ...credential(), baseUrl: url },
			parameters: { events: ['smsStatus'] },
		});
		expect(await workflow.poll()).toBeNull();
		const dateCreated = new Date().toISOString();
		for (const ending of ['123', '124']) {
			messages.push({ phoneNumber: `+447700900${ending}`, status: 0, dateCreated });
		}
		const items = jsonOf(await workflow.poll());
		expect(items.map(({ phoneNumber }) => phoneNumber)).toEqual(['+447700900123', '+447700900124']);
		expect(await workflow.poll()).toBeNull();
	});

	it.each([
		['callAttempted', ['voice']],
		['smsStatus', ['voice', 'sms']],
		['campaignStatus', ['voice', 'sms']],
		['campaignFinished', ['voice', 'sms']],
	])('reads only the selected campaigns of both kinds for %s', async (event, kinds) => {
		const startDateTime = '2999-01-10T09:00:00Z';
		const ids: Record<string, string>[] = [];
		// Each campaign calls somebody whose line is busy, and who gets an SMS then.
		for (const phoneNumbers of [numbers('703'), numbers('703')]) {
			const contacts = phoneNumbers.map(({ number: phoneNumber }) => ({ phoneNumber }));
			const body = { message: 'Hi', sender: 'Shop', startDateTime, contacts };
			const { data: sms } = await sandbox().api.post<string>('/api/Campaigns', body);
			const voice = await created({ name: `Of ${sms}`, smsOnBusy: 1, phoneNumbers });
			ids.push({ voice: String(voice), sms });
		}
		const [selected = {}] = ids;
		const list = (kind: string) => ({
			campaign: [{ campaignId: byId(` ${String(selected[kind])} `) }],
		});
		const workflow = polled({
			events: [event],
			campaigns: 'selected',
			voiceCampaigns: list('voice'),
			smsCampaigns: list('sms'),
		});
		expect(await workflow.poll()).toBeNull();
		await sandbox().advanceTo('2999-01-10T17:00:00Z');
		await sandbox().idle();
		// A voice campaign is over once a poll finds no change.
		const items = [...jsonOf(await workflow.poll()), ...jsonOf(await workflow.poll())];
		expect(new Set(items.map((item) => item.event))).toEqual(new Set([event]));
		expect(new Set(items.map(({ campaignId }) => campaignId))).toEqual(
			new Set(kinds.map((kind) => selected[kind])),
		);
	});

	it('reports the end of SMS campaigns with the figures of Get Summary, also where a status never becomes final', async () => {
		await sandbox().settings({ conventions: { timeZone: 'UTC' } });
		// The filters are for the other event.
		const smsFilters = { parameter: [{ name: 'countryCode', value: 'FR' }] };
		const workflow = polled({ events: ['campaignFinished', 'smsStatus'], options: { smsFilters } });
		await workflow.poll();
		const send = async (...endings: string[]) => {
			const contacts = numbers(...endings).map(({ number: phoneNumber }) => ({ phoneNumber }));
			const startDateTime = '2999-01-10T09:00:00Z';
			const body = { message: 'Hi', sender: 'Shop', startDateTime, contacts };
			return (await sandbox().api.post<string>('/api/Campaigns', body)).data;
		};
		const [final, open] = [await send('123', '905', '124'), await send('123', '906')];
		expect(await workflow.poll()).toBeNull();
		await sandbox().advanceTo('2999-01-10T10:00:00Z');
		const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2999-01-10T10:00:00Z'));
		const [first, ...more] = jsonOf(await workflow.poll());
		expect([first, more]).toMatchObject([{ campaignId: final }, []]);
		expect(await workflow.poll()).toBeNull();
		clock.mockReturnValue(Date.parse('2999-01-13T10:00:00Z'));
		const [second, ...others] = jsonOf(await workflow.poll());
		expect([second, others]).toMatchObject([{ campaignId: open, reached: 1, notReached: 1 }, []]);
		expect(await workflow.poll()).toBeNull();
		clock.mockRestore();
		for (const event of [first, second]) {
			const parameters = { resource: 'smsCampaign', operation: 'getSummary' };
			const { items } = await run({ ...parameters, campaignId: byId(String(event?.campaignId)) });
			const { finished, sender, ...figures } = items[0]?.json ?? {};
			expect(sender).toBe('Shop');
			expect(finished).toBe(event === first);
			expect(event).toMatchObject(figures);
		}
	});

	it.each([
		['2999-01-10T00:00:00', 'UTC', 3],
		['2999-01-11T00:00:00', 'UTC', 0],
		['2999-01-11T02:00:00Z', 'UTC', 0],
		['2999-01-11T02:00:00Z', 'America/New_York', 3],
	])('goes back to the day %s in %s', async (startFrom, zone, count) => {
		await created({ phoneNumbers: numbers('123', '124', '125') });
		await sandbox().advanceTo('2999-01-10T22:00:00Z');
		const workflow = polled({ events: ['callAttempted'], options: { startFrom } }, {}, zone);
		expect((await workflow.poll())?.length ?? 0).toBe(count);
	});

	it.each([
		[1, 'in the last day.'],
		[7, 'in the last 7 days.'],
	])('says in a manual test without results where it looked: %i', async (days, where) => {
		const workflow = polled({ events: ['callAttempted', 'smsStatus'], days });
		await expect(workflow.poll('manual')).rejects.toMatchObject({
			description: expect.stringMatching(
				new RegExp(`^Looked for Call Attempted, SMS Status ${where}`),
			) as string,
		});
	});

	it('shows the latest results in a manual test, and remembers nothing', async () => {
		const workflow = polled({ events: ['callAttempted'] });
		await expect(workflow.poll('manual')).rejects.toThrow('There are no results yet');
		await created({ phoneNumbers: numbers('123', '124', '125', '126', '127', '128', '129') });
		await sandbox().advanceTo('2999-01-10T17:00:00Z');
		const items = jsonOf(await workflow.poll('manual'));
		expect(items).toHaveLength(5);
		expect(items.at(-1)?.phoneNumber).toBe('+447700900129');
		expect(JSON.stringify(workflow.staticData)).not.toContain('voice');
	});

	it('fails to publish and to show results where the service refuses, and later polls continue after failures', async () => {
		const refused = new PolledWorkflow({
			credential: credential({ headerSecret: 'wrong' }),
			parameters: { events: ['callAttempted'] },
		});
		await expect(refused.poll()).rejects.toThrow();
		await expect(refused.poll('manual')).rejects.not.toThrow('There are no results yet');

		const workflow = polled({ events: ['callAttempted'] });
		await workflow.poll();
		await created({ phoneNumbers: numbers('123', '124', '125') });
		await sandbox().advanceTo('2999-01-10T17:00:00Z');
		const fault = { kind: 'status', status: 400 };
		await sandbox().fault({ match: { path: '/phonenumbers/1000/2$' }, fault });
		await expect(workflow.poll()).rejects.toThrow();
		expect(await workflow.poll()).toHaveLength(3);
		expect(await workflow.poll()).toBeNull();
	});

	it('goes on where only the spelling of the Base URL has changed', async () => {
		const parameters = { events: ['callAttempted'] };
		const before = polled(parameters);
		await before.poll();
		await created({ phoneNumbers: numbers('123') });
		await sandbox().advanceTo('2999-01-10T17:00:00Z');
		const { baseUrl, ...others } = credential();
		const spelled = { ...others, baseUrl: `${String(baseUrl).replace('http', 'HTTP')}/` };
		const after = new PolledWorkflow({ credential: spelled, parameters }, before.staticData);
		expect(await after.poll()).toHaveLength(1);
	});

	it('gives the calls of the other campaigns while one cannot be read, and its calls later', async () => {
		const workflow = polled({ events: ['callAttempted'] });
		await workflow.poll();
		const schedule = { startDate: '2999-01-11' };
		await created({ ...schedule, name: 'Read', phoneNumbers: numbers('123') });
		const id = await created({ ...schedule, name: 'Unread', phoneNumbers: numbers('124') });
		await sandbox().advanceTo('2999-01-11T17:00:00Z');
		const fault = { kind: 'status', status: 400 };
		await sandbox().fault({ match: { path: `/${id}/phonenumbers` }, fault });
		const numbersOf = async () => jsonOf(await workflow.poll()).map((item) => item.phoneNumber);
		expect(await numbersOf()).toEqual(['+447700900123']);
		expect(workflow.log).toEqual([
			expect.stringMatching(/^A part of the results could not be read yet: ./),
		]);
		expect(await numbersOf()).toEqual(['+447700900124']);
		expect(await workflow.poll()).toBeNull();
	});

	// n8n waits for the first poll when it starts, and leaves a workflow inactive if that fails.
	it.each([
		['init', false],
		['init', true],
		['leadershipChange', false],
	] as const)(
		'asks the service nothing while n8n starts (%s), and goes on with the next poll (copies of static data: %p)',
		async (activation, copiesData) => {
			const before = polled({ events: ['callAttempted'] });
			await before.poll();
			await created({ phoneNumbers: numbers('123') });
			await sandbox().advanceTo('2999-01-10T17:00:00Z');
			await sandbox().fault({ fault: { kind: 'status', status: 400 } });
			const setup = { credential: credential(), parameters: { events: ['callAttempted'] } };
			const restart = { ...setup, copiesData, id: 'restarted', activation };
			const after = new PolledWorkflow(restart, before.staticData);
			expect(await after.poll()).toBeNull();
			await expect(after.poll()).rejects.toThrow();
			expect(await after.poll()).toHaveLength(1);
		},
	);

	it.each([
		[{ events: [] }, 'Trigger On is empty'],
		[
			{ events: ['smsStatus'], filters: { phoneNumbers: 'abc' } },
			'Phone Numbers has an entry that is no phone number',
		],
		[{ events: ['callAttempted'], campaigns: 'selected' }, 'Voice Campaigns is empty'],
		...['voice', 'sms'].flatMap((kind) =>
			['', ' ', '..'].map((value): [IDataObject, string] => [
				{
					...{ events: ['campaignStatus'], campaigns: 'selected' },
					[`${kind}Campaigns`]: {
						campaign: [{ campaignId: byId('1') }, { campaignId: byId(value) }],
					},
				},
				`${kind === 'sms' ? 'SMS' : 'Voice'} Campaigns has an entry without a campaign`,
			]),
		),
		[{ events: ['callAttempted'], days: 0 }, 'Days is less than 1'],
		[
			{ events: ['callAttempted'], options: { startFrom: 'yesterday' } },
			'Start From is not a date',
		],
		[
			{
				events: ['smsStatus'],
				options: { smsFilters: { parameter: [{ name: 'pageSize', value: '5' }] } },
			},
			'SMS Message Filters cannot set "pageSize"',
		],
	])('refuses %p', async (parameters, message) => {
		await expect(polled(parameters).poll()).rejects.toThrow(message);
	});
});
