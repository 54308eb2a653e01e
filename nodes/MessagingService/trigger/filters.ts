import type { IDataObject } from 'n8n-workflow';
import type { DecodedEvent } from './events';

/** The trigger's "Filters" as the user filled them in. */
export interface EventFilters {
	campaignIds?: string;
	outcomes?: number[];
	phoneNumbers?: string;
	stages?: number[];
	statuses?: number[];
}

/** Which events start the workflow. */
export interface Selection {
	/** The selected kinds; with all of them selected, unknown ones pass as well. */
	kinds: readonly string[];
	filters: EventFilters;
}

const ALL_KINDS = ['callAttempted', 'smsStatus'];

function listOf(text: string | undefined): string[] {
	return (text ?? '')
		.split(/[,;\n]+/)
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** `+44 7700 900123`, `0044...` and `447700900123` are the same number. */
function digitsOf(phoneNumber: unknown): string {
	return String(phoneNumber ?? '')
		.replace(/\D/g, '')
		.replace(/^00/, '');
}

/** An empty list lets everything pass; a value that is missing passes no list. */
function fits<Value>(list: readonly Value[] | undefined, value: unknown): boolean {
	return list === undefined || list.length === 0 || list.includes(value as Value);
}

/** Whether an event starts the workflow. Filters count for the kinds of events that have the field. */
export function isSelected(event: DecodedEvent, { kinds, filters }: Selection): boolean {
	if (event.event === 'unknown') return ALL_KINDS.every((kind) => kinds.includes(kind));
	if (!kinds.includes(event.event)) return false;
	const { phoneNumber, campaignId, outcomeCode, stageCode, statusCode }: IDataObject = event;
	if (!fits(listOf(filters.phoneNumbers).map(digitsOf), digitsOf(phoneNumber))) return false;
	return event.event === 'callAttempted'
		? fits(listOf(filters.campaignIds), campaignId) &&
				fits(filters.outcomes, outcomeCode) &&
				fits(filters.stages, stageCode)
		: fits(filters.statuses, statusCode);
}
