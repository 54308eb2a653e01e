import { withClientId } from '../../transport/clientId';
import { answerOf } from '../shared/answers';
import { defineOperation } from '../define';
import { recipientsDecideKind } from '../../recipients/recipients';
import { createFields, readAdditionalFields, readCampaign } from './campaignBody';
import { phoneNumbers } from './phoneNumbers';

const CLI = 'cli_Id';

/** `POST /api/Campaign/Voice/` (interface, "Voice campaigns"); of the answer, only an ID is shown. */
export const createForClient = defineOperation({
	value: 'createForClient',
	name: 'Create From Number List',
	action: 'Create voice campaign from number list',
	description: 'Create a bulk voice campaign for a client from a pre-compiled list of numbers',
	kind: recipientsDecideKind(phoneNumbers),
	recipients: phoneNumbers,
	reachesPeople: true,
	fields: createFields(CLI, [
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1001',
			description: 'Client that the campaign is created for, if not the one of the credential',
		},
	]),
	async run(call) {
		const { clientId } = readAdditionalFields(call);
		const request = withClientId(
			call.client,
			{ method: 'POST', path: '/api/Campaign/Voice/', body: readCampaign(call, CLI) },
			String(clientId ?? '').trim() || undefined,
		);
		const answer = await call.client.anything(request);
		return typeof answer === 'object'
			? answerOf(answer, {})
			: answerOf(undefined, { id: answer as string });
	},
});
