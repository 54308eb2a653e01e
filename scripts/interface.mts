/**
 * The interface as the generated pages need it. Paths are those of the working directory: the
 * repository's root.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { withOverlay, type Overlay } from '../sandbox/service/overlay.ts';

/** An endpoint: an operation of openapi.yaml. */
export interface Endpoint {
	operationId: string;
	/** Method and path, in the notation of the interface. */
	line: string;
}

interface OpenApiOperation {
	operationId: string;
	'x-operation-without-body'?: string;
}

/** The endpoints of openapi.yaml with the sandbox's overlay, in their order; what is another operation without a body counts twice. */
export function readEndpoints(): Endpoint[] {
	const read = (name: string): unknown =>
		parse(readFileSync(`sandbox/${name}`, 'utf8'), { maxAliasCount: -1 });
	const { paths } = withOverlay(
		read('openapi.yaml') as Record<string, unknown>,
		read('openapi.sandbox.yaml') as Overlay,
	) as { paths: Record<string, Record<string, OpenApiOperation | undefined>> };
	return Object.entries(paths).flatMap(([template, item]) =>
		['get', 'post'].flatMap((method): Endpoint[] => {
			const operation = item[method];
			if (operation === undefined) return [];
			const line = `\`${method.toUpperCase()} ${template.replace(/\{(\w+)\}/g, ':$1')}\``;
			const withoutBody = operation['x-operation-without-body'];
			return withoutBody === undefined
				? [{ operationId: operation.operationId, line }]
				: [
						{ operationId: operation.operationId, line: `${line} with a body` },
						{ operationId: withoutBody, line: `${line} without a body` },
					];
		}),
	);
}

/** The operation ids of openapi.yaml that each resource/operation pair of the node uses. */
export function readUses(): Record<string, string[]> {
	return JSON.parse(readFileSync('test/support/endpoints.json', 'utf8')) as Record<
		string,
		string[]
	>;
}
