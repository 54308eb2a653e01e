import { get, isEqual } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { Failure } from '../failure';
import { figure, shown } from '../texts';
import { present } from '../json';
import { isPathSegment } from '../transport/request';
import { dependsOnItem, hasExpression, plainPath } from './expressions';
import { memberReader, NAME_ADVICE } from './inputFields';
import { locatedId, readFieldValue, readInteger, type FieldValue } from './values';
import { listItems } from './ranges';

/** Up to this many items, an expression is evaluated for each. */
const MAX_COMPARED = 1000;

const ONE_REQUEST =
	'All input items become one request, so its shared fields must be the same for all of them. Put what differs into fields of the contacts, or loop over the items one by one.';

/** Of a name of a column that differs between the items. */
const COLUMN_NAME = `${NAME_ADVICE} As fixed text: phone, not {{ $json.phone }}.`;

/** What is the same for all items of a run: fields without expressions are read once. */
export class RunParameters {
	readonly context: IExecuteFunctions;
	private readonly raw: IDataObject;
	private readonly fixed = new Map<string, unknown>();

	constructor(context: IExecuteFunctions) {
		this.context = context;
		this.raw = context.getNode().parameters as IDataObject;
	}

	/** A field as saved in the workflow, its expressions unresolved. A path leads into a collection. */
	rawValue(path: string): unknown {
		return get(this.raw, path);
	}

	/** What a field's value is made from: what the user wrote, and the input item. */
	origin(path: string, itemIndex: number): { written: unknown; item: IDataObject | undefined } {
		const item = this.context.getInputData()[itemIndex]?.json;
		return { written: this.rawValue(path), item };
	}

	/** Names of the fields that the user added to a collection. n8n leaves out one that is an expression. */
	memberNames(collection: string): string[] {
		return Object.keys(this.rawValue(collection) ?? {});
	}

	/** A field's value for one item, with its expressions resolved; undefined if it is not set. */
	value(path: string, itemIndex: number): unknown {
		if (this.fixed.has(path)) return this.fixed.get(path);
		const raw = this.rawValue(path);
		const inputField = plainPath(raw);
		if (inputField !== undefined) {
			// n8n takes a millisecond for any expression. Objects, such as dates, are left to it.
			const entered = memberReader(inputField)(this.context.getInputData()[itemIndex]?.json);
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
 */
export class ParameterReader {
	private readonly run: RunParameters;
	private readonly itemIndexes: readonly number[];
	/** Values that were read already; of several items, those that are the same for all. */
	private readonly known = new Map<string, unknown>();

	constructor(run: RunParameters, itemIndexes: readonly number[]) {
		this.run = run;
		this.itemIndexes = itemIndexes;
	}

	/**
	 * A field's value in its type.
	 * @param oneForAll what to do where it differs between the items of one request
	 * @throws Failure when it has none, or one of another type
	 */
	read<Field extends INodeProperties>(field: Field, oneForAll = ONE_REQUEST): FieldValue<Field> {
		const advice = field.requiresDataPath === undefined ? oneForAll : COLUMN_NAME;
		return readFieldValue(field, this.value(field.name, field.displayName, advice));
	}

	/**
	 * A field's value in its type; undefined if the user left it empty.
	 * @throws Failure when an expression gives nothing, or there is a value of another type
	 */
	optional<Field extends INodeProperties>(field: Field): FieldValue<Field> | undefined {
		const raw = this.run.rawValue(field.name);
		return raw === undefined || raw === null || raw === '' ? undefined : this.read(field);
	}

	/**
	 * A field of a collection in its type; undefined if the user did not add it.
	 * @throws Failure when it was added and has no value, or one of another type
	 */
	member<Field extends INodeProperties>(
		collection: string,
		field: Field,
	): FieldValue<Field> | undefined {
		const added = this.added(collection, field.name, field.displayName);
		return added === undefined ? undefined : readFieldValue(field, added.value);
	}

	/** The fields of a collection that the user added, each in its type and under its name. */
	members(collection: string, fields: readonly INodeProperties[]): IDataObject {
		const values = fields.map((field) => [field.name, this.member(collection, field)] as const);
		return present(Object.fromEntries(values) as IDataObject);
	}

	/** A field of a collection as it is; undefined if the user did not add it. */
	added(collection: string, name: string, label: string): { value: unknown } | undefined {
		const isAdded = this.run.memberNames(collection).includes(name);
		return isAdded ? { value: this.value(`${collection}.${name}`, label) } : undefined;
	}

	/** The whole number in a text field or locator: IDs and codes have such fields. */
	integer({ name, displayName }: INodeProperties): number {
		return readInteger(locatedId(this.value(name, displayName)), displayName);
	}

	/** The ID that a resource locator stands for, which becomes part of a path. */
	locator(field: INodeProperties & { type: 'resourceLocator' }): string {
		const id = this.read(field);
		if (isPathSegment(id)) return id;
		throw Failure.ofField(
			field.displayName,
			`cannot be "${shown(id)}"`,
			'In a URL, this text would lead to a different address. Enter the ID of the record.',
		);
	}

	/** Whether a field may have another value for each item. */
	isOfItem(path: string): boolean {
		return dependsOnItem(this.run.rawValue(path));
	}

	/** What a field's value is made from: where it is shared, the first item stands for all. */
	origin(path: string): { written: unknown; item: IDataObject | undefined } {
		return this.run.origin(path, this.itemIndexes[0] ?? 0);
	}

	/** A field's value as it is, with its expressions resolved. A path leads into a collection. */
	value(path: string, label: string, advice = ONE_REQUEST): unknown {
		if (this.known.has(path)) return this.known.get(path);
		const value = this.run.value(path, this.itemIndexes[0] ?? 0);
		if (this.itemIndexes.length > 1) this.assertShared(path, label, advice);
		this.known.set(path, value);
		return value;
	}

	/**
	 * @throws Failure when an item has another value than the first. To evaluate an expression for
	 * many items takes minutes: then it must name one input field, which is compared instead.
	 */
	private assertShared(path: string, label: string, advice: string): void {
		const raw = this.run.rawValue(path);
		if (!dependsOnItem(raw)) return;
		const field = plainPath(locatedId(raw));
		if (field === undefined && this.itemIndexes.length > MAX_COMPARED) {
			throw Failure.ofField(
				label,
				`may differ between more than ${figure(MAX_COMPARED)} items`,
				`Enter a fixed value, or an expression that names one input field: {{ $json.name }}. ${ONE_REQUEST}`,
			);
		}
		const items = this.run.context.getInputData();
		const read = field === undefined ? undefined : memberReader(field);
		const valueOf = (index: number) =>
			read === undefined ? this.run.value(path, index) : read(items[index]?.json);
		const [first = 0] = this.itemIndexes;
		const expected = valueOf(first);
		const differing = this.itemIndexes.filter((index) => !isEqual(valueOf(index), expected));
		if (differing.length === 0) return;
		throw Failure.ofField(
			label,
			'must be the same for all input items',
			`Item ${first} and ${listItems(differing)} have different values. ${advice}`,
		);
	}
}
