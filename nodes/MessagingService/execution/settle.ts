import countBy from 'lodash/countBy';
import sumBy from 'lodash/sumBy';
import type { IDataObject } from 'n8n-workflow';
import { present } from '../json';
import { clauseOf, type Complaint } from '../reason';
import type { Columns } from '../recipients/columns';
import type { RecipientPlan } from '../recipients/plan';
import { failRecipients, leftOut, MOST_LISTED } from './failures';
import { rowsOf, type Call } from './planned';
import type { Result } from './rows';
import type { SendingRun } from './start';

/**
 * Notes what became of the rows of a call.
 * @param results of its requests, in their order
 */
export function settle(run: SendingRun, call: Call, results: readonly Result[]): void {
	const { rows } = run;
	const { plan, itemIndexes, requests } = call;
	const skipped = plan?.skipped ?? [];
	noteLeftOut(run, call, results);
	const succeeded = results.find(({ records }) => records !== undefined);
	const hasErrorBranch = run.context.getNode().onError === 'continueErrorOutput';
	const isListed = plan?.isItems === false || (!hasErrorBranch && succeeded !== undefined);
	const list =
		plan === undefined || skipped.length === 0 ? {} : complaintList('skipped', skipped, plan);
	const { skippedCount } = list;
	describeFirst(
		succeeded?.records,
		{ ...call, columns: plan?.columns },
		isListed ? list : present({ skippedCount }),
	);
	if (plan?.isItems === false) {
		const description = succeeded === undefined ? '' : 'Other campaigns were created: see created.';
		rows.set(itemIndexes, ofOneRow(results, { description, fields: list }));
		return;
	}
	requests.forEach((planned, index) => {
		const { failure, ...result } = results[index] ?? { sent: 'no' };
		if (failure === undefined) rows.set(rowsOf(planned), result);
		else failRecipients(rows, rowsOf(planned), { ...result, failure });
	});
	// Somebody may be left out now to whom an earlier try has sent.
	const sent = run.record?.differs === true ? 'possibly' : 'no';
	for (const complaint of skipped) {
		// Those that the item of a campaign lists have no item of their own.
		const result = isListed ? { records: [] } : { failure: leftOut(complaint, sent) };
		rows.set([complaint.place], { sent, ...result });
	}
}

/** For the hint beside the output. */
function noteLeftOut(run: SendingRun, { plan, requests }: Call, results: readonly Result[]): void {
	const sent = sumBy(requests, (planned) => planned.batch?.recipients.length ?? 1);
	const own = results.flatMap(({ leftOut: complaint }) => complaint ?? []);
	const { skipped = own } = plan ?? {};
	run.notes.addRows(sent + (plan === undefined ? 0 : skipped.length), countBy(skipped, 'code'));
}

/** Adds to the first output item what holds for the whole call. */
export function describeFirst(
	records: IDataObject[] | undefined,
	{ warnings, columns }: { warnings: readonly string[]; columns: Columns | undefined },
	about: IDataObject = {},
): void {
	if (records?.[0] === undefined) return;
	records[0] = present({
		...records[0],
		warnings: warnings.length === 0 ? undefined : [...new Set(warnings)],
		...about,
		columnsUsed: columns?.used,
		columnsNotUsed: columns?.notUsed,
	});
}

/**
 * What became of one row whose list is one campaign, or several.
 * @param results of the campaigns
 * @param about what a failure says of the list
 */
export function ofOneRow(
	results: readonly Result[],
	about: { description: string; fields: IDataObject },
): Result {
	const states = new Set(results.map(({ sent }) => sent));
	const [first = 'no'] = states;
	const sent = states.size > 1 ? 'possibly' : first;
	const failures = results.flatMap(({ failure }) => failure ?? []);
	const failure = failures.find(({ isEarlier }) => isEarlier !== true) ?? failures[0];
	const records = results.flatMap((result) => result.records ?? []);
	if (failure === undefined) return { sent, records };
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

/** Complaints for an output item: how many, and the first of them. */
export function complaintList(
	name: string,
	complaints: readonly Complaint[],
	{ isItems }: RecipientPlan,
): IDataObject {
	return {
		[`${name}Count`]: complaints.length,
		[name]: complaints.slice(0, MOST_LISTED).map((complaint) => {
			const { phoneNumber, nextAllowedTime } = complaint;
			const reason = clauseOf(complaint);
			return present({ ...placeIn(complaint, isItems), phoneNumber, reason, nextAllowedTime });
		}),
	};
}

/** Where a recipient comes from: items have their index, the entries of a list are counted from 1. */
export function placeIn({ place }: Complaint, isItems: boolean): IDataObject {
	return isItems ? { itemIndex: place } : { entry: place + 1 };
}
