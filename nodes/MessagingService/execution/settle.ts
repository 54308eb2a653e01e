import { countBy, difference, isEmpty, partition, sumBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../failure';
import { isObject, present } from '../json';
import { clauseOf, isComplaint, MOST_LISTED, type Complaint } from '../reason';
import type { Columns } from '../recipients/sources';
import type { RecipientPlan } from '../recipients/plan';
import { nobodyLeft } from '../recipients/pass';
import { rowsOf, type PlannedRequest } from './planned';
import { failedResult, type Result, type Rows } from './rows';
import { stateBefore, haltAfter, type AccountRun } from './start';

/** What the operation does for one input item, or for all of them. */
export interface Job {
	run: AccountRun;
	itemIndexes: readonly number[];
	isDryRun: boolean;
	plan?: RecipientPlan;
	/** Those that are left to send. */
	requests: PlannedRequest[];
	/** Of a typed list: what the requests of earlier tries came to. */
	earlier: Result[];
	/** What the user should know about the requests. */
	warnings: string[];
}

/**
 * Notes what became of the rows of a job.
 * @param results of its requests, in their order
 */
export function settle(job: Job, results: readonly Result[]): void {
	const { run, plan, itemIndexes, requests } = job;
	const { rows } = run;
	const takenOut = results.flatMap((result) => result.takenOut ?? []);
	const skipped = [...(plan?.skipped ?? []), ...takenOut];
	noteLeftOut(job, results);
	const succeeded = [...job.earlier, ...results].find(({ records }) => records !== undefined);
	const hasErrorBranch = run.context.getNode().onError === 'continueErrorOutput';
	const isListed = plan?.isItems === false || (!hasErrorBranch && succeeded !== undefined);
	const list =
		plan === undefined || skipped.length === 0 ? {} : complaintList('skipped', skipped, plan);
	const { skippedCount } = list;
	describeFirst(
		succeeded?.records,
		{ ...job, columns: plan?.columns },
		isListed ? list : present({ skippedCount }),
	);
	if (plan?.isItems === false) {
		const all = [...job.earlier, ...results];
		const where = run.failuresAreItems ? ': see created' : '';
		const others = succeeded === undefined ? '' : `Other campaigns were created${where}.`;
		rows.set(itemIndexes, ofNobody(run, takenOut, ofOneRow(all, others, list)));
		return;
	}
	for (const leftOut of skipped) {
		// Those that the item of a campaign lists have no item of their own.
		rows.set([leftOut.place], { sent: 'no', ...(isListed ? { records: [] } : { leftOut }) });
	}
	const out = new Set(takenOut.map(({ place }) => place));
	requests.forEach((planned, index) => {
		const { failure, ...result } = results[index] ?? { sent: 'no' };
		const own = rowsOf(planned).filter((row) => !out.has(row));
		if (failure === undefined) rows.set(own, result);
		else failRecipients(rows, own, { ...result, failure });
	});
}

/** The result of a list of which all were left out when their turn came. */
export function ofNobody(
	{ operation: { recipients: kind } }: AccountRun,
	takenOut: readonly Complaint[],
	result: Result,
): Result {
	const isNobody = result.failure === undefined && isEmpty(result.records);
	if (kind === undefined || !isNobody || takenOut.length === 0) return result;
	return { ...result, failure: nobodyLeft(kind, takenOut.length, takenOut[0], takenOut) };
}

/** For the hint beside the output. */
function noteLeftOut({ run, plan, requests }: Job, results: readonly Result[]): void {
	// Of a list that is refused as a whole, nobody is sent to.
	if (plan !== undefined && results.every(({ records, sent }) => !records && sent === 'no')) return;
	const sent = sumBy(requests, (planned) => planned.batch?.recipients.length ?? 1);
	const own = results.flatMap(({ leftOut, takenOut = [] }) => leftOut ?? takenOut);
	const { skipped = [] } = plan ?? {};
	run.notes.addRows(sent + skipped.length, countBy([...skipped, ...own], 'code'));
}

/**
 * Notes a failure that concerns several recipients: those because of which nothing was sent have a
 * reason of their own, the others name them.
 * @param itemIndexes the recipients of the request, in their order
 */
export function failRecipients(
	rows: Rows,
	itemIndexes: readonly number[],
	result: Result & { failure: Failure },
): void {
	const { failure, sent } = result;
	const { reasons = [], isLeftOut = false } = failure.facts;
	const isOwn = sent === 'no' && (itemIndexes.length > 1 || isLeftOut);
	const own = isOwn ? reasons.filter(isComplaint) : [];
	for (const each of own) {
		rows.set([each.place], { ...result, ...(isLeftOut ? { leftOut: each } : { refused: each }) });
	}
	const blockingRows = own.map(({ place }) => place);
	const others = difference(itemIndexes, blockingRows);
	rows.set(others, own.length === 0 ? result : { ...result, blockingRows });
}

/** Adds to the first output item what holds for the whole job. */
export function describeFirst(
	records: IDataObject[] | undefined,
	{ warnings, columns }: { warnings: readonly string[]; columns: Columns | undefined },
	about: IDataObject = {},
): void {
	const [record] = records ?? [];
	if (records === undefined || record === undefined) return;
	const { details } = record;
	const all = { ...about, columnsUsed: columns?.used, columnsNotUsed: columns?.notUsed };
	records[0] = present({
		...record,
		warnings: warnings.length === 0 ? undefined : [...new Set(warnings)],
		...(isObject(details) ? { details: { ...details, ...present(all) } } : all),
	});
}

/**
 * What became of one row whose list is one campaign, or several.
 * @param results of the campaigns
 * @param advice what a failure says of the other campaigns
 * @param about what it says of the list
 */
export function ofOneRow(results: readonly Result[], advice: string, about: IDataObject): Result {
	const states = new Set(results.map(({ sent }) => sent));
	const [first = 'no'] = states;
	const sent = states.size > 1 ? 'possibly' : first;
	const failures = results.filter(({ failure }) => failure !== undefined);
	const failed = failures.find(({ isEarlier }) => isEarlier !== true) ?? failures[0];
	const records = results.flatMap((result) => result.records ?? []);
	if (failed?.failure === undefined) return { sent, records };
	const { failure, ...others } = failed;
	const description = [failure.description, advice].filter(Boolean).join(' ');
	const created = records.length === 0 ? undefined : records;
	return {
		...others,
		sent,
		failure: failure.with({ description }),
		about: present({ created, ...about }),
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

/** Fails a job that sends nothing now; an earlier try may have sent some of it. */
export function failJob(run: AccountRun, itemIndexes: readonly number[], cause: unknown): void {
	const { rows, kind } = run;
	const [known, open] = partition(itemIndexes, (row) => stateBefore(run, row) === 'possibly');
	for (const row of known) rows.set([row], haltAfter(run, failedResult(cause, 'possibly')));
	if (open.length === 0) return;
	const result = failedResult(cause, 'no');
	haltAfter(run, result);
	if (kind === 'allItems') failRecipients(rows, open, result);
	else rows.set(open, result);
}
