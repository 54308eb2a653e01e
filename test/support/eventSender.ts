import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';

/** The events that were sent, by result. */
export interface Sent {
	/** Events that were answered with success, by their number, with the tries they took. */
	acknowledged: Map<number, number>;
	/**
	 * Those of them to which n8n has responded with 200 and "n8n is starting up" instead of handing
	 * them to the trigger: it does so for a moment when it starts, for every webhook.
	 */
	lostInStartUp: Set<number>;
	seconds: number;
}

/** How to send events as the service does. */
export interface SendOptions {
	url: string;
	count: number;
	/** Number of the first event; 0 unless given. */
	first?: number;
	connections: number;
	/** What is special about an event; an SMS that was delivered unless given. */
	special?: (number: number) => { webHookType?: number; data?: Record<string, unknown> };
	/** Tries for each event; 1 unless given. */
	tries?: number;
	/** Told after each acknowledged event how many there are. */
	onAcknowledged?: (total: number) => void;
}

/** An SMS event with its number in it. */
function numberedEvent(
	number: number,
	{ webHookType = 1, data = {} }: ReturnType<NonNullable<SendOptions['special']>> = {},
) {
	return {
		webHookType,
		data: {
			clientId: 1001,
			Id: number,
			phoneNumberId: `contact-${String(number)}`,
			phoneNumber: `+4477009${String(number).padStart(5, '0')}`,
			parts: 1,
			dateCreated: '2026-01-01T10:00:00Z',
			lastUpdated: '2026-01-01T10:00:05Z',
			price: 0.04,
			statusCode: 1,
			...data,
		},
	};
}

/** Sends numbered events over so many connections, again where they are not acknowledged. */
export async function sendEvents(options: SendOptions): Promise<Sent> {
	const { url, count, connections, special, first = 0, tries = 1, onAcknowledged } = options;
	const http = axios.create({
		httpAgent: new Agent({ keepAlive: true, maxSockets: connections }),
		proxy: false,
		timeout: 60_000,
		validateStatus: () => true,
	});
	const acknowledged = new Map<number, number>();
	const lostInStartUp = new Set<number>();
	let next = first;

	async function sender(): Promise<void> {
		while (next < first + count) {
			const number = next++;
			for (let attempt = 1; attempt <= tries; attempt++) {
				const { status, data } = await http
					.post<unknown>(url, numberedEvent(number, special?.(number)))
					.catch(() => ({ status: 0, data: undefined }));
				if (status >= 200 && status < 300) {
					acknowledged.set(number, attempt);
					if (/starting up/.test(String(data))) lostInStartUp.add(number);
					onAcknowledged?.(acknowledged.size);
					break;
				}
				if (attempt < tries) await sleep(500);
			}
		}
	}

	const started = performance.now();
	await Promise.all(Array.from({ length: connections }, sender));
	return { acknowledged, lostInStartUp, seconds: (performance.now() - started) / 1000 };
}
