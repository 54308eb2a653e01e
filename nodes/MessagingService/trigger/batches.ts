import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

/** n8n's response to one delivery. */
export type DeliveryResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** The longest time that the first event of a batch waits for more; the service waits as long. */
const MAX_WAIT_MILLISECONDS = 1000;

/** Without another event for so long, the batch goes: the service may deliver only so many concurrently. */
const IDLE_MILLISECONDS = 100;

/** The part of a delivery in its batch. */
export type BatchResult =
	/** This delivery starts the execution, with the items of all. */
	| { role: 'carrier'; items: INodeExecutionData[] }
	/** Another one does; once it is known whether n8n took it over, this one can be answered. */
	| { role: 'member'; isHandedOver: boolean };

interface Member {
	item: INodeExecutionData;
	response: DeliveryResponse;
}

/** Deliveries that are held open together. */
class Batch {
	/** Those whose sender still waits when the batch goes; the first carries the items of all. */
	readonly gone: Promise<Member[]>;
	isFull = false;
	private readonly members: Member[] = [];
	private lastArrival = Date.now();
	private outcome: Promise<boolean> | undefined;
	private declareFull: () => void = () => undefined;
	private readonly full: Promise<void>;

	constructor() {
		this.full = new Promise((resolve) => {
			this.declareFull = resolve;
		});
		this.gone = this.fill();
	}

	/** @param size of this delivery: a workflow published since may have a smaller one */
	add(member: Member, size: number): void {
		this.members.push(member);
		this.lastArrival = Date.now();
		if (this.members.length < size) return;
		this.isFull = true;
		this.declareFull();
	}

	/** Whether n8n has taken the batch over: its response to the delivery that carries it. */
	async isHandedOver(carrier: Member): Promise<boolean> {
		this.outcome ??= handedOver(carrier.response);
		return await this.outcome;
	}

	/** Waits until the batch is full, its time is over, or nothing has come for a while. */
	private async fill(): Promise<Member[]> {
		const deadline = Date.now() + MAX_WAIT_MILLISECONDS;
		for (;;) {
			const wait = Math.min(deadline, this.lastArrival + IDLE_MILLISECONDS) - Date.now();
			if (this.isFull || wait <= 0) break;
			await Promise.race([sleep(wait), this.full]);
		}
		return this.members.filter(({ response }) => isWaiting(response));
	}
}

/** The batch of each trigger that still takes events. */
const open = new Map<string, Batch>();

/** Whether the sender still waits for the response. */
function isWaiting(response: DeliveryResponse): boolean {
	return !response.destroyed && !response.closed;
}

/**
 * Waits for n8n's response to a delivery and tells whether n8n has taken it over: it responds with
 * success only once the execution is stored or, if it responds at the end, has succeeded. Where the
 * sender has gone before, nobody can tell.
 */
async function handedOver(response: DeliveryResponse): Promise<boolean> {
	if (!response.writableEnded && isWaiting(response)) {
		await new Promise<void>((resolve) => {
			response.once('finish', resolve);
			response.once('close', resolve);
		});
	}
	return response.writableEnded && response.statusCode >= 200 && response.statusCode < 300;
}

/**
 * Puts a delivery into the batch of its trigger and waits until the batch goes. Nothing in it is
 * acknowledged before n8n has taken over the execution that carries it. A delivery whose sender has
 * given up stays out: the service delivers it again.
 * @param key of the trigger
 * @param size maximum number of events in a batch
 */
export async function joinBatch(
	key: string,
	item: INodeExecutionData,
	response: DeliveryResponse,
	size: number,
): Promise<BatchResult> {
	const batch = open.get(key) ?? new Batch();
	open.set(key, batch);
	const member: Member = { item, response };
	batch.add(member, size);
	if (batch.isFull) open.delete(key);
	const members = await batch.gone;
	if (open.get(key) === batch) open.delete(key);

	const [carrier] = members;
	if (carrier === undefined || !members.includes(member)) {
		return { role: 'member', isHandedOver: false };
	}
	if (carrier === member) return { role: 'carrier', items: members.map((each) => each.item) };
	return { role: 'member', isHandedOver: await batch.isHandedOver(carrier) };
}
