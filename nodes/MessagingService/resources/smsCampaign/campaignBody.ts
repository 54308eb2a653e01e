import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OperationCall } from '../define';
import { toUtc } from '../shared/dates';

/** The fields of the create and update bodies that need not be set, as options of a collection. */
export const optionalCampaignFields: INodeProperties[] = [
	{
		displayName: 'Opt-Out Link ID',
		name: 'optOutLinkId',
		type: 'number',
		default: 0,
		description: 'ID of the opt-out link, supplied by the service operator',
	},
	{
		displayName: 'Start Date and Time',
		name: 'startDateTime',
		type: 'dateTime',
		default: '',
		description: 'When to start sending, in the time zone of the workflow',
	},
	{
		displayName: 'Track Link URL',
		name: 'trackLinkUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://shop.example.com/sale',
		description: 'Address of a link in the message whose clicks are tracked',
	},
];

/** The set ones of those fields as the service wants them: the start in UTC with designator. */
export function toCampaignBody(fields: IDataObject, { context }: OperationCall): IDataObject {
	if (!('startDateTime' in fields)) return fields;
	const start = toUtc(fields.startDateTime, context.getTimezone(), 'Start Date and Time');
	return { ...fields, startDateTime: start };
}
