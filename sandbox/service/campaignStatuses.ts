/** SMS campaign statuses: assumptions of the sandbox (interface: not told). */
export const smsCampaignStatus = { scheduled: 0, sent: 2 } as const;

/** Voice campaign statuses: assumptions of the sandbox (interface: not told). */
export const voiceCampaignStatus = { scheduled: 0, running: 1, finished: 2 } as const;
