import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { workflowZone } from '../resources/shared/zones';
import { joinBatch } from './batching';
import { readBody } from './deliveryBody';
import { claimEvent } from './duplicates';
import { decodeEvent, readEvent } from './events';
import { ALL_KINDS, isSelected, textsIn, type EventFilters } from './filters';
import { handedOver } from './handOver';
import type { EventItem } from './outputs';
import { isSampleRequest, sampleItem } from './samples';
import { deliveryOptions, registrationOptions } from './settings';
import { recentCredential, triggerKey } from './triggerCredential';
import { addressRefusal, tokenRefusal } from './verification';

const NOT_TAKEN = 'n8n could not take the event over: deliver it again';

/** Responds to the service without starting an execution. */
function answer(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

/** Starts an execution; `execute` gives each item its output. */
function startWith(items: EventItem[]): IWebhookResponseData {
	return { workflowData: [items] };
}

/** One sample event of each selected kind. */
function samples(isSimplified: boolean, kinds: readonly string[], filters: EventFilters) {
	return ALL_KINDS.filter((kind) => kinds.includes(kind)).map((kind) => ({
		json: sampleItem(kind, { isSimplified, filters }),
		kind,
	}));
}

/**
 * Responds to one delivery. Its event starts the workflow, alone or in a batch; everything else
 * gets a response with a reason, and no execution.
 */
async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const options = deliveryOptions(context);
	const isTest = context.getMode() === 'manual';
	const kinds = textsIn(context.getNodeParameter('events', []));
	const filters = context.getNodeParameter('filters', {}) as EventFilters;
	if (isTest && isSampleRequest(context.getBodyData())) {
		return startWith(samples(options.isSimplified, kinds, filters));
	}
	const forbidden = addressRefusal(context, options.ipAllowlist);
	if (forbidden !== undefined) return answer(context, 403, { error: forbidden });
	const refused = await tokenRefusal(context);
	if (refused !== undefined) return answer(context, 401, { error: refused });

	const parsed = await readBody(context);
	const { event, problem } = readEvent(parsed);
	if (event === undefined) return answer(context, 400, { error: problem });

	const { timeZone } = await recentCredential(context, triggerKey(context));
	const decoded = decodeEvent(event, timeZone || workflowZone({ context }));
	if (!isSelected(decoded, { kinds, filters })) {
		// A live event on its way to a published workflow: acknowledged here, it would be lost for that one.
		const isRedirected = isTest && registrationOptions(context).whileListening === 'redirect';
		return isRedirected
			? answer(context, 503, { error: NOT_TAKEN })
			: answer(context, 200, { ignored: decoded.event });
	}

	const key = triggerKey(context);
	const response = context.getResponseObject();
	if (options.dropDuplicates && !isTest) {
		const isNew = await claimEvent(`${key}/${decoded.eventId}`, async () => handedOver(response));
		if (!isNew) return answer(context, 200, { ignored: 'duplicate' });
	}

	const json = options.isSimplified ? decoded : (parsed as IDataObject);
	const item: EventItem = { json, kind: decoded.event };
	// While listening in the editor, the first event is waited for: it goes immediately.
	if (options.batch === undefined || isTest) return startWith([item]);

	const result = await joinBatch(key, item, response, options.batch);
	if (result.role === 'carrier') return startWith(result.items);
	return result.isHandedOver
		? answer(context, 200, { batched: true })
		: answer(context, 503, { error: NOT_TAKEN });
}

/**
 * `receive`, but an unexpected problem gets a response as well: what a webhook throws would become an
 * execution with an error, for anybody who knows the URL.
 */
export async function handleDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receive(context);
	} catch (error) {
		context.logger.error(
			`An event could not be received: ${error instanceof Error ? error.message : String(error)}`,
			{ workflowId: context.getWorkflow().id, nodeName: context.getNode().name },
		);
		if (context.getResponseObject().headersSent) return { noWebhookResponse: true };
		return answer(context, 503, { error: NOT_TAKEN });
	}
}
