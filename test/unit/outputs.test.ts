import type { IExecuteFunctions } from 'n8n-workflow';
import type * as Trigger from '../../nodes/MessagingService/MessagingServiceTrigger.node';
import type * as Outputs from '../../nodes/MessagingService/trigger/outputs';

const items = [
	{ json: { event: 'smsStatus' }, kind: 'smsStatus' as const },
	{ json: { what: 'new' }, kind: 'unknown' as const },
];
const separate = [[], [{ json: { event: 'smsStatus' } }], [{ json: { what: 'new' } }]];
const together = [[{ json: { event: 'smsStatus' } }, { json: { what: 'new' } }]];

/** The trigger and what its webhook starts with, as loaded by an n8n with or without these helpers. */
function load(n8n: 'newer' | 'older') {
	jest.resetModules();
	jest.doMock('n8n-workflow', () => ({
		...jest.requireActual<object>('n8n-workflow'),
		...(n8n === 'older' ? { fromParameter: undefined, webhookDescriptionFields: undefined } : {}),
	}));
	const { MessagingServiceTrigger } = jest.requireActual<typeof Trigger>(
		'../../nodes/MessagingService/MessagingServiceTrigger.node',
	);
	const outputs = jest.requireActual<typeof Outputs>(
		'../../nodes/MessagingService/trigger/outputs',
	);
	return { trigger: new MessagingServiceTrigger(), outputs };
}

afterAll(() => {
	jest.dontMock('n8n-workflow');
});

describe('on n8n that answers once an execution is stored', () => {
	test('the webhook starts with the outputs, and the trigger has nothing to execute', () => {
		const { trigger, outputs } = load('newer');
		expect(trigger.description.webhooks?.[0]?.responseMode).toContain('|| "onReceived"');
		expect(trigger.execute).toBeUndefined();
		expect(outputs.startData(items, true)).toEqual(separate);
		expect(outputs.startData(items, false)).toEqual(together);
	});
});

describe('on older n8n, which answers first and stores later', () => {
	test.each([
		['separate outputs', true, separate],
		['one output', false, together],
	])('the execution answers, then gives out the events (%s)', async (_, isSeparate, expected) => {
		const { trigger, outputs } = load('older');
		expect(trigger.description.webhooks?.[0]?.responseMode).toContain(': "responseNode"');
		const started = outputs.startData(items, isSeparate);
		expect(started).toEqual([items]);

		const answers: unknown[] = [];
		const context = {
			getInputData: () => started[0],
			getNodeParameter: (name: string) =>
				name === 'options' ? { separateOutputs: isSeparate } : 'onReceived',
			sendResponse: async (answer: unknown) => Promise.resolve(answers.push(answer)),
		};
		const result = await trigger.execute?.call(context as unknown as IExecuteFunctions);
		expect(result).toEqual(expected);
		expect(answers).toEqual([{ statusCode: 200, headers: {}, body: '' }]);
	});

	test('the execution does not answer where the service is to wait for its end', async () => {
		const { trigger } = load('older');
		const sendResponse = jest.fn();
		const context = {
			getInputData: () => items,
			getNodeParameter: (name: string) => (name === 'options' ? {} : 'lastNode'),
			sendResponse,
		};
		const result = await trigger.execute?.call(context as unknown as IExecuteFunctions);
		expect(result).toEqual(together);
		expect(sendResponse).not.toHaveBeenCalled();
	});
});
