import type { ErrorObject } from 'ajv';

const valuesOf = ({ allowedValues = [], allowedValue }: Record<string, unknown>): string =>
	(allowedValue === undefined ? (allowedValues as unknown[]) : [allowedValue])
		.map(String)
		.join(', ');

const describe = (error: ErrorObject, root: string): string => {
	const params = error.params as Record<string, unknown>;
	const place = error.instancePath.slice(1).replaceAll('/', '.') || root;
	switch (error.keyword) {
		case 'additionalProperties':
			return `${place} has an unknown member '${String(params.additionalProperty)}'`;
		case 'enum':
		case 'const':
			return `${place} must be one of: ${valuesOf(params)}`;
		default:
			return `${place} ${error.message ?? 'is not valid'}`;
	}
};

/** What is wrong with a body of the control API, in one sentence that names every field. */
export const schemaProblem = (errors: ErrorObject[] | null | undefined, root: string): string =>
	[...new Set((errors ?? []).map((error) => describe(error, root)))].join('; ') + '.';
