import type { ReadClient } from '../transport/request';

/**
 * Ends a reading in the middle when the time that n8n gives a poll is over: what it has not read is
 * left to the next poll.
 */
class TimeUp extends Error {}

export const isTimeUp = (error: unknown): boolean => error instanceof TimeUp;

/** A client that makes no more requests once the time is up. */
export function withinTime(client: ReadClient, isUp: () => boolean): ReadClient {
	const inTime =
		<Request, Response>(read: (request: Request) => Promise<Response>) =>
		async (request: Request): Promise<Response> => {
			if (isUp()) throw new TimeUp();
			return await read(request);
		};
	return {
		accountKey: client.accountKey,
		settings: client.settings,
		record: inTime(async (request) => await client.record(request)),
		page: inTime(async (request) => await client.page(request)),
		records: inTime(async (request) => await client.records(request)),
	};
}
