import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OperationCall } from '../define';
import { InputError } from '../shared/inputError';
import { readRecipients, recipientFields } from '../../recipients/recipients';
import { attemptsField, readAttempts } from './attempts';
import { phoneNumbers } from './phoneNumbers';
import { readRunoverDays, readSchedule, runoverDaysField, scheduleFields } from './schedule';

const ADDITIONAL_FIELDS = 'Additional Fields';
const MOST_NAME_CHARACTERS = 100;
const UNDOCUMENTED =
	'The allowed values are not documented: the service operator tells you which to use.';

/** An ID is a text field: of those, the editor says when they are empty. */
const idField = (
	displayName: string,
	name: string,
	sample: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	required: true,
	placeholder: `e.g. ${sample}`,
	description,
});

const codeField = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	default: 0,
	required: true,
	description: `${description} ${UNDOCUMENTED}`,
});

/**
 * The fields of both create operations (interface, "Voice campaign create request").
 * @param cliName the request's key for the caller identity: `defaultCli_Id` or `cli_Id`
 * @param additional options of the operation beside those of the request
 */
export function createFields(cliName: string, additional: INodeProperties[]): INodeProperties[] {
	return [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. May reminders',
			description: 'Name of the campaign: unique, at most 100 characters',
		},
		...scheduleFields,
		idField(
			'Call Flow ID',
			'callflow_Id',
			'301',
			'What happens in a call. The service operator supplies the IDs of your call flows.',
		),
		idField(
			'CLI ID',
			cliName,
			'401',
			'Caller line identity that the calls show. The service operator supplies the IDs.',
		),
		...recipientFields(phoneNumbers),
		codeField(
			'Answer Machine Detected',
			'answerMachineDetected',
			'What to do when an answerphone picks up.',
		),
		codeField('SMS on Busy', 'smsOnBusy', 'Whether to send an SMS on a busy line.'),
		{
			displayName: ADDITIONAL_FIELDS,
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [attemptsField, ...additional, runoverDaysField],
		},
	];
}

/** The additional fields that the user added. */
export function readAdditionalFields({ parameters }: OperationCall): IDataObject {
	return parameters.collection('additionalFields', ADDITIONAL_FIELDS);
}

/** The create request's body, checked before anything is sent. */
export function readCampaign(call: OperationCall, cliName: string): IDataObject {
	const { client, context, parameters } = call;
	const { attempts, runoverDays } = readAdditionalFields(call);
	const zone = client.settings.timeZone || context.getTimezone();
	const body: IDataObject = {
		name: partName(readName(parameters.requiredText('name', 'Name')), call.batch?.part ?? 1),
		...readSchedule(parameters, zone),
		callflow_Id: readInteger(parameters.value('callflow_Id', 'Call Flow ID'), 'Call Flow ID'),
		[cliName]: readInteger(parameters.value(cliName, 'CLI ID'), 'CLI ID'),
		answerMachineDetected: readInteger(
			parameters.value('answerMachineDetected', 'Answer Machine Detected'),
			'Answer Machine Detected',
		),
		smsOnBusy: readInteger(parameters.value('smsOnBusy', 'SMS on Busy'), 'SMS on Busy'),
	};
	if (attempts !== undefined) body.attempts = readAttempts(attempts as IDataObject);
	if (runoverDays !== undefined) body.runoverDays = readRunoverDays(runoverDays as IDataObject);
	body.phoneNumbers = readRecipients(phoneNumbers, call);
	return body;
}

function readName(name: string): string {
	if ([...name].length > MOST_NAME_CHARACTERS) {
		throw new InputError(
			'Name',
			`is longer than ${MOST_NAME_CHARACTERS} characters (${[...name].length})`,
			'Shorten it.',
		);
	}
	return name;
}

/** Names are unique: of the campaigns that a long list becomes, each after the first has its number. */
function partName(name: string, part: number): string {
	if (part === 1) return name;
	const suffix = ` (${part})`;
	return `${[...name].slice(0, MOST_NAME_CHARACTERS - suffix.length).join('')}${suffix}`;
}

function readInteger(value: unknown, label: string): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
	throw new InputError(label, 'is not a whole number', 'Enter a number.');
}
