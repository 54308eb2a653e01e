import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	ITriggerFunctions,
	ITriggerResponse,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { withNodeErrors } from './failure';
import { SERVICE_KINDS, subtitleOfKinds } from './events/kinds';
import { testMessagingService } from './methods/credentialTest';
import { triggerProperties } from './trigger/settings';
import { handleDelivery } from './trigger/receive';
import { register, runBesideWebhook, unregister } from './trigger/registration';
import { webhookDescription } from './trigger/webhookDescription';

const OUTPUTS = [NodeConnectionTypes.Main];

export class MessagingServiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Service Trigger',
		name: 'messagingServiceTrigger',
		icon: { light: 'file:messagingService.svg', dark: 'file:messagingService.dark.svg' },
		group: ['trigger'],
		// Not 1: for nodes of version 1, n8n evaluates an expression on every webhook request.
		version: 2,
		subtitle: subtitleOfKinds(SERVICE_KINDS),
		// The editor shows it for the pair of action node and trigger.
		description:
			'Send bulk SMS, run voice campaigns, and start workflows from call attempts and SMS statuses',
		eventTriggerDescription: 'Waiting for an event of the messaging service',
		activationMessage: 'Events of the service now start this workflow.',
		defaults: { name: 'Messaging Service Trigger' },
		builderHint: {
			searchHint:
				'Every published workflow with this trigger and the same account gets every event, each by its own filters.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-messaging-service.messagingServicePollTrigger',
					relationHint: 'Use it instead where the service cannot reach n8n',
				},
			],
		},
		hints: [
			{
				message:
					'Items with "sample: true" are examples to build the workflow with. Nobody received a message or call.',
				location: 'outputPane',
				whenToDisplay: 'afterExecution',
			},
		],
		inputs: [],
		outputs: OUTPUTS,
		credentials: [
			{ name: 'messagingServiceApi', required: true, testedBy: 'testMessagingService' },
		],
		webhooks: [webhookDescription],
		properties: triggerProperties,
	};

	methods = { credentialTest: { testMessagingService } };

	webhookMethods = {
		default: {
			/** The service cannot be asked which URL is registered, so it is always told. */
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				await withNodeErrors(this, async () => register(this));
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				unregister(this);
				return true;
			},
		},
	};

	/** The trigger as first node of the execution that its webhook has started. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}

	/** Beside the webhook, because n8n calls the hooks of a node with this function after every start. */
	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return runBesideWebhook(this);
	}

	/** Responds to a delivery: an event starts the workflow, anything else is refused with a reason. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await handleDelivery(this);
	}
}
