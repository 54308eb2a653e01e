import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { InputError } from '../resources/shared/inputError';
import { failureOf } from '../transport/errors';
import { shorten } from '../transport/texts';

/** n8n stores every item: 500 errors that quote 100 KB each must not make 50 MB. */
const MOST_TITLE_CHARACTERS = 300;
const MOST_DESCRIPTION_CHARACTERS = 1000;

/** Of a row that this try did not send, for all it knows. */
export const MAY_BE_SENT =
	'This item may have been sent by this or another try of the execution: check in the service before you send it again.';

/** What we write beside the error: left from an earlier error item, it would say something untrue. */
const DETAILS = [
	'httpStatus',
	'field',
	'policyRule',
	'allowed',
	'nextAllowedTime',
	'refusedCount',
	'refused',
	'skipped',
	'skippedCount',
	'created',
	'sentRows',
	'possiblySentRows',
	'partlySentRows',
	'notSentRows',
	'continueAtRow',
	'problemsCount',
	'problems',
];

/** Why a row was not sent, or may not have been. */
export interface RowFailure {
	message: string;
	description: string;
	httpStatus?: number;
	/** Display name of the n8n field that is wrong. */
	field?: string;
	/** `partly`: some of the campaigns of a file were created, or some of its rows stored. */
	sent: 'no' | 'possibly' | 'partly';
}

/** The error as n8n shows it when the node stops: with the input item it is about. */
export function toNodeError(context: IExecuteFunctions, error: unknown, itemIndex: number) {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	const cause = error instanceof Error ? error : new Error(String(error));
	const nodeError = new NodeOperationError(context.getNode(), cause, { itemIndex });
	// n8n replaces messages that happen to contain an error code, "preexisting" for example.
	nodeError.message = cause.message;
	return nodeError;
}

/**
 * What an error means for a row.
 * @param isCertain whether it is certain that nothing was sent for the row; never where other tries
 *   may have sent any part of its call
 */
export function rowFailureOf(error: unknown, isCertain: boolean): RowFailure {
	const failure = failureOf(error);
	const { message, description } =
		error instanceof Error
			? (error as Error & { description?: unknown })
			: { message: String(error) };
	const field = error instanceof InputError ? error.field : failure?.field;
	const status = Number(failure?.httpCode);
	const isOpen = failure?.sent === 'possibly';
	const advice = failure?.description ?? (typeof description === 'string' ? description : '');
	return {
		message: failure?.message ?? message,
		description: isCertain || isOpen ? advice : [advice, MAY_BE_SENT].filter(Boolean).join(' '),
		...(Number.isInteger(status) ? { httpStatus: status } : {}),
		...(field === undefined ? {} : { field }),
		sent: isCertain && !isOpen ? 'no' : 'possibly',
	};
}

/** Makes the items of rows that failed. */
export class ErrorItems {
	private readonly node: INode;
	private readonly hasErrorBranch: boolean;
	private readonly inputs: readonly INodeExecutionData[];
	/** Rows that fail for the same reason share one error. */
	private readonly errors = new Map<string, NodeOperationError>();

	constructor(context: IExecuteFunctions) {
		this.node = context.getNode();
		this.hasErrorBranch = this.node.onError === 'continueErrorOutput';
		this.inputs = context.getInputData();
	}

	/** The item of one failed row; on the error branch, n8n adds the fields of the input item. */
	item(failure: RowFailure, itemIndex: number, others: IDataObject = {}): INodeExecutionData {
		const { httpStatus, field, sent } = failure;
		const message = shorten(failure.message, MOST_TITLE_CHARACTERS);
		const json: IDataObject = {
			error: message,
			description: shorten(failure.description, MOST_DESCRIPTION_CHARACTERS),
			...(httpStatus === undefined ? {} : { httpStatus }),
			...(field === undefined ? {} : { field }),
			sent,
			...others,
		};
		const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
		if (this.hasErrorBranch) {
			const input = this.inputs[itemIndex]?.json ?? {};
			const left = DETAILS.filter((name) => Object.hasOwn(input, name));
			const own = { ...Object.fromEntries(left.map((name) => [name, undefined])), ...json };
			item.json = { ...own, ...inputFields(input, own) };
			// n8n sends items with `error` to the error branch, then replaces the fields of each item
			// that still has it by the message. It copies the item in between: a property that is not
			// copied takes the item to the branch with all its fields.
			Object.defineProperty(item, 'error', { value: this.errorFor(message), enumerable: false });
		}
		return item;
	}

	private errorFor(message: string): NodeOperationError {
		const known = this.errors.get(message);
		if (known !== undefined) return known;
		const error = new NodeOperationError(this.node, message);
		error.message = message;
		this.errors.set(message, error);
		return error;
	}
}

/** Fields of the input item that have the name of one of ours, and would be lost. */
function inputFields(input: IDataObject, json: IDataObject): IDataObject {
	if (isErrorItem(input)) return {};
	const taken = Object.entries(input).filter(([name]) => Object.hasOwn(json, name));
	return taken.length === 0 ? {} : { inputFields: Object.fromEntries(taken) };
}

/** Whether an item comes from the error branch of this node, perhaps to be sent again. */
function isErrorItem({ error, description, sent }: IDataObject): boolean {
	const isOurs = sent === 'no' || sent === 'possibly' || sent === 'partly';
	return isOurs && typeof error === 'string' && typeof description === 'string';
}
