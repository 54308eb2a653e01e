import { escapeRegExp } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { parseJson } from '../json';
import type { Remark } from '../reason';
import { shorten } from '../texts';
import { emptyPlaceholder, missingValue } from './expressions';
import { isSheetError } from './sheetErrors';
import {
	EMPTY_GREETING,
	GREETED_NOBODY,
	isNoValue,
	NO_VALUE_IN_TEXT,
	OF_AGENTS,
	OF_NAMES,
	PLACEHOLDER,
	SUSPICIONS,
} from './suspicions';

/** Where a text that reaches people comes from. */
export interface TextOrigin {
	/** What the user wrote into the field, with its expressions. */
	written?: unknown;
	/** The input item. */
	item?: IDataObject | undefined;
	/** Whether it is of one message: what looks like a placeholder is then a mistake. */
	isFinal?: boolean;
	/** Whether it is somebody's name. */
	isName?: boolean;
	/** Whether an agent wrote it. */
	isOfAgent?: boolean;
}

/**
 * What to do with a text: not to send it, or to send it and say what looks wrong. The remarks continue
 * the name of the field: 'contains "#N/A"'.
 */
interface TextVerdict {
	refused?: Remark | undefined;
	warnings: Remark[];
}

/**
 * The one look at each text that reaches people: messages, senders, and what the service fills in or
 * reads aloud.
 */
export function lookAtText(text: string, origin: TextOrigin = {}): TextVerdict {
	const missing = missingIn(text, origin);
	const refused = refusedBy(text, origin, missing);
	if (refused !== undefined) return { refused, warnings: [] };
	return { warnings: warningsOf(text, origin, missing) };
}

type Missing = ReturnType<typeof missingValue>;

/** A word that stands in place of a value. Without an expression, it is all that there is. */
function missingIn(text: string, { written, item }: TextOrigin): Missing {
	const isOnly = written === undefined && MISSING_VALUE.test(text.trim());
	return isOnly ? { word: text.trim(), isCertain: true } : missingValue(text, written, item);
}

/** What stands for a value that an expression or a file could not give: nobody writes it. */
const DAMAGED: readonly (Remark & { damage: string })[] = [
	{
		damage: '[object Object]',
		text: 'contains [object Object]',
		advice:
			'The expression gives an object. Choose one of its fields, for example {{ $json.customer.name }}.',
	},
	{
		damage: 'Invalid Date',
		text: 'contains "Invalid Date"',
		advice:
			'The expression reads a date that is none. Check the field, or how its date is written: DateTime.fromFormat($json.date, "dd/MM/yyyy").toFormat("d MMMM").',
	},
	{
		damage: '\ufffd',
		text: 'contains a damaged character (\ufffd)',
		advice:
			'Its file was read in the wrong encoding. Save the file as "CSV UTF-8", or set Encoding to Latin1 in the options of Extract From File.',
	},
];

/** What JavaScript has in place of a value. */
const MISSING_VALUE = /^(?:undefined|null|NaN)$/;
/** An expression that n8n did not evaluate. */
const EXPRESSION = /\{\{\s*\$[^}]*\}\}/;

function refusedBy(
	text: string,
	{ written, item, isFinal = false }: TextOrigin,
	missing: Missing,
): Remark | undefined {
	const damaged = DAMAGED.find(({ damage }) => text.includes(damage));
	if (damaged !== undefined) return damaged;
	const error = sheetErrorIn(text, item);
	if (error !== undefined) {
		return {
			text: `contains "${error}"`,
			advice:
				'It is an error of the spreadsheet in place of a value. Fix the formula, or leave out rows that have it with a Filter before this node.',
		};
	}
	if (missing?.isCertain === true) {
		return {
			text: `contains "${missing.word}"`,
			advice:
				written === undefined
					? 'It stands in place of a value. Leave the cell empty, or write the value.'
					: `The expression reads a field that the input item does not have. Check its name, or write what to send instead: {{ $json.name ?? "customer" }}. To send this word, put it in quotes: {{ "${missing.word}" }}.`,
		};
	}
	const [expression] = EXPRESSION.exec(text) ?? [];
	if (expression !== undefined) {
		return {
			text: `contains the expression ${shorten(expression, MOST_SHOWN)}`,
			advice:
				'It would be sent as it is. Switch the field from Fixed to Expression; in a column, n8n does not evaluate expressions.',
		};
	}
	const [placeholder] = (isFinal ? PLACEHOLDER.exec(text) : null) ?? [];
	if (placeholder === undefined) return undefined;
	return {
		text: `contains the placeholder ${shorten(placeholder, MOST_SHOWN)}`,
		advice: `It would be sent as it is. In place of it, write an expression such as {{ $json.name }}. If the service fills it in, turn on Send Placeholders in Options.`,
	};
}

/** As much of a text as a title has room for. */
const MOST_SHOWN = 33;

/** An error of a sheet: the text itself, or a cell of the item that got into it. */
function sheetErrorIn(text: string, item: IDataObject | undefined): string | undefined {
	if (isSheetError(text.trim())) return text.trim();
	// Nearly all texts have none of the signs of an error.
	if (!/#|\.\.\.|…|Err:/.test(text)) return undefined;
	return Object.values(item ?? {})
		.map((cell) => (typeof cell === 'string' ? cell.trim() : ''))
		.find((cell) => isSheetError(cell) && text.includes(cell));
}

const LINK = /\b(?:https?:\/\/|www\.)\S+/gi;

function warningsOf(entered: string, origin: TextOrigin, missing: Missing): Remark[] {
	const text = entered.trim();
	const withoutLinks = text.replace(LINK, ' ');
	const suspicions = [
		...SUSPICIONS,
		...(origin.isName === true ? OF_NAMES : [GREETED_NOBODY]),
		...(origin.isOfAgent === true ? OF_AGENTS : []),
	];
	const found = suspicions.flatMap(({ what, pattern, advice, isInLinks = false }) => {
		const match = pattern.exec(isInLinks ? text : withoutLinks);
		return match === null ? [] : [{ text: `contains ${what} (${around(match)})`, advice }];
	});
	return [
		...found,
		...noValueIn(text, withoutLinks, origin),
		...aboutValues(text, origin, missing),
	];
}

/** A program's word for no value: one that nobody has written, or a cell of it that got into the text. */
function noValueIn(text: string, withoutLinks: string, origin: TextOrigin): Remark[] {
	const textOf = (word: string) => `contains a word that stands for no value (${word})`;
	const match = NO_VALUE_IN_TEXT.exec(withoutLinks);
	if (match !== null && !isWrittenByUser(match[0], origin)) {
		const advice = 'Check the node that composes the text.';
		return [{ text: textOf(around(match)), advice }];
	}
	const cell = noValueCell(text, origin);
	if (cell === undefined) return [];
	return [{ text: textOf(cell), advice: 'Leave the cell empty, or write the value.' }];
}

function noValueCell(text: string, { written, item }: TextOrigin): string | undefined {
	return Object.values(item ?? {})
		.map((cell) => (typeof cell === 'string' ? cell.trim() : ''))
		.find(
			(cell) =>
				isNoValue(cell) &&
				new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(cell)}(?![\\p{L}\\p{N}])`, 'u').test(text) &&
				!(typeof written === 'string' && written.includes(cell)),
		);
}

/** Whether a word stands in the field, or is noted as missing there. */
function isWrittenByUser(word: string, { written, item }: TextOrigin): boolean {
	if (typeof written !== 'string') return false;
	return written.includes(word) || missingValue(word, written, item) !== undefined;
}

/** What was found, as far as it is short. */
function around({ 0: found, index, input }: RegExpExecArray): string {
	const before = /[\p{L}\p{N}]*$/u.exec(input.slice(0, index))?.[0] ?? '';
	const after = /^[\p{L}\p{N}]*/u.exec(input.slice(index + found.length))?.[0] ?? '';
	return shorten(`${before}${found}${after}`.replace(/\s+/g, ' ').trim(), MOST_SHOWN);
}

/** What can only be told from where the text comes from. */
function aboutValues(text: string, { written, item }: TextOrigin, missing: Missing): Remark[] {
	const remarks: Remark[] = [];
	if (missing !== undefined) {
		remarks.push({
			text: `contains "${missing.word}"`,
			advice: 'Check that its expression finds a value for each item.',
		});
	}
	const placeholder = emptyPlaceholder(written, item);
	if (placeholder !== undefined) {
		remarks.push({
			text: `has nothing in place of ${placeholder}`,
			advice: 'Check the name of the field, and that it has a value in each row.',
		});
	} else if (EMPTY_GREETING.test(text)) {
		remarks.push({ text: 'greets nobody', advice: 'Check the column with the names.' });
	}
	const day = dateNumberIn(text, item);
	if (day !== undefined) {
		remarks.push({
			text: `contains a date as a number (${day})`,
			advice: 'Format the column as text, or format the date in the expression.',
		});
	}
	const isJson = /^\s*(?:\{\s*"|\[\s*[{["])/.test(text) && typeof parseJson(text) === 'object';
	if (isJson) {
		remarks.push({
			text: 'is JSON',
			advice: 'Choose one of its fields, for example {{ $json.text }}.',
		});
	}
	return remarks;
}

/** Days since 1900, of the years 2000 to 2064; seconds or milliseconds since 1970, of 2001 to 2065. */
const isDateNumber = (value: unknown) =>
	/^(?:(?:3[6-9]|[45]\d)\d{3}(?:\.\d+)?|[12]\d{9}(?:\d{3})?)$/.test(String(value));

/** What people call a column of dates. */
const DATE_NAMES =
	/date|datum|fecha|data\b|dato\b|päiv|when|day\b|tag\b|termin|appointment|due|birth|geburt|start|end\b|expir|deadline|jour|giorno|dzień|дата|tarih|日期|日付/i;

function dateNumberIn(text: string, item: IDataObject | undefined): string | undefined {
	if (!/\d{5}/.test(text)) return undefined;
	const cell = Object.entries(item ?? {}).find(
		([name, value]) =>
			DATE_NAMES.test(name) &&
			isDateNumber(value) &&
			new RegExp(`(?<![\\d.,])${String(value)}(?![\\d])`).test(text),
	);
	return cell && String(cell[1]);
}
