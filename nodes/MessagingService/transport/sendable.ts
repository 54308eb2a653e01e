/** Names of headers and query parameters that n8n's HTTP library leaves out without a word. */
const LOST_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a header or query parameter of this name would be missing from the request. */
export function isLostName(name: string): boolean {
	return LOST_NAMES.has(name);
}

/** Whether a text has half a character, which no URL can carry. */
export function hasHalfCharacter(text: string): boolean {
	return /\p{Surrogate}/u.test(text);
}
