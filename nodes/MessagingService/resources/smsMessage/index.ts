import type { Resource } from '../operation';
import { get } from './get';
import { getAll } from './getAll';
import { send } from './send';

/** Single marketing SMS messages (interface, "SMS messages"). */
export const smsMessage: Resource = {
	value: 'smsMessage',
	name: 'SMS Message',
	operations: [send, get, getAll],
};
