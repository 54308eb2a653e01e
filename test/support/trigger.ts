import { HookContext, WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IWebhookData,
	IWorkflowExecuteAdditionalData,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';
import { TRIGGER_RETURNS } from '../../nodes/MessagingService/events/returns';
import { expectReadableRefusal } from './errorTexts';
import { FakeResponse } from './fakeResponse';
import { assertReturns, isDocumentedEvent } from './returns';
import { nodeTypesFor, surroundings } from './surroundings';

/** The trigger's class. */
export const trigger = new MessagingServiceTrigger();

/** What a delivery came to. */
export interface DeliveryResult {
	/** The status of the trigger's response; undefined where n8n responds after storing the execution. */
	status: number | undefined;
	body: unknown;
	/** The items that the trigger puts out at each output, when an execution is to start. */
	outputs: INodeExecutionData[][] | undefined;
	response: FakeResponse;
	/** Errors and warnings that the trigger has written to n8n's log. */
	log: { message: string; details: unknown }[];
}

export interface TriggerSetup {
	parameters?: IDataObject;
	credential?: IDataObject;
	/** Tells one workflow from another: the trigger keeps state by workflow. */
	workflowId?: string;
	/** Tells the triggers of a workflow from one another. */
	nodeId?: string;
	/** By default, each workflow has a credential of its own. */
	credentialId?: string;
	mode?: WorkflowExecuteMode;
	isTest?: boolean;
	/** Reads the credential store, instead of `credential`. */
	readCredential?: () => Promise<IDataObject>;
	/** Addresses that differ from those of `n8nBase`. */
	addresses?: { restApiUrl?: string; webhookBaseUrl?: string; webhookTestBaseUrl?: string };
	/** What the trigger remembers from before. */
	staticData?: IDataObject;
}

/** What the contexts of n8n get from the n8n around them. */
export function additionalDataFor(setup: TriggerSetup, more = {}): IWorkflowExecuteAdditionalData {
	const { readCredential = () => setup.credential ?? {}, addresses } = setup;
	return surroundings(readCredential, { executionId: '1', ...addresses, ...more });
}

/** A workflow with the trigger in it, in n8n's own class. */
export function workflowWith(setup: TriggerSetup): { workflow: Workflow; node: INode } {
	const workflow = new Workflow({
		id: setup.workflowId ?? 'trigger-test',
		name: `Workflow ${setup.workflowId ?? 'trigger-test'}`,
		nodes: [
			{
				id: setup.nodeId ?? 'trigger-node',
				name: 'Messaging Service Trigger',
				type: 'messagingServiceTrigger',
				typeVersion: 2,
				position: [0, 0],
				// Without one, n8n ignores that the path is a full one.
				webhookId: 'webhook-id',
				parameters: (setup.parameters ?? {}) as INode['parameters'],
				credentials: {
					messagingServiceApi: { id: setup.credentialId ?? setup.workflowId ?? '1', name: 'test' },
				},
			},
		],
		connections: {},
		active: true,
		nodeTypes: nodeTypesFor({ messagingServiceTrigger: trigger }),
		staticData: { 'node:Messaging Service Trigger': { ...setup.staticData } },
	});
	return { workflow, node: workflow.getNode('Messaging Service Trigger') as INode };
}

function webhookData(workflow: Workflow, isTest: boolean): IWebhookData {
	const [description] = trigger.description.webhooks ?? [];
	if (description === undefined) throw new Error('The trigger has no webhook');
	return {
		httpMethod: 'POST',
		node: 'Messaging Service Trigger',
		path: 'messaging-service',
		webhookDescription: description,
		workflowId: workflow.id,
		isTest,
	} as unknown as IWebhookData;
}

/** A delivery as n8n hands it to the node. */
export interface Delivery {
	body?: unknown;
	raw?: string;
	/** n8n has used the bytes up, as it does with forms. */
	isWithoutRawBody?: boolean;
	contentType?: string;
	query?: Record<string, unknown>;
}

/** Runs the trigger's webhook code in n8n's own webhook context; n8n's response is up to the caller. */
export async function receive(
	setup: TriggerSetup,
	delivery: Delivery,
	response = new FakeResponse(),
): Promise<DeliveryResult> {
	const { workflow, node } = workflowWith(setup);
	const text = delivery.raw ?? JSON.stringify(delivery.body);
	const request = {
		body: delivery.body,
		rawBody:
			text === undefined || delivery.isWithoutRawBody === true ? undefined : Buffer.from(text),
		readRawBody: async () => {
			if (delivery.isWithoutRawBody === true) throw new Error('The stream is not readable');
			return await Promise.resolve();
		},
		headers: { 'content-type': delivery.contentType ?? 'application/json' },
		query: delivery.query ?? {},
		params: {},
		path: '/webhook/messaging-service',
		// No address: what is handed on goes to the public URL.
		socket: {},
	};
	const context = new WebhookContext(
		workflow,
		node,
		additionalDataFor(setup, { httpRequest: request, httpResponse: response }),
		setup.mode ?? 'webhook',
		webhookData(workflow, setup.isTest ?? false),
		[],
		null,
	);
	const log: DeliveryResult['log'] = [];
	const note = (message: string, details?: unknown) => {
		log.push({ message, details });
	};
	const logger = { error: note, warn: note };
	Object.defineProperty(context, 'logger', { value: logger });
	const { workflowData, noWebhookResponse } = await trigger.webhook.call(context);
	// Otherwise n8n responds a second time, or nobody does.
	if (response.writableEnded !== (noWebhookResponse === true)) {
		throw new Error('What the trigger tells n8n about the answer is not so');
	}
	if (response.writableEnded && response.statusCode >= 400) expectReadableRefusal(response.body);
	if (workflowData?.[0]?.length === 1 && isDocumentedEvent(delivery.body)) {
		assertReturns([workflowData[0][0]?.json ?? {}], TRIGGER_RETURNS, setup.parameters ?? {});
	}
	return {
		log,
		status: response.writableEnded ? response.statusCode : undefined,
		body: response.body,
		outputs: workflowData ?? undefined,
		response,
	};
}

/** The context that n8n calls the registration hooks in; its workflow keeps the static data. */
export function hookContext(
	setup: TriggerSetup,
	{ workflow, node }: ReturnType<typeof workflowWith>,
	mode: WorkflowExecuteMode,
	activation: WorkflowActivateMode = 'update',
): HookContext {
	return new HookContext(
		workflow,
		node,
		additionalDataFor(setup),
		mode,
		activation,
		webhookData(workflow, setup.isTest ?? false),
	);
}
