import { min, partition, sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { passesFilters } from '../events/filters';
import { campaignEvent } from '../events/listEvents';
import { isBefore, wallClockOf } from '../times';
import { scheduleOf, type Schedule } from '../summary/campaignSchedule';
import { firstMessageTime, isShort, readSmsSummaries, readVoiceSummary } from '../summary/read';
import { mapConcurrently } from '../transport/concurrency';
import { envelopeList, numberList } from '../transport/listRequests';
import { readList } from '../transport/paginate';
import { readRecent } from '../transport/recent';
import type { ReadClient } from '../transport/request';
import type { Campaign, CampaignKind } from './campaigns';
import {
	campaignPath,
	campaignStatusOf,
	listPath,
	readCampaignRecord,
	toCampaign,
} from './campaigns';
import type { TimedEvent } from './changes';
import { isForgotten, messageChange, numberChange } from './changes';
import { afterMessages, afterNumbers, finishedEvent, type EndOfCampaign } from './finished';
import { readNumbers, takeChanges } from './numbers';
import { isTimeUp, withinTime } from './pollTime';
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
	/** Whether the time that n8n gives the poll is over. By default it never is. */
	isTimeUp?(): boolean;
}

/** What a poll found. */
export interface PollResult {
	/** Events, the earliest first. */
	items: IDataObject[];
	/** The state that the next poll starts from, once these items are handed over. */
	state: string;
	/** What could not be read; the next poll reads it again. */
	failures: Error[];
	/** Whether the time was up before everything was read. The next poll starts with the rest. */
	isCut: boolean;
	/** Whether the SMS messages are listed in no order, so that all of them had to be read. */
	isUnordered: boolean;
}

const DAY_MS = 86_400_000;

/** A finished campaign is not read more often. */
const RESTING_MS = 10 * 60_000;

const PAGE_SIZE = 1000;

/** In a manual test, results of each kind, and campaigns whose phone numbers are read. */
const SAMPLE_SIZE = 5;

/** Of how many campaigns that started before Days one poll asks whether they still run. */
const MAX_EARLIER_CAMPAIGNS = 100;

const CONCURRENT_CAMPAIGNS = 10;

const LISTS: readonly ListName[] = ['messages', 'voice', 'sms'];

/**
 * Reads what is in scope of each list, compares it with the state, and reports the differences. A list
 * that cannot be read keeps its state, so that the next poll finds its differences. Never throws for
 * a failed request: see `failures`.
 */
export async function pollService(request: PollRequest): Promise<PollResult> {
	return await new Poll(request).run();
}

class Poll {
	private readonly request: PollRequest;
	private readonly state: PollState;
	/** Now, and the time that is Days ago, as the service writes times. */
	private readonly serviceNow: string;
	private readonly daysStart: string;
	/** In the first poll: from when on records are new that have a time. */
	private readonly startFrom: string | undefined;
	private readonly events: TimedEvent[] = [];
	private readonly failures: Error[] = [];
	private isCut = false;
	private isUnordered = false;

	constructor(request: PollRequest) {
		const { account, settings, zone, now, isSample, isTimeUp: isUp = () => false } = request;
		const known = readState(request.state, account);
		// In a manual test, everything is new.
		const since = isSample === true ? '' : undefined;
		this.request = { ...request, client: withinTime(request.client, isUp) };
		this.startFrom = known === undefined ? settings.startFrom : undefined;
		this.state = known ?? {
			account,
			voice: new Map(),
			sms: new Map(),
			filters: settings.writtenFilters,
			newSince: { voice: since, sms: since, messages: since },
		};
		this.serviceNow = wallClockOf(now, zone);
		this.daysStart = wallClockOf(now - settings.days * DAY_MS, zone);
	}

	async run(): Promise<PollResult> {
		const { state, failures } = this;
		const start = Math.max(0, LISTS.indexOf(state.first ?? 'messages'));
		const lists = [...LISTS.slice(start), ...LISTS.slice(0, start)];
		const cut: ListName[] = [];
		for (const list of lists) {
			this.isCut = false;
			await this.attempt(async () => await this.read(list));
			if (this.isCut) cut.push(list);
		}
		// One that had all of the time lets the next one go first.
		const [first] = cut;
		state.first = first === lists[0] ? (cut[1] ?? first) : first;
		return {
			items: this.items(),
			state: writeState(state),
			failures,
			isCut: cut.length > 0,
			isUnordered: this.isUnordered,
		};
	}

	private async read(list: ListName): Promise<void> {
		if (list === 'messages') await this.readMessages();
		else if (list === 'voice') await this.readVoiceCampaigns();
		else await this.readSmsCampaigns();
	}

	/** The selected events; in a manual test, the latest of each kind. */
	private items(): IDataObject[] {
		const { client, isSample, settings } = this.request;
		const { defaultCountry } = client.settings;
		const items = sortBy(this.events, ({ moment }) => moment).map(({ item }) => item);
		const kinds: readonly unknown[] = settings.events;
		const selected = items.filter(
			(item) => kinds.includes(item.event) && passesFilters(item, settings.filters, defaultCountry),
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
			if (isTimeUp(error)) this.isCut = true;
			else this.failures.push(error as Error);
		}
	}

	private wants(...events: PollEvent[]): boolean {
		return events.some((event) => this.request.settings.events.includes(event));
	}

	private get origin() {
		const { client, settings, zone } = this.request;
		const { clientId, defaultCountry: country } = client.settings;
		return { clientId, zone, country, selected: settings.events };
	}

	/** Whether a record that is not known has come since the list was read before. */
	private isNew(list: ListName, time: unknown): boolean {
		const { [list]: since } = this.state.newSince;
		if (since !== undefined) return !isBefore(time, since);
		if (this.startFrom === undefined || typeof time !== 'string') return false;
		return time >= this.startFrom && !isBefore(time, this.daysStart);
	}

	/**
	 * All that is in scope of a list was read. More days take nothing back: what is older and listed
	 * late was there before. A time that is yet to come is of a clock that was wrong.
	 */
	private noteRead(list: ListName): void {
		const { newSince } = this.state;
		const { [list]: before = '' } = newSince;
		const isKept = before > this.daysStart && before < this.serviceNow;
		newSince[list] = isKept ? before : this.daysStart;
	}

	private async readVoiceCampaigns(): Promise<void> {
		const readsNumbers = this.wants('callAttempted', 'smsStatus', 'campaignFinished');
		const campaigns = await this.readCampaigns('voice', readsNumbers ? 'running' : 'baseline');
		if (!readsNumbers) return;
		for (const campaign of this.toRead(campaigns)) {
			await this.attempt(async () => await this.readNumbers(campaign));
		}
	}

	private async readSmsCampaigns(): Promise<void> {
		const { state } = this;
		const endsWanted = this.wants('campaignFinished');
		if (!endsWanted && !this.wants('campaignStatus')) {
			state.newSince.sms = undefined;
			return;
		}
		const campaigns = await this.readCampaigns('sms', endsWanted ? 'running' : 'baseline');
		if (!endsWanted) return;
		const open = this.toRead(campaigns).filter(({ id }) => state.sms.get(id)?.phase !== 'closed');
		if (open.length > 0) await this.readEnds(open);
	}

	/** Reports which SMS campaigns are over. */
	private async readEnds(campaigns: readonly Campaign[]): Promise<void> {
		const { client, zone } = this.request;
		const starts = campaigns.map(({ record }) => firstMessageTime(record, zone));
		const since = starts.includes(undefined) ? undefined : min([this.daysStart, ...starts]);
		let summaries = await readSmsSummaries(client, PAGE_SIZE, {}, since);
		for (const campaign of campaigns) {
			const known = this.state.sms.get(campaign.id);
			if (known === undefined) continue;
			const { id, record } = campaign;
			const next = () => {
				const figures = summaries.of(id, record.recipientCount);
				return { figures, ...afterMessages(known, campaign, figures, this.request) };
			};
			let { figures, finishedBecause, phase } = next();
			if (phase === 'closed' && isShort(figures, record) && summaries.since !== undefined) {
				// Some of its messages may be older.
				summaries = await readSmsSummaries(client, PAGE_SIZE, {});
				({ figures, finishedBecause, phase } = next());
			}
			if (finishedBecause !== undefined) this.reportEnd(campaign, finishedBecause, figures);
			known.phase = phase;
		}
	}

	/**
	 * Reads the campaigns in scope, and reports their statuses.
	 * @param newPhase the phase of a new campaign
	 */
	private async readCampaigns(kind: CampaignKind, newPhase: Phase): Promise<Campaign[]> {
		const { [kind]: known, newSince } = this.state;
		const ids = this.request.settings.selected?.[kind];
		const campaigns = await (ids ? this.campaignsById(kind, ids) : this.recentCampaigns(kind));
		const listed = new Set(ids);
		for (const campaign of campaigns) {
			const { id, start, schedule } = campaign;
			listed.add(id);
			const isNew = !known.has(id) && this.isNew(kind, start);
			const state: CampaignState = {
				phase: isNew ? newPhase : 'baseline',
				...known.get(id),
				start,
			};
			if (schedule !== undefined) state.schedule = schedule;
			known.set(id, state);
			this.reportStatus(campaign, state, isNew);
		}
		// One that the list lacks for a while is not a new one when it is listed again.
		for (const [id, state] of known) {
			if (!listed.has(id) && !this.isInScope(state)) known.delete(id);
		}
		if (ids === undefined) this.noteRead(kind);
		else newSince[kind] = undefined;
		return campaigns;
	}

	/** Campaigns of the last days, and voice campaigns that started before and are still called. */
	private async recentCampaigns(kind: CampaignKind): Promise<Campaign[]> {
		const { client, zone } = this.request;
		const records = await readList(envelopeList(client, listPath(kind), PAGE_SIZE));
		const campaigns = records.map((record) => toCampaign(kind, String(record.id), record, zone));
		const [recent, earlier] = partition(campaigns, ({ id, start }) =>
			this.isInScope({ ...this.state[kind].get(id), start }),
		);
		return kind === 'sms' ? recent : [...recent, ...(await this.stillCalled(earlier))];
	}

	/**
	 * Voice campaigns that started before Days and whose calls end within them. Each is asked once: when
	 * it is new to the trigger, and before it is forgotten.
	 */
	private async stillCalled(earlier: readonly Campaign[]): Promise<Campaign[]> {
		const { client, zone, isSample } = this.request;
		const { voice: known, newSince } = this.state;
		if (isSample === true) return [];
		const asked = earlier.filter(
			({ id, start }) => known.has(id) || !isBefore(start, newSince.voice ?? ''),
		);
		const latest = sortBy(asked, 'start').slice(-MAX_EARLIER_CAMPAIGNS);
		const campaigns = await mapConcurrently(latest, CONCURRENT_CAMPAIGNS, async (campaign) => {
			let schedule: Schedule | undefined;
			await this.attempt(async () => {
				schedule = scheduleOf(await readCampaignRecord(client, 'voice', campaign.id), zone);
			});
			return { ...campaign, schedule };
		});
		// One that could not be read is asked again.
		return campaigns.filter(
			({ id, start, schedule }) =>
				schedule === undefined || this.isInScope({ ...known.get(id), start, schedule }),
		);
	}

	private async campaignsById(kind: CampaignKind, ids: readonly string[]): Promise<Campaign[]> {
		const { client, zone } = this.request;
		const campaigns = await mapConcurrently(ids, CONCURRENT_CAMPAIGNS, async (id) => {
			let campaign: Campaign | undefined;
			await this.attempt(async () => {
				const record = await readCampaignRecord(client, kind, id);
				const schedule = kind === 'voice' ? scheduleOf(record, zone) : undefined;
				campaign = { ...toCampaign(kind, id, record, zone), schedule };
			});
			return campaign;
		});
		return campaigns.filter((campaign) => campaign !== undefined);
	}

	/** Whether a campaign starts within the days in scope, its calls end within them, or its end is to be reported. */
	private isInScope({ start, schedule, phase }: Partial<CampaignState>): boolean {
		const { now, settings } = this.request;
		if (phase === 'running' && this.wants('campaignFinished')) return true;
		return (
			!isBefore(start, this.daysStart) || (schedule?.endsAt ?? 0) >= now - settings.days * DAY_MS
		);
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

	/**
	 * Campaigns whose phone numbers are read, those first that were not read for the longest time. In a
	 * manual test, the latest that have started.
	 */
	private toRead(campaigns: Campaign[]): Campaign[] {
		const { voice } = this.state;
		if (this.request.isSample !== true)
			return sortBy(campaigns, ({ id }) => voice.get(id)?.readAt ?? 0);
		const hasStarted = ({ start }: Campaign) => isBefore(start, this.serviceNow);
		return sortBy(campaigns, [hasStarted, 'start']).slice(-SAMPLE_SIZE);
	}

	/** What a campaign is going to do. Its end may be put off: once it is reached, it is read again. */
	private async currentSchedule(
		campaign: Campaign,
		{ schedule, phase }: CampaignState,
	): Promise<Schedule> {
		const { client, now, zone } = this.request;
		const isOver = (schedule?.endsAt ?? Infinity) <= now;
		const isCurrent = campaign.schedule !== undefined || phase === 'finished' || !isOver;
		if (schedule !== undefined && isCurrent) return schedule;
		return scheduleOf(await readCampaignRecord(client, 'voice', campaign.id), zone);
	}

	private async readNumbers(campaign: Campaign): Promise<void> {
		const known = this.state.voice.get(campaign.id);
		const { client, now, isSample } = this.request;
		if (known === undefined || known.phase === 'closed') return;
		const isResting = Math.abs(now - (known.readAt ?? 0)) < RESTING_MS;
		if (known.phase === 'finished' && isResting && known.reading === undefined) return;
		const schedule = (known.schedule = await this.currentSchedule(campaign, known));
		const origin = { ...this.origin, campaignId: campaign.id };
		const isReported = known.phase !== 'baseline';
		const path = campaignPath('voice', campaign.id);
		const list = { ...numberList(client, path, PAGE_SIZE), limit: this.limit };
		const { events, isCut, isChanged, isDone } = await readNumbers(list, known, (record, state) =>
			numberChange(record, state, { schedule, origin, isReported }),
		);
		this.events.push(...events);
		if (isCut) {
			this.isCut = true;
			return;
		}
		const { finishedBecause, ...next } = afterNumbers(known, now, {
			// The rest may be listed in a moment, for which a manual test does not wait.
			isChanged: isSample !== true && isChanged,
			isDone,
		});
		if (finishedBecause !== undefined && this.wants('campaignFinished')) {
			const figures = await readVoiceSummary(client, path, { schedule, now, pageSize: PAGE_SIZE });
			this.reportEnd(campaign, finishedBecause, figures);
		}
		known.readAt = now;
		Object.assign(known, next);
		if (next.phase === 'closed') delete known.numbers;
	}

	private reportEnd(campaign: Campaign, because: EndOfCampaign, figures: IDataObject): void {
		const { currency } = this.request.client.settings;
		const item = finishedEvent(campaign, because, figures, currency);
		this.events.push({ item, moment: Infinity });
	}

	/** In a manual test, a part of each list is enough. */
	private get limit(): number | undefined {
		return this.request.isSample === true ? PAGE_SIZE : undefined;
	}

	/** The list of SMS messages, unless only voice campaigns are selected. */
	private async readMessages(): Promise<void> {
		const { state } = this;
		const { client, settings } = this.request;
		const { smsFilters, writtenFilters, selected } = settings;
		const isRead = this.wants('smsStatus') && selected?.sms.length !== 0;
		// What other filters add to the list counts as known.
		if (!isRead || state.filters !== writtenFilters) state.newSince.messages = undefined;
		if (!isRead) return;
		state.filters = writtenFilters;
		const states = decodeStates(state.messages);
		const [today, firstDay] = [this.serviceNow.slice(0, 10), this.daysStart.slice(0, 10)];
		const campaignIds = selected && new Set(selected.sms.map((id) => id.toLowerCase()));
		const list = envelopeList(client, '/api/SMSMessages', PAGE_SIZE, smsFilters);
		const recent = { ...list, keyOf: idOf, since: this.daysStart, limit: this.limit };
		const { records, isOrdered } = await readRecent(recent, (message) => {
			const { dateCreated, campaignId } = message;
			const known = states.get(idOf(message));
			if (isBefore(dateCreated, this.daysStart)) {
				states.delete(idOf(message));
				return undefined;
			}
			const isSelected = campaignIds?.has(String(campaignId).toLowerCase()) !== false;
			const isReported = isSelected && (known !== undefined || this.isNew('messages', dateCreated));
			return messageChange(message, known, { origin: this.origin, isReported, today });
		});
		const changes = records.filter((change) => change !== undefined);
		this.events.push(...takeChanges(changes, states));
		this.isUnordered = !isOrdered;
		// One that the list lacks for a while is not a new one when it is listed again.
		for (const [id, messageState] of states) {
			if (isForgotten(messageState, firstDay)) states.delete(id);
		}
		state.messages = encodeStates(states);
		this.noteRead('messages');
	}
}
