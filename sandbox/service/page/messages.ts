import { smsBadge } from './codes.ts';
import { html } from './html.ts';
import { defineList } from './lists.ts';
import { badge, moment, shortened } from './parts.ts';

interface Row {
	key: number;
	newId: string;
	phoneNumber: string;
	name: string;
	sender: string | null;
	message: string | null;
	status: number;
	price: number;
	createdAt: number | null;
	isOfCampaign: number;
	isOnBusy: number;
}

const longestMessage = 120;

const originOf = ({ isOfCampaign, isOnBusy }: Row): string =>
	isOfCampaign ? 'SMS campaign' : isOnBusy ? 'SMS on busy' : 'Single message';

/** Every message: of campaigns, sent one by one, and after a busy line. */
export const messages = defineList<Row>({
	id: 'messages',
	title: 'Messages',
	empty: html`No messages yet. In n8n, use the operation <strong>SMS Message: Send</strong>.`,
	select: `newId, phoneNumber, name, COALESCE(senderNumber, smsCampaigns.sender) AS sender,
		COALESCE(sms.message, smsCampaigns.message) AS message, sms.status AS status, price, sms.createdAt AS createdAt,
		campaignId IS NOT NULL AS isOfCampaign, voiceNumberId IS NOT NULL AS isOnBusy`,
	from: 'sms LEFT JOIN smsCampaigns ON smsCampaigns.id = sms.campaignId',
	key: 'sms.id',
	columns: (view) => [
		{
			label: 'Sent',
			cell: ({ createdAt }) =>
				createdAt === null ? 'Not yet' : moment(view, new Date(createdAt).toISOString()),
		},
		{
			label: 'To',
			cell: ({ phoneNumber, name }) =>
				html`${phoneNumber} ${name !== '' && html`<small>${name}</small>`}`,
		},
		{ label: 'From', cell: ({ sender }) => sender },
		{
			label: 'Message',
			kind: 'main',
			cell: (row) =>
				html`${shortened(row.message ?? '', longestMessage)} <small>${originOf(row)}</small>`,
		},
		{
			label: 'State',
			cell: ({ createdAt, status }) =>
				createdAt === null ? badge('Scheduled', 'plain') : smsBadge(view.service, status),
		},
		{ label: 'Price', kind: 'number', cell: ({ price }) => price.toFixed(2) },
	],
});
