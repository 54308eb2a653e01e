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
	empty: html`No call yet. Calls are made when a voice campaign's time has come:
		<a href="#time">push the time</a> there.`,
	select: `calls.startTime AS startTime, number, voiceNumbers.name AS name, voiceCampaigns.name AS campaign, attemptNumber, outcome,
		stage, userInput, secondsDuration, price`,
	from: `calls JOIN voiceNumbers ON voiceNumbers.id = calls.numberId
		JOIN voiceCampaigns ON voiceCampaigns.id = voiceNumbers.campaignId`,
	key: 'calls.id',
	filters: { campaign: { column: 'voiceNumbers.campaignId', label: 'campaign' } },
	columns: ({ service }) => [
		{
			label: `Start (${service.settings.current.conventions.timeZone})`,
			cell: ({ startTime }) => moment(startTime),
		},
		{
			label: 'Phone number',
			cell: ({ number, name }) => html`${number} ${name !== '' && html`<small>${name}</small>`}`,
		},
		{ label: 'Campaign', kind: 'main', cell: ({ campaign }) => campaign },
		{ label: 'Attempt', kind: 'number', cell: ({ attemptNumber }) => attemptNumber },
		{
			label: 'Outcome and stage',
			cell: ({ outcome, stage }) =>
				html`${outcomeBadge(service, outcome)} ${stageNote(service, outcome, stage)}`,
		},
		{ label: 'Keys', cell: ({ userInput }) => userInput },
		{ label: 'Seconds', kind: 'number', cell: ({ secondsDuration }) => secondsDuration },
		{ label: 'Price', kind: 'number', cell: ({ price }) => price.toFixed(2) },
	],
});
