import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

/** n8n's response to one delivery. */
export type DeliveryResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** The longest time that the first event of a batch waits for more; the service waits as long. */
const MAX_BATCH_MS = 1000;

/** Without another event for so long, the batch goes: the service may deliver only so many concurrently. */
const IDLE_MS = 100;

/** Deliveries that are held open together. The first one carries the items of all. */
class DeliveryBatch {
	/** All items, when the batch goes. */
	readonly gone: Promise<INodeExecutionData[]>;
	/** Whether n8n has taken the batch over. */
	readonly isHandedOver: Promise<boolean>;
	isFull = false;
	private readonly items: INodeExecutionData[] = [];
	private lastArrival = Date.now();
	private declareFull: () => void = () => undefined;
	private readonly full: Promise<void>;

	constructor(carrier: DeliveryResponse) {
		this.full = new Promise((resolve) => {
			this.declareFull = resolve;
		});
		this.gone = this.fill();
		this.isHandedOver = this.gone.then(async () => await isTakenOver(carrier));
	}

	/** @param size of this delivery: a workflow published since may have a smaller one */
	add(item: INodeExecutionData, size: number): void {
		this.items.push(item);
		this.lastArrival = Date.now();
		if (this.items.length < size) return;
		this.isFull = true;
		this.declareFull();
	}

	/** Waits until the batch is full, its time is over, or nothing has come for a while. */
	private async fill(): Promise<INodeExecutionData[]> {
		const deadline = Date.now() + MAX_BATCH_MS;
		for (;;) {
			const wait = Math.min(deadline, this.lastArrival + IDLE_MS) - Date.now();
			if (this.isFull || wait <= 0) return this.items;
			await Promise.race([sleep(wait), this.full]);
		}
	}
}

/** The batch of each trigger that still takes events. */
const open = new Map<string, DeliveryBatch>();

/**
 * Waits for n8n's response to a delivery and tells whether n8n has taken it over: it responds with
 * success only once the execution is stored or, if it responds at the end, has succeeded. Where the
 * sender has gone before, nobody can tell.
 */
export async function isTakenOver(response: DeliveryResponse): Promise<boolean> {
	if (!response.writableEnded && !response.destroyed && !response.closed) {
		await new Promise<void>((resolve) => {
			response.once('finish', resolve);
			response.once('close', resolve);
		});
	}
	return response.writableEnded && response.statusCode >= 200 && response.statusCode < 300;
}

/**
 * Puts a delivery into the batch of its trigger and waits until the batch goes. Nothing in it is
 * acknowledged before n8n has taken over the execution that carries it.
 * @param key of the trigger
 * @param size maximum number of events in a batch
 * @returns the items of all for the delivery that starts the execution; for the others, whether n8n
 * has taken them over
 */
export async function joinBatch(
	key: string,
	item: INodeExecutionData,
	response: DeliveryResponse,
	size: number,
): Promise<INodeExecutionData[] | boolean> {
	const joined = open.get(key);
	const batch = joined ?? new DeliveryBatch(response);
	open.set(key, batch);
	batch.add(item, size);
	if (batch.isFull) open.delete(key);
	const items = await batch.gone;
	if (open.get(key) === batch) open.delete(key);
	return joined === undefined ? items : await batch.isHandedOver;
}
