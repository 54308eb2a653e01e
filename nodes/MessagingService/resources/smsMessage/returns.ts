import { pick } from 'lodash';
import {
	decimal,
	integer,
	orNull,
	text,
	type Fields,
	type FieldSchema,
	type Returns,
} from '../../returns/fields';
import { SIMPLIFIED_FIELDS, type MESSAGE_FIELDS } from './message';

const messageId = text('5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10');

/** Interface, "SMS message". */
const MESSAGE: Record<(typeof MESSAGE_FIELDS)[number], FieldSchema> = {
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

const read: Returns = {
	fields: pick(
		{ ...MESSAGE, status: text('Delivered'), statusCode: integer(1) },
		SIMPLIFIED_FIELDS,
	),
	otherwise: [{ when: { simple: false }, fields: MESSAGE }],
};

const SENT: Fields = {
	phoneNumber: text('+447700900123'),
	sent: text('yes'),
	reason: text('Accepted by the service'),
	message: text('Hello Ada, 20 % off until Sunday.'),
	estimatedCost: decimal(0.04),
	currency: text('EUR'),
	parts: integer(1),
	newId: messageId,
};

export const smsMessageReturns: Record<string, Returns> = {
	send: {
		fields: SENT,
		otherwise: [
			{
				when: { 'options.includeInputFields': true },
				fields: SENT,
				isOpen: true,
				keepsInput: true,
			},
		],
	},
	get: read,
	getAll: read,
};
