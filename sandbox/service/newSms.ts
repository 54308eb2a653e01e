import { randomUUID } from 'node:crypto';
import { countryOf } from './phoneNumbers.ts';
import type { Service } from './service.ts';
import { partsOf } from './smsText.ts';

/** The body of the send request. */
export interface SendRequest {
	message: string;
	sender?: string;
	phoneNumber: string;
}

/** A message to store, whether it was sent by itself or by a voice campaign. */
export interface NewSms extends SendRequest {
	clientId: number;
	createdAt: number;
	voiceNumberId?: number;
}

/** Stores a message that goes out at `createdAt`; its status follows. Returns its GUID. */
export const addSms = (service: Service, sms: NewSms): string => {
	const { database } = service;
	const newId = randomUUID();
	const date = service.localText(sms.createdAt);
	database.insert('sms', {
		newId,
		client_Id: sms.clientId,
		voiceNumberId: sms.voiceNumberId ?? null,
		phoneNumber: sms.phoneNumber,
		senderNumber: sms.sender ?? '',
		message: sms.message,
		createdAt: sms.createdAt,
		dateCreated: date,
		dateModified: date,
		smsCount: partsOf(sms.message),
		countryCode: countryOf(sms.phoneNumber),
		dueAt: sms.createdAt,
		isListed: sms.voiceNumberId === undefined ? 1 : null,
	});
	return newId;
};
