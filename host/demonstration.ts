import type { N8nClient } from './n8nClient.ts';
import { poll } from './poll.ts';
import type { ServiceClient } from './serviceClient.ts';

/** What the demonstration works with. */
export interface DemonstrationOptions {
	n8n: N8nClient;
	service: ServiceClient;
	/** Makes one campaign from its rows when it is run by hand. */
	campaignWorkflowId: string;
	/** Runs once for every SMS status event. */
	eventsWorkflowId: string;
	/** Told, as it goes on, how many executions have ended. */
	onProgress?: (executions: number) => void;
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
	seconds: number;
}

/** How long n8n may do nothing before we stop waiting for the rest. */
const patience = 30_000;

/** Waits until the sandbox has no event left to deliver and n8n no execution left to finish. */
async function settled(options: DemonstrationOptions, before: Counts): Promise<Counts> {
	let last = -1;
	let lastChange = Date.now();
	return await poll(
		async () => {
			const now = await count(options);
			const finished = now.executions + now.failed - before.executions - before.failed;
			options.onProgress?.(finished);
			if (finished !== last) {
				last = finished;
				lastChange = Date.now();
			}
			const isComplete =
				now.pending === 0 && finished >= now.acknowledged - before.acknowledged && finished > 0;
			return isComplete || Date.now() - lastChange > patience ? now : undefined;
		},
		{ what: 'the events to be delivered', timeout: 15 * 60_000, interval: 500 },
	);
}

/** Lets what earlier runs have left come to its end: it must not be counted here. */
async function quiet({ n8n, service, eventsWorkflowId }: DemonstrationOptions): Promise<void> {
	await poll(
		async () => {
			const { pending } = await service.deliveryCounts();
			const running = await n8n.countExecutions(eventsWorkflowId, ['new', 'running']);
			return pending === 0 && running === 0 ? true : undefined;
		},
		{ what: 'the events of earlier runs to be delivered', timeout: 5 * 60_000, interval: 500 },
	);
}

interface Counts {
	campaigns: number;
	pending: number;
	acknowledged: number;
	executions: number;
	failed: number;
}

async function count(options: DemonstrationOptions): Promise<Counts> {
	const { n8n, service, eventsWorkflowId } = options;
	const [campaigns, deliveries, executions, failed] = await Promise.all([
		service.smsCampaignCount(),
		service.deliveryCounts(),
		n8n.countExecutions(eventsWorkflowId, ['success']),
		n8n.countExecutions(eventsWorkflowId, ['error', 'crashed', 'canceled']),
	]);
	const { pending, acknowledged } = deliveries;
	return { campaigns, pending, acknowledged, executions, failed };
}

/** The identifier of the campaign that an execution of the campaign workflow has made. */
async function makeCampaign({ n8n, campaignWorkflowId }: DemonstrationOptions): Promise<string> {
	const { nodes } = await n8n.workflow(campaignWorkflowId);
	const trigger = nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
	if (trigger === undefined) throw new Error('The campaign workflow has no manual trigger.');
	const execution = await n8n.runWorkflow(campaignWorkflowId, trigger.name);
	if (execution.status !== 'success') {
		throw new Error(
			`The campaign workflow ended with ${execution.status}: ${execution.error?.message ?? 'no message'}`,
		);
	}
	const creator = nodes.find(
		({ parameters }) => parameters.resource === 'smsCampaign' && parameters.operation === 'create',
	);
	const [item] = creator === undefined ? [] : execution.items(creator.name);
	const id = item?.json.id;
	if (typeof id !== 'string') throw new Error('The campaign workflow has made no campaign.');
	return id;
}

/**
 * Runs the campaign workflow once and follows the events it causes to their executions.
 * Everything is counted as a difference, so it works on a sandbox and an n8n with a history.
 */
export async function demonstrate(options: DemonstrationOptions): Promise<DemonstrationResult> {
	await quiet(options);
	const started = Date.now();
	const before = await count(options);
	const campaignId = await makeCampaign(options);
	const after = await settled(options, before);
	const contacts = await options.service.contactCount(campaignId);
	const executions = after.executions - before.executions;
	return {
		campaigns: after.campaigns - before.campaigns,
		contacts,
		delivered: after.acknowledged - before.acknowledged,
		executions,
		lost: Math.max(contacts - executions, 0),
		seconds: (Date.now() - started) / 1000,
	};
}

const number = (value: number) => value.toLocaleString('en-GB');
const counted = (value: number, noun: string) =>
	`${number(value)} ${noun}${value === 1 ? '' : 's'}`;

/** The result in one line. */
export function describe(result: DemonstrationResult): string {
	const { campaigns, contacts, delivered, executions, lost } = result;
	return `${counted(campaigns, 'campaign')} with ${counted(contacts, 'contact')}, ${counted(delivered, 'event')} delivered, ${counted(executions, 'execution')}, ${number(lost)} lost`;
}
