/** Names of headers and query parameters that n8n's HTTP library drops silently. */
const DROPPED_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a header or query parameter of this name would be missing from the request. */
export function isDroppedName(name: string): boolean {
	return DROPPED_NAMES.has(name);
}

/** Whether a text has half of a surrogate pair, which no URL can carry. */
export function hasInvalidUnicode(text: string): boolean {
	return !text.isWellFormed();
}
