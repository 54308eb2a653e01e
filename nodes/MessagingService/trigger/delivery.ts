import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { joinBatch } from './batching';
import { readBody, type DeliveryBody } from './deliveryBody';
import { decodeEvent, readEvent, type DecodedEvent } from './events';
import { isSelected, type EventFilters } from './filters';
import { forward, type ForwardError } from './forwarding';
import { handedOver } from './handOver';
import { startData, type EventItem } from './outputs';
import { noteDelivery } from './registration';
import { claimEvent } from './repeats';
import { recentCredential, triggerKey } from './triggerCredential';
import { refusal } from './verification';

/** The trigger's "Options" as the user filled them in. */
interface TriggerOptions {
	dropRepeats?: boolean;
	forwardTimeLimit?: number;
	forwardTo?: { destinations?: { url?: string }[] };
	ipAllowlist?: string;
	separateOutputs?: boolean;
}

const DEFAULT_FORWARD_MILLISECONDS = 1000;

/** An answer to the service without starting an execution. */
function answer(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

function startWith(items: EventItem[], hasSeparateOutputs: boolean): IWebhookResponseData {
	return { workflowData: startData(items, hasSeparateOutputs) };
}

function toItem(
	context: IWebhookFunctions,
	body: IDataObject,
	decoded: DecodedEvent,
	forwardErrors: ForwardError[],
): EventItem {
	const isSimplified = context.getNodeParameter('simplify', true) as boolean;
	const json = isSimplified ? decoded : body;
	return {
		json: forwardErrors.length > 0 ? { ...json, forwardErrors } : json,
		kind: decoded.event,
	};
}

function wholeNumber(context: IWebhookFunctions, name: string, fallback: number): number {
	const value = Number(context.getNodeParameter(name, fallback));
	return Number.isFinite(value) && value >= 0 ? Math.floor(value) : fallback;
}

async function passOn(
	context: IWebhookFunctions,
	{ forwardTo, forwardTimeLimit = DEFAULT_FORWARD_MILLISECONDS }: TriggerOptions,
	body: DeliveryBody,
): Promise<ForwardError[]> {
	const urls = (forwardTo?.destinations ?? []).flatMap(({ url }) => {
		const trimmed = url?.trim() ?? '';
		return trimmed === '' ? [] : [trimmed];
	});
	return urls.length === 0 ? [] : await forward(context, urls, body, forwardTimeLimit);
}

/**
 * Answers one delivery. Its event starts the workflow, alone or in a batch; everything else is
 * answered here, with a reason and without an execution.
 */
async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const options = context.getNodeParameter('options', {}) as TriggerOptions;
	const isTest = context.getMode() === 'manual';
	const key = triggerKey(context);
	const credential = await recentCredential(context);
	const refused = refusal(context, credential, options.ipAllowlist ?? '');
	if (refused) return answer(context, refused.status, { error: refused.error });
	if (!isTest) noteDelivery(credential.account, key, context.getWorkflow().name ?? '');

	const body = await readBody(context);
	const { event, problem } = readEvent(body.parsed);
	if (event === undefined) return answer(context, 400, { error: problem });

	const decoded = decodeEvent(event);
	const kinds = context.getNodeParameter('events', []) as string[];
	const filters = context.getNodeParameter('filters', {}) as EventFilters;
	if (!isSelected(decoded, { kinds, filters })) {
		return answer(context, 200, { ignored: decoded.event });
	}

	const response = context.getResponseObject();
	if (options.dropRepeats === true && !isTest) {
		const isNew = await claimEvent(`${key}/${decoded.eventId}`, async () => handedOver(response));
		if (!isNew) return answer(context, 200, { ignored: 'repeat' });
	}

	const forwardErrors = await passOn(context, options, body);
	const item = toItem(context, body.parsed as IDataObject, decoded, forwardErrors);
	const hasSeparateOutputs = options.separateOutputs === true;
	const isBatched = context.getNodeParameter('batchEvents', false) as boolean;
	// While listening in the editor, the first event is waited for: it goes at once.
	if (!isBatched || isTest) return startWith([item], hasSeparateOutputs);

	const result = await joinBatch(key, item, response, {
		size: Math.max(1, wholeNumber(context, 'batchSize', 100)),
		milliseconds: wholeNumber(context, 'batchMilliseconds', 1000),
		quietMilliseconds: wholeNumber(context, 'batchQuietMilliseconds', 100),
	});
	if (result.role === 'carrier') return startWith(result.items, hasSeparateOutputs);
	return result.isHandedOver
		? answer(context, 200, { batched: true })
		: answer(context, 503, { error: 'n8n could not take the event over: deliver it again' });
}

/**
 * `receive`, but an unexpected problem is answered as well: what a webhook throws would become an
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
		return answer(context, 503, { error: 'n8n could not take the event over: deliver it again' });
	}
}
