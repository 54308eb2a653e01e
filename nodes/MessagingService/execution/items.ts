import { difference, keys, omit, pick } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isObject, present } from '../json';
import { listed, MOST_LISTED, type Complaint } from '../reason';
import type { RecipientPlan } from '../recipients/plan';
import type { Columns } from '../recipients/sources';
import { sendsMessages } from '../resources/operation';
import { includesInput } from '../resources/shared/fields';
import { ERROR_FIELDS, OUTPUT_FIELDS } from '../returns/errorItem';
import { Breaks } from '../transport/concurrency';
import { errorItem, ownOutcome } from './errorItem';
import type { Outcome, Rows } from './rows';
import type { Run } from './start';

const MOST_PAIRED = 1000;

/** The output items: every row leaves by exactly one branch, exactly once, in the order of the rows. */
export async function itemsOf(
	context: IExecuteFunctions,
	rows: Rows,
	{ operation, kind }: Partial<Run>,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const inputs = context.getInputData();
	const isInputIncluded =
		operation !== undefined && sendsMessages(operation) && includesInput(node.parameters.options);
	const items: INodeExecutionData[] = [];
	const breaks = new Breaks();
	for (const row of rows.all) {
		const input = inputs[row]?.json ?? {};
		const shared = rows.outcomeOf(row);
		const outcome = shared && kind === 'allItems' ? ownOutcome(shared, row) : shared;
		const isError = outcome?.failure !== undefined || outcome?.complaint !== undefined;
		const own = isError
			? [errorItem(outcome, row, { rows, operation })]
			: successItems(outcome, row);
		for (const item of own) {
			if (isError && node.onError === 'continueErrorOutput') items.push(toErrorOutput(item, input));
			else items.push(isInputIncluded ? withInput(item, input) : item);
		}
		// To wait for nothing takes 15 ms for the 100,000 rows of a campaign.
		if (own.length > 0) await breaks.take();
	}
	return items;
}

/**
 * An error item for the error output, where n8n adds the fields of the input by itself: those of an
 * earlier error must not come back.
 */
function toErrorOutput(item: INodeExecutionData, input: IDataObject): INodeExecutionData {
	const earlier = ERROR_FIELDS.filter(
		(name) => name !== 'phoneNumber' && Object.hasOwn(input, name),
	);
	// What is not known of a row is not written over its own column.
	const unknown = item.json.phoneNumber === '' ? pick(input, 'phoneNumber') : {};
	const own = omit(item.json, keys(unknown));
	// An item of an earlier output says what is true of it now, or nothing.
	const isOutput = Object.hasOwn(input, 'sent') && hasAny(input, ['error', 'reason']);
	if (isOutput) return forErrorBranch({ ...item, json: own }, earlier);
	return forErrorBranch({ ...item, json: omit(own, difference(earlier, ['error', 'sent'])) }, []);
}

/** An item with the fields of its row behind its own, but for what an earlier output said of the row. */
function withInput(item: INodeExecutionData, input: IDataObject): INodeExecutionData {
	return { ...item, json: { ...item.json, ...omit(input, keys(item.json), OUTPUT_FIELDS) } };
}

/** The items of what a row came to: those of several rows come with the first of them. */
function successItems(outcome: Outcome | undefined, row: number): INodeExecutionData[] {
	const { records = [], rows = [], binary } = outcome ?? {};
	if (rows[0] !== row) return [];
	const pairedItem = pairedWith(rows);
	return records.map((json, index) => ({
		json,
		pairedItem,
		...(index === 0 && binary !== undefined ? { binary } : {}),
	}));
}

/**
 * The input items that an output item stands for. Of very many, the first: n8n keeps the list with
 * the execution, and no expression can tell one of thousands from the others anyway.
 */
function pairedWith(rows: readonly number[]): INodeExecutionData['pairedItem'] {
	const [first = 0] = rows;
	if (rows.length === 1) return { item: first };
	return rows.slice(0, MOST_PAIRED).map((item) => ({ item }));
}

const hasAny = (item: IDataObject, names: readonly string[]) =>
	names.some((name) => Object.hasOwn(item, name));

/**
 * An error item for n8n's error branch, with all its fields. n8n sends items with `error` to the
 * branch, then replaces the fields of each item that still has it by the message, and adds the
 * fields of the input item. It copies the item in between: a property that is not copied takes the
 * item to the branch.
 * @param untrue names of fields that the input item has from an earlier error, to be emptied
 */
function forErrorBranch(item: INodeExecutionData, untrue: readonly string[]): INodeExecutionData {
	const emptied: IDataObject = Object.fromEntries(untrue.map((name) => [name, undefined]));
	const error = { message: item.json.error };
	return Object.defineProperty({ ...item, json: { ...emptied, ...item.json } }, 'error', {
		value: error,
		enumerable: false,
	});
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

/** Complaints for an output item: how many, and the first of them. */
export function complaintList(
	name: string,
	complaints: readonly Complaint[],
	{ isItems }: RecipientPlan,
): IDataObject {
	return {
		[`${name}Count`]: complaints.length,
		[name]: complaints.slice(0, MOST_LISTED).map((each) => listed(each, placeIn(each, isItems))),
	};
}

/** Where a recipient comes from: items have their index, the entries of a list are counted from 1. */
export function placeIn({ place }: Complaint, isItems: boolean): IDataObject {
	return isItems ? { itemIndex: place } : { entry: place + 1 };
}
