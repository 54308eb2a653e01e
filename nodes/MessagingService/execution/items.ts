import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { present } from '../json';
import { shorten } from '../transport/texts';
import type { Outcome, RowFailure, Rows } from './rows';

/** n8n stores every item: 500 errors that quote 100 KB each must not make 50 MB. */
const MOST_TITLE_CHARACTERS = 300;
const MOST_DESCRIPTION_CHARACTERS = 1000;

const MOST_PAIRED = 1000;

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
	'continueAtRow',
	'problemsCount',
	'problems',
];

/** The output items: every row leaves by exactly one branch, exactly once, in the order of the rows. */
export function itemsOf(context: IExecuteFunctions, rows: Rows): INodeExecutionData[] {
	const errors = new ErrorItems(context);
	const items: INodeExecutionData[] = [];
	for (const row of rows.all) {
		const outcome = rows.of(row);
		if (outcome?.failure !== undefined) items.push(errors.item(outcome, outcome.failure, row));
		else if (outcome?.rows[0] === row) items.push(...successItems(outcome));
	}
	return items;
}

function successItems({ records = [], rows, binary }: Outcome): INodeExecutionData[] {
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

/** Makes the items of rows that failed. */
class ErrorItems {
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
	item({ sent, binary }: Outcome, failure: RowFailure, row: number): INodeExecutionData {
		const { httpStatus, field, fields } = failure;
		const message = shorten(failure.message, MOST_TITLE_CHARACTERS);
		const description = shorten(failure.description, MOST_DESCRIPTION_CHARACTERS);
		const json = present({ error: message, description, httpStatus, field, sent, ...fields });
		const item: INodeExecutionData = {
			json,
			pairedItem: { item: row },
			...(binary === undefined ? {} : { binary }),
		};
		if (!this.hasErrorBranch) return item;
		const input = this.inputs[row]?.json ?? {};
		const left = DETAILS.filter((name) => Object.hasOwn(input, name));
		item.json = { ...Object.fromEntries(left.map((name) => [name, undefined])), ...json };
		// n8n sends items with `error` to the error branch, then replaces the fields of each item
		// that still has it by the message. It copies the item in between: a property that is not
		// copied takes the item to the branch with all its fields.
		Object.defineProperty(item, 'error', { value: this.errorFor(message), enumerable: false });
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
