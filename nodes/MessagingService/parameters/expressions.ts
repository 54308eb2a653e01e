import type { IDataObject } from 'n8n-workflow';
import { memberReader } from './inputFields';
import { isNothing } from './values';

/**
 * What an expression can name without depending on the input item. Anything else that starts with a
 * dollar sign may depend on it.
 */
const ITEM_INDEPENDENT = new Set([
	...['$now', '$today', '$vars', '$env', '$secrets', '$workflow', '$execution', '$runIndex'],
	...['$mode', '$nodeVersion', '$nodeId', '$webhookId', '$prevNode'],
	...['$max', '$min', '$if', '$ifEmpty'],
]);

/** All items of a node, or the first or last of them: the same for each input item. */
const WHOLE_NODE = /\$(?:input|\(\s*(?:'[^'\\]*'|"[^"\\]*")\s*\))\.(?:all|first|last)\(\)/g;

/** Whether any text in a field's raw value is one that this is true of. */
function hasText(rawValue: unknown, isTrue: (text: string) => boolean): boolean {
	if (typeof rawValue === 'string') return isTrue(rawValue);
	if (typeof rawValue !== 'object' || rawValue === null) return false;
	return Object.values(rawValue).some((value) => hasText(value, isTrue));
}

const isExpression = (text: string) => text.startsWith('=');

/** Whether a field's raw value, as saved in the workflow, contains an expression. */
export function hasExpression(rawValue: unknown): boolean {
	return hasText(rawValue, isExpression);
}

/** Whether a field's raw value contains an expression that can differ between the input items. */
export function dependsOnItem(rawValue: unknown): boolean {
	return hasText(
		rawValue,
		(text) =>
			isExpression(text) &&
			namesIn(text.replace(WHOLE_NODE, '')).some((name) => !ITEM_INDEPENDENT.has(name)),
	);
}

const namesIn = (expression: string) => expression.match(/\$(?:[A-Za-z_]\w*|\(|\[)/g) ?? [];

/** The input field that an expression names and nothing else, as in `={{ $json.customer.name }}`. */
export function plainPath(rawValue: unknown): string | undefined {
	if (typeof rawValue !== 'string') return undefined;
	return /^=\s*\{\{\s*\$json\.([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*)\s*\}\}\s*$/u.exec(
		rawValue,
	)?.[1];
}

/** What JavaScript makes of a missing value in a text. */
const MISSING = /(?<![\p{L}\p{N}_])(?:undefined|null|NaN)(?![\p{L}\p{N}_])/gu;

/** What code an expression has between its quotation marks. */
const QUOTED = /"[^"]*"|'[^']*'|`[^`]*`/g;

/**
 * A word that an expression has put into a text in place of a value: nobody has written it, and no
 * text of the input item has it.
 * @param written the field's raw value
 */
export function missingValue(
	text: string,
	written: unknown,
	item: IDataObject | undefined,
): { word: string; isCertain: boolean } | undefined {
	if (typeof written !== 'string' || !isExpression(written)) return undefined;
	const typed = written.replace(/\{\{[^]*?\}\}/g, (code) => code.match(QUOTED)?.join(' ') ?? '');
	const word = [...new Set(text.match(MISSING))].find((each) => {
		const hasWord = (known: string) => known.match(MISSING)?.includes(each) === true;
		// Other programs write it into a cell of its own for a value that is missing.
		return !hasWord(typed) && !hasText(item, (known) => known.trim() !== each && hasWord(known));
	});
	if (word === undefined) return undefined;
	// What else an expression reads may have a text with the word.
	const names = namesIn(written.replace(/\$input\.item\b/g, ''));
	const isCertain = names.every((name) => name === '$json' || ITEM_INDEPENDENT.has(name));
	return { word, isCertain };
}

const EXPRESSION = /\{\{([^]*?)\}\}/g;

/** What decides by itself what to write for a missing value. */
const FALLBACK = /\?(?!\.)|[&|!]|\b(?:if|ifEmpty|isEmpty|isNotEmpty|filter)\b/;

/** A field that code names, without the methods that it calls. */
const FIELD =
	/\$json((?:\.[\p{L}_][\p{L}\p{N}_]*(?![\p{L}\p{N}_(])|\[(?:'[^'\\]*'|"[^"\\]*")\])+)/gu;

/**
 * The first placeholder in a field's raw value, such as `{{ $json.name }}` or
 * `{{ $json.name.toUpperCase() }}`, that the item leaves empty.
 */
export function emptyPlaceholder(
	written: unknown,
	item: IDataObject | undefined,
): string | undefined {
	if (typeof written !== 'string' || !isExpression(written)) return undefined;
	const isEmpty = ([, path = '']: readonly string[]) =>
		isNothing(memberReader(path.replace(/^\./, ''))(item));
	for (const [placeholder, code = ''] of written.matchAll(EXPRESSION)) {
		if (!FALLBACK.test(code.replace(QUOTED, '')) && [...code.matchAll(FIELD)].some(isEmpty))
			return placeholder;
	}
	return undefined;
}
