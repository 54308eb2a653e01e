import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { DAY_MS, isBefore, wallClockOf } from '../times';
import type { ReadClient } from '../transport/request';
import type { Campaign } from './campaigns';
import type { TimedEvent } from './changes';
import { finishedEvent, type EndOfCampaign } from './finished';
import { isTimeUp, withinTime } from './pollTime';
import type { PollEvent, PollSettings } from './settings';
import type { ListName, PollState } from './state';
import { readState } from './state';

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

/** What the readers of the lists share in one poll. */
export class PollRun {
	/** How many records of a list are enough; undefined for all. */
	readonly limit: number | undefined = undefined;
	/** Of how many campaigns that started before Days it is asked whether they still run. */
	readonly mostEarlier: number = 100;
	/** Whether a later poll reads what is listed in a moment. */
	readonly hasNext: boolean = true;
	readonly request: PollRequest;
	readonly state: PollState;
	/** Now, as the service writes times. */
	readonly serviceNow: string;
	/** The time that is Days ago: as the service writes it, and in milliseconds since 1970. */
	readonly daysStart: string;
	readonly daysStartMs: number;
	readonly events: TimedEvent[] = [];
	/** What could not be read; the next poll reads it again. */
	readonly failures: Error[] = [];
	/** Whether the time was up before the list was read to its end. */
	isCut = false;
	/** In the first poll: from when on records are new that have a time. */
	private readonly startFrom: string | undefined;

	constructor(request: PollRequest) {
		const { account, settings, zone, now, isTimeUp: isUp = () => false } = request;
		const known = readState(request.state, account);
		this.request = { ...request, client: withinTime(request.client, isUp) };
		this.startFrom = known === undefined ? settings.startFrom : undefined;
		this.state = known ?? {
			account,
			voice: new Map(),
			sms: new Map(),
			filters: settings.writtenFilters,
			newSince: {},
		};
		this.serviceNow = wallClockOf(now, zone);
		this.daysStartMs = now - settings.days * DAY_MS;
		this.daysStart = wallClockOf(this.daysStartMs, zone);
	}

	/** What cannot be read does not keep the rest from being read. */
	async attempt(action: () => Promise<void>): Promise<void> {
		try {
			await action();
		} catch (error) {
			if (isTimeUp(error)) this.isCut = true;
			else this.failures.push(error as Error);
		}
	}

	/** Whether the user has selected one of these. */
	wants(...events: PollEvent[]): boolean {
		return events.some((event) => this.request.settings.events.includes(event));
	}

	/** Where events come from. */
	get origin() {
		const { client, settings, zone } = this.request;
		const { clientId, defaultCountry: country } = client.settings;
		return { clientId, zone, country, selected: settings.events };
	}

	/** The campaigns whose results are read, those first that were not read for the longest time. */
	toRead(campaigns: Campaign[]): Campaign[] {
		return sortBy(campaigns, ({ kind, id }) => this.state[kind].get(id)?.readAt ?? 0);
	}

	/** The results that are reported, of those that were found. */
	reported(items: IDataObject[]): IDataObject[] {
		return items;
	}

	/** Whether a record that is not known has come since the list was read before. */
	isNew(list: ListName, time: unknown): boolean {
		const { [list]: since } = this.state.newSince;
		if (since !== undefined) return !isBefore(time, since);
		if (this.startFrom === undefined || typeof time !== 'string') return false;
		return time.trim() >= this.startFrom && !isBefore(time, this.daysStart);
	}

	/**
	 * All that is in scope of a list was read. More days take nothing back: what is older and listed
	 * late was there before. A time that is yet to come is of a clock that was wrong.
	 */
	noteRead(list: ListName): void {
		const { newSince } = this.state;
		const { [list]: before = '' } = newSince;
		const isKept = before > this.daysStart && before < this.serviceNow;
		newSince[list] = isKept ? before : this.daysStart;
	}

	/** Reports an event about a campaign as a whole, behind those about people. */
	reportCampaign(item: IDataObject): void {
		this.events.push({ item, moment: Infinity });
	}

	/** Reports that a campaign is over. */
	reportEnd(campaign: Campaign, because: EndOfCampaign, figures: IDataObject): void {
		const { currency } = this.request.client.settings;
		this.reportCampaign(finishedEvent(campaign, because, figures, currency));
	}
}
