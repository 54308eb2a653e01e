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
	return /^\s*(<\?xml[^>]*>\s*)?<(!doctype html|html|head|body)/i.test(text);
}

/** Whether a response is HTML or XML: nothing to show as a text. */
export function looksLikeMarkup(text: string): boolean {
	return /^\s*<[!?a-z]/i.test(text);
}
