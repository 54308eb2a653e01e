import { defineOperation } from '../define';
import { pagedListFields, pageSizeOption, readPagedList } from '../shared/lists';
import { smsCampaignLocator } from '../shared/locators';
import { readCampaign } from './campaignId';

/** `GET /api/Campaigns/:Id/Contacts` (interface, "SMS campaigns"). */
export const getContacts = defineOperation({
	value: 'getContacts',
	name: 'Get Contacts',
	action: 'Get contacts of SMS campaign',
	description: 'List the contacts that an SMS campaign was sent to',
	kind: 'perItem',
	fields: [smsCampaignLocator, ...pagedListFields],
	options: [pageSizeOption],
	async run(call) {
		const { path } = readCampaign(call.parameters);
		return await readPagedList(call, `${path}/Contacts`, 'id');
	},
});
