import isEqual from 'lodash/isEqual';
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
	id: number | string;
	/** The state once these events are reported. */
	state: string;
	events: readonly TimedEvent[];
	/** Whether more is expected of this record. */
	isOpen: boolean;
}

/**
 * The state of a phone number: the reported calls by their slots, and the statuses of its SMS. Few
 * states are distinct, for they hold no times of calls: 100,000 numbers take little static data.
 */
type NumberState = [callSlots: string[], ...statuses: unknown[]];

const NOTHING: NumberState = [[]];
const NO_EVENTS: readonly TimedEvent[] = [];

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

/** A voice campaign, and what of its phone numbers is reported. */
export interface NumberSelection {
	campaignId: string;
	plan: CampaignPlan;
	calls: boolean;
	sms: boolean;
}

/** Makes what compares the phone numbers of a campaign with their states. */
export function numberChanges(
	{ campaignId, plan, ...wanted }: NumberSelection,
	origin: EventOrigin,
): (record: IDataObject, state: string | undefined) => Change {
	const parsed = new Map<string, NumberState>();
	const parse = (state: string): NumberState => {
		const value = parsed.get(state) ?? (JSON.parse(state) as NumberState);
		parsed.set(state, value);
		return value;
	};
	return (record, state) => {
		const [slots, ...statuses] = state === undefined ? NOTHING : parse(state);
		const calls = callsOf(record);
		const smss = smssOf(record);
		const newCalls = unreportedCalls(calls, slots);
		const changed = smss.filter(
			({ status = null }, index) => index >= statuses.length || statuses[index] !== status,
		);
		const base = {
			id: idOf(record),
			isOpen: isNumberOpen(calls, plan) || hasCallInProgress(record),
		};
		// Most of 100,000 numbers have not changed since the poll before.
		if (state !== undefined && newCalls.length === 0 && changed.length === 0) {
			return { ...base, state, events: NO_EVENTS };
		}
		const toCall = (call: IDataObject) => ({
			item: callEvent(call, record, campaignId, origin),
			moment: momentOf(call.startTime, origin.zone),
		});
		const toSms = (sms: IDataObject) => ({
			item: numberSmsEvent(sms, record, campaignId, origin),
			moment: momentOf(sms.dateReceived, origin.zone),
		});
		const now: NumberState = [
			[...slots, ...newCalls.map(slotOf)].sort(),
			...smss.map(({ status = null }) => status),
			// An SMS that is missing for a moment is not a new one when it is listed again.
			...statuses.slice(smss.length),
		];
		return {
			...base,
			state:
				isEqual(now, [slots, ...statuses]) && state !== undefined ? state : JSON.stringify(now),
			events: [
				...(wanted.calls ? newCalls.map(toCall) : []),
				...(wanted.sms ? changed.map(toSms) : []),
			],
		};
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
	const events =
		state === known
			? NO_EVENTS
			: [
					{
						item: messageEvent(message, origin),
						moment: momentOf(dateModified ?? dateReceived, origin.zone),
					},
				];
	return { id: idOf(message), state, events, isOpen: false };
}
