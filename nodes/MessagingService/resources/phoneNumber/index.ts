import type { Resource } from '../operation';
import { check } from './check';
import { optOut, undoOptOut } from './optOut';

/** Phone numbers as such: what can be said about them, and whether they may be contacted. */
export const phoneNumber: Resource = {
	value: 'phoneNumber',
	name: 'Phone Number',
	operations: [check, optOut, undoOptOut],
};
