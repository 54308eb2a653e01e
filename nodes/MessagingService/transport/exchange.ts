import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { onAbort } from './onAbort';
import type { ServiceRequest } from './request';
import type { ResponseStream } from './responseBody';
import { readBody } from './responseBody';
import type { Service, ServiceContext } from './service';
import { CREDENTIAL } from './service';

/** A response of the service, as n8n's HTTP helper gives it. */
export interface ServiceResponse<Body = string> {
	statusCode: number;
	headers: IDataObject;
	body: Body;
}

/** The response did not come, or not to its end, in the time that it was given. */
export class OutOfTime extends Error {}

/**
 * Sends one request and reads the response as text, without judging it.
 * @param timeoutMs how long all of it may take
 * @throws OutOfTime, or the error of n8n's HTTP helper
 */
export async function exchange(
	service: Service,
	request: ServiceRequest,
	timeoutMs: number,
): Promise<ServiceResponse> {
	const { signal } = service;
	const ending = new AbortController();
	const end = () => {
		ending.abort();
	};
	// Listening costs less than AbortSignal.any.
	const limit = AbortSignal.timeout(timeoutMs);
	limit.addEventListener('abort', end);
	const forget = signal === undefined ? undefined : onAbort(signal, end);
	try {
		return await send(service, request, timeoutMs, ending);
	} catch (error) {
		throw limit.aborted && signal?.aborted !== true ? new OutOfTime() : error;
	} finally {
		limit.removeEventListener('abort', end);
		forget?.();
	}
}

async function send(
	service: Service,
	request: ServiceRequest,
	timeoutMs: number,
	ending: AbortController,
): Promise<ServiceResponse> {
	const { context, credential } = service;
	const options: IHttpRequestOptions = {
		method: request.method,
		url: `${service.baseUrl}${request.path}`,
		qs: request.query,
		arrayFormat: 'repeat',
		body: request.body,
		headers: { Accept: 'application/json' },
		// From the last byte received: alone, it never ends a response that comes in byte by byte.
		timeout: timeoutMs,
		// Read as text: a JSON string ("a-guid") and a web page must be told apart. As a stream: n8n
		// limits neither the length of a response nor the time that it takes.
		encoding: 'stream',
		returnFullResponse: true,
		// Statuses are read by us. Left to n8n, a 401 would make it send the request a second time.
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		skipSslCertificateValidation: service.ignoresSslIssues,
	};
	const response = (await context.helpers.httpRequestWithAuthentication.call(
		withSignal(context, ending.signal),
		CREDENTIAL,
		options,
		{ credentialsDecrypted: credential },
	)) as ServiceResponse<ResponseStream>;
	return { ...response, body: await readBody(response.body, () => ending.abort()) };
}

/** The context, with a signal of ours that ends a request as the user's cancelling does. */
function withSignal(context: ServiceContext, signal: AbortSignal): ServiceContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as ServiceContext;
}
