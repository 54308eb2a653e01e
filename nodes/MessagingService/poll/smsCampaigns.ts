import { min } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { firstMessageTime, readSmsFigures } from '../summary/read';
import { PAGE_SIZE } from '../transport/listRequests';
import { readCampaigns } from './campaignLists';
import type { Campaign } from './campaigns';
import { afterMessages } from './finished';
import type { PollRun } from './pollRun';

/** The statuses of SMS campaigns, and which of them are over. */
export async function readSmsCampaigns(run: PollRun): Promise<void> {
	const { state } = run;
	const endsWanted = run.wants('campaignFinished');
	if (!endsWanted && !run.wants('campaignStatus')) {
		state.newSince.sms = undefined;
		return;
	}
	const campaigns = await readCampaigns(run, 'sms', endsWanted ? 'running' : 'baseline');
	if (!endsWanted) return;
	const open = run.toRead(campaigns).filter(({ id }) => state.sms.get(id)?.phase !== 'closed');
	if (open.length > 0) await readEnds(run, open);
}

/** Reports which SMS campaigns are over. */
async function readEnds(run: PollRun, campaigns: readonly Campaign[]): Promise<void> {
	const { client, zone } = run.request;
	const starts = campaigns.map(({ record }) => firstMessageTime(record, zone));
	const since = starts.includes(undefined) ? undefined : min([run.daysStart, ...starts]);
	const list = { pageSize: PAGE_SIZE, query: {} };
	for (const campaign of campaigns) {
		const known = run.state.sms.get(campaign.id);
		if (known === undefined) continue;
		const stepAfter = (figures: IDataObject) =>
			afterMessages(known, campaign, figures, run.request);
		const isRunning = (figures: IDataObject) => stepAfter(figures).phase === 'running';
		const figures = await readSmsFigures(client, list, { ...campaign, since }, isRunning);
		const { finishedBecause, phase } = stepAfter(figures);
		if (finishedBecause !== undefined) run.reportEnd(campaign, finishedBecause, figures);
		known.phase = phase;
	}
}
