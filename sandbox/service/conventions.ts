import type { Operation } from './contract.ts';
import { ErrorCollector, invalid } from './errors.ts';
import type { Service, ServiceCall } from './service.ts';
import type { Client, Conventions } from './settings.ts';

/** The operation's own name of a filter parameter, if the parameter is one. */
const filterField = (name: string, { filterName }: Conventions, fields: string[]) => {
	const [before = '', after = ''] = filterName.split('{field}');
	if (!name.startsWith(before) || !name.endsWith(after)) return undefined;
	const field = name.slice(before.length, after === '' ? undefined : -after.length);
	return fields.includes(field) ? field : undefined;
};

/** The query with the names that openapi.yaml gives to parameters whose names the settings choose. */
export const canonicalQuery = (
	operation: Operation,
	query: Record<string, unknown>,
	{ conventions, strict }: { conventions: Conventions; strict: boolean },
): Record<string, unknown> => {
	const chosen = new Map([
		['pageIndex', conventions.pageIndexName],
		['pageSize', conventions.pageSizeName],
		['sort', conventions.sortName],
	]);
	const names = new Map(operation.queryNames.map((name) => [chosen.get(name) ?? name, name]));
	const errors = new ErrorCollector();
	const result: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(query)) {
		const own = names.get(name) ?? filterField(name, conventions, operation.filterFields);
		if (own !== undefined) result[own] = value;
		else if (strict) errors.add(name, 'The parameter is not known (strict mode).');
	}
	errors.throwIfAny();
	return result;
};

/** The client that a request names, in the one place where the settings want it. */
export const clientOf = (
	{ settings }: Service,
	operation: Operation,
	{ params, query, body }: Pick<ServiceCall, 'params' | 'query' | 'body'>,
): Client => {
	if (!operation.takesClientId) return settings.defaultClient;
	const { strict, conventions } = settings.current;
	const { clientIdPlace } = conventions;
	const places = { path: params, query, body: (body ?? {}) as Record<string, unknown> };
	for (const [place, values] of Object.entries(places)) {
		if (place === clientIdPlace || values.clientId === undefined || !strict) continue;
		throw invalid({
			clientId: [`The field belongs in the ${clientIdPlace}, not in the ${place} (strict mode).`],
		});
	}
	const { clientId } = places[clientIdPlace];
	if (clientId === undefined) {
		throw invalid({ clientId: [`The field is required (in the ${clientIdPlace}).`] });
	}
	const client = settings.client(Number(clientId));
	if (!client) throw invalid({ clientId: [`Client ${String(clientId)} is not known.`] });
	return client;
};
