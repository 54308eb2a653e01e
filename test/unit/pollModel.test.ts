import fc from 'fast-check';
import { partition } from 'lodash';
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
	| { kind: 'removeMessage'; message: number }
	| { kind: 'removeNumber'; campaign: number; number: number }
	| { kind: 'time'; seconds: number };

const small = fc.nat({ max: 30 });
const usually = <Value>(...values: Value[]) =>
	fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, fc.constantFrom(...values));
/** Before the seven days that are in scope at first, within the eight days of other settings. */
const LONG_AGO = '2030-05-10T03:00:00';

/** What happens at a service. @param starts of the campaigns that are made, beside today */
const stepWith = (...starts: string[]): fc.Arbitrary<Step> =>
	fc.oneof(
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
			startDate: usually('2099-01-01T00:00:00', '0001-01-01T00:00:00', '', ...starts),
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
		fc.record({ kind: fc.constant('removeMessage' as const), message: small }),
		fc.record({ kind: fc.constant('removeNumber' as const), campaign: small, number: small }),
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

/** What was there when the workflow was published, among it campaigns that started long before and still run. */
const past = fc.array(stepWith(LONG_AGO), { maxLength: 30 });
/** What happens afterwards: a new campaign starts today or later. */
const step = stepWith();

/** One poll, and what happens before it and between its requests. */
const turnWith = <Changes>(changes: fc.Arbitrary<Changes>) =>
	fc.record({
		changes: fc.option(changes, { nil: undefined, freq: 4 }),
		before: fc.array(step, { maxLength: 8 }),
		during: fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 10 }),
		failures: fc.array(fc.boolean(), { maxLength: 4 }),
		isKilled: fc.boolean(),
		/** How many requests it has time for. */
		requests: fc.option(fc.nat({ max: 15 }), { nil: Infinity, freq: 2 }),
		/** Campaigns that the list lacks in this poll, by their place. */
		unlisted: fc.array(small, { maxLength: 2 }),
	});

interface PlayedTurn {
	changes?: Partial<PollSettings>;
	before: Step[];
	during: Step[][];
	failures: boolean[];
	isKilled: boolean;
	requests: number;
	unlisted: number[];
}

/** A list in no order shows it on any page: the oldest of these is on the first one. */
const IN_NO_ORDER = ['2030-05-16T09:00:00', '2030-05-17T08:00:00'].map((dateCreated, index) => ({
	...{ id: -1 - index, status: 1, dateCreated },
}));

class World {
	readonly service = new ResultService();

	/** Every call that has ended: one may end after the next one to its number. */
	calls: string[] = [];

	/** How the calls to numbers that were removed are named: nobody can report what is not listed. */
	readonly goneNumbers: string[] = [];

	/** The statuses that each message has had, in their order. */
	readonly statuses = new Map<number, number[]>();

	/** Messages whose last status is to be reported: it came after a poll that had them in scope. */
	readonly due = new Set<number>();

	/** For those that a poll took for known: the statuses that it may have seen. */
	readonly known = new Map<number, number[]>();

	private inScope = new Set<number>();

	/** How many statuses each message had at the poll before. */
	private counts = new Map<number, number>();

	/** What n8n has stored of this, and which messages were noted since. */
	private stored = {
		inScope: new Set<number>(),
		counts: new Map<number, number>(),
		due: new Set<number>(),
	};
	private noted: { id: number; isDue: boolean }[] = [];

	constructor(order: ResultService['order']) {
		this.service.order = order;
		if (order === 'none') this.service.pinned = IN_NO_ORDER;
	}

	/**
	 * A poll has read the messages of the last days: what changes from now on is due.
	 * @param listed those that there were when it started
	 * @param isWhole whether it has read everything; else the messages may have been among it
	 */
	notePoll(days: number, listed: readonly IDataObject[], isWhole = true) {
		const isIn = ({ dateCreated }: IDataObject) => dateCreated !== LONG_AGO || days > 7;
		const [inside, outside] = partition(listed, isIn);
		for (const { id } of outside) {
			this.due.delete(Number(id));
			this.inScope.delete(Number(id));
		}
		if (!isWhole) return;
		const ids = inside.map(({ id }) => Number(id));
		// With fewer days, one is taken for known once more when they are more again.
		for (const id of this.due) if (!ids.includes(id)) this.due.delete(id);
		for (const id of ids) {
			if (this.inScope.has(id) || this.due.has(id)) continue;
			const count = this.counts.get(id) ?? 1;
			this.known.set(id, (this.statuses.get(id) ?? []).slice(count - 1));
		}
		this.inScope = new Set(ids);
		this.counts = new Map([...this.statuses].map(([id, all]) => [id, all.length]));
	}

	/** n8n has stored what the last poll knew: it does so with results, and after publishing. */
	noteStored() {
		this.stored = {
			inScope: new Set(this.inScope),
			counts: this.counts,
			due: new Set(this.due),
		};
		this.noted = [];
	}

	/** What polls without results had in scope is unknown again, and is not due on their account. */
	noteKill() {
		const { inScope, counts, due } = this.stored;
		const isDue = (id: number) =>
			due.has(id) || this.noted.some((note) => note.id === id && (note.isDue || inScope.has(id)));
		for (const id of this.due) if (!isDue(id)) this.due.delete(id);
		Object.assign(this, { inScope: new Set(inScope), counts });
	}

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
			case 'campaign': {
				const { runOverDays } = service.addCampaign(event.numbers, event.attempts, event.startDate);
				if (event.startDate === LONG_AGO) {
					runOverDays.push({ date: '2030-05-19', startTime: '09:00', finishTime: '18:00' });
				}
				return;
			}
			case 'number': {
				const campaign = campaignAt(event.campaign);
				// A campaign that is over does not get more numbers.
				if (campaign !== undefined && campaign.status === 0) service.addNumber(campaign);
				return;
			}
			case 'message':
				// A service that lists its messages in the order of their times gives each of them one.
				if (service.order !== 'none' && !isTime(event.dateCreated)) service.addMessage();
				else service.addMessage(event.dateCreated);
				this.note(service.messages.length - 1, event.dateCreated !== LONG_AGO);
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
			case 'removeMessage':
				service.messages.splice(event.message % Math.max(1, service.messages.length), 1);
				return;
			case 'removeNumber': {
				const gone = service.removeNumber(campaignAt(event.campaign), event.number);
				if (gone !== undefined) this.goneNumbers.push(gone);
				return;
			}
			case 'time':
				service.now += event.seconds * 1000;
		}
	}

	/** A campaign whose numbers are all done has no number that may be called, and no call in progress. */
	expectEndsOfWhatIsOver(items: readonly IDataObject[]) {
		const ended = items
			.filter(({ finishedBecause }) => finishedBecause === 'allNumbersDone')
			.map(({ campaignId }) => campaignId);
		for (const { id, attempts, numbers } of this.service.campaigns) {
			if (!ended.includes(String(id))) continue;
			for (const { calls } of numbers) {
				const outcomes = calls.map(({ outcome }) => outcome);
				expect(outcomes).not.toContain(null);
				expect(outcomes.length === attempts || outcomes.includes(1)).toBe(true);
			}
		}
	}

	/** @param isDue whether it is to be reported, though no poll has had it in scope */
	private note(index: number, isDue = false) {
		const { messages } = this.service;
		const { id, status } = messages[index % Math.max(1, messages.length)] ?? {};
		if (typeof id !== 'number') return;
		const before = this.statuses.get(id) ?? [];
		if (before.at(-1) === status) return;
		this.statuses.set(id, [...before, Number(status)]);
		this.noted.push({ id, isDue });
		if (isDue || this.inScope.has(id)) this.due.add(id);
	}
}

const isTime = (dateCreated: string | null | undefined) =>
	dateCreated !== null && dateCreated !== '0001-01-01T00:00:00';

/** Whether these come among others in this order. */
function isSubsequence(part: readonly unknown[], all: readonly unknown[]): boolean {
	let place = 0;
	for (const each of all) if (each === part[place]) place++;
	return place >= part.length;
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

const CASES = 100;

describe('results read while the service changes', () => {
	const pageSizes = fc.integer({ min: 1, max: 5 });

	const orders = fc.constantFrom<ResultService['order']>('newestFirst', 'newestLast', 'none');

	/** Publishes, and polls through all turns and until nothing is left to report. */
	async function play(
		order: ResultService['order'],
		earlier: readonly Step[],
		turns: readonly PlayedTurn[],
		maxPageSize: number,
	) {
		const world = new World(order);
		for (const event of earlier) world.apply(event);
		const { service } = world;
		service.maxPageSize = maxPageSize;
		const host = new PollHost(service, {});
		const poll = async () => {
			const listed = [...service.messages];
			const { items, failures, isCut } = await host.poll();
			expect(service.requestsLeft).toBeGreaterThanOrEqual(0);
			world.expectEndsOfWhatIsOver(items);
			world.notePoll(host.settings.days, listed, failures.length === 0 && !isCut);
			if (items.length > 0) world.noteStored();
			return items;
		};
		await host.poll(true);
		expect(host.items).toEqual([]);
		world.due.clear();
		world.notePoll(host.settings.days, service.messages);
		world.noteStored();
		const before = new Set(world.calls);
		const statusesBefore = new Map([...world.statuses].map(([id, all]) => [id, all.length]));
		for (const {
			changes,
			before: events,
			during,
			failures,
			isKilled,
			requests,
			unlisted,
		} of turns) {
			for (const event of events) world.apply(event);
			Object.assign(host.settings, changes);
			service.failures = [...failures];
			service.requestsLeft = requests;
			service.unlisted = unlisted.map((place) => service.campaigns[place]?.id ?? 0);
			service.activities = during.map((group) => () => {
				for (const event of group) world.apply(event);
			});
			await poll();
			if (!isKilled) continue;
			host.kill();
			world.noteKill();
		}
		Object.assign(service, { failures: [], activities: [], unlisted: [], requestsLeft: Infinity });
		for (let quiet = 0; quiet < 3;) {
			// A finished campaign is read every ten minutes.
			service.now += 11 * 60_000;
			quiet = (await poll()).length === 0 ? quiet + 1 : 0;
		}
		return { world, host, before, statusesBefore };
	}

	/** No call and no status is reported twice, and none that was there before. */
	function expectNoRepeats({
		world,
		host,
		before,
		statusesBefore,
	}: Awaited<ReturnType<typeof play>>) {
		const reported = callNames(host.items);
		expect(new Set(reported).size).toBe(reported.length);
		expect(reported.filter((call) => before.has(call))).toEqual([]);
		for (const [id, all] of world.statuses) {
			const later = all.slice(statusesBefore.get(id) ?? 0);
			expect(isSubsequence(statusesOf(host.items, id), later)).toBe(true);
		}
	}

	it('are reported once each: none lost, none repeated', async () => {
		await holds(
			fc.asyncProperty(
				orders,
				past,
				fc.array(turnWith(change), { minLength: 1, maxLength: 12 }),
				pageSizes,
				async (order, earlier, turns, maxPageSize) => {
					const played = await play(order, earlier, turns, maxPageSize);
					expectNoRepeats(played);
					const { world, host, before } = played;
					const isGone = (call: string) => world.goneNumbers.some((name) => call.startsWith(name));
					const expected = world.calls.filter((call) => !before.has(call) && !isGone(call));
					const reported = callNames(host.items).filter((call) => !isGone(call));
					expect(reported.sort()).toEqual(expected.sort());
					for (const id of world.due) {
						const last = world.statuses.get(id)?.at(-1) ?? NaN;
						// A status between two polls is not listed any more.
						const isKnown = world.known.get(id)?.includes(last) === true;
						if (!isKnown) expect(statusesOf(host.items, id).at(-1)).toBe(last);
					}
				},
			),
			CASES,
			{ seeds: [122171356, -857713717, -487156299, -1046342671] },
		);
	}, 600_000);

	it('are never repeated, nor taken from the past, when the user selects and filters others', async () => {
		await holds(
			fc.asyncProperty(
				orders,
				past,
				fc.array(turnWith(anyChange), { minLength: 1, maxLength: 12 }),
				pageSizes,
				async (order, earlier, turns, maxPageSize) => {
					expectNoRepeats(await play(order, earlier, turns, maxPageSize));
				},
			),
			CASES,
		);
	}, 600_000);

	it('are reported once for each status of an SMS of a campaign, however they are listed', async () => {
		const kind = fc.constantFrom('new', 'status', 'status', 'moved', 'missing');
		const at = fc.nat({ max: 9 });
		const steps = fc.array(fc.record({ kind, at, status: fc.nat({ max: 3 }) }), { maxLength: 12 });
		await holds(
			fc.asyncProperty(steps, async (all) => {
				const service = new ResultService();
				const smss = service.addCampaign(1, 3).numbers[0]?.smss ?? [];
				const host = new PollHost(service, { events: ['smsStatus'] });
				await host.poll(true);
				const reported = async () => (await host.poll()).items.map((item) => item.statusCode);
				for (const [index, { kind: what, at: place, status }] of all.entries()) {
					const [sms] = what === 'new' ? [] : smss.splice(place % Math.max(1, smss.length), 1);
					if (what === 'missing') expect(await reported()).toEqual([]);
					const dateReceived = `2030-05-17T09:${10 + index}:00`;
					const next = sms ?? { smsCount: 1, dateReceived };
					const isReported = sms === undefined || (what === 'status' && sms.status !== status);
					smss.splice(place, 0, isReported ? { ...next, status } : next);
					expect(await reported()).toEqual(isReported ? [status] : []);
				}
			}),
			CASES,
		);
	});
});
