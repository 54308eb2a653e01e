import type { Resource } from '../operation';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { getContacts } from './getContacts';
import { getSummary } from './getSummary';
import { postById } from './postById';
import { update } from './update';

/** SMS campaigns: one message to many contacts (interface, "SMS campaigns"). */
export const smsCampaign: Resource = {
	value: 'smsCampaign',
	name: 'SMS Campaign',
	operations: [create, get, getContacts, getAll, getSummary, update, postById],
};
