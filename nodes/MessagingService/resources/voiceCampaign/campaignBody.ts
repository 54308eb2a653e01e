import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { recipientFields } from '../../recipients/fields';
import { readRecipients } from '../../recipients/plan';
import type { OperationCall } from '../operation';
import { additionalFields } from '../shared/fields';
import { integerField } from '../shared/fieldValue';
import { InputError } from '../shared/inputError';
import { serviceZone } from '../shared/zones';
import { attemptsFields, readAttempts } from './attempts';
import { phoneNumbers } from './phoneNumbers';
import { readRunoverDays, readSchedule, runoverDaysFields, scheduleFields } from './schedule';

const MAX_NAME_CHARACTERS = 100;
const UNDOCUMENTED =
	'The allowed values are not documented: the service operator tells you which to use.';

const nameField = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. May reminders',
	description: 'Name of the campaign: unique, at most 100 characters',
} satisfies INodeProperties;

const idField = (displayName: string, name: string, sample: string, description: string) =>
	integerField({
		displayName,
		name,
		type: 'string',
		default: '',
		required: true,
		placeholder: `e.g. ${sample}`,
		description,
	});

const codeField = (displayName: string, name: string, description: string) =>
	({
		displayName,
		name,
		type: 'number',
		default: 0,
		required: true,
		description: `${description} ${UNDOCUMENTED}`,
	}) satisfies INodeProperties;

const callFlowField = idField(
	'Call Flow ID',
	'callflow_Id',
	'301',
	'What happens in a call. The service operator supplies the IDs of your call flows.',
);

const cliField = (name: CliName) =>
	idField(
		'CLI ID',
		name,
		'401',
		'Caller line identity that the calls show. The service operator supplies the IDs.',
	);

const answerMachineField = codeField(
	'Answer Machine Detected',
	'answerMachineDetected',
	'What to do when an answerphone picks up.',
);

const smsOnBusyField = codeField(
	'SMS on Busy',
	'smsOnBusy',
	'Whether to send an SMS on a busy line.',
);

/** The request's key for the caller identity, by which the two create operations differ. */
export type CliName = 'defaultCli_Id' | 'cli_Id';

/**
 * The fields of both create operations (interface, "Voice campaign create request").
 * @param additional optional fields of the operation beside those of both
 */
export function createFields(
	cliName: CliName,
	additional: readonly INodeProperties[],
): INodeProperties[] {
	return [
		nameField,
		...scheduleFields,
		callFlowField,
		cliField(cliName),
		...recipientFields(phoneNumbers),
		answerMachineField,
		smsOnBusyField,
		additionalFields([...attemptsFields, ...additional, ...runoverDaysFields]),
	];
}

/** The create request's body, checked before anything is sent. */
export function readCampaign(call: OperationCall, cliName: CliName): IDataObject {
	const { parameters } = call;
	const zone = serviceZone(call);
	const body: IDataObject = {
		name: partName(readName(parameters.read(nameField)), call.batch?.part ?? 1),
		...readSchedule(parameters, zone),
		callflow_Id: parameters.read(callFlowField),
		[cliName]: parameters.read(cliField(cliName)),
		answerMachineDetected: parameters.read(answerMachineField),
		smsOnBusy: parameters.read(smsOnBusyField),
	};
	const attempts = readAttempts(parameters);
	if (attempts !== undefined) body.attempts = attempts;
	const runoverDays = readRunoverDays(parameters, zone);
	if (runoverDays !== undefined) body.runoverDays = runoverDays;
	body.phoneNumbers = readRecipients(phoneNumbers, call);
	return body;
}

function readName(name: string): string {
	const { length } = [...name];
	if (length <= MAX_NAME_CHARACTERS) return name;
	throw new InputError(
		'Name',
		`is longer than ${MAX_NAME_CHARACTERS} characters (${length})`,
		'Shorten it.',
	);
}

/** Names are unique: of the campaigns that a long list becomes, each after the first has its number. */
function partName(name: string, part: number): string {
	if (part === 1) return name;
	const suffix = ` (${part})`;
	return `${[...name].slice(0, MAX_NAME_CHARACTERS - suffix.length).join('')}${suffix}`;
}
