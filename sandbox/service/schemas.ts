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

/** The schema of a text that is not empty. */
export const text = { type: 'string', minLength: 1 };

/** The schema of a whole number from `minimum`. */
export const count = (minimum: number) => ({ type: 'integer', minimum });

/** The schema of a choice. */
export const flag = { type: 'boolean' };

/** The schema of an object with any names and texts. */
export const texts = { type: 'object', additionalProperties: { type: 'string' } };

/** The schema of an object with these members and no others. */
export const object = (properties: Record<string, unknown>, required: string[] = []) => ({
	type: 'object',
	additionalProperties: false,
	properties,
	required,
});
