import type { Schedule } from '../summary/campaignSchedule';
import type { EncodedStates } from './recordStates';

/**
 * How far the trigger is with a campaign:
 * - `baseline`: it was there before the trigger looked. What the first reading finds is not reported.
 * - `running`: everything that is found is reported, and more is to come.
 * - `finished`: the end of a voice campaign was reported. A call may still be listed late.
 * - `closed`: it is not read any more.
 */
export type Phase = 'baseline' | 'running' | 'finished' | 'closed';

/** What is remembered of a campaign. Times are in milliseconds since 1970. */
export interface CampaignState {
	/** When it starts, by the service's clock. */
	start: string;
	/** Its status as it was last read, as JSON text. */
	status?: string;
	/** How many changes of the status there were. */
	changes?: number;
	phase: Phase;
	/** The rest is about phone numbers, which only a voice campaign has. */
	schedule?: Schedule;
	numbers?: EncodedStates;
	/** When all of them were last read. */
	readAt?: number;
	/** A reading that was cut: the next poll goes on with it. */
	reading?: NumberReading | undefined;
	/** When a finished one is closed. */
	closesAt?: number;
}

/** How far the phone numbers of a campaign have been read, and what was found. */
interface NumberReading {
	/** The next page. */
	page: number;
	count: number;
	isChanged: boolean;
	/** Whether more is expected of one of them. */
	isOpen: boolean;
}

/** What the polling trigger remembers between polls. */
export interface PollState {
	/** Service and client: what is known of one means nothing for another. */
	account: string;
	/** Campaigns by their ID. */
	voice: Map<string, CampaignState>;
	sms: Map<string, CampaignState>;
	/** The messages by their ID, each with its status and the day on which it was last listed. */
	messages?: EncodedStates;
	/** The filters with which the messages were read. */
	filters: string;
	/**
	 * What is not known and not older than this is new, by the service's clock. A list that was not
	 * read, or not whole, has none.
	 */
	newSince: Partial<Record<ListName, string>>;
	/** The list that the next poll reads first, since the time of this one did not suffice for it. */
	first?: ListName | undefined;
}

/** The lists that have new records. */
export type ListName = 'voice' | 'sms' | 'messages';

/** The state as it is written: its campaigns as pairs, so that an ID may be any text. */
type WrittenState = Omit<PollState, 'voice' | 'sms'> &
	Record<'voice' | 'sms', [id: string, state: CampaignState][]>;

/** The state as one text for n8n's static data: as an object, n8n would watch each of its fields. */
export function writeState({ voice, sms, ...others }: PollState): string {
	return JSON.stringify({ ...others, voice: [...voice], sms: [...sms] } satisfies WrittenState);
}

/** The state as it was written; undefined for the first poll of this account. */
export function readState(text: string | undefined, account: string): PollState | undefined {
	if (text === undefined) return undefined;
	const { voice, sms, ...others } = JSON.parse(text) as WrittenState;
	return others.account === account
		? { ...others, voice: new Map(voice), sms: new Map(sms) }
		: undefined;
}
