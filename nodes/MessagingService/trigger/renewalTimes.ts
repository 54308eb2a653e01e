const HOUR = 3_600_000;

/** Wait before another try to register a URL; it doubles with every failure. */
export const RETRY_MILLISECONDS = 5000;
const MAX_RETRY_MILLISECONDS = 300_000;

/** How much renewals differ from the interval, so that many triggers do not call together. */
const JITTER = 0.1;

/** When a URL registered now is registered again, in milliseconds; never for 0 hours. */
export function nextRenewal(everyHours: number): number {
	if (everyHours === 0) return Infinity;
	return Date.now() + everyHours * HOUR * (1 + JITTER * (2 * Math.random() - 1));
}

/** When to try again after so many failures in a row, in milliseconds. */
export function nextTry(failures: number): number {
	const wait = RETRY_MILLISECONDS * 2 ** Math.min(failures - 1, 10);
	return Date.now() + Math.min(wait, MAX_RETRY_MILLISECONDS);
}
