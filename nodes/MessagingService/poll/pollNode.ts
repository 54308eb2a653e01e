import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { Failure, withNodeErrors } from '../failure';
import { POLL_KINDS } from '../events/kinds';
import { serviceZone } from '../resources/shared/zones';
import { MINUTE_MS } from '../times';
import { connect, INTERACTIVE, POLLING } from '../transport/connection';
import { clientKeyOf } from '../transport/settings';
import { pollService } from './poll';
import type { PollRequest } from './pollRun';
import { readPollSettings } from './settings';

/** Triggers with a poll in progress: n8n starts a poll even if the one before is not over. */
const inProgress = new Set<string>();

/** The contexts that were polled: n8n makes one for each start of a workflow. */
const polled = new WeakSet<IPollFunctions>();

/**
 * One poll of the trigger in n8n: what is new since the poll before, or null. In a manual test,
 * the latest results.
 * @throws an error of n8n where nothing could be read
 */
export async function runPoll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await withNodeErrors(context, async () => {
		const isManual = context.getMode() === 'manual';
		const items = isManual ? await sampleOf(context) : await pollOnce(context);
		return items.length === 0 ? null : [context.helpers.returnJsonArray(items)];
	});
}

/** What is new; nothing while the poll before goes on. */
async function pollOnce(context: IPollFunctions): Promise<IDataObject[]> {
	const data = context.getWorkflowStaticData('node');
	if (isRestart(context, data)) return [];
	// Not by the static data: n8n may hand each poll a copy of it.
	const trigger = triggerOf(context);
	if (inProgress.has(trigger)) {
		context.logger.info('The poll before is not over yet: this one is skipped');
		return [];
	}
	inProgress.add(trigger);
	try {
		return await newResults(context, data);
	} finally {
		inProgress.delete(trigger);
	}
}

/**
 * Whether n8n starts what was published before, and waits for this poll: meanwhile it sets no timer
 * and starts no other workflow, and if the poll fails, it leaves the workflow inactive. The next
 * poll finds what this one would have found.
 */
function isRestart(context: IPollFunctions, data: IDataObject): boolean {
	const isFirst = !polled.has(context);
	polled.add(context);
	const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
	return isFirst && isStart && data.results !== undefined;
}

/** While n8n waits for the first poll, it publishes nothing else, and gives up after 84 s. */
const FIRST_POLL_MS = MINUTE_MS;

/** @param isFirst whether n8n waits for it, to publish the workflow: the next one goes on */
async function toRequest(
	context: IPollFunctions,
	isFirst = false,
): Promise<Omit<PollRequest, 'state'>> {
	const isSample = context.getMode() === 'manual';
	// n8n 1 has no such limit.
	const givenMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : Infinity;
	const budgetMs = Math.min(givenMs, isFirst ? FIRST_POLL_MS : Infinity);
	const endsAt = Date.now() + budgetMs;
	const totalMs = Math.min(budgetMs, POLLING.totalMs);
	const patience = isSample ? INTERACTIVE : { ...POLLING, totalMs };
	const client = await connect(context, {}, patience);
	const settings = readPollSettings(context, client.settings);
	const zone = serviceZone({ client, context });
	const account = clientKeyOf(client.settings);
	const isTimeUp = () => Date.now() >= endsAt;
	return { client, settings, account, zone, now: Date.now(), isSample, isTimeUp };
}

/**
 * Some results of each kind, for a manual test in the editor; nothing is remembered.
 * @throws what kept it from reading anything, or that there is nothing
 */
async function sampleOf(context: IPollFunctions): Promise<IDataObject[]> {
	const request = await toRequest(context);
	const { items, failures } = await pollService({ ...request, state: undefined });
	if (items.length > 0) return items;
	if (failures.length > 0) throw failures[0];
	const { events, days } = request.settings;
	const labels = events.map((kind) => POLL_KINDS[kind].label).join(', ');
	throw new Failure(
		'There are no results yet',
		`Looked for ${labels} in the last ${days === 1 ? 'day' : `${days} days`}. Select other campaigns or more days, or publish the workflow and wait for the first result.`,
	);
}

/** What is new since the state in the static data, which goes on to the present one. */
async function newResults(context: IPollFunctions, data: IDataObject): Promise<IDataObject[]> {
	const stored = typeof data.results === 'string' ? data.results : undefined;
	const request = await toRequest(context, stored === undefined);
	const { items, state, failures, isCut } = await pollService({ ...request, state: stored });
	const [failure] = failures;
	// Nothing to go back to yet: publishing fails, and n8n shows why.
	if (failure !== undefined && stored === undefined) throw failure;
	data.results = state;
	if (failure !== undefined && items.length === 0) throw failure;
	for (const { message } of failures) {
		context.logger.warn(`A part of the results could not be read yet: ${message}`);
	}
	if (isCut) context.logger.info('The poll has taken all of its time: the next one goes on');
	return items;
}

function triggerOf(context: IPollFunctions): string {
	return `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
}
