/** Markup that is safe to send: everything in it that came from outside has been escaped. */
export class Html {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

/** What can stand in a template; `null`, `undefined` and `false` are nothing, a list is its parts. */
export type Part = Html | string | number | null | undefined | false | Part[];

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

const textOf = (part: Part): string => {
	if (part === null || part === undefined || part === false) return '';
	if (part instanceof Html) return part.text;
	if (Array.isArray(part)) return part.map(textOf).join('');
	return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? '');
};

/** A template of markup. What is put in is escaped, unless it is markup itself; attributes must be quoted. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
	new Html(strings.map((text, index) => text + textOf(parts[index])).join(''));
