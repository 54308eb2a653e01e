import { sleep } from 'n8n-workflow';

/** How long a run works before n8n gets a turn. */
const TURN_MS = 50;

/** Lets n8n do other things while a run works through many rows without waiting for the service. */
export class Turns {
	private end = Date.now() + TURN_MS;

	async give(): Promise<void> {
		if (Date.now() < this.end) return;
		await sleep(0);
		this.end = Date.now() + TURN_MS;
	}
}
