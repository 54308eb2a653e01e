import get from 'lodash/get';
import isEqual from 'lodash/isEqual';
import startCase from 'lodash/startCase';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { isPathSegment, type ReadClient } from '../transport/request';
import { dependsOnItem, hasExpression, plainPath } from './expressions';
import { fieldReader } from './inputFields';
import type { FieldValue } from './fieldValue';
import { locatedId, readFieldValue } from './fieldValue';
import { InputError, shown } from './inputError';
import { listItems } from './ranges';
import { isNothing } from './values';

/** Up to this many items, an expression is evaluated for each. */
const MAX_COMPARED = 1000;

const ONE_REQUEST =
	'All input items become one request, so its shared fields must be the same for all of them. Put what differs into fields of the contacts, or loop over the items one by one.';

/** Gives the value of a field that is mapped from the input item, not read from the node. */
export interface FieldMapping {
	has(name: string): boolean;
	/** @throws InputError when the mapping itself is wrong */
	value(name: string, itemIndex: number): unknown;
	/** How to fix a mapped field that has no value in an item. */
	advice(name: string, itemIndex: number): string;
}

/** What is known of one call of an operation: its input items, and the fields of the node for them. */
export interface InputCall {
	context: IExecuteFunctions;
	client: Pick<ReadClient, 'settings'>;
	/** The fields as the user filled them in. */
	parameters: ParameterReader;
	/** Positions of the input items this call stands for, at least one. */
	itemIndexes: readonly number[];
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

	/** A field as saved in the workflow, its expressions unresolved. A path leads into a collection. */
	rawValue(path: string): unknown {
		return get(this.raw, path);
	}

	/** Names of the fields that the user added to a collection; undefined if an expression sets all. */
	memberNames(collection: string): string[] | undefined {
		const raw = this.rawValue(collection);
		if (typeof raw === 'string') return undefined;
		return typeof raw === 'object' && raw !== null ? Object.keys(raw) : [];
	}

	/** A field's value for one item, with its expressions resolved; undefined if it is not set. */
	value(path: string, itemIndex: number): unknown {
		if (this.fixed.has(path)) return this.fixed.get(path);
		const raw = this.rawValue(path);
		const inputField = plainPath(raw);
		if (inputField !== undefined) {
			// n8n takes a millisecond for any expression. Objects, such as dates, are left to it.
			const entered = fieldReader(inputField)(this.context.getInputData()[itemIndex]?.json);
			if (typeof entered !== 'object' && entered !== undefined) return entered;
		}
		const value: unknown =
			raw === undefined ? undefined : this.context.getNodeParameter(path, itemIndex, undefined);
		// A list may be long, and takes long to be read for each item.
		const isFixed = !hasExpression(raw) || (Array.isArray(value) && !dependsOnItem(raw));
		if (isFixed) this.fixed.set(path, value);
		return value;
	}
}

/**
 * Reads the fields of a node for one input item or, where one request stands for several items,
 * for all of them: then a field that differs between the items is refused, for the value of the
 * first item must never go to everybody.
 *
 * `read`, `member` and `members` take a field's definition and return the value in its type. The
 * others take its name and the label for messages.
 */
export class ParameterReader {
	private readonly run: RunParameters;
	private readonly itemIndexes: readonly number[];
	/** Values that were read already; of several items, those that are the same for all. */
	private readonly known = new Map<string, unknown>();

	constructor(
		context: IExecuteFunctions,
		itemIndexes: readonly number[],
		run = new RunParameters(context),
	) {
		this.run = run;
		this.itemIndexes = itemIndexes;
	}

	/** A field's value in its type. @throws InputError when it has none, or one of another type */
	read<Field extends INodeProperties>(field: Field): FieldValue<Field> {
		const { displayName, name } = field;
		const value = this.value(name, displayName);
		const { mapping } = this.run;
		if (isNothing(value) && mapping?.has(name) === true) {
			const [first = 0] = this.itemIndexes;
			throw new InputError(displayName, 'is empty', mapping.advice(name, first));
		}
		return readFieldValue(field, value);
	}

	/**
	 * A field of a collection in its type; undefined if the user did not add it.
	 * @throws InputError when it was added and has no value, or one of another type
	 */
	member<Field extends INodeProperties>(
		collection: string,
		field: Field,
	): FieldValue<Field> | undefined {
		const { name, displayName } = field;
		const added = this.added(collection, name, displayName);
		return added === undefined ? undefined : readFieldValue(field, added.value);
	}

	/** The fields of a collection that the user added, each in its type and under its name. */
	members(collection: string, fields: readonly INodeProperties[]): IDataObject {
		const values: Record<string, unknown> = {};
		for (const field of fields) {
			const value = this.member(collection, field);
			if (value !== undefined) values[field.name] = value;
		}
		return values as IDataObject;
	}

	/** Whether the user filled in a field, perhaps with an expression that gives nothing. */
	isFilledIn(name: string): boolean {
		const raw = this.run.rawValue(name);
		return raw !== undefined && raw !== null && raw !== '';
	}

	/** A field of a collection as it is; undefined if the user did not add it. */
	added(collection: string, name: string, label: string): { value: unknown } | undefined {
		const isMapped = this.run.mapping?.has(collection) === true;
		const names = isMapped ? undefined : this.run.memberNames(collection);
		if (names !== undefined) {
			const path = `${collection}.${name}`;
			return names.includes(name) ? { value: this.value(path, label) } : undefined;
		}
		// An expression sets all of them, so the collection can differ in another member.
		const values = this.value(collection, isMapped ? label : startCase(collection));
		const isAdded = typeof values === 'object' && values !== null && Object.hasOwn(values, name);
		return isAdded ? { value: (values as Record<string, unknown>)[name] } : undefined;
	}

	/** The ID that a resource locator stands for, which becomes part of a path. */
	locator(field: INodeProperties & { type: 'resourceLocator' }): string {
		const id = this.read(field);
		if (isPathSegment(id)) return id;
		throw new InputError(
			field.displayName,
			`cannot be "${shown(id)}"`,
			'In a URL, this text would lead to a different address. Enter the ID of the record.',
		);
	}

	/** A field's value with its expressions resolved. A path leads into a collection. */
	value(path: string, label: string): unknown {
		const { mapping } = this.run;
		const [first = 0] = this.itemIndexes;
		if (mapping?.has(path) === true) return mapping.value(path, first);
		if (this.known.has(path)) return this.known.get(path);
		const value = this.run.value(path, first);
		if (this.itemIndexes.length > 1 && dependsOnItem(this.run.rawValue(path))) {
			this.assertShared(path, label, value);
		}
		this.known.set(path, value);
		return value;
	}

	/**
	 * Tells whether an item has another value. Evaluating an expression for each of many items takes
	 * minutes, so beyond a limit only those that name one input field are compared.
	 */
	private differs(path: string, label: string, expected: unknown): (index: number) => boolean {
		if (this.itemIndexes.length <= MAX_COMPARED) {
			return (index) => !isEqual(this.run.value(path, index), expected);
		}
		const field = plainPath(locatedId(this.run.rawValue(path)));
		if (field === undefined) {
			throw new InputError(
				label,
				`may differ between more than ${MAX_COMPARED.toLocaleString('en-US')} items`,
				`Enter a fixed value, or an expression that names one input field: {{ $json.name }}. ${ONE_REQUEST}`,
			);
		}
		const read = fieldReader(field);
		const items = this.run.context.getInputData();
		const first = read(items[this.itemIndexes[0] ?? 0]?.json);
		return (index) => !isEqual(read(items[index]?.json), first);
	}

	private assertShared(path: string, label: string, expected: unknown) {
		const differing = this.itemIndexes.filter(this.differs(path, label, expected));
		if (differing.length === 0) return;
		throw new InputError(
			label,
			'differs between the input items',
			`Item ${this.itemIndexes[0]} and ${listItems(differing)} have different values. ${ONE_REQUEST}`,
		);
	}
}
