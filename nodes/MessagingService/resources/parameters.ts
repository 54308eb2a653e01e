import isEqual from 'lodash/isEqual';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameterResourceLocator,
	NodeParameterValueType,
} from 'n8n-workflow';
import { isPathSegment } from '../transport/request';
import { InputError } from './inputError';

/** Expressions that can give another value for another input item. */
const ITEM_DEPENDENT = /\$json|\$binary|\$input|\$item|\$itemIndex|\$node|\$\(|\$data|\$position/;

/** Up to this many items, each one's value is compared; beyond, an even sample of as many. */
const MOST_COMPARED = 1000;

function hasItemExpression(rawValue: unknown): boolean {
	if (typeof rawValue === 'string')
		return rawValue.startsWith('=') && ITEM_DEPENDENT.test(rawValue);
	if (typeof rawValue === 'object' && rawValue !== null) {
		return Object.values(rawValue).some(hasItemExpression);
	}
	return false;
}

function sampleOf(indexes: readonly number[]): number[] {
	if (indexes.length <= MOST_COMPARED) return [...indexes];
	const step = (indexes.length - 1) / (MOST_COMPARED - 1);
	return Array.from(
		{ length: MOST_COMPARED },
		(_, position) => indexes[Math.round(position * step)] as number,
	);
}

/**
 * Reads the fields of a node for one input item or, where one request stands for several items,
 * for all of them: then a field that differs between the items is refused, for the value of the
 * first item must never go to everybody.
 */
export class ParameterReader {
	private readonly context: IExecuteFunctions;
	private readonly itemIndexes: readonly number[];
	private readonly rawParameters: IDataObject;

	constructor(context: IExecuteFunctions, itemIndexes: readonly number[]) {
		this.context = context;
		this.itemIndexes = itemIndexes;
		this.rawParameters = context.getNode().parameters as IDataObject;
	}

	/** A field's value with its expressions resolved. */
	value(name: string, label: string): NodeParameterValueType | object {
		const [first = 0] = this.itemIndexes;
		const value = this.context.getNodeParameter(name, first, undefined);
		if (this.itemIndexes.length > 1 && hasItemExpression(this.rawParameters[name])) {
			this.assertShared(name, label, value);
		}
		return value;
	}

	/** A text field; what an expression gave as a number becomes its digits. */
	text(name: string, label: string): string {
		const value = this.value(name, label);
		if (typeof value === 'string') return value;
		return value === undefined || value === null ? '' : String(value);
	}

	/** A text field that makes no sense empty. */
	requiredText(name: string, label: string): string {
		const value = this.text(name, label);
		if (value.trim() === '') throw new InputError(label, 'is empty', 'Fill it in.');
		return value;
	}

	/** The fields of a collection that the user added; empty when none were. */
	collection(name: string, label: string): IDataObject {
		const value = this.value(name, label);
		return typeof value === 'object' && value !== null ? (value as IDataObject) : {};
	}

	/** The ID that a resource locator stands for. */
	locator(name: string, label: string): string {
		const value = this.value(name, label) as INodeParameterResourceLocator | string | undefined;
		const id = typeof value === 'object' && value !== null ? value.value : value;
		if (id === undefined || id === null || String(id).trim() === '') {
			throw new InputError(label, 'is empty', 'Choose one from the list, or enter its ID.');
		}
		return asPathId(String(id).trim(), label);
	}

	/** An ID that becomes part of a path. */
	pathId(name: string, label: string): string {
		return asPathId(this.requiredText(name, label).trim(), label);
	}

	private assertShared(name: string, label: string, expected: unknown) {
		const differing = sampleOf(this.itemIndexes).filter(
			(index) => !isEqual(this.context.getNodeParameter(name, index, undefined), expected),
		);
		if (differing.length === 0) return;
		throw new InputError(
			label,
			`differs between the input items (item ${this.itemIndexes[0]} and ${listItems(differing)})`,
			'All input items become one request, so its shared fields must be the same for all of them. Put what differs into fields of the contacts, or loop over the items one by one.',
		);
	}
}

function asPathId(id: string, label: string): string {
	if (isPathSegment(id)) return id;
	throw new InputError(label, `cannot be "${id}"`, 'Such an ID has another meaning in an address.');
}

/** "item 3", "items 3, 17 and 230" or "items 3, 17, 230, 231, 232 and 995 more". */
export function listItems(indexes: readonly number[], singular = 'item', plural = 'items'): string {
	const MOST_LISTED = 5;
	if (indexes.length === 1) return `${singular} ${indexes[0]}`;
	const shown = indexes.slice(0, MOST_LISTED);
	const rest = indexes.length - shown.length;
	return rest > 0
		? `${plural} ${shown.join(', ')} and ${rest} more`
		: `${plural} ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
