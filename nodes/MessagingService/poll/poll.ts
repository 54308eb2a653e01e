import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { passesFilters } from '../events/filters';
import { campaignEvent } from '../events/listEvents';
import { isBefore, wallClockOf } from '../events/times';
import { scheduleOf, type Schedule } from '../summary/campaignSchedule';
import { readSmsSummaries, readVoiceSummary } from '../summary/read';
import { envelopeList, numberList, readList, type ListRequest } from '../transport/paginate';
import type { ReadClient } from '../transport/request';
import type { Campaign, CampaignKind } from './campaigns';
import {
	campaignPath,
	campaignStatusOf,
	listPath,
	readCampaignRecord,
	toCampaign,
} from './campaigns';
import type { Change, TimedEvent } from './changes';
import { isForgotten, messageChange, numberChange } from './changes';
import { afterMessages, afterNumbers, finishedEvent, type EndOfCampaign } from './finished';
import type { RecordStates } from './recordStates';
import { decodeStates, encodeStates, idOf } from './recordStates';
import type { PollEvent, PollSettings } from './settings';
import type { CampaignState, ListName, Phase, PollState } from './state';
import { readState, writeState } from './state';

/** One poll of the service. */
export interface PollRequest {
	client: ReadClient;
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

const DAY_MS = 86_400_000;

/** A finished campaign is not read more often. */
const RESTING_MS = 10 * 60_000;

const PAGE_SIZE = 1000;

/** In a manual test, results of each kind, and campaigns whose phone numbers are read. */
const SAMPLE_SIZE = 5;

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
	/** Now, and the time before which nothing is in scope, as the service writes times. */
	private readonly clock: string;
	private readonly scope: string;
	/** In the first poll: from when on records are new that have a time. */
	private readonly startFrom: string | undefined;
	private readonly events: TimedEvent[] = [];
	private readonly failures: Error[] = [];

	constructor(request: PollRequest) {
		const { account, settings, zone, now, isSample } = request;
		const known = readState(request.state, account);
		// In a manual test, everything is new.
		const scope = isSample === true ? '' : undefined;
		this.request = request;
		this.startFrom = known === undefined ? settings.startFrom : undefined;
		this.state = known ?? {
			account,
			voice: new Map(),
			sms: new Map(),
			filters: settings.writtenFilters,
			scopes: { voice: scope, sms: scope, messages: scope },
		};
		this.clock = wallClockOf(now, zone);
		this.scope = wallClockOf(now - settings.days * DAY_MS, zone);
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
		const selected = items.filter(
			(item) => kinds.includes(item.event) && passesFilters(item, settings.filters),
		);
		if (isSample !== true) return selected;
		return kinds.flatMap((kind) =>
			selected.filter(({ event }) => event === kind).slice(-SAMPLE_SIZE),
		);
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

	private get origin() {
		const { client, settings, zone } = this.request;
		return { clientId: client.settings.clientId, zone, selected: settings.events };
	}

	/** Whether a record that is not known has come since the list was read before. */
	private isNew(list: ListName, time: unknown): boolean {
		const { [list]: scope } = this.state.scopes;
		if (scope !== undefined) return !isBefore(time, scope);
		return this.startFrom !== undefined && typeof time === 'string' && time >= this.startFrom;
	}

	/**
	 * A list was read whole. More days take nothing back: what is older and listed late was there
	 * before. A scope that is yet to come is of a clock that was wrong.
	 */
	private noteWhole(list: ListName): void {
		const { scopes } = this.state;
		const { [list]: stored = '' } = scopes;
		scopes[list] = stored > this.scope && stored < this.clock ? stored : this.scope;
	}

	private async readVoiceCampaigns(): Promise<void> {
		const readsNumbers = this.wants('callAttempted', 'smsStatus', 'campaignFinished');
		const campaigns = await this.readCampaigns('voice', readsNumbers ? 'running' : 'old');
		if (!readsNumbers) return;
		for (const campaign of this.toRead(campaigns)) {
			await this.attempt(async () => await this.readNumbers(campaign));
		}
	}

	private async readSmsCampaigns(): Promise<void> {
		const { state } = this;
		const endsWanted = this.wants('campaignFinished');
		if (!endsWanted && !this.wants('campaignStatus')) {
			state.scopes.sms = undefined;
			return;
		}
		const campaigns = await this.readCampaigns('sms', endsWanted ? 'running' : 'old');
		if (!endsWanted) return;
		const open = this.toRead(campaigns).filter(({ id }) => state.sms.get(id)?.phase !== 'closed');
		if (open.length === 0) return;
		const summaryOf = await readSmsSummaries(this.request.client, PAGE_SIZE, {});
		for (const campaign of open) {
			const known = state.sms.get(campaign.id);
			if (known === undefined) continue;
			const figures = summaryOf(campaign.id, campaign.record.recipientCount);
			const { finishedBecause, ...next } = afterMessages(known, campaign, figures, this.request);
			if (finishedBecause !== undefined) this.reportEnd(campaign, finishedBecause, figures);
			Object.assign(known, next);
		}
	}

	/**
	 * Reads the campaigns in scope, and reports their statuses.
	 * @param newPhase the phase of a new campaign
	 */
	private async readCampaigns(kind: CampaignKind, newPhase: Phase): Promise<Campaign[]> {
		const { [kind]: known, scopes } = this.state;
		const ids = this.request.settings.selected?.[kind];
		const campaigns = await (ids ? this.campaignsById(kind, ids) : this.recentCampaigns(kind));
		for (const campaign of campaigns) {
			const { id, start } = campaign;
			const isNew = !known.has(id) && this.isNew(kind, start);
			const state = { phase: isNew ? newPhase : 'old', ...known.get(id), start };
			known.set(id, state);
			this.reportStatus(campaign, state, isNew);
		}
		// One that the list lacks for a while is not a new one when it is listed again.
		for (const [id, state] of known) {
			if (ids?.includes(id) !== true && !this.isInScope(state)) known.delete(id);
		}
		if (ids === undefined) this.noteWhole(kind);
		else scopes[kind] = undefined;
		return campaigns;
	}

	/** Campaigns of the last days. */
	private async recentCampaigns(kind: CampaignKind): Promise<Campaign[]> {
		const { client, zone } = this.request;
		const records = await readList(envelopeList(client, listPath(kind), PAGE_SIZE));
		return records
			.map((record) => toCampaign(kind, String(record.id), record, zone))
			.filter(({ id, start }) => this.isInScope({ ...this.state[kind].get(id), start }));
	}

	private async campaignsById(kind: CampaignKind, ids: readonly string[]): Promise<Campaign[]> {
		const { client, zone } = this.request;
		const campaigns: Campaign[] = [];
		for (const id of ids) {
			await this.attempt(async () => {
				campaigns.push(toCampaign(kind, id, await readCampaignRecord(client, kind, id), zone));
			});
		}
		return campaigns;
	}

	/** Whether a campaign starts within the days in scope, its calls end within them, or its end is to be reported. */
	private isInScope({ start, schedule, phase }: Partial<CampaignState>): boolean {
		const { now, settings } = this.request;
		if (phase === 'running' && this.wants('campaignFinished')) return true;
		return !isBefore(start, this.scope) || (schedule?.endsAt ?? 0) >= now - settings.days * DAY_MS;
	}

	/** Campaign Status: a new campaign, or another integer than when it was last read. */
	private reportStatus(campaign: Campaign, known: CampaignState, isNew: boolean): void {
		const campaignStatus = campaignStatusOf(campaign);
		const status = JSON.stringify(campaignStatus);
		if (known.status === status) return;
		if (known.status !== undefined || isNew) {
			known.changes = (known.changes ?? 0) + 1;
			const previous = JSON.parse(known.status ?? 'null') as number | null;
			const what = [`${String(previous)}-${String(campaignStatus)}`, String(known.changes)];
			const details = { campaignStatus, previousCampaignStatus: previous };
			const item = campaignEvent('campaignStatus', campaign, what, details);
			this.events.push({ item, moment: Infinity });
		}
		known.status = status;
	}

	/** Campaigns whose phone numbers are read: in a manual test, the latest that have started. */
	private toRead(campaigns: Campaign[]): Campaign[] {
		if (this.request.isSample !== true) return campaigns;
		const hasStarted = ({ start }: Campaign) => isBefore(start, this.clock);
		return sortBy(campaigns, [hasStarted, 'start']).slice(-SAMPLE_SIZE);
	}

	/** What a campaign is going to do. Its end may be put off: once it is reached, it is read again. */
	private async currentSchedule(
		{ id }: Campaign,
		{ schedule, phase }: CampaignState,
	): Promise<Schedule> {
		const { client, now, zone } = this.request;
		const isOver = (schedule?.endsAt ?? Infinity) <= now;
		if (schedule !== undefined && (phase === 'finished' || !isOver)) return schedule;
		return scheduleOf(await readCampaignRecord(client, 'voice', id), zone);
	}

	private async readNumbers(campaign: Campaign): Promise<void> {
		const known = this.state.voice.get(campaign.id);
		const { client, now, isSample } = this.request;
		if (known === undefined || known.phase === 'closed') return;
		if (known.phase === 'finished' && Math.abs(now - (known.readAt ?? 0)) < RESTING_MS) return;
		const schedule = (known.schedule = await this.currentSchedule(campaign, known));
		const origin = { ...this.origin, campaignId: campaign.id };
		const isReported = known.phase !== 'old';
		const states = decodeStates(known.numbers);
		const path = campaignPath('voice', campaign.id);
		const list = numberList(client, path, PAGE_SIZE);
		const changes = await this.read(list, states, (record, state) =>
			numberChange(record, state, { schedule, origin, isReported }),
		);
		known.numbers = encodeStates(states);
		known.readAt = now;
		// One that is missing for a moment may have another call.
		const isWhole = changes.length > 0 && changes.length === states.size;
		const { finishedBecause, ...next } = afterNumbers(known, now, {
			// The rest may be listed in a moment, for which a manual test does not wait.
			isChanged: isSample !== true && changes.some((change) => change.isChanged),
			isDone: isWhole && !changes.some(({ isOpen }) => isOpen),
		});
		if (finishedBecause !== undefined && this.wants('campaignFinished')) {
			const figures = await readVoiceSummary(client, path, { schedule, now, pageSize: PAGE_SIZE });
			this.reportEnd(campaign, finishedBecause, figures);
		}
		Object.assign(known, next);
		if (next.phase === 'closed') delete known.numbers;
	}

	private reportEnd(campaign: Campaign, because: EndOfCampaign, figures: IDataObject): void {
		this.events.push({ item: finishedEvent(campaign, because, figures), moment: Infinity });
	}

	/** The list of SMS messages, unless only voice campaigns are selected. */
	private async readMessages(): Promise<void> {
		const { state } = this;
		const { client, settings } = this.request;
		const { smsFilters, writtenFilters, selected } = settings;
		const isRead = this.wants('smsStatus') && selected?.sms.length !== 0;
		// What other filters add to the list counts as known.
		if (!isRead || state.filters !== writtenFilters) state.scopes.messages = undefined;
		if (!isRead) return;
		state.filters = writtenFilters;
		const states = decodeStates(state.messages);
		const [today, firstDay] = [this.clock.slice(0, 10), this.scope.slice(0, 10)];
		const campaignIds = selected && new Set(selected.sms.map((id) => id.toLowerCase()));
		const list = envelopeList(client, '/api/SMSMessages', PAGE_SIZE, smsFilters);
		await this.read(list, states, (message, known) => {
			const { dateCreated, campaignId } = message;
			if (isBefore(dateCreated, this.scope)) {
				states.delete(idOf(message));
				return undefined;
			}
			const isSelected = campaignIds?.has(String(campaignId).toLowerCase()) !== false;
			const isReported = isSelected && (known !== undefined || this.isNew('messages', dateCreated));
			return messageChange(message, known, { origin: this.origin, isReported, today });
		});
		// One that the list lacks for a while is not a new one when it is listed again.
		for (const [id, messageState] of states) {
			if (isForgotten(messageState, firstDay)) states.delete(id);
		}
		state.messages = encodeStates(states);
		this.noteWhole('messages');
	}

	/** Reads a whole list, reports its changes and takes them into the states. */
	private async read(
		list: ListRequest,
		states: RecordStates,
		changeOf: (record: IDataObject, state: string | undefined) => Change | undefined,
	): Promise<Change[]> {
		const limit = this.request.isSample === true ? PAGE_SIZE : undefined;
		const found = await readList({ ...list, keyOf: idOf, limit }, (record) =>
			changeOf(record, states.get(idOf(record))),
		);
		const changes = found.filter((change) => change !== undefined);
		for (const { id, state, events } of changes) {
			states.set(id, state);
			this.events.push(...events);
		}
		return changes;
	}
}
