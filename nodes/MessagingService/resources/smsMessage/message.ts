import type { IDataObject } from 'n8n-workflow';
import { codeName, SMS_STATUSES } from '../../codes';
import { withNumbers } from '../shared/responses';
import type { OperationInput } from '../../parameters/operationInput';
import { chosenOutput, outputFields, pickFields } from '../shared/simplify';

/** The fields of a message (interface, "SMS message"). */
export const MESSAGE_FIELDS = [
	'newId',
	'id',
	'client_Id',
	'dateCreated',
	'dateModified',
	'phoneNumber',
	'status',
	'price',
	'smsCount',
	'dateReceived',
	'countryCode',
	'senderNumber',
	'message',
	'campaignId',
] as const;

/** What a simplified output has: the name of the status first, as the triggers have it. */
export const SIMPLIFIED_FIELDS = [
	'phoneNumber',
	'status',
	'message',
	'senderNumber',
	'smsCount',
	'price',
	'dateCreated',
	'statusCode',
	'newId',
	'id',
	'campaignId',
] as const;

/** The choice of what a message returns. */
export const messageOutputFields = outputFields(MESSAGE_FIELDS);

/** Makes output messages as the user has chosen. */
export function chosenMessage(input: OperationInput): (message: IDataObject) => IDataObject {
	const { defaultCountry } = input.client.settings;
	return chosenOutput(input, MESSAGE_FIELDS, simplifiedMessage(defaultCountry));
}

/** Makes a simplified message: with the name of its status, and the code beside it. */
const simplifiedMessage =
	(country: string) =>
	(message: IDataObject): IDataObject => {
		const { status } = message;
		const names =
			typeof status === 'number'
				? { status: codeName(SMS_STATUSES, status), statusCode: status }
				: {};
		return pickFields(SIMPLIFIED_FIELDS)(withNumbers({ ...message, ...names }, country));
	};
