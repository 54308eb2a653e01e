import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { RequestBehaviour } from '../../transport/request';
import { InputError } from './inputError';

const REQUEST_OPTIONS = 'requestOptions';

/** Measured: with n8n's HTTP helper, which opens a connection per request, more gains nothing. */
const REQUESTS_AT_ONCE = 10;
const MAX_RETRIES = 5;
const RETRY_SECONDS = 60;
/** n8n's own. */
const TIMEOUT_SECONDS = 300;

const LABELS = {
	maxRetries: 'Max Retries',
	requestsAtOnce: 'Requests at Once',
	requestsPerSecond: 'Requests per Second',
	retryTimeLimit: 'Retry Time Limit (Seconds)',
	timeout: 'Timeout (Seconds)',
} as const;

/** How the requests are made: an option of every operation, read once per run. */
export const requestOptionsField: INodeProperties = {
	displayName: 'Request Options',
	name: REQUEST_OPTIONS,
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: LABELS.maxRetries,
			name: 'maxRetries',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: MAX_RETRIES,
			description:
				'How often a failed request is repeated. One that sends is repeated only where it is certain that nothing was accepted.',
		},
		{
			displayName: LABELS.requestsAtOnce,
			name: 'requestsAtOnce',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: REQUESTS_AT_ONCE,
			description: 'Most requests under way at the same time. 1 sends one after the other.',
		},
		{
			displayName: LABELS.requestsPerSecond,
			name: 'requestsPerSecond',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: 0,
			description: 'Most requests begun in a second. 0 sends as fast as possible.',
		},
		{
			displayName: LABELS.retryTimeLimit,
			name: 'retryTimeLimit',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: RETRY_SECONDS,
			description:
				'How long to go on repeating a request, waits included. A longer wait that the service asks for is not begun.',
		},
		{
			displayName: LABELS.timeout,
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: TIMEOUT_SECONDS,
			description:
				'How long to wait for an answer. A message whose answer does not come may have been sent nevertheless.',
		},
	],
};

/** The request options that the user set, and the defaults of the others. */
export function readRequestOptions(context: IExecuteFunctions): RequestBehaviour {
	const options = context.getNodeParameter(REQUEST_OPTIONS, 0, {}) as IDataObject;
	const read = (name: keyof typeof LABELS, preset: number, least: number) => {
		const number = Number(options[name] ?? preset);
		if (Number.isFinite(number) && number >= least) return number;
		throw new InputError(LABELS[name], `is not a number from ${least} up`, 'Correct it.');
	};
	return {
		maxRetries: read('maxRetries', MAX_RETRIES, 0),
		budgetMs: read('retryTimeLimit', RETRY_SECONDS, 0) * 1000,
		concurrency: Math.floor(read('requestsAtOnce', REQUESTS_AT_ONCE, 1)),
		requestsPerSecond: read('requestsPerSecond', 0, 0),
		timeoutMs: read('timeout', TIMEOUT_SECONDS, 0.001) * 1000,
	};
}
