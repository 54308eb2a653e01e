import * as n8nWorkflow from 'n8n-workflow';
import type {
	IDataObject,
	IHookFunctions,
	IHttpRequestOptions,
	ITriggerFunctions,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type * as FailureModule from '../../../nodes/MessagingService/failure';
import type * as TriggerModule from '../../../nodes/MessagingService/MessagingServiceTrigger.node';
import type { ServiceClient } from '../../../nodes/MessagingService/transport/request';
import { readSettings } from '../../../nodes/MessagingService/transport/settings';
import { expectReadable } from '../../support/errorTexts';

/** The service: what it has registered, and whether it responds. */
export class SimulatedService {
	url = '';
	/** Every URL it was told, in order. */
	readonly history: string[] = [];
	/** The token with which it was called last. */
	token: unknown;
	downUntil = 0;
	/** Milliseconds that a call takes. */
	latency = 100;
	/** Whether it registers a URL also where its response is an error. */
	isLying = false;
	/** What a call throws while the service is down, as the package of the running n8n knows it. */
	failure = () => new Error('n8n was not started');

	async tell(url: string): Promise<void> {
		await n8nWorkflow.sleep(this.latency);
		if (Date.now() < this.downUntil) {
			if (this.isLying) this.url = url;
			return await Promise.reject(this.failure());
		}
		this.url = url;
		this.history.push(url);
	}
}

/** A workflow with a trigger: what n8n keeps of it in its database. */
export interface SimulatedWorkflow {
	id: string;
	parameters: IDataObject;
	/** What is published of it; undefined while it is not. */
	published?: IDataObject | undefined;
	staticData: IDataObject;
	/** Ends the timer of the published trigger. */
	close?: (() => Promise<void>) | undefined;
}

const base = 'https://n8n.example.com';

/**
 * An n8n process that calls hooks and timers as n8n 2.41 does, on simulated time (jest's). The code
 * of the package is loaded anew at every start, so nothing survives but the static data.
 */
export class SimulatedN8n {
	readonly service = new SimulatedService();
	readonly log: string[] = [];
	/** The same, with what n8n files a message under. */
	readonly entries: { level: string; message: string; workflowId?: string; nodeName?: string }[] =
		[];
	/** Deliveries of this n8n to its own test URLs. */
	readonly ownRequests: IHttpRequestOptions[] = [];
	/** What comes of them. */
	ownResponse: () => Promise<unknown> = async () => await Promise.resolve();
	/** Whether its database responds when the credential is read. */
	isReady = true;
	/** The address under which the service reaches this n8n; undefined where n8n gives none. */
	base: string | undefined = base;
	/** Why publishing or listening was refused. */
	readonly refusals: string[] = [];
	credential: IDataObject = { baseUrl: 'https://service.example.com', clientId: '1001' };
	private trigger: TriggerModule.MessagingServiceTrigger;

	constructor() {
		this.trigger = this.load();
	}

	private load(): TriggerModule.MessagingServiceTrigger {
		const client = (): ServiceClient => {
			if (!this.isReady) throw new Error('Database is not ready!');
			const { token } = this.credential;
			return {
				settings: readSettings({ ...this.credential } as never),
				post: async ({ query }: { query?: IDataObject }) => {
					this.service.token = token;
					await this.service.tell(String(query?.url));
				},
			} as unknown as ServiceClient;
		};
		let loaded: TriggerModule.MessagingServiceTrigger | undefined;
		jest.isolateModules(() => {
			jest.doMock('n8n-workflow', () => n8nWorkflow);
			jest.doMock('../../../nodes/MessagingService/transport/connection', () => ({
				connect: async () => await Promise.resolve().then(client),
			}));
			const { MessagingServiceTrigger } = jest.requireActual<typeof TriggerModule>(
				'../../../nodes/MessagingService/MessagingServiceTrigger.node',
			);
			loaded = new MessagingServiceTrigger();
			const { Failure } = jest.requireActual<typeof FailureModule>(
				'../../../nodes/MessagingService/failure',
			);
			this.service.failure = () => new Failure('down', 'Try again later.', { sent: 'possibly' });
		});
		if (loaded === undefined) throw new Error('The package was not loaded');
		return loaded;
	}

	private context(
		workflow: SimulatedWorkflow,
		parameters: IDataObject,
		staticData: IDataObject,
		{ mode, isTest = false }: { mode: WorkflowExecuteMode; isTest?: boolean },
		activation: WorkflowActivateMode,
	) {
		const note = (level: string) => (message: string, details?: object) => {
			this.log.push(message);
			this.entries.push({ level, message, ...details });
		};
		return {
			logger: {
				debug: note('debug'),
				info: note('info'),
				warn: note('warn'),
				error: note('error'),
			},
			getMode: () => mode,
			getActivationMode: () => activation,
			getWorkflow: () => ({ id: workflow.id, name: workflow.id, active: true }),
			getNode: () => ({ id: 'node', name: 'Trigger', type: 'x', parameters }),
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getNodeWebhookUrl: () =>
				this.base === undefined
					? undefined
					: `${this.base}/${isTest ? 'webhook-test' : 'webhook'}/${String(parameters.path)}`,
			getWorkflowStaticData: () => staticData,
			helpers: {
				httpRequest: async (options: IHttpRequestOptions) => {
					this.ownRequests.push(options);
					return await this.ownResponse();
				},
			},
		} as unknown as IHookFunctions & ITriggerFunctions;
	}

	url({ parameters }: SimulatedWorkflow, segment = 'webhook'): string {
		return `${base}/${segment}/${String(parameters.path)}`;
	}

	/** Sets up a published version: the hook, tried five times, and beside it the timer. */
	private async activate(workflow: SimulatedWorkflow, activation: WorkflowActivateMode) {
		const { trigger } = this;
		const parameters = workflow.published ?? {};
		const context = this.context(
			workflow,
			parameters,
			workflow.staticData,
			{ mode: 'trigger' },
			activation,
		);
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
	}

	private async deactivate(workflow: SimulatedWorkflow): Promise<void> {
		const context = this.context(
			workflow,
			workflow.published ?? {},
			workflow.staticData,
			{ mode: 'internal' },
			'update',
		);
		await Promise.all([
			this.trigger.webhookMethods.default.delete.call(context),
			workflow.close?.(),
		]);
		workflow.close = undefined;
	}

	/** Publishes the workflow as it is now. False when n8n shows it as failed. */
	async publish(workflow: SimulatedWorkflow): Promise<boolean> {
		const isUpdate = workflow.published !== undefined;
		if (isUpdate) {
			await this.deactivate(workflow);
			// Its database takes a moment.
			await n8nWorkflow.sleep(300);
		}
		workflow.published = { ...workflow.parameters };
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

	/** Dies and starts again; the published workflows come up in the order of the list. */
	async restart(workflows: SimulatedWorkflow[]): Promise<void> {
		const now = Date.now();
		jest.clearAllTimers();
		// Clearing sets the time back as well.
		jest.setSystemTime(now);
		this.trigger = this.load();
		const published = workflows.filter((workflow) => workflow.published !== undefined);
		await Promise.all(
			published.map(async (workflow, index) => {
				await n8nWorkflow.sleep(Math.min(index * 2500, 3500));
				await this.activate(workflow, 'init');
			}),
		);
	}

	/** Another main process becomes the leader: the timers end, and no hook is called. */
	async loseLeadership(workflows: SimulatedWorkflow[]): Promise<void> {
		await Promise.all(workflows.map(async (workflow) => await workflow.close?.()));
	}

	/** This process becomes the leader again; it still has what it knew when it ceased to be. */
	async regainLeadership(workflows: SimulatedWorkflow[]): Promise<void> {
		const published = workflows.filter((workflow) => workflow.published !== undefined);
		for (const workflow of published) await this.activate(workflow, 'leadershipChange');
	}

	/** Listens for a test event until the returned function is called; undefined when it is refused. */
	async listen(workflow: SimulatedWorkflow): Promise<(() => Promise<void>) | undefined> {
		const staticData: IDataObject = {};
		const context = (mode: WorkflowExecuteMode) =>
			this.context(workflow, workflow.parameters, staticData, { mode, isTest: true }, 'manual');
		const { create, delete: end } = this.trigger.webhookMethods.default;
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
