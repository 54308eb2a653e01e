import type { IDataObject } from 'n8n-workflow';
import type { RecipientPlan } from '../recipients/plan';
import { listOf } from './complaints';
import { failRows, leftOut } from './failures';
import type { Result, Sent } from './rows';
import type { Call } from './planned';
import type { SendingRun } from './runState';

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
	for (const complaint of plan?.skipped ?? []) run.notes.addLeftOut(complaint);
	const succeeded = results.filter((result) => result?.records !== undefined);
	const hasErrorBranch = run.context.getNode().onError === 'continueErrorOutput';
	const isListed = (!hasErrorBranch && succeeded.length > 0) || plan?.isItems === false;
	describeFirst(succeeded, call, isListed);
	if (plan?.isItems === false) {
		rows.set(itemIndexes, ofOneRow(call, results));
		return;
	}
	// Requests that the sending policy refuses together share a result.
	const rowsOf = new Map<Result, number[]>();
	requests.forEach((planned, index) => {
		const result = results[index];
		if (result === undefined) return;
		const known = rowsOf.get(result);
		if (known === undefined) rowsOf.set(result, [...planned.rows]);
		else for (const row of planned.rows) known.push(row);
	});
	for (const [result, indexes] of rowsOf) {
		if (result.failure === undefined) rows.set(indexes, result);
		else failRows(rows, indexes, { ...result, failure: result.failure }, plan !== undefined);
	}
	for (const complaint of plan?.skipped ?? []) {
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
function ofOneRow({ plan, requests }: Call, results: readonly (Result | undefined)[]): Result {
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
