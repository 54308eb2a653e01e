import type { Resource } from '../operation';
import { get } from './get';
import { getAll } from './getAll';
import { postById } from './postById';
import { create, update } from './save';

/** Stored phone numbers with parameters (interface, "Phone number storage"). */
export const phoneNumberStorage: Resource = {
	value: 'phoneNumberStorage',
	name: 'Phone Number Storage',
	shortName: 'Stored Number',
	operations: [create, get, getAll, update, postById],
};
