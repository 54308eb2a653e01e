import type { INodeExecutionData } from 'n8n-workflow';
import chunk from 'lodash/chunk';
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

/** Deliveries that start one execution together: the first carries the items of all. */
class Group {
	readonly members: Member[];
	private outcome: Promise<boolean> | undefined;

	constructor(members: Member[]) {
		this.members = members;
	}

	/** Whether n8n has taken the group over: its response to the delivery that carries the group. */
	async isHandedOver(carrier: Member): Promise<boolean> {
		this.outcome ??= handedOver(carrier.response);
		return await this.outcome;
	}
}

/** Deliveries that are held open together. */
class Batch {
	readonly members: Member[] = [];
	lastArrival = Date.now();
	/** Resolves when the batch has all events it may have. */
	readonly full: Promise<void>;
	/** All whose sender is still there, in groups that do not exceed the Batch Size. */
	readonly sealed: Promise<Group[]>;
	declareFull: () => void = () => undefined;
	private resolveSealed: (groups: Group[]) => void = () => undefined;
	private size = Number.POSITIVE_INFINITY;

	constructor() {
		this.full = new Promise((resolve) => {
			this.declareFull = resolve;
		});
		this.sealed = new Promise((resolve) => {
			this.resolveSealed = resolve;
		});
	}

	/** @param size of this delivery: a workflow published since may have a smaller one */
	add(member: Member, size: number): void {
		this.members.push(member);
		this.lastArrival = Date.now();
		this.size = Math.min(this.size, size);
		if (this.members.length >= this.size) this.declareFull();
	}

	get isFull(): boolean {
		return this.members.length >= this.size;
	}

	seal(): void {
		const waiting = this.members.filter(({ response }) => isWaiting(response));
		this.resolveSealed(chunk(waiting, this.size).map((members) => new Group(members)));
	}
}

/** The batch of each trigger that still takes events. */
const open = new Map<string, Batch>();

/** A wait in progress cannot be ended: short ones leave no timer behind when the batch is full. */
const LONGEST_SLEEP = 100;

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
		await Promise.race([sleep(Math.min(wait, LONGEST_SLEEP)), full]);
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
	batch.add(member, limits.size);
	if (batch.isFull) open.delete(key);
	else if (existing === undefined) open.set(key, batch);
	if (existing === undefined) {
		await fill(batch, limits);
		if (open.get(key) === batch) open.delete(key);
		batch.seal();
	}

	const group = (await batch.sealed).find(({ members }) => members.includes(member));
	const carrier = group?.members[0];
	if (group === undefined || carrier === undefined) return { role: 'member', isHandedOver: false };
	if (carrier === member) {
		return { role: 'carrier', items: group.members.map((each) => each.item) };
	}
	return { role: 'member', isHandedOver: await group.isHandedOver(carrier) };
}
