import { Readable } from 'node:stream';
import get from 'lodash/get';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';
import { runNode } from '../../nodes/MessagingService/execution/run';
import { voiceParameters } from '../support/voiceCampaign';

/** What n8n gives a node, as far as a run of it needs it; fields beginning with "=" name an input field. */
function contextOf(options: {
	items: IDataObject[];
	parameters: IDataObject;
	node?: Partial<INode>;
	signal?: AbortSignal;
	respond: (request: IHttpRequestOptions) => unknown;
	onExpression?: () => void;
}) {
	const { items, parameters, respond, signal, onExpression } = options;
	const stored: IDataObject = {};
	const context = {
		getInputData: () => items.map((json) => ({ json })),
		getNode: () => ({ id: 'n', name: 'N', type: 'messagingService', parameters, ...options.node }),
		getNodeParameter: (path: string, index: number, fallback: unknown) => {
			const value = get(parameters, path) as unknown;
			if (typeof value !== 'string' || !value.startsWith('=')) return value ?? fallback;
			onExpression?.();
			return items[index]?.[value.slice(1)];
		},
		getContext: (kind: string) => (kind === 'node' ? stored : {}),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getMode: () => 'trigger',
		getExecutionId: () => '1',
		getExecutionCancelSignal: () => signal,
		continueOnFail: () => false,
		getCredentials: async () => ({ baseUrl: 'http://svc', authentication: 'none', clientId: '1' }),
		getTimezone: () => 'UTC',
		logger: { warn: () => undefined },
		helpers: {
			httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) => ({
				statusCode: 200,
				headers: {},
				body: Readable.from([Buffer.from(JSON.stringify(respond(request)))]),
			}),
		},
	} as unknown as IExecuteFunctions;
	return { context, stored };
}

test('a cancelled run resolves no more expressions', async () => {
	const controller = new AbortController();
	let requests = 0;
	let expressions = 0;
	const { context } = contextOf({
		items: Array.from({ length: 2000 }, (_, row) => ({ id: `c${row}` })),
		parameters: {
			resource: 'smsCampaign',
			operation: 'postById',
			campaignId: '=id',
			dryRun: false,
			options: { requestsAtOnce: 2 },
		},
		signal: controller.signal,
		respond: () => {
			if (++requests === 5) controller.abort();
			return {};
		},
		onExpression: () => expressions++,
	});
	await expect(runNode(context)).rejects.toThrow('canceled');
	expect(expressions).toBeLessThan(40);
});

test('an expression is evaluated once for each item', async () => {
	const evaluated: string[] = [];
	const { context } = contextOf({
		items: Array.from({ length: 3 }, (_, row) => ({ id: `c${row}` })),
		parameters: {
			resource: 'smsCampaign',
			operation: 'postById',
			campaignId: '=id',
			dryRun: false,
		},
		respond: () => ({}),
		onExpression: () => evaluated.push('id'),
	});
	await runNode(context);
	expect(evaluated).toHaveLength(3);
});

test('n8n 1 tries again for any value of "error": what was sent stays known', async () => {
	const { context, stored } = contextOf({
		items: [{}],
		parameters: {
			...voiceParameters,
			operation: 'create',
			phoneNumbersSource: 'json',
			phoneNumbersJson: '[{"number":"+447700900123"}]',
			dryRun: false,
			options: { fullResponse: true },
		},
		node: { retryOnFail: true },
		respond: () => ({ id: 7, error: null }),
	});
	const [[item]] = (await runNode(context)) as [[{ json: IDataObject }]];
	expect(item.json).toMatchObject({ id: 7, error: null });
	expect(stored).toMatchObject({ sent: { entries: { '0': { response: { id: 7 } } } } });
});
