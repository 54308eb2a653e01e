import { randomUUID } from 'node:crypto';
import type { WorkflowExecuteMode } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../support/sandbox';
import { hookContext, receive, trigger, workflowWith, type TriggerSetup } from '../support/trigger';

const base = { path: 'messaging-service', events: ['smsStatus'], options: {} };

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

	/** A trigger in a workflow of its own, its hooks called as n8n does. */
	function triggerWith(
		parameters: Record<string, unknown> = {},
		credential = {},
		more: Pick<TriggerSetup, 'addresses' | 'staticData'> = {},
	) {
		const setup: TriggerSetup = {
			parameters: { ...base, ...parameters } as TriggerSetup['parameters'],
			credential: {
				baseUrl: sandbox.url,
				clientId: '1001',
				authentication: 'header',
				headerName: 'X-Api-Key',
				headerSecret: sandbox.apiKey,
				...credential,
			},
			workflowId: randomUUID(),
			...more,
		};
		const log: { level: string; message: string; details: unknown }[] = [];
		const note = (level: string) => (message: string, details?: unknown) => {
			log.push({ level, message, details });
		};
		const place = workflowWith(setup);
		const call = async (
			hook: 'checkExists' | 'create' | 'delete',
			mode: WorkflowExecuteMode,
			isTest: boolean,
		): Promise<boolean> => {
			const context = hookContext({ ...setup, isTest }, place, mode);
			const logger = { warn: note('warn'), error: note('error') };
			Object.defineProperty(context, 'logger', { value: logger });
			return await trigger.webhookMethods.default[hook].call(context);
		};
		return {
			setup,
			log,
			isRegistered: async () => await call('checkExists', 'trigger', false),
			publish: async () => await call('create', 'trigger', false),
			unpublish: async () => await call('delete', 'internal', false),
			listen: async () => await call('create', 'manual', true),
			stopListening: async () => await call('delete', 'internal', true),
			staticData: () => JSON.stringify(place.workflow.staticData),
		};
	}

	const history = async () => (await sandbox.webhook()).history.map(({ url }) => url);
	const production = 'https://n8n.example.com/webhook/messaging-service';
	const test = 'https://n8n.example.com/webhook-test/messaging-service';

	it('sets the production URL and removes it', async () => {
		const { publish, unpublish } = triggerWith();
		await publish();
		await unpublish();
		expect(await history()).toEqual([production, '']);
	});

	it('removes nothing after a registration that failed', async () => {
		await sandbox.registerWebhook('https://other.example.com/events');
		await sandbox.fault({
			match: { path: 'UpdateWebHook' },
			fault: { kind: 'status', status: 500 },
		});
		const { publish, unpublish } = triggerWith();
		await expect(publish()).rejects.toThrow();
		await unpublish();
		expect(await history()).toEqual(['https://other.example.com/events']);
	});

	it('reports a removal that failed, and can be asked again', async () => {
		const { publish, unpublish } = triggerWith();
		await publish();
		await sandbox.fault({
			match: { path: 'UpdateWebHook' },
			fault: { kind: 'status', status: 503 },
		});
		await expect(unpublish()).rejects.toThrow(/service/i);
		await unpublish();
		expect(await history()).toEqual([production, '']);
	});

	it.each([
		['keep', {}, []],
		['replace', { replacementUrl: 'https://crm.example.com/in' }, ['https://crm.example.com/in']],
	])('does what is wanted on deactivation: %s', async (onDeactivation, more, expected) => {
		const { publish, unpublish } = triggerWith({ onDeactivation, ...more });
		await publish();
		await unpublish();
		expect(await history()).toEqual([production, ...expected]);
	});

	it('calls nothing when the URL is set elsewhere', async () => {
		const { publish, unpublish, listen, stopListening } = triggerWith({ registration: 'manual' });
		await publish();
		await listen();
		await stopListening();
		await unpublish();
		expect((await sandbox.requests({ path: 'UpdateWebHook' })).total).toBe(0);
	});

	it('borrows the registration while listening, and gives it back', async () => {
		const { listen, stopListening } = triggerWith();
		await listen();
		expect(await history()).toEqual([test]);
		await stopListening();
		expect(await history()).toEqual([test, production]);
	});

	it('gives it back to a URL that the user names', async () => {
		const urlAfterListening = 'https://other.example.com/events';
		const { listen, stopListening } = triggerWith({ urlAfterListening });
		await listen();
		await stopListening();
		expect(await history()).toEqual([test, urlAfterListening]);
	});

	it('gives it back although the service is away for a moment', async () => {
		const { listen, stopListening } = triggerWith();
		await listen();
		await sandbox.fault({
			match: { path: 'UpdateWebHook' },
			times: 2,
			fault: { kind: 'status', status: 502 },
		});
		await stopListening();
		expect(await history()).toEqual([test, production]);
	});

	it('leaves it alone while listening on demand', async () => {
		const { listen, stopListening } = triggerWith({ whileListening: 'leave' });
		await listen();
		await stopListening();
		expect(await history()).toEqual([]);
	});

	it('puts the token into the URL of this n8n only, and nowhere else', async () => {
		const secret = 'a-webhook-secret';
		const { publish, unpublish, listen, stopListening, staticData } = triggerWith(
			{ onDeactivation: 'replace', replacementUrl: 'https://crm.example.com/in' },
			{ webhookSecret: secret },
		);
		await publish();
		expect(staticData()).not.toMatch(/token|secret/);
		await unpublish();
		await listen();
		await stopListening();
		const urls = await history();
		expect(urls[0]).toMatch(
			/^https:\/\/n8n\.example\.com\/webhook\/messaging-service\?token=[\da-f]{64}$/,
		);
		expect(urls[1]).toBe('https://crm.example.com/in');
		expect(urls[2]).toMatch(/webhook-test\/messaging-service\?token=[\da-f]{64}$/);
		expect(urls[3]).toBe(urls[0]);
		expect(urls.join()).not.toContain(secret);
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

	it('does not remove the URL that another workflow has set since', async () => {
		const [first, second] = [triggerWith(), triggerWith({ path: 'other' })];
		await first.publish();
		await second.publish();
		await first.unpublish();
		expect(await history()).toEqual([production, 'https://n8n.example.com/webhook/other']);
		await second.unpublish();
		expect((await history()).at(-1)).toBe('');
	});

	it('is always done anew: the service cannot be asked', async () => {
		const { isRegistered, publish } = triggerWith();
		await publish();
		expect(await isRegistered()).toBe(false);
	});

	it('says that it replaces the URL of another workflow, but not that of its own', async () => {
		const [first, second] = [triggerWith(), triggerWith({ path: 'other' })];
		await first.publish();
		await first.publish();
		await second.publish();
		expect(
			first.log.filter(({ message }) => message.includes(String(first.setup.workflowId))),
		).toEqual([]);
		expect(second.log).toEqual([
			{
				level: 'warn',
				message: `The webhook URL of the workflow "Workflow ${String(first.setup.workflowId)}" is replaced: the service keeps one URL per client.`,
			},
		]);
		await second.unpublish();
	});

	it('does not remove the URL of a workflow that events are delivered to', async () => {
		// As after a restart of n8n: only the workflows' own memory is left.
		const staticData = { registeredUrl: production };
		const clientIds = ['1002', '1003'];
		for (const clientId of clientIds) {
			const remembering = triggerWith({}, { clientId }, { staticData });
			const other = triggerWith({ path: 'other' }, { clientId });
			if (clientId === '1003') {
				await receive(other.setup, { body: { webHookType: 1, data: { statusCode: 1 } } });
			}
			await remembering.unpublish();
			expect(remembering.staticData()).not.toContain('registeredUrl');
		}
		expect(await history()).toEqual(['']);
	});

	it('says in the log when the URL for live events could not be put back', async () => {
		const { listen, stopListening, log, setup, staticData } = triggerWith();
		await listen();
		await sandbox.fault({
			match: { path: 'UpdateWebHook' },
			times: 'always',
			fault: { kind: 'status', status: 502 },
		});
		const before = (await sandbox.requests({ path: 'UpdateWebHook' })).total;
		await expect(stopListening()).resolves.toBe(true);
		expect((await sandbox.requests({ path: 'UpdateWebHook' })).total - before).toBe(3);
		expect(log).toEqual([
			{
				level: 'error',
				message: expect.stringMatching(
					/^Listening .* could not be registered again: .*502.*Publish the workflow again/,
				),
				details: { workflowId: setup.workflowId, nodeName: 'Messaging Service Trigger' },
			},
		]);
		expect(staticData()).not.toMatch(/registeredUrl|urlAfterListening/);
	});

	it('asks for the URL after listening where n8n has its own names for addresses', async () => {
		const addresses = { webhookTestBaseUrl: 'https://n8n.example.com/try' };
		const unnamed = triggerWith({}, {}, { addresses });
		await expect(unnamed.listen()).rejects.toMatchObject({
			message: 'It is not known which URL to put back when listening ends',
			description: expect.stringContaining('Set "URL After Listening"'),
		});
		expect(await history()).toEqual([]);
		const named = triggerWith({ urlAfterListening: production }, {}, { addresses });
		await named.listen();
		await named.stopListening();
		expect(await history()).toEqual(['https://n8n.example.com/try/messaging-service', production]);
	});

	it.each([
		['https://n8n.example.com/rest', 'https://n8n.example.com'],
		['https://n8n.example.com/base/rest/', 'https://n8n.example.com/base'],
		// Where n8n does not know its own address, the test URL's is taken.
		['rest', 'https://editor.example.com'],
	])('takes the base of the production URL from %s', async (restApiUrl, expected) => {
		const addresses = { restApiUrl, webhookTestBaseUrl: 'https://editor.example.com/webhook-test' };
		for (const path of ['messaging-service', '/messaging-service/']) {
			const { listen, stopListening } = triggerWith({ path }, {}, { addresses });
			await listen();
			await stopListening();
		}
		const urls = await history();
		expect([urls[1], urls[3]]).toEqual([
			`${expected}/webhook/messaging-service`,
			`${expected}/webhook/messaging-service/`,
		]);
	});

	it('forgets what it remembers of a version that n8n has taken down', async () => {
		const staticData = { registeredUrl: production, urlAfterListening: 'https://old.example.com/' };
		const { publish, unpublish } = triggerWith({}, {}, { staticData });
		await publish();
		await unpublish();
		expect(await history()).toEqual([production, '']);
		const failing = triggerWith({ path: ' ' }, {}, { staticData });
		await expect(failing.publish()).rejects.toThrow('The trigger has no URL');
		await failing.unpublish();
		expect(await history()).toEqual([production, '']);
	});

	it('removes the URL where no other is named instead', async () => {
		const { publish, unpublish } = triggerWith({ onDeactivation: 'replace', replacementUrl: ' ' });
		await publish();
		await unpublish();
		expect(await history()).toEqual([production, '']);
	});

	it.each([
		...['http://localhost:5678', 'http://n8n.localhost', 'http://LOCALHOST', 'http://127.0.0.1'],
		...['http://127.1.2.3:80', 'http://0.0.0.0', 'http://[::1]', 'http://[::]'],
	])(
		'knows that the service cannot reach %s, unless it runs on this machine itself',
		async (url) => {
			const urlAfterListening = `${url}/x`;
			const away = triggerWith({ urlAfterListening }, { baseUrl: 'https://service.example.com' });
			await expect(away.listen()).rejects.toMatchObject({
				message: expect.stringContaining('"URL After Listening" is http'),
				description: expect.stringContaining('WEBHOOK_URL'),
			});
			const { listen, stopListening } = triggerWith({ urlAfterListening });
			await listen();
			await stopListening();
			expect((await history()).at(-1)).toBe(urlAfterListening);
		},
	);

	it('explains a URL that the service can never reach, instead of registering it', async () => {
		const away = { baseUrl: 'https://service.example.com' };
		const local = 'http://localhost:5678/webhook/messaging-service';
		const named = triggerWith({ urlAfterListening: local }, away);
		await expect(named.listen()).rejects.toThrow(/cannot reach this n8n/);
		const strange = triggerWith({ urlAfterListening: 'ftp://n8n.example.com/x' }, away);
		await expect(strange.listen()).rejects.toThrow(/not an http or https URL/);
		await expect(triggerWith({ path: 'a/:b' }, away).publish()).rejects.toThrow(/variable parts/);
		await expect(triggerWith({ path: ' / ' }, away).publish()).rejects.toThrow(/no URL/);
		expect(await history()).toEqual([]);
	});
});
