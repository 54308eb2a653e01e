import { LimitedMap } from './limitedMap';

/** How many events are remembered in a process, over all triggers: some megabytes. */
const MAX_REMEMBERED = 50_000;

/**
 * Events that n8n has taken over (true), or is about to: the promise tells whether it did. Only
 * then an event counts as seen, otherwise the service's next try would be dropped, and the event
 * with it.
 */
const seen = new LimitedMap<string, true | Promise<boolean>>(MAX_REMEMBERED);

/**
 * Claims an event for this delivery. False when another delivery has brought it already; waits for
 * one in progress.
 * @param outcome whether n8n has taken over the event, once that is known
 */
export async function claimEvent(key: string, outcome: () => Promise<boolean>): Promise<boolean> {
	for (;;) {
		const known = seen.get(key);
		if (known === undefined) break;
		if (known === true || (await known)) return false;
	}
	const pending = outcome().then(
		(isTaken) => {
			if (isTaken) seen.set(key, true);
			else seen.delete(key);
			return isTaken;
		},
		() => {
			seen.delete(key);
			return false;
		},
	);
	seen.set(key, pending);
	return true;
}
