import { scheduleOf, type Schedule } from '../summary/campaignSchedule';
import { readVoiceSummary } from '../summary/read';
import { MINUTE_MS } from '../times';
import { numberList, PAGE_SIZE } from '../transport/listRequests';
import { readCampaigns } from './campaignLists';
import { campaignPath, readCampaignRecord, type Campaign } from './campaigns';
import { numberChange } from './changes';
import { afterNumbers } from './finished';
import { readNumbers } from './numbers';
import type { PollRun } from './pollRun';
import type { CampaignState } from './state';

/** A finished campaign is not read more often. */
const RESTING_MS = 10 * MINUTE_MS;

/** The statuses of voice campaigns, and the results of their phone numbers. */
export async function readVoiceCampaigns(run: PollRun): Promise<void> {
	const readsNumbers = run.wants('callAttempted', 'smsStatus', 'campaignFinished');
	const campaigns = await readCampaigns(run, 'voice', readsNumbers ? 'running' : 'baseline');
	if (!readsNumbers) return;
	for (const campaign of run.toRead(campaigns)) {
		await run.attempt(async () => await readCampaign(run, campaign));
	}
}

/** What a campaign is going to do. Its end may be put off: once it is reached, it is read again. */
async function currentSchedule(
	run: PollRun,
	campaign: Campaign,
	{ schedule, phase }: CampaignState,
): Promise<Schedule> {
	const { client, now, zone } = run.request;
	const isOver = (schedule?.endsAt ?? Infinity) <= now;
	const isCurrent = campaign.schedule !== undefined || phase === 'finished' || !isOver;
	if (schedule !== undefined && isCurrent) return schedule;
	return scheduleOf(await readCampaignRecord(client, 'voice', campaign.id), zone);
}

/** The calls and SMS of one campaign, and whether it is over. */
async function readCampaign(run: PollRun, campaign: Campaign): Promise<void> {
	const known = run.state.voice.get(campaign.id);
	const { client, now } = run.request;
	if (known === undefined || known.phase === 'closed') return;
	const isResting = Math.abs(now - (known.readAt ?? 0)) < RESTING_MS;
	if (known.phase === 'finished' && isResting) return;
	const schedule = (known.schedule = await currentSchedule(run, campaign, known));
	const origin = { ...run.origin, campaignId: campaign.id };
	const isReported = known.phase !== 'baseline';
	const path = campaignPath('voice', campaign.id);
	const list = { ...numberList(client, path, PAGE_SIZE), limit: run.limit };
	const { events, isCut, isChanged, isDone } = await readNumbers(list, known, (record, state) =>
		numberChange(record, state, { schedule, origin, isReported }),
	);
	run.events.push(...events);
	if (isCut) {
		run.isCut = true;
		return;
	}
	const { finishedBecause, ...next } = afterNumbers(known, now, {
		// The rest may be listed in a moment.
		isChanged: run.hasNext && isChanged,
		isDone,
	});
	if (finishedBecause !== undefined && run.wants('campaignFinished')) {
		const figures = await readVoiceSummary(client, path, { schedule, now, pageSize: PAGE_SIZE });
		run.reportEnd(campaign, finishedBecause, figures);
	}
	known.readAt = now;
	Object.assign(known, next);
	if (next.phase === 'closed') delete known.numbers;
}
