import type { INodeProperties } from 'n8n-workflow';

/** Fields that several operations share. */

/** Fields as options of a collection: none required, in alphabetical order. */
export function asOptions(fields: readonly INodeProperties[]): INodeProperties[] {
	return fields
		.map((field) => ({ ...field, required: false }))
		.sort((a, b) => a.displayName.localeCompare(b.displayName));
}

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
	description: 'Text of the SMS, the same for all recipients',
};

/** `:ignoreInvalidPhoneNumbers` of the campaign endpoints; unset, their plain form is used. */
export const invalidPhoneNumbersField: INodeProperties = {
	displayName: 'Invalid Phone Numbers',
	name: 'invalidPhoneNumbers',
	type: 'options',
	options: [
		{
			name: 'Ignore',
			value: 'ignore',
			description: 'Create the campaign without the recipients whose number is invalid',
		},
		{
			name: 'Reject',
			value: 'reject',
			description: 'Create nothing and report the invalid numbers',
		},
	],
	default: 'reject',
	description:
		'What the service does with recipients whose number it finds invalid. Without this field, it does what it is set up to do.',
};

/** What the choice adds to the path of a create endpoint: `/:ignoreInvalidPhoneNumbers`, or nothing. */
export function invalidPhoneNumbersSuffix(choice: unknown): '' | '/true' | '/false' {
	if (choice === 'ignore') return '/true';
	return choice === 'reject' ? '/false' : '';
}

/** One of the service's records: from the list (searchable), or by ID. */
function locator(options: {
	displayName: string;
	name: string;
	description: string;
	searchListMethod: string;
	idPlaceholder: string;
}): INodeProperties {
	const { displayName, name, description, searchListMethod, idPlaceholder } = options;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select one...',
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: idPlaceholder,
			},
		],
	};
}

export const smsCampaignLocator = locator({
	displayName: 'Campaign',
	name: 'campaignId',
	description: 'The SMS campaign to work with',
	searchListMethod: 'searchSmsCampaigns',
	idPlaceholder: 'e.g. 5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10',
});

export const voiceCampaignLocator = locator({
	displayName: 'Campaign',
	name: 'campaignId',
	description: 'The voice campaign to work with',
	searchListMethod: 'searchVoiceCampaigns',
	idPlaceholder: 'e.g. 4711',
});

export const storedNumberLocator = locator({
	displayName: 'Stored Number',
	name: 'storageId',
	description: 'The stored phone number to work with',
	searchListMethod: 'searchStoredNumbers',
	idPlaceholder: 'e.g. customer-4711',
});
