import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { decodeEvent, kindOf, readEvent } from './trigger/events';
import { register, unregister } from './trigger/registration';

const MAIN = [NodeConnectionTypes.Main];

/** An answer to the service without starting an execution. */
function answer(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

export class MessagingServiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Service Trigger',
		name: 'messagingServiceTrigger',
		icon: { light: 'file:messagingService.svg', dark: 'file:messagingService.dark.svg' },
		group: ['trigger'],
		// Not 1: for nodes of version 1, n8n evaluates an expression on every webhook request.
		version: 2,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description: 'Starts the workflow when a call was attempted or the status of an SMS changed',
		eventTriggerDescription: 'Waiting for an event of the messaging service',
		activationMessage: 'Every event of the service now starts this workflow.',
		defaults: { name: 'Messaging Service Trigger' },
		inputs: [],
		outputs: MAIN,
		credentials: [{ name: 'messagingServiceApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: 'noData',
				isFullPath: true,
				path: '={{ $parameter["path"] }}',
			},
		],
		properties: [
			{
				displayName:
					'The service keeps one webhook URL per client: activating this workflow replaces the URL that is registered there now',
				name: 'oneUrlNotice',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Path',
				name: 'path',
				type: 'string',
				default: 'messaging-service',
				required: true,
				placeholder: 'e.g. messaging-service',
				description:
					'Last part of the webhook URL. It stays the same when the workflow is copied or imported, so the URL can be agreed with the service operator beforehand.',
			},
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				options: [
					{
						name: 'Call Attempted',
						value: 'callAttempted',
						description: 'A call of a voice campaign was attempted, with its outcome',
					},
					{
						name: 'SMS Status',
						value: 'smsStatus',
						description: 'The delivery status of an SMS changed',
					},
				],
				default: ['callAttempted', 'smsStatus'],
				required: true,
				description:
					'Which events start the workflow. With all of them selected, events of kinds still unknown start it as well.',
			},
		],
	};

	webhookMethods = {
		default: {
			/** The service cannot be asked which URL it has, so it is always told. */
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				await register(this);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				await unregister(this);
				return true;
			},
		},
	};

	/** Answers a delivery: an event starts the workflow, anything else is refused with a reason. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { event, problem } = readEvent(this.getBodyData());
		if (event === undefined) return answer(this, 400, { error: problem });

		const selected = this.getNodeParameter('events') as string[];
		const kind = kindOf(event);
		const isWanted = kind === 'unknown' ? selected.length === 2 : selected.includes(kind);
		if (!isWanted) return answer(this, 200, { ignored: kind });

		return { workflowData: [[{ json: decodeEvent(event) }]] };
	}
}
