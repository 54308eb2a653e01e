import { decimal, integer, orNull, simplified, text, type Fields } from '../../returns/fields';

/** The fields of an SMS message (interface, "SMS message") that a simplified output keeps. */
export const SIMPLIFIED_MESSAGE = [
	'phoneNumber',
	'status',
	'message',
	'senderNumber',
	'smsCount',
	'price',
	'dateCreated',
	'newId',
	'id',
	'campaignId',
] as const;

export const messageId = text('5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10');

/** Interface, "SMS message". */
export const MESSAGE: Fields = {
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
};

/** What Get and Get Many return. */
export const MESSAGE_RETURNS = simplified(MESSAGE, SIMPLIFIED_MESSAGE);
