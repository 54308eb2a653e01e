import { pathSegment } from '../../transport/request';
import { answerOf } from '../shared/answers';
import { defineOperation } from '../define';
import { asOptions, storedNumberLocator } from '../shared/fields';
import { numberField, parametersField, readNumber, readParameters } from './item';

const PAYLOAD = 'Payload';

/** `POST /api/PhoneNumberStorageItem/:storageId`; payload, purpose and answer are not shown. */
export const postById = defineOperation({
	value: 'postById',
	name: 'Post by ID',
	action: 'Post to stored phone number',
	description:
		'Call the endpoint of one stored number, with fields of the item or without a body. What it does is not documented: ask the service operator before using it.',
	kind: 'perItem',
	fields: [
		storedNumberLocator,
		{
			displayName: PAYLOAD,
			name: 'payload',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Fields of the item to send. Without any, no body is sent.',
			options: asOptions([
				numberField,
				...((parametersField.options ?? []) as (typeof numberField)[]),
			]),
		},
	],
	async run({ client, parameters }) {
		const storageID = parameters.locator('storageId', 'Stored Number');
		const { number, ...others } = parameters.collection('payload', PAYLOAD);
		const body = {
			...(number === undefined ? {} : { number: readNumber(number) }),
			...readParameters(others),
		};
		const answer = await client.anything({
			method: 'POST',
			path: `/api/PhoneNumberStorageItem/${pathSegment(storageID)}`,
			body: Object.keys(body).length === 0 ? undefined : body,
		});
		return answerOf(answer, { storageID });
	},
});
