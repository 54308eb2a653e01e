import * as n8nWorkflow from 'n8n-workflow';
import type {
	IDataObject,
	IHookFunctions,
	IHttpRequestOptions,
	ITriggerFunctions,
	IWebhookFunctions,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type * as FailureModule from '../../../nodes/MessagingService/failure';
import type * as TriggerModule from '../../../nodes/MessagingService/MessagingServiceTrigger.node';
import type { ServiceClient } from '../../../nodes/MessagingService/transport/request';
import { readSettings } from '../../../nodes/MessagingService/transport/settings';
import { expectReadable } from '../../support/errorTexts';
import { FakeResponse } from '../../support/fakeResponse';

/** The service: what it has registered, and whether it responds. */
export class SimulatedService {
	url = '';
	/** Every URL it was told, in order. */
	readonly history: string[] = [];
	downUntil = 0;
	/** Milliseconds that a call takes. */
	latency = 100;
	/** Whether it registers a URL also where its response is an error. */
	isLying = false;

	async tell(url: string, failure: () => Error): Promise<void> {
		await n8nWorkflow.sleep(this.latency);
		if (Date.now() < this.downUntil) {
			if (this.isLying) this.url = url;
			return await Promise.reject(failure());
		}
		this.url = url;
		this.history.push(url);
	}
}

type StaticData = Record<string, IDataObject>;

/** A workflow with a trigger: what n8n keeps of it in its database. */
export interface SimulatedWorkflow {
	id: string;
	/** Several may have the same one. */
	name: string;
	/** Of the trigger's node. */
	nodeId: string;
	/** Name of the trigger's node, under which its static data is stored. */
	nodeName: string;
	/** With the Path of its options beside them. */
	parameters: IDataObject;
	/** Where it takes events without a Path. */
	webhookId: string;
	/** What its credential has that those of others do not have. */
	credential: IDataObject;
	/** What is published of it; undefined while it is not. */
	published?: { parameters: IDataObject; nodeName: string } | undefined;
	staticData: StaticData;
	/** The events that its executions were stored with, in the order of their arrival. */
	events: unknown[];
	/** Why executions cannot be stored. */
	isFailing: boolean;
	/** Milliseconds that an execution takes, where the trigger responds at its end. */
	executionMs: number;
	/** Ends the timer of the published trigger. */
	close?: (() => Promise<void>) | undefined;
	/** The static data with which a poll trigger beside the trigger was published. */
	polled?: StaticData | undefined;
}

/** A workflow that was never published. */
export function simulatedWorkflow(
	id: string,
	parameters: IDataObject = {},
	credential: IDataObject = {},
): SimulatedWorkflow {
	return {
		id,
		name: id,
		nodeId: 'node',
		nodeName: 'Trigger',
		webhookId: `webhook-of-${id}`,
		parameters: { path: id, events: ['smsStatus'], ...parameters },
		credential,
		staticData: {},
		events: [],
		isFailing: false,
		executionMs: 0,
	};
}

/** A process of n8n, with the package as it has loaded it. */
interface Process {
	trigger: TriggerModule.MessagingServiceTrigger;
	/** At which address of its machine it takes webhooks; with a certificate, the socket is encrypted. */
	local: { localAddress: string; localPort: number; encrypted?: true };
}

/** The response to a delivery. */
export interface Response {
	statusCode: number;
	headers: Record<string, unknown>;
	body?: unknown;
}

const base = 'https://n8n.example.com';
const copyOf = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/**
 * An n8n that calls hooks, timers and webhooks as n8n 2.41 does, on simulated time (jest's). The code
 * of the package is loaded anew at every start, so nothing survives but the static data.
 */
export class SimulatedN8n {
	readonly service: SimulatedService;
	readonly log: string[] = [];
	/** The same, with what n8n files a message under. */
	readonly entries: { level: string; message: string; workflowId?: string; nodeName?: string }[] =
		[];
	/** What was written into the list of executions as failed, without one. */
	readonly failedExecutions: string[] = [];
	/** Deliveries of this n8n to itself. */
	readonly ownRequests: IHttpRequestOptions[] = [];
	/** To all deliveries that have reached a workflow. */
	readonly responses: FakeResponse[] = [];
	/** Whether its database responds when the credential is read. */
	isReady = true;
	/** The address under which the service reaches this n8n; undefined where n8n gives none. */
	base: string | undefined = base;
	/** Whether this n8n reaches its own public address, and the local one of its processes. */
	reaches = { public: true, local: true };
	/** Whether it responds with success to itself before it has started. */
	isStartingUp = false;
	/** Whether its public address redirects to another one: a POST becomes a GET, which finds nothing. */
	isRedirecting = false;
	/** The address at which it takes webhooks, where it is another one. */
	local: Partial<Process['local']> = {};
	/** How the service writes the path of a webhook. */
	written = (path: string) => path;
	/** Milliseconds that a webhook takes until its trigger is asked. */
	webhookMs = 5;
	/** How long it takes to store static data. */
	storeMs = 100;
	/** Why publishing or listening was refused. */
	readonly refusals: string[] = [];
	credential: IDataObject = {
		baseUrl: 'https://service.example.com',
		clientId: '1001',
		webhookSecret: 'secret',
	};
	readonly workflows: SimulatedWorkflow[];
	/** The one that publishes; in queue mode, others take the deliveries. */
	private main: Process;
	private processors: Process[] = [];
	private turns = 0;
	/** What is delivered to processes that were killed gets no response. */
	private lives = 0;

	constructor(workflows: SimulatedWorkflow[] = [], service = new SimulatedService()) {
		this.workflows = workflows;
		this.service = service;
		this.main = this.load(5678);
	}

	/** How many processes take deliveries. */
	get processes(): number {
		return this.processors.length || 1;
	}

	/** In queue mode, deliveries go to webhook processors, in turns. */
	startProcessors(count: number): void {
		this.processors = Array.from({ length: count }, (_, index) => this.load(5700 + index));
	}

	private load(localPort: number): Process {
		let loaded: TriggerModule.MessagingServiceTrigger | undefined;
		let failure = () => new Error('n8n was not started');
		const client = async (context: IHookFunctions): Promise<ServiceClient> => {
			const credential = await context.getCredentials('messagingServiceApi');
			return {
				settings: readSettings(credential),
				post: async ({ query }: { query?: IDataObject }) => {
					await this.service.tell(String(query?.url), failure);
				},
			} as unknown as ServiceClient;
		};
		jest.isolateModules(() => {
			jest.doMock('n8n-workflow', () => n8nWorkflow);
			jest.doMock('../../../nodes/MessagingService/transport/connection', () => ({
				connect: client,
			}));
			const { MessagingServiceTrigger } = jest.requireActual<typeof TriggerModule>(
				'../../../nodes/MessagingService/MessagingServiceTrigger.node',
			);
			loaded = new MessagingServiceTrigger();
			const { Failure } = jest.requireActual<typeof FailureModule>(
				'../../../nodes/MessagingService/failure',
			);
			failure = () => new Failure('down', 'Try again later.', { sent: 'possibly' });
		});
		if (loaded === undefined) throw new Error('The package was not loaded');
		return { trigger: loaded, local: { localAddress: '::ffff:127.0.0.1', localPort } };
	}

	private contextOf(
		workflow: SimulatedWorkflow,
		{ parameters, nodeName }: { parameters: IDataObject; nodeName: string },
		staticData: StaticData,
		{ mode, isTest = false }: { mode: WorkflowExecuteMode; isTest?: boolean },
	) {
		const note = (level: string) => (message: string, details?: object) => {
			this.log.push(message);
			this.entries.push({ level, message, ...details });
		};
		const id = JSON.stringify(workflow.credential);
		const options = { ...(parameters.options as IDataObject | undefined), path: parameters.path };
		const credentials = { messagingServiceApi: { id, name: 'test' } };
		return {
			logger: {
				debug: note('debug'),
				info: note('info'),
				warn: note('warn'),
				error: note('error'),
			},
			getMode: () => mode,
			getTimezone: () => 'UTC',
			getWorkflow: () => ({ id: workflow.id, name: workflow.name, active: true }),
			getNode: () => ({
				id: workflow.nodeId,
				name: nodeName,
				type: 'x',
				webhookId: workflow.webhookId,
				parameters: { ...parameters, options },
				credentials,
			}),
			getNodeParameter: (name: string, fallback: unknown) =>
				name === 'options' ? options : (parameters[name] ?? fallback),
			getNodeWebhookUrl: () =>
				this.base === undefined
					? undefined
					: `${this.base}/${isTest ? 'webhook-test' : 'webhook'}/${pathOf(workflow, parameters)}`,
			getWorkflowStaticData: () => (staticData[nodeName] ??= {}),
			getCredentials: async () => {
				await Promise.resolve();
				if (!this.isReady) throw new Error('Database is not ready!');
				return { ...this.credential, ...workflow.credential };
			},
			helpers: {
				httpRequest: async (options: IHttpRequestOptions) => {
					this.ownRequests.push(options);
					return await this.deliverToItself(options);
				},
			},
		};
	}

	private hookContext(
		workflow: SimulatedWorkflow,
		staticData: StaticData,
		mode: WorkflowExecuteMode,
		activation: WorkflowActivateMode,
	) {
		if (workflow.published === undefined) throw new Error(`${workflow.id} is not published`);
		return {
			...this.contextOf(workflow, workflow.published, staticData, { mode }),
			getActivationMode: () => activation,
			saveFailedExecution: ({ message }: Error) => {
				this.failedExecutions.push(message);
			},
		} as unknown as IHookFunctions & ITriggerFunctions;
	}

	url({ parameters }: SimulatedWorkflow, segment = 'webhook'): string {
		return `${base}/${segment}/${String(parameters.path)}`;
	}

	/** What n8n's own requests to itself come to. */
	private async deliverToItself(options: IHttpRequestOptions): Promise<Response> {
		const { url, body, headers, disableFollowRedirect, timeout } = options;
		const { host, port } = new URL(url);
		const all = [this.main, ...this.processors];
		if (this.isStartingUp) return { statusCode: 200, headers: {} };
		const isLocal = !host.startsWith('n8n.example.com');
		if (this.isRedirecting && !isLocal) {
			return { statusCode: disableFollowRedirect === true ? 301 : 404, headers: {} };
		}
		if (!this.reaches[isLocal ? 'local' : 'public']) {
			throw Object.assign(new Error(`Nothing responds at ${host}`), { code: 'ECONNREFUSED' });
		}
		const process = isLocal ? all.find(({ local }) => String(local.localPort) === port) : undefined;
		const response = this.deliver(url, String(body), headers as Record<string, string>, process);
		let timer: NodeJS.Timeout | undefined;
		const timedOut = new Promise<never>((_, reject) => {
			const error = new Error(`timeout of ${timeout}ms exceeded`);
			timer = setTimeout(() => reject(Object.assign(error, { code: 'ECONNABORTED' })), timeout);
		});
		try {
			return await Promise.race([response, timedOut]);
		} finally {
			clearTimeout(timer);
		}
	}

	/** Delivers a body to a URL, as anybody can. */
	async deliver(
		url: string,
		body: unknown,
		headers: Record<string, string> = {},
		process = this.processors[this.turns++ % (this.processors.length || 1)] ?? this.main,
	): Promise<Response> {
		const life = this.lives;
		await n8nWorkflow.sleep(this.webhookMs);
		// Who waits for a process that was killed waits for good.
		if (life !== this.lives) return await new Promise(() => undefined);
		const { pathname, searchParams } = new URL(url);
		const path = pathname.replace('/webhook/', '');
		const workflow = this.workflows.find(
			(each) => each.published !== undefined && pathOf(each, each.published.parameters) === path,
		);
		if (workflow?.published === undefined) return { statusCode: 404, headers: {} };
		const response = new FakeResponse();
		this.responses.push(response);
		// n8n reads the static data for each delivery.
		const staticData = copyOf(workflow.staticData);
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		const context = {
			...this.contextOf(workflow, workflow.published, staticData, { mode: 'webhook' }),
			getQueryData: () => Object.fromEntries(searchParams),
			getHeaderData: () => headers,
			getBodyData: () => ({}),
			getRequestObject: () => ({
				path: this.written(pathname),
				socket: { ...process.local, ...this.local },
				rawBody: Buffer.from(text),
			}),
			getResponseObject: () => response,
		} as unknown as IWebhookFunctions;
		const before = JSON.stringify(staticData);
		const { workflowData, webhookResponse } = await process.trigger.webhook.call(context);
		if (life !== this.lives) return await new Promise(() => undefined);
		if (workflowData === undefined) {
			const store = () => {
				const isLate = life !== this.lives || JSON.stringify(staticData) === before;
				if (!isLate) workflow.staticData = staticData;
			};
			// n8n stores static data before it responds itself, and after the node has responded.
			if (webhookResponse === undefined) {
				void n8nWorkflow.sleep(this.storeMs).then(store);
				return response;
			}
			store();
			return response.end();
		}
		if (workflow.isFailing) return response.status(500).end();
		for (const { json } of workflowData[0] ?? []) workflow.events.push(json.messageId);
		if (workflow.executionMs > 0) await n8nWorkflow.sleep(workflow.executionMs);
		return response.end();
	}

	/** Sets up a published version: the hook, tried five times, and beside it the timer. */
	private async activate(workflow: SimulatedWorkflow, activation: WorkflowActivateMode) {
		const { trigger } = this.main;
		const staticData = copyOf(workflow.staticData);
		workflow.polled ??= staticData;
		const context = this.hookContext(workflow, staticData, 'trigger', activation);
		const create = async () => {
			for (let attempt = 0; ; attempt++) {
				try {
					const { checkExists, create: createHook } = trigger.webhookMethods.default;
					if (!(await checkExists.call(context))) await createHook.call(context);
					return;
				} catch (error) {
					await trigger.webhookMethods.default.delete.call(context);
					if (attempt === 4) throw error;
					await n8nWorkflow.sleep(1000 * 2 ** attempt);
				}
			}
		};
		const [created, started] = await Promise.allSettled([create(), trigger.trigger.call(context)]);
		if (started.status === 'fulfilled') workflow.close = started.value.closeFunction;
		if (created.status === 'rejected') throw created.reason as Error;
		workflow.staticData = copyOf(staticData);
	}

	private async deactivate(workflow: SimulatedWorkflow): Promise<void> {
		const context = this.hookContext(workflow, copyOf(workflow.staticData), 'internal', 'update');
		await Promise.all([
			this.main.trigger.webhookMethods.default.delete.call(context),
			workflow.close?.(),
		]);
		workflow.close = undefined;
		workflow.polled = undefined;
	}

	/** Publishes the workflow as it is now. False when n8n shows it as failed. */
	async publish(workflow: SimulatedWorkflow): Promise<boolean> {
		const isUpdate = workflow.published !== undefined;
		if (isUpdate) {
			await this.deactivate(workflow);
			workflow.published = undefined;
			// Its database takes a moment.
			await n8nWorkflow.sleep(300);
		}
		const { parameters, nodeName } = workflow;
		workflow.published = { parameters: { ...parameters }, nodeName };
		try {
			await this.activate(workflow, isUpdate ? 'update' : 'activate');
			return true;
		} catch (error) {
			expectReadable(error as Error);
			this.refusals.push((error as Error).message);
			this.log.push(`Not published: ${String(error)}`);
			return false;
		}
	}

	async unpublish(workflow: SimulatedWorkflow): Promise<void> {
		if (workflow.published === undefined) return;
		await this.deactivate(workflow);
		workflow.published = undefined;
	}

	/** A poll trigger beside the trigger stores the static data that it was published with. */
	poll(workflow: SimulatedWorkflow): void {
		if (workflow.polled !== undefined) workflow.staticData = copyOf(workflow.polled);
	}

	/** Dies and starts again; the published workflows come up in the order of the list. */
	async restart(order = this.workflows, firstMs = 0): Promise<void> {
		const now = Date.now();
		jest.clearAllTimers();
		// Clearing sets the time back as well.
		jest.setSystemTime(now);
		this.lives += 1;
		this.main = this.load(5678);
		this.startProcessors(this.processors.length);
		const published = order.filter((workflow) => workflow.published !== undefined);
		for (const workflow of published) workflow.polled = undefined;
		await n8nWorkflow.sleep(firstMs);
		await Promise.all(
			published.map(async (workflow, index) => {
				await n8nWorkflow.sleep(Math.min(index * 2500, 3500));
				await this.activate(workflow, 'init');
			}),
		);
	}

	/** Another main process becomes the leader: the timers end, and no hook is called. */
	async loseLeadership(): Promise<void> {
		await Promise.all(this.workflows.map(async (workflow) => await workflow.close?.()));
		for (const workflow of this.workflows) workflow.polled = undefined;
	}

	/** This process becomes the leader again; it still has what it knew when it ceased to be. */
	async regainLeadership(): Promise<void> {
		const published = this.workflows.filter((workflow) => workflow.published !== undefined);
		for (const workflow of published) await this.activate(workflow, 'leadershipChange');
	}

	/** Listens for a test event until the returned function is called; undefined when it is refused. */
	async listen(workflow: SimulatedWorkflow): Promise<(() => Promise<void>) | undefined> {
		const staticData: StaticData = {};
		const context = (mode: WorkflowExecuteMode) =>
			({
				...this.contextOf(workflow, workflow, staticData, { mode, isTest: true }),
				getActivationMode: () => 'manual',
			}) as unknown as IHookFunctions;
		const { create, delete: end } = this.main.trigger.webhookMethods.default;
		const stop = async () => {
			await end.call(context('internal'));
		};
		try {
			await create.call(context('manual'));
			return stop;
		} catch (error) {
			expectReadable(error as Error);
			this.refusals.push((error as Error).message);
			await stop();
			return undefined;
		}
	}
}

function pathOf({ webhookId }: SimulatedWorkflow, { path }: IDataObject): string {
	return String(path) || webhookId;
}

/** Lets simulated time pass while something goes on. */
export async function over<Result>(
	running: Promise<Result>,
	milliseconds = 10_000,
): Promise<Result> {
	running.catch(() => undefined);
	await jest.advanceTimersByTimeAsync(milliseconds);
	return await running;
}
