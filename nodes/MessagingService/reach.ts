import type { IDataObject } from 'n8n-workflow';

/** Whom a request that changes something reaches, and when. */
export type Reach =
	/** Nobody: it stores a number. */
	| { kind: 'nobody' }
	/** Nobody, but it decides where the events of the account go. */
	| { kind: 'events' }
	/** These numbers, by messages: from a start on, or now. */
	| { kind: 'messages'; numbers: readonly unknown[]; start?: unknown }
	/** These numbers, by calls on these days: `date`, `startTime` and `finishTime` of each. */
	| { kind: 'calls'; numbers: readonly unknown[]; days: readonly IDataObject[] }
	/** The contacts of an existing campaign, by its path; with another start, if there is one. */
	| { kind: 'campaign'; path: string; start?: unknown }
	/** The interface does not tell. */
	| { kind: 'unknown' };

/** How a request can reach people. */
export type ReachKind = Reach['kind'];

/** Those that reach people in one way. */
export type ReachOf<Kind extends ReachKind> = Extract<Reach, { kind: Kind }>;

/** The numbers that a request names; undefined where it names none. */
export function numbersIn(reaches: Reach): readonly unknown[] | undefined {
	return 'numbers' in reaches ? reaches.numbers : undefined;
}
