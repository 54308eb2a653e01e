import { smsCampaignStatus } from '../campaignStatuses.ts';
import { html } from './html.ts';
import { defineList } from './lists.ts';
import { amount, badge, moment, shortened, type Tone } from './parts.ts';
import { addressOf, everything } from './view.ts';

interface Row {
	key: number;
	id: string;
	startDateTime: string;
	sender: string;
	recipientCount: number;
	message: string;
	status: number;
}

const states: Record<number, [text: string, tone: Tone]> = {
	[smsCampaignStatus.scheduled]: ['Scheduled', 'plain'],
	[smsCampaignStatus.sending]: ['Sending', 'waiting'],
	[smsCampaignStatus.sent]: ['Sent', 'good'],
};

const longestMessage = 120;

/** SMS campaigns. */
export const smsCampaigns = defineList<Row>({
	id: 'sms-campaigns',
	title: 'SMS campaigns',
	empty: html`No SMS campaign yet. In n8n, use the operation
		<strong>SMS Campaign: Create</strong> with the base URL and the key above.`,
	select: 'id, startDateTime, sender, recipientCount, message, status',
	from: 'smsCampaigns',
	key: 'seq',
	columns: () => [
		{ label: 'Starts (UTC)', cell: ({ startDateTime }) => moment(startDateTime) },
		{ label: 'Sender', cell: ({ sender }) => sender },
		{ label: 'Message', kind: 'main', cell: ({ message }) => shortened(message, longestMessage) },
		{
			label: 'Contacts',
			kind: 'number',
			cell: ({ id, recipientCount }) =>
				html`<a href="${addressOf({ ...everything, list: 'messages', filters: { campaign: id } })}"
					>${amount(recipientCount)}</a
				>`,
		},
		{ label: 'State', cell: ({ status }) => badge(...(states[status] ?? ['', 'plain'])) },
		{ label: 'ID', kind: 'free', cell: ({ id }) => html`<code>${id}</code>` },
	],
});
