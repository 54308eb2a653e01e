import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import {
	ANSWERED,
	DELIVERED,
	FAILED_STATUSES,
	OPT_IN,
	OPT_OUT,
	OUTCOMES,
	SMS_STATUSES,
	STAGES,
} from '../codes';
import type { FieldSchema } from '../returns/fields';
import { decimal, integer, or, text } from '../returns/fields';
import { entriesIn } from '../texts';
import { secondsBetween, toNumber, toText } from './decode';

/** What a menu shows of a kind of event. */
interface MenuEntry {
	label: string;
	description: string;
	/** In n8n's panel of nodes. */
	action: string;
}

/** One of the triggers' filters: events pass that have one of the values which the user gives. */
export interface EventFilter {
	/** Of the trigger's parameter. */
	name: string;
	label: string;
	description: string;
	/** What the user selects from. Without options, the user enters values separated by commas. */
	options?: readonly { name: string; value: number | string }[];
	placeholder?: string;
	/** The event's own values. */
	valuesOf(event: IDataObject): readonly unknown[];
}

/** Where the code itself is. */
export const codeFieldOf = (name: string) => `${name}Code`;

/** Fields of a kind. `of` is what the event has for it; by default, what it has under this name. */
export type Values = Readonly<
	Record<string, { schema: FieldSchema; of?(data: IDataObject): unknown }>
>;

/** A kind of event that the service sends (interface, "Events"): its fields beside those of all kinds. */
export interface ServiceKind<Coded extends string = string> extends MenuEntry {
	webHookType: number;
	/** Fields with a code: the record has the name of the code, and the code in another field. */
	codes: Readonly<
		Record<
			Coded,
			{
				codes: Readonly<Record<number, string>>;
				of(data: IDataObject): unknown;
				example: number;
			}
		>
	>;
	/** Fields that say whether a code is one of some. */
	flags: Readonly<Record<string, { of: NoInfer<Coded>; codes: readonly number[] }>>;
	/** All others. */
	values: Values;
	/** Those that tell whom or what it is about, which an item ends with. */
	identifiers: Values;
	/** Fields of the service that a decoded event has under other names only. */
	renamed: readonly string[];
	/** How its keys start, and the fields of the service that they name. */
	key: readonly [name: string, ...fields: string[]];
	filters: readonly EventFilter[];
	/** Data with example values. @param secondsAgo gives a time as the service writes it */
	sample(secondsAgo: (seconds: number) => string): IDataObject;
}

const define = <Coded extends string>(kind: ServiceKind<Coded>): ServiceKind<Coded> => kind;

/** The codes of a table as options of a list, in the order of the codes. */
const codeOptions = (table: Readonly<Record<number, string>>) =>
	Object.entries(table).map(([code, name]) => ({ name: `${name} (${code})`, value: Number(code) }));

const callAttempted = define({
	webHookType: 0,
	label: 'Call Attempted',
	action: 'On call attempted',
	description: 'A call of a voice campaign was attempted, with its outcome',
	codes: {
		outcome: { codes: OUTCOMES, of: ({ outCome, outcome }) => outCome ?? outcome, example: 1 },
		stage: { codes: STAGES, of: ({ stage }) => stage, example: OPT_OUT },
	},
	flags: {
		answered: { of: 'outcome', codes: [ANSWERED] },
		optedIn: { of: 'stage', codes: [OPT_IN] },
		optedOut: { of: 'stage', codes: [OPT_OUT] },
	},
	values: {
		userInput: { schema: text('9') },
		startTime: { schema: text('2030-05-17T09:00:04Z') },
		endTime: { schema: text('2030-05-17T09:00:35Z') },
		durationSeconds: {
			schema: decimal(31),
			of: ({ startTime, endTime }) => secondsBetween(startTime, endTime),
		},
	},
	identifiers: {
		campaignId: { schema: text('2001'), of: ({ campaignId }) => toText(campaignId) },
	},
	renamed: ['outCome'],
	key: ['call', 'campaignId', 'phoneNumber', 'startTime'],
	filters: [
		{
			name: 'outcomes',
			label: 'Call Outcomes',
			description: 'Only calls with one of these outcomes',
			options: codeOptions(OUTCOMES),
			valuesOf: ({ outcomeCode }) => [outcomeCode],
		},
		{
			name: 'stages',
			label: 'Call Stages',
			description: 'Only calls that reached one of these stages',
			options: codeOptions(STAGES),
			valuesOf: ({ stageCode }) => [stageCode],
		},
		{
			name: 'campaignIds',
			label: 'Campaign IDs',
			description: 'Only calls of these campaigns, separated by commas. SMS events carry none.',
			placeholder: 'e.g. 2001, 2002',
			valuesOf: ({ campaignId }) => [campaignId],
		},
		{
			name: 'userInputs',
			label: 'Keys Pressed',
			description: 'Only calls in which the person pressed one of these, separated by commas',
			placeholder: 'e.g. 1, 9',
			valuesOf: ({ userInput }) => entriesIn(userInput),
		},
	],
	sample: (secondsAgo) => ({
		startTime: secondsAgo(30),
		endTime: secondsAgo(1),
		outCome: 1,
		stage: 10,
		userInput: '1',
		campaignId: '2001',
	}),
});

const smsStatus = define({
	webHookType: 1,
	label: 'SMS Status',
	action: 'On SMS status',
	description: 'The delivery status of an SMS changed',
	codes: { status: { codes: SMS_STATUSES, of: ({ statusCode }) => statusCode, example: 1 } },
	flags: {
		delivered: { of: 'status', codes: [DELIVERED] },
		failed: { of: 'status', codes: FAILED_STATUSES },
	},
	values: {
		// What is no number is passed on as received.
		parts: { schema: integer(1), of: ({ parts }) => toNumber(parts) ?? parts },
		price: { schema: decimal(0.04), of: ({ price }) => toNumber(price) ?? price },
		dateCreated: { schema: text('2030-05-17T09:00:00Z') },
		lastUpdated: { schema: text('2030-05-17T09:00:09Z') },
	},
	identifiers: {
		messageId: { schema: integer(3001), of: ({ Id, id }) => Id ?? id },
		phoneNumberId: { schema: or(text('4001'), 'integer') },
	},
	renamed: ['Id', 'id'],
	key: ['sms', 'phoneNumber', 'statusCode', 'parts', 'lastUpdated'],
	filters: [
		{
			name: 'statuses',
			label: 'SMS Statuses',
			description: 'Only messages with one of these statuses',
			options: [{ name: 'Any Failure', value: 'failed' }, ...codeOptions(SMS_STATUSES)],
			valuesOf: ({ statusCode, failed }) => [statusCode, failed === true ? 'failed' : null],
		},
	],
	sample: (secondsAgo) => ({
		dateCreated: secondsAgo(60),
		lastUpdated: secondsAgo(1),
		Id: 3001,
		phoneNumberId: '4001',
		parts: 1,
		price: 0.04,
		statusCode: 1,
	}),
});

/** The kinds of events that the service sends. What it may send one day is `unknown`. */
export const SERVICE_KINDS = { callAttempted, smsStatus } satisfies Record<string, ServiceKind>;

export type ServiceEventKind = keyof typeof SERVICE_KINDS;

export type EventKind = ServiceEventKind | 'unknown';

/** What happens to a campaign as a whole: the service sends no event, the poll trigger finds it. */
const CAMPAIGN_KINDS = {
	campaignFinished: {
		label: 'Campaign Finished',
		action: 'On campaign finished',
		description: 'A voice or SMS campaign is over, with the figures of Get Summary',
	},
	campaignStatus: {
		label: 'Campaign Status',
		action: 'On campaign status',
		description: 'A new voice or SMS campaign, or a new status of one',
	},
} satisfies Record<string, MenuEntry>;

export type CampaignEventKind = keyof typeof CAMPAIGN_KINDS;

/** What the poll trigger reports: the lists of the service hold the events as well. */
export const POLL_KINDS = { ...SERVICE_KINDS, ...CAMPAIGN_KINDS };

/** The options of a menu of kinds, by their names. */
export function kindOptions(kinds: Readonly<Record<string, MenuEntry>>) {
	return Object.entries(kinds)
		.map(([value, { label: name, action, description }]) => ({ name, value, action, description }))
		.sort((a, b) => a.name.localeCompare(b.name));
}

/** The line under a trigger's name on the canvas: an expression that the editor evaluates. */
export function subtitleOfKinds(kinds: Readonly<Record<string, MenuEntry>>): string {
	const labels = JSON.stringify(mapValues(kinds, 'label'));
	return `={{ $parameter["events"].map((event) => (${labels})[event] || event).join(", ") }}`;
}
