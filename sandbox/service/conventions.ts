import type { Operation } from './contract.ts';
import { ErrorCollector, invalid } from './errors.ts';
import type { Service, ServiceCall } from './service.ts';
import { clients, defaultClient, type Client, type Conventions } from './settings.ts';

/** The query with the names that openapi.yaml gives to parameters whose names the settings choose. */
export const canonicalQuery = (
	operation: Operation,
	query: Record<string, unknown>,
	{ conventions, strict }: { conventions: Conventions; strict: boolean },
): Record<string, unknown> => {
	const chosen = new Map([
		['pageIndex', conventions.pageIndexName],
		['pageSize', conventions.pageSizeName],
	]);
	const names = new Map(operation.queryNames.map((name) => [chosen.get(name) ?? name, name]));
	const errors = new ErrorCollector();
	const result: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(query)) {
		const own = names.get(name) ?? (operation.filterFields.includes(name) ? name : undefined);
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
	if (!operation.takesClientId) return defaultClient;
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
	const client = clients.find((one) => one.clientId === Number(clientId));
	if (!client) throw invalid({ clientId: [`Client ${String(clientId)} is not known.`] });
	return client;
};
