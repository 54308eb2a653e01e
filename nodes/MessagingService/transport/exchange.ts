import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { bytesOf } from '../jsonList';
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

/**
 * Sends one request and reads the response as text, without judging it.
 * @param timeoutMs how long n8n waits for the next byte
 * @param limit ends the request, its body included
 */
export async function exchange(
	service: Service,
	request: ServiceRequest,
	timeoutMs: number,
	limit: AbortSignal,
): Promise<ServiceResponse> {
	const { context, signal, credential } = service;
	const ending = new AbortController();
	const signals = [ending.signal, limit, ...(signal === undefined ? [] : [signal])];
	const { body, headers } = contentOf(service, request);
	const options: IHttpRequestOptions = {
		method: request.method,
		url: `${service.baseUrl}${request.path}`,
		qs: request.query,
		arrayFormat: 'repeat',
		body,
		headers: { Accept: 'application/json', ...headers },
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
		withSignal(context, AbortSignal.any(signals)),
		CREDENTIAL,
		options,
		{ credentialsDecrypted: credential },
	)) as ServiceResponse<ResponseStream>;
	return { ...response, body: await readBody(response.body, () => ending.abort()) };
}

/**
 * The body of a request. A long list is sent as bytes, so that the objects and texts that would be
 * made of it take no memory. An authentication that adds to the body needs it as an object.
 */
function contentOf({ credential }: Service, { body }: ServiceRequest) {
	const isExtended = credential.data?.authentication === 'customJson';
	const bytes = body === undefined || isExtended ? undefined : bytesOf(body);
	return bytes === undefined
		? { body, headers: {} }
		: { body: bytes, headers: { 'Content-Type': 'application/json' } };
}

/** The context, with a signal of ours that ends a request as the user's cancelling does. */
function withSignal(context: ServiceContext, signal: AbortSignal): ServiceContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as ServiceContext;
}
