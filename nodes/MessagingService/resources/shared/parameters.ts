import isEqual from 'lodash/isEqual';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameterResourceLocator,
	NodeParameterValueType,
} from 'n8n-workflow';
import { isPathSegment } from '../../transport/request';
import { InputError } from './inputError';

/**
 * What an expression can name without depending on the input item. Whatever else begins with a
 * dollar sign may.
 */
const ITEM_INDEPENDENT = new Set([
	...['$now', '$today', '$vars', '$env', '$secrets', '$workflow', '$execution', '$runIndex'],
	...[
		'$mode',
		'$nodeVersion',
		'$nodeId',
		'$webhookId',
		'$prevNode',
		'$max',
		'$min',
		'$if',
		'$ifEmpty',
	],
]);

/** Up to this many items, each one's value is compared; beyond, an even sample of as many. */
const MOST_COMPARED = 1000;

/** Whether any text in a field's raw value is one that this is true of. */
function hasText(rawValue: unknown, isTrue: (text: string) => boolean): boolean {
	if (typeof rawValue === 'string') return isTrue(rawValue);
	if (typeof rawValue !== 'object' || rawValue === null) return false;
	return Object.values(rawValue).some((value) => hasText(value, isTrue));
}

const isExpression = (text: string) => text.startsWith('=');

/** Whether an expression can give another value for another input item. */
export function dependsOnItem(text: string): boolean {
	if (!isExpression(text)) return false;
	const names = text.match(/\$(?:[A-Za-z_]\w*|\(|\[)/g) ?? [];
	return names.some((name) => !ITEM_INDEPENDENT.has(name));
}

function sampleOf(indexes: readonly number[]): number[] {
	if (indexes.length <= MOST_COMPARED) return [...indexes];
	const step = (indexes.length - 1) / (MOST_COMPARED - 1);
	return Array.from(
		{ length: MOST_COMPARED },
		(_, position) => indexes[Math.round(position * step)] as number,
	);
}

/** Gives the value of a field that is mapped from the input item, not read from the node. */
export interface FieldMapping {
	has(name: string): boolean;
	value(name: string, itemIndex: number): unknown;
}

/** What is the same for all items of a run: fields without expressions are read once. */
export class RunParameters {
	readonly context: IExecuteFunctions;
	/** Where some fields come from, when the user maps them automatically. */
	readonly mapping: FieldMapping | undefined;
	private readonly raw: IDataObject;
	private readonly fixed = new Map<string, unknown>();

	constructor(context: IExecuteFunctions, mapping?: FieldMapping) {
		this.context = context;
		this.mapping = mapping;
		this.raw = context.getNode().parameters as IDataObject;
	}

	/** Whether a field can have another value for another item. */
	dependsOnItem(name: string): boolean {
		return hasText(this.raw[name], dependsOnItem);
	}

	/** A field's value for one item, with its expressions resolved. */
	value(name: string, itemIndex: number): unknown {
		if (this.fixed.has(name)) return this.fixed.get(name);
		const value: unknown = this.context.getNodeParameter(name, itemIndex, undefined);
		if (!hasText(this.raw[name], isExpression)) this.fixed.set(name, value);
		return value;
	}
}

/**
 * Reads the fields of a node for one input item or, where one request stands for several items,
 * for all of them: then a field that differs between the items is refused, for the value of the
 * first item must never go to everybody.
 */
export class ParameterReader {
	private readonly run: RunParameters;
	private readonly itemIndexes: readonly number[];
	/** Values that were found to be the same for all items. */
	private readonly shared = new Map<string, unknown>();

	constructor(
		context: IExecuteFunctions,
		itemIndexes: readonly number[],
		run = new RunParameters(context),
	) {
		this.run = run;
		this.itemIndexes = itemIndexes;
	}

	/** A field's value with its expressions resolved. */
	value(name: string, label: string): NodeParameterValueType | object {
		return this.read(name, label) as NodeParameterValueType | object;
	}

	private read(name: string, label: string): unknown {
		const { mapping } = this.run;
		const [first = 0] = this.itemIndexes;
		if (mapping?.has(name) === true) return mapping.value(name, first);
		if (this.itemIndexes.length === 1) return this.run.value(name, first);
		if (this.shared.has(name)) return this.shared.get(name);
		const value = this.run.value(name, first);
		if (this.run.dependsOnItem(name)) this.assertShared(name, label, value);
		this.shared.set(name, value);
		return value;
	}

	/** A text field; what an expression gave as a number becomes its digits. */
	text(name: string, label: string): string {
		const value = this.value(name, label);
		if (typeof value === 'string') return value;
		if (typeof value === 'object' && value !== null) {
			const advice = 'Let the expression give one field of the input, not a whole object or list.';
			throw new InputError(label, 'is neither text nor a number', advice);
		}
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
			(index) => !isEqual(this.run.value(name, index), expected),
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
