import { defineOperation } from '../define';
import { readSmsCampaign, smsCampaignLocator } from '../shared/locators';
import { undocumentedOutput } from '../shared/responses';

/** `POST /api/Campaigns/:Id` without a body; the interface shows neither purpose nor response. */
export const postById = defineOperation({
	value: 'postById',
	name: 'Call Undocumented Endpoint',
	isHiddenFromAgents: true,
	action: 'Call undocumented endpoint of SMS campaign',
	description:
		'Post to one SMS campaign without a payload. What it does is not documented: ask the service operator before using it.',
	reaches: 'unknown',
	fields: [smsCampaignLocator],
	request({ parameters }) {
		const { id, path } = readSmsCampaign(parameters);
		return { method: 'POST', path, reaches: { kind: 'unknown' }, changes: path, output: { id } };
	},
	result: undocumentedOutput,
});
