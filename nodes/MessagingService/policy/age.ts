import { Failure } from '../failure';

/** How old a reading of the service may be when a request goes out. */
export const MAX_AGE_MS = 5 * 60_000;

/**
 * Why a reading decides nothing any more: the request reads the list again, and waits again.
 * @param reading undefined where nothing was read
 * @param list what was read: "list of messages"
 */
export function refusedAsOld(
	reading: { readAt: number } | undefined,
	list: string,
): Failure | undefined {
	// Also before a clock that was set back.
	if (reading === undefined || Math.abs(Date.now() - reading.readAt) < MAX_AGE_MS) return undefined;
	return new Failure(
		`The ${list} was read more than five minutes ago`,
		'The request waited too long for its turn after each reading of the list, so it was not sent. If the service allows more, raise Requests per Second in the credential.',
		{ retry: { afterMs: 0 } },
	);
}
