import type { IWebhookFunctions } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';

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
 * Reads the body of a delivery. n8n parses JSON only when it is declared as such; JSON declared as
 * text, or not declared at all, is read here.
 */
export async function readBody(context: IWebhookFunctions): Promise<DeliveryBody> {
	const request = context.getRequestObject() as unknown as WebhookRequest;
	if (request.rawBody === undefined) await request.readRawBody?.();
	const { body, rawBody } = request;
	const text = typeof body === 'string' || body === undefined ? rawBody?.toString() : undefined;
	const parsed =
		text === undefined ? body : jsonParse<unknown>(text, { fallbackValue: () => undefined });
	const declared = request.headers['content-type'];
	return {
		parsed,
		raw: rawBody ?? Buffer.from(JSON.stringify(body) ?? ''),
		contentType: typeof declared === 'string' ? declared : 'application/json',
	};
}
