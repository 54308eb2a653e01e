import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { DeliveryBody } from './deliveryBody';

const MOST_TRIES = 3;
const PAUSE = 100;

/** Why an event could not be passed on to a URL. */
export interface ForwardError extends IDataObject {
	/** Without query, for that may hold a secret. */
	url: string;
	message: string;
}

function withoutQuery(url: string): string {
	return url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}

/** What went wrong, without quoting the URL. */
function reasonOf(error: unknown): string {
	const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
	const known = [code, cause?.code].find((value) => typeof value === 'string');
	return typeof known === 'string' ? `No answer (${known})` : 'No answer';
}

/** One try: nothing when the answer was a success, otherwise why not. */
async function post(
	context: IWebhookFunctions,
	url: string,
	{ raw, contentType }: DeliveryBody,
	timeout: number,
): Promise<string | undefined> {
	const limit = AbortSignal.timeout(timeout);
	const ending = new AbortController();
	try {
		const { statusCode, body } = (await context.helpers.httpRequest({
			method: 'POST',
			url,
			body: raw,
			headers: { 'content-type': contentType },
			timeout,
			abortSignal: AbortSignal.any([limit, ending.signal]),
			// Only its status counts: what follows is not read.
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as { statusCode: number; body: { on(event: 'error', listener: () => void): void } };
		body.on('error', () => undefined);
		ending.abort();
		return statusCode >= 200 && statusCode < 300 ? undefined : `Status ${statusCode}`;
	} catch (error) {
		return limit.aborted ? 'No answer in time' : reasonOf(error);
	}
}

async function forwardTo(
	context: IWebhookFunctions,
	url: string,
	body: DeliveryBody,
	deadline: number,
): Promise<string | undefined> {
	let reason: string | undefined;
	for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
		const left = deadline - Date.now();
		if (left <= 0) break;
		reason = await post(context, url, body, left);
		if (reason === undefined) return undefined;
		if (attempt < MOST_TRIES) await sleep(Math.min(PAUSE * attempt, left));
	}
	return reason ?? 'No answer in time';
}

/**
 * Passes a delivered body on, unchanged, to all URLs at once, with a few tries within the time
 * limit. Gives what failed; never throws, and never takes longer than the limit.
 */
export async function forward(
	context: IWebhookFunctions,
	urls: readonly string[],
	body: DeliveryBody,
	milliseconds: number,
): Promise<ForwardError[]> {
	const deadline = Date.now() + milliseconds;
	const own = context.getNodeWebhookUrl('default');
	const results = await Promise.all(
		urls.map(async (url) => {
			if (!/^https?:\/\//i.test(url)) return 'This is no http or https URL';
			if (own !== undefined && withoutQuery(url) === withoutQuery(own)) {
				return 'This is the URL of the trigger itself';
			}
			return await Promise.race([
				forwardTo(context, url, body, deadline),
				sleep(milliseconds).then(() => 'No answer in time'),
			]);
		}),
	);
	return urls.flatMap((url, index) => {
		const message = results[index];
		return message === undefined ? [] : [{ url: withoutQuery(url), message }];
	});
}
