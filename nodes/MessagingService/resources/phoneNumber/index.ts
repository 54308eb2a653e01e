import type { Resource } from '../operation';
import { check } from './check';

/** Phone numbers as such: what can be said about them without the service. */
export const phoneNumber: Resource = {
	value: 'phoneNumber',
	name: 'Phone Number',
	operations: [check],
};
