import { omit, pick } from 'lodash';
import {
	decimal,
	flag,
	integer,
	listOf,
	object,
	only,
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
	id: integer(2001),
	name: text('May reminders'),
	startDate: text('2030-05-17T00:00:00'),
	starttime: text('09:00'),
	finishtime: text('17:00'),
	callFlow_Id: integer(301),
	callCount: integer(1530),
	cli_id: integer(401),
	type: integer(1),
	campaignStatus: integer(1),
} satisfies Fields;

/** Interface, "Voice campaign (single-campaign response)". */
const SINGLE_VOICE_CAMPAIGN: Record<(typeof VOICE_CAMPAIGN_FIELDS)[number], FieldSchema> = {
	...omit(VOICE_CAMPAIGN, ['cli_id', 'type', 'campaignStatus']),
	cli_Id: integer(401),
	attempts: listOf(object({ interval: integer(60), attemptNumber: integer(1) })),
	runOverDays: listOf(
		object({ date: text('2030-05-18'), startTime: text('09:30'), finishTime: text('17:30') }),
	),
	...pick(VOICE_CAMPAIGN, ['type', 'campaignStatus']),
};

const phoneNumber = {
	number: text('+447700900123'),
	name: orNull(text('Ada')),
	parameters: listOf(object({ parameter: integer(1), value: text('Monday') })),
};

/** What a create operation returns. A response that is the identifier alone may be a text. */
const CREATED: Returns = {
	fields: {
		id: or(integer(2001), 'string'),
		recipients: integer(1200),
		name: text('May reminders'),
		startDate: text('2030-05-17'),
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
	status: integer(1),
	price: decimal(0.04),
	smsCount: integer(1),
	dateReceived: text('2030-05-17T09:02:11'),
	senderNumber: orNull(text('Shop')),
	message: orNull(text('We tried to call you.')),
};

const person = only(phoneNumber, ['number', 'name']);
const ids = { campaignId: text('2001'), phoneNumberId: integer(4001) };

/** What Get Phone Numbers returns: records, or their calls or SMS one by one. */
const PHONE_NUMBER_RETURNS: Returns = {
	fields: {
		id: integer(4001),
		...phoneNumber,
		calls: listOf(object(callFields)),
		smss: listOf(object(smsFields)),
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
		fields: only(SINGLE_VOICE_CAMPAIGN, SIMPLIFIED_FIELDS),
		otherwise: [{ when: { simple: false }, fields: SINGLE_VOICE_CAMPAIGN }],
	},
	getAll: { fields: VOICE_CAMPAIGN },
	getAllUnpaged: { fields: VOICE_CAMPAIGN },
	getPhoneNumbers: PHONE_NUMBER_RETURNS,
	getSummary: { fields: VOICE_SUMMARY },
};
