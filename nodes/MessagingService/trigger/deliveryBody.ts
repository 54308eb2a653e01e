import type { IWebhookFunctions } from 'n8n-workflow';
import { parseJson, traitsOf } from '../json';

/** What n8n adds to the requests of webhooks. */
interface WebhookRequest {
	body?: unknown;
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

/**
 * Reads the body of a delivery as JSON; undefined when it is none. n8n parses JSON only when it is declared as such, and rounds long
 * integers: then it is read here.
 */
export async function readBody(context: IWebhookFunctions): Promise<unknown> {
	const request = context.getRequestObject() as unknown as WebhookRequest;
	const isParsed = typeof request.body === 'object' && request.body !== null;
	// A form has been read to its end by n8n, and is no event.
	if (request.rawBody === undefined && !isParsed) await request.readRawBody?.();
	const { body, rawBody } = request;
	const { isDeep, isRounded } = traitsOf(body);
	// A body nested too deeply is refused as such, even if its numbers are wrong, too.
	const isExact = isParsed && (isDeep || !isRounded || rawBody === undefined);
	return isExact ? body : rawBody && parseJson(rawBody.toString());
}
