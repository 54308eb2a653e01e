import { utcText } from './clock.ts';
import type { Database } from './database.ts';
import { readList } from './listing.ts';
import type { Contract } from './contract.ts';
import { presented } from './presentation.ts';
import type { SettingsStore } from './settings.ts';

/** An event as it is sent (interface: "Events"). */
export interface ServiceEvent {
	webHookType: number;
	data: Record<string, unknown>;
}

/** `noUrl`: nobody had registered a URL; `failed`: every try failed. */
export type DeliveryStatus = 'pending' | 'acknowledged' | 'failed' | 'noUrl';

/** One try to deliver an event. */
export interface DeliveryAttempt {
	at: string;
	url: string;
	status: number | null;
	error: string | null;
	body: string | null;
	durationMs: number;
}

/** A delivery as the control API shows it. */
export interface Delivery {
	id: number;
	/** Real time. */
	createdAt: string;
	/** The service's time at which what the event reports has happened. */
	serviceTime: string;
	kind: string;
	clientId: number;
	url: string | null;
	event: ServiceEvent;
	status: DeliveryStatus;
	attempts: DeliveryAttempt[];
}

/** How many deliveries are in which state. */
export type DeliveryCounts = Record<DeliveryStatus | 'total', number>;

interface Ready {
	id: number;
	clientId: number;
	event: string;
	attemptCount: number;
}

/** How many events are sent simultaneously, and how long each waits for its response, in milliseconds. */
const concurrency = 5;
const timeout = 30_000;
const longestBody = 2000;
const longestTimer = 2 ** 31 - 1;

/** What deliveries need of the service. */
interface Parts {
	contract: Contract;
	database: Database;
	settings: SettingsStore;
	violations: string[];
}

/** Sends events to the registered URLs, a few at a time, and keeps what came of it. */
export class Deliveries {
	readonly #service: Parts;
	readonly #database: Database;
	/** What is on its way. */
	readonly #taken = new Set<number>();
	#lookedAt = 0;
	#stopping = new AbortController();
	#timer: NodeJS.Timeout | undefined;
	#isWoken = false;
	#isStopped = false;

	constructor(service: Parts) {
		this.#service = service;
		this.#database = service.database;
	}

	/**
	 * Records an event for a client, with the service's time of what it reports, and sends it as soon as its turn
	 * comes; returns the delivery's id. Events that somebody made up are not checked against the contract.
	 */
	add(clientId: number, serviceTime: number, event: ServiceEvent, isChecked = true): number {
		const kind = this.#service.contract.eventKind(event.webHookType) ?? 'unknown';
		if (isChecked) this.#check(kind, event);
		const url = this.#urlOf(clientId);
		const now = Date.now();
		const row = {
			createdAt: utcText(now),
			serviceTime: utcText(serviceTime),
			kind,
			clientId,
			event: JSON.stringify(presented(this.#service.settings.current.conventions, event)),
			url: url ?? null,
			status: url === undefined ? 'noUrl' : 'pending',
			readyAt: now,
		};
		const { duplicates } = this.#service.settings.current.deliveries;
		let last = 0;
		for (let copy = 0; copy <= duplicates; copy++) last = this.#database.insert('deliveries', row);
		if (url !== undefined) this.wake();
		return last - duplicates;
	}

	/** Sends a recorded event once more; false if there is none of that id. */
	sendAgain(id: number): boolean {
		const changed = this.#database.change(
			"UPDATE deliveries SET status = 'pending', attemptCount = 0, readyAt = ? WHERE id = ? AND status <> 'pending'",
			Date.now(),
			id,
		);
		this.wake();
		return changed > 0;
	}

	/** Looks for work soon, after what runs now. */
	wake(): void {
		if (this.#isWoken) return;
		this.#isWoken = true;
		setImmediate(() => {
			this.#isWoken = false;
			this.#pump();
		});
	}

	/** How many deliveries there are in each state. */
	counts(): DeliveryCounts {
		const counts: DeliveryCounts = { total: 0, pending: 0, acknowledged: 0, failed: 0, noUrl: 0 };
		for (const { status, n } of this.#database.all<{ status: DeliveryStatus; n: number }>(
			'SELECT status, count(*) AS n FROM deliveries GROUP BY status',
		)) {
			counts[status] = n;
			counts.total += n;
		}
		return counts;
	}

	/** Whether anything is still to be sent. */
	hasPending(): boolean {
		return (
			this.#database.get("SELECT 1 FROM deliveries WHERE status = 'pending' LIMIT 1") !== undefined
		);
	}

	/** Recorded deliveries, oldest first. */
	list({ after, limit }: { after?: number | undefined; limit: number }): {
		total: number;
		items: Delivery[];
	} {
		const { total, items } = readList<DeliveryRow>(this.#database, {
			from: 'deliveries',
			columns: deliveryColumns,
			key: 'id',
			conditions: [['id > ?', after]],
			limit,
		});
		return { total, items: items.map((row) => this.#toDelivery(row)) };
	}

	/** One recorded delivery. */
	get(id: number): Delivery | undefined {
		const row = this.#database.get<DeliveryRow>(
			`SELECT ${deliveryColumns} FROM deliveries WHERE id = ?`,
			id,
		);
		return row && this.#toDelivery(row);
	}

	/** Drops what is in progress, before the store is cleared. */
	reset(): void {
		this.#stopping.abort();
		this.#stopping = new AbortController();
		this.#taken.clear();
		clearTimeout(this.#timer);
	}

	stop(): void {
		this.#isStopped = true;
		this.reset();
	}

	#urlOf(clientId: number): string | undefined {
		return this.#database.get<{ url: string }>(
			'SELECT url FROM webhooks WHERE clientId = ?',
			clientId,
		)?.url;
	}

	#pump(): void {
		clearTimeout(this.#timer);
		if (this.#isStopped || this.#service.settings.current.deliveries.paused) return;
		while (this.#taken.size < concurrency) {
			const next = this.#next();
			if (!next) break;
			this.#taken.add(next.id);
			const { signal } = this.#stopping;
			void this.#deliver(next, signal).finally(() => {
				if (signal.aborted) return;
				this.#taken.delete(next.id);
				this.#pump();
			});
		}
		// With all connections in use, the next that ends comes back here.
		if (this.#taken.size < concurrency) this.#wakeForRetry();
	}

	/** The next delivery whose time has come: the oldest, or the latest if the settings ask for it. */
	#next(): Ready | undefined {
		const direction = this.#service.settings.current.deliveries.reorder ? 'DESC' : 'ASC';
		this.#lookedAt = Date.now();
		const ready = this.#database.all<Ready>(
			`SELECT id, clientId, event, attemptCount FROM deliveries
			WHERE status = 'pending' AND readyAt <= ? ORDER BY readyAt ${direction}, id ${direction} LIMIT ?`,
			this.#lookedAt,
			this.#taken.size + 1,
		);
		return ready.find(({ id }) => !this.#taken.has(id));
	}

	#wakeForRetry(): void {
		const next = this.#database.number(
			"SELECT min(readyAt) AS n FROM deliveries WHERE status = 'pending' AND readyAt > ?",
			this.#lookedAt,
		);
		if (next === undefined) return;
		const wait = Math.min(longestTimer, Math.max(1, next - Date.now()));
		this.#timer = setTimeout(() => this.#pump(), wait);
	}

	async #deliver(
		{ id, clientId, event, attemptCount }: Ready,
		stopping: AbortSignal,
	): Promise<void> {
		const url = this.#urlOf(clientId);
		if (url === undefined) {
			this.#finish(id, 'noUrl');
			return;
		}
		const { retries, backoffSeconds } = this.#service.settings.current.deliveries;
		const startedAt = Date.now();
		const answer = await post(url, event, stopping);
		if (stopping.aborted) return;
		this.#database.transaction(() => {
			this.#database.insert('deliveryAttempts', {
				deliveryId: id,
				at: utcText(startedAt),
				url,
				...answer,
				durationMs: Date.now() - startedAt,
			});
			if (answer.error === null) this.#finish(id, 'acknowledged');
			else if (attemptCount >= retries) this.#finish(id, 'failed');
			else {
				const wait = backoffSeconds[attemptCount] ?? backoffSeconds.at(-1) ?? 1;
				this.#database.change(
					'UPDATE deliveries SET attemptCount = attemptCount + 1, readyAt = ? WHERE id = ?',
					Date.now() + wait * 1000,
					id,
				);
			}
		});
	}

	#finish(id: number, status: DeliveryStatus): void {
		this.#database.change(
			'UPDATE deliveries SET status = ?, attemptCount = attemptCount + 1 WHERE id = ?',
			status,
			id,
		);
	}

	#check(kind: string, event: ServiceEvent): void {
		const { contract, violations } = this.#service;
		const mismatch = contract.eventMismatch(kind, event);
		if (mismatch) violations.push(mismatch);
	}

	#toDelivery({ event, ...row }: DeliveryRow): Delivery {
		return {
			...row,
			event: JSON.parse(event) as ServiceEvent,
			attempts: this.#database.all<DeliveryAttempt>(
				'SELECT at, url, status, error, body, durationMs FROM deliveryAttempts WHERE deliveryId = ? ORDER BY id',
				row.id,
			),
		};
	}
}

/** Sends an event; what came back. Redirects are not followed. */
const post = async (
	url: string,
	body: string,
	stopping: AbortSignal,
): Promise<{ status: number | null; error: string | null; body: string | null }> => {
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json; charset=utf-8',
				'user-agent': 'messaging-service-sandbox',
			},
			body,
			redirect: 'manual',
			signal: AbortSignal.any([stopping, AbortSignal.timeout(timeout)]),
		});
		const text = await response.text();
		const error = response.ok ? null : `HTTP ${String(response.status)}`;
		return { status: response.status, error, body: text.slice(0, longestBody) };
	} catch (error) {
		const { name, message, cause } = error as Error;
		const isLate = name === 'TimeoutError';
		const reason = cause instanceof Error ? cause.message : message;
		return {
			status: null,
			error: isLate ? `No response within ${String(timeout / 1000)} seconds` : reason,
			body: null,
		};
	}
};

const deliveryColumns = 'id, createdAt, serviceTime, kind, clientId, url, event, status';

interface DeliveryRow extends Omit<Delivery, 'event' | 'attempts'> {
	event: string;
}
