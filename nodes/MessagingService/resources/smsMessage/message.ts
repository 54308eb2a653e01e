import type { IDataObject } from 'n8n-workflow';
import { codeName, SMS_STATUSES } from '../../codes';
import {
	decimal,
	integer,
	only,
	orNull,
	text,
	type Fields,
	type Returns,
} from '../../returns/fields';
import { keeping } from '../shared/simplify';

export const messageId = text('5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10');

/** Interface, "SMS message". */
export const MESSAGE = {
	newId: messageId,
	id: integer(3001),
	client_Id: integer(1001),
	dateCreated: text('2030-05-17T09:00:04'),
	dateModified: text('2030-05-17T09:00:09'),
	phoneNumber: text('+447700900123'),
	status: integer(1),
	price: decimal(0.04),
	smsCount: integer(1),
	dateReceived: text('2030-05-17T09:00:09'),
	countryCode: text('GB'),
	senderNumber: text('Shop'),
	message: text('20 % off until Sunday.'),
	campaignId: orNull(text('8c3f2f0e-9d6b-4a5e-8f3c-1b7d2a9e4c60')),
} satisfies Fields;

/** What a simplified output has: the name of the status first, as the triggers have it. */
const SIMPLIFIED: Fields = {
	phoneNumber: MESSAGE.phoneNumber,
	status: text('Delivered'),
	...only(MESSAGE, ['message', 'senderNumber', 'smsCount', 'price', 'dateCreated']),
	statusCode: integer(1),
	...only(MESSAGE, ['newId', 'id', 'campaignId']),
};

/** What Get and Get Many return. */
export const MESSAGE_RETURNS: Returns = {
	fields: SIMPLIFIED,
	otherwise: [{ when: { simple: false }, fields: MESSAGE }],
};

export function simplifiedMessage(message: IDataObject): IDataObject {
	const { status } = message;
	const names =
		typeof status === 'number'
			? { status: codeName(SMS_STATUSES, status), statusCode: status }
			: {};
	return keeping(Object.keys(SIMPLIFIED))({ ...message, ...names });
}
