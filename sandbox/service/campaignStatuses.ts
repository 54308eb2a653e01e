import type { Database } from './database.ts';

/** SMS campaign statuses: assumptions of the sandbox (interface: not told). */
export const smsCampaignStatus = { scheduled: 0, sending: 1, sent: 2 } as const;

/** Voice campaign statuses: assumptions of the sandbox (interface: not told). */
export const voiceCampaignStatus = { scheduled: 0, running: 1, finished: 2 } as const;

/** Calls and messages. */
export type Channel = 'sms' | 'voice';

/** Gives a campaign its status, and keeps when that was. */
export const setCampaignStatus = (
	database: Database,
	channel: Channel,
	campaignId: string | number,
	status: number,
	at: number,
): void => {
	database.change(
		channel === 'sms'
			? 'UPDATE smsCampaigns SET status = ? WHERE id = ?'
			: 'UPDATE voiceCampaigns SET campaignStatus = ? WHERE id = ?',
		status,
		campaignId,
	);
	database.run(
		'INSERT INTO campaignStatuses (channel, campaignId, at, status) VALUES (?, ?, ?, ?)',
		channel,
		String(campaignId),
		at,
		status,
	);
};
