import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A request of the interface. */
export interface Endpoint {
	/** Its operation id in openapi.yaml. */
	id: string;
	/** For pages: method and path. */
	line: string;
	/** The operations of the action node that make it: "smsCampaign create". */
	usedBy: string[];
}

interface OpenApiOperation {
	operationId: string;
	'x-used-by': string[];
	'x-operation-without-body'?: string;
	'x-used-without-body-by'?: string[];
}

/** The endpoints of sandbox/openapi.yaml. */
export function readEndpoints(): Endpoint[] {
	const { paths } = parse(readFileSync('sandbox/openapi.yaml', 'utf8'), { maxAliasCount: -1 }) as {
		paths: Record<string, Record<string, OpenApiOperation | undefined>>;
	};
	return Object.entries(paths).flatMap(([template, item]) =>
		['get', 'post'].flatMap((method): Endpoint[] => {
			const operation = item[method];
			if (operation === undefined) return [];
			const line = `\`${method.toUpperCase()} ${template.replace(/\{(\w+)\}/g, ':$1')}\``;
			const { operationId: id, 'x-operation-without-body': other } = operation;
			const { 'x-used-by': usedBy, 'x-used-without-body-by': otherUsedBy = [] } = operation;
			return other === undefined
				? [{ id, line, usedBy }]
				: [
						{ id, line: `${line} with a body`, usedBy },
						{ id: other, line: `${line} without a body`, usedBy: otherUsedBy },
					];
		}),
	);
}
