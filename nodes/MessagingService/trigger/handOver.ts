import type { IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

/** n8n's response to one delivery. */
export type DeliveryResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** How long n8n may take to respond once the sender is gone: a whole workflow, perhaps. */
const PATIENCE = 600_000;
const SHORTEST_INTERVAL = 25;

/** Whether the sender still waits for the response. */
export function isWaiting(response: DeliveryResponse): boolean {
	return !response.destroyed && !response.closed;
}

/**
 * Waits for n8n's response to a delivery and tells whether n8n has taken it over: it responds with
 * success only once the execution is stored or, if it responds at the end, has succeeded.
 */
export async function handedOver(response: DeliveryResponse): Promise<boolean> {
	if (!response.writableEnded && isWaiting(response)) {
		await new Promise<void>((resolve) => {
			response.once('finish', resolve);
			response.once('close', resolve);
		});
	}
	// The sender may be gone before n8n responds; what n8n would have said is what counts.
	for (let waited = 0; !response.writableEnded && waited < PATIENCE;) {
		const interval = Math.max(SHORTEST_INTERVAL, waited / 50);
		await sleep(interval);
		waited += interval;
	}
	return response.writableEnded && response.statusCode >= 200 && response.statusCode < 300;
}
