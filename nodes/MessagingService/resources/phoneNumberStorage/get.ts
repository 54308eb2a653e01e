import { storageRequest } from '../../transport/listRequests';
import { pathSegment } from '../../transport/request';
import { defineOperation } from '../define';
import { storedNumberLocator } from '../shared/locators';
import { outputFields, chosenOutput } from '../shared/simplify';
import { STORED_FIELDS, withoutEmptyParameters } from './item';

/** `GET /api/PhoneNumberStorageItem/:storageId` (interface, "Phone number storage"). */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get stored phone number',
	description: 'Look up one stored phone number by its ID: read the number and its parameters',
	fields: [storedNumberLocator, ...outputFields(STORED_FIELDS)],
	async run(call) {
		const { client, parameters } = call;
		const id = parameters.locator(storedNumberLocator);
		const output = chosenOutput(call, STORED_FIELDS, withoutEmptyParameters);
		return output(await client.record(storageRequest(`/${pathSegment(id)}`)));
	},
});
