import { storageRequest } from '../../transport/page';
import { pathSegment } from '../../transport/request';
import { defineOperation } from '../define';
import { storedNumberLocator } from '../shared/locators';
import { simplifyField } from '../shared/simplify';
import { STORED_ITEM, withoutEmptyParameters } from './item';

/** `GET /api/PhoneNumberStorageItem/:storageId` (interface, "Phone number storage"). */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get stored phone number',
	description: 'Look up one stored phone number by its ID: read the number and its parameters',
	fields: [storedNumberLocator, simplifyField],
	returns: { fields: STORED_ITEM },
	async run({ client, parameters }) {
		const id = parameters.locator(storedNumberLocator);
		const isSimple = parameters.read(simplifyField);
		const item = await client.record(storageRequest(`/${pathSegment(id)}`));
		return isSimple ? withoutEmptyParameters(item) : item;
	},
});
