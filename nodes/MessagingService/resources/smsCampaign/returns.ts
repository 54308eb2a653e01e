import { decimal, flag, integer, text, type Fields, type Returns } from '../../returns/fields';
import { SMS_SUMMARY } from '../../returns/summaries';

const campaignId = text('8c3f2f0e-9d6b-4a5e-8f3c-1b7d2a9e4c60');

/** Interface, "SMS campaign". */
const SMS_CAMPAIGN: Fields = {
	startDateTime: text('2030-05-17T08:00:00Z'),
	sender: text('Shop'),
	recipientCount: integer(1200),
	message: text('20 % off until Sunday, at all our shops.'),
	optOutLinkId: integer(12),
	trackLinkUrl: text('https://shop.example.com/sale'),
	status: integer(1),
	id: campaignId,
};

/** Interface, "SMS campaign contact" of the contacts list. */
const CONTACT: Fields = {
	phoneNumber: text('+447700900123'),
	name: text('Ada'),
	custom1: text('Monday'),
	custom2: text(''),
	id: text('5d1c8a34-2f6e-4b0a-9c55-7e8f1a2b3c4d'),
};

/** What a price in the credential adds. */
export const CAMPAIGN_COST: Fields = {
	estimatedCost: decimal(48),
	currency: text('EUR'),
	estimatedCostIsMinimum: flag(true),
};

const changed: Returns = { fields: { id: campaignId, success: flag(true) }, isOpen: true };

export const smsCampaignReturns: Record<string, Returns> = {
	create: {
		fields: {
			recipients: integer(1200),
			sent: text('yes'),
			reason: text('Accepted by the service'),
			campaign: integer(1),
			...CAMPAIGN_COST,
			id: campaignId,
		},
	},
	get: { fields: SMS_CAMPAIGN },
	getContacts: { fields: CONTACT },
	getAll: { fields: SMS_CAMPAIGN },
	getSummary: { fields: SMS_SUMMARY },
	update: changed,
	postById: changed,
};
