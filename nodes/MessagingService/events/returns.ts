import { mapKeys, mapValues } from 'lodash';
import { codeName } from '../codes';
import type { FieldSchema, Fields, Returns } from '../returns/fields';
import { flag, integer, or, orNull, text } from '../returns/fields';
import { CAMPAIGN_FIGURES } from '../returns/summaries';
import { codeFieldOf, SERVICE_KINDS, type ServiceKind } from './kinds';

/** The items of both triggers. The examples make one call attempt, which has nothing of other kinds. */

const withoutExample = (field: FieldSchema): FieldSchema => ({ ...field, examples: [null] });

/** The fields that each kind has of a sort; null in the events of other kinds. */
function fieldsOfKinds(fieldsOf: (kind: ServiceKind) => Fields): Fields {
	const ofEach = Object.entries(SERVICE_KINDS).map(([name, kind]) =>
		mapValues(fieldsOf(kind), (field) =>
			name === 'callAttempted' ? orNull(field) : withoutExample(orNull(field)),
		),
	);
	return Object.assign({}, ...ofEach) as Fields;
}

/** What `decodeEvent` makes of the service's events (interface, "Events"), in its order. */
const content: Fields = {
	event: text('callAttempted'),
	phoneNumber: orNull(text('+447700900123')),
	result: orNull(text('Answered')),
	...fieldsOfKinds(({ codes }) =>
		mapValues(codes, (each) => text(codeName(each.codes, each.example))),
	),
	...fieldsOfKinds(({ codes, flags }) =>
		mapValues(flags, ({ of, codes: those }) => flag(those.includes(codes[of]?.example ?? NaN))),
	),
	...fieldsOfKinds(({ values }) => mapValues(values, ({ schema }) => schema)),
	...fieldsOfKinds(({ codes }) =>
		mapKeys(
			mapValues(codes, ({ example }) => integer(example)),
			(_, name) => codeFieldOf(name),
		),
	),
};

const identifiers: Fields = {
	...fieldsOfKinds(({ identifiers: those }) => mapValues(those, ({ schema }) => schema)),
	clientId: or(integer(1001), 'string', 'null'),
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
	...CAMPAIGN_FIGURES,
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
		// Of a call, whether the person has opted out; of a campaign, how many have.
		optedOut: or(flag(true), 'integer', 'null'),
		newId: text('5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10'),
		...identifiers,
	},
};
