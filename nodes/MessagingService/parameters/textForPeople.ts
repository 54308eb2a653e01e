import type { IDataObject } from 'n8n-workflow';
import { parseJson } from '../json';
import { shorten } from '../texts';
import { emptyPlaceholder, missingValue } from './expressions';
import { isSheetError, UNMISTAKABLE_ERROR } from './sheetErrors';

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

/** What is wrong with a text. */
export interface TextProblem {
	/** Continues the name of the field: 'contains "#N/A"'. */
	problem: string;
	/** How to fix it; empty where the problem says it. */
	advice: string;
}

/** What to do with a text: not to send it, or to send it and say what looks wrong. */
export interface TextVerdict {
	refused?: TextProblem | undefined;
	warnings: TextProblem[];
}

/**
 * The one look at each text that reaches people: messages, senders, and what the service fills in or
 * reads aloud.
 */
export function lookAtText(text: string, origin: TextOrigin = {}): TextVerdict {
	const refused = refusedBy(text, origin);
	return refused === undefined ? { warnings: warningsOf(text, origin) } : { refused, warnings: [] };
}

/** What stands for a value that an expression or a file could not give: nobody writes it. */
const DAMAGED: readonly (TextProblem & { damage: string })[] = [
	{
		damage: '[object Object]',
		problem: 'contains [object Object]',
		advice:
			'The expression gives an object. Choose one of its fields, for example {{ $json.customer.name }}.',
	},
	{
		damage: 'Invalid Date',
		problem: 'contains "Invalid Date"',
		advice:
			'The expression reads a date that is none. Check the field, or how its date is written: DateTime.fromFormat($json.date, "dd/MM/yyyy").',
	},
	{
		damage: '\ufffd',
		problem: 'contains a damaged character (\ufffd)',
		advice:
			'Its file was read in the wrong encoding. Save the file as "CSV UTF-8", or set Encoding to Latin1 in the options of Extract From File.',
	},
];

/** What JavaScript has in place of a value. */
const NO_VALUE = /^(?:undefined|null|NaN)$/;
/** An expression that n8n did not evaluate. */
const EXPRESSION = /\{\{\s*\$[^}]*\}\}/;
/** {{name}}, {{ name }}, ${name} */
const PLACEHOLDER = /\{\{\s*[\p{L}_][^{}]{0,60}\}\}|\$\{\s*[\p{L}_][^{}]{0,60}\}/u;

function refusedBy(
	text: string,
	{ written, item, isFinal = false }: TextOrigin,
): TextProblem | undefined {
	const damaged = DAMAGED.find(({ damage }) => text.includes(damage));
	if (damaged !== undefined) return damaged;
	const error = sheetErrorIn(text, item);
	if (error !== undefined) {
		return {
			problem: `contains "${error}"`,
			advice:
				'It is an error of the spreadsheet in place of a value. Fix the formula, or leave out rows that have it with a Filter before this node.',
		};
	}
	const missing =
		written === undefined && NO_VALUE.test(text.trim())
			? { word: text.trim(), isCertain: true }
			: missingValue(text, written, item);
	if (missing?.isCertain === true) {
		return {
			problem: `contains "${missing.word}"`,
			advice: `The expression reads a field that the input item does not have. Check its name, or write what to send instead: {{ $json.name ?? "customer" }}. To send this word, put it in quotes: {{ "${missing.word}" }}.`,
		};
	}
	const [expression] = EXPRESSION.exec(text) ?? [];
	if (expression !== undefined) {
		return {
			problem: `contains the expression ${shorten(expression, MOST_SHOWN)}`,
			advice:
				'It would be sent as it is. Switch the field from Fixed to Expression; in a column, n8n does not evaluate expressions.',
		};
	}
	const [placeholder] = (isFinal ? PLACEHOLDER.exec(text) : null) ?? [];
	if (placeholder === undefined) return undefined;
	return {
		problem: `contains the placeholder ${shorten(placeholder, MOST_SHOWN)}`,
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

/** Something that looks wrong. */
interface Suspicion {
	what: string;
	pattern: RegExp;
	advice: string;
	/** Whether it is looked for in links, too. */
	isInLinks?: boolean;
	/** False where it may be meant, if the user has written it into the field. */
	isWritten?: false;
}

const DECODED =
	'Save the file as "CSV UTF-8", or set Encoding in the node that reads it, so that it says "Zoë" and not "ZoÃ«".';
const FILLED_IN =
	'People read it as it is, unless the service fills it in. For a personal text, use SMS Message: Send with an expression such as {{ $json.name }}.';

/** What programs for letters and campaigns have between the signs of a placeholder. */
const FIELD_NAMES =
	'(?:(?:first|last|full|sur|given|middle|nick|user|client|customer|contact|company|business|shop|store|your|recipient|patient|guest|product|event|doctor|city|insert)[ _-]?)?name|vorname|nachname|name|anrede|prénom|prenom|nom|nombre|apellidos?|nome|cognome|sobrenome|imię|imie|nazwisko|имя|фамилия|voornaam|achternaam|ad[ıi]?|isim|date|datum|fecha|data|time|amount|link|url|address|company|phone|email|order[ _-]?(?:id|number|no)|appointment|merge_\\w+';

/** A field as programs name it, such as customer_name, Customer.FullName or leadfield=firstname. */
const compoundName = (separator: string) => `\\p{L}{2,}(?:${separator}\\p{L}{2,})+`;

const SUSPICIONS: readonly Suspicion[] = [
	{
		what: 'wrongly decoded letters',
		pattern: new RegExp(
			[
				// UTF-8 that was read as Windows-1252: "Zoë", "straße", "it’s", "£5", an emoji, Cyrillic, Arabic.
				'Ã[\\u0080-\\u009f\\u00a1-\\u00ba\\u00bc-\\u00bf]',
				'(?<!\\p{Lu})Ã»',
				'\\p{Ll}ÃŸ',
				'Ã[–„…†‡‰‘’“”•€˜™›œ‚ˆ‹](?=\\p{Ll})',
				'â€[™œ\\u009d“”˜¦¢š¹º\\u0080-\\u00bf]',
				'â‚¬|Â[£©®°±²³·´§]|ðŸ|(?<=\\d)Ã—(?=\\d)',
				'(?:[ÐÑØÙ][\\u0080-\\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ€]){2}',
			].join('|'),
			'u',
		),
		advice: DECODED,
	},
	{
		what: 'an HTML code',
		pattern:
			/&(?:#\d{2,5}|#x[0-9a-f]{2,4});?|&(?:amp|lt|gt|quot|apos|nbsp|[a-z]{1,5}(?:acute|grave|uml|circ|tilde|cedil))(?:;|\b)|<\/?(?:br|p|b|i|u|strong|em|div|span|a|ul|li|h[1-6])(?:\s[^<>]*)?\/?>/i,
		advice: 'Take it out, or decode it, before it becomes a text: phones show it as it is.',
		isInLinks: true,
	},
	{
		what: 'an escape code',
		pattern:
			/(?<![A-Za-z]:\S*)\\[nrt](?!\p{Ll})|(?<=[,.!?;])\\n|\p{Ll}\/n(?=\p{Lu})|\\u[0-9a-fA-F]{4}|\\['"]|\p{L}%(?:20|27|2C|21|0[AaDd])\p{L}/u,
		advice: 'Write the character itself: phones show the code as it is.',
	},
	{
		what: 'a placeholder',
		pattern: new RegExp(
			[
				PLACEHOLDER.source,
				`\\[(?:${FIELD_NAMES})\\]|\\{(?:${FIELD_NAMES})\\}|%(?:${FIELD_NAMES})%|#(?:${FIELD_NAMES})#|<(?:${FIELD_NAMES})>`,
				`\\[(?:${compoundName('_')})\\]|\\{(?:${compoundName('[_.=]')})\\}|%\\s?(?:${compoundName('[_.]')})%`,
				'\\(\\(\\s*[\\p{L}_][\\p{L}\\p{N}_ .-]*\\)\\)|\\[\\[[^\\[\\]]{1,60}\\]\\]|<<[^<>]{1,60}>>|\\{%[^{}]{1,60}%\\}|::[\\p{L}_.]+::|\\*\\|[^|]{1,60}\\|\\*',
			].join('|'),
			'iu',
		),
		advice: FILLED_IN,
	},
	{
		what: 'an error of a spreadsheet',
		pattern: UNMISTAKABLE_ERROR,
		advice: 'Fix the formula that the text was made from.',
	},
	{
		what: 'a word that stands for no value',
		pattern:
			/(?<![\p{L}\p{N}_])(?:undefined|UNDEFINED|NaN)(?![\p{L}\p{N}_])|(?<=^\p{L}+\s+)(?:null|NULL|Null|None|nan|nil|true|false)(?=\s*[,!:])|(?<=\b(?:from|for|to|by|with)\s)null(?=[\s,.!:]*$)/u,
		advice: 'Check the node that composes the text.',
		isWritten: false,
	},
	{
		what: 'a time as programs write it',
		pattern:
			/\d{4}-\d\d-\d\d(?:T\d\d:\d\d| \d\d:\d\d:\d\d)(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d/,
		advice: "Format it: {{ $json.date.toDateTime().toFormat('d MMM, HH:mm') }}.",
	},
	{
		what: 'a number as programs write it',
		pattern: /\d[.,]\d{10,}|\d(?:[.,]\d+)?[Ee][+-]\d+(?![\p{L}\d])|(?<!\d)[1-9]\d{14,}00(?!\d)/u,
		advice: 'Round it, or format the column as text.',
	},
	{
		what: 'a formula',
		pattern: /^\s*=\S/,
		advice: 'The field begins with "=": remove it.',
	},
	{
		what: 'a link that works only for you',
		pattern:
			/\bhttps?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|host\.docker\.internal)(?![\w.-])\S*|\S*\/(?:webhook|form)-test\/\S*/i,
		advice: 'Use the public address; for a webhook or a form of n8n, its production URL.',
		isInLinks: true,
	},
];

/** What assistants write around a text. */
const OF_AGENTS: readonly Suspicion[] = [
	{
		what: 'Markdown',
		pattern:
			/\*\*[^*\n]+\*\*|(?<![\w_])__[^_\n]+__(?![\w_])|^#{1,4} \S|\[[^\]\n]+\]\(https?:[^)\s]+\)|^```|`[^`\n]+`/m,
		advice: 'Ask the assistant for plain text: phones show the signs as they are.',
		isInLinks: true,
	},
	{
		what: 'words of the assistant',
		pattern:
			/^["“]?(?:(?:sure|certainly|of course|absolutely)[!,.]?\s*)?(?:here(?:'s|’s| is| are)|below is|hier ist|voici|aquí (?:está|tienes)|ecco|aqui está)\b[^\n:]{0,40}\b(?:sms|texts?|messages?|drafts?|versions?|nachricht|texte|mensaje|messaggio|testo|mensagem)\b[^\n:]{0,40}:|^(?:subject|betreff|objet|asunto|oggetto)\s*:/i,
		advice: 'Ask the assistant for the text alone.',
	},
];

const OF_NAMES: readonly Suspicion[] = [
	{
		what: 'no name',
		pattern:
			/^(?:[-–—_.?*/\\\s]+|[nN]\/[aAvV]|NA|N\.A\.|NULL|NIL|NAN|[nN]one|NONE|[uU]nknown|UNKNOWN|[uU]nbekannt|[iI]nconnue?|[dD]esconocid[oa]|[sS]conosciut[oa]|[tT]ests?(?:\s?\d+)?|TEST(?:\s?\d+)?|asdf|[xX]{3,}|TBD|\d[\d\s.,/-]*)$/,
		advice: 'Leave the cell empty, or write a name.',
	},
	{
		what: 'a mail address',
		pattern: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
		advice: 'Use the column with the name.',
	},
];

/** Whether a cell stands for a name that nobody knows. */
export const isNoName = (cell: string) => OF_NAMES.some(({ pattern }) => pattern.test(cell));

const GREETING = '^(?:hi|hello|hey|dear|hallo|liebe[rs]?|bonjour|hola|ciao|olá|oi)\\s+';
const GREETS = new RegExp(GREETING, 'i');

/** Whether a text begins as one to a person does. */
export const isGreeting = (text: string) => GREETS.test(text);

/** A name of nobody behind a greeting. */
const GREETED_NOBODY: Suspicion = {
	what: 'a greeting of nobody',
	pattern: new RegExp(
		`${GREETING}(?:-|n\\/a|test|unknown|none|["“'‘<]?(?:first|last|full|customer)[ _-]?name["”'’>]?|[^\\s@,]+@[^\\s@,]+\\.[^\\s@,]+)\\s*[,!.:]`,
		'i',
	),
	advice: 'Check the column with the names.',
};

const EMPTY_GREETING = new RegExp(`${GREETING},`, 'i');

const LINK = /\b(?:https?:\/\/|www\.)\S+/gi;

function warningsOf(text: string, origin: TextOrigin): TextProblem[] {
	const withoutLinks = text.replace(LINK, ' ');
	const suspicions = [
		...SUSPICIONS,
		...(origin.isName === true ? OF_NAMES : [GREETED_NOBODY]),
		...(origin.isOfAgent === true ? OF_AGENTS : []),
	];
	const found = suspicions.flatMap(({ what, pattern, advice, isInLinks = false, isWritten }) => {
		const match = pattern.exec(isInLinks ? text : withoutLinks);
		if (match === null || (isWritten === false && isWrittenByUser(match[0], origin))) return [];
		return [{ problem: `contains ${what} (${around(match)})`, advice }];
	});
	return [...found, ...aboutValues(text, origin)];
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
function aboutValues(text: string, { written, item }: TextOrigin): TextProblem[] {
	const problems: TextProblem[] = [];
	const missing = missingValue(text, written, item);
	if (missing !== undefined) {
		problems.push({
			problem: `contains "${missing.word}"`,
			advice: 'Check that its expression finds a value for each item.',
		});
	}
	const placeholder = emptyPlaceholder(written, item);
	if (placeholder !== undefined) {
		problems.push({
			problem: `has nothing in place of ${placeholder}`,
			advice: '',
		});
	} else if (EMPTY_GREETING.test(text)) {
		problems.push({ problem: 'greets nobody', advice: 'Check the column with the names.' });
	}
	const day = dayNumberIn(text, item);
	if (day !== undefined) {
		problems.push({
			problem: `contains a date as a spreadsheet counts it (${day})`,
			advice: 'Format the column as text, or format the date in the expression.',
		});
	}
	const isJson = /^\s*(?:\{\s*"|\[\s*[{["])/.test(text) && typeof parseJson(text) === 'object';
	if (isJson) {
		problems.push({
			problem: 'is JSON',
			advice: 'Choose one of its fields, for example {{ $json.text }}.',
		});
	}
	return problems;
}

/** Days since 1900, of the years 2000 to 2064. */
const isDayNumber = (value: unknown) => /^(?:3[6-9]|[45]\d)\d{3}(?:\.\d+)?$/.test(String(value));

/** What people call a column of dates. */
const DATE_NAMES =
	/date|datum|fecha|data\b|dato\b|päiv|when|day\b|tag\b|termin|appointment|due|birth|geburt|start|end\b|expir|deadline|jour|giorno|dzień|дата|tarih|日期|日付/i;

function dayNumberIn(text: string, item: IDataObject | undefined): string | undefined {
	if (!/\d{5}/.test(text)) return undefined;
	const cell = Object.entries(item ?? {}).find(
		([name, value]) =>
			DATE_NAMES.test(name) &&
			isDayNumber(value) &&
			new RegExp(`(?<![\\d.,])${String(value)}(?![\\d])`).test(text),
	);
	return cell && String(cell[1]);
}
