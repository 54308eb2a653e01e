import { outcomeBadge, stageNote } from './codes.ts';
import { html } from './html.ts';
import { defineList } from './lists.ts';
import { moment } from './parts.ts';

interface Row {
	key: number;
	startTime: string;
	number: string;
	name: string;
	campaign: string;
	attemptNumber: number;
	outcome: number;
	stage: number;
	userInput: string;
	secondsDuration: number;
	price: number;
}

/** Calls of the voice campaigns. */
export const calls = defineList<Row>({
	id: 'calls',
	title: 'Calls',
	empty: html`No calls yet. Create a voice campaign and <a href="#time">advance the clock</a> to its
		start.`,
	select: `calls.startTime AS startTime, number, voiceNumbers.name AS name, voiceCampaigns.name AS campaign, attemptNumber, outcome,
		stage, userInput, secondsDuration, price`,
	from: `calls JOIN voiceNumbers ON voiceNumbers.id = calls.numberId
		JOIN voiceCampaigns ON voiceCampaigns.id = voiceNumbers.campaignId`,
	key: 'calls.id',
	columns: (view) => [
		{ label: 'Start', cell: ({ startTime }) => moment(view, startTime) },
		{
			label: 'Phone number',
			cell: ({ number, name }) => html`${number} ${name !== '' && html`<small>${name}</small>`}`,
		},
		{ label: 'Campaign', kind: 'main', cell: ({ campaign }) => campaign },
		{ label: 'Attempt', kind: 'number', cell: ({ attemptNumber }) => attemptNumber },
		{
			label: 'Outcome and stage',
			cell: ({ outcome, stage }) =>
				html`${outcomeBadge(view.service, outcome)} ${stageNote(view.service, outcome, stage)}`,
		},
		{ label: 'Keys', cell: ({ userInput }) => userInput },
		{ label: 'Seconds', kind: 'number', cell: ({ secondsDuration }) => secondsDuration },
		{ label: 'Price', kind: 'number', cell: ({ price }) => price.toFixed(2) },
	],
});
