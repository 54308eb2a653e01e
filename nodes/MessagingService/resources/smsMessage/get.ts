import { pathSegment } from '../../transport/request';
import { defineOperation } from '../define';
import { recordWithId } from '../shared/identifiers';
import { simplifier, simplifyField } from '../shared/simplify';
import { SIMPLIFIED_MESSAGE } from './message';

/** `GET /api/SMSMessages:Id`, without a slash before the ID unless the credential says otherwise. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get SMS message',
	description: 'Look up one SMS message by its ID: its status, its price and how many parts it has',
	kind: 'perItem',
	fields: [
		{
			displayName: 'Message ID',
			name: 'messageId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10',
			description: 'ID of the message, for example newId from the output of Send',
		},
		simplifyField,
	],
	async run(call) {
		const { client, parameters } = call;
		const id = parameters.pathId('messageId', 'Message ID');
		const simplified = simplifier(call, SIMPLIFIED_MESSAGE);
		const message = await client.record({
			method: 'GET',
			path: `/api/SMSMessages${client.settings.slashBeforeId ? '/' : ''}${pathSegment(id)}`,
			expected: recordWithId(id, 'newId', 'id'),
		});
		return simplified(message);
	},
});
