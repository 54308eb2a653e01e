import type { N8nClient } from './n8nClient.ts';
import { poll } from './poll.ts';
import type { Sandbox } from './sandbox.ts';

/** What the demonstration works with. */
export interface DemonstrationOptions {
	n8n: N8nClient;
	sandbox: Sandbox;
	/** Makes one campaign from its rows when it is run by hand. */
	campaignWorkflowId: string;
	/** Runs once for every SMS status event. */
	eventsWorkflowId: string;
}

/** What came of it, as read back from the sandbox and from n8n. */
export interface DemonstrationResult {
	campaigns: number;
	contacts: number;
	/** Events that n8n has acknowledged. */
	delivered: number;
	/** Successful executions of the events workflow. */
	executions: number;
	/** Contacts whose event did not become a successful execution. */
	lost: number;
}

/** Waits until the sandbox has no event left to deliver and n8n no execution left to finish. */
async function settled({ n8n, sandbox, eventsWorkflowId }: DemonstrationOptions): Promise<void> {
	await sandbox.idle(600);
	const open = async () => await n8n.countExecutions(eventsWorkflowId, ['new', 'running']);
	await poll(async () => ((await open()) === 0 ? true : undefined), {
		what: 'the executions to end',
		timeout: 600_000,
		interval: 500,
	});
}

async function count({ n8n, sandbox, eventsWorkflowId }: DemonstrationOptions) {
	const { smsCampaigns, smsCampaignContacts, deliveries } = await sandbox.summary();
	return {
		campaigns: smsCampaigns,
		contacts: smsCampaignContacts,
		delivered: deliveries.acknowledged,
		executions: await n8n.countExecutions(eventsWorkflowId, ['success']),
	};
}

async function makeCampaign({ n8n, campaignWorkflowId }: DemonstrationOptions): Promise<void> {
	const { nodes } = await n8n.workflow(campaignWorkflowId);
	const trigger = nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
	if (trigger === undefined) throw new Error('The campaign workflow has no manual trigger.');
	const { status, error } = await n8n.runWorkflow(campaignWorkflowId, trigger.name);
	if (status === 'success') return;
	throw new Error(`The campaign workflow ended with ${status}: ${error?.message ?? 'no message'}`);
}

/**
 * Runs the campaign workflow once and follows the events it causes to their executions.
 * Everything is counted as a difference, so it works on a sandbox and an n8n with a history.
 */
export async function demonstrate(options: DemonstrationOptions): Promise<DemonstrationResult> {
	await settled(options);
	const before = await count(options);
	await makeCampaign(options);
	await settled(options);
	const after = await count(options);
	const contacts = after.contacts - before.contacts;
	const executions = after.executions - before.executions;
	return {
		campaigns: after.campaigns - before.campaigns,
		contacts,
		delivered: after.delivered - before.delivered,
		executions,
		lost: Math.max(contacts - executions, 0),
	};
}

const counted = (value: number, noun: string) =>
	`${value.toLocaleString('en-GB')} ${noun}${value === 1 ? '' : 's'}`;

/** The result in one line. */
export function describe(result: DemonstrationResult): string {
	const { campaigns, contacts, delivered, executions, lost } = result;
	return `${counted(campaigns, 'campaign')} with ${counted(contacts, 'contact')}, ${counted(delivered, 'event')} delivered, ${counted(executions, 'execution')}, ${lost.toLocaleString('en-GB')} lost`;
}

/** Whether every contact's event was delivered, once, and has run. */
export const isComplete = (result: DemonstrationResult): boolean => {
	const { campaigns, contacts, delivered, executions } = result;
	return campaigns === 1 && contacts > 0 && delivered === contacts && executions === contacts;
};
