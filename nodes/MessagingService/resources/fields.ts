import type { INodeProperties } from 'n8n-workflow';

/** Fields that several operations share. */

export const senderField: INodeProperties = {
	displayName: 'Sender',
	name: 'sender',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. MyCompany',
	description: 'Name or number that the message comes from',
};

export const messageField: INodeProperties = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	required: true,
	placeholder: 'e.g. Our summer sale starts on Monday',
	description: 'Text of the SMS. The service is for marketing messages only.',
};

/** Which SMS campaign: from the list (searchable), or by ID. */
export const smsCampaignLocator: INodeProperties = {
	displayName: 'Campaign',
	name: 'campaignId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The SMS campaign to work with',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a campaign...',
			typeOptions: { searchListMethod: 'searchSmsCampaigns', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10',
		},
	],
};
