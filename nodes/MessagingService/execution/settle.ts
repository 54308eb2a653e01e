import { countBy, difference, map, sortBy, sumBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Failure, Sent } from '../failure';
import { present } from '../json';
import { listRanges, numbersInWords } from '../parameters/ranges';
import type { Complaint } from '../reason';
import { nobodyOf, type RecipientPlan } from '../recipients/plan';
import { rowsOf } from './planned';
import { complaintList, describeFirst } from './items';
import { receiptsOf, resultOfReceipt, settleEarlier } from './earlier';
import {
	failedResult,
	NOTHING_EARLIER,
	sentInWords,
	type EarlierOfList,
	type PartOfList,
	type Result,
	type SentInPart,
} from './rows';
import type { Job, Run } from './start';

/**
 * Notes the outcomes of the rows of a job.
 * @param results of its requests, in their order
 */
export function settle(job: Job, results: readonly Result[]): void {
	const { plan } = job;
	const leftOut = [...(plan?.leftOut ?? []), ...results.flatMap((each) => each.leftOut ?? [])];
	noteLeftOut(job, results, leftOut);
	if (plan?.isItems === false) settleList(job, plan, { results, leftOut });
	else settleItems(job, { results, leftOut });
}

/** What the requests of a job came to, and who was left out of it, before or when their turn came. */
interface JobResults {
	results: readonly Result[];
	leftOut: readonly Complaint[];
}

/** A typed list is one row: its item has all of it. */
function settleList(job: Job, plan: RecipientPlan, { results, leftOut }: JobResults): void {
	const { run, itemIndexes, warnings, earlier } = job;
	const all = [...earlier.results, ...results];
	const skipped = listSkipped(plan, leftOut);
	const created = all.find(({ records }) => records !== undefined)?.records;
	describeFirst(created, { warnings, columns: undefined }, skipped);
	const result = resultOfList(all, {
		inPart: entriesInPart([...earlier.results, ...partsOf(job, results)]),
		errorFields: skipped,
		nobodyLeft: () => nobodyOf(plan, leftOut),
	});
	run.rows.set(itemIndexes, result);
}

/** What the requests of this try came to. */
function partsOf({ requests }: Job, results: readonly Result[]): PartOfList[] {
	return results.map(({ sent, leftOut = [] }, index) => {
		const own = requests[index]?.block?.places ?? [];
		return { sent, places: difference(own, map(leftOut, 'place')) };
	});
}

const LEFT_THE_LIST = 'entries that the list had before it was edited';

/** What of a list was sent, by its entries; undefined where all of it had the same outcome. */
function entriesInPart(parts: readonly PartOfList[]): SentInPart | undefined {
	const states = new Set(map(parts, 'sent'));
	if (states.size < 2) return undefined;
	const that = (state: Sent) => {
		const places = parts.flatMap(({ sent, places: own }) => (sent === state ? own : []));
		const entries = listRanges(sortBy(places).map((place) => place + 1));
		return entries && `${numbersInWords('entry', 'entries', entries)} of the list`;
	};
	const no = that('no');
	const hasLeft = parts.some((part) => part.sent === 'possibly' && part.hasLeft);
	const known = [that('possibly'), hasLeft && LEFT_THE_LIST].filter(Boolean).join(', and ');
	// Of several entries of a person, the one that was possibly sent may be gone.
	const possibly = states.has('possibly') ? known || LEFT_THE_LIST : '';
	const what = sentInWords({ possibly, no });
	return {
		text: [states.has('yes') ? 'Sent in part.' : '', what].filter(Boolean).join(' '),
		isOpen: no !== '',
		isClear: !states.has('possibly'),
	};
}

/** Each input item is a row: one that is left out has its own item, or is listed in that of a campaign. */
function settleItems(
	{ run, plan, requests, warnings }: Job,
	{ results, leftOut }: JobResults,
): void {
	const { rows, context } = run;
	const records = results.find((result) => result.records !== undefined)?.records;
	const isListed = records !== undefined && context.getNode().onError !== 'continueErrorOutput';
	const { skippedCount, ...list } = plan === undefined ? {} : listSkipped(plan, leftOut);
	const about = present({ skippedCount, ...(isListed ? list : {}) });
	describeFirst(records, { warnings, columns: plan?.columns }, about);
	for (const complaint of leftOut) {
		if (isListed) rows.set([complaint.place], { sent: 'no', records: [] });
		else rows.leaveOut(complaint);
	}
	requests.forEach((planned, index) => {
		rows.set(rowsOf(planned), results[index] ?? { sent: 'no' });
	});
}

/** Those who are left out of a list; empty where nobody is. */
function listSkipped(plan: RecipientPlan, leftOut: readonly Complaint[]): IDataObject {
	return leftOut.length === 0 ? {} : complaintList('skipped', leftOut, plan);
}

/** For the hint beside the output. */
function noteLeftOut(
	{ run, plan, requests }: Job,
	results: readonly Result[],
	leftOut: readonly Complaint[],
): void {
	// Of a list that is refused as a whole, nobody is sent to.
	const isRefused = results.some(({ failure }) => failure !== undefined);
	const isUntouched = results.every(({ records, sent }) => !records && sent === 'no');
	if (plan !== undefined && isRefused && isUntouched) return;
	const planned = sumBy(requests, ({ block }) => block?.recipients.length ?? 1);
	const later = leftOut.length - (plan?.leftOut.length ?? 0);
	run.hints.addLeftOut(planned - later, countBy(leftOut, 'code'));
}

/** What there is to say of a list or a file beside the results of its campaigns. */
interface AboutList {
	/** What was sent of it, if it is not all. */
	inPart?: SentInPart | undefined;
	/** More fields of the error item. */
	errorFields?: IDataObject;
	/** Why nobody is left to send to. */
	nobodyLeft?: () => Failure;
}

/**
 * The result of one row whose list or file is one campaign, or several.
 * @param results of the campaigns: without any, or if everybody was left out when their turn came,
 * nobody is left to send to
 */
export function resultOfList(
	results: readonly Result[],
	{ inPart, errorFields = {}, nobodyLeft }: AboutList = {},
): Result {
	const states = new Set(results.map(({ sent }) => sent));
	const [first = 'no'] = states;
	const sent = states.size > 1 ? 'possibly' : first;
	const failures = results.filter(({ failure }) => failure !== undefined);
	const failed = failures.find(({ failure }) => !failure?.facts.isEarlier) ?? failures[0];
	const records = results.flatMap((result) => result.records ?? []);
	if (failed?.failure === undefined) {
		const isNobody = records.length === 0 && results.every(({ leftOut }) => leftOut);
		if (isNobody) return { sent, failure: nobodyLeft?.(), errorFields };
		return { sent, records, inPart: states.size > 1 ? inPart : undefined };
	}
	const created = records.length === 0 ? undefined : records;
	return {
		...failed,
		sent,
		errorFields: present({ created, ...errorFields }),
		inPart,
	};
}

/** Rows of a job; `earlier` once it is known. */
interface OpenRows {
	run: Run;
	itemIndexes: readonly number[];
	earlier?: EarlierOfList;
}

/**
 * Notes what rows of a job came to that have no outcome. What earlier tries have sent of them comes out
 * as sent.
 * @param cause why nothing more is sent; undefined where the run did not come to them
 */
export function settleOpen(
	{ run, itemIndexes, earlier: { results, others } = NOTHING_EARLIER }: OpenRows,
	cause?: unknown,
): void {
	const { rows } = run;
	settleEarlier(run, itemIndexes);
	const rest: Result = cause === undefined ? { sent: 'no' } : failedResult(cause, 'no');
	if (results.length > 0) {
		const all = others.length === 0 ? results : [...results, { ...rest, places: others }];
		rows.set(itemIndexes, resultOfList(all, { inPart: entriesInPart(all) }));
		return;
	}
	const ofLists = receiptsOf(run, itemIndexes)
		.filter(({ basis }) => basis !== undefined)
		.map((receipt) => resultOfReceipt(run, receipt));
	rows.set(itemIndexes, ofLists.length === 0 ? rest : resultOfList([...ofLists, rest]));
}
