import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { EntryList, EventOrigin, NumberOrigin } from '../events/listEvents';
import { entryEvent, messageEvent } from '../events/listEvents';
import { momentOf } from '../times';
import type { Schedule } from '../summary/campaignSchedule';
import { callsOf, hasCallInProgress, isNumberOpen, smssOf } from '../summary/campaignSchedule';
import { idOf } from './recordStates';

/** An event, and when it happened. */
export interface TimedEvent {
	item: IDataObject;
	/** Milliseconds since 1970; NaN where the service does not tell. */
	moment: number;
}

/** A record compared with its state when it was read before. */
export interface Change {
	id: string;
	/** The state once these events are reported. */
	state: string;
	isChanged: boolean;
	events: TimedEvent[];
	/** Whether more is expected of this record. */
	isOpen: boolean;
}

/**
 * The state of a phone number: the slots of the calls and the statuses of the SMS that it has had.
 * Few states are distinct, for they hold no times: 100,000 numbers take little static data.
 */
type NumberState = [callSlots: string[], ...smsStatuses: unknown[]];

/** What tells the calls to a number apart: a transferred call belongs to the attempt of another. */
function slotOf({ attemptNumber, isTransferCall }: IDataObject): string {
	return `${String(attemptNumber ?? '')}${isTransferCall === true ? 't' : ''}`;
}

const smsStatusOf = ({ status = null }: IDataObject): unknown => status;

/**
 * The entries that are not among the known ones, and the known ones that are not listed. The order of
 * the list says nothing: a call that ends late may be listed before others.
 */
function compare(
	entries: IDataObject[],
	known: readonly unknown[],
	nameOf: (entry: IDataObject) => unknown,
) {
	const missing = [...known];
	const added = entries.filter((entry) => {
		const place = missing.indexOf(nameOf(entry));
		if (place >= 0) missing.splice(place, 1);
		return place < 0;
	});
	return { added, missing };
}

/**
 * Compares a phone number of a campaign with its state.
 * @param isReported whether what is new gives events
 */
export function numberChange(
	record: IDataObject,
	known: string | undefined,
	{
		schedule,
		origin,
		isReported,
	}: { schedule: Schedule; origin: NumberOrigin; isReported: boolean },
): Change {
	const [slots, ...statuses] = (known === undefined ? [[]] : JSON.parse(known)) as NumberState;
	const calls = callsOf(record);
	const { added: newCalls } = compare(calls, slots, slotOf);
	// An SMS has no ID. Of several with one status, those that came last are the new ones.
	const smss = sortBy(smssOf(record), ({ dateReceived }) => String(dateReceived ?? ''));
	const { added: newSmss, missing } = compare(smss, statuses, smsStatusOf);
	// An SMS that is missing for a moment is not a new one when it is listed again.
	const kept = missing.slice(0, Math.max(0, statuses.length - smss.length));
	const now: NumberState = [
		[...slots, ...newCalls.map(slotOf)].sort(),
		...sortBy([...smss.map(smsStatusOf), ...kept]),
	];
	const eventOf = (list: EntryList, entry: IDataObject, time: unknown): TimedEvent => ({
		item: entryEvent(list, entry, record, origin),
		moment: momentOf(time, origin.zone),
	});
	const events = () => [
		...newCalls.map((call) => eventOf('calls', call, call.startTime)),
		...newSmss.map((sms) => eventOf('smss', sms, sms.dateReceived)),
	];
	const state = JSON.stringify(now);
	return {
		id: idOf(record),
		state,
		isChanged: state !== known,
		events: isReported ? events() : [],
		isOpen: isNumberOpen(calls, schedule) || hasCallInProgress(record),
	};
}

/** The state of an SMS message: its status, and the day on which the list had it last. */
type MessageState = [status: unknown, listedOn: string];

/** Whether a message has been missing from the list since before a day. */
export function isForgotten(state: string, day: string): boolean {
	const [, listedOn] = JSON.parse(state) as MessageState;
	return listedOn < day;
}

/**
 * Compares an SMS message with the status that it had.
 * @param isReported whether a new status gives an event
 * @param today as the service writes it
 */
export function messageChange(
	message: IDataObject,
	known: string | undefined,
	{ origin, isReported, today }: { origin: EventOrigin; isReported: boolean; today: string },
): Change {
	const { status = null, dateModified, dateReceived } = message;
	const isChanged = known === undefined || (JSON.parse(known) as MessageState)[0] !== status;
	const moment = momentOf(dateModified ?? dateReceived, origin.zone);
	const events = isChanged && isReported ? [{ item: messageEvent(message, origin), moment }] : [];
	const state = JSON.stringify([status, today] satisfies MessageState);
	return { id: idOf(message), state, isChanged, events, isOpen: false };
}
