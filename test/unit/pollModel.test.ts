import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { PollEvent, PollSettings } from '../../nodes/MessagingService/poll/settings';
import { PollHost } from './support/pollHost';
import { ResultService } from './support/resultService';
import { holds } from '../support/runs';

type Step =
	| { kind: 'call'; campaign: number; number: number; outcome: number | null; time?: string }
	| { kind: 'endCall'; outcome: number }
	| { kind: 'campaign'; numbers: number; attempts: number; startDate?: string }
	| { kind: 'number'; campaign: number }
	| { kind: 'message'; dateCreated?: string | null }
	| { kind: 'status'; message: number; status: number }
	| { kind: 'move'; campaign: number; from: number; to: number }
	| { kind: 'moveMessage'; from: number; to: number }
	| { kind: 'time'; seconds: number };

const small = fc.nat({ max: 30 });
const usually = <Value>(...values: Value[]) =>
	fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, fc.constantFrom(...values));
/** Before the seven days that are in scope at first, within the eight days of other settings. */
const LONG_AGO = '2030-05-10T03:00:00';
const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.record({
			kind: fc.constant('call' as const),
			campaign: small,
			number: small,
			outcome: fc.constantFrom(1, 3, 6, null),
			time: usually('2099-01-01T00:00:00', '0001-01-01T00:00:00', 'soon'),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('endCall' as const),
			outcome: fc.constantFrom(1, 3),
		}),
	},
	fc.record({
		kind: fc.constant('campaign' as const),
		numbers: fc.nat({ max: 12 }),
		attempts: fc.integer({ min: 1, max: 4 }),
		startDate: usually('2099-01-01T00:00:00', '0001-01-01T00:00:00', '', LONG_AGO),
	}),
	fc.record({ kind: fc.constant('number' as const), campaign: small }),
	fc.record({
		kind: fc.constant('message' as const),
		dateCreated: usually('2099-01-01T00:00:00', '0001-01-01T00:00:00', null, LONG_AGO),
	}),
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('status' as const),
			message: small,
			status: fc.constantFrom(0, 1, 5),
		}),
	},
	fc.record({ kind: fc.constant('move' as const), campaign: small, from: small, to: small }),
	fc.record({ kind: fc.constant('moveMessage' as const), from: small, to: small }),
	fc.record({ kind: fc.constant('time' as const), seconds: fc.nat({ max: 100 }) }),
);

/** What the user changes, and publishes: what was reported before goes on. */
const change = fc.record({
	events: fc.constantFrom<PollEvent[]>(
		['callAttempted', 'smsStatus'],
		['callAttempted', 'smsStatus', 'campaignStatus'],
		['callAttempted', 'smsStatus', 'campaignStatus', 'campaignFinished'],
	),
	days: fc.constantFrom(7, 8, 30),
});

/** What the user changes so that something is not reported for a while. */
const anyChange = fc.record({
	events: fc.subarray<PollEvent>(
		['callAttempted', 'smsStatus', 'campaignStatus', 'campaignFinished'],
		{ minLength: 1 },
	),
	days: fc.constantFrom(7, 8, 30),
	selected: fc.option(
		fc.record({
			voice: fc.subarray(['2000', '2001', '2002'], { minLength: 1 }),
			sms: fc.subarray(['a']),
		}),
		{ nil: undefined },
	),
	writtenFilters: fc.constantFrom('a', 'b'),
});

/** One poll, and what happens before it and between its requests. */
const turnWith = <Changes>(changes: fc.Arbitrary<Changes>) =>
	fc.record({
		changes: fc.option(changes, { nil: undefined, freq: 4 }),
		before: fc.array(step, { maxLength: 8 }),
		during: fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 10 }),
		failures: fc.array(fc.boolean(), { maxLength: 4 }),
		isKilled: fc.boolean(),
		/** Campaigns that the list lacks in this poll, by their place. */
		unlisted: fc.array(small, { maxLength: 2 }),
	});

interface PlayedTurn {
	changes?: Partial<PollSettings>;
	before: Step[];
	during: Step[][];
	failures: boolean[];
	isKilled: boolean;
	unlisted: number[];
}

class World {
	readonly service = new ResultService();

	/** Every call that has ended: one may end after the next one to its number. */
	readonly calls: string[] = [];

	/** The statuses that each message has had, in their order. */
	readonly statuses = new Map<number, number[]>();

	apply(event: Step) {
		const { service } = this;
		const campaignAt = (index: number) =>
			service.campaigns[index % Math.max(1, service.campaigns.length)];
		switch (event.kind) {
			case 'call': {
				const campaign = campaignAt(event.campaign);
				const made = campaign && service.call(campaign, event.number, event.outcome, event.time);
				if (made !== undefined && event.outcome !== null) this.calls.push(made);
				return;
			}
			case 'endCall': {
				const ended = service.endCall(event.outcome);
				if (ended !== undefined) this.calls.push(ended);
				return;
			}
			case 'campaign':
				service.addCampaign(event.numbers, event.attempts, event.startDate);
				return;
			case 'number': {
				const campaign = campaignAt(event.campaign);
				// A campaign that is over does not get more numbers.
				if (campaign !== undefined && campaign.status === 0) service.addNumber(campaign);
				return;
			}
			case 'message':
				service.addMessage(event.dateCreated);
				this.note(service.messages.length - 1);
				return;
			case 'status':
				service.setStatus(event.message, event.status);
				this.note(event.message);
				return;
			case 'move':
				service.move(campaignAt(event.campaign), event.from, event.to);
				return;
			case 'moveMessage':
				service.move(undefined, event.from, event.to);
				return;
			case 'time':
				service.now += event.seconds * 1000;
		}
	}

	private note(index: number) {
		const { messages } = this.service;
		const { id, status } = messages[index % Math.max(1, messages.length)] ?? {};
		if (typeof id !== 'number') return;
		this.statuses.set(id, [...(this.statuses.get(id) ?? []), Number(status)]);
	}
}

const callNames = (items: readonly IDataObject[]) =>
	items
		.filter(({ event }) => event === 'callAttempted')
		.map((item) => `${item.campaignId}/${item.phoneNumber}/${item.attemptNumber}`);

/** The statuses of a message that were reported, in their order. */
const statusesOf = (items: readonly IDataObject[], id: number) =>
	items
		.filter(({ event, messageId }) => event === 'smsStatus' && messageId === id)
		.map(({ statusCode }) => Number(statusCode));

const CASES = 200;

describe('results read while the service changes', () => {
	const pageSizes = fc.integer({ min: 1, max: 5 });

	/** Publishes, and polls through all turns and until nothing is left to report. */
	async function play(past: readonly Step[], turns: readonly PlayedTurn[], maxPageSize: number) {
		const world = new World();
		for (const event of past) world.apply(event);
		const { service } = world;
		service.maxPageSize = maxPageSize;
		const host = new PollHost(service, {});
		await host.poll(true);
		expect(host.items).toEqual([]);
		const before = new Set(world.calls);
		const statusesBefore = new Map([...world.statuses].map(([id, all]) => [id, all.at(-1)]));
		for (const { changes, before: events, during, failures, isKilled, unlisted } of turns) {
			for (const event of events) world.apply(event);
			Object.assign(host.settings, changes);
			service.failures = [...failures];
			service.unlisted = unlisted.map((place) => service.campaigns[place]?.id ?? 0);
			service.activities = during.map((group) => () => {
				for (const event of group) world.apply(event);
			});
			await host.poll();
			if (isKilled) host.kill();
		}
		Object.assign(service, { failures: [], activities: [], unlisted: [] });
		for (let quiet = 0; quiet < 3;) {
			// A finished campaign is read every ten minutes.
			service.now += 11 * 60_000;
			quiet = (await host.poll()).items.length === 0 ? quiet + 1 : 0;
		}
		return { world, host, before, statusesBefore };
	}

	it('are reported once each: none lost, none repeated', async () => {
		await holds(
			fc.asyncProperty(
				fc.array(step, { maxLength: 30 }),
				fc.array(turnWith(change), { minLength: 1, maxLength: 12 }),
				pageSizes,
				async (past, turns, maxPageSize) => {
					const { world, host, before, statusesBefore } = await play(past, turns, maxPageSize);
					const isLongAgo = (call: string) =>
						world.service.campaigns.some(
							({ id, startDate }) => startDate === LONG_AGO && call.startsWith(`${id}/`),
						);
					const reported = callNames(host.items);
					expect(new Set(reported).size).toBe(reported.length);
					expect(reported.filter((call) => before.has(call))).toEqual([]);
					const expected = world.calls.filter((call) => !before.has(call) && !isLongAgo(call));
					expect(reported.filter((call) => !isLongAgo(call)).sort()).toEqual(expected.sort());
					for (const [id, all] of world.statuses) {
						const statuses = statusesOf(host.items, id);
						const known = statusesBefore.get(id);
						const sequence = known === undefined ? statuses : [known, ...statuses];
						const message = world.service.messages.find((each) => each.id === id);
						// With fewer days it is out of scope for a while: a status between two others is missed.
						if (message?.dateCreated === LONG_AGO) continue;
						expect(sequence.some((status, index) => status === sequence[index - 1])).toBe(false);
						expect(sequence.at(-1)).toBe(all.at(-1));
					}
				},
			),
			CASES,
		);
	}, 600_000);

	it('are never repeated, nor taken from the past, when the user selects and filters others', async () => {
		await holds(
			fc.asyncProperty(
				fc.array(step, { maxLength: 30 }),
				fc.array(turnWith(anyChange), { minLength: 1, maxLength: 12 }),
				pageSizes,
				async (past, turns, maxPageSize) => {
					const { world, host, before, statusesBefore } = await play(past, turns, maxPageSize);
					const reported = callNames(host.items);
					expect(new Set(reported).size).toBe(reported.length);
					expect(reported.filter((call) => before.has(call))).toEqual([]);
					for (const [id] of world.statuses) {
						const [first] = statusesOf(host.items, id);
						const all = world.statuses.get(id) ?? [];
						if (first === undefined || statusesBefore.get(id) === undefined) continue;
						// A message from before is reported only after its status has changed.
						expect(all.length).toBeGreaterThan(1);
					}
				},
			),
			CASES,
		);
	}, 600_000);
});
