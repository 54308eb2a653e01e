import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { parseJson } from '../json';
import type { AnswerStream } from './answerBody';
import { readAnswer } from './answerBody';
import type { Failure, FieldLabels } from './errors';
import { webhookToken } from './webhookToken';
import {
	describeConnectionFailure,
	describeStatus,
	describeUnexpectedBody,
	errorCode,
	innermostMessage,
	notSentAgain,
	toNodeApiError,
	withoutSecrets,
} from './errors';
import type { PaceLimits } from './pace';
import { Pace } from './pace';
import type { FailedTry, RetryRules, TryResult } from './retry';
import { pause, retryAfterMs, withRetries } from './retry';
import { redact, secretsOf } from './secrets';
import { hasHalfCharacter, isLostName } from './sendable';
import type { CallRecord } from '../execution/sentRecord';

/** The n8n contexts from which the service is called. */
export type ServiceContext = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

/**
 * What the body of a successful answer must be: `object` (a record), `page`, `array`, `id`
 * (a JSON string or number), `anything` (also nothing: the interface does not show the response).
 */
type ExpectedBody = 'object' | 'page' | 'array' | 'id' | 'anything';

/** One page of a list (interface, "Paginated envelope"), its other fields unread. */
export interface PageEnvelope extends IDataObject {
	items: IDataObject[];
}

/** One request to the service; paths are those of the interface's section "Endpoints". */
export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'GET' | 'POST'>;
	/** Path below the base URL, starting with `/api`; values in it go through `pathSegment`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
}

/** The settings of the credential that concern requests. */
export interface ServiceSettings {
	/** Client identifier issued by the service; empty when not set. */
	clientId: string;
	/** Where the client identifier goes; the interface does not show it. */
	clientIdPlace: 'query' | 'path' | 'body';
	/** Names of the paging parameters; the interface does not show them. */
	pageIndexParameter: string;
	pageSizeParameter: string;
	/** Index of the first page, where the path carries it and no answer can tell it beforehand. */
	firstPageIndex: number;
	/** What webhook URLs carry to prove where they come from; undefined without a secret. */
	webhookToken?: string | undefined;
	/** IANA zone of the service's times without designator; empty for the workflow's. */
	timeZone: string;
}

/**
 * A connection to the service on one credential, which is read once. Its methods send one request;
 * they differ in what the answer must be. All throw a NodeApiError with a message for users when
 * the service does not answer, refuses, or answers something else.
 */
export interface ServiceClient {
	settings: ServiceSettings;
	/** The answer is one record. */
	record(request: ServiceRequest): Promise<IDataObject>;
	/** The answer is one page of records in its envelope. */
	page(request: ServiceRequest): Promise<PageEnvelope>;
	/** The answer is an array of records. */
	records(request: ServiceRequest): Promise<IDataObject[]>;
	/** The answer is an identifier as a JSON string (or number). */
	identifier(request: ServiceRequest): Promise<string>;
	/** The interface does not show the answer: JSON of every kind, or `undefined` for an empty body. */
	anything(request: ServiceRequest): Promise<unknown>;
}

/** A client, and the same for single calls of a run. */
export interface Connection extends ServiceClient {
	/** For one call: what the record says was accepted is not sent again. */
	forCall(record: CallRecord): ServiceClient;
}

/** How requests are made, beside what the credential says. */
export interface RequestBehaviour extends RetryRules, PaceLimits {
	/** How long to wait for an answer, its body included; n8n's own limit where it is not set. */
	timeoutMs?: number;
}

/** For requests that somebody waits for: searches in the editor, publishing a workflow. */
const BEHAVIOUR: RequestBehaviour = {
	maxRetries: 2,
	budgetMs: 5000,
	requestsAtOnce: 10,
	requestsPerSecond: 0,
};

/** An answer of the service, as n8n's HTTP helper gives it. */
interface Answer<Body> {
	statusCode: number;
	headers: IDataObject;
	body: Body;
}

/** n8n's own. It counts from the last byte received, so it alone never ends an answer that drips. */
const LONGEST_WAIT_MS = 300_000;

/** A secret of fewer characters may be an ordinary word of a record, which must stay as it is. */
const FEWEST_SECRET_CHARACTERS_IN_RECORDS = 12;

const CREDENTIAL = 'messagingServiceApi';

const EXPECTED: Readonly<Record<ExpectedBody, string>> = {
	object: 'a JSON object',
	page: 'a page of records with "items"',
	array: 'a JSON array',
	id: 'an identifier as a JSON string',
	anything: 'JSON',
};

/**
 * A value as one segment of a path: nothing in it can change the path or the query. The values `.`
 * and `..` cannot be one, however they are written: see `isPathSegment`.
 */
export function pathSegment(value: string | number): string {
	return encodeURIComponent(String(value));
}

/**
 * Whether a value can be a segment of a path: URL parsers resolve dots, also encoded ones, and half
 * a character cannot be encoded.
 */
export function isPathSegment(value: string): boolean {
	return !['', '.', '..'].includes(value) && !hasHalfCharacter(value);
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isExpected(body: unknown, expect: ExpectedBody): boolean {
	switch (expect) {
		case 'object':
			return isObject(body);
		case 'page':
			return isObject(body) && Array.isArray(body.items);
		case 'array':
			return Array.isArray(body);
		case 'id':
			return (typeof body === 'string' && body !== '') || typeof body === 'number';
		case 'anything':
			return true;
	}
}

/** The context, with a signal of ours that ends a request as the user's cancelling does. */
function withSignal(context: ServiceContext, signal: AbortSignal): ServiceContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as ServiceContext;
}

function readSettings(data: ICredentialDataDecryptedObject): ServiceSettings {
	const text = (value: unknown) =>
		typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	const clientId = text(data.clientId);
	const defaults = {
		clientId,
		clientIdPlace: 'query',
		pageIndexParameter: 'pageIndex',
		pageSizeParameter: 'pageSize',
		firstPageIndex: 1,
		webhookToken: webhookToken(data),
		timeZone: '',
	} as const;
	// Folded away in the credential, the conventions do not count.
	if (data.serviceConventions !== true) return defaults;
	const place = text(data.clientIdPlace);
	return {
		...defaults,
		clientIdPlace: place === 'path' || place === 'body' ? place : 'query',
		pageIndexParameter: text(data.pageIndexParameter) || defaults.pageIndexParameter,
		pageSizeParameter: text(data.pageSizeParameter) || defaults.pageSizeParameter,
		firstPageIndex: data.firstPageIndex === 0 ? 0 : defaults.firstPageIndex,
		timeZone: text(data.serviceTimeZone),
	};
}

/**
 * Normalizes the base URL: no trailing slash, http or https only, no user name or password in it.
 * @throws NodeOperationError that names the credential field
 */
function readBaseUrl(context: ServiceContext, value: unknown): string {
	const text = typeof value === 'string' ? value.trim().replace(/\/+$/, '') : '';
	const problem = (message: string) =>
		new NodeOperationError(context.getNode(), message, {
			description:
				'Set the Base URL in the credential to the address of the service, e.g. https://messaging.example.com',
		});
	if (text === '') throw problem('The Base URL of the credential is empty');
	// What URL parsers drop or resolve without a word would lead somewhere else than it seems to.
	const isRewritten = /[\s\\\u0000-\u001f\u007f]|\/(\.|%2e){1,2}(\/|$)/i.test(text);
	if (isRewritten || !URL.canParse(text)) {
		throw problem('The Base URL of the credential is not a valid address');
	}
	const url = new URL(text);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw problem('The Base URL of the credential must start with https:// or http://');
	}
	if (url.username !== '' || url.password !== '') {
		throw problem(
			'The Base URL of the credential contains a user name or password: use Basic Auth instead',
		);
	}
	if (url.search !== '' || url.hash !== '') {
		throw problem('The Base URL of the credential must not contain ? or #');
	}
	return text;
}

/** Refuses a query that would arrive as another one. */
function assertQuery(context: ServiceContext, query: IDataObject = {}) {
	for (const [name, value] of Object.entries(query)) {
		const texts = [name, ...(Array.isArray(value) ? value : [value])].map(String);
		if (!isLostName(name) && !texts.some(hasHalfCharacter)) continue;
		throw new NodeOperationError(
			context.getNode(),
			isLostName(name)
				? `A query parameter cannot have the name "${name}"`
				: `The query parameter "${name}" contains half a character`,
			{ description: 'Nothing was sent. Correct it.' },
		);
	}
}

/**
 * Reads the credential once and returns a client that uses it for every request.
 * @param labels names of the n8n fields for the service's complaints about them
 */
export async function connect(
	context: ServiceContext,
	labels: FieldLabels = {},
	behaviour: RequestBehaviour = BEHAVIOUR,
): Promise<Connection> {
	const data = await context.getCredentials(CREDENTIAL);
	const baseUrl = readBaseUrl(context, data.baseUrl);
	const { host } = new URL(baseUrl);
	const secrets = secretsOf(data);
	const secretsInRecords = secretsOf(data, FEWEST_SECRET_CHARACTERS_IN_RECORDS);
	const credentialsDecrypted: ICredentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const pace = new Pace(behaviour, signal);
	const settings = readSettings(data);

	/** @param limit ends it, its body included */
	async function exchange(request: ServiceRequest, limit: AbortSignal): Promise<Answer<string>> {
		const ending = new AbortController();
		const signals = [ending.signal, limit, ...(signal === undefined ? [] : [signal])];
		const options: IHttpRequestOptions = {
			method: request.method,
			url: `${baseUrl}${request.path}`,
			qs: request.query,
			arrayFormat: 'repeat',
			body: request.body,
			headers: { Accept: 'application/json' },
			timeout: behaviour.timeoutMs,
			// Read as text: a JSON string ("a-guid") and a web page must be told apart. As a stream: n8n
			// limits neither the length of an answer nor the time that it takes.
			encoding: 'stream',
			returnFullResponse: true,
			// Statuses are read below. Left to n8n, a 401 would make it send the request a second time.
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			skipSslCertificateValidation: data.ignoreSslIssues === true,
		};
		const answer = (await context.helpers.httpRequestWithAuthentication.call(
			withSignal(context, AbortSignal.any(signals)),
			CREDENTIAL,
			options,
			{ credentialsDecrypted },
		)) as Answer<AnswerStream>;
		return { ...answer, body: await readAnswer(answer.body, () => ending.abort()) };
	}

	/** An error body, cleared of secrets before anything quotes a part of it. */
	function readable(raw: string): unknown {
		const text = redact(raw, secrets);
		const parsed = parseJson(text);
		return parsed === undefined ? text : parsed;
	}

	/** One try; what the service accepted, or may have accepted, is recorded. */
	async function attempt(
		request: ServiceRequest,
		expect: ExpectedBody,
		record: CallRecord | undefined,
	): Promise<TryResult<unknown>> {
		const fail = (failure: Failure, details: Omit<FailedTry, 'method'>): TryResult<unknown> => {
			const clean = withoutSecrets(failure, secrets);
			if (clean.isUncertain === true) record?.uncertain(request, clean);
			const failed = { method: request.method, ...details };
			return { failed, error: toNodeApiError(context.getNode(), clean) };
		};
		const limit = AbortSignal.timeout(behaviour.timeoutMs ?? LONGEST_WAIT_MS);
		let answer: Answer<string>;
		try {
			answer = await exchange(request, limit);
		} catch (error) {
			const isOver = limit.aborted && signal?.aborted !== true;
			const code = isOver ? 'ETIMEDOUT' : errorCode(error);
			return fail(describeConnectionFailure(request, host, code, innermostMessage(error)), {
				code,
			});
		}
		const { statusCode, headers, body: raw } = answer;
		if (statusCode < 200 || statusCode >= 300) {
			const location =
				typeof headers.location === 'string' ? redact(headers.location, secrets) : undefined;
			return fail(describeStatus(request, statusCode, readable(raw), labels, location), {
				statusCode,
				retryAfter: headers['retry-after'],
			});
		}
		const isEmpty = raw.trim() === '';
		const parsed = isEmpty ? undefined : parseJson(redact(raw, secretsInRecords));
		const isJson = isEmpty || parsed !== undefined;
		if (!isJson || !isExpected(parsed, expect)) {
			return fail(
				describeUnexpectedBody(request, statusCode, redact(raw, secrets), EXPECTED[expect]),
				{
					statusCode,
				},
			);
		}
		if (request.method !== 'GET') record?.accepted(request, parsed);
		return { answer: parsed };
	}

	async function wait(milliseconds: number, { retryAfter }: FailedTry) {
		if (retryAfterMs(retryAfter) !== undefined) pace.holdFor(milliseconds);
		await pause(milliseconds, signal);
	}

	async function send(
		request: ServiceRequest,
		expect: ExpectedBody,
		record: CallRecord | undefined,
	): Promise<unknown> {
		assertQuery(context, request.query);
		const earlier = request.method === 'GET' ? undefined : record?.earlier(request);
		if (earlier === undefined) {
			const onTurn = async () => await pace.run(async () => await attempt(request, expect, record));
			return await withRetries(behaviour, onTurn, wait);
		}
		if ('failure' in earlier) {
			throw toNodeApiError(context.getNode(), notSentAgain(earlier.failure));
		}
		return earlier.answer;
	}

	const clientFor = (record?: CallRecord): ServiceClient => ({
		settings,
		record: async (request) => (await send(request, 'object', record)) as IDataObject,
		records: async (request) => (await send(request, 'array', record)) as IDataObject[],
		page: async (request) => (await send(request, 'page', record)) as PageEnvelope,
		identifier: async (request) => String(await send(request, 'id', record)),
		anything: async (request) => await send(request, 'anything', record),
	});
	return { ...clientFor(), forCall: clientFor };
}
