import { defineResource } from '../define';
import { check } from './check';

/** Phone numbers as such: what can be said about them without the service. */
export const phoneNumber = defineResource({
	value: 'phoneNumber',
	name: 'Phone Number',
	operations: [check],
});
