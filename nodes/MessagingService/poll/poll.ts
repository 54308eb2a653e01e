import orderBy from 'lodash/orderBy';
import sortBy from 'lodash/sortBy';
import type { IDataObject } from 'n8n-workflow';
import { campaignEvent } from '../events/listEvents';
import { isBefore, wallClockOf } from '../events/times';
import { planOf } from '../summary/campaignPlan';
import { envelopeList, numberList, readList } from '../transport/paginate';
import type { ListRequest } from '../transport/paginate';
import type { ServiceClient } from '../transport/request';
import { pathSegment } from '../transport/request';
import type { Change, TimedEvent } from './changes';
import { messageChange, numberChanges } from './changes';
import { decodeStates, encodeStates, idOf } from './recordStates';
import type { PollEvent, PollSettings } from './settings';
import type { CampaignState, Phase, PollState, VoiceCampaignState } from './state';
import { readState, writeState } from './state';

/** One poll of the service. */
export interface PollRequest {
	client: Pick<ServiceClient, 'settings' | 'page' | 'record' | 'records'>;
	settings: PollSettings;
	/** Service and client: what is known of one means nothing for another. */
	account: string;
	/** IANA zone of the service's times without designator. */
	zone: string;
	/** Milliseconds since 1970. */
	now(): number;
	/** How long to start reading lists; the next poll reads the others first. */
	budgetMs: number;
	/** The state that the poll before gave; undefined for the first poll. */
	state: string | undefined;
	/** A manual test: some results of each kind, whether new or not. */
	isSample?: boolean;
}

/** What a poll found. */
export interface PollResult {
	/** Events, the earliest first. */
	items: IDataObject[];
	/** The state that the next poll starts from, once these items are handed over. */
	state: string;
	/** What could not be read; the next poll reads it again. */
	failures: unknown[];
}

/** A campaign, as the service lists it. */
interface Campaign {
	id: string;
	record: IDataObject;
}

/** A list that is to be read, and when it was last read. */
interface Task {
	readAt: number;
	run(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** A finished campaign is not read more often. */
const RESTING_MS = 10 * 60_000;

/** How long after its end a campaign may still list calls, and how long statuses of its SMS. */
const LATE_CALLS_MS = DAY_MS;
const LATE_SMS_MS = 3 * DAY_MS;

const PAGE_SIZE = 1000;

/** Results of each kind in a manual test. */
const SAMPLE_SIZE = 5;

/** Paths of the campaigns of each kind (interface, "Endpoints"). */
const PATHS = {
	voice: { list: '/api/campaigns/voice/p', single: '/api/campaigns/voice' },
	sms: { list: '/api/Campaigns', single: '/api/Campaigns' },
} as const;

type Kind = keyof typeof PATHS;

/**
 * Reads each list in scope whole, compares it with the state, and reports the differences. A list
 * that cannot be read keeps its state, so that the next poll finds its differences. Never throws for
 * a failed request: see `failures`.
 */
export async function pollService(request: PollRequest): Promise<PollResult> {
	return await new Poll(request).run();
}

class Poll {
	private readonly events: TimedEvent[] = [];
	private readonly failures: unknown[] = [];
	private readonly state: PollState;
	private readonly startedAt: number;
	/** A time as the service writes it, before which nothing is in scope. */
	private readonly scope: string;
	/** The first poll reports what happened from then on; undefined for nothing. */
	private readonly from: number | undefined;
	private readonly request: PollRequest;

	constructor(request: PollRequest) {
		const { account, settings, zone } = request;
		const stored = readState(request.state, account);
		this.request = request;
		this.state = stored ?? { account, voice: new Map(), sms: new Map() };
		// A manual test shows everything since the beginning of time.
		const startFrom = settings.startFrom ?? (request.isSample === true ? 0 : undefined);
		this.from = stored === undefined ? startFrom : undefined;
		this.startedAt = request.now();
		this.scope = wallClockOf(this.startedAt - settings.days * DAY_MS, zone);
	}

	async run(): Promise<PollResult> {
		const { state, failures } = this;
		const tasks = this.messagesTasks();
		for (const campaign of await this.voiceCampaigns()) {
			const known = state.voice.get(campaign.id);
			if (known === undefined) continue;
			this.reportStatus('voice', campaign, known);
			tasks.push(...this.numbersTasks(campaign, known));
		}
		for (const campaign of await this.smsCampaigns()) {
			const known = state.sms.get(campaign.id) ?? { start: startOf(campaign) };
			state.sms.set(campaign.id, known);
			this.reportStatus('sms', campaign, known);
		}
		await this.runTasks(tasks);
		const items = sortBy(this.events, ({ moment }) => moment).map(({ item }) => item);
		return { items: this.shown(items), state: writeState(state), failures };
	}

	/** Reads what was not read for the longest time first, until the time is over. */
	private async runTasks(tasks: readonly Task[]): Promise<void> {
		const { now, budgetMs } = this.request;
		for (const [position, task] of sortBy(tasks, ({ readAt }) => readAt).entries()) {
			const isOver = now() - this.startedAt >= budgetMs || this.hasEnough();
			if (position > 0 && isOver) return;
			await this.attempt(async () => await task.run());
		}
	}

	private async attempt<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
		try {
			return await action();
		} catch (error) {
			this.failures.push(error);
			return undefined;
		}
	}

	private wants(...events: PollEvent[]): boolean {
		return events.some((event) => this.request.settings.events.includes(event));
	}

	private get readsNumbers(): boolean {
		return this.wants('callAttempted', 'smsStatus', 'campaignFinished');
	}

	/** Voice campaigns in scope, each with a state. */
	private async voiceCampaigns(): Promise<Campaign[]> {
		const { state } = this;
		const { selected } = this.request.settings;
		if (!this.readsNumbers) {
			// What happens while its numbers are not read counts as known later.
			for (const [id, known] of state.voice) state.voice.set(id, inPhase('old', known));
		}
		const isRead = this.readsNumbers || this.wants('campaignStatus');
		const campaigns = isRead ? await this.campaigns('voice', state.voice) : [];
		if (!isRead) state.voice.clear();
		for (const campaign of campaigns ?? []) {
			if (state.voice.has(campaign.id)) continue;
			const start = startOf(campaign);
			const isNew = state.scope !== undefined && !isBefore(start, state.scope);
			const from = this.from === undefined ? {} : { from: this.from };
			const phase = isNew && this.readsNumbers && selected === undefined ? 'new' : 'old';
			state.voice.set(campaign.id, { phase, start, ...from });
		}
		// Only what all polls have read since then is known to be new.
		if (selected !== undefined || !isRead) delete state.scope;
		else if (campaigns !== undefined) state.scope = this.nextScope(state.scope);
		return campaigns ?? [];
	}

	private async smsCampaigns(): Promise<Campaign[]> {
		const { sms } = this.state;
		if (this.wants('campaignStatus')) return (await this.campaigns('sms', sms)) ?? [];
		sms.clear();
		return [];
	}

	/** Campaigns in scope; undefined where their list could not be read. Forgets those that are not. */
	private async campaigns(
		kind: Kind,
		known: Map<string, CampaignState | VoiceCampaignState>,
	): Promise<Campaign[] | undefined> {
		const { client, settings } = this.request;
		const ids = settings.selected?.[kind];
		if (ids !== undefined) {
			for (const id of known.keys()) if (!ids.includes(id)) known.delete(id);
			return await this.campaignsById(kind, ids);
		}
		const list = envelopeList(client, PATHS[kind].list, PAGE_SIZE);
		const records = await this.attempt(async () => await readList(list));
		const all = records?.map((record) => ({ id: String(record.id), record }));
		const inScope = all?.filter((campaign) => {
			const state = known.get(campaign.id);
			return !isBefore(startOf(campaign), this.scope) || (state && this.isRunning(state));
		});
		if (inScope === undefined) return undefined;
		const listed = new Set(inScope.map(({ id }) => id));
		// One that the list lacks for a while is not a new one when it is listed again.
		for (const [id, state] of known) {
			const isOver = isBefore(state.start, this.scope) && !this.isRunning(state);
			if (isOver && !listed.has(id)) known.delete(id);
		}
		return orderBy(inScope, startOf, 'desc');
	}

	/** Campaigns by their IDs; one that cannot be read does not keep the others from being read. */
	private async campaignsById(kind: Kind, ids: readonly string[]): Promise<Campaign[]> {
		const campaigns: Campaign[] = [];
		for (const id of ids) {
			const record = await this.attempt(async () => await this.campaign(kind, id));
			if (record !== undefined) campaigns.push({ id, record });
		}
		return campaigns;
	}

	/** The single response of a voice campaign has more fields than its list item. */
	private async campaign(kind: Kind, id: string): Promise<IDataObject> {
		const path = `${PATHS[kind].single}/${pathSegment(id)}`;
		return await this.request.client.record({ method: 'GET', path });
	}

	/** Whether a campaign stays in scope, however long ago it started: its end is in scope. */
	private isRunning(state: CampaignState | VoiceCampaignState): boolean {
		if (!('phase' in state) || state.numbers === undefined) return false;
		const { endsAt = Infinity } = state.plan ?? {};
		return endsAt + this.request.settings.days * DAY_MS >= this.startedAt;
	}

	/** Campaign Status: the integer is another one than when it was last read. */
	private reportStatus(type: Kind, campaign: Campaign, known: CampaignState): void {
		const { record } = campaign;
		const value = (type === 'voice' ? record.campaignStatus : record.status) ?? null;
		const status = JSON.stringify(value);
		if (known.status === status) return;
		const isReported = known.status !== undefined || this.request.isSample === true;
		if (isReported && this.wants('campaignStatus')) {
			known.changes = (known.changes ?? 0) + 1;
			const previous = JSON.parse(known.status ?? 'null') as number | null;
			const what = `${String(previous)}-${String(value)}/${known.changes}`;
			const item = campaignEvent('campaignStatus', { type, ...campaign }, what, {
				previousCampaignStatus: previous,
			});
			this.events.push({ item, moment: Infinity });
		}
		known.status = status;
	}

	/**
	 * More days take nothing back: what is older and listed late was there before. One that is yet to
	 * come is of a clock that was wrong.
	 */
	private nextScope(stored: string | undefined): string {
		const now = wallClockOf(this.startedAt, this.request.zone);
		return stored !== undefined && stored > this.scope && stored < now ? stored : this.scope;
	}

	/** Reads a whole list, or some of it in a manual test: one change for each record. */
	private async read(
		list: ListRequest,
		changeOf: (record: IDataObject) => Change | undefined,
	): Promise<Change[]> {
		const limit = this.request.isSample === true ? PAGE_SIZE : undefined;
		const changes = await readList({ ...list, limit }, changeOf);
		const inScope = changes.filter((change) => change !== undefined);
		return [...new Map(inScope.map((change) => [change.id, change])).values()];
	}

	private get origin() {
		const { client, zone } = this.request;
		return { clientId: client.settings.clientId, zone };
	}

	private numbersTasks(campaign: Campaign, known: VoiceCampaignState): Task[] {
		const { phase, readAt = 0 } = known;
		const isResting = phase === 'finished' && Math.abs(this.startedAt - readAt) < RESTING_MS;
		if (!this.readsNumbers || phase === 'closed' || isResting) return [];
		return [{ readAt, run: async () => await this.readNumbers(campaign, known) }];
	}

	private async readNumbers(campaign: Campaign, known: VoiceCampaignState): Promise<void> {
		const { client, zone } = this.request;
		const plan = (known.plan ??= planOf(await this.campaign('voice', campaign.id), zone));
		const wanted = { calls: this.wants('callAttempted'), sms: this.wants('smsStatus') };
		const changeOf = numberChanges({ campaignId: campaign.id, plan, ...wanted }, this.origin);
		const states = decodeStates(known.numbers);
		const path = `${PATHS.voice.single}/${pathSegment(campaign.id)}`;
		const changes = await this.read(numberList(client, path, PAGE_SIZE), (record) =>
			changeOf(record, states.get(idOf(record))),
		);
		const isChanged = apply(changes, states) || changes.length !== known.count;
		const from = known.phase === 'old' ? (known.from ?? Infinity) : -Infinity;
		for (const { events } of changes) this.events.push(...since(from, events));
		known.numbers = encodeStates(states);
		known.count = changes.length;
		known.readAt = this.startedAt;
		const isDone = changes.length > 0 && !changes.some(({ isOpen }) => isOpen);
		this.goOn(campaign, known, { isChanged, isDone });
	}

	/** Takes a campaign to its next phase after its phone numbers were read. */
	private goOn(
		campaign: Campaign,
		known: VoiceCampaignState,
		{ isChanged, isDone }: { isChanged: boolean; isDone: boolean },
	): void {
		const { endsAt = Infinity } = known.plan ?? {};
		const end =
			endsAt <= this.request.now() ? 'scheduleOver' : isDone ? 'allNumbersDone' : undefined;
		if (this.request.isSample === true) {
			if (end !== undefined) this.reportEnd(campaign, end);
			return;
		}
		switch (known.phase) {
			case 'old': {
				// With a date to go back to, the end of a campaign is reported as well.
				const isOver = end !== undefined && known.from === undefined;
				known.phase = isOver ? 'finished' : 'running';
				break;
			}
			case 'new':
				known.phase = 'running';
				break;
			case 'running':
				if (end === undefined || isChanged) return;
				this.reportEnd(campaign, end);
				known.phase = 'finished';
				break;
			case 'finished':
				if (!this.mayListMore(known)) this.state.voice.set(campaign.id, inPhase('closed', known));
				return;
			case 'closed':
				return;
		}
		if (known.phase === 'finished') known.finishedAt = this.startedAt;
		delete known.from;
	}

	private mayListMore({ plan, finishedAt = 0 }: VoiceCampaignState): boolean {
		const wait = this.wants('smsStatus') ? LATE_SMS_MS : LATE_CALLS_MS;
		return this.startedAt < Math.max(finishedAt, plan?.endsAt ?? 0) + wait;
	}

	private reportEnd(campaign: Campaign, finishedBecause: string): void {
		if (!this.wants('campaignFinished')) return;
		const item = campaignEvent('campaignFinished', { type: 'voice', ...campaign }, '', {
			finishedBecause,
		});
		this.events.push({ item, moment: Infinity });
	}

	/** The list of SMS messages, unless only voice campaigns are selected. */
	private messagesTasks(): Task[] {
		const { selected } = this.request.settings;
		if (this.wants('smsStatus') && selected?.sms.length !== 0) {
			const { readAt = 0 } = this.state.messages ?? {};
			return [{ readAt, run: async () => await this.readMessages() }];
		}
		// What happens while it is not read counts as known later.
		delete this.state.messages;
		return [];
	}

	private async readMessages(): Promise<void> {
		const { client, settings } = this.request;
		const { smsFilters, writtenFilters: filters, selected } = settings;
		const { scope, startedAt: readAt, origin, from = Infinity } = this;
		const stored = this.state.messages;
		const states = decodeStates(stored?.known);
		const campaignIds = selected && new Set(selected.sms.map((id) => id.toLowerCase()));
		const list = envelopeList(client, '/api/SMSMessages', PAGE_SIZE, smsFilters);
		const changes = await this.read(list, (message) => {
			const { dateCreated, campaignId } = message;
			const id = idOf(message);
			if (isBefore(dateCreated, scope)) {
				states.delete(id);
				return undefined;
			}
			const known = states.get(id);
			const change = messageChange(message, known, origin);
			if (campaignIds?.has(String(campaignId).toLowerCase()) === false) {
				return { ...change, events: [] };
			}
			// What other filters or more days add to the list counts as known.
			const wasInScope = stored?.filters === filters && !isBefore(dateCreated, stored.scope);
			const isOld = known === undefined && !wasInScope;
			return isOld ? { ...change, events: since(from, change.events) } : change;
		});
		apply(changes, states);
		for (const { events } of changes) this.events.push(...events);
		this.state.messages = {
			...{ known: encodeStates(states), filters, readAt },
			scope: this.nextScope(stored?.scope),
		};
	}

	/** Whether a manual test has results of each kind. */
	private hasEnough(): boolean {
		const { isSample, settings } = this.request;
		if (isSample !== true) return false;
		return settings.events.every(
			(kind) => this.events.filter(({ item }) => item.event === kind).length >= SAMPLE_SIZE,
		);
	}

	/** All items; in a manual test, the latest of each kind. */
	private shown(items: IDataObject[]): IDataObject[] {
		const { isSample, settings } = this.request;
		if (isSample !== true) return items;
		return settings.events.flatMap((kind) =>
			items.filter(({ event }) => event === kind).slice(-SAMPLE_SIZE),
		);
	}
}

/** Takes changes into the states. Says whether any is another one. */
function apply(changes: readonly Change[], states: Map<number | string, string>): boolean {
	let isChanged = false;
	for (const { id, state } of changes) {
		isChanged ||= states.get(id) !== state;
		states.set(id, state);
	}
	return isChanged;
}

/** Events from a moment on. One whose time is not known is not among them. */
function since(from: number, events: readonly TimedEvent[]): readonly TimedEvent[] {
	return from === -Infinity ? events : events.filter(({ moment }) => moment >= from);
}

/** A campaign without what is known of its phone numbers. */
function inPhase(phase: Phase, { start, status, changes }: CampaignState): VoiceCampaignState {
	return { phase, start, status, changes };
}

/** When a campaign starts, as the service writes it; empty where it does not. */
function startOf({ record }: Campaign): string {
	return String(record.startDate ?? record.startDateTime ?? '');
}
