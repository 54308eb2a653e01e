import { voiceCampaignStatus } from '../campaignStatuses.ts';
import { html } from './html.ts';
import { defineList } from './lists.ts';
import { amount, badge, type Tone } from './parts.ts';
import { addressOf, everything } from './view.ts';

interface Row {
	key: number;
	name: string;
	startDate: string;
	starttime: string;
	finishtime: string;
	campaignStatus: number;
	callCount: number;
	numbers: number;
}

const states: Record<number, [text: string, tone: Tone]> = {
	[voiceCampaignStatus.scheduled]: ['Scheduled', 'plain'],
	[voiceCampaignStatus.running]: ['Running', 'waiting'],
	[voiceCampaignStatus.finished]: ['Finished', 'good'],
};

/** Voice campaigns. */
export const voiceCampaigns = defineList<Row>({
	id: 'voice-campaigns',
	title: 'Voice campaigns',
	empty: html`No voice campaigns yet. <a href="#service">Create one</a>, or use the operation
		<strong>Voice Campaign: Create</strong> in n8n.`,
	select: `name, startDate, starttime, finishtime, campaignStatus, callCount,
		(SELECT count(*) FROM voiceNumbers WHERE campaignId = voiceCampaigns.id) AS numbers`,
	from: 'voiceCampaigns',
	search: ['name', 'id'],
	key: 'id',
	columns: () => [
		{ label: 'ID', kind: 'number', cell: ({ key }) => key },
		{ label: 'Name', kind: 'main', cell: ({ name }) => name },
		{
			label: 'Schedule',
			cell: ({ startDate, starttime, finishtime }) =>
				`${startDate.slice(0, 10)} ${starttime} to ${finishtime}`,
		},
		{ label: 'Phone numbers', kind: 'number', cell: ({ numbers }) => amount(numbers) },
		{
			label: 'Calls made',
			kind: 'number',
			cell: ({ key, callCount }) =>
				html`<a
					href="${addressOf({
						...everything,
						list: 'calls',
						filters: { campaign: String(key) },
					})}"
					>${amount(callCount)}</a
				>`,
		},
		{
			label: 'State',
			cell: ({ campaignStatus }) => badge(...(states[campaignStatus] ?? ['', 'plain'])),
		},
	],
});
