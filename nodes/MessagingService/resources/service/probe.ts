import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../failure';
import { isObject, objectsOf } from '../../json';
import { looksLikeMarkup } from '../../texts';
import type { ObservingClient, ReadRequest } from '../../transport/request';
import { PAGE, RECORDS, toPage } from '../../transport/responseShape';

export const MESSAGES = '/api/SMSMessages';

/** What a request came to: a response with a status of success, or what went wrong. */
export interface Look {
	content?: unknown;
	/** When the service responded, by its own clock: milliseconds since 1970. */
	date?: number | undefined;
	/** The HTTP status of a refusal. */
	status?: string | undefined;
	/** What went wrong, without words of the service: they may be about somebody. */
	problem?: string;
	/** The field of the credential because of which nothing was asked, and how to fix it. */
	invalid?: { setting: string; advice: string } | undefined;
}

/** A list as one response shows it. */
export interface List {
	path: string;
	records: IDataObject[];
	/** How many records there are; undefined where the service does not tell. */
	total?: number | undefined;
	totalPages?: number | undefined;
	/** Index of this page, as the service says it. */
	pageIndex?: number | undefined;
	/** As `Look.date`. */
	date?: number | undefined;
}

/** Reads a path for the check. */
export async function look(
	client: ObservingClient,
	request: Omit<ReadRequest, 'method'>,
): Promise<Look> {
	try {
		return await client.observe({ method: 'GET', ...request });
	} catch (error) {
		const { message, description: advice, facts } = Failure.of(error);
		const { httpCode: status, field: setting } = facts;
		if (status !== undefined) return { status, problem: `status ${status}` };
		return { problem: message, invalid: setting === undefined ? undefined : { setting, advice } };
	}
}

/** The list that a response shows; undefined where it shows none. */
export function listIn(path: string, { content, date }: Look): List | undefined {
	if (PAGE.matches(content)) {
		const { items, totalRecords, ...page } = toPage(content as IDataObject);
		return { path, date, records: items, total: totalRecords, ...page };
	}
	return RECORDS.matches(content) ? { path, date, records: objectsOf(content) } : undefined;
}

/** Whether a list is that of SMS messages. */
export function isOfMessages({ path }: List): boolean {
	return path === MESSAGES;
}

/** What a response is that is not the expected one, without its words. */
export function shapeOf({ problem, content }: Look): string {
	if (problem !== undefined) return problem;
	if (typeof content === 'string' && looksLikeMarkup(content)) return 'a web page';
	if (isObject(content)) {
		const names = Object.keys(content).filter((name) => /^\w{1,40}$/.test(name));
		return `a JSON object with ${names.slice(0, 10).join(', ') || 'no fields'}`;
	}
	return Array.isArray(content) ? 'a JSON array' : 'a response that is no JSON object';
}

/** What identifies a record. */
export function idOf(record: IDataObject | undefined): unknown {
	return record?.newId ?? record?.id ?? record?.storageID ?? JSON.stringify(record);
}
