import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import {
	forgetCredential,
	readCredential,
	recentCredential,
	triggerKey,
} from '../../nodes/MessagingService/trigger/triggerCredential';

let workflows = 0;

/** A trigger of a workflow of its own, and how often its credential was read. */
function triggerWith(data: IDataObject, credentials: object | undefined = undefined) {
	const state = { reads: 0, data };
	const workflowId = `workflow-${String(workflows++)}`;
	const context = {
		getWorkflow: () => ({ id: workflowId }),
		getNode: () => ({ id: 'node-1', credentials }),
		getCredentials: async (type: string) => {
			state.reads += 1;
			if (type !== 'messagingServiceApi') throw new Error('Another credential');
			return await Promise.resolve(state.data);
		},
	} as unknown as IWebhookFunctions;
	return { context, state, workflowId };
}

const read = async (data: IDataObject) => await readCredential(triggerWith(data).context);

test('a trigger is told from all others by its workflow and its node', () => {
	const { context, workflowId } = triggerWith({});
	expect(triggerKey(context)).toBe(`${workflowId}/node-1`);
	const unsaved = { ...context, getWorkflow: () => ({}) } as unknown as IWebhookFunctions;
	expect(triggerKey(unsaved)).toBe('/node-1');
});

test.each([
	['https://Service.example.com', '1001'],
	[' https://Service.example.com// ', 1001],
])('service and client make the account: %j, %j', async (baseUrl, clientId) => {
	expect(await read({ baseUrl, clientId, webhookSecret: 'x' })).toEqual({
		token: expect.stringMatching(/^[\da-f]{64}$/),
		baseUrl: 'https://Service.example.com',
		account: 'https://service.example.com 1001',
		timeZone: '',
	});
});

test('slashes inside of the address stay, and what is missing is empty', async () => {
	expect(await read({ baseUrl: 'https://example.com/a/b', clientId: { a: 1 } })).toEqual({
		token: undefined,
		baseUrl: 'https://example.com/a/b',
		account: 'https://example.com/a/b ',
		timeZone: '',
	});
	expect((await read({})).baseUrl).toBe('');
});

describe('for deliveries', () => {
	const data = { baseUrl: 'https://service.example.com', clientId: '1' };
	const chosen = (id: string) => ({ messagingServiceApi: { id, name: 'x' } });

	test.each([[chosen('1')], [{}], [undefined]])(
		'a credential is read once in some seconds (%j)',
		async (credentials) => {
			const { context, state } = triggerWith(data, credentials);
			const key = triggerKey(context);
			await Promise.all([recentCredential(context, key), recentCredential(context, key)]);
			await recentCredential(context, key);
			expect(state.reads).toBe(1);
			const other = triggerWith(data, credentials);
			await recentCredential(other.context, triggerKey(other.context));
			expect([state.reads, other.state.reads]).toEqual([1, 1]);
		},
	);

	test('a forgotten credential is read again', async () => {
		const { context, state } = triggerWith(data);
		await recentCredential(context, triggerKey(context));
		forgetCredential(triggerKey(context));
		await recentCredential(context, triggerKey(context));
		expect(state.reads).toBe(2);
	});

	test('what could not be read is read again', async () => {
		const { context, state } = triggerWith(data);
		state.data = Promise.reject(new Error('gone')) as unknown as IDataObject;
		const key = triggerKey(context);
		await expect(recentCredential(context, key)).rejects.toThrow('gone');
		state.data = data;
		expect((await recentCredential(context, key)).baseUrl).toBe(data.baseUrl);
	});

	test('a change counts after some seconds', async () => {
		const { context, state } = triggerWith(data, chosen('1'));
		const key = triggerKey(context);
		const now = Date.now();
		const clock = Date.now;
		try {
			Date.now = () => now;
			await recentCredential(context, key);
			state.data = { ...data, clientId: '2' };
			Date.now = () => now + 900;
			expect((await recentCredential(context, key, true)).account).toMatch(/ 1$/);
			Date.now = () => now + 4000;
			expect((await recentCredential(context, key)).account).toMatch(/ 1$/);
			// After a delivery that failed verification it is read again.
			expect((await recentCredential(context, key, true)).account).toMatch(/ 2$/);
			state.data = { ...data, clientId: '3' };
			Date.now = () => now + 10_000;
			expect((await recentCredential(context, key)).account).toMatch(/ 3$/);
		} finally {
			Date.now = clock;
		}
	});
});
