import type { ServiceRequest } from '../transport/request';
import { reachOf } from './reach';

/** Stands for the identifiers that the service would give. */
export const SIMULATED_ID = 'simulated';

/**
 * What a request that was not sent gives in place of the service's response: the fields of the
 * request and, for what it would create, an ID that nobody takes for a real one.
 * @param isIdentifier the service would respond with the ID alone
 */
export function simulatedResponse(request: ServiceRequest, isIdentifier: boolean): unknown {
	if (isIdentifier) return SIMULATED_ID;
	const isNew = reachOf(request).kind !== 'campaign';
	return { ...request.body, ...(isNew ? { id: SIMULATED_ID } : {}) };
}
