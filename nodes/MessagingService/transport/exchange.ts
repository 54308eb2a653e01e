import type { IHttpRequestOptions } from 'n8n-workflow';
import { Failure } from '../failure';
import { limited, textOf } from './deadline';
import {
	describeConnectionFailure,
	describeStatus,
	describeUnexpectedBody,
	retryAfterMs,
} from './errors';
import type { Observation, ServiceRequest, ServiceResponse } from './request';
import { contentOf } from './responseShape';
import type { Service } from './service';

/**
 * Makes one try of a request and reads its response.
 * @param token of the login, where the credential has one
 * @param limitMs how long it may take at most, even if the timeout is longer
 * @throws Failure where there is no response, or not the one that was expected
 */
export async function exchange(
	service: Service,
	request: ServiceRequest,
	token: string | undefined,
	limitMs: number,
): Promise<Observation> {
	const { host, wording, gate } = service;
	const wanted = Math.min(service.limits.timeoutMs, limitMs);
	let response: ServiceResponse;
	try {
		response = await responseTo(service, request, token, Math.max(1, Math.ceil(wanted)));
	} catch (error) {
		if (!(error instanceof Failure)) {
			throw describeConnectionFailure(request, host, error);
		}
		throw error.with({ description: `${error.description} This request was not sent.` });
	}
	const { statusCode, headers, body } = response;
	if (statusCode < 200 || statusCode >= 300) {
		gate.holdFor(retryAfterMs(headers['retry-after']) ?? 0);
		throw describeStatus(request, response, wording);
	}
	const content = contentOf(body);
	const { expected } = request;
	if (expected === undefined || expected.matches(content)) {
		return { content, date: dateOf(headers) };
	}
	throw describeUnexpectedBody(request, response, expected.description, wording);
}

/** When the service responded, by its own clock; undefined where it does not tell. */
function dateOf({ date }: ServiceResponse['headers']): number | undefined {
	const time = Date.parse(String(date));
	return Number.isNaN(time) ? undefined : time;
}

/**
 * Sends a request and reads the response as text, without judging it.
 * @param timeoutMs how long all of it may take
 * @throws the error of n8n's HTTP helper, or one with the code of a timeout
 */
async function responseTo(
	service: Service,
	request: ServiceRequest,
	token: string | undefined,
	timeoutMs: number,
): Promise<ServiceResponse> {
	return await limited(timeoutMs, service.signal, async (ending) => {
		const signed = service.sign(requestOf(service, request, timeoutMs), token);
		return await textOf(await service.http(signed, ending));
	});
}

/** A request as n8n's HTTP helper takes it, without the authentication. */
function requestOf(
	{ baseUrl, ignoresSslIssues }: Service,
	{ method, path, query, body }: ServiceRequest,
	timeout: number,
): IHttpRequestOptions {
	const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
	return {
		method,
		url: `${baseUrl}${path}`,
		qs: query,
		arrayFormat: 'repeat',
		// As bytes: n8n's HTTP library lets go of a request late, and of 10,000 contacts with it.
		body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
		headers: { Accept: 'application/json', ...contentType },
		// From the last byte received: alone, it never ends a response that comes in byte by byte.
		timeout,
		// Read as text: a JSON string ("a-guid") and a web page must be told apart. As a stream: n8n
		// limits neither the length of a response nor the time that it takes.
		encoding: 'stream',
		returnFullResponse: true,
		// Statuses are read by us. Left to n8n, a 401 would make it send the request a second time.
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		skipSslCertificateValidation: ignoresSslIssues,
	};
}
