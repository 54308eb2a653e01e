import type { Resource } from '../operation';
import { check } from './check';

/** The service itself: how it differs from what the package expects. */
export const service: Resource = {
	value: 'service',
	name: 'Service',
	operations: [check],
};
