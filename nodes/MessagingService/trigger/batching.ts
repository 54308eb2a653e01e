import type { INodeExecutionData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { handedOver, isWaiting, type DeliveryResponse } from './handOver';

/** When a batch is full. */
export interface BatchLimits {
	/** Events in a batch. */
	size: number;
	/** How long the first event waits for more. */
	milliseconds: number;
	/** Ends the wait when no event has come for so long; 0 waits to the end. */
	quietMilliseconds: number;
}

/** What becomes of a delivery in a batch. */
export type BatchResult =
	/** This delivery starts the execution, with the items of all. */
	| { role: 'carrier'; items: INodeExecutionData[] }
	/** Another one does; once it is known whether n8n took it over, this one can be answered. */
	| { role: 'passenger'; isHandedOver: boolean };

interface Member {
	item: INodeExecutionData;
	response: DeliveryResponse;
}

/** Deliveries that are held open together. */
class Batch {
	readonly members: Member[] = [];
	lastArrival = Date.now();
	/** Resolves when the batch has all events it may have. */
	readonly full: Promise<void>;
	/** The delivery that takes the others along, and all whose sender is still there. */
	readonly sealed: Promise<Member[]>;
	declareFull: () => void = () => undefined;
	seal: (members: Member[]) => void = () => undefined;
	private outcome: Promise<boolean> | undefined;

	constructor() {
		this.full = new Promise((resolve) => {
			this.declareFull = resolve;
		});
		this.sealed = new Promise((resolve) => {
			this.seal = resolve;
		});
	}

	/** Whether n8n has taken over the batch: asked of the answer to the delivery that carries it. */
	async isHandedOver(carrier: Member): Promise<boolean> {
		this.outcome ??= handedOver(carrier.response);
		return await this.outcome;
	}
}

/** The batch of each trigger that still takes events. */
const open = new Map<string, Batch>();

/** Waits until the batch is full, its time is over, or nothing has come for a while. */
async function fill(batch: Batch, { milliseconds, quietMilliseconds }: BatchLimits): Promise<void> {
	const deadline = Date.now() + milliseconds;
	let isFull = false;
	const full = batch.full.then(() => {
		isFull = true;
	});
	for (;;) {
		const quietEnd =
			quietMilliseconds > 0 ? batch.lastArrival + quietMilliseconds : Number.POSITIVE_INFINITY;
		const wait = Math.min(deadline, quietEnd) - Date.now();
		if (isFull || wait <= 0) return;
		await Promise.race([sleep(wait), full]);
	}
}

/**
 * Puts a delivery into the batch of its trigger and waits until the batch goes. Nothing in it is
 * acknowledged before n8n has taken over the execution that carries it. A delivery whose sender has
 * given up stays out: the service brings it again.
 */
export async function joinBatch(
	key: string,
	item: INodeExecutionData,
	response: DeliveryResponse,
	limits: BatchLimits,
): Promise<BatchResult> {
	const existing = open.get(key);
	const batch = existing ?? new Batch();
	const member: Member = { item, response };
	batch.members.push(member);
	batch.lastArrival = Date.now();
	if (existing === undefined) open.set(key, batch);
	if (batch.members.length >= limits.size) {
		open.delete(key);
		batch.declareFull();
	}
	if (existing === undefined) {
		await fill(batch, limits);
		if (open.get(key) === batch) open.delete(key);
		batch.seal(batch.members.filter((waiting) => isWaiting(waiting.response)));
	}

	const aboard = await batch.sealed;
	const [carrier] = aboard;
	if (carrier === undefined || !aboard.includes(member)) {
		return { role: 'passenger', isHandedOver: false };
	}
	if (carrier === member) return { role: 'carrier', items: aboard.map((each) => each.item) };
	return { role: 'passenger', isHandedOver: await batch.isHandedOver(carrier) };
}
