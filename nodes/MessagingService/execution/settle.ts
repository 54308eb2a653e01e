import type { IDataObject } from 'n8n-workflow';
import type { RecipientPlan } from '../recipients/plan';
import { listOf } from './complaints';
import { failRows, leftOut, type FailedResult } from './failures';
import type { Result, Sent } from './rows';
import type { Call, Planned } from './planned';
import type { SendingRun } from './runState';

/** Requests of a call that the sending policy refuses together. */
export interface RefusedTogether {
	open: readonly Planned[];
	result: FailedResult;
}

/**
 * Notes what became of the rows of a call.
 * @param results of the requests; undefined where the run was stopped before
 */
export function settle(
	run: SendingRun,
	call: Call,
	requests: readonly Planned[],
	results: readonly (Result | undefined)[],
	refused?: RefusedTogether,
): void {
	const { rows } = run;
	const { plan, itemIndexes } = call;
	const isItems = plan?.isItems === true;
	for (const complaint of plan?.skipped ?? []) run.notes.addLeftOut(complaint);
	const succeeded = results.filter((result) => result?.records !== undefined);
	const hasErrorBranch = run.context.getNode().onError === 'continueErrorOutput';
	const isListed = (!hasErrorBranch && succeeded.length > 0) || plan?.isItems === false;
	describeFirst(succeeded, call, isListed);
	if (plan?.isItems === false) {
		const all = [...results, ...(refused?.open ?? []).map(() => refused?.result)];
		rows.set(itemIndexes, ofOneRow(call, [...requests, ...(refused?.open ?? [])], all));
		return;
	}
	requests.forEach((planned, index) => {
		const result = results[index];
		if (result?.failure !== undefined) {
			failRows(rows, planned.rows, { ...result, failure: result.failure }, isItems);
		} else if (result !== undefined) rows.set(planned.rows, result);
	});
	if (refused !== undefined) {
		const open = refused.open.flatMap((planned) => planned.rows);
		failRows(rows, open, refused.result, isItems);
	}
	for (const complaint of isItems ? plan.skipped : []) {
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
	records[0] = {
		...records[0],
		...(warnings.length === 0 ? {} : { warnings: [...new Set(warnings)] }),
		...(plan === undefined ? {} : aboutPlan(plan, isDryRun, isSkippedListed)),
	};
}

function aboutPlan(plan: RecipientPlan, isDryRun: boolean, isSkippedListed: boolean): IDataObject {
	const { columns, skipped } = plan;
	const isTold = skipped.length > 0 && !isDryRun;
	return {
		...(isTold ? { skippedCount: skipped.length } : {}),
		...(isTold && isSkippedListed ? listOf('skipped', skipped, plan) : {}),
		...(columns === undefined
			? {}
			: { columnsUsed: columns.used, columnsNotUsed: columns.notUsed }),
	};
}

/** What became of one row whose list is one campaign, or several. */
function ofOneRow(
	{ plan }: Call,
	requests: readonly Planned[],
	results: readonly (Result | undefined)[],
): Result {
	const sent = sentOfAll(results);
	const failures = results.flatMap((result) => result?.failure ?? []);
	const failure = failures.find(({ isEarlier }) => !isEarlier) ?? failures[0];
	const records = results.flatMap((result) => result?.records ?? []);
	if (failure === undefined) return results.includes(undefined) ? { sent } : { sent, records };
	const names = requests
		.filter((_, index) => results[index]?.failure !== undefined)
		.map(({ batch }) => `${batch?.part ?? 1} of ${batch?.parts ?? 1}`);
	const about =
		records.length === 0
			? ''
			: ` Campaigns ${names.join(', ')} failed; the others were created (see created).`;
	const skipped =
		plan === undefined || plan.skipped.length === 0 ? {} : listOf('skipped', plan.skipped, plan);
	return {
		sent,
		failure: {
			...failure,
			description: `${failure.description}${about}`.trim(),
			fields: {
				...failure.fields,
				...(records.length === 0 ? {} : { created: records }),
				...skipped,
			},
		},
	};
}

/** Whether all requests of a row were sent; `possibly` where only some were. */
function sentOfAll(results: readonly (Result | undefined)[]): Sent {
	const states = new Set(results.map((result) => result?.sent ?? 'no'));
	const [first = 'no'] = states;
	return states.size > 1 ? 'possibly' : first;
}
