import { UNMISTAKABLE_ERROR } from './sheetErrors';

/** What looks wrong in a text that people get, as reports from elsewhere have shown it. */

/** {{name}}, {{ name }}, ${name} */
export const PLACEHOLDER = /\{\{\s*[\p{L}_][^{}]{0,60}\}\}|\$\{\s*[\p{L}_][^{}]{0,60}\}/u;

/** Something that looks wrong. */
interface Suspicion {
	what: string;
	pattern: RegExp;
	advice: string;
	/** Whether it is looked for in links, too. */
	isInLinks?: boolean;
}

const DECODED =
	'Save the file as "CSV UTF-8", or set Encoding in the node that reads it, so that it says "Zoë" and not "ZoÃ«".';
const FILLED_IN =
	'People read it as it is, unless the service fills it in. For a personal text, use an expression such as {{ $json.name }} in SMS Message: Send.';

/** What programs for letters and campaigns have between the signs of a placeholder. */
const FIELD_NAMES =
	'(?:(?:first|last|full|sur|given|middle|nick|user|client|customer|contact|company|business|shop|store|your|recipient|patient|guest|product|event|doctor|city|insert)[ _-]?)?name|vorname|nachname|name|anrede|prénom|prenom|nom|nombre|apellidos?|nome|cognome|sobrenome|imię|imie|nazwisko|имя|фамилия|voornaam|achternaam|ad[ıi]?|isim|date|datum|fecha|data|time|amount|link|url|address|company|phone|email|order[ _-]?(?:id|number|no)|appointment|merge_\\w+';

/** A field as programs name it, such as customer_name, Customer.FullName or leadfield=firstname. */
const compoundName = (separator: string) => `\\p{L}{2,}(?:${separator}\\p{L}{2,})+`;

/** What programs write into a cell without a value. Some are words of people, too: within a text. */
const NO_VALUE = 'None|NULL|null|NaN|nan|NaT|nil|<NA>|\\\\N|[(<[](?:null|NULL)[)\\]>]';
const NO_VALUE_CELL = new RegExp(`^(?:${NO_VALUE})$`);

/** Whether a cell has a program's word for no value. */
export const isNoValue = (cell: string) => NO_VALUE_CELL.test(cell);

/** Such a word within a text, at a place where people write none. */
export const NO_VALUE_IN_TEXT =
	/(?<![\p{L}\p{N}_])(?:undefined|UNDEFINED|NaN)(?![\p{L}\p{N}_])|(?<=^\p{L}+\s+)(?:null|NULL|Null|None|nan|nil|true|false)(?=\s*[,!:])|(?<=\b(?:from|for|to|by|with)\s)null(?=[\s,.!:]*$)/u;

/** What people are asked to do, and the words that they are asked for: Reply STOP, mit STOP antworten. */
const REPLY =
	'(?:[Rr]eply|REPLY|[Tt]e?xt|TE?XT|[Ss]end|[Aa]ntworte(?:n Sie)?|[Rr]épond(?:ez|s)|[Rr]espond[ae]?|[Rr]ispondi|[Aa]ntwoord|[Oo]dpisz)(?: (?:back|with|mit|par|avec|con|com|met))?';
const KEYWORD =
	'(?:STOP|[Ss]top|END|YES|[Yy]es|NO|[YN]|HELP|START|JA|NEIN|OUI|NON|S[IÍ]|BAJA|SAIR|SIM|TAK|NIE|\\d(?= (?:to|for|if|um|für|pour|para|per) ))';

export const SUSPICIONS: readonly Suspicion[] = [
	{
		what: 'wrongly decoded letters',
		pattern: new RegExp(
			[
				// UTF-8 that was read as Windows-1252: "Zoë", "straße", "it’s", "£5", an emoji, Cyrillic, Arabic.
				'Ã[\\u0080-\\u009f\\u00a1-\\u00ba\\u00bc-\\u00bf]',
				'(?<!\\p{Lu})Ã[»\\u00a0]',
				'\\p{Ll}ÃŸ',
				'Ã[–„…†‡‰‘’“”•€˜™›œ‚ˆ‹ŠšŽžŒƒ](?=\\p{Ll})',
				'â€[™œ\\u009d“”˜¦¢š¹º\\u0080-\\u00bf]',
				'â‚¬|â„¢|Â[£©®°±²³·´§]|ðŸ|(?<=\\d)Ã—(?=\\d)',
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
			/(?<![A-Za-z]:\S*)\\[nrt](?!\p{Ll})|(?<=[,.!?;])\\n|\p{Ll}\/n(?=\p{Lu})|\\u[0-9a-fA-F]{4}|\\['"]|\p{L}%(?:20|27|2C|21|0[AaDd])\p{L}|%22[^%]+%22|%C3%[89AB][\dA-F]/u,
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
		what: 'a time as programs write it',
		pattern:
			/\d{4}-\d\d-\d\d(?:T\d\d:\d\d| \d\d:\d\d:\d\d)(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?: [A-Z][a-z]{2} \d\d|, \d\d? [A-Z][a-z]{2}) \d{4} \d\d:\d\d:\d\d|\b\d{8}T\d{6}(?!\d)/,
		advice: "Format it: {{ $json.date.toDateTime().toFormat('d MMM, HH:mm') }}.",
	},
	{
		what: 'a number as programs write it',
		pattern: /\d[.,]\d{10,}|\d(?:[.,]\d+)?[Ee][+-]\d+(?![\p{L}\d])|(?<!\d)[1-9]\d{14,}00(?!\d)/u,
		advice: 'Round it, or format the column as text.',
	},
	{
		what: 'blanks in a row',
		pattern: /\S {3,}\S/,
		advice: 'A column of a fixed width has them: {{ $json.name.trim() }}.',
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
	{
		what: 'a request to reply',
		pattern: new RegExp(
			[
				// "Text STOP to 60123" is no reply.
				`(?<!not |NOT |n['’]t )(?<!\\p{L})${REPLY} ["“'‘„«]?${KEYWORD}["”'’“»]?(?![\\p{L}\\d])(?! (?:to|an|au|al|para) \\+?\\d)`,
				'STOP["”]? (?:to|2) (?:opt|end|quit|cancel|unsub)',
				'(?:STOP|JA|NEIN)["“”]? antworten',
			].join('|'),
			'u',
		),
		advice:
			'n8n never gets a reply. Write a link or a phone number, unless the service acts on this word.',
	},
];

/** What assistants write around a text. */
export const OF_AGENTS: readonly Suspicion[] = [
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
			/^["“]?(?:(?:sure|certainly|of course|absolutely)[!,.]?\s*)?(?:here(?:'s|’s| is| are)|below is|hier ist|voici|aquí (?:está|tienes)|ecco|aqui está)(?!\p{L})[^\n:]{0,40}\b(?:sms|texts?|messages?|drafts?|versions?|nachricht|texte|mensaje|messaggio|testo|mensagem)\b[^\n:]{0,40}:|^(?:subject|betreff|objet|asunto|oggetto)\s*:/iu,
		advice: 'Ask the assistant for the text alone.',
	},
];

/** What stands in place of a name. */
const NO_NAME = new RegExp(
	`^(?:(?:${NO_VALUE})(?: (?:${NO_VALUE}))*|[-–—_.?*/\\\\\\s]+|[nN]\\/[aAvV]|NA|N\\.A\\.|NIL|NAN|none|NONE|[uU]nknown|UNKNOWN|[uU]nbekannt|[iI]nconnue?|[dD]esconocid[oa]|[sS]conosciut[oa]|[tT]ests?(?:\\s?\\d+)?|TEST(?:\\s?\\d+)?|asdf|[xX]{3,}|TBD|\\d[\\d\\s.,/-]*)$`,
);

export const OF_NAMES: readonly Suspicion[] = [
	{
		what: 'no name',
		pattern: NO_NAME,
		advice: 'Leave the cell empty, or write a name.',
	},
	{
		what: 'a mail address',
		pattern: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
		advice: 'Use the column with the name.',
	},
];

const GREETING = '^(?:hi|hello|hey|dear|hallo|liebe[rs]?|bonjour|hola|ciao|olá|oi)\\s+';

/** A name of nobody behind a greeting. */
export const GREETED_NOBODY: Suspicion = {
	what: 'a greeting of nobody',
	pattern: new RegExp(
		`${GREETING}(?:-|n\\/a|test|unknown|none|["“'‘<]?(?:first|last|full|customer)[ _-]?name["”'’>]?|[^\\s@,]+@[^\\s@,]+\\.[^\\s@,]+)\\s*[,!.:]`,
		'i',
	),
	advice: 'Check the column with the names.',
};

/** A greeting without a name. */
export const EMPTY_GREETING = new RegExp(`${GREETING},`, 'i');

/** Most cells of long lists, with none of the signs and letters that what looks wrong begins with. */
const PLAIN = /^[A-Za-z0-9 .,'’!?À-ÁÄ-ÏÒ-ÖÚ-áã-ïñ-öø-ſ-]+$/;
/** Those that they are part of: the verbs of a request to reply, and what it asks for without one, too. */
const ODD = new RegExp(
	[
		'undefined|null|nan|invalid date|loading|\\.\\.\\.|\\d[.,]\\d{10}|\\de-?\\d|true|false|\\dt\\d| {3}',
		'reply|te?xt|send|antwo|pond|odpisz|stop',
		GREETING,
	].join('|'),
	'i',
);
/** Apart from the others, and in long cells only: it takes four times as long as all of them. */
const LOST_DIGITS = /\d{15}00/;
const LONG_NUMBER = 17;

/**
 * Whether nothing in a cell looks wrong: the short way for the millions of a file. Of what it cannot
 * tell, it says no.
 */
export function isPlainCell(text: string, isName: boolean): boolean {
	if (!PLAIN.test(text) || ODD.test(text)) return false;
	if (text.length >= LONG_NUMBER && LOST_DIGITS.test(text)) return false;
	return !isName || !NO_NAME.test(text);
}
