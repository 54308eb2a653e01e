import { parseJson } from '../json';
import { describeConnectionFailure } from './connectionFailure';
import { errorCode, innermostMessage } from './errorCodes';
import type { Failure } from './errors';
import { toNodeApiError } from './errors';
import type { ServiceResponse } from './exchange';
import { exchange, OutOfTime } from './exchange';
import type { ServiceRequest } from './request';
import { describeStatus, describeUnexpectedBody } from './responseFailure';
import type { ExpectedBody } from './responseShape';
import { readResponse } from './responseShape';
import type { FailedTry, TryResult } from './retry';
import { MAX_TIMER_MS, retryAfterMs } from './retry';
import type { Service } from './service';

/**
 * Makes one try of a request and reads its response.
 * @param limitMs how long it may take at most, even if the timeout is longer
 */
export async function attempt(
	service: Service,
	request: ServiceRequest,
	expect: ExpectedBody,
	limitMs: number,
): Promise<TryResult<unknown>> {
	const wanted = Math.min(service.limits.timeoutMs, limitMs, MAX_TIMER_MS);
	const timeoutMs = Math.max(1, Math.ceil(wanted));
	let response: ServiceResponse;
	try {
		response = await exchange(service, request, timeoutMs);
	} catch (error) {
		const code = error instanceof OutOfTime ? 'ETIMEDOUT' : errorCode(error);
		const detail = service.wording.clean(innermostMessage(error));
		const failure = describeConnectionFailure(request, service.host, code, detail);
		return failed(service, failure, { method: request.method, code });
	}
	return read(service, request, expect, response);
}

/** What a response means for the request. */
function read(
	service: Service,
	request: ServiceRequest,
	expect: ExpectedBody,
	{ statusCode, headers, body: raw }: ServiceResponse,
): TryResult<unknown> {
	const { method } = request;
	if (statusCode < 200 || statusCode >= 300) {
		const retryAfter = headers['retry-after'];
		service.gate.holdFor(retryAfterMs(retryAfter) ?? 0);
		const response = { statusCode, headers, raw, body: parseJson(raw) };
		const failure = describeStatus(request, response, service.wording);
		return failed(service, failure, { method, statusCode, retryAfter });
	}
	const result = method === 'POST' ? readSuccess(request, raw) : readResponse(request, raw, expect);
	if ('value' in result) return { response: result.value };
	const response = { statusCode, headers, raw, body: result.unexpected };
	const failure = describeUnexpectedBody(request, response, result.expected, service.wording);
	return failed(service, failure, { method, statusCode });
}

/**
 * The body of a request that succeeded, as it is: the interface shows few of them. Only an ID
 * that it promises must be there.
 */
function readSuccess({ expected }: ServiceRequest, raw: string): ReturnType<typeof readResponse> {
	const json = raw.trim() === '' ? undefined : parseJson(raw);
	const body = json === undefined && raw.trim() !== '' ? raw : json;
	if (expected?.matches(body) !== false) return { value: body };
	return { unexpected: body, expected: expected.description };
}

function failed(service: Service, failure: Failure, details: FailedTry): TryResult<unknown> {
	const { context, wording } = service;
	return { failed: details, error: toNodeApiError(context.getNode(), failure, wording.clean) };
}
