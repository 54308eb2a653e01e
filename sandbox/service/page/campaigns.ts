import { smsCampaignStatus, voiceCampaignStatus } from '../campaignStatuses.ts';
import { html } from './html.ts';
import { defineList } from './lists.ts';
import { amount, badge, moment, shortened, type Tone } from './parts.ts';

interface Row {
	key: number;
	channel: 'SMS' | 'Voice';
	id: string;
	start: string;
	text: string;
	recipients: number;
	status: number;
}

const states: Record<Row['channel'], Record<number, [text: string, tone: Tone]>> = {
	SMS: {
		[smsCampaignStatus.scheduled]: ['Scheduled', 'plain'],
		[smsCampaignStatus.sent]: ['Sent', 'good'],
	},
	Voice: {
		[voiceCampaignStatus.scheduled]: ['Scheduled', 'plain'],
		[voiceCampaignStatus.running]: ['Running', 'waiting'],
		[voiceCampaignStatus.finished]: ['Finished', 'good'],
	},
};

const longestText = 120;

/** SMS and voice campaigns. */
export const campaigns = defineList<Row>({
	id: 'campaigns',
	title: 'Campaigns',
	empty: html`No campaigns yet. In n8n, use the operation <strong>SMS Campaign: Create</strong> or
		<strong>Voice Campaign: Create</strong>.`,
	from: `(SELECT createdAt AS seq, 'SMS' AS channel, id, startDateTime AS start, message AS text,
			recipientCount AS recipients, status FROM smsCampaigns
		UNION ALL SELECT createdAt, 'Voice', CAST(id AS TEXT), substr(startDate, 1, 11) || starttime || ':00', name,
			(SELECT count(*) FROM voiceNumbers WHERE campaignId = voiceCampaigns.id), campaignStatus FROM voiceCampaigns)`,
	select: 'channel, id, start, text, recipients, status',
	key: 'seq',
	columns: (view) => [
		{ label: 'Start', cell: ({ start }) => moment(view, start) },
		{ label: 'Channel', cell: ({ channel }) => channel },
		{
			label: 'Message or name',
			kind: 'main',
			cell: ({ text }) => shortened(text, longestText),
		},
		{ label: 'Recipients', kind: 'number', cell: ({ recipients }) => amount(recipients) },
		{
			label: 'State',
			cell: ({ channel, status }) => badge(...(states[channel][status] ?? ['', 'plain'])),
		},
		{ label: 'ID', kind: 'free', cell: ({ id }) => html`<code>${id}</code>` },
	],
});
