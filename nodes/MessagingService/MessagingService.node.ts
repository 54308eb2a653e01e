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
	searchSmsCampaigns,
	searchStoredNumbers,
	searchVoiceCampaigns,
} from './methods/listSearch';
import { getCountries } from './methods/loadOptions';
import { resources } from './resources';
import { toProperties } from './resources/define';
import { subtitleOf } from './resources/subtitle';

const MAIN = [NodeConnectionTypes.Main];

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
		usableAsTool: true,
		inputs: MAIN,
		outputs: MAIN,
		credentials: [
			{ name: 'messagingServiceApi', required: true, testedBy: 'testMessagingService' },
		],
		properties: toProperties(resources),
	};

	methods = {
		credentialTest: { testMessagingService },
		listSearch: { searchSmsCampaigns, searchStoredNumbers, searchVoiceCampaigns },
		loadOptions: { getCountries },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runNode(this);
	}
}
