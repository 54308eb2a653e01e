import type { IExecuteFunctions } from 'n8n-workflow';
import type * as Trigger from '../../nodes/MessagingService/MessagingServiceTrigger.node';

const items = [
	{ json: { event: 'smsStatus' }, kind: 'smsStatus' as const },
	{ json: { what: 'new' }, kind: 'unknown' as const },
];
const separate = [[], [{ json: { event: 'smsStatus' } }], [{ json: { what: 'new' } }]];
const together = [[{ json: { event: 'smsStatus' } }, { json: { what: 'new' } }]];

/** The trigger, as loaded by an n8n with or without these helpers. */
function load(n8n: 'newer' | 'older') {
	jest.resetModules();
	jest.doMock('n8n-workflow', () => ({
		...jest.requireActual<object>('n8n-workflow'),
		...(n8n === 'older' ? { fromParameter: undefined, webhookDescriptionFields: undefined } : {}),
	}));
	const { MessagingServiceTrigger } = jest.requireActual<typeof Trigger>(
		'../../nodes/MessagingService/MessagingServiceTrigger.node',
	);
	return { trigger: new MessagingServiceTrigger() };
}

afterAll(() => {
	jest.dontMock('n8n-workflow');
});

describe('on n8n that responds once an execution is stored', () => {
	test.each([
		['separate outputs', true, separate],
		['one output', false, together],
	])(
		'the execution gives out the events, and sends no response (%s)',
		async (_, isSeparate, expected) => {
			const { trigger } = load('newer');
			expect(trigger.description.webhooks?.[0]?.responseMode).toContain('|| "onReceived"');
			const sendResponse = jest.fn();
			const context = {
				getInputData: () => items,
				getNodeParameter: () => ({ separateOutputs: isSeparate }),
				sendResponse,
			};
			const result = await trigger.execute.call(context as unknown as IExecuteFunctions);
			expect(result).toEqual(expected);
			expect(sendResponse).not.toHaveBeenCalled();
		},
	);

	test.each([
		['n8n-nodes-base.wait', {}, 1],
		['n8n-nodes-base.gmail', { operation: 'sendAndWait' }, 1],
		['n8n-nodes-base.noOp', {}, 0],
	])('a test in the editor says that %s responds too early', async (type, parameters, count) => {
		const { trigger } = load('newer');
		const addExecutionHints = jest.fn();
		const context = {
			getInputData: () => items,
			getNodeParameter: () => ({ responseMode: 'lastNode' }),
			getMode: () => 'manual',
			getNode: () => ({ name: 'Trigger' }),
			getChildNodes: () => [{ name: 'x', type, typeVersion: 1, disabled: false, parameters }],
			addExecutionHints,
		};
		await trigger.execute.call(context as unknown as IExecuteFunctions);
		expect(addExecutionHints).toHaveBeenCalledTimes(count);
	});
});

describe('on older n8n, which responds first and stores later', () => {
	test.each([
		['separate outputs', true, separate],
		['one output', false, together],
	])('the execution responds, then gives out the events (%s)', async (_, isSeparate, expected) => {
		const { trigger } = load('older');
		expect(trigger.description.webhooks?.[0]?.responseMode).toContain(': "responseNode"');
		const answers: unknown[] = [];
		const context = {
			getInputData: () => items,
			getNodeParameter: () => ({ separateOutputs: isSeparate }),
			sendResponse: async (answer: unknown) => Promise.resolve(answers.push(answer)),
		};
		const result = await trigger.execute.call(context as unknown as IExecuteFunctions);
		expect(result).toEqual(expected);
		expect(answers).toEqual([{ statusCode: 200, headers: {}, body: '' }]);
	});

	test('the execution does not answer where the service is to wait for its end', async () => {
		const { trigger } = load('older');
		const sendResponse = jest.fn();
		const context = {
			getInputData: () => items,
			getMode: () => 'webhook',
			getNodeParameter: () => ({ responseMode: 'lastNode' }),
			sendResponse,
		};
		const result = await trigger.execute.call(context as unknown as IExecuteFunctions);
		expect(result).toEqual(together);
		expect(sendResponse).not.toHaveBeenCalled();
	});
});
