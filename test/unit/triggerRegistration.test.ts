import { createHash } from 'node:crypto';
import { SimulatedN8n, type SimulatedWorkflow } from './support/simulatedN8n';

const HOUR = 3_600_000;
/** Until the last of six tries has failed. */
const ALL_TRIES = 400_000;
const NOW = new Date('2026-03-01T12:00:00Z');

beforeEach(() => {
	jest.useFakeTimers();
	jest.setSystemTime(NOW);
});
afterEach(() => {
	jest.useRealTimers();
});

function workflow(id: string, options: Record<string, unknown> = {}): SimulatedWorkflow {
	const parameters = { path: id, events: ['smsStatus'], options };
	return { id, parameters: parameters as SimulatedWorkflow['parameters'], staticData: {} };
}

/** Lets simulated time pass while something goes on. */
async function over<Result>(running: Promise<Result>, milliseconds = 10_000): Promise<Result> {
	running.catch(() => undefined);
	await jest.advanceTimersByTimeAsync(milliseconds);
	return await running;
}

describe('what n8n keeps of a published trigger', () => {
	const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
	const tokenIn = (url: string) => new URL(url).searchParams.get('token') ?? '';

	test('is the time, and a digest of the token while there is one', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		expect(only.staticData).toEqual({ publishedAt: NOW.getTime() });
		n8n.credential.webhookSecret = 'secret';
		await over(n8n.publish(only));
		expect(only.staticData).toEqual({
			publishedAt: NOW.getTime() + 10_000,
			tokenDigest: sha256(tokenIn(n8n.service.url)),
		});
		delete n8n.credential.webhookSecret;
		await over(n8n.publish(only));
		expect(only.staticData).toEqual({ publishedAt: NOW.getTime() + 20_000 });
		await over(n8n.unpublish(only));
		expect(only.staticData).toEqual({});
	});

	test('stays over a start, with the token of today', async () => {
		const n8n = new SimulatedN8n();
		const [one, older] = [workflow('a'), workflow('b')];
		await over(n8n.publish(one));
		// As one of a version that noted nothing.
		older.published = { ...older.parameters };
		n8n.credential.webhookSecret = 'secret';
		await over(n8n.restart([one, older]));
		const tokenDigest = sha256(tokenIn(n8n.service.url));
		expect([one, older].map(({ staticData }) => staticData)).toEqual([
			{ publishedAt: NOW.getTime(), tokenDigest },
			{ publishedAt: 0, tokenDigest },
		]);
		delete n8n.credential.webhookSecret;
		await over(n8n.restart([one, older]));
		expect(one.staticData).toEqual({ publishedAt: NOW.getTime() });
		expect(n8n.service.url).toBe(n8n.url(one));
	});
});

describe('what goes wrong is logged for the workflow', () => {
	test('that n8n cannot register after its start', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		n8n.base = 'http://localhost:5678';
		await over(n8n.restart([only]));
		expect(n8n.entries).toEqual([
			{
				level: 'error',
				message: expect.stringMatching(/workflow "a" cannot be registered.*on this machine/),
				workflowId: 'a',
				nodeName: 'Trigger',
			},
		]);
	});

	test('whose settings, published long ago, are not possible any more', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		only.published = { ...only.parameters, events: ['removed'] };
		await over(n8n.restart([only]));
		expect(n8n.entries).toEqual([
			{
				level: 'error',
				message: expect.stringContaining('Trigger On cannot be "removed"'),
				...{ workflowId: 'a', nodeName: 'Trigger' },
			},
		]);
		expect(n8n.service.history).toEqual([]);
	});

	test('that is published while the service is away', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		n8n.service.downUntil = Date.now() + 3000;
		await over(n8n.publish(only), 4000);
		expect(n8n.entries).toEqual([
			{
				level: 'warn',
				message: expect.stringMatching(/"a" could not be registered, and n8n will try again: down/),
				workflowId: 'a',
			},
		]);
		// The next try is five seconds after the failure.
		expect(n8n.service.history).toHaveLength(1);
		await jest.advanceTimersByTimeAsync(2000);
		expect(n8n.service.history).toHaveLength(2);
	});

	test('that takes the URL of another one, but not when it is published again', async () => {
		const n8n = new SimulatedN8n();
		const [first, last] = [workflow('first'), workflow('last')];
		await over(n8n.publish(first));
		await over(n8n.publish(first));
		expect(n8n.entries).toEqual([]);
		await over(n8n.publish(last));
		await over(n8n.publish(last));
		expect(n8n.entries).toEqual([
			{
				level: 'warn',
				message: expect.stringMatching(/"first" receives no more events:.*"last" was published/),
				workflowId: 'last',
			},
		]);
	});

	test('whose renewal fails', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		n8n.service.downUntil = Date.now() + 7 * HOUR;
		await jest.advanceTimersByTimeAsync(6.7 * HOUR);
		expect(n8n.entries[0]).toEqual({
			level: 'warn',
			message:
				'The webhook URL of the workflow "a" could not be registered again: down The next try is in 5 seconds.',
			workflowId: 'a',
			nodeName: 'Trigger',
		});
	});

	test('that responds at the end and waits before it, but not after a start of n8n', async () => {
		const n8n = new SimulatedN8n();
		n8n.childNodes = [{ name: 'Wait', type: 'n8n-nodes-base.wait', disabled: false }];
		const only = workflow('a', { responseMode: 'lastNode' });
		await over(n8n.publish(only));
		await over(n8n.restart([only]));
		expect(n8n.entries).toEqual([
			{ level: 'warn', message: expect.stringContaining('a node that waits'), workflowId: 'a' },
		]);
	});

	test('whose credential points elsewhere', async () => {
		const n8n = new SimulatedN8n();
		await over(n8n.publish(workflow('a')));
		n8n.credential.clientId = '1002';
		await jest.advanceTimersByTimeAsync(60_000);
		expect(n8n.entries).toEqual([
			{
				level: 'warn',
				message: expect.stringMatching(/of the workflow "a" points/),
				workflowId: 'a',
			},
		]);
	});

	test('that is unpublished, when n8n does not know whether it has the URL', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a', { renewEveryHours: 0 });
		await over(n8n.publish(only));
		await over(n8n.restart([only]));
		await over(n8n.unpublish(only));
		expect(n8n.entries).toEqual([
			{
				level: 'warn',
				message: expect.stringMatching(/"a" was unpublished.*left alone/),
				workflowId: 'a',
			},
		]);
		expect(n8n.service.history).toHaveLength(1);
	});

	test('that is unpublished while the service is away for long', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		n8n.service.downUntil = Date.now() + ALL_TRIES;
		await over(n8n.unpublish(only), ALL_TRIES);
		expect(n8n.entries).toEqual([
			{
				level: 'error',
				message: expect.stringMatching(/"a" is still registered.*: down Remove it with the node/),
				workflowId: 'a',
			},
		]);
	});
});

test('after a start, the URL is registered when all triggers had time to claim it', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a');
	await over(n8n.publish(only));
	await over(n8n.restart([only]), 3900);
	expect(n8n.service.history).toHaveLength(1);
	await jest.advanceTimersByTimeAsync(1000);
	expect(n8n.service.history).toHaveLength(2);
});

test('a changed workflow takes the URL back from the user, later if the service is away', async () => {
	const n8n = new SimulatedN8n();
	const only = workflow('a');
	await over(n8n.publish(only));
	await over(n8n.setByHand('https://crm.example.com/in'));
	n8n.service.downUntil = Date.now() + 3000;
	expect(await over(n8n.publish(only), 20_000)).toBe(true);
	expect(n8n.service.url).toBe(n8n.url(only));
});

describe('an unpublished workflow', () => {
	test('keeps the URL for three seconds, for n8n may publish it again', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		await over(n8n.unpublish(only), 2900);
		expect(n8n.service.url).toBe(n8n.url(only));
		await jest.advanceTimersByTimeAsync(300);
		expect(n8n.service.url).toBe('');
	});

	test('is not published again a moment later while the service is away', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		await over(n8n.unpublish(only), 500);
		n8n.service.downUntil = Date.now() + 60_000;
		expect(await over(n8n.publish(only), 40_000)).toBe(false);
	});

	test('says nothing and changes nothing where the user registers the URL', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a', { registration: 'manual' });
		await over(n8n.publish(only));
		await over(n8n.restart([only]));
		await over(n8n.unpublish(only));
		expect([n8n.entries, n8n.service.history, only.staticData]).toEqual([[], [], {}]);
	});

	test('says nothing where another one has the URL, or the user has set it', async () => {
		const n8n = new SimulatedN8n();
		const [first, last] = [workflow('first'), workflow('last')];
		await over(n8n.publish(first));
		await over(n8n.publish(last));
		n8n.entries.length = 0;
		await over(n8n.unpublish(first));
		expect([n8n.entries, n8n.service.url]).toEqual([[], n8n.url(last)]);
		await over(n8n.setByHand(''));
		await over(n8n.unpublish(last));
		expect([n8n.entries, n8n.service.url]).toEqual([[], '']);
	});

	test.each([
		['https://n8n.example.com/webhook/other', true],
		['https://crm.example.com/in', false],
	])('is replaced by %s, with the token: %p', async (replacementUrl, hasToken) => {
		const n8n = new SimulatedN8n();
		n8n.credential.webhookSecret = 'secret';
		const only = workflow('a', { whenUnpublished: 'replace', replacementUrl });
		await over(n8n.publish(only));
		await over(n8n.unpublish(only));
		const [bare, token] = n8n.service.url.split('?token=');
		expect([bare, token !== undefined]).toEqual([replacementUrl, hasToken]);
	});

	test('whose credential points elsewhere now takes no URL away there', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		n8n.credential.clientId = '1002';
		n8n.service.url = 'https://crm.example.com/in';
		await over(n8n.unpublish(only));
		expect(n8n.service.history).toEqual([n8n.url(only)]);
		expect(n8n.entries).toEqual([
			{
				level: 'warn',
				message: expect.stringMatching(/"a" stays registered at the former service or client/),
				workflowId: 'a',
			},
		]);
	});

	test('that is published again for another client keeps the URL there', async () => {
		const n8n = new SimulatedN8n();
		const only = workflow('a');
		await over(n8n.publish(only));
		n8n.credential.clientId = '1002';
		await over(n8n.publish(only));
		expect(n8n.service.history).toEqual([n8n.url(only), n8n.url(only)]);
		expect(n8n.log).toEqual([expect.stringContaining('stays registered at the former service')]);
	});

	test('hands the URL to one whose credential points elsewhere now, as that one does itself', async () => {
		const n8n = new SimulatedN8n();
		const [first, last] = [workflow('first'), workflow('last')];
		await over(n8n.publish(first));
		await over(n8n.publish(last));
		n8n.credential.clientId = '1002';
		await over(n8n.unpublish(last));
		expect(n8n.service.url).toBe(n8n.url(first));
		// It is known to be there: the credential, read again, does not move it once more.
		await jest.advanceTimersByTimeAsync(60_000);
		expect(n8n.service.history).toHaveLength(3);
		await over(n8n.unpublish(first));
		expect(n8n.service.url).toBe('');
	});
});
