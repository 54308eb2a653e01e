type Json = Record<string, unknown>;

/** An OpenAPI Overlay, as far as openapi.sandbox.yaml uses it: every action updates one place. */
export interface Overlay {
	actions: { target: string; update: unknown }[];
}

const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member names of a JSONPath like `$.paths['/api/Campaigns'].get`. */
const namesOf = (target: string): string[] =>
	[...target.matchAll(/\.(\w+)|\['([^']+)'\]/g)].map(([, plain, quoted]) => plain ?? quoted ?? '');

/** Objects are merged, lists are appended to, anything else is replaced. */
const merged = (value: unknown, update: unknown): unknown => {
	if (Array.isArray(value)) return [...(value as unknown[]), update];
	if (!isObject(value) || !isObject(update)) return update;
	const result: Json = { ...value };
	for (const [name, part] of Object.entries(update)) {
		result[name] = name in value ? merged(value[name], part) : part;
	}
	return result;
};

const updated = (value: unknown, [name, ...rest]: string[], update: unknown): unknown => {
	if (name === undefined) return merged(value, update);
	if (!isObject(value) || !(name in value)) throw new Error(`The overlay's target lacks ${name}`);
	return { ...value, [name]: updated(value[name], rest, update) };
};

/** The document with the overlay's updates; throws where a target is not in the document. */
export const withOverlay = (document: Json, { actions }: Overlay): Json =>
	actions.reduce<unknown>(
		(result, { target, update }) => updated(result, namesOf(target), update),
		document,
	) as Json;
