import { randomUUID } from 'node:crypto';
import { problem } from './errors.ts';
import { listPage } from './paging.ts';
import { countryOf } from './phoneNumbers.ts';
import { ok, type Handler, type Service } from './service.ts';
import { smsState } from './smsSimulation.ts';
import { partsOf } from './smsText.ts';

interface SendRequest {
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
	const { database, settings } = service;
	const newId = randomUUID();
	const date = service.localText(sms.createdAt);
	database.run(
		`INSERT INTO sms (newId, client_Id, voiceNumberId, phoneNumber, senderNumber, message, createdAt, dateCreated,
			dateModified, smsCount, countryCode, state, dueAt)
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
		smsState.sent,
		sms.createdAt + settings.current.sms.statusDelaySeconds * 1000,
	);
	return newId;
};

const send: Handler = (service, { body, client }) => {
	const newId = addSms(service, {
		...(body as SendRequest),
		clientId: client.clientId,
		createdAt: service.clock.now(),
	});
	service.simulation.wake();
	return ok(newId);
};

/** By the number `id` or by the GUID `newId`. */
const get: Handler = ({ database, contract }, { params: { Id } }) => {
	const columns = contract.fields('SmsMessage').join(', ');
	const message = database.get(
		`SELECT ${columns} FROM smsMessageRecords WHERE CAST(id AS TEXT) = ? OR newId = ? COLLATE NOCASE`,
		String(Id),
		String(Id),
	);
	if (!message) throw problem(404, `There is no SMS message '${String(Id)}'.`);
	return ok(message);
};

/** The operations on SMS messages (interface: "Endpoints", "SMS messages"). */
export const smsMessageHandlers: Record<string, Handler> = {
	listSmsMessages: (service, call) =>
		ok(listPage(service, call, 'smsMessageRecords', service.contract.fields('SmsMessage'))),
	sendSmsMessage: send,
	getSmsMessage: get,
	getSmsMessageWithSlash: get,
};
