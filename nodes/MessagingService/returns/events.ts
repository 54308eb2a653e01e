import type { FieldSchema, Fields, Returns } from './fields';
import { decimal, flag, integer, or, orNull, text } from './fields';

/** The items of both triggers. The examples make one call attempt, which has nothing of an SMS. */

const none = (type: 'string' | 'integer' | 'number' | 'boolean'): FieldSchema => ({
	type: [type, 'null'],
	examples: [null],
});

/** What `events/events.ts` makes of the service's events (interface, "Events"). */
const content: Fields = {
	event: text('callAttempted'),
	phoneNumber: orNull(text('+447700900123')),
	outcome: orNull(text('Answered')),
	stage: orNull(text('Opt out')),
	status: none('string'),
	answered: orNull(flag(true)),
	optedIn: orNull(flag(false)),
	optedOut: orNull(flag(true)),
	delivered: none('boolean'),
	failed: none('boolean'),
	userInput: orNull(text('9')),
	startTime: orNull(text('2030-05-17T09:00:04Z')),
	endTime: orNull(text('2030-05-17T09:00:35Z')),
	durationSeconds: orNull(decimal(31)),
	parts: none('integer'),
	price: none('number'),
	dateCreated: none('string'),
	lastUpdated: none('string'),
	outcomeCode: orNull(integer(1)),
	stageCode: orNull(integer(14)),
	statusCode: none('integer'),
};

const identifiers: Fields = {
	campaignId: orNull(text('2001')),
	clientId: or(integer(1001), 'string', 'null'),
	messageId: none('integer'),
	phoneNumberId: or(text('4001'), 'integer', 'null'),
	eventId: text('0f8c1d5be2a94c7f8d3b6a1e5c920b47'),
	eventKey: text('call/2001/447700900123/2030-05-17T09:00:04.000'),
};

/** What only the service's lists have, of the records that the polling trigger reads. */
const ofLists: Fields = {
	isTransferCall: flag(false),
	attemptNumber: integer(1),
	secondsDuration: integer(31),
	countryCode: text('GB'),
	senderNumber: orNull(text('Shop')),
	message: orNull(text('20 % off until Sunday.')),
	name: orNull(text('Ada')),
	dateReceived: text('2030-05-17T09:00:09'),
};

/** Of Campaign Status and Campaign Finished. */
const ofCampaigns: Fields = {
	campaignName: orNull(text('May reminders')),
	campaignStatus: orNull(integer(2)),
	previousCampaignStatus: orNull(integer(1)),
	finishedBecause: text('allNumbersDone'),
	campaignType: text('voice'),
};

/** Messaging Service Trigger. What the interface does not list of an event follows, or `sample`. */
export const TRIGGER_RETURNS: Returns = {
	fields: { ...content, ...identifiers },
	otherwise: [
		{
			when: { simplify: false },
			fields: { webHookType: integer(0), data: { type: 'object', examples: [{}] } },
			isOpen: true,
		},
	],
	isOpen: true,
};

/** Messaging Service Poll Trigger. */
export const POLL_RETURNS: Returns = {
	fields: {
		...content,
		...ofLists,
		...ofCampaigns,
		newId: text('5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10'),
		...identifiers,
	},
};
