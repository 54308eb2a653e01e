import { answerOf } from '../shared/answers';
import { defineOperation } from '../define';
import { smsCampaignLocator } from '../shared/fields';
import { readCampaign } from './campaignId';

/** `POST /api/Campaigns/:Id` without a body; the interface shows neither purpose nor answer. */
export const postById = defineOperation({
	value: 'postById',
	name: 'Post Without Payload',
	action: 'Post to SMS campaign without payload',
	description:
		'Call the endpoint of one SMS campaign without a body. What it does is not documented: ask the service operator before using it.',
	kind: 'perItem',
	reachesPeople: true,
	fields: [smsCampaignLocator],
	async run({ client, parameters }) {
		const { id, path } = readCampaign(parameters);
		const answer = await client.anything({
			method: 'POST',
			path,
		});
		return answerOf(answer, { id });
	},
});
