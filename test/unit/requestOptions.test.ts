import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../../nodes/MessagingService/parameters/inputError';
import { readRequestOptions } from '../../nodes/MessagingService/resources/shared/requestOptions';
import { callWith } from './support/call';
import { thrown } from './support/thrown';

const behaviourOf = (options: IDataObject) =>
	readRequestOptions(callWith({ parameters: { options } }).context);

test('the options that are not set have their defaults', () => {
	expect(behaviourOf({ pageSize: 5 })).toEqual({
		maxRetries: 5,
		budgetMs: 60_000,
		concurrency: 10,
		requestsPerSecond: 0,
		timeoutMs: 300_000,
	});
});

test('those that are set count, also as text', () => {
	const options = {
		maxRetries: '0',
		retryTimeLimit: 1.5,
		requestsAtOnce: 3,
		requestsPerSecond: '0.25',
		timeout: 0.5,
	};
	expect(behaviourOf(options)).toEqual({
		maxRetries: 0,
		budgetMs: 1500,
		concurrency: 3,
		requestsPerSecond: 0.25,
		timeoutMs: 500,
	});
});

test.each([
	[{ timeout: 1e9 }, 'Timeout (Seconds) is more than 86400 (1000000000)'],
	[{ timeout: 0 }, 'Timeout (Seconds) is less than 0.1 (0)'],
	[{ maxRetries: -1 }, 'Max Retries is less than 0 (-1)'],
	[{ maxRetries: 1.5 }, 'Max Retries is not a whole number (1.5)'],
	[{ requestsAtOnce: 0 }, 'Max Concurrent Requests is less than 1 (0)'],
	[{ requestsPerSecond: 'fast' }, 'Requests per Second is not a number (fast)'],
	[{ retryTimeLimit: '' }, 'Retry Time Limit (Seconds) is empty'],
])('%j is refused', (options, message) => {
	const error = thrown(() => behaviourOf(options as IDataObject));
	expect(error).toBeInstanceOf(InputError);
	expect(error).toMatchObject({ message, description: expect.stringMatching(/\w/) });
});

test('one that differs between the items is refused', () => {
	const read = (options: IDataObject[]) =>
		readRequestOptions(callWith({ items: [{}, {}], perItem: { options } }).context);
	const error = thrown(() => read([{ maxRetries: 1 }, { maxRetries: 2 }]));
	expect(error).toMatchObject({ description: expect.stringContaining('all requests of the run') });
});
