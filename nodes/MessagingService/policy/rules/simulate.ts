import type { PostRequest } from '../../transport/request';
import { isOff } from '../readRule';
import type { Rule } from './rule';

/** Checks everything, and sends nothing. */
export const simulate: Rule = {
	fields: [
		{
			displayName: 'Simulate',
			name: 'simulate',
			type: 'boolean',
			default: false,
			description:
				'Whether to check everything and send nothing, for example for tests with real data',
		},
	],
	read: ({ simulate: value }) => ({ isSimulated: !isOff(value) }),
};

/** Stands for the identifiers that the service would give. */
const SIMULATED_ID = 'simulated';

/**
 * What a request that was not sent gives in place of the service's response: the ID alone for
 * messages, else the fields of the request and, for what it would create, an ID that nobody takes
 * for a real one.
 */
export function simulatedResponse({ reaches, body }: PostRequest): unknown {
	const { kind } = reaches;
	if (kind === 'messages') return SIMULATED_ID;
	return { ...body, ...(kind === 'campaign' ? {} : { id: SIMULATED_ID }) };
}
