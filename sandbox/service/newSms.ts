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
	database.run(
		`INSERT INTO sms (newId, client_Id, voiceNumberId, phoneNumber, senderNumber, message, createdAt, dateCreated,
			dateModified, smsCount, countryCode, dueAt, isListed)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		newId,
		sms.clientId,
		sms.voiceNumberId ?? null,
		sms.phoneNumber,
		sms.sender ?? '',
		sms.message,
		sms.createdAt,
		date,
		date,
		partsOf(sms.message),
		countryOf(sms.phoneNumber),
		sms.createdAt,
		sms.voiceNumberId === undefined ? 1 : null,
	);
	return newId;
};
