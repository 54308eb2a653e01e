import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { assertNoPaging } from '../resources/shared/lists';
import { serviceZone } from '../resources/shared/zones';
import { connect, INTERACTIVE, PATIENT } from '../transport/connection';
import type { PollRequest, PollResult } from './poll';
import { pollService } from './poll';
import { readSettings } from './settings';

/** How long a manual test reads: somebody is waiting for it. */
const SAMPLE_MS = 10_000;

/** n8n's own limit for a poll where it does not tell one. */
const HOST_BUDGET_MS = 300_000;

/** Static data of the polls in progress: n8n starts a poll even if the one before is not over. */
const inProgress = new WeakSet<object>();

/** Static data of the nodes that were polled since n8n started their workflows. */
const polled = new WeakSet<object>();

/**
 * One poll of the trigger in n8n: what is new since the poll before, or null. In a manual test,
 * the latest results.
 * @throws NodeApiError or NodeOperationError where nothing could be read
 */
export async function runPoll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (isRestart(context)) return null;
	try {
		const request = await toRequest(context);
		const isManual = context.getMode() === 'manual';
		const items = isManual ? await sampleOf(context, request) : await pollOnce(context, request);
		return items.length === 0 ? null : [context.helpers.returnJsonArray(items)];
	} catch (error) {
		throw asNodeError(context, error);
	}
}

/**
 * Whether n8n starts what was published before, and waits for this poll: meanwhile it sets no timer
 * and starts no other workflow, and if the poll fails, it leaves the workflow inactive. The next
 * poll finds what this one would have found.
 */
function isRestart(context: IPollFunctions): boolean {
	const data = context.getWorkflowStaticData('node');
	const isFirst = !polled.has(data);
	polled.add(data);
	const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
	return isFirst && isStart && data.results !== undefined;
}

async function toRequest(context: IPollFunctions): Promise<Omit<PollRequest, 'state'>> {
	const isManual = context.getMode() === 'manual';
	const client = await connect(context, {}, isManual ? INTERACTIVE : PATIENT);
	const { baseUrl, clientId } = client.settings;
	// Older n8n does not have it.
	const hostBudgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : HOST_BUDGET_MS;
	const settings = readSettings(context);
	assertNoPaging(settings.smsFilters, client.settings, 'SMS Message Filters');
	return {
		client,
		settings,
		account: `${baseUrl} ${clientId}`,
		zone: serviceZone({ client, context }),
		now: () => Date.now(),
		budgetMs: isManual ? SAMPLE_MS : hostBudgetMs,
	};
}

/**
 * Some results of each kind, for a manual test in the editor; nothing is remembered.
 * @throws what kept it from reading anything, or that there is nothing
 */
async function sampleOf(
	context: IPollFunctions,
	request: Omit<PollRequest, 'state'>,
): Promise<IDataObject[]> {
	const { items, failures } = await pollService({ ...request, state: undefined, isSample: true });
	if (items.length > 0) return items;
	if (failures.length > 0) throw failures[0];
	throw new NodeOperationError(context.getNode(), 'There are no results yet', {
		description:
			'Nothing in scope has a result. Select other campaigns or more days, or publish the workflow and wait for the first result.',
	});
}

async function pollOnce(
	context: IPollFunctions,
	request: Omit<PollRequest, 'state'>,
): Promise<PollResult['items']> {
	const data = context.getWorkflowStaticData('node');
	if (inProgress.has(data)) {
		context.logger.info('The poll before is not over yet: this one is skipped');
		return [];
	}
	inProgress.add(data);
	try {
		const { results } = data;
		const state = typeof results === 'string' ? results : undefined;
		const result = await pollService({ ...request, state });
		const [failure] = result.failures;
		// Nothing to go back to yet: publishing fails, and n8n shows why.
		if (failure !== undefined && state === undefined) throw failure;
		data.results = result.state;
		if (failure !== undefined && result.items.length === 0) throw failure;
		for (const { message } of result.failures as Error[]) {
			context.logger.warn(`A part of the results could not be read yet: ${message}`);
		}
		return result.items;
	} finally {
		inProgress.delete(data);
	}
}

function asNodeError(context: IPollFunctions, error: unknown): Error {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const { message, description } = error as Error & { description?: string };
	return new NodeOperationError(context.getNode(), message, { description });
}
