import type { IDataObject } from 'n8n-workflow';

/** What the polling trigger reports. */
export type PollEvent = 'callAttempted' | 'smsStatus' | 'campaignStatus' | 'campaignFinished';

/** What one poll of the trigger is about, as the user set it. */
export interface PollSettings {
	events: readonly PollEvent[];
	/** IDs of the selected campaigns; undefined for all that started lately. */
	selected: { voice: readonly string[]; sms: readonly string[] } | undefined;
	/** How many days back campaigns may have started and SMS messages may have been created. */
	days: number;
	/** Query parameters that narrow down the list of SMS messages. */
	smsFilters: IDataObject;
	/** Whether SMS that voice campaigns sent are reported. */
	includeVoiceSms: boolean;
	/** Results from then on are reported by the first poll; undefined for those after it. */
	startFrom: number | undefined;
	maxItems: number;
	pageSize: number;
	/** How long a poll may read, in milliseconds. */
	budgetMs: number;
	/** The same while the first poll finds out what was there before. */
	baselineBudgetMs: number;
	/** Service and client: what is known of one means nothing for another. */
	account: string;
}

/** What of the phone numbers of a voice campaign is reported; undefined where they are not read. */
export interface NumberEvents {
	calls: boolean;
	sms: boolean;
	finished: boolean;
}

export function numberEvents(settings: PollSettings): NumberEvents | undefined {
	const has = (event: PollEvent) => settings.events.includes(event);
	const wanted = {
		calls: has('callAttempted'),
		sms: has('smsStatus') && settings.includeVoiceSms,
		finished: has('campaignFinished'),
	};
	return wanted.calls || wanted.sms || wanted.finished ? wanted : undefined;
}
