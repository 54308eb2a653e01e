import type { CampaignPlan } from '../summary/campaignPlan';
import type { EncodedStates } from './recordStates';

/**
 * How far the trigger is with a voice campaign:
 * - `old`: it was there before the trigger looked. What its first reading finds is not reported.
 * - `running`: everything that is found is reported, and more is to come.
 * - `finished`: its end was reported. It is read less often: a call may still be listed late.
 * - `closed`: nothing more is expected of it, and its phone numbers are forgotten.
 */
export type Phase = 'old' | 'running' | 'finished' | 'closed';

/** What is remembered of a campaign of either kind. */
export interface CampaignState {
	/** When it starts, as the service writes it. */
	start: string;
	/** `campaignStatus`, or an SMS campaign's `status`, as it was last read, as JSON text. */
	status?: string;
	/** How many changes of the status there were. */
	changes?: number;
}

/** What is remembered of a voice campaign. Times are in milliseconds since 1970. */
export interface VoiceCampaignState extends CampaignState {
	phase: Phase;
	plan?: CampaignPlan;
	/** Its phone numbers. */
	numbers?: EncodedStates;
	readAt?: number;
	/** When a finished one is closed. */
	closesAt?: number;
}

/** What is remembered of the list of SMS messages. */
export interface MessagesState {
	/** The messages by their ID, each with its status. */
	known: EncodedStates;
	/** Messages created before were not in scope at some time: they are no new ones. */
	scope: string;
	/** The filters with which it was read. */
	filters: string;
}

/** What the polling trigger remembers between polls. */
export interface PollState {
	/** Service and client: what is known of one means nothing for another. */
	account: string;
	voice: Map<string, VoiceCampaignState>;
	sms: Map<string, CampaignState>;
	/** Voice campaigns that start before are no new ones; undefined where not all were read. */
	scope?: string;
	messages?: MessagesState;
}

/** The state as one text for n8n's static data: as an object, n8n would watch each of its fields. */
export function writeState(state: PollState): string {
	// Objects with any key, __proto__ included: JSON.parse and fromEntries keep it a plain one.
	const voice = Object.fromEntries(state.voice);
	const sms = Object.fromEntries(state.sms);
	return JSON.stringify({ ...state, voice, sms });
}

/** The state as it was written; undefined for the first poll of this account. */
export function readState(text: string | undefined, account: string): PollState | undefined {
	if (text === undefined) return undefined;
	const { voice, sms, ...others } = JSON.parse(text) as Omit<PollState, 'voice' | 'sms'> & {
		voice: Record<string, VoiceCampaignState>;
		sms: Record<string, CampaignState>;
	};
	if (others.account !== account) return undefined;
	return { ...others, voice: new Map(Object.entries(voice)), sms: new Map(Object.entries(sms)) };
}
