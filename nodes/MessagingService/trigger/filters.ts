import type { IDataObject } from 'n8n-workflow';
import { digitsOf } from '../events/eventKey';
import type { DecodedEvent } from '../events/events';

/** The trigger's "Filters". An expression may give each as one value, a list or a text with commas. */
export interface EventFilters {
	campaignIds?: unknown;
	outcomes?: unknown;
	phoneNumbers?: unknown;
	stages?: unknown;
	statuses?: unknown;
}

/** Which events start the workflow. */
export interface Selection {
	/** The selected kinds; with all of them selected, unknown ones pass as well. */
	kinds: readonly string[];
	filters: EventFilters;
}

export const ALL_KINDS = ['callAttempted', 'smsStatus'] as const;

/** The entries of a list that a field or an expression gives. */
export function textsIn(value: unknown): string[] {
	return String(value ?? '')
		.split(/[,;\n]+/)
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** An empty list lets everything pass; a value that is missing passes no list. */
function fits(list: readonly string[], value: unknown): boolean {
	return list.length === 0 || list.includes(String(value ?? ''));
}

/** Whether an event starts the workflow. Filters count for the kinds of events that have the field. */
export function isSelected(event: DecodedEvent, { kinds, filters }: Selection): boolean {
	if (event.event === 'unknown') return ALL_KINDS.every((kind) => kinds.includes(kind));
	if (!kinds.includes(event.event)) return false;
	const { phoneNumber, campaignId, outcomeCode, stageCode, statusCode }: IDataObject = event;
	if (!fits(textsIn(filters.phoneNumbers).map(digitsOf), digitsOf(phoneNumber))) return false;
	return event.event === 'callAttempted'
		? fits(textsIn(filters.campaignIds), campaignId) &&
				fits(textsIn(filters.outcomes), outcomeCode) &&
				fits(textsIn(filters.stages), stageCode)
		: fits(textsIn(filters.statuses), statusCode);
}
