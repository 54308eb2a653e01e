/** Names of the fields that the interface shows, without those that a record may leave out. */
const words = (text: string) => text.split(/\s+/);

/** Kinds of records, by the lists that have them. */
export const DOCUMENTED = {
	campaigns: words(
		'id startDateTime sender recipientCount message status optOutLinkId trackLinkUrl',
	),
	contacts: words('phoneNumber name custom1 custom2 id'),
	messages: words(
		`newId id client_Id dateCreated dateModified phoneNumber status price smsCount dateReceived
		countryCode senderNumber message campaignId`,
	),
	voiceCampaigns: words(
		'id name startDate starttime finishtime type callFlow_Id campaignStatus callCount cli_id',
	),
	numbers: words('id number name parameters calls smss'),
	storage: words('storageID number'),
} satisfies Record<string, string[]>;

export type Kind = keyof typeof DOCUMENTED;

/** Fields that a record of this kind may also have. */
export const OPTIONAL: Partial<Record<Kind, RegExp>> = {
	storage: /^parameter[1-9]$/,
	voiceCampaigns: /^cli_Id$/,
};
