import type { IDataObject } from 'n8n-workflow';
import { clientIdValue } from '../transport/clientId';
import type { EventLocale } from './decode';
import { contentHash, eventKeyOf } from './eventKey';
import { decodeEvent, type DecodedEvent } from './events';
import { SERVICE_KINDS, type CampaignEventKind } from './kinds';

/**
 * Records of the service's lists as the events that report them: the same fields as those of the
 * webhook trigger. What only the list has follows under its own name.
 */

/** Where events come from. */
export interface EventOrigin extends EventLocale {
	/** The client identifier of the credential; lists do not have it. */
	clientId: string;
	/** The kinds of events that are reported. */
	selected: readonly string[];
}

/** A voice campaign, and where its events come from. */
export interface NumberOrigin extends EventOrigin {
	campaignId: string;
}

/** The two lists in a phone number record. */
export type EntryList = 'calls' | 'smss';

/**
 * The events about their entries, and what those call the fields (interface, "Call record fields"
 * and "SMS record fields").
 */
const ENTRIES = {
	calls: { kind: 'callAttempted', toData: (call: IDataObject) => call },
	smss: {
		kind: 'smsStatus',
		toData: ({ dateReceived, ...sms }: IDataObject) => smsData(sms, dateReceived),
	},
} as const;

function smsData({ status, smsCount, ...others }: IDataObject, lastUpdated: unknown) {
	return { ...others, parts: smsCount, statusCode: status, lastUpdated } as IDataObject;
}

function entryData(list: EntryList, entry: IDataObject, record: IDataObject, campaignId: string) {
	const { number: phoneNumber, id: phoneNumberId, name } = record;
	return { ...ENTRIES[list].toData(entry), campaignId, phoneNumber, phoneNumberId, name };
}

/** The event about a call or an SMS of a phone number of a voice campaign. */
export function entryEvent(
	list: EntryList,
	entry: IDataObject,
	record: IDataObject,
	{ campaignId, clientId, ...reading }: NumberOrigin,
): DecodedEvent {
	const data = {
		...entryData(list, entry, record, campaignId),
		clientId: clientId === '' ? null : clientIdValue(clientId),
	};
	const { webHookType } = SERVICE_KINDS[ENTRIES[list].kind];
	return decodeEvent({ webHookType, data }, reading);
}

/** The key of that event. */
export function entryKey(
	list: EntryList,
	entry: IDataObject,
	record: IDataObject,
	{ campaignId, ...locale }: EventLocale & { campaignId: string },
): string {
	return eventKeyOf(ENTRIES[list].kind, entryData(list, entry, record, campaignId), locale);
}

/** A message of the list of SMS messages (interface, "SMS message"). */
export function messageEvent(message: IDataObject, reading: EventOrigin): DecodedEvent {
	const { client_Id: clientId, newId, dateModified, dateReceived, ...sms } = message;
	const lastUpdated = dateModified ?? dateReceived;
	const data = { ...smsData(sms, lastUpdated), clientId, dateReceived, newId };
	const { webHookType } = SERVICE_KINDS.smsStatus;
	return decodeEvent({ webHookType, data }, reading);
}

/**
 * What happened to a campaign as a whole; the service sends no event for it.
 * @param what tells this event from others of its kind and campaign
 * @param details more fields of the event
 */
export function campaignEvent(
	event: CampaignEventKind,
	{ kind, id, record }: { kind: 'voice' | 'sms'; id: string; record: IDataObject },
	what: readonly string[],
	details: IDataObject,
): IDataObject {
	const eventKey = ['campaign', kind, id, event, ...what].join('/');
	return {
		event,
		campaignName: record.name ?? null,
		...details,
		campaignType: kind,
		campaignId: id,
		eventId: contentHash(eventKey),
		eventKey,
	};
}
