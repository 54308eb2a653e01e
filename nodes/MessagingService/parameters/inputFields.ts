import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { shorten } from '../transport/texts';
import { fieldReader } from './fieldPath';
import { InputError, shown } from './inputError';

/** Names that a message lists. */
const MOST_NAMED = 10;
/** A file that is no list may have names of any length. */
const MOST_CHARACTERS = 500;

/** For n8n's AI builder, on fields that take the name of an input field. */
export const namesInputField = {
	propertyHint:
		'The name of a field of the input items, e.g. "phone" or "customer.phone": no expression, no value.',
} satisfies INodeProperties['builderHint'];

/** The names of all input fields; items need not all have the same ones. */
export function inputFieldNames(
	items: readonly INodeExecutionData[],
	itemIndexes: Iterable<number> = items.keys(),
): Set<string> {
	const names = new Set<string>();
	for (const index of itemIndexes) {
		for (const name in items[index]?.json) names.add(name);
	}
	return names;
}

/** A field, and the input field that it may come from. */
export interface FieldChoice {
	/** Display name of the node's field that chooses the input field. */
	label: string;
	/** The chosen input field: a name or a path with dots. Empty where the user chose none. */
	path: string;
	/** Otherwise, one that is named like one of these: "Custom 1", "custom_1" and "CUSTOM1" are alike. */
	matches: readonly string[];
}

/** An input field that was found. */
export interface FoundField {
	path: string;
	read(json: IDataObject | undefined): unknown;
}

/** What fields are looked for in: input items, or the rows of a file. */
export interface FieldsOf {
	names: ReadonlySet<string>;
	/** Whether any row has a field. */
	has(field: FoundField): boolean;
	noun: keyof typeof NO_SUCH;
}

/**
 * Finds the input field that a field comes from.
 * @returns undefined where the user chose none, and none has its name
 * @throws InputError for a chosen name that no row has, and for two fields with its name: one of them
 * would be dropped silently
 */
export function findField(
	{ label, path, matches }: FieldChoice,
	rows: FieldsOf,
): FoundField | undefined {
	const chosen = path === '' ? undefined : { path, read: fieldReader(path) };
	if (chosen !== undefined && rows.has(chosen)) return chosen;
	const wanted = new Set(matches.map(plain));
	const [match, other] = [...rows.names].filter((name) => wanted.has(plain(name)));
	if (match !== undefined && other !== undefined) {
		throw new InputError(
			label,
			`matches "${shown(match).slice(0, 18)}" and "${shown(other).slice(0, 18)}"`,
			'Rename or remove one of these input fields, or enter the name of the one to use.',
		);
	}
	if (match !== undefined) return { path: match, read: fieldReader(match) };
	if (chosen === undefined) return undefined;
	const [problem, advice] = NO_SUCH[rows.noun];
	const available = [...rows.names].slice(0, MOST_NAMED).join(', ') || 'no fields';
	throw new InputError(
		label,
		`names "${shown(path)}"${problem}`,
		`${advice}: ${shorten(available, MOST_CHARACTERS)}.`,
	);
}

/** What is wrong with a name, and how to find the right one, by what it should name. */
const NO_SUCH = {
	'input field': [
		', a field that no input item has',
		'Enter the name of an input field, not its value. The input has',
	],
	'column of the file': [
		', a column that the file does not have',
		'Enter the name of a column. The file has',
	],
} as const;

function plain(name: string): string {
	return name.toLowerCase().replace(/[\s_-]/g, '');
}
