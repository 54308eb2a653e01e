import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { RequestBehaviour } from '../../transport/request';
import { ParameterReader } from '../../parameters/reader';

const OPTIONS = 'options';

/** Measured: with n8n's HTTP helper, which opens a connection per request, more gains nothing. */
const MAX_CONCURRENT_REQUESTS = 10;
const MAX_RETRIES = 5;
const RETRY_SECONDS = 60;
/** n8n's own. */
const TIMEOUT_SECONDS = 300;
/** Longer waits do not fit into a timer of Node.js from about 24 days on; a day is enough. */
const MAX_SECONDS = 86_400;

const maxRetries = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: MAX_RETRIES,
	description:
		'Maximum number of retries of a failed request. A request that sends is retried only if the service certainly did not accept it.',
} satisfies INodeProperties;

const maxConcurrentRequests = {
	displayName: 'Max Concurrent Requests',
	name: 'requestsAtOnce',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: MAX_CONCURRENT_REQUESTS,
	description: 'Maximum number of requests in progress. Use 1 to send one at a time.',
} satisfies INodeProperties;

const requestsPerSecond = {
	displayName: 'Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 0,
	description: 'Maximum number of requests to start per second. Use 0 for no limit.',
} satisfies INodeProperties;

const retryTimeLimit = {
	displayName: 'Retry Time Limit (Seconds)',
	name: 'retryTimeLimit',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: MAX_SECONDS, numberPrecision: 1 },
	default: RETRY_SECONDS,
	description:
		'How long to keep retrying a request, waits included. If the service asks for a longer wait, the request fails.',
} satisfies INodeProperties;

const timeout = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 0.1, maxValue: MAX_SECONDS, numberPrecision: 1 },
	default: TIMEOUT_SECONDS,
	description:
		'How long to wait for a response. A message may have been sent even if no response arrived.',
} satisfies INodeProperties;

/** How the requests are made: members of the collection `options` of every operation. */
export const requestOptions: INodeProperties[] = [
	maxConcurrentRequests,
	maxRetries,
	requestsPerSecond,
	retryTimeLimit,
	timeout,
];

/**
 * The request options that the user set, and the defaults of the others. They hold for the whole run.
 * @throws InputError when one is invalid or differs between the input items
 */
export function readRequestOptions(context: IExecuteFunctions): RequestBehaviour {
	const allItems = context.getInputData().map((_, index) => index);
	const parameters = new ParameterReader(
		context,
		allItems,
		undefined,
		'This option applies to all requests of the run: use one value for all items.',
	);
	return {
		maxRetries: parameters.member(OPTIONS, maxRetries) ?? MAX_RETRIES,
		budgetMs: (parameters.member(OPTIONS, retryTimeLimit) ?? RETRY_SECONDS) * 1000,
		concurrency: parameters.member(OPTIONS, maxConcurrentRequests) ?? MAX_CONCURRENT_REQUESTS,
		requestsPerSecond: parameters.member(OPTIONS, requestsPerSecond) ?? 0,
		timeoutMs: (parameters.member(OPTIONS, timeout) ?? TIMEOUT_SECONDS) * 1000,
	};
}
