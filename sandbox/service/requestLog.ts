import type { Database } from './database.ts';
import { readList } from './listing.ts';
import { keepLatest } from './retention.ts';
import type { SettingsStore } from './settings.ts';

/** A request as it came in and what was answered. */
export interface LoggedRequest {
	/** The service's time, ISO 8601. */
	at: string;
	method: string;
	url: string;
	operationId: string | null;
	headers: Record<string, unknown>;
	/** The body as text. */
	body: string | undefined;
	/** Null when the connection was cut instead of a response. */
	status: number | null;
	response: string | null;
	/** The kind of the fault that was applied. */
	fault: string | null;
}

/** A request as the control API shows it. */
export interface RequestRecord extends Omit<LoggedRequest, 'body' | 'response'> {
	id: number;
	path: string;
	body: unknown;
	response: unknown;
}

interface RequestRow {
	id: number;
	at: string;
	method: string;
	path: string;
	url: string;
	operationId: string | null;
	headers: string;
	body: string | null;
	status: number | null;
	response: string | null;
	fault: string | null;
}

const longestBody = 256 * 1024;
const longestResponse = 64 * 1024;
const mask = '***';

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

/** Keeps every request to the service, without its secrets. */
export class RequestLog {
	readonly #database: Database;
	readonly #settings: SettingsStore;

	constructor(database: Database, settings: SettingsStore) {
		this.#database = database;
		this.#settings = settings;
	}

	add({
		at,
		method,
		url,
		operationId,
		headers,
		body,
		status,
		response,
		fault,
	}: LoggedRequest): void {
		const text = body === undefined || body === '' ? null : this.#masked(cut(body, longestBody));
		const shown = this.#maskedUrl(url);
		const id = this.#database.run(
			`INSERT INTO requests (at, method, path, url, operationId, headers, body, status, response, fault)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			at,
			method,
			shown.split('?')[0] ?? '',
			shown,
			operationId,
			JSON.stringify(this.#maskedHeaders(headers)),
			text,
			status,
			response === null ? null : cut(response, longestResponse),
			fault,
		);
		keepLatest(this.#database, 'requests', id, this.#settings.current.keep.requests);
	}

	/** Recorded requests, oldest first. */
	list(filter: {
		method?: string | undefined;
		path?: string | undefined;
		operationId?: string | undefined;
		status?: number | undefined;
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
				['status = ?', filter.status],
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

	count(): number {
		return this.#database.number('SELECT count(*) AS n FROM requests') ?? 0;
	}

	#maskedHeaders(headers: Record<string, unknown>): Record<string, unknown> {
		const { authentication } = this.#settings.current;
		const secret = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);
		if (authentication.kind === 'header') secret.add(authentication.name.toLowerCase());
		if (authentication.kind === 'custom') {
			for (const name of Object.keys(authentication.headers ?? {})) secret.add(name.toLowerCase());
		}
		return Object.fromEntries(
			Object.entries(headers).map(([name, value]) => [name, secret.has(name) ? mask : value]),
		);
	}

	#maskedUrl(url: string): string {
		const { authentication } = this.#settings.current;
		const names =
			authentication.kind === 'query'
				? [authentication.name]
				: authentication.kind === 'custom'
					? Object.keys(authentication.query ?? {})
					: [];
		const [path = '', query] = url.split('?', 2);
		if (query === undefined || names.length === 0) return url;
		const parts = query.split('&').map((part) => {
			const [name = ''] = part.split('=');
			return names.includes(decodeURIComponent(name)) ? `${name}=${mask}` : part;
		});
		return `${path}?${parts.join('&')}`;
	}

	/** Secrets that the custom authentication carries in the body. */
	#masked(body: string): string {
		const { authentication } = this.#settings.current;
		if (authentication.kind !== 'custom') return body;
		return Object.values(authentication.body ?? {}).reduce(
			(text, secret) => text.replaceAll(JSON.stringify(secret), `"${mask}"`),
			body,
		);
	}
}
