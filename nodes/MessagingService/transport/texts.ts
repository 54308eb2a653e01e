/** A text of at most so many characters. */
export function shorten(text: string, characters: number): string {
	return text.length <= characters ? text : `${text.slice(0, characters - 3)}...`;
}

/** A text in one line. */
export function inOneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** Whether a response is a web page. */
export function looksLikeHtml(text: string): boolean {
	return /^\s*<(!doctype|html|head|body|\?xml)/i.test(text);
}
