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
	empty: html`No SMS campaigns yet. <a href="#service">Create one</a>, or use the operation
		<strong>SMS Campaign: Create</strong> in n8n.`,
	select: 'id, startDateTime, sender, recipientCount, message, status',
	from: 'smsCampaigns',
	search: ['id', 'sender', 'message'],
	key: 'seq',
	columns: (view) => [
		{ label: 'Start', cell: ({ startDateTime }) => moment(view, startDateTime) },
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
