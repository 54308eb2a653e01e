/** The fields of an SMS message (interface, "SMS message") that a simplified output keeps. */
export const SIMPLIFIED_MESSAGE = [
	'id',
	'newId',
	'phoneNumber',
	'senderNumber',
	'message',
	'status',
	'smsCount',
	'price',
	'dateCreated',
	'campaignId',
] as const;
