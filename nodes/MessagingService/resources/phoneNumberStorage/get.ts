import { pathSegment } from '../../transport/request';
import { defineOperation } from '../define';
import { storedNumberLocator } from '../shared/fields';
import { simplifyField } from '../shared/simplify';
import { withoutEmptyParameters } from './item';

/** `GET /api/PhoneNumberStorageItem/:storageId` (interface, "Phone number storage"). */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get stored phone number',
	description: 'Get one stored phone number with its parameters',
	kind: 'perItem',
	fields: [storedNumberLocator, simplifyField],
	async run({ client, parameters }) {
		const id = pathSegment(parameters.locator('storageId', 'Stored Number'));
		const item = await client.record({
			method: 'GET',
			path: `/api/PhoneNumberStorageItem/${id}`,
		});
		return parameters.value('simple', 'Simplify') === false ? item : withoutEmptyParameters(item);
	},
});
