import { defineResource } from '../define';
import { create } from './create';
import { get } from './get';

/** SMS campaigns: one message to many contacts (interface, "SMS campaigns"). */
export const smsCampaign = defineResource({
	value: 'smsCampaign',
	name: 'SMS Campaign',
	operations: [create, get],
});
