import { sleep } from 'n8n-workflow';

/** Waits before further tries: what passes in some minutes is survived. */
const PAUSES = [1000, 5000, 20_000, 60_000, 300_000];

/**
 * Calls until a call succeeds, for about six minutes.
 * @returns why the last call failed, or undefined
 */
export async function untilDone(call: () => Promise<void>): Promise<unknown> {
	for (const pause of [...PAUSES, undefined]) {
		try {
			await call();
			return undefined;
		} catch (error) {
			if (pause === undefined) return error;
			await sleep(pause);
		}
	}
	return undefined;
}
