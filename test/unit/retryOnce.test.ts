import type { IExecuteFunctions } from 'n8n-workflow';
import { claimRetry } from '../../nodes/MessagingService/execution/retryOnce';

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

/**
 * What a retry of execution 7 is refused with, if so, where other processes write n8n's store while it
 * claims.
 * @param lost how many of its first claims they overwrite
 * @param before what is stored before
 */
async function refusalOf(lost: number, before: readonly string[] = []) {
	let stored = new Set(before);
	let claims = 0;
	const node: { owner?: string } = {};
	const contexts: Record<string, object> = { node, flow: { messagingService: { execution: '7' } } };
	const context = {
		getContext: (type: string) => contexts[type],
		getExecutionId: () => '8',
		getMode: () => 'retry',
		helpers: {
			checkProcessedAndRecord: (texts: string[]) => {
				const processed = texts.filter((text) => stored.has(text));
				const isClaim = texts.length > 1;
				if (isClaim) claims++;
				stored = isClaim && claims <= lost ? new Set(before) : new Set([...stored, ...texts]);
				return Promise.resolve({ new: [], processed });
			},
		},
	} as unknown as IExecuteFunctions;
	const claim = claimRetry(context).then(
		() => undefined,
		({ message }: Error) => message,
	);
	await jest.runAllTimersAsync();
	const refusal = await claim;
	expect(node.owner).toBe(refusal === undefined ? '8' : undefined);
	return refusal;
}

const NOT_RESERVED = 'This retry could not be reserved in the n8n database';

test.each([
	['sends where it keeps its claim', 0, undefined],
	['sends where it keeps its tenth claim', 9, undefined],
	['sends nothing where it loses each claim', 10, NOT_RESERVED],
])('a retry beside others %s', async (_, lost, refusal) => {
	expect(await refusalOf(lost)).toBe(refusal);
});

test('a retry sends nothing where another one has claimed before', async () => {
	expect(await refusalOf(0, ['retried/7'])).toBe(
		'Execution 7 was retried before, so this retry sent nothing',
	);
});
