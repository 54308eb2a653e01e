import type { IDataObject } from 'n8n-workflow';
import { clientIdValue } from '../transport/clientId';
import { decodeEvent, type DecodedEvent } from './events';
import { contentKey } from './eventKey';

/**
 * Records of the service's lists as the events that report them: the same fields as those of the
 * webhook trigger. What only the list has follows under its own name.
 */

/** Where events come from. */
export interface EventOrigin {
	/** The client identifier of the credential; lists do not have it. */
	clientId: string;
	/** IANA zone of the service's times without designator. */
	zone: string;
}

/** What a call or an SMS of a voice campaign takes from the record of its phone number. */
function numberFields(record: IDataObject, campaignId: string, clientId: string): IDataObject {
	return {
		clientId: clientId === '' ? null : clientIdValue(clientId),
		campaignId,
		phoneNumber: record.number,
		phoneNumberId: record.id,
		name: record.name,
	};
}

/** A call of a voice campaign (interface, "Call record fields"). */
export function callEvent(
	call: IDataObject,
	record: IDataObject,
	campaignId: string,
	{ clientId, zone }: EventOrigin,
): DecodedEvent {
	const { outcome, ...others } = call;
	const data = { ...others, ...numberFields(record, campaignId, clientId), outCome: outcome };
	return decodeEvent({ webHookType: 0, data }, zone);
}

/** An SMS of a voice campaign (interface, "SMS record fields"). */
export function numberSmsEvent(
	sms: IDataObject,
	record: IDataObject,
	campaignId: string,
	{ clientId, zone }: EventOrigin,
): DecodedEvent {
	const { status, smsCount, dateReceived, ...others } = sms;
	const data: IDataObject = {
		...others,
		...numberFields(record, campaignId, clientId),
		parts: smsCount,
		statusCode: status,
		lastUpdated: dateReceived,
	};
	return decodeEvent({ webHookType: 1, data }, zone);
}

/** A message of the list of SMS messages (interface, "SMS message"). */
export function messageEvent(message: IDataObject, { zone }: EventOrigin): DecodedEvent {
	const { client_Id, id, newId, status, smsCount, dateModified, dateReceived, ...others } = message;
	const data: IDataObject = {
		...others,
		clientId: client_Id,
		Id: id,
		parts: smsCount,
		statusCode: status,
		lastUpdated: dateModified ?? dateReceived,
		dateReceived,
		newId,
	};
	return decodeEvent({ webHookType: 1, data }, zone);
}

/** What happened to a campaign as a whole; the service sends no event for it. */
export type CampaignEventKind = 'campaignStatus' | 'campaignFinished';

/**
 * @param what what tells this event from others of the same kind and campaign
 * @param details more fields of the event
 */
export function campaignEvent(
	event: CampaignEventKind,
	campaign: { type: 'voice' | 'sms'; id: string; record: IDataObject },
	what: string,
	details: IDataObject,
): IDataObject {
	const { type, id, record } = campaign;
	const eventKey = ['campaign', type, id, event, what].filter((part) => part !== '').join('/');
	return {
		event,
		campaignName: record.name ?? null,
		campaignStatus: (type === 'voice' ? record.campaignStatus : record.status) ?? null,
		...details,
		campaignType: type,
		campaignId: id,
		eventId: contentKey(event, eventKey).split('/')[1],
		eventKey,
	};
}
