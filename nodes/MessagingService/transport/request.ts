import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import type { Reach } from '../reach';
import type { Failure } from '../failure';
import { hasInvalidUnicode } from '../texts';
import type { ServiceSettings } from './settings';

/** One request to the service; paths are those of the interface's section "Endpoints". */
export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'GET' | 'POST'>;
	/** Path below the base URL, starting with `/api`; values in it go through `pathSegment`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** What a successful response must be beyond its kind. */
	expected?: ExpectedResponse;
	/** Whether a second time changes nothing. Then it is made again if the response leaves its result open. */
	isRepeatable?: boolean;
}

/** Whether a request may be made again although it may have been accepted. */
export function mayBeRepeated({ method, isRepeatable = false }: ServiceRequest): boolean {
	return method === 'GET' || isRepeatable;
}

/** A request that only reads. */
export interface ReadRequest extends ServiceRequest {
	method: 'GET';
	/** Another form of the path, which is read where this one is not found (404). */
	otherPath?: string;
}

/** A request that changes something: it sends, stores or registers. */
export interface PostRequest<To extends Reach = Reach> extends ServiceRequest {
	method: 'POST';
	reaches: To;
	/**
	 * The record that it changes. Requests of a run that change one record are made in the order of
	 * the input items, and each try recognizes them by it.
	 */
	changes?: string;
}

/** What a successful response must be, where its kind alone does not tell. */
export interface ExpectedResponse {
	/** Continues "The response is not ...". */
	description: string;
	matches(body: unknown): boolean;
}

/** A response of the service, its body as text. */
export interface ServiceResponse {
	statusCode: number;
	headers: IDataObject;
	body: string;
}

/** A response with any content, and when it was made. */
export interface Observation {
	/** The JSON of the body, its text where it is no JSON, or `undefined` for an empty one. */
	content: unknown;
	/** By the clock of the service, in milliseconds since 1970; undefined where it does not tell. */
	date: number | undefined;
}

/** One page of a list as the service returned it (interface, "Paginated envelope"). */
export interface Page {
	/** Index of the page as the service says it; undefined where the list has no envelope. */
	pageIndex?: number | undefined;
	totalPages?: number | undefined;
	totalRecords?: number | undefined;
	items: IDataObject[];
}

/**
 * Reads with one credential, which is read once. The methods make one request each; they differ in
 * what the response must be. All throw a Failure when the service does not respond, refuses, or
 * returns something else.
 */
export interface ReadClient {
	/** Digest of address, Client ID and authentication: tells accounts apart, without their secrets. */
	accountKey: string;
	settings: ServiceSettings;
	/** The response is one record. */
	record(request: ReadRequest): Promise<IDataObject>;
	/** The response is one page of records in its envelope. */
	page(request: ReadRequest): Promise<Page>;
	/** The response is an array of records. */
	records(request: ReadRequest): Promise<IDataObject[]>;
}

/** Whether a request may still go out when its turn comes, perhaps after a long wait. */
export interface TurnCheck {
	/** Is called before each wait, to read again what the decision needs. @throws Failure */
	prepare(): Promise<void>;
	/** Why the request must not be sent. With `retry`, the request waits for another turn. */
	refusal(): Failure | undefined;
}

/** Reads, and looks at what it reads. */
export interface ObservingClient extends ReadClient {
	/** The response is anything. */
	observe(request: ReadRequest): Promise<Observation>;
}

/** Reads and sends. */
export interface ServiceClient extends ObservingClient {
	/** Maximum number of requests in progress. */
	concurrency: number;
	/**
	 * A 2xx status is a success, unless the body says otherwise. Returns the JSON of the body, its text
	 * where it is no JSON, or `undefined` for an empty one.
	 * @param check is asked in each try whether the request may still go out
	 */
	post(request: PostRequest, check?: TurnCheck): Promise<unknown>;
}

/**
 * A value as one segment of a path: nothing in it can change the path or the query. The values `.`
 * and `..` cannot be one, however they are written: see `isPathSegment`.
 */
export function pathSegment(value: string | number): string {
	return encodeURIComponent(String(value));
}

/**
 * Whether a value can be a segment of a path: URL parsers resolve dots, also encoded ones, and an
 * invalid Unicode character cannot be encoded.
 */
export function isPathSegment(value: string): boolean {
	return !['', '.', '..'].includes(value) && !hasInvalidUnicode(value);
}
