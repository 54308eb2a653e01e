import orderBy from 'lodash/orderBy';
import sortBy from 'lodash/sortBy';
import type { IDataObject } from 'n8n-workflow';
import { campaignEvent } from '../events/listEvents';
import { isBefore, wallClockOf } from '../events/times';
import { planOf } from '../summary/campaignPlan';
import { envelopeList, numberList, type ListRequest } from '../transport/page';
import { readList } from '../transport/paginate';
import type { ServiceClient } from '../transport/request';
import { pathSegment } from '../transport/request';
import type { Change, TimedEvent } from './changes';
import { messageChange, numberChange } from './changes';
import type { RecordStates } from './recordStates';
import { decodeStates, encodeStates, idOf } from './recordStates';
import type { PollEvent, PollSettings } from './settings';
import type { CampaignState, Phase, PollState } from './state';
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
	now: number;
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
	failures: Error[];
}

/** A campaign, as the service lists it. */
interface Campaign {
	id: string;
	record: IDataObject;
}

const DAY_MS = 86_400_000;

/** A finished campaign is not read more often. */
const RESTING_MS = 10 * 60_000;

/** How long after its end a campaign may still list calls and statuses of its SMS. */
const LATE_MS = 3 * DAY_MS;

const PAGE_SIZE = 1000;

/** In a manual test, results of each kind, and campaigns whose phone numbers are read. */
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
	private readonly request: PollRequest;
	private readonly state: PollState;
	/** A time as the service writes it, before which nothing is in scope. */
	private readonly scope: string;
	/** What was there before is reported from then on: Start From, in the first poll. */
	private readonly from: number;
	private readonly events: TimedEvent[] = [];
	private readonly failures: Error[] = [];

	constructor(request: PollRequest) {
		const { account, settings, zone, now, isSample } = request;
		const stored = readState(request.state, account);
		const startFrom = settings.startFrom ?? (isSample === true ? 0 : Infinity);
		this.request = request;
		this.state = stored ?? { account, voice: new Map(), sms: new Map(), scopes: {} };
		this.scope = wallClockOf(now - settings.days * DAY_MS, zone);
		this.from = stored === undefined ? startFrom : Infinity;
	}

	async run(): Promise<PollResult> {
		await this.attempt(async () => await this.readMessages());
		await this.attempt(async () => await this.readVoiceCampaigns());
		await this.attempt(async () => await this.readSmsCampaigns());
		return { items: this.items(), state: writeState(this.state), failures: this.failures };
	}

	/** The selected events; in a manual test, the latest of each kind. */
	private items(): IDataObject[] {
		const { isSample, settings } = this.request;
		const items = sortBy(this.events, ({ moment }) => moment).map(({ item }) => item);
		const kinds: readonly unknown[] = settings.events;
		if (isSample !== true) return items.filter(({ event }) => kinds.includes(event));
		return kinds.flatMap((kind) => items.filter(({ event }) => event === kind).slice(-SAMPLE_SIZE));
	}

	/** What cannot be read does not keep the rest from being read. */
	private async attempt(action: () => Promise<void>): Promise<void> {
		try {
			await action();
		} catch (error) {
			this.failures.push(error as Error);
		}
	}

	private wants(...events: PollEvent[]): boolean {
		return events.some((event) => this.request.settings.events.includes(event));
	}

	private async readVoiceCampaigns(): Promise<void> {
		const { state } = this;
		const { selected } = this.request.settings;
		const readsNumbers = this.wants('callAttempted', 'smsStatus', 'campaignFinished');
		for (const [id, known] of state.voice) {
			// What happens while its numbers are not read counts as known later.
			const isRead = readsNumbers && selected?.voice.includes(id) !== false;
			if (!isRead) state.voice.set(id, inPhase('old', known));
		}
		const campaigns = await this.readCampaigns('voice', readsNumbers ? 'running' : 'old');
		if (!readsNumbers) return;
		for (const campaign of this.toRead(campaigns)) {
			await this.attempt(async () => await this.readNumbers(campaign));
		}
	}

	private async readSmsCampaigns(): Promise<void> {
		if (this.wants('campaignStatus')) await this.readCampaigns('sms', 'old');
		else delete this.state.scopes.sms;
	}

	/**
	 * Reads the campaigns in scope, and reports their statuses.
	 * @param newPhase the phase of a campaign that was not there before
	 */
	private async readCampaigns(kind: Kind, newPhase: Phase): Promise<Campaign[]> {
		const { scopes, [kind]: known } = this.state;
		const ids = this.request.settings.selected?.[kind];
		// Only what all polls have read since then is known to be new.
		const scope = ids ? undefined : scopes[kind];
		const campaigns = await (ids ? this.campaignsById(kind, ids) : this.recentCampaigns(kind));
		for (const campaign of campaigns) {
			const start = startOf(campaign);
			const isNew = !known.has(campaign.id) && scope !== undefined && !isBefore(start, scope);
			const state = known.get(campaign.id) ?? { phase: isNew ? newPhase : 'old', start };
			known.set(campaign.id, state);
			this.reportStatus(kind, campaign, state, isNew);
		}
		scopes[kind] = ids ? undefined : this.nextScope(scope);
		return campaigns;
	}

	/** Campaigns of the last days. Forgets others. */
	private async recentCampaigns(kind: Kind): Promise<Campaign[]> {
		const known = this.state[kind];
		const records = await readList(envelopeList(this.request.client, PATHS[kind].list, PAGE_SIZE));
		// One that the list lacks for a while is not a new one when it is listed again.
		for (const [id, state] of known) if (!this.isInScope(state)) known.delete(id);
		return records
			.map((record) => ({ id: String(record.id), record }))
			.filter((each) => this.isInScope(known.get(each.id) ?? { start: startOf(each) }));
	}

	private async campaignsById(kind: Kind, ids: readonly string[]): Promise<Campaign[]> {
		const campaigns: Campaign[] = [];
		for (const id of ids) {
			await this.attempt(async () => {
				campaigns.push({ id, record: await this.campaign(kind, id) });
			});
		}
		return campaigns;
	}

	/** The single response of a voice campaign has more fields than its list item. */
	private async campaign(kind: Kind, id: string): Promise<IDataObject> {
		const path = `${PATHS[kind].single}/${pathSegment(id)}`;
		return await this.request.client.record({ method: 'GET', path });
	}

	/** Whether a campaign starts within the days in scope, or its calls end within them. */
	private isInScope({ start, plan }: Pick<CampaignState, 'start' | 'plan'>): boolean {
		const { now, settings } = this.request;
		return !isBefore(start, this.scope) || (plan?.endsAt ?? 0) >= now - settings.days * DAY_MS;
	}

	/**
	 * More days take nothing back: what is older and listed late was there before. One that is yet to
	 * come is of a clock that was wrong.
	 */
	private nextScope(stored: string | undefined): string {
		const now = wallClockOf(this.request.now, this.request.zone);
		return stored !== undefined && stored > this.scope && stored < now ? stored : this.scope;
	}

	/** Campaign Status: a new campaign, or another integer than when it was last read. */
	private reportStatus(type: Kind, campaign: Campaign, known: CampaignState, isNew: boolean): void {
		const { record } = campaign;
		const value = (type === 'voice' ? record.campaignStatus : record.status) ?? null;
		const status = JSON.stringify(value);
		if (known.status === status) return;
		if (known.status !== undefined || isNew || this.request.isSample === true) {
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

	/** Campaigns whose phone numbers are read: in a manual test, the latest that have started. */
	private toRead(campaigns: Campaign[]): Campaign[] {
		const { now, zone, isSample } = this.request;
		if (isSample !== true) return campaigns;
		const clock = wallClockOf(now, zone);
		const hasStarted = (campaign: Campaign) => isBefore(startOf(campaign), clock);
		return orderBy(campaigns, [hasStarted, startOf], ['desc', 'desc']).slice(0, SAMPLE_SIZE);
	}

	private async readNumbers(campaign: Campaign): Promise<void> {
		const known = this.state.voice.get(campaign.id);
		const { client, zone, now } = this.request;
		if (known === undefined || known.phase === 'closed') return;
		if (known.phase === 'finished' && Math.abs(now - (known.readAt ?? 0)) < RESTING_MS) return;
		const plan = (known.plan ??= planOf(await this.campaign('voice', campaign.id), zone));
		const origin = { ...this.origin, campaignId: campaign.id };
		const states = decodeStates(known.numbers);
		const path = `${PATHS.voice.single}/${pathSegment(campaign.id)}`;
		const from = known.phase === 'old' ? this.from : -Infinity;
		const changes = await this.read(numberList(client, path, PAGE_SIZE), states, (record, state) =>
			since(from, numberChange(record, state, plan, origin)),
		);
		known.numbers = encodeStates(states);
		known.readAt = now;
		// One that is missing for a moment may have another call.
		const isDone = changes.length === states.size && !changes.some(({ isOpen }) => isOpen);
		this.goOn(campaign, known, {
			isChanged: changes.some((change) => change.isChanged),
			isDone: isDone && changes.length > 0,
		});
	}

	/** Takes a campaign to its next phase after its phone numbers were read. */
	private goOn(
		campaign: Campaign,
		known: CampaignState,
		{ isChanged, isDone }: { isChanged: boolean; isDone: boolean },
	): void {
		const { now, isSample } = this.request;
		const { phase, closesAt = 0 } = known;
		const { endsAt = Infinity } = known.plan ?? {};
		if (phase === 'finished') {
			if (now >= closesAt) this.state.voice.set(campaign.id, inPhase('closed', known));
			return;
		}
		known.phase = 'running';
		const end = endsAt <= now ? 'scheduleOver' : isDone ? 'allNumbersDone' : undefined;
		if (end === undefined) return;
		const isReported = isSample === true || (phase === 'running' && !isChanged);
		if (isReported) this.reportEnd(campaign, end);
		// With a date to go back to, the next poll reports the end of an old campaign as well.
		if (!isReported && (phase === 'running' || this.from < Infinity)) return;
		known.phase = 'finished';
		known.closesAt = Math.max(now, known.plan?.endsAt ?? 0) + LATE_MS;
	}

	private reportEnd(campaign: Campaign, finishedBecause: string): void {
		const item = campaignEvent('campaignFinished', { type: 'voice', ...campaign }, '', {
			finishedBecause,
		});
		this.events.push({ item, moment: Infinity });
	}

	/** The list of SMS messages, unless only voice campaigns are selected. */
	private async readMessages(): Promise<void> {
		const { client, settings } = this.request;
		const { smsFilters, writtenFilters: filters, selected } = settings;
		if (!this.wants('smsStatus') || selected?.sms.length === 0) {
			// What happens while it is not read counts as known later.
			delete this.state.messages;
			return;
		}
		const stored = this.state.messages;
		const states = decodeStates(stored?.known);
		const campaignIds = selected && new Set(selected.sms.map((id) => id.toLowerCase()));
		const list = envelopeList(client, '/api/SMSMessages', PAGE_SIZE, smsFilters);
		await this.read(list, states, (message, state) => {
			const { dateCreated, campaignId } = message;
			if (isBefore(dateCreated, this.scope)) {
				states.delete(idOf(message));
				return undefined;
			}
			const change = messageChange(message, state, this.origin);
			const isSelected = campaignIds?.has(String(campaignId).toLowerCase()) !== false;
			// What other filters or more days add to the list counts as known.
			const wasInScope = stored?.filters === filters && !isBefore(dateCreated, stored.scope);
			const isOld = state === undefined && !wasInScope;
			return since(!isSelected ? Infinity : isOld ? this.from : -Infinity, change);
		});
		const scope = this.nextScope(stored?.scope);
		this.state.messages = { known: encodeStates(states), filters, scope };
	}

	private get origin() {
		const { client, zone } = this.request;
		return { clientId: client.settings.clientId, zone };
	}

	/** Reads a whole list, reports its changes and takes them into the states: one for each record. */
	private async read(
		list: ListRequest,
		states: RecordStates,
		changeOf: (record: IDataObject, state: string | undefined) => Change | undefined,
	): Promise<Change[]> {
		const limit = this.request.isSample === true ? PAGE_SIZE : undefined;
		const found = await readList({ ...list, limit }, (record) =>
			changeOf(record, states.get(idOf(record))),
		);
		const inScope = found.filter((change) => change !== undefined);
		const changes = [...new Map(inScope.map((change) => [change.id, change])).values()];
		for (const { id, state, events } of changes) {
			states.set(id, state);
			this.events.push(...events);
		}
		return changes;
	}
}

/** A change with its events from a moment on. One whose time is not known is not among them. */
function since(from: number, change: Change): Change {
	if (from === -Infinity) return change;
	return { ...change, events: change.events.filter(({ moment }) => moment >= from) };
}

/** A campaign without what is known of its phone numbers. */
function inPhase(phase: Phase, { start, status, changes }: CampaignState): CampaignState {
	return { phase, start, status, changes };
}

/** When a campaign starts, as the service writes it; empty where it does not. */
function startOf({ record }: Campaign): string {
	return String(record.startDate ?? record.startDateTime ?? '');
}
