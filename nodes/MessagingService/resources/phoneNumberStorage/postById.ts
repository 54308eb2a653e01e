import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { toSingleNumber } from '../../recipients/singleNumber';
import { pathSegment } from '../../transport/request';
import { flag, only } from '../../returns/fields';
import type { OperationCall } from '../operation';
import { defineOperation } from '../define';
import { asOptions } from '../shared/fields';
import { storedNumberLocator } from '../shared/locators';
import { outputOf } from '../shared/responses';
import { numberField, parameterFields, readParameters, STORED_ITEM } from './item';

const PAYLOAD = 'payload';

const payloadNumberField = { ...numberField, description: 'Number of the stored item' };

const payloadFields = asOptions([payloadNumberField, ...parameterFields]);

const sourceField = {
	displayName: 'Payload From',
	name: 'payloadSource',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Fields Below', value: 'fields', description: 'Fields of a stored phone number' },
		{ name: 'JSON', value: 'json', description: 'Any JSON object or array' },
	],
	default: 'fields',
	description: 'Where the body of the request comes from',
} satisfies INodeProperties;

const jsonField = {
	displayName: 'Payload (JSON)',
	name: 'payloadJson',
	type: 'json',
	default: '{}',
	required: true,
	description: 'Body of the request, sent as it is',
	displayOptions: { show: { payloadSource: ['json'] } },
} satisfies INodeProperties;

/** `POST /api/PhoneNumberStorageItem/:storageId`; payload, purpose and response are not shown. */
export const postById = defineOperation({
	value: 'postById',
	name: 'Call Undocumented Endpoint',
	action: 'Call undocumented endpoint of stored phone number',
	description:
		'Post to one stored phone number by its ID, with or without a payload. What it does is not documented: ask the service operator before using it.',
	kind: 'perItem',
	fields: [
		storedNumberLocator,
		sourceField,
		jsonField,
		{
			displayName: 'Payload',
			name: PAYLOAD,
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Fields of the item to send. Without any, no body is sent.',
			displayOptions: { show: { payloadSource: ['fields'] } },
			options: payloadFields,
		},
	],
	sequenceKey: (call) => readId(call),
	returns: {
		fields: { ...only(STORED_ITEM, ['storageID']), success: flag(true) },
		isOpen: true,
	},
	request(call) {
		const body = readPayload(call);
		return {
			method: 'POST',
			path: `/api/PhoneNumberStorageItem/${pathSegment(readId(call))}`,
			...(body === undefined ? {} : { body }),
		};
	},
	result(response, call) {
		return outputOf(response, { storageID: readId(call) });
	},
});

function readId({ parameters }: OperationCall): string {
	return parameters.locator('storageId', 'Stored Number');
}

/** The body; undefined when the user set no field of it. */
function readPayload(call: OperationCall): IDataObject | undefined {
	const { parameters } = call;
	if (parameters.read(sourceField) === 'json') return parameters.read(jsonField) as IDataObject;
	const body = readParameters(parameters, PAYLOAD);
	const number = parameters.member(PAYLOAD, payloadNumberField);
	if (number !== undefined) body.number = toSingleNumber(call, numberField, number);
	return Object.keys(body).length === 0 ? undefined : body;
}
