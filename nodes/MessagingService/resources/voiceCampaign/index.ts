import type { Resource } from '../operation';
import { create, createForClient } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { getAllUnpaged } from './getAllUnpaged';
import { getPhoneNumbers } from './getPhoneNumbers';
import { getSummary } from './getSummary';

/** Voice campaigns: many numbers called by a call flow (interface, "Voice campaigns"). */
export const voiceCampaign: Resource = {
	value: 'voiceCampaign',
	name: 'Voice Campaign',
	operations: [create, createForClient, get, getAll, getPhoneNumbers, getSummary, getAllUnpaged],
};
