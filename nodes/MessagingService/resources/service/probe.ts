import { Failure } from '../../failure';
import type { ObservingClient, Observation } from '../../transport/request';

/** What a request came to: a response with a status of success, or what went wrong. */
export interface Look extends Partial<Observation> {
	/** The HTTP status of a refusal. */
	status?: string | undefined;
	/** What went wrong, without words of the service: they may be about somebody. */
	problem?: string;
}

/** Reads the service for the check, each path in one try. */
export class Probe {
	readonly client: ObservingClient;

	constructor(client: ObservingClient) {
		this.client = client;
	}

	/** @param path with its query, where it has one; values are encoded */
	async look(path: string, query: Record<string, string | number> = {}): Promise<Look> {
		try {
			return await this.client.observe({ method: 'GET', path, query });
		} catch (error) {
			const { message, facts } = Failure.of(error);
			const { httpCode: status } = facts;
			return { status, problem: status === undefined ? message : `status ${status}` };
		}
	}
}
