import { randomUUID } from 'node:crypto';
import type { WorkflowActivateMode, WorkflowExecuteMode } from 'n8n-workflow';
import { poll } from '../../host/poll';
import { startSandbox, type Sandbox } from '../../host/sandbox.ts';
import { withReadableErrors } from '../support/errorTexts';
import { hookContext, trigger, workflowWith, type TriggerSetup } from '../support/trigger';

const base = { events: ['smsStatus'] };

/** Where nobody responds, and no test waits for it. */
const unreachable = { webhookTestBaseUrl: 'http://127.0.0.1:1/webhook-test' };

describe('the registration', () => {
	let sandbox: Sandbox;
	let accounts = 0;

	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(async () => {
		await sandbox.stop();
	});
	beforeEach(async () => {
		await sandbox.reset();
	});

	/** A trigger in a workflow of its own, its hooks called as n8n does. */
	function triggerWith(
		{ path = 'messaging-service', options = {}, ...parameters }: Record<string, unknown> = {},
		credential = {},
		more: Pick<TriggerSetup, 'addresses'> = {},
	) {
		const setup: TriggerSetup = {
			parameters: {
				...base,
				...parameters,
				options: { path, ...(options as object) },
			} as TriggerSetup['parameters'],
			credential: {
				// Another account in each test, since what is published outlives it.
				baseUrl: sandbox.url.replace(/\d+$/, (port) => `${'0'.repeat(++accounts)}${port}`),
				clientId: '1001',
				authentication: 'header',
				headerName: 'X-Api-Key',
				headerSecret: sandbox.apiKey,
				webhookSecret: 'a-webhook-secret',
				...credential,
			},
			workflowId: randomUUID(),
			...more,
		};
		const log: { level: string; message: string }[] = [];
		const note = (level: string) => (message: string) => {
			log.push({ level, message });
		};
		const logger = { warn: note('warn'), error: note('error') };
		const place = workflowWith(setup);
		const create = async (mode: WorkflowExecuteMode, activation: WorkflowActivateMode) => {
			const isTest = mode === 'manual';
			const context = hookContext({ ...setup, isTest }, place, mode, activation);
			Object.defineProperty(context, 'logger', { value: logger });
			await withReadableErrors(
				async () => await trigger.webhookMethods.default.create.call(context),
			);
		};
		return {
			log,
			publish: async () => {
				await create('trigger', 'activate');
			},
			listen: async () => {
				await create('manual', 'manual');
			},
			staticData: () => JSON.stringify(place.workflow.staticData),
		};
	}

	const history = async () => (await sandbox.webhook()).history.map(({ url }) => url);
	const historyWithoutTokens = async () => (await history()).map((url) => url.replace(/\?.*/, ''));

	it.each(['none', '+44 12', '+447700900123, abc'])(
		'refuses to publish a filter with a number that cannot be read: %s',
		async (phoneNumbers) => {
			const { publish } = triggerWith({ filters: { phoneNumbers } });
			await expect(publish()).rejects.toThrow(
				/^Phone Numbers has an entry that is no phone number/,
			);
			expect(await history()).toEqual([]);
		},
	);

	it('says in the log where n8n cannot reach its own test URL, and goes on', async () => {
		const { listen, log } = triggerWith({}, {}, { addresses: unreachable });
		await listen();
		await poll(async () => Promise.resolve(log.length > 0 ? true : undefined), {
			what: 'the warning',
			timeout: 10_000,
		});
		expect(log).toEqual([
			{ level: 'warn', message: expect.stringMatching(/^n8n cannot reach its own test URL http/) },
		]);
	});

	it('has the token in the URL, and nowhere else', async () => {
		const secret = 'another-secret';
		const { publish, staticData } = triggerWith({}, { webhookSecret: secret });
		await publish();
		const [url = ''] = await history();
		const token = new URL(url).searchParams.get('token');
		expect(token).toMatch(/^[\da-f]{64}$/);
		expect(staticData()).not.toContain(token);
		expect(staticData()).not.toContain(secret);
	});

	it('keeps the token out of errors, even when the service quotes the URL', async () => {
		const { publish } = triggerWith();
		await publish();
		const [url = ''] = await history();
		const token = new URL(url).searchParams.get('token') ?? '';
		expect(token).toHaveLength(64);
		await sandbox.fault({
			match: { path: 'UpdateWebHook' },
			fault: { kind: 'status', status: 400, body: { errors: { WebHookUrl: [`${url} is taken`] } } },
		});
		const error: unknown = await publish().catch((problem: unknown) => problem);
		expect(error).toBeInstanceOf(Error);
		const { message, description } = error as Error & { description?: string };
		expect(`${message} ${description ?? ''} ${JSON.stringify(error)}`).not.toContain(token);
	});

	it.each([
		['a login page', '<!doctype html><title>Login</title>'],
		['errors', { errors: { clientId: ['is unknown'] } }],
		['success: false', { success: false }],
	])('is none where the service responds 200 with %s: publishing fails', async (_what, body) => {
		await sandbox.fault({
			match: { path: 'UpdateWebHook' },
			fault: { kind: 'status', status: 200, body },
		});
		await expect(triggerWith().publish()).rejects.toThrow(/^The response .* (web page|success)/);
	});

	it("names the fields of n8n in the service's complaints", async () => {
		await sandbox.fault({
			match: { path: 'UpdateWebHook' },
			fault: {
				kind: 'status',
				status: 400,
				body: { errors: { WebHookUrl: ['is taken'], ClientId: ['is unknown'] } },
			},
		});
		await expect(triggerWith().publish()).rejects.toThrow(
			'Webhook URL: is taken | Client ID: is unknown',
		);
	});

	it.each([' pad ', 'a?b', 'a%20b', '..', 'a/:b', 'a//b', '/a', 'a/', '={{ 5 }}'])(
		'refuses the Path %j before anything is sent',
		async (path) => {
			for (const act of ['publish', 'listen'] as const) {
				await expect(triggerWith({ path })[act]()).rejects.toMatchObject({
					message: `Path cannot be "${path.replace('=', '')}"`,
					description: expect.stringMatching(/Use letters/),
				});
			}
			expect((await sandbox.requests({ path: 'UpdateWebHook' })).total).toBe(0);
		},
	);

	it('is the random webhook ID of n8n where the Path is empty', async () => {
		await triggerWith({ path: '' }).publish();
		expect(await historyWithoutTokens()).toEqual(['https://n8n.example.com/webhook/webhook-id']);
	});

	it.each(['a', 'a.b/c-d_e~f', 'A1'])('takes the Path %s', async (path) => {
		await triggerWith({ path }).publish();
		expect(await history()).toHaveLength(1);
	});

	it.each([
		...['http://localhost:5678', 'http://n8n.localhost', 'http://LOCALHOST', 'http://127.0.0.1'],
		...['http://127.1.2.3:80', 'http://0.0.0.0', 'http://[::1]', 'http://[::]'],
	])('knows that the service cannot reach %s, unless it is on this machine too', async (url) => {
		const addresses = { webhookBaseUrl: `${url}/webhook` };
		const away = triggerWith({}, { baseUrl: 'https://service.example.com' }, { addresses });
		await expect(away.publish()).rejects.toMatchObject({
			message: 'The service cannot reach the webhook URL',
			description: expect.stringContaining('WEBHOOK_URL'),
		});
		await triggerWith({}, {}, { addresses }).publish();
		const { href } = new URL(`${url}/webhook/messaging-service`);
		expect((await historyWithoutTokens()).at(-1)).toBe(href);
	});

	it.each([
		...['https://localhost.example.com', 'https://notlocalhost', 'https://x127.0.0.1.example.com'],
		...['http://128.0.0.1', 'http://[::2]', 'https://127.0.0.1.example.com', 'http://10.0.0.0'],
	])('does not take %s for this machine', async (url) => {
		// What is found wrong after that, so that no request leaves this machine.
		const { publish } = triggerWith(
			{},
			{ baseUrl: 'https://service.example.com', clientId: '' },
			{ addresses: { webhookBaseUrl: `${url}/webhook` } },
		);
		await expect(publish()).rejects.toThrow('The Client ID of the credential is empty');
	});
});
