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
	response: ServiceResponse,
): TryResult<unknown> {
	const { method } = request;
	const { statusCode, headers, body } = response;
	if (statusCode < 200 || statusCode >= 300) {
		const retryAfter = headers['retry-after'];
		service.gate.holdFor(retryAfterMs(retryAfter) ?? 0);
		const failure = describeStatus(request, response, service.wording);
		return failed(service, failure, { method, statusCode, retryAfter });
	}
	const result = readResponse(request, body, expect);
	if ('value' in result) return { response: result.value };
	const failure = describeUnexpectedBody(request, response, result.expected, service.wording);
	return failed(service, failure, { method, statusCode });
}

function failed(service: Service, failure: Failure, details: FailedTry): TryResult<unknown> {
	const { context, wording } = service;
	return { failed: details, error: toNodeApiError(context.getNode(), failure, wording.clean) };
}
