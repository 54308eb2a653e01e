import { defineOperation } from '../define';
import { pagedListFields, pagedListOptions, readPagedList } from '../shared/lists';
import { readSmsCampaign, smsCampaignLocator } from '../shared/locators';
import { withNumbers } from '../shared/responses';

/** `GET /api/Campaigns/:Id/Contacts` (interface, "SMS campaigns"). */
export const getContacts = defineOperation({
	value: 'getContacts',
	name: 'Get Contacts',
	action: 'Get contacts of SMS campaign',
	description: 'List the contacts of an SMS campaign: their numbers, names and custom texts',
	fields: [smsCampaignLocator, ...pagedListFields],
	...pagedListOptions,
	async run(call) {
		const { path } = readSmsCampaign(call.parameters);
		const contacts = await readPagedList(call, `${path}/Contacts`);
		const { defaultCountry } = call.client.settings;
		return contacts.map((contact) => withNumbers(contact, defaultCountry));
	},
});
