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
	return hasText(rawValue, (text) => {
		if (!isExpression(text)) return false;
		const names = text.replace(WHOLE_NODE, '').match(/\$(?:[A-Za-z_]\w*|\(|\[)/g) ?? [];
		return names.some((name) => !ITEM_INDEPENDENT.has(name));
	});
}

/** The input field that an expression names and nothing else, as in `={{ $json.customer.name }}`. */
export function plainPath(rawValue: unknown): string | undefined {
	if (typeof rawValue !== 'string') return undefined;
	return /^=\s*\{\{\s*\$json\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}\}\s*$/.exec(rawValue)?.[1];
}
