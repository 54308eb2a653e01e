import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { fieldReader } from '../parameters/fieldPath';
import { InputError, shown } from '../parameters/inputError';
import { inputFieldNames, matchingField } from '../parameters/inputFields';
import { shorten } from '../transport/texts';
import { rowMaker } from './rowObjects';

/** Names of input fields that are listed in a message or an output. */
const MOST_NAMED = 100;
/** A file that is no list may have names of any length. */
const MOST_CHARACTERS = 500;

/** Which input fields the recipients' fields come from. */
export interface Columns {
	/** Reads the fields of one input item, by the names that they have in a candidate. */
	read(json: IDataObject | undefined): IDataObject;
	/** The input fields that are sent. */
	used: string[];
	/** The input fields that no recipient field comes from. */
	notUsed: string[];
}

/** A field of a recipient and where it comes from. */
export interface ColumnChoice {
	/** The field's name in a candidate. */
	name: string;
	/** Display name of the node's field that chooses the column. */
	label: string;
	/** The chosen input field: a name or a path with dots. Empty where the user chose none. */
	path: string;
	/** An input field named like one of these is taken where the user chose none. */
	matches: readonly string[];
}

/**
 * Finds the input fields that recipients are made from.
 * @throws InputError for a name that no input item has; the message lists the names there are
 */
export function findColumns(
	choices: readonly ColumnChoice[],
	items: readonly INodeExecutionData[],
	itemIndexes: readonly number[] = [...items.keys()],
	noun: keyof typeof NO_SUCH = 'input field',
): Columns {
	const names = inputFieldNames(items, itemIndexes);
	const readers: { name: string; read: (json: IDataObject | undefined) => unknown }[] = [];
	const used = new Set<string>();
	for (const choice of choices) {
		const path = columnOf(choice, names, items, itemIndexes, noun);
		if (path === undefined) continue;
		readers.push({ name: choice.name, read: fieldReader(path) });
		used.add(names.has(path) ? path : (/^[^.[]+/.exec(path)?.[0] ?? path));
	}
	const newCandidate = rowMaker();
	return {
		read(json) {
			const candidate = newCandidate();
			for (const { name, read } of readers) candidate[name] = read(json) as IDataObject[string];
			return candidate;
		},
		used: [...used].slice(0, MOST_NAMED),
		notUsed: [...names].filter((name) => !used.has(name)).slice(0, MOST_NAMED),
	};
}

function columnOf(
	{ label, path, matches }: ColumnChoice,
	names: ReadonlySet<string>,
	items: readonly INodeExecutionData[],
	itemIndexes: readonly number[],
	noun: keyof typeof NO_SUCH,
): string | undefined {
	if (path !== '') {
		const read = fieldReader(path);
		if (itemIndexes.some((index) => read(items[index]?.json) !== undefined)) return path;
	}
	const match = matchingField(names, matches, label);
	if (match !== undefined) return match;
	if (path === '') return undefined;
	const available = shorten([...names].slice(0, 10).join(', ') || 'no fields', MOST_CHARACTERS);
	const [problem, advice] = NO_SUCH[noun];
	throw new InputError(label, `names "${shown(path)}"${problem}`, `${advice}: ${available}.`);
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
