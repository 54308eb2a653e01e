import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { Failure, toNodeError, type FailureFacts } from '../../nodes/MessagingService/failure';

const NODE: INode = {
	...{ id: '1', name: 'Messaging Service', type: 'x', typeVersion: 1 },
	...{ position: [0, 0], parameters: {} },
};

const foreign = (facts: object) => Object.assign(new Error('It is down'), facts);

test.each<[unknown, object, object]>([
	['It is down', { message: 'It is down', description: '' }, {}],
	[
		foreign({ description: 'Start it.', httpCode: '503' }),
		{ message: 'It is down', description: 'Start it.' },
		{ httpCode: '503' },
	],
	[
		foreign({ description: null, httpCode: 503 }),
		{ message: 'It is down', description: '' },
		{ httpCode: undefined },
	],
])('what n8n throws (%p) has its own words', (thrown, words, facts) => {
	const { message, description, facts: found } = Failure.of(thrown);
	expect({ message, description }).toEqual(words);
	expect(found).toEqual(thrown instanceof Error ? { ...facts, cause: thrown } : facts);
});

test.each<[FailureFacts, boolean]>([
	[{ field: 'Message' }, true],
	[{ field: 'Message', isLeftOut: false }, true],
	[{ field: 'Message', isLeftOut: true }, false],
	[{ field: 'Message', httpCode: '400' }, false],
	[{ httpCode: '400' }, false],
	[{}, false],
])('a failure with %j is about what the user entered: %p', (facts, isInput) => {
	expect(new Failure('x', '', facts).isInput).toBe(isInput);
});

describe('n8n shows', () => {
	const shownOf = (thrown: unknown) => {
		const error = toNodeError(NODE, thrown);
		const { message, description } = error;
		return {
			kind: error.constructor,
			message,
			description,
			code: (error as NodeApiError).httpCode,
		};
	};

	test.each<[FailureFacts, unknown, unknown]>([
		[{ sent: 'no', httpCode: '404' }, NodeApiError, '404'],
		[{ sent: 'possibly' }, NodeApiError, null],
		[{ sent: 'no', httpCode: '400', field: 'Message' }, NodeApiError, '400'],
		[{ sent: 'no', field: 'Message' }, NodeOperationError, undefined],
		[{ field: 'Message' }, NodeOperationError, undefined],
		[{}, NodeOperationError, undefined],
	])(
		'the words of a failure with %j, as the error of a request or of a node',
		(facts, kind, code) => {
			// Words that n8n would replace: each has a code in it.
			const words = { message: 'preexisting EEXIST', description: 'Fix the ENOENT.' };
			const failure = new Failure(words.message, words.description, facts);
			expect(shownOf(failure)).toEqual({ kind, code, ...words });
		},
	);

	test('its own errors as they are, and any other with its stack', () => {
		for (const own of [new NodeApiError(NODE, {}), new NodeOperationError(NODE, 'x')]) {
			expect(toNodeError(NODE, own)).toBe(own);
		}
		const error = foreign({});
		expect(toNodeError(NODE, error)).toBeInstanceOf(NodeOperationError);
		expect(toNodeError(NODE, error).message).toBe('It is down');
		expect(toNodeError(NODE, error).cause).toBe(error);
	});
});
