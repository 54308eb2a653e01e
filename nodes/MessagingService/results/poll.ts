import orderBy from 'lodash/orderBy';
import sortBy from 'lodash/sortBy';
import type { IDataObject } from 'n8n-workflow';
import type { ServiceClient } from '../transport/request';
import { planOf } from './campaignPlan';
import type { Campaign } from './campaignScope';
import {
	getCampaign,
	listCampaigns,
	SMS_CAMPAIGNS,
	startedBefore,
	VOICE_CAMPAIGNS,
} from './campaignScope';
import type { CompletedReading, ListReading, ListSource } from './listCursor';
import { newCursor, readOn } from './listCursor';
import type { NumberEvents, PollSettings } from './pollSettings';
import { numberEvents } from './pollSettings';
import type { PollState, SmsCampaignState, VoiceCampaignState } from './pollState';
import { readState, writeState } from './pollState';
import { decodeStates } from './recordStates';
import { campaignEvent } from './resultEvents';
import type { TimedEvent } from './resultLists';
import { hasOpenSms, messageResults, numberResults } from './resultLists';
import { wallClockOf } from './times';

/** One poll of the service. */
export interface PollRequest {
	client: ServiceClient;
	settings: PollSettings;
	/** IANA zone of the service's times without designator. */
	zone: string;
	/** Milliseconds since 1970. */
	now(): number;
	/** The state that the poll before gave; undefined for the first poll. */
	state: string | undefined;
	/** A manual test: the status of each campaign is reported, changed or not. */
	isSample?: boolean;
}

/** What a poll found. */
export interface PollResult {
	/** Events, the earliest first. */
	items: IDataObject[];
	/** The state that the next poll starts from, once these items are handed over. */
	state: string;
	/** What could not be read; the next poll reads it on from where it stopped. */
	failures: unknown[];
}

const DAY_MS = 86_400_000;

/** How long the SMS of a finished campaign may still get their final status. */
const SMS_WAIT_MS = 3 * DAY_MS;

/** How long after its schedule a campaign may still list calls: one may have been in progress. */
const CALL_WAIT_MS = DAY_MS;

/** How long a campaign that the list lacks is remembered: a service may leave it out for a while. */
const UNLISTED_MS = 3 * DAY_MS;

/** A campaign that has finished is read in one poll of so many, until nothing more can come. */
const RESTING_POLLS = 10;

/** Reads what is new. Never throws for a failed request: see `failures`. */
export async function pollService(request: PollRequest): Promise<PollResult> {
	return await new Poll(request).run();
}

/** A list that is to be read on, and the poll in which it was last read to the end. */
interface Task {
	turn: number;
	/** What was there before is still being read. */
	isBaseline: boolean;
	run(): Promise<void>;
}

class Poll {
	private readonly events: TimedEvent[] = [];

	private readonly failures: unknown[] = [];

	private readonly state: PollState;

	private readonly startedAt: number;

	private readonly request: PollRequest;

	private readonly wanted: NumberEvents | undefined;

	constructor(request: PollRequest) {
		this.request = request;
		this.state = readState(request.state, request.settings);
		this.startedAt = request.now();
		this.wanted = numberEvents(request.settings);
	}

	async run(): Promise<PollResult> {
		this.state.polls++;
		const voice = await this.attempt(async () => await this.findVoiceCampaigns());
		const sms = await this.attempt(async () => await this.findSmsCampaigns());
		for (const campaign of sms ?? []) this.reportStatus('sms', campaign, this.smsState(campaign));
		const tasks = (voice ?? []).flatMap((campaign) => this.takeVoiceCampaign(campaign));
		if (this.wants('smsStatus')) tasks.push(this.messagesTask());
		if (this.failures.length === 0) this.state.isSettled = true;
		await this.runTasks(tasks);
		return {
			items: sortBy(this.events, ({ moment }) => moment).map(({ item }) => item),
			state: writeState(this.state),
			failures: this.failures,
		};
	}

	/** Runs what was not read to the end for the longest time first, until a limit is reached. */
	private async runTasks(tasks: Task[]) {
		tasks.sort((a, b) => a.turn - b.turn);
		for (const [position, task] of tasks.entries()) {
			if (this.room <= 0 || (position > 0 && this.isOver(task.isBaseline))) return;
			await this.attempt(async () => {
				await task.run();
			});
		}
	}

	private async attempt<Result>(task: () => Promise<Result>): Promise<Result | undefined> {
		try {
			return await task();
		} catch (error) {
			this.failures.push(error);
			return undefined;
		}
	}

	private get room() {
		return this.request.settings.maxItems - this.events.length;
	}

	/** Whether the time is over. A baseline gets more: what happens meanwhile would be part of it. */
	private isOver(isBaseline = false) {
		const { now, settings } = this.request;
		const budget = isBaseline ? settings.baselineBudgetMs : settings.budgetMs;
		return now() - this.startedAt >= budget;
	}

	private wants(event: PollSettings['events'][number]) {
		return this.request.settings.events.includes(event);
	}

	/** A time as the service writes it, before which nothing is in scope. */
	private get scopeStart() {
		const { settings, zone } = this.request;
		return wallClockOf(this.startedAt - settings.days * DAY_MS, zone);
	}

	private async findVoiceCampaigns(): Promise<Campaign[]> {
		if (this.wanted === undefined && !this.wants('campaignStatus')) return [];
		const { client, settings } = this.request;
		const { voice } = this.state;
		if (settings.selected !== undefined) {
			keepOnly(voice, settings.selected.voice);
			return await this.getCampaigns(VOICE_CAMPAIGNS, settings.selected.voice);
		}
		const all = newestFirst(await listCampaigns(client, VOICE_CAMPAIGNS, settings.pageSize));
		const start = this.scopeStart;
		const inScope = all.filter((campaign) => {
			const known = voice.get(campaign.id);
			// One that is still running stays in scope, however long ago it started.
			const isRunning = known?.numbers !== undefined && !this.isLongOver(known);
			return isRunning || !startedBefore(campaign, start);
		});
		this.forget(voice, all, inScope);
		return inScope;
	}

	private isLongOver({ plan }: VoiceCampaignState) {
		const { days } = this.request.settings;
		return plan?.endsAt !== undefined && plan.endsAt + days * DAY_MS < this.startedAt;
	}

	private async findSmsCampaigns(): Promise<Campaign[]> {
		if (!this.wants('campaignStatus')) return [];
		const { client, settings } = this.request;
		if (settings.selected !== undefined) {
			keepOnly(this.state.sms, settings.selected.sms);
			return await this.getCampaigns(SMS_CAMPAIGNS, settings.selected.sms);
		}
		const all = await listCampaigns(client, SMS_CAMPAIGNS, settings.pageSize);
		const inScope = all.filter((campaign) => !startedBefore(campaign, this.scopeStart));
		this.forget(this.state.sms, all, inScope);
		return inScope;
	}

	/** Forgets campaigns that are listed but not in scope, and those not listed for long. */
	private forget(
		known: Map<string, SmsCampaignState>,
		all: readonly Campaign[],
		inScope: readonly Campaign[],
	) {
		const [listed, wanted] = [idsOf(all), idsOf(inScope)];
		for (const [id, state] of known) {
			if (wanted.has(id)) {
				delete state.unlistedSince;
			} else if (listed.has(id)) {
				known.delete(id);
			} else {
				state.unlistedSince ??= this.startedAt;
				if (this.startedAt - state.unlistedSince >= UNLISTED_MS) known.delete(id);
			}
		}
	}

	/** Campaigns by their IDs; one that cannot be read does not keep the others from being read. */
	private async getCampaigns(kind: typeof VOICE_CAMPAIGNS, ids: readonly string[]) {
		const campaigns: Campaign[] = [];
		for (const id of ids) {
			const campaign = await this.attempt(
				async () => await getCampaign(this.request.client, kind, id),
			);
			if (campaign !== undefined) campaigns.push(campaign);
		}
		return campaigns;
	}

	private smsState({ id }: Campaign): SmsCampaignState {
		const known = this.state.sms.get(id) ?? {};
		this.state.sms.set(id, known);
		return known;
	}

	private takeVoiceCampaign(campaign: Campaign): Task[] {
		const { voice, isSettled } = this.state;
		const known = voice.get(campaign.id) ?? (isSettled ? {} : { isOld: true });
		voice.set(campaign.id, known);
		this.reportStatus('voice', campaign, known);
		const { wanted } = this;
		if (wanted === undefined || known.isOver === true || this.isResting(known)) return [];
		const run = async () => {
			await this.readNumbers(campaign, known, wanted);
		};
		const { isBaseline = false } = known.numbers ?? { isBaseline: known.isOld };
		return [{ turn: known.turn ?? 0, isBaseline, run }];
	}

	private isResting({ isResting = false, turn = 0 }: VoiceCampaignState) {
		return isResting && this.state.polls - turn < RESTING_POLLS;
	}

	/** Campaign Status: the integer is another one than when it was last read. */
	private reportStatus(type: 'voice' | 'sms', campaign: Campaign, known: SmsCampaignState) {
		const { record } = campaign;
		const value = (type === 'voice' ? record.campaignStatus : record.status) ?? null;
		const status = JSON.stringify(value);
		if (known.status === status) return;
		const isReported = known.status !== undefined || this.request.isSample === true;
		if (isReported && this.wants('campaignStatus')) {
			if (this.room <= 0) return;
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

	private get resultOptions() {
		const { client, settings, zone } = this.request;
		const { pageSize, startFrom } = settings;
		const origin = { clientId: client.settings.clientId, zone };
		return { client, pageSize, startFrom, origin };
	}

	private async read(
		cursor: ListReading<TimedEvent>['cursor'],
		source: ListSource<TimedEvent>,
	): Promise<ListReading<TimedEvent>> {
		const isOver = () => this.isOver(cursor.isBaseline);
		const reading = await readOn(cursor, source, { room: this.room, isOver });
		if (reading.failure !== undefined) this.failures.push(reading.failure);
		for (const event of reading.events) {
			this.events.push(event);
			if (event.moment > this.state.latest) this.state.latest = event.moment;
		}
		return reading;
	}

	private async readNumbers(campaign: Campaign, known: VoiceCampaignState, wanted: NumberEvents) {
		const { client, zone } = this.request;
		const { id } = campaign;
		known.plan ??= planOf((await getCampaign(client, VOICE_CAMPAIGNS, id)).record, zone);
		const cursor = known.numbers ?? newCursor(known.isOld === true);
		const source = numberResults(id, known.plan, wanted, this.resultOptions);
		const { completed, cursor: next } = await this.read(cursor, source);
		known.numbers = next;
		if (completed === undefined || next.isBaseline === true) return;
		known.turn = this.state.polls;
		const { missing, hasMoved, hasChanges } = completed;
		// Missing in two readings in a row, without any record on two pages: removed by the service.
		const isWhole = !hasMoved && (missing === 0 || missing === known.missing);
		known.missing = hasMoved || missing === 0 ? undefined : missing;
		const end = this.endOf(known, completed);
		if (cursor.isBaseline === true) {
			// With a date to go back to, the end of a campaign is reported as well.
			if (end !== undefined && this.request.settings.startFrom === undefined) known.wasDone = true;
			return;
		}
		if (end === undefined || !isWhole || hasChanges) return;
		this.finish(campaign, known, end);
	}

	/** Why a campaign has come to its end; undefined where it has not. */
	private endOf({ plan }: VoiceCampaignState, { open, records }: CompletedReading) {
		if (plan?.endsAt !== undefined && plan.endsAt <= this.now) return 'scheduleOver';
		return open === 0 && records > 0 ? 'allNumbersDone' : undefined;
	}

	/** Campaign Finished: it has come to its end, and nothing has changed since the poll before. */
	private finish(campaign: Campaign, known: VoiceCampaignState, end: string) {
		if (known.finishedAt === undefined && known.wasDone !== true && this.wanted?.finished) {
			if (this.room <= 0) return;
			const item = campaignEvent('campaignFinished', { type: 'voice', ...campaign }, '', {
				finishedBecause: end,
			});
			this.events.push({ item, moment: Infinity });
		}
		known.finishedAt ??= this.startedAt;
		const mayChange = [...decodeStates(known.numbers?.known).values()].some(hasOpenSms);
		const isWaitingForSms =
			this.wanted?.sms === true && mayChange && this.startedAt < known.finishedAt + SMS_WAIT_MS;
		known.isResting = !isWaitingForSms;
		if (isWaitingForSms || this.mayListCalls(known)) return;
		known.isOver = true;
		delete known.numbers;
		delete known.plan;
	}

	/** Whether a finished campaign may list another call, as far as that is of interest. */
	private mayListCalls({ plan, finishedAt = 0 }: VoiceCampaignState) {
		const end = plan?.endsAt ?? finishedAt;
		return this.wanted?.calls === true && this.now < end + CALL_WAIT_MS;
	}

	/** The latest event may be ahead of this machine's clock. */
	private get now() {
		return Math.max(this.request.now(), this.state.latest);
	}

	private messagesTask(): Task {
		const { settings } = this.request;
		const { selected, smsFilters: filters } = settings;
		const isBaseline = !this.state.isSettled;
		this.state.messages ??= newCursor(isBaseline);
		const { turn = 0, ...cursor } = this.state.messages;
		const campaignIds =
			selected === undefined || selected.sms.length === 0
				? undefined
				: new Set(selected.sms.map((id) => id.toLowerCase()));
		const selection = { filters, createdSince: this.scopeStart, campaignIds };
		const run = async () => {
			const source = messageResults(selection, this.resultOptions);
			const reading = await this.read(cursor, source);
			const lastTurn = reading.completed === undefined ? turn : this.state.polls;
			this.state.messages = { ...reading.cursor, turn: lastTurn };
		};
		return { turn, isBaseline: cursor.isBaseline === true, run };
	}
}

const newestFirst = (campaigns: readonly Campaign[]) =>
	orderBy(campaigns, ({ record }) => String(record.startDate), 'desc');

const idsOf = (campaigns: readonly Campaign[]) => new Set(campaigns.map(({ id }) => id));

/** Forgets campaigns that are no longer selected. */
function keepOnly(known: Map<string, unknown>, ids: readonly string[]) {
	const inScope = new Set(ids);
	for (const id of known.keys()) if (!inScope.has(id)) known.delete(id);
}
