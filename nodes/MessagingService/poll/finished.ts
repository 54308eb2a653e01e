import { mapValues, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { campaignEvent } from '../events/listEvents';
import { endOfSmsCampaign, smsSummary, voiceSummary, withCurrency } from '../summary/summary';
import { DAY_MS } from '../times';
import { campaignStatusOf, type Campaign } from './campaigns';
import type { CampaignState, Phase } from './state';

/** Why a campaign is over. */
export type EndOfCampaign =
	'scheduleOver' | 'allNumbersDone' | NonNullable<ReturnType<typeof endOfSmsCampaign>>;

/** What a reading of a campaign means for its state. */
interface Step {
	phase: Phase;
	closesAt?: number;
	/** Set where its end is to be reported. */
	finishedBecause?: EndOfCampaign | undefined;
}

/** How long after its end a campaign may still list calls and statuses of its SMS. */
const LATE_MS = 3 * DAY_MS;

/**
 * The step of a voice campaign whose phone numbers were read.
 * @param isChanged whether they have changed since they were read before
 * @param isDone whether no more calls to them are expected
 */
export function afterNumbers(
	{ phase, schedule, closesAt = 0 }: CampaignState,
	now: number,
	{ isChanged, isDone }: { isChanged: boolean; isDone: boolean },
): Step {
	if (phase === 'finished') return { phase: now < closesAt ? 'finished' : 'closed' };
	const { endsAt = Infinity } = schedule ?? {};
	const end = endsAt <= now ? 'scheduleOver' : isDone ? 'allNumbersDone' : undefined;
	const wasRunning = phase === 'running';
	if (end === undefined || (wasRunning && isChanged)) return { phase: 'running' };
	return {
		phase: 'finished',
		closesAt: Math.max(now, schedule?.endsAt ?? 0) + LATE_MS,
		finishedBecause: wasRunning ? end : undefined,
	};
}

/**
 * The step of an SMS campaign whose messages were read.
 * @param figures what they came to
 */
export function afterMessages(
	{ phase }: CampaignState,
	{ record }: Campaign,
	figures: IDataObject,
	clock: { now: number; zone: string },
): Step {
	const end = endOfSmsCampaign(figures, record, clock);
	if (end === undefined) return { phase: 'running' };
	return { phase: 'closed', finishedBecause: phase === 'running' ? end : undefined };
}

/** The figures of campaigns of both kinds: those that a campaign does not have are null. */
const NO_FIGURES: IDataObject = mapValues(
	omit({ ...smsSummary([], 0), ...voiceSummary([], { attempts: 1 }, 0) }, 'finished'),
	() => null,
);

/**
 * The event about a campaign that is over.
 * @param currency that of the credential, in which it has cost something
 */
export function finishedEvent(
	campaign: Campaign,
	finishedBecause: EndOfCampaign,
	figures: IDataObject,
	currency: string | undefined,
): IDataObject {
	return campaignEvent('campaignFinished', campaign, [], {
		campaignStatus: campaignStatusOf(campaign),
		finishedBecause,
		...withCurrency({ ...NO_FIGURES, ...omit(figures, 'finished') }, currency),
	});
}
