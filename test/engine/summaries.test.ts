import type { IDataObject } from 'n8n-workflow';
import { actionSuite, byId } from '../support/actionSuite';
import { voiceBody } from '../support/voiceCampaign';

const { credential, sandbox, run, describeOperation } = actionSuite();

describeOperation('voiceCampaign', 'getSummary', () => {
	const summaryOf = async (id: number, options: Record<string, number> = {}) => {
		const { items, error } = await run({
			resource: 'voiceCampaign',
			operation: 'getSummary',
			campaignId: byId(id),
			options,
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		return items[0]?.json;
	};

	async function created(): Promise<number> {
		const { data } = await sandbox().api.post<{ id: number }>(
			'/api/campaigns/voice',
			voiceBody({
				smsOnBusy: 1,
				attempts: [
					{ interval: 30, attemptNumber: 1 },
					{ interval: 30, attemptNumber: 2 },
				],
				// Answered; busy, then answered; busy twice; answered and opted out.
				phoneNumbers: ['123', '723', '703', '814'].map((end) => ({ number: `+447700900${end}` })),
			}),
		);
		return data.id;
	}

	it.each([1, 3, 500])('counts calls, SMS and costs in pages of %d', async (pageSize) => {
		const id = await created();
		await sandbox().advanceTo('2999-01-10T09:20:00Z');
		expect(await summaryOf(id, { pageSize })).toMatchObject({
			reached: 2,
			attemptsUsed: 4,
			attemptsLeft: 2,
			outcomes: { Answered: 2, Busy: 2 },
			finished: false,
		});
		await sandbox().advanceTo('2999-01-10T16:00:00Z');
		const summary = await summaryOf(id, { pageSize });
		expect(summary).toMatchObject({
			recipients: 4,
			reached: 3,
			notReached: 1,
			optedOut: 1,
			attemptsUsed: 6,
			attemptsLeft: 0,
			outcomes: { Answered: 3, Busy: 3 },
			stages: { Answered: 2, 'Opt out': 1, 'No Action': 3 },
			smsStatuses: { Delivered: 2 },
			answerRate: 0.5,
			messageParts: 2,
			firstTime: expect.stringMatching(/^2999-01-10T09:00/),
			lastTime: expect.stringMatching(/^2999-01-10T09:3/),
			finished: true,
		});
		const { data } = await sandbox().api.get<IDataObject>(`/api/campaigns/voice/${id}`);
		const { campaignName, campaignId, campaignStatus } = summary ?? {};
		expect([campaignName, campaignId, campaignStatus]).toEqual([
			...[data.name, String(id), data.campaignStatus],
		]);
	});
});

describeOperation('smsCampaign', 'getSummary', () => {
	it('counts the messages of this campaign only', async () => {
		const create = async (numbers: string[]) => {
			const { data } = await sandbox().api.post<string>('/api/Campaigns', {
				startDateTime: '2999-01-10T09:00:00Z',
				sender: 'Shop',
				message: 'Hi',
				contacts: numbers.map((end) => ({ phoneNumber: `+447700900${end}` })),
			});
			return data;
		};
		const id = await create(['123', '905', '124']);
		await create(['125']);
		const get = async () =>
			(
				await run(
					{
						resource: 'smsCampaign',
						operation: 'getSummary',
						campaignId: byId(id),
						filters: { parameter: [] },
					},
					{ credential: credential({ currency: 'EUR' }) },
				)
			).items[0]?.json;
		expect(await get()).toMatchObject({ recipients: 3, messages: 0, finished: false });
		await sandbox().advanceTo('2999-01-10T10:00:00Z');
		expect(await get()).toEqual({
			campaignId: id,
			sender: 'Shop',
			campaignStatus: 2,
			recipients: 3,
			messages: 3,
			reached: 2,
			notReached: 1,
			smsStatuses: { Delivered: 2, Undeliverable: 1 },
			deliveryRate: 0.6667,
			messageParts: 3,
			cost: expect.any(Number),
			currency: 'EUR',
			firstTime: expect.stringMatching(/^2999-01-10T09:00/),
			lastTime: expect.stringMatching(/^2999-01-10T09:00/),
			finished: true,
		});
	});

	it('of one campaign in several items has the messages that each Filter lets through', async () => {
		const { data: id } = await sandbox().api.post<string>('/api/Campaigns', {
			startDateTime: '2999-01-10T09:00:00Z',
			...{ sender: 'Shop', message: 'Hi' },
			contacts: [{ phoneNumber: '+447700900123' }],
		});
		await sandbox().advanceTo('2999-01-10T10:00:00Z');
		const { items } = await run(
			{
				resource: 'smsCampaign',
				operation: 'getSummary',
				campaignId: byId(id),
				filters: { parameter: [{ name: 'countryCode', value: '={{ $json.country }}' }] },
			},
			{ items: [{ country: 'GB' }, { country: 'FR' }] },
		);
		expect(items.map(({ json }) => json.messages)).toEqual([1, 0]);
	});

	it('reads the recent messages, and all where some of the campaign are missing', async () => {
		const { api } = sandbox();
		const sent = { message: 'Hi', sender: 'Shop' };
		for (let index = 0; index < 40; index++) {
			await api.post('/api/SMSMessages', { ...sent, phoneNumber: '+447700900123' });
		}
		await sandbox().advanceTo('2999-01-20T08:00:00Z');
		const contacts = ['123', '905'].map((end) => ({ phoneNumber: `+447700900${end}` }));
		const created = async (startDateTime: string) =>
			(await api.post<string>('/api/Campaigns', { ...sent, startDateTime, contacts })).data;
		const today = await created('2999-01-20T09:00:00Z');
		const tomorrow = await created('2999-01-21T09:00:00Z');
		await sandbox().advanceTo('2999-01-20T10:00:00Z');
		for (const listOrder of ['newestFirst', 'newestLast', 'none']) {
			await sandbox().settings({ conventions: { listOrder } });
			const summaryOf = async (id: string) => {
				const { items, requests } = await run({
					...{ resource: 'smsCampaign', operation: 'getSummary', campaignId: byId(id) },
					options: { pageSize: 4 },
				});
				const lists = requests.filter(({ path }) => path.startsWith('/api/SMSMessages'));
				return { json: items[0]?.json, requests: lists.length };
			};
			const recent = await summaryOf(today);
			expect(recent.json).toMatchObject({ recipients: 2, messages: 2, reached: 1 });
			if (listOrder === 'none') expect(recent.requests).toBeGreaterThan(10);
			else expect(recent.requests).toBeLessThanOrEqual(4);
			// It has not started: older messages may be its own.
			const missing = await summaryOf(tomorrow);
			expect(missing.json).toMatchObject({ recipients: 2, messages: 0, finished: false });
			expect(missing.requests).toBeGreaterThan(10);
		}
	});

	it('reads the list of messages once for all campaigns of a run', async () => {
		const ids: string[] = [];
		for (let index = 0; index < 100; index++) {
			const { data } = await sandbox().api.post<string>('/api/Campaigns', {
				startDateTime: '2999-01-10T09:00:00Z',
				...{ sender: 'Shop', message: 'Hi' },
				contacts: ['123', '905'].map((end) => ({ phoneNumber: `+447700900${end}` })),
			});
			ids.push(data);
		}
		await sandbox().advanceTo('2999-01-10T10:00:00Z');
		const pages = { options: { pageSize: 50 } };
		const { items, requests } = await run(
			{
				resource: 'smsCampaign',
				operation: 'getSummary',
				campaignId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				...pages,
			},
			{ items: ids.map((id) => ({ id })) },
		);
		expect(items.map(({ json }) => json)).toEqual(
			ids.map((campaignId) => expect.objectContaining({ campaignId, recipients: 2, reached: 1 })),
		);
		const lists = requests.filter(({ path }) => path.startsWith('/api/SMSMessages'));
		expect([requests.length, lists.length]).toEqual([106, 6]);
	});
});
