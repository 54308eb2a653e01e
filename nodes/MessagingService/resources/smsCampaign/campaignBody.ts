import { DateTime } from 'luxon';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { Failure } from '../../failure';
import type { OperationInput } from '../../parameters/operationInput';
import { toUtc } from '../shared/dates';
import { checkText } from '../shared/textFields';
import { workflowZone } from '../shared/zones';
import { shown } from '../../texts';

const START = 'Start Date and Time';

/** A start this long ago is one that was meant to be now. */
const NOW_MINUTES = 1;
/** A start this long ago is a mistake: the service would send immediately, at night too. */
const OVER_MINUTES = 60;

/** When a campaign starts. */
export const startField = {
	displayName: START,
	name: 'startDateTime',
	type: 'dateTime',
	default: '',
	description: 'When to start sending, in the time zone of the workflow',
	builderHint: {
		propertyHint:
			"ISO 8601, e.g. 2030-05-17T09:30:00. Leave it out to send immediately. Never a fixed date in a workflow that runs repeatedly: use an expression such as expr('{{ $now.plus({ hours: 1 }).toISO() }}').",
	},
} satisfies INodeProperties;

const trackLinkField = {
	displayName: 'Track Link URL',
	name: 'trackLinkUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://shop.example.com/sale',
	description: 'URL of a link in the message whose clicks are tracked',
} satisfies INodeProperties;

/** The other fields of the create and update bodies that need not be set, as options of a collection. */
export const optionalCampaignFields: INodeProperties[] = [
	{
		displayName: 'Opt-Out Link ID',
		name: 'optOutLinkId',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 0,
		description: 'ID of the opt-out link, supplied by the service operator',
		builderHint: {
			propertyHint:
				'An integer that the service operator supplies. Never invent one: leave the field out unless the user gives it.',
		},
	},
	trackLinkField,
];

/**
 * Reads these options of a collection.
 * @throws Failure for a link that nobody could open
 */
export function readCampaignOptions(
	input: OperationInput,
	collection: string,
	fields: readonly INodeProperties[] = optionalCampaignFields,
): IDataObject {
	const values = input.parameters.members(collection, fields);
	const { trackLinkUrl: link } = values;
	if (typeof link !== 'string') return values;
	checkText(input, trackLinkField, link, { path: `${collection}.${trackLinkField.name}` });
	if (/^https?:\/\//i.test(link) && URL.canParse(link)) return values;
	throw Failure.ofField(
		trackLinkField.displayName,
		`is not a link (${shown(link)})`,
		'Start it with https://, or remove the field.',
	);
}

/**
 * The start of a campaign as the service wants it: in UTC with designator. One of a moment ago is noted.
 * @throws Failure for no date and time, and for one of more than an hour ago
 */
export function readStart(input: OperationInput, value: unknown): string {
	const startDateTime = toUtc(value, workflowZone(input.context), START);
	const { minutes } = DateTime.utc().diff(DateTime.fromISO(startDateTime), 'minutes');
	if (minutes > OVER_MINUTES) {
		throw Failure.ofField(
			START,
			`is more than an hour ago (${startDateTime})`,
			'The service would send immediately, also at night. Choose a later time. Leave it empty to start immediately.',
		);
	}
	if (minutes > NOW_MINUTES) {
		input.warn?.(
			`${START} is in the past (${startDateTime}): the service may send the messages immediately.`,
		);
	}
	return startDateTime;
}
