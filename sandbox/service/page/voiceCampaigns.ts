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
	empty: html`No voice campaign yet. In n8n, use the operation
		<strong>Voice Campaign: Create</strong> with a start in the future, then
		<a href="#time">push the time</a> there.`,
	select: `name, startDate, starttime, finishtime, campaignStatus, callCount,
		(SELECT count(*) FROM voiceNumbers WHERE campaignId = voiceCampaigns.id) AS numbers`,
	from: 'voiceCampaigns',
	key: 'id',
	columns: ({ service }) => [
		{ label: 'ID', kind: 'number', cell: ({ key }) => key },
		{ label: 'Name', kind: 'main', cell: ({ name }) => name },
		{
			label: `Calls (${service.settings.current.conventions.timeZone})`,
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
