import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { messageOf } from '../texts';
import { parseJson } from '../json';
import { workflowZone } from '../resources/shared/zones';
import { joinBatch } from './batches';
import { decodeEvent, readEvent } from '../events/events';
import { isSampleRequest, sampleItems } from './samples';
import { isSelected, readTriggerSettings } from './settings';
import { triggerKey, verify } from './token';

const NOT_TAKEN = 'n8n could not take the event over: deliver it again';

/** Responds to the service without starting an execution. */
function answer(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

/**
 * Reads the body of a delivery as JSON; undefined when it is none. n8n parses JSON only when it is
 * declared as such, and rounds long integers.
 */
async function readDelivery(context: IWebhookFunctions): Promise<unknown> {
	// What n8n adds to the requests of webhooks.
	const request = context.getRequestObject() as {
		body?: unknown;
		rawBody?: Buffer;
		readRawBody?: () => Promise<void>;
	};
	const isParsed = typeof request.body === 'object' && request.body !== null;
	// A form has been read to its end by n8n, and is no event.
	if (request.rawBody === undefined && !isParsed) await request.readRawBody?.();
	return request.rawBody === undefined ? request.body : parseJson(request.rawBody.toString());
}

/**
 * Responds to one delivery. Its event starts the workflow, alone or in a batch; everything else
 * gets a response with a reason, and no execution.
 */
async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readTriggerSettings(context);
	const { isSimplified, batchSize } = settings;
	const isTest = context.getMode() === 'manual';
	if (isTest && isSampleRequest(context.getBodyData())) {
		return { workflowData: [sampleItems(settings)] };
	}
	const sender = await verify(context);
	if (sender === undefined) {
		return answer(context, 401, { error: 'The token of the webhook URL is missing or wrong' });
	}
	const parsed = await readDelivery(context);
	const event = readEvent(parsed);
	if (typeof event === 'string') return answer(context, 400, { error: event });

	const zone = sender.timeZone || workflowZone(context);
	const decoded = decodeEvent(event, zone, settings.kinds);
	if (!isSelected(decoded, settings)) {
		return answer(context, 200, { ignored: decoded.event });
	}
	const item = { json: isSimplified ? decoded : (parsed as IDataObject) };
	// While listening in the editor, the first event is waited for: it goes immediately.
	if (batchSize === undefined || isTest) return { workflowData: [[item]] };

	const response = context.getResponseObject();
	const result = await joinBatch(triggerKey(context), item, response, batchSize);
	if (typeof result !== 'boolean') return { workflowData: [result] };
	return result
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
		context.logger.error(`An event could not be received: ${messageOf(error)}`, {
			workflowId: context.getWorkflow().id,
			nodeName: context.getNode().name,
		});
		if (context.getResponseObject().headersSent) return { noWebhookResponse: true };
		return answer(context, 503, { error: NOT_TAKEN });
	}
}
