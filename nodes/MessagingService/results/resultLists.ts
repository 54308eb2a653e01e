import isEqual from 'lodash/isEqual';
import type { IDataObject } from 'n8n-workflow';
import { pageQuery, toPage } from '../transport/paginate';
import type { ServiceClient } from '../transport/request';
import { pathSegment } from '../transport/request';
import type { CampaignPlan } from './campaignPlan';
import { callsOf, hasCallInProgress, isNumberOpen, smssOf } from './campaignPlan';
import type { ListSource, RecordReading } from './listCursor';
import type { NumberEvents } from './pollSettings';
import type { EventOrigin } from './resultEvents';
import { callEvent, messageEvent, numberSmsEvent } from './resultEvents';
import { isBefore, momentOf } from './times';

/** "Default page number" of the interface's section "Limits". */
const FIRST_PAGE_NUMBER = 1;

/** Statuses after which an SMS does not change any more (interface, "SMS delivery status codes"). */
const FINAL_STATUSES = new Set([1, 3, 4, 5, 7, 34, 1000]);

/** An event, and when it happened. */
export interface TimedEvent {
	item: IDataObject;
	/** Milliseconds since 1970; NaN where the service does not tell. */
	moment: number;
}

/** How the results of one list are read. */
interface ResultOptions {
	client: ServiceClient;
	pageSize: number;
	origin: EventOrigin;
	/** In the first reading, events from then on are reported. */
	startFrom: number | undefined;
}

/**
 * The state of a phone number: the reported calls by their slots, and the statuses of its SMS. Few
 * states are distinct, for they hold no times of calls: 100,000 numbers take little static data.
 */
type NumberState = [callSlots: string[], ...statuses: unknown[]];

/** A list by its pages. */
type ListPages = Omit<ListSource<never>, 'read'>;

/**
 * The pages of the phone numbers of a voice campaign.
 * @param path that of the campaign
 */
export function numberPages(client: ServiceClient, path: string, pageSize: number): ListPages {
	return {
		firstPage: FIRST_PAGE_NUMBER,
		fetchPage: async (page = FIRST_PAGE_NUMBER) => ({
			items: await client.records({
				method: 'GET',
				path: `${path}/phonenumbers/${pageSize}/${page}`,
			}),
		}),
		idOf: ({ id, number }) => id ?? number,
	};
}

/**
 * The pages of the list of SMS messages.
 * @param filters query parameters that narrow it down
 */
export function messagePages(
	client: ServiceClient,
	filters: IDataObject,
	pageSize: number,
): ListPages {
	return {
		firstPage: undefined,
		fetchPage: async (page) =>
			toPage(
				await client.page({
					method: 'GET',
					path: '/api/SMSMessages',
					query: { ...filters, ...pageQuery(client.settings, pageSize, page) },
				}),
			),
		idOf: ({ id, newId }) => id ?? newId,
	};
}

/** Collects the events of one record, as many as there is room for. */
class EventCollector {
	readonly events: TimedEvent[] = [];

	isComplete = true;

	private readonly room: number;

	/** Earlier events are known already. */
	private readonly from: number;

	constructor(room: number, isBaseline: boolean, { startFrom = Infinity }: ResultOptions) {
		this.room = room;
		this.from = isBaseline ? startFrom : -Infinity;
	}

	/** @returns false where there is no room for it */
	add(time: unknown, zone: string, toItem: () => IDataObject): boolean {
		if (this.from === Infinity) return true;
		const moment = momentOf(time, zone);
		if (this.from !== -Infinity && !(moment >= this.from)) return true;
		if (this.events.length >= this.room) {
			this.isComplete = false;
			return false;
		}
		this.events.push({ item: toItem(), moment });
		return true;
	}
}

const NO_STATE: NumberState = [[]];

/** What tells the calls to a number apart: a transferred call belongs to the attempt of another. */
function slotOf({ attemptNumber, isTransferCall }: IDataObject): string {
	return `${String(attemptNumber ?? '')}${isTransferCall === true ? 't' : ''}`;
}

/** Calls whose slot is not among the known ones: one that ends late may be listed before those. */
function unreportedCalls(calls: IDataObject[], known: readonly string[]): IDataObject[] {
	if (known.length === 0) return calls;
	const rest = [...known];
	return calls.filter((call) => {
		const place = rest.indexOf(slotOf(call));
		if (place >= 0) rest.splice(place, 1);
		return place < 0;
	});
}

/** The phone numbers of a voice campaign with their calls and SMS. */
export function numberResults(
	campaignId: string,
	plan: CampaignPlan,
	wanted: NumberEvents,
	options: ResultOptions,
): ListSource<TimedEvent> {
	const { client, pageSize, origin } = options;
	const path = `/api/campaigns/voice/${pathSegment(campaignId)}`;
	const states = new Map<string, NumberState>();
	const parse = (state: string): NumberState => {
		const parsed = states.get(state) ?? (JSON.parse(state) as NumberState);
		states.set(state, parsed);
		return parsed;
	};

	function read(
		record: IDataObject,
		state: string | undefined,
		room: number,
		isBaseline: boolean,
	): RecordReading<TimedEvent> {
		const collector = new EventCollector(room, isBaseline, options);
		const [known, ...knownStatuses] = state === undefined ? NO_STATE : parse(state);
		const calls = callsOf(record);
		const reported = [...known];
		for (const call of unreportedCalls(calls, known)) {
			const toItem = () => callEvent(call, record, campaignId, origin);
			if (wanted.calls && !collector.add(call.startTime, origin.zone, toItem)) break;
			reported.push(slotOf(call));
		}
		const statuses = [...knownStatuses];
		for (const [index, sms] of smssOf(record).entries()) {
			const status = sms.status ?? null;
			if (index < statuses.length && statuses[index] === status) continue;
			const toItem = () => numberSmsEvent(sms, record, campaignId, origin);
			if (wanted.sms && !collector.add(sms.dateReceived, origin.zone, toItem)) break;
			statuses[index] = status;
		}
		const isSame =
			state !== undefined && reported.length === known.length && isEqual(statuses, knownStatuses);
		return {
			events: collector.events,
			// Most of 100,000 numbers have not changed since the poll before.
			state: isSame ? state : JSON.stringify([reported.sort(), ...statuses]),
			isComplete: collector.isComplete,
			isOpen: isNumberOpen(calls, plan) || hasCallInProgress(record),
		};
	}

	return { ...numberPages(client, path, pageSize), read };
}

/** Whether the status of an SMS of this phone number may still change. */
export function hasOpenSms(numberState: string): boolean {
	const [, ...statuses] = JSON.parse(numberState) as NumberState;
	return statuses.some((status) => !FINAL_STATUSES.has(Number(status)));
}

/** Which messages of the list of SMS messages are of interest. */
export interface MessageSelection {
	/** Query parameters that narrow the list down. */
	filters: IDataObject;
	/** Messages created before are ignored; a time as the service writes it. */
	createdSince: string;
	/** Only messages of these campaigns, in lower case; undefined for all. */
	campaignIds: ReadonlySet<string> | undefined;
}

/** The SMS messages with their statuses. */
export function messageResults(
	{ filters, createdSince, campaignIds }: MessageSelection,
	options: ResultOptions,
): ListSource<TimedEvent> {
	const { client, pageSize, origin } = options;
	return {
		...messagePages(client, filters, pageSize),
		read(message, state, room, isBaseline) {
			if (isBefore(message.dateCreated, createdSince)) return undefined;
			if (campaignIds?.has(String(message.campaignId).toLowerCase()) === false) return undefined;
			const status = JSON.stringify(message.status ?? null);
			const collector = new EventCollector(room, isBaseline, options);
			const toItem = () => messageEvent(message, origin);
			const time = message.dateModified ?? message.dateReceived;
			const isTaken = status === state || collector.add(time, origin.zone, toItem);
			return {
				events: collector.events,
				// A status that was not handed over yet is no status: not even none at all, which is null.
				state: isTaken ? status : (state ?? ''),
				isComplete: isTaken,
				isOpen: false,
			};
		},
	};
}
