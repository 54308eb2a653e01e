import type { IDataObject } from 'n8n-workflow';
import { listRanges } from '../parameters/ranges';
import type { Complaint } from '../recipients/checks';
import type { RecipientPlan } from '../recipients/plan';

/** Duplicates and invalid recipients that are listed one by one. */
const MOST_LISTED = 1000;

/** Complaints for an output item: how many, the first of them, and the positions of the others. */
export function listOf(
	name: string,
	complaints: readonly Complaint[],
	{ isItems }: RecipientPlan,
): IDataObject {
	const others = complaints
		.slice(MOST_LISTED)
		.map(({ itemIndex }) => (isItems ? itemIndex : itemIndex + 1));
	return {
		[`${name}Count`]: complaints.length,
		[name]: complaints
			.slice(0, MOST_LISTED)
			.map(({ itemIndex, phoneNumber, reason, nextAllowedTime }) => ({
				...placeOf(itemIndex, isItems),
				phoneNumber,
				reason,
				...(nextAllowedTime === undefined ? {} : { nextAllowedTime }),
			})),
		...(others.length === 0 ? {} : { [`${name}Others`]: listRanges(others, Infinity) }),
	};
}

/** Where a recipient comes from: items have their index, the entries of a list are counted from 1. */
export function placeOf(itemIndex: number, isItems: boolean): IDataObject {
	return isItems ? { itemIndex } : { entry: itemIndex + 1 };
}
