import type { IWebhookFunctions } from 'n8n-workflow';
import { parseJson, traitsOf } from '../json';

/** The body of a delivery. */
export interface DeliveryBody {
	/** Parsed JSON; undefined when it is none. */
	parsed: unknown;
	/** As it arrived. */
	raw: Buffer;
	contentType: string;
}

/** What n8n adds to the requests of webhooks. */
interface WebhookRequest {
	body?: unknown;
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
	headers: Record<string, string | string[] | undefined>;
}

/**
 * Reads the body of a delivery. n8n parses JSON only when it is declared as such, and rounds long
 * integers: then it is read here.
 */
export async function readBody(context: IWebhookFunctions): Promise<DeliveryBody> {
	const request = context.getRequestObject() as unknown as WebhookRequest;
	const isParsed = typeof request.body === 'object' && request.body !== null;
	// A form has been read to its end by n8n, and is no event.
	if (request.rawBody === undefined && !isParsed) await request.readRawBody?.();
	const { body, rawBody } = request;
	const { isDeep, isRounded } = traitsOf(body);
	// A body nested too deeply is refused as such, whatever its numbers are.
	const isExact = isParsed && (isDeep || !isRounded || rawBody === undefined);
	const parsed = isExact ? body : parseJson(rawBody?.toString() ?? '');
	const declared = request.headers['content-type'];
	return {
		parsed,
		raw: rawBody ?? Buffer.from(JSON.stringify(body) ?? ''),
		contentType: typeof declared === 'string' ? declared : 'application/json',
	};
}
