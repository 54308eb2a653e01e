import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { POLL_KINDS, subtitleOfKinds } from './events/kinds';
import { testMessagingService } from './methods/credentialTest';
import { searchSmsCampaigns, searchVoiceCampaigns } from './methods/editorLists';
import { pollProperties } from './poll/settings';
import { runPoll } from './poll/pollNode';

/** Two linters disagree about how this is written in place. */
const OUTPUTS = [NodeConnectionTypes.Main];

export class MessagingServicePollTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Service Poll Trigger',
		name: 'messagingServicePollTrigger',
		icon: { light: 'file:messagingService.svg', dark: 'file:messagingService.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: subtitleOfKinds(POLL_KINDS),
		description:
			'Starts the workflow with new call attempts, SMS statuses and campaign statuses, without a webhook',
		defaults: { name: 'Messaging Service Poll Trigger' },
		builderHint: {
			searchHint: 'Use instead of the webhook trigger where the service cannot reach n8n.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-messaging-service.messagingServiceTrigger',
					relationHint: 'Use it instead where the service can reach n8n: events arrive immediately',
				},
			],
		},
		polling: true,
		hints: [
			{
				message:
					'Fetch Test Event shows recent results as samples, also those that were reported before.',
				location: 'outputPane',
				whenToDisplay: 'afterExecution',
			},
		],
		inputs: [],
		outputs: OUTPUTS,
		credentials: [
			{ name: 'messagingServiceApi', required: true, testedBy: 'testMessagingService' },
		],
		properties: pollProperties,
	};

	methods = {
		credentialTest: { testMessagingService },
		listSearch: { searchSmsCampaigns, searchVoiceCampaigns },
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await runPoll(this);
	}
}
