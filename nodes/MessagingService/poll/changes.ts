import type { IDataObject } from 'n8n-workflow';
import type { EventOrigin } from '../events/listEvents';
import { callEvent, messageEvent, numberSmsEvent } from '../events/listEvents';
import { momentOf } from '../events/times';
import type { CampaignPlan } from '../summary/campaignPlan';
import { callsOf, hasCallInProgress, isNumberOpen, smssOf } from '../summary/campaignPlan';
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
 * The state of a phone number: the reported calls by their slots, and the statuses of its SMS. Few
 * states are distinct, for they hold no times of calls: 100,000 numbers take little static data.
 */
type NumberState = [callSlots: string[], ...statuses: unknown[]];

/** What tells the calls to a number apart: a transferred call belongs to the attempt of another. */
function slotOf({ attemptNumber, isTransferCall }: IDataObject): string {
	return `${String(attemptNumber ?? '')}${isTransferCall === true ? 't' : ''}`;
}

/** Calls whose slot is not among the known ones: one that ends late may be listed before those. */
function unreportedCalls(calls: IDataObject[], known: readonly string[]): IDataObject[] {
	const rest = [...known];
	return calls.filter((call) => {
		const place = rest.indexOf(slotOf(call));
		if (place >= 0) rest.splice(place, 1);
		return place < 0;
	});
}

/** Compares a phone number of a campaign with its state. */
export function numberChange(
	record: IDataObject,
	known: string | undefined,
	plan: CampaignPlan,
	origin: EventOrigin & { campaignId: string },
): Change {
	const { campaignId, zone } = origin;
	const [slots, ...statuses]: NumberState =
		known === undefined ? [[]] : (JSON.parse(known) as NumberState);
	const calls = callsOf(record);
	const smss = smssOf(record);
	const newCalls = unreportedCalls(calls, slots);
	const newStatuses = smss.filter(
		({ status = null }, index) => index >= statuses.length || statuses[index] !== status,
	);
	const now: NumberState = [
		[...slots, ...newCalls.map(slotOf)].sort(),
		...smss.map(({ status = null }) => status),
		// An SMS that is missing for a moment is not a new one when it is listed again.
		...statuses.slice(smss.length),
	];
	const callEvents = newCalls.map((call) => ({
		item: callEvent(call, record, campaignId, origin),
		moment: momentOf(call.startTime, zone),
	}));
	const smsEvents = newStatuses.map((sms) => ({
		item: numberSmsEvent(sms, record, campaignId, origin),
		moment: momentOf(sms.dateReceived, zone),
	}));
	const state = JSON.stringify(now);
	return {
		id: idOf(record),
		state,
		isChanged: state !== known,
		events: [...callEvents, ...smsEvents],
		isOpen: isNumberOpen(calls, plan) || hasCallInProgress(record),
	};
}

/** Compares an SMS message with the status that it had. */
export function messageChange(
	message: IDataObject,
	known: string | undefined,
	origin: EventOrigin,
): Change {
	const { status = null, dateModified, dateReceived } = message;
	const state = JSON.stringify(status);
	const isChanged = state !== known;
	const moment = momentOf(dateModified ?? dateReceived, origin.zone);
	const events = isChanged ? [{ item: messageEvent(message, origin), moment }] : [];
	return { id: idOf(message), state, isChanged, events, isOpen: false };
}
