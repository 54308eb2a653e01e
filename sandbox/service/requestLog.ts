import type { FastifyRequest } from 'fastify';
import type { Database } from './database.ts';
import { readList } from './listing.ts';

/** What was answered to a request. */
export interface LoggedResponse {
	/** The service's time, ISO 8601. */
	at: string;
	/** Null when the connection was cut instead of a response. */
	status: number | null;
	response: string | null;
}

interface RequestRow extends LoggedResponse {
	id: number;
	method: string;
	path: string;
	url: string;
	operationId: string | null;
	headers: string;
	body: string | null;
	/** The kind of the fault that was applied. */
	fault: string | null;
}

/** A request as the control API shows it. */
export interface RequestRecord extends Omit<RequestRow, 'headers' | 'body' | 'response'> {
	headers: Record<string, unknown>;
	body: unknown;
	response: unknown;
}

const longestBody = 256 * 1024;
const longestResponse = 64 * 1024;

const cut = (text: string, longest: number): string =>
	text.length <= longest
		? text
		: `${text.slice(0, longest)}... (cut; ${String(text.length)} characters in all)`;

const parsed = (text: string | null): unknown => {
	if (text === null) return null;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
};

/** Keeps every request to the service. */
export class RequestLog {
	readonly #database: Database;

	constructor(database: Database) {
		this.#database = database;
	}

	add(request: FastifyRequest, { at, status, response }: LoggedResponse): void {
		const { method, originalUrl: url, operationId, text = '', fault } = request;
		this.#database.insert('requests', {
			...{ at, method, url, operationId, status },
			path: url.split('?')[0] ?? '',
			headers: JSON.stringify(request.headers),
			body: text === '' ? null : cut(text, longestBody),
			response: response === null ? null : cut(response, longestResponse),
			fault: fault?.kind ?? null,
		});
	}

	/** Recorded requests, oldest first. */
	list(filter: {
		method?: string | undefined;
		path?: string | undefined;
		operationId?: string | undefined;
		after?: number | undefined;
		limit: number;
	}): { total: number; items: RequestRecord[] } {
		const { total, items } = readList<RequestRow>(this.#database, {
			from: 'requests',
			columns: '*',
			key: 'id',
			conditions: [
				['method = upper(?)', filter.method],
				['instr(lower(path), lower(?)) > 0', filter.path],
				['operationId = ?', filter.operationId],
				['id > ?', filter.after],
			],
			limit: filter.limit,
		});
		return {
			total,
			items: items.map((row) => ({
				...row,
				headers: JSON.parse(row.headers) as Record<string, unknown>,
				body: parsed(row.body),
				response: parsed(row.response),
			})),
		};
	}
}
