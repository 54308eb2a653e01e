import type { IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

/** n8n's answer to one delivery. */
export type DeliveryResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** How long n8n may take to answer a delivery whose sender is gone. */
const PATIENCE = 60_000;
const INTERVAL = 25;

/** Whether the sender still waits for the answer. */
export function isWaiting(response: DeliveryResponse): boolean {
	return !response.destroyed && !response.closed;
}

/**
 * Waits until n8n has answered a delivery and tells whether it has taken it over: n8n answers an
 * event with success only once its execution is stored.
 */
export async function handedOver(response: DeliveryResponse): Promise<boolean> {
	if (!response.writableEnded && isWaiting(response)) {
		await new Promise<void>((resolve) => {
			response.once('finish', resolve);
			response.once('close', resolve);
		});
	}
	// The sender may be gone before n8n has answered; what n8n would have said is what counts.
	for (let waited = 0; !response.writableEnded && waited < PATIENCE; waited += INTERVAL) {
		await sleep(INTERVAL);
	}
	return response.writableEnded && response.statusCode >= 200 && response.statusCode < 300;
}
