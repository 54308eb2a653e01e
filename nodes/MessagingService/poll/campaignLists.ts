import { partition, sortBy, takeRight } from 'lodash';
import { campaignEvent } from '../events/listEvents';
import { scheduleOf, type Schedule } from '../summary/campaignSchedule';
import { isBefore } from '../times';
import { mapConcurrently } from '../transport/concurrency';
import { envelopeList, PAGE_SIZE } from '../transport/listRequests';
import { readList } from '../transport/paginate';
import type { Campaign, CampaignKind } from './campaigns';
import { campaignStatusOf, listPath, readCampaignRecord, toCampaign } from './campaigns';
import type { PollRun } from './pollRun';
import type { CampaignState, Phase } from './state';

const CONCURRENT_CAMPAIGNS = 10;

/**
 * Reads the campaigns in scope, and reports their statuses.
 * @param newPhase the phase of a new campaign
 */
export async function readCampaigns(
	run: PollRun,
	kind: CampaignKind,
	newPhase: Phase,
): Promise<Campaign[]> {
	const { [kind]: known, newSince } = run.state;
	const ids = run.request.settings.selected?.[kind];
	const campaigns = await (ids ? campaignsById(run, kind, ids) : recentCampaigns(run, kind));
	const listed = new Set(ids);
	for (const campaign of campaigns) {
		const { id, start, schedule } = campaign;
		listed.add(id);
		const isNew = !known.has(id) && run.isNew(kind, start);
		const state: CampaignState = {
			phase: isNew ? newPhase : 'baseline',
			...known.get(id),
			start,
		};
		if (schedule !== undefined) state.schedule = schedule;
		known.set(id, state);
		reportStatus(run, campaign, state, isNew);
	}
	// One that the list lacks for a while is not a new one when it is listed again.
	for (const [id, state] of known) {
		if (!listed.has(id) && !isInScope(run, state)) known.delete(id);
	}
	if (ids === undefined) run.noteRead(kind);
	else newSince[kind] = undefined;
	return campaigns;
}

/** Campaigns of the last days, and voice campaigns that started before and are still called. */
async function recentCampaigns(run: PollRun, kind: CampaignKind): Promise<Campaign[]> {
	const { client, zone } = run.request;
	const records = await readList(envelopeList(client, listPath(kind), PAGE_SIZE));
	const campaigns = records.map((record) => toCampaign(kind, String(record.id), record, zone));
	const [recent, earlier] = partition(campaigns, ({ id, start }) =>
		isInScope(run, { ...run.state[kind].get(id), start }),
	);
	return kind === 'sms' ? recent : [...recent, ...(await stillCalled(run, earlier))];
}

/**
 * Voice campaigns that started before Days and whose calls end within them. Each is asked once: when
 * it is new to the trigger, and before it is forgotten.
 */
async function stillCalled(run: PollRun, earlier: readonly Campaign[]): Promise<Campaign[]> {
	const { client, zone } = run.request;
	const { voice: known, newSince } = run.state;
	const asked = earlier.filter(
		({ id, start }) => known.has(id) || !isBefore(start, newSince.voice ?? ''),
	);
	const latest = takeRight(sortBy(asked, 'start'), run.mostEarlier);
	const campaigns = await mapConcurrently(latest, CONCURRENT_CAMPAIGNS, async (campaign) => {
		let schedule: Schedule | undefined;
		await run.attempt(async () => {
			schedule = scheduleOf(await readCampaignRecord(client, 'voice', campaign.id), zone);
		});
		return { ...campaign, schedule };
	});
	// One that could not be read is asked again.
	return campaigns.filter(
		({ id, start, schedule }) =>
			schedule === undefined || isInScope(run, { ...known.get(id), start, schedule }),
	);
}

async function campaignsById(
	run: PollRun,
	kind: CampaignKind,
	ids: readonly string[],
): Promise<Campaign[]> {
	const { client, zone } = run.request;
	const campaigns = await mapConcurrently(ids, CONCURRENT_CAMPAIGNS, async (id) => {
		let campaign: Campaign | undefined;
		await run.attempt(async () => {
			const record = await readCampaignRecord(client, kind, id);
			const schedule = kind === 'voice' ? scheduleOf(record, zone) : undefined;
			campaign = { ...toCampaign(kind, id, record, zone), schedule };
		});
		return campaign;
	});
	return campaigns.filter((campaign) => campaign !== undefined);
}

/** Whether a campaign starts within the days in scope, its calls end within them, or its end is to be reported. */
function isInScope(run: PollRun, { start, schedule, phase }: Partial<CampaignState>): boolean {
	if (phase === 'running' && run.wants('campaignFinished')) return true;
	return !isBefore(start, run.daysStart) || (schedule?.endsAt ?? 0) >= run.daysStartMs;
}

/** Campaign Status: a new campaign, or another integer than when it was last read. */
function reportStatus(
	run: PollRun,
	campaign: Campaign,
	known: CampaignState,
	isNew: boolean,
): void {
	const campaignStatus = campaignStatusOf(campaign);
	const status = JSON.stringify(campaignStatus);
	if (known.status === status) return;
	if (known.status !== undefined || isNew) {
		known.changes = (known.changes ?? 0) + 1;
		const previous = JSON.parse(known.status ?? 'null') as number | null;
		const what = [`${String(previous)}-${String(campaignStatus)}`, String(known.changes)];
		const details = { campaignStatus, previousCampaignStatus: previous };
		run.reportCampaign(campaignEvent('campaignStatus', campaign, what, details));
	}
	known.status = status;
}
