import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { present } from '../json';
import { shorten } from '../transport/texts';
import type { Outcome, RowFailure, Rows } from './rows';
import type { NumberOfRow } from './who';

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
export function itemsOf(
	context: IExecuteFunctions,
	rows: Rows,
	numberOf: NumberOfRow,
): INodeExecutionData[] {
	const node = context.getNode();
	const inputs = context.getInputData();
	return rows.all.flatMap((row) => {
		const outcome = rows.of(row);
		if (outcome?.failure === undefined) {
			return outcome?.rows[0] === row ? successItems(outcome) : [];
		}
		const item = errorItem(outcome, outcome.failure, row, numberOf(row));
		if (node.onError !== 'continueErrorOutput') return [item];
		return [forErrorBranch(item, inputs[row]?.json)];
	});
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

function errorItem(
	{ sent, binary }: Outcome,
	failure: RowFailure,
	row: number,
	phoneNumber: string | undefined,
): INodeExecutionData {
	const { httpStatus, field, fields } = failure;
	const error = shorten(failure.message, MOST_TITLE_CHARACTERS);
	const description = shorten(failure.description, MOST_DESCRIPTION_CHARACTERS);
	return {
		json: present({ error, phoneNumber, description, httpStatus, field, sent, ...fields }),
		pairedItem: { item: row },
		...(binary === undefined ? {} : { binary }),
	};
}

/** On the error branch, n8n adds the fields of the input item. */
function forErrorBranch(item: INodeExecutionData, input: IDataObject = {}): INodeExecutionData {
	const left = DETAILS.filter((name) => Object.hasOwn(input, name));
	const json = { ...Object.fromEntries(left.map((name) => [name, undefined])), ...item.json };
	// n8n sends items with `error` to the error branch, then replaces the fields of each item
	// that still has it by the message. It copies the item in between: a property that is not
	// copied takes the item to the branch with all its fields.
	const error = { message: item.json.error };
	return Object.defineProperty({ ...item, json }, 'error', { value: error, enumerable: false });
}
