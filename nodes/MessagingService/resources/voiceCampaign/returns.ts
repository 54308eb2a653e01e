import { omit, pick } from 'lodash';
import {
	decimal,
	flag,
	integer,
	listOf,
	object,
	or,
	orNull,
	text,
	type Fields,
	type FieldSchema,
	type Returns,
} from '../../returns/fields';
import { VOICE_SUMMARY } from '../../returns/summaries';
import { SIMPLIFIED_FIELDS, type VOICE_CAMPAIGN_FIELDS } from './campaign';

/** Interface, "Voice campaign (list item)". */
const VOICE_CAMPAIGN = {
	name: text('May reminders'),
	startDate: text('2030-05-17T00:00:00'),
	starttime: text('09:00'),
	finishtime: text('17:00'),
	callCount: integer(1530),
	type: integer(1),
	campaignStatus: integer(1),
	callFlow_Id: integer(301),
	cli_id: integer(401),
	id: integer(2001),
} satisfies Fields;

const LAST_FIELDS = ['type', 'campaignStatus', 'callFlow_Id', 'cli_id', 'id'] as const;

/** Interface, "Voice campaign (single-campaign response)". */
const SINGLE_VOICE_CAMPAIGN: Record<(typeof VOICE_CAMPAIGN_FIELDS)[number], FieldSchema> = {
	...omit(VOICE_CAMPAIGN, LAST_FIELDS),
	attempts: listOf(object({ interval: integer(60), attemptNumber: integer(1) })),
	runOverDays: listOf(
		object({ date: text('2030-05-18'), startTime: text('09:30'), finishTime: text('17:30') }),
	),
	...pick(VOICE_CAMPAIGN, ['type', 'campaignStatus', 'callFlow_Id']),
	cli_Id: integer(401),
	id: integer(2001),
};

const phoneNumber = {
	number: text('+447700900123'),
	name: orNull(text('Ada')),
	parameters: listOf(object({ parameter: integer(1), value: text('Monday') })),
};

/** What a create operation returns. A response that is the identifier alone may be a text. */
const CREATED: Returns = {
	fields: {
		recipients: integer(1200),
		sent: text('yes'),
		reason: text('Accepted by the service'),
		campaign: integer(1),
		firstCall: text('2030-05-17 09:00'),
		attempts: integer(2),
		name: text('May reminders'),
		id: or(integer(2001), 'string'),
	},
};

const callFields: Fields = {
	outcomeName: text('Answered'),
	stageName: text('Answered'),
	startTime: text('2030-05-17T09:00:04'),
	endTime: text('2030-05-17T09:00:35'),
	stage: integer(10),
	outcome: integer(1),
	userInput: text('1'),
	price: decimal(0.05),
	isTransferCall: flag(false),
	attemptNumber: integer(1),
	secondsDuration: integer(31),
};

const smsFields: Fields = {
	statusName: text('Delivered'),
	status: integer(1),
	price: decimal(0.04),
	smsCount: integer(1),
	dateReceived: text('2030-05-17T09:02:11'),
	senderNumber: orNull(text('Shop')),
	message: orNull(text('We tried to call you.')),
};

const person = pick(phoneNumber, ['number', 'name']);
const ids = { campaignId: text('2001'), phoneNumberId: integer(4001) };

/** What Get Phone Numbers returns: records, or their calls or SMS one by one. */
const PHONE_NUMBER_RETURNS: Returns = {
	fields: {
		...phoneNumber,
		calls: listOf(object(callFields)),
		smss: listOf(object(smsFields)),
		id: integer(4001),
	},
	otherwise: [
		{
			when: { output: 'calls' },
			fields: {
				...person,
				...callFields,
				...ids,
				eventKey: text('call/2001/447700900123/2030-05-17T09:00:04.000'),
			},
		},
		{
			when: { output: 'smss' },
			fields: {
				...person,
				...smsFields,
				...ids,
				eventKey: text('sms/447700900123/1/1/2030-05-17T09:02:11.000'),
			},
		},
	],
};

export const voiceCampaignReturns: Record<string, Returns> = {
	create: CREATED,
	createForClient: CREATED,
	get: {
		fields: pick(SINGLE_VOICE_CAMPAIGN, SIMPLIFIED_FIELDS),
		otherwise: [{ when: { simple: false }, fields: SINGLE_VOICE_CAMPAIGN }],
	},
	getAll: { fields: VOICE_CAMPAIGN },
	getAllUnpaged: { fields: VOICE_CAMPAIGN },
	getPhoneNumbers: PHONE_NUMBER_RETURNS,
	getSummary: { fields: VOICE_SUMMARY },
};
