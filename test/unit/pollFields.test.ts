import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { MessagingServicePollTrigger } from '../../nodes/MessagingService/MessagingServicePollTrigger.node';
import { pollProperties } from '../../nodes/MessagingService/poll/fields';

const { description } = new MessagingServicePollTrigger();

/** The fields that n8n shows with these parameters. */
function shown(parameters: INodeParameters): string[] {
	const node = { typeVersion: 1, parameters } as unknown as INode;
	return pollProperties
		.filter((property) =>
			NodeHelpers.displayParameter(parameters, property, node, description as never),
		)
		.map(({ name }) => name);
}

test.each<[string, string[], string[]]>([
	['recent', ['callAttempted'], []],
	['recent', ['smsStatus'], ['smsFilters']],
	['selected', ['callAttempted'], ['voiceCampaigns']],
	['selected', ['campaignFinished'], ['voiceCampaigns']],
	['selected', ['campaignStatus'], ['voiceCampaigns', 'smsCampaigns']],
	['selected', ['smsStatus'], ['voiceCampaigns', 'smsCampaigns', 'smsFilters']],
	['selected', ['callAttempted', 'smsStatus'], ['voiceCampaigns', 'smsCampaigns', 'smsFilters']],
])('for %s campaigns and %j, the fields that count are shown', (campaigns, events, expected) => {
	expect(shown({ campaigns, events }).sort()).toEqual(
		['campaigns', 'days', 'events', 'options', ...expected].sort(),
	);
});

test('campaigns are added one by one, each from the list or by its ID', () => {
	for (const name of ['voiceCampaigns', 'smsCampaigns']) {
		const property = pollProperties.find((each) => each.name === name);
		expect(property).toMatchObject({
			...{ type: 'fixedCollection', typeOptions: { multipleValues: true }, default: {} },
			options: [{ name: 'campaign', values: [{ name: 'campaignId', type: 'resourceLocator' }] }],
		});
	}
});

test('what is not set is what the fields show', () => {
	const defaultOf = (name: string) => pollProperties.find((each) => each.name === name)?.default;
	expect(['events', 'campaigns', 'days', 'options'].map(defaultOf)).toEqual([
		...[['callAttempted'], 'recent', 7, {}],
	]);
});
