import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { PollHost } from './support/pollHost';
import { ResultService } from './support/resultService';
import { runs } from '../support/runs';

type Step =
	| { kind: 'call'; campaign: number; number: number; outcome: number | null }
	| { kind: 'endCall'; outcome: number }
	| { kind: 'campaign'; numbers: number; attempts: number }
	| { kind: 'number'; campaign: number }
	| { kind: 'message' }
	| { kind: 'status'; message: number; status: number }
	| { kind: 'move'; campaign: number; from: number; to: number }
	| { kind: 'moveMessage'; from: number; to: number }
	| { kind: 'time'; seconds: number };

const small = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.record({
			kind: fc.constant('call' as const),
			campaign: small,
			number: small,
			outcome: fc.constantFrom(1, 3, 6, null),
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
	}),
	fc.record({ kind: fc.constant('number' as const), campaign: small }),
	fc.record({ kind: fc.constant('message' as const) }),
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

/** One poll, and what happens before it and between its requests. */
const turn = fc.record({
	before: fc.array(step, { maxLength: 8 }),
	during: fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 10 }),
	failures: fc.array(fc.boolean(), { maxLength: 4 }),
	isKilled: fc.boolean(),
	/** Campaigns that the list lacks in this poll, by their place. */
	unlisted: fc.array(small, { maxLength: 2 }),
});

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
				const made = campaign && service.call(campaign, event.number, event.outcome);
				if (made !== undefined && event.outcome !== null) this.calls.push(made);
				return;
			}
			case 'endCall': {
				const ended = service.endCall(event.outcome);
				if (ended !== undefined) this.calls.push(ended);
				return;
			}
			case 'campaign':
				service.addCampaign(event.numbers, event.attempts);
				return;
			case 'number': {
				const campaign = campaignAt(event.campaign);
				// A campaign that is over does not get more numbers.
				if (campaign !== undefined && campaign.status === 0) service.addNumber(campaign);
				return;
			}
			case 'message':
				service.addMessage();
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

describe('results read while the service changes', () => {
	it('are reported once each: none lost, none repeated', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(step, { maxLength: 30 }),
				fc.array(turn, { minLength: 1, maxLength: 12 }),
				fc.record({
					maxItems: fc.integer({ min: 1, max: 20 }),
					pageSize: fc.integer({ min: 1, max: 5 }),
					budgetMs: fc.integer({ min: 0, max: 12_000 }),
				}),
				async (past, turns, limits) => {
					const world = new World();
					for (const event of past) world.apply(event);
					const { service } = world;
					const host = new PollHost(service, limits);
					await host.poll(true);
					expect(host.items).toEqual([]);
					const before = new Set(world.calls);
					const statusesBefore = new Map([...world.statuses].map(([id, all]) => [id, all.at(-1)]));

					for (const { before: events, during, failures, isKilled, unlisted } of turns) {
						for (const event of events) world.apply(event);
						service.failures = [...failures];
						service.unlisted = unlisted.map((place) => service.campaigns[place]?.id ?? 0);
						service.activities = during.map((group) => () => {
							for (const event of group) world.apply(event);
						});
						await host.poll();
						if (isKilled) host.kill();
					}
					service.failures = [];
					service.activities = [];
					service.unlisted = [];
					host.settings.budgetMs = Infinity;
					for (let quiet = 0; quiet < 3;) {
						quiet = (await host.poll()).items.length === 0 ? quiet + 1 : 0;
					}

					const expected = world.calls.filter((call) => !before.has(call));
					expect(callNames(host.items).sort()).toEqual(expected.sort());
					for (const [id, all] of world.statuses) {
						const reported = host.items
							.filter(({ event, messageId }) => event === 'smsStatus' && messageId === id)
							.map(({ statusCode }) => Number(statusCode));
						const known = statusesBefore.get(id);
						const sequence = known === undefined ? reported : [known, ...reported];
						expect(sequence.at(-1)).toBe(all.at(-1));
						expect(sequence.some((status, index) => status === sequence[index - 1])).toBe(false);
					}
				},
			),
			{ numRuns: runs(400) },
		);
	}, 600_000);
});
