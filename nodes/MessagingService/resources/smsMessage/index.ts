import { defineResource } from '../define';
import { get } from './get';
import { getAll } from './getAll';
import { send } from './send';

/** Single marketing SMS messages (interface, "SMS messages"). */
export const smsMessage = defineResource({
	value: 'smsMessage',
	name: 'SMS Message',
	operations: [send, get, getAll],
});
