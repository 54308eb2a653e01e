import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { leftOutFields } from '../recipients/file/blocks';
import { failureOf } from '../transport/errors';
import type { FileOutcome } from './fileCall';
import { rowFailureOf, type ErrorItems } from './errorItems';
import { refusalFields } from './refusedRows';

/** The items of one file: one for each campaign, or one error item with what was sent by then. */
export function itemsOfFile(
	errors: ErrorItems,
	outcome: FileOutcome,
	itemIndex: number,
	warnings: readonly string[],
): INodeExecutionData[] {
	const { records, failure } = outcome;
	if (failure !== undefined) return [errorItem(errors, outcome, itemIndex)];
	const pairedItem = { item: itemIndex };
	const items = records.map((json): INodeExecutionData => ({ json, pairedItem }));
	const [first] = items;
	if (first === undefined) return [];
	const notes = warnings.length === 0 ? {} : { warnings: [...new Set(warnings)] };
	first.json = { ...first.json, ...notes, ...aboutFile(outcome, first.json) };
	if (Object.keys(outcome.binary).length > 0) first.binary = outcome.binary;
	return items;
}

function errorItem(
	errors: ErrorItems,
	{ failure, progress, records, isUnsent, ...outcome }: FileOutcome,
	itemIndex: number,
): INodeExecutionData {
	const cause = failure?.cause;
	// What is known of single rows is said with their numbers.
	const own = rowFailureOf(cause, isUnsent || !progress.isUntouched);
	const item = errors.item(
		{
			...own,
			description: [own.description, progress.describe()].filter(Boolean).join(' '),
			sent: progress.isUntouched ? own.sent : progress.sent,
		},
		itemIndex,
		{
			...refusalFields(failureOf(cause)?.refusal),
			...progress.fields(),
			...(records.length === 0 ? {} : { created: records }),
			...problemFields(outcome),
		},
	);
	if (Object.keys(outcome.binary).length > 0) item.binary = outcome.binary;
	return item;
}

/** What holds for the whole file; the first of its items has it. */
function aboutFile(outcome: FileOutcome, first: IDataObject): IDataObject {
	const { columns, rows, leftOut, records } = outcome;
	return {
		columnsUsed: columns.used,
		columnsNotUsed: columns.notUsed,
		...(first.dryRun === true
			? {}
			: {
					file: {
						rows,
						campaigns: records.length,
						...(leftOut === undefined ? {} : leftOutFields(leftOut)),
					},
				}),
		...problemFields(outcome),
	};
}

function problemFields({ problems }: Pick<FileOutcome, 'problems'>): IDataObject {
	if (problems.total === 0) return {};
	return { problemsCount: problems.total, problems: problems.listed };
}
