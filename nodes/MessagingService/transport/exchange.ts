import type { IHttpRequestOptions } from 'n8n-workflow';
import { Failure } from '../failure';
import { responseTo } from './deadline';
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
	let response: ServiceResponse;
	try {
		const signed = service.sign(requestOf(service, request), token);
		response = await responseTo(service, signed, Math.min(service.limits.timeoutMs, limitMs));
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

/** A request as n8n's HTTP helper takes it, without the authentication. */
function requestOf(
	{ baseUrl }: Service,
	{ method, path, query, body }: ServiceRequest,
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
	};
}
