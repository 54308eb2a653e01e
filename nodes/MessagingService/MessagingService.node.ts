import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { runNode } from './execution/run';
import { testMessagingService } from './methods/credentialTest';
import {
	searchCallFlows,
	searchClis,
	searchSmsCampaigns,
	searchSmsMessages,
	searchStoredNumbers,
	searchVoiceCampaigns,
	getCountries,
} from './methods/editorLists';
import { resources } from './resources';
import { subtitleOf, toProperties } from './resources/define';

const MAIN = [NodeConnectionTypes.Main];

/** For n8n's AI builder. */
const CREATE_PATTERNS = [
	{
		displayOptions: {
			show: {
				resource: ['smsCampaign', 'voiceCampaign'],
				operation: ['create', 'createForClient'],
			},
		},
		content: `<patterns>
<pattern title="One campaign for all rows">
Connect the node that outputs the rows directly to one Create. It runs once for all input items and makes one campaign. Do not add Loop Over Items, Split In Batches or Aggregate before it.
</pattern>
<pattern title="Send in waves, and stop if the first one fails">
Put Create in a loop over batches of rows only for this: Loop Over Items, Create, Wait, Get Summary, If, and back to the loop.
</pattern>
</patterns>`,
	},
];

export class MessagingService implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Service',
		name: 'messagingService',
		icon: { light: 'file:messagingService.svg', dark: 'file:messagingService.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: subtitleOf(resources),
		description: 'Send bulk SMS and run outbound voice campaigns',
		defaults: { name: 'Messaging Service' },
		usableAsTool: {
			// What the field for the tool's description begins with.
			replacements: {
				description:
					'Sends a marketing text message (SMS) to the phone of a real person. It costs money and cannot be taken back. The result says sent: yes, no or possibly, and the reason. Never repeat a message that was possibly sent.',
			},
		},
		builderHint: {
			searchHint:
				'To reach many people, use one Create: all input items become one campaign, so do not put this node in a loop, except to send in waves. For a personal text per item, use SMS Message: Send.',
			extraTypeDefContent: CREATE_PATTERNS,
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-messaging-service.messagingServiceTrigger',
					relationHint: 'Receives call outcomes and SMS statuses of what this node sends',
				},
				{
					nodeType: 'n8n-nodes-messaging-service.messagingServicePollTrigger',
					relationHint: 'Reads the results where the service cannot reach n8n',
				},
			],
		},
		inputs: MAIN,
		outputs: MAIN,
		credentials: [
			{ name: 'messagingServiceApi', required: true, testedBy: 'testMessagingService' },
		],
		properties: toProperties(resources),
	};

	methods = {
		credentialTest: { testMessagingService },
		listSearch: {
			searchCallFlows,
			searchClis,
			searchSmsCampaigns,
			searchSmsMessages,
			searchStoredNumbers,
			searchVoiceCampaigns,
		},
		loadOptions: { getCountries },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runNode(this);
	}
}
