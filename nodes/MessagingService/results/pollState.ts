import { contentKey } from './eventKey';
import type { CampaignPlan } from './campaignPlan';
import type { ListCursor } from './listCursor';
import type { PollSettings } from './pollSettings';

/** What is remembered of a campaign of either kind. */
interface CampaignState {
	/** Since when the list lacks it, in milliseconds since 1970. */
	unlistedSince?: number;
	/** `campaignStatus`, or an SMS campaign's `status`, as it was last reported, as JSON text. */
	status?: string;
	/** How many changes of the status were reported. */
	changes?: number;
}

/** What is remembered of a voice campaign between polls. */
export interface VoiceCampaignState extends CampaignState {
	/** It was there when the trigger was published or set up anew: its past is not reported. */
	isOld?: boolean;
	plan?: CampaignPlan;
	/** Its phone numbers; gone when the campaign is over. */
	numbers?: ListCursor;
	/** The poll in which its phone numbers were last read to the end. */
	turn?: number;
	/** How many of its known phone numbers were missing when it was last read to the end. */
	missing?: number | undefined;
	/** It was done when it was first read: its end is not reported. */
	wasDone?: boolean;
	/** When it was found to be finished, in milliseconds since 1970. */
	finishedAt?: number;
	/** It has finished and is read less often: a call may still be listed late. */
	isResting?: boolean;
	/** Nothing more is expected of it. */
	isOver?: boolean;
}

/** What is remembered of an SMS campaign. */
export type SmsCampaignState = CampaignState;

/** What is remembered of the list of SMS messages. */
export interface MessagesState extends ListCursor {
	turn?: number;
}

/** What the polling trigger remembers between polls. */
export interface PollState {
	/** Polls so far. */
	polls: number;
	account: string;
	/** The settings that decide what is in scope; others mean a new baseline for what they add. */
	scope: string;
	/** Campaigns that are not known are new; before, they are part of the baseline. */
	isSettled: boolean;
	/** The latest time of an event, in milliseconds since 1970. */
	latest: number;
	voice: Map<string, VoiceCampaignState>;
	sms: Map<string, SmsCampaignState>;
	/** The SMS messages, and the poll in which they were last read to the end. */
	messages?: MessagesState;
}

/** The state as one text for n8n's static data: as an object, n8n would watch each of its fields. */
export function writeState(state: PollState): string {
	// Objects with any key, __proto__ included: JSON.parse and fromEntries keep it a plain one.
	const voice = Object.fromEntries(state.voice);
	const sms = Object.fromEntries(state.sms);
	return JSON.stringify({ ...state, voice, sms });
}

/**
 * The state as it was written, made to fit the settings of today: with other settings, what they
 * add is part of a new baseline, and with another account everything is.
 */
export function readState(text: string | undefined, settings: PollSettings): PollState {
	const { account, selected, days, smsFilters, events, includeVoiceSms } = settings;
	const scope = contentKey('scope', [selected ?? null, days, smsFilters, events, includeVoiceSms]);
	const stored = text === undefined ? undefined : parseState(text);
	if (stored === undefined || stored.account !== account) {
		const nothing = { polls: 0, isSettled: false, latest: 0, voice: new Map(), sms: new Map() };
		return { ...nothing, account, scope };
	}
	if (stored.scope === scope) return stored;
	for (const campaign of stored.voice.values()) {
		if (campaign.numbers === undefined) campaign.isOld = true;
	}
	const messages = stored.messages && { ...stored.messages, isBaseline: true };
	return { ...stored, scope, isSettled: false, ...(messages && { messages }) };
}

function parseState(text: string): PollState {
	const { voice, sms, ...others } = JSON.parse(text) as Omit<PollState, 'voice' | 'sms'> & {
		voice: Record<string, VoiceCampaignState>;
		sms: Record<string, SmsCampaignState>;
	};
	return { ...others, voice: new Map(Object.entries(voice)), sms: new Map(Object.entries(sms)) };
}
