import { randomUUID } from 'node:crypto';
import { TriggerContext } from 'n8n-core';
import type { ITriggerResponse, WorkflowActivateMode, WorkflowExecuteMode } from 'n8n-workflow';
import { poll } from '../../host/poll';
import { withReadableErrors } from '../support/errorTexts';
import { startSandbox, type Sandbox } from '../support/sandbox';
import {
	additionalDataFor,
	hookContext,
	trigger,
	workflowWith,
	type TriggerSetup,
} from '../support/trigger';

const base = { path: 'messaging-service', events: ['smsStatus'], options: {} };
const production = 'https://n8n.example.com/webhook/messaging-service';

/** Where nobody responds, and no test waits for it. */
const unreachable = { webhookTestBaseUrl: 'http://127.0.0.1:1/webhook-test' };

/** Unpublishing waits three seconds before the URL goes. */
const patience = { timeout: 10_000 };

describe('the registration', () => {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(async () => {
		await sandbox.stop();
	});
	beforeEach(async () => {
		await sandbox.reset();
	});
	/** A trigger in a workflow of its own, its hooks and its timer called as n8n does. */
	function triggerWith(
		parameters: Record<string, unknown> = {},
		credential = {},
		more: Pick<TriggerSetup, 'addresses' | 'staticData'> = {},
	) {
		const setup: TriggerSetup = {
			parameters: { ...base, ...parameters } as TriggerSetup['parameters'],
			credential: {
				baseUrl: sandbox.url,
				// One account for each test: what is known of the holder outlives it.
				clientId: '1001',
				authentication: 'header',
				headerName: 'X-Api-Key',
				headerSecret: sandbox.apiKey,
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
		const call = async (
			hook: 'create' | 'delete',
			mode: WorkflowExecuteMode,
			isTest: boolean,
			activation: WorkflowActivateMode,
		) => {
			const context = hookContext({ ...setup, isTest }, place, mode, activation);
			Object.defineProperty(context, 'logger', { value: logger });
			await withReadableErrors(
				async () => await trigger.webhookMethods.default[hook].call(context),
			);
		};
		async function startTimer(activation: WorkflowActivateMode) {
			const additionalData = additionalDataFor(setup);
			const context = new TriggerContext(
				place.workflow,
				place.node,
				additionalData,
				'trigger',
				activation,
			);
			Object.defineProperty(context, 'logger', { value: logger });
			return await withReadableErrors(async () => await trigger.trigger.call(context));
		}
		let timer: ITriggerResponse = {};
		return {
			setup,
			log,
			async publish(activation: WorkflowActivateMode = 'activate') {
				await call('create', 'trigger', false, activation);
				timer = await startTimer(activation);
			},
			async unpublish() {
				await call('delete', 'internal', false, 'update');
				await timer.closeFunction?.();
			},
			listen: async () => {
				await call('create', 'manual', true, 'manual');
			},
			stopListening: async () => {
				await call('delete', 'internal', true, 'update');
			},
			staticData: () => JSON.stringify(place.workflow.staticData),
		};
	}

	const history = async () => (await sandbox.webhook()).history.map(({ url }) => url);

	it('is left alone while the editor listens', async () => {
		const { listen, stopListening } = triggerWith({}, {}, { addresses: unreachable });
		await listen();
		await stopListening();
		expect((await sandbox.requests({ path: 'UpdateWebHook' })).total).toBe(0);
	});

	it('says in the log where n8n cannot reach its own test URL, and goes on', async () => {
		const { listen, log } = triggerWith({}, {}, { addresses: unreachable });
		await listen();
		await poll(async () => Promise.resolve(log.length > 0 ? true : undefined), {
			what: 'the warning',
			...patience,
		});
		expect(log).toEqual([
			{ level: 'warn', message: expect.stringMatching(/^n8n cannot reach its own test URL http/) },
		]);
	});

	it('has the token in the URL, and nowhere else', async () => {
		const secret = 'a-webhook-secret';
		const { publish, staticData } = triggerWith({}, { webhookSecret: secret });
		await publish();
		const [url = ''] = await history();
		const token = new URL(url).searchParams.get('token');
		expect(token).toMatch(/^[\da-f]{64}$/);
		expect(staticData()).not.toContain(token);
		expect(staticData()).not.toContain(secret);
	});

	it('keeps the token out of errors, even when the service quotes the URL', async () => {
		const { publish } = triggerWith({}, { webhookSecret: 'a-webhook-secret' });
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

	it('fails with the reason when the service does not accept the URL', async () => {
		const { publish } = triggerWith();
		await sandbox.fault({
			match: { path: 'UpdateWebHook' },
			times: 'always',
			fault: { kind: 'status', status: 503 },
		});
		await expect(publish()).rejects.toThrow(/service/i);
		await sandbox.clearFaults();
		await publish();
		expect(await history()).toEqual([production]);
	}, 60_000);

	it.each<[Record<string, unknown>, string, RegExp]>([
		[{ path: ' pad ' }, 'Path cannot be " pad "', /Use letters/],
		[{ path: 'a?b' }, 'Path cannot be "a?b"', /Use letters/],
		[{ path: 'a%20b' }, 'Path cannot be "a%20b"', /Use letters/],
		[{ path: '..' }, 'Path cannot be ".."', /Use letters/],
		[{ path: 'a/:b' }, 'Path cannot be "a/:b"', /Use letters/],
		[{ path: 'a//b' }, 'Path cannot be "a//b"', /Use letters/],
	])('refuses a Path before anything is sent: %j', async (parameters, message, description) => {
		for (const act of ['publish', 'listen'] as const) {
			await expect(triggerWith(parameters)[act]()).rejects.toMatchObject({
				message,
				description: expect.stringMatching(description),
			});
		}
		expect((await sandbox.requests({ path: 'UpdateWebHook' })).total).toBe(0);
	});

	it.each(['={{ undefined }}', '={{ "" }}', ''])(
		'is the random webhook ID of n8n where the Path is empty: %s',
		async (path) => {
			await triggerWith({ path }).publish();
			expect(await history()).toEqual(['https://n8n.example.com/webhook/webhook-id']);
		},
	);

	it.each(['a', '/a/', 'a.b/c-d_e~f', 'A1', '={{ 5 }}'])('takes the Path %s', async (path) => {
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
		expect((await history()).at(-1)).toBe(`${url}/webhook/messaging-service`);
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
