import { pathSegment } from '../../transport/request';
import { defineOperation } from '../define';
import { simplifier, simplifyField } from '../shared/simplify';
import { SIMPLIFIED_MESSAGE } from './message';

/** `GET /api/SMSMessages:Id`, without a slash before the ID, as documented. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get SMS message',
	description: 'Get one SMS message with its status, price and parts',
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
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				{
					displayName: 'Slash Before ID',
					name: 'slashBeforeId',
					type: 'boolean',
					default: false,
					description:
						'Whether to put a slash between the path and the ID. The interface documents the path without one.',
				},
			],
		},
	],
	async run(call) {
		const { client, parameters } = call;
		const id = pathSegment(parameters.pathId('messageId', 'Message ID'));
		const { slashBeforeId } = parameters.collection('options', 'Options');
		const message = await client.record({
			method: 'GET',
			path: `/api/SMSMessages${slashBeforeId === true ? '/' : ''}${id}`,
		});
		return simplifier(call, SIMPLIFIED_MESSAGE)(message);
	},
});
