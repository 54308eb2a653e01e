import type { IDataObject } from 'n8n-workflow';
import { present } from '../json';
import { listRanges } from '../parameters/ranges';
import type { Complaint } from '../recipients/checks';
import type { RecipientPlan } from '../recipients/plan';
import { failRecipients, leftOut } from './failures';
import { rowsOf, type Call } from './planned';
import type { Result } from './rows';
import type { SendingRun } from './start';

/** Duplicates and invalid recipients that are listed one by one. */
const MOST_LISTED = 1000;

/**
 * Notes what became of the rows of a call.
 * @param results of its requests, in their order; undefined where the run was stopped before
 */
export function settle(
	run: SendingRun,
	call: Call,
	results: readonly (Result | undefined)[],
): void {
	const { rows } = run;
	const { plan, itemIndexes, requests } = call;
	const skipped = plan?.skipped ?? [];
	run.notes.leftOut += skipped.length;
	const succeeded = results.filter((result) => result?.records !== undefined);
	const hasErrorBranch = run.context.getNode().onError === 'continueErrorOutput';
	const isListed = (!hasErrorBranch && succeeded.length > 0) || plan?.isItems === false;
	describeFirst(succeeded, call, isListed);
	if (plan?.isItems === false) {
		const description = succeeded.length === 0 ? '' : 'Other campaigns were created: see created.';
		const fields = skipped.length === 0 ? {} : listOf('skipped', skipped, plan);
		rows.set(itemIndexes, ofOneRow(results, { description, fields }));
		return;
	}
	requests.forEach((planned, index) => {
		const result = results[index];
		if (result === undefined) return;
		const { failure } = result;
		if (failure === undefined || plan === undefined) rows.set(rowsOf(planned), result);
		else failRecipients(rows, rowsOf(planned), { ...result, failure });
	});
	for (const complaint of skipped) {
		// Those that the item of a campaign lists have no item of their own.
		const result = isListed ? { records: [] } : { failure: leftOut(complaint) };
		rows.set([complaint.itemIndex], { sent: 'no', ...result });
	}
}

/** Adds to the first output item what holds for the whole call. */
export function describeFirst(
	results: readonly (Result | undefined)[],
	{ plan, warnings, isDryRun }: Call,
	isSkippedListed: boolean,
): void {
	const records = results[0]?.records;
	if (records?.[0] === undefined) return;
	const isTold = plan !== undefined && plan.skipped.length > 0 && !isDryRun;
	records[0] = present({
		...records[0],
		warnings: warnings.length === 0 ? undefined : [...new Set(warnings)],
		...(isTold ? { skippedCount: plan.skipped.length } : {}),
		...(isTold && isSkippedListed ? listOf('skipped', plan.skipped, plan) : {}),
		columnsUsed: plan?.columns?.used,
		columnsNotUsed: plan?.columns?.notUsed,
	});
}

/**
 * What became of one row whose list is one campaign, or several.
 * @param results of the campaigns; undefined where the run was stopped before
 * @param about what a failure says of the list
 */
export function ofOneRow(
	results: readonly (Result | undefined)[],
	about: { description: string; fields: IDataObject },
): Result {
	const states = new Set(results.map((result) => result?.sent ?? 'no'));
	const [first = 'no'] = states;
	const sent = states.size > 1 ? 'possibly' : first;
	const failures = results.flatMap((result) => result?.failure ?? []);
	const failure = failures.find(({ isEarlier }) => !isEarlier) ?? failures[0];
	const records = results.flatMap((result) => result?.records ?? []);
	if (failure === undefined) return results.includes(undefined) ? { sent } : { sent, records };
	const created = records.length === 0 ? undefined : records;
	return {
		sent,
		failure: {
			...failure,
			description: [failure.description, about.description].filter(Boolean).join(' '),
			fields: present({ ...failure.fields, created, ...about.fields }),
		},
	};
}

/** Complaints for an output item: how many, the first of them, and the positions of the others. */
export function listOf(
	name: string,
	complaints: readonly Complaint[],
	{ isItems }: RecipientPlan,
): IDataObject {
	const others = complaints
		.slice(MOST_LISTED)
		.map(({ itemIndex }) => itemIndex + (isItems ? 0 : 1));
	return present({
		[`${name}Count`]: complaints.length,
		[name]: complaints.slice(0, MOST_LISTED).map((complaint) => {
			const { phoneNumber, reason, nextAllowedTime } = complaint;
			return present({ ...placeIn(complaint, isItems), phoneNumber, reason, nextAllowedTime });
		}),
		[`${name}Others`]: others.length === 0 ? undefined : listRanges(others, Infinity),
	});
}

/** Where a recipient comes from: items have their index, the entries of a list are counted from 1. */
export function placeIn({ itemIndex }: Complaint, isItems: boolean): IDataObject {
	return isItems ? { itemIndex } : { entry: itemIndex + 1 };
}
