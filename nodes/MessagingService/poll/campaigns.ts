import type { IDataObject } from 'n8n-workflow';
import { momentOf, wallClockOf } from '../times';
import type { Schedule } from '../summary/campaignSchedule';
import type { ReadClient } from '../transport/request';
import { pathSegment } from '../transport/request';

/** The campaigns of each kind (interface, "Endpoints"): paths, and the names of two fields. */
const CAMPAIGNS = {
	voice: {
		listPath: '/api/campaigns/voice/p',
		path: '/api/campaigns/voice',
		start: 'startDate',
		status: 'campaignStatus',
	},
	sms: {
		listPath: '/api/Campaigns',
		path: '/api/Campaigns',
		start: 'startDateTime',
		status: 'status',
	},
} as const;

export type CampaignKind = keyof typeof CAMPAIGNS;

/** A campaign, as the service lists it. */
export interface Campaign {
	kind: CampaignKind;
	id: string;
	record: IDataObject;
	/** When it starts, by the service's clock; empty where the service does not tell. */
	start: string;
	/** What it is going to do, where that was read. */
	schedule?: Schedule | undefined;
}

/** SMS campaigns start by UTC, the times of the lists are by the service's clock, in a zone. */
export function toCampaign(
	kind: CampaignKind,
	id: string,
	record: IDataObject,
	zone: string,
): Campaign {
	const start = String(record[CAMPAIGNS[kind].start] ?? '');
	const moment = momentOf(start, zone);
	return { kind, id, record, start: Number.isNaN(moment) ? start : wallClockOf(moment, zone) };
}

/** An integer whose meaning the interface does not tell. */
export function campaignStatusOf({ kind, record }: Campaign) {
	return record[CAMPAIGNS[kind].status] ?? null;
}

export const listPath = (kind: CampaignKind) => CAMPAIGNS[kind].listPath;

export const campaignPath = (kind: CampaignKind, id: string) =>
	`${CAMPAIGNS[kind].path}/${pathSegment(id)}`;

/** One campaign: the response for a voice campaign has more fields than its list item. */
export async function readCampaignRecord(
	client: ReadClient,
	kind: CampaignKind,
	id: string,
): Promise<IDataObject> {
	return await client.record({ method: 'GET', path: campaignPath(kind, id) });
}
