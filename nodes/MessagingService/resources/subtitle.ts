import type { Resource } from './operation';

/**
 * The line under the node's name on the canvas, e.g. "Create: SMS Campaign", as an expression over
 * the two menus. n8n evaluates it in the editor only, so executions do not pay for it.
 */
export function subtitleOf(resources: readonly Resource[]): string {
	const names = resources.flatMap(({ value, name, operations }) =>
		operations.map((operation) => [`${value} ${operation.value}`, `${operation.name}: ${name}`]),
	);
	const table = JSON.stringify(Object.fromEntries(names));
	return `={{ (${table})[$parameter["resource"] + " " + $parameter["operation"]] }}`;
}
