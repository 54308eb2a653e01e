import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { toNumber } from '../events/decode';
import { decodeEvent, readEvent, type ServiceEvent } from '../events/events';
import { parseJson } from '../json';
import { workflowZone } from '../resources/shared/zones';
import { messageOf } from '../texts';
import type { ServiceSettings } from '../transport/settings';
import { joinBatch } from './batches';
import { handOn, warn } from './handOn';
import { remember, triggerKey, type TriggerMemory } from './memory';
import { HANDED_ON, TRIGGER_HEADER, STORED } from './ownN8n';
import { isSampleRequest, sampleItems } from './samples';
import { isSelected, readTriggerSettings, type TriggerSettings } from './settings';
import { isSigned, verify } from './token';

const NOT_TAKEN = 'n8n could not take the event over: deliver it again';

/** Responds to the service without starting an execution. */
function respond(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

/**
 * Reads the body of a delivery, as text and as JSON; undefined when it is none. n8n parses JSON only
 * when it is declared as such, and rounds long integers.
 */
async function readDelivery(
	context: IWebhookFunctions,
): Promise<{ text: string; parsed: unknown }> {
	// What n8n adds to the requests of webhooks.
	const request = context.getRequestObject() as {
		body?: unknown;
		rawBody?: Buffer;
		readRawBody?: () => Promise<void>;
	};
	const isParsed = typeof request.body === 'object' && request.body !== null;
	// A form has been read to its end by n8n, and is no event.
	if (request.rawBody === undefined && !isParsed) await request.readRawBody?.();
	const { body, rawBody } = request;
	if (rawBody === undefined) return { text: JSON.stringify(body ?? null), parsed: body };
	// n8n's HTTP library would quote a text with a byte order mark instead of handing it on as JSON.
	const text = rawBody.toString().replace(/^\uFEFF/, '');
	return { text, parsed: parseJson(text) };
}

/**
 * Responds to one delivery: of the service, of a trigger that hands an event on, or of the process
 * that publishes workflows. What is none of these gets a response with a reason, and no execution.
 */
async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readTriggerSettings(context);
	const isTest = context.getMode() === 'manual';
	if (isTest && isSampleRequest(context.getBodyData())) {
		return { workflowData: [sampleItems(settings)] };
	}
	const sender = await verify(context, settings.hasOwnPath && !isTest);
	if (sender === undefined) {
		return respond(context, 401, { error: 'The token of the webhook URL is missing or wrong' });
	}
	const { text, parsed } = await readDelivery(context);
	const { [TRIGGER_HEADER]: header } = context.getHeaderData();
	if (header !== undefined) context.getResponseObject().setHeader(TRIGGER_HEADER, STORED);
	if (header === undefined || header === HANDED_ON) {
		const isHandedOn = isTest || header === HANDED_ON;
		return await receiveEvent(context, { text, parsed, isHandedOn }, settings, sender);
	}
	if (!(await isSigned(context, settings.path, text, String(header)))) {
		return respond(context, 401, { error: 'The signature is missing or wrong' });
	}
	remember(context.getWorkflowStaticData('node'), parsed as TriggerMemory);
	// n8n responds when it has stored them: only then do other processes know.
	return { webhookResponse: {} };
}

/** An event starts the workflow, alone or in a batch, when the other triggers have stored it. */
async function receiveEvent(
	context: IWebhookFunctions,
	{ text, parsed, isHandedOn }: { text: string; parsed: unknown; isHandedOn: boolean },
	settings: TriggerSettings,
	sender: ServiceSettings,
): Promise<IWebhookResponseData> {
	const { isSimplified, batchSize, kinds } = settings;
	const event = readEvent(parsed);
	if (typeof event === 'string') {
		warn(context, `A delivery was refused, for it is no event: ${event}`);
		return respond(context, 400, { error: event });
	}
	if (isOfOtherClient(event, sender)) {
		warn(context, 'An event with another clientId than that of the credential was ignored');
		return respond(context, 200, { ignored: 'clientId' });
	}
	const zone = sender.timeZone || workflowZone(context);
	const { defaultCountry } = sender;
	const decoded = decodeEvent(event, { zone, country: defaultCountry, selected: kinds });
	const isOwn = isSelected(decoded, settings, defaultCountry);
	if (!isHandedOn) {
		const handedOn = await handOn(context, { ...decoded, text }, settings, isOwn);
		if (handedOn === 'storedHereToo') return respond(context, 200, { stored: true });
		if (handedOn !== 'stored') return respond(context, 503, { error: NOT_TAKEN });
	}
	if (!isOwn) return respond(context, 200, { ignored: decoded.event });
	const item = { json: isSimplified ? decoded : (parsed as IDataObject) };
	// While listening in the editor, the first event is waited for: it goes immediately.
	if (batchSize === undefined || context.getMode() === 'manual') return { workflowData: [[item]] };

	const response = context.getResponseObject();
	const result = await joinBatch(triggerKey(context), item, response, batchSize);
	if (typeof result !== 'boolean') return { workflowData: [result] };
	return result
		? respond(context, 200, { batched: true })
		: respond(context, 503, { error: NOT_TAKEN });
}

/** Whether an event is about another client of the service than that of the credential. */
function isOfOtherClient({ data }: ServiceEvent, { clientId }: ServiceSettings): boolean {
	const [given, own] = [toNumber(data.clientId), toNumber(clientId)];
	return given !== undefined && own !== undefined && given !== own;
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
		return respond(context, 503, { error: NOT_TAKEN });
	}
}
