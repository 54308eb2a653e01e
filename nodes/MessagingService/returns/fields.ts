import type { IDataObject } from 'n8n-workflow';

/** What output fields hold, in the part of JSON Schema that n8n's editor and AI builder read. */

type Type = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null';

/** One field of an output item. The editor takes the first type as the one to show. */
export interface FieldSchema {
	type: Type | readonly Type[];
	/** A believable value, for the documentation and for n8n's simulated data. */
	examples?: readonly [unknown];
	items?: FieldSchema;
	properties?: Fields;
	additionalProperties?: FieldSchema;
}

/** The fields of an output item, in the order of its columns. */
export type Fields = Readonly<Record<string, FieldSchema>>;

/** The fields of an output item with certain settings. */
export interface ReturnedItem {
	fields: Fields;
	/** Fields may follow that nobody can list: those of responses or events that are not documented. */
	isOpen?: boolean;
	/** The fields of the input item are in it, too; then it is open. */
	keepsInput?: boolean;
}

/** What an operation or a trigger returns. */
export interface Returns extends ReturnedItem {
	/** With other values of these parameters than in a new node; n8n cannot show it. */
	otherwise?: readonly (ReturnedItem & { when: IDataObject })[];
}

export const text = (example: string): FieldSchema => ({ type: 'string', examples: [example] });

export const integer = (example: number): FieldSchema => ({ type: 'integer', examples: [example] });

export const decimal = (example: number): FieldSchema => ({ type: 'number', examples: [example] });

export const flag = (example: boolean): FieldSchema => ({ type: 'boolean', examples: [example] });

export const listOf = (items: FieldSchema): FieldSchema => ({ type: 'array', items });

export const object = (properties: Fields): FieldSchema => ({ type: 'object', properties });

/** How many there are of each: the keys are names of codes. */
export const counts = (example: Record<string, number>): FieldSchema => ({
	type: 'object',
	additionalProperties: { type: 'integer' },
	examples: [example],
});

/** A value of the input, passed on as it came. */
export const anything = (example: string): FieldSchema =>
	or(text(example), 'number', 'boolean', 'object', 'array', 'null');

/** A field that may also be of another type, or null. */
export function or(field: FieldSchema, ...types: readonly Type[]): FieldSchema {
	return { ...field, type: [...new Set([field.type, types].flat())] as readonly Type[] };
}

export const orNull = (field: FieldSchema): FieldSchema => or(field, 'null');
