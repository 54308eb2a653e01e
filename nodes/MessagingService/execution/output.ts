import upperFirst from 'lodash/upperFirst';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { RecipientsRefused, type RecipientPlan } from '../recipients/plan';
import type { Complaint } from '../recipients/checks';
import { listItems } from '../resources/shared/ranges';
import type { CallResult } from './calls';
import { failureOf } from '../transport/errors';
import { listOf } from './dryRun';
import { ErrorItems, MAY_BE_SENT, rowFailureOf, type RowFailure } from './errorItems';
import { itemsOfFile } from './fileOutput';
import { pairedWith } from './pairing';
import type { PartResult } from './parts';
import { refusalFields, rowsOfRefusal } from './refusedRows';

type FailedPart = PartResult & { failure: NonNullable<PartResult['failure']> };

const isFailed = (part: PartResult): part is FailedPart => part.failure !== undefined;

/** Makes the node's output: every input item leaves by exactly one branch exactly once. */
export class Output {
	private readonly errors: ErrorItems;
	private readonly hasErrorBranch: boolean;

	constructor(context: IExecuteFunctions) {
		this.errors = new ErrorItems(context);
		this.hasErrorBranch = context.getNode().onError === 'continueErrorOutput';
	}

	/**
	 * The items of a run that could not start: each fails for the same reason.
	 * @param isUnsent whether it is certain that no other try has sent a row
	 */
	ofFailedRun(
		cause: unknown,
		total: number,
		isUnsent: (row: number) => boolean,
	): INodeExecutionData[] {
		return Array.from({ length: total }, (_, row) =>
			this.errors.item(rowFailureOf(cause, isUnsent(row)), row),
		);
	}

	/** The items of one call, in the order of the input items. */
	ofCall(result: CallResult): INodeExecutionData[] {
		const { plan, parts, file } = result;
		if (file !== undefined) {
			return itemsOfFile(this.errors, file, result.itemIndexes[0] ?? 0, result.warnings);
		}
		const failed = parts.filter(isFailed);
		if (plan?.isItems === false && failed.length > 0) return [this.ofOneRow(result, failed)];
		const succeeded = parts.filter((part) => !isFailed(part));
		const isListed = !this.hasErrorBranch && succeeded.length > 0;
		const items = [
			...this.successItems(result, succeeded, isListed || plan?.isItems === false),
			...failed.flatMap((part) => this.errorItems(part, plan, result.itemIndexes.length)),
			...parts.flatMap(({ leftOut }) => (leftOut === undefined ? [] : this.leftOutItem(leftOut))),
			...(result.isDryRun || isListed || !hasOutcome(parts, plan) ? [] : this.skippedItems(plan)),
		];
		const areRows = plan?.isItems === true || failed.length > 1;
		return areRows ? items.sort((a, b) => rowOf(a) - rowOf(b)) : items;
	}

	private successItems(
		{ plan, isDryRun, warnings }: CallResult,
		parts: readonly PartResult[],
		isSkippedListed: boolean,
	): INodeExecutionData[] {
		const items = parts.flatMap(({ itemIndexes, records = [] }) => {
			const pairedItem = pairedWith(itemIndexes);
			return records.map((json): INodeExecutionData => ({ json, pairedItem }));
		});
		const [first] = items;
		// Each campaign of a call has the same ones.
		if (first !== undefined && warnings.length > 0) {
			first.json = { ...first.json, warnings: [...new Set(warnings)] };
		}
		if (first !== undefined && plan !== undefined) {
			first.json = { ...first.json, ...aboutPlan(plan, isDryRun, isSkippedListed) };
		}
		return items;
	}

	/** One error item for each row of a failed request. */
	private errorItems(
		{ itemIndexes, failure }: FailedPart,
		plan: RecipientPlan | undefined,
		rowsOfCall: number,
	): INodeExecutionData[] {
		const { cause, isCertain } = failure;
		const general = rowFailureOf(cause, isCertain);
		const refusal = failureOf(cause)?.refusal;
		if (refusal !== undefined) {
			const rows = rowsOfRefusal(general, refusal, itemIndexes, plan?.isItems === true);
			return rows.map(({ row, failure: own, fields }) => this.errors.item(own, row, fields));
		}
		const isOfRows = cause instanceof RecipientsRefused && (rowsOfCall > 1 || cause.areSkipped);
		if (!isOfRows || plan?.isItems === false) {
			return itemIndexes.map((row) => this.errors.item(general, row));
		}
		const own = new Map(cause.complaints.map((complaint) => [complaint.itemIndex, complaint]));
		const places = cause.complaints.map(({ itemIndex }) => itemIndex);
		const others = notSentWith(general, listItems(places));
		return itemIndexes.map((row) => {
			const complaint = own.get(row);
			if (complaint === undefined) return this.errors.item(others, row);
			return cause.areSkipped
				? this.leftOutItem(complaint, general.sent)
				: this.errors.item(refused(complaint, general.sent), row);
		});
	}

	private skippedItems(plan: RecipientPlan | undefined): INodeExecutionData[] {
		if (plan?.isItems !== true) return [];
		return plan.skipped.map((complaint) => this.leftOutItem(complaint));
	}

	private leftOutItem(complaint: Complaint, sent: RowFailure['sent'] = 'no'): INodeExecutionData {
		const { itemIndex, nextAllowedTime } = complaint;
		return this.errors.item(refused(complaint, sent), itemIndex, {
			skipped: true,
			...(nextAllowedTime === undefined ? {} : { nextAllowedTime }),
		});
	}

	/** The one item of a row whose list became several campaigns, not all of which were created. */
	private ofOneRow({ itemIndexes, plan, parts }: CallResult, failed: readonly FailedPart[]) {
		const [first] = failed as [FailedPart];
		const failures = failed.map(({ failure }) => rowFailureOf(failure.cause, failure.isCertain));
		const [failure] = failures as [RowFailure];
		const created = parts.flatMap(({ records = [] }) => records);
		const isOpen = created.length > 0 || failures.some(({ sent }) => sent === 'possibly');
		const name = (part: PartResult) => `${part.batch?.part ?? 1} of ${part.batch?.parts ?? 1}`;
		const about =
			created.length === 0
				? ''
				: ` Campaigns ${failed.map(name).join(', ')} failed; the others were created (see created).`;
		return this.errors.item(
			{
				...failure,
				description: `${failure.description}${about}`.trim(),
				sent: isOpen ? 'possibly' : 'no',
			},
			itemIndexes[0] ?? first.itemIndexes[0] ?? 0,
			{
				...refusalFields(failureOf(first.failure.cause)?.refusal),
				...(created.length === 0 ? {} : { created }),
				...(plan !== undefined && plan.skipped.length > 0
					? listOf('skipped', plan.skipped, plan)
					: {}),
			},
		);
	}
}

/** Whether the rows that are skipped are not already failed with all the others of their call. */
function hasOutcome(parts: readonly PartResult[], plan: RecipientPlan | undefined): boolean {
	return plan?.obstacle === undefined && parts.some(({ batch }) => batch !== undefined);
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

/** A row that is not sent because of others. */
function notSentWith(general: RowFailure, others: string): RowFailure {
	if (general.sent === 'no') return { ...general, message: `Not sent because of ${others}` };
	return {
		...general,
		message: 'Possibly sent by another try',
		description: `This try sent nothing because of ${others}. ${MAY_BE_SENT}`,
	};
}

function refused(
	{ code, reason, advice = 'Fix the row, then send it again.' }: Complaint,
	sent: RowFailure['sent'],
): RowFailure {
	const message = upperFirst(reason);
	if (sent !== 'no') return { message, description: MAY_BE_SENT, sent };
	return {
		message,
		description:
			code === 'duplicate'
				? 'This row was skipped, because an earlier row includes the recipient. There is nothing to fix.'
				: `Nothing was sent to this recipient. ${advice}`,
		sent,
	};
}

function rowOf({ pairedItem }: INodeExecutionData): number {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'object' ? first.item : 0;
}
