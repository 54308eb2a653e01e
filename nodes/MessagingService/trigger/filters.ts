import type { IDataObject } from 'n8n-workflow';
import { digitsOf } from '../events/eventKey';
import type { DecodedEvent } from '../events/events';

/** Which events start the workflow. */
export interface Selection {
	/** The selected kinds; with all of them selected, unknown ones pass as well. */
	kinds: readonly string[];
	/** The trigger's "Filters". An expression may give each as one value, a list or a text with commas. */
	filters: IDataObject;
}

export const ALL_KINDS = ['callAttempted', 'smsStatus'] as const;

/** The filters of each kind of events, and the fields that they are about. */
const FILTERS = {
	callAttempted: { campaignIds: 'campaignId', outcomes: 'outcomeCode', stages: 'stageCode' },
	smsStatus: { statuses: 'statusCode' },
} as const;

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
	const { event: kind, phoneNumber } = event;
	if (kind === 'unknown') return ALL_KINDS.every((each) => kinds.includes(each));
	if (!kinds.includes(kind)) return false;
	if (!fits(textsIn(filters.phoneNumbers).map(digitsOf), digitsOf(phoneNumber))) return false;
	return Object.entries(FILTERS[kind]).every(([filter, field]) =>
		fits(textsIn(filters[filter]), event[field]),
	);
}
