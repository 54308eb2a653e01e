import { readFileSync } from 'node:fs';
import path from 'node:path';

const file = path.join(process.cwd(), 'test/support/endpoints.json');

/**
 * For each resource/operation pair of the node ("smsCampaign create"), the operation ids of
 * sandbox/openapi.yaml that it uses. The engine tests hold it against the sandbox's request log.
 */
export const endpoints = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>;

/** The operation ids of one pair. */
export function endpointsOf(pair: string): string[] {
	const operationIds = endpoints[pair];
	if (operationIds === undefined) throw new Error(`${file} does not list "${pair}"`);
	return operationIds;
}
