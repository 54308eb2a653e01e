import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OperationInput } from '../../parameters/operationInput';
import { Failure } from '../../failure';
import { otherFieldNames, recipientFields } from '../../recipients/fields';
import { additionalFields } from '../shared/fields';
import { locator } from '../shared/locators';
import { serviceZone } from '../shared/zones';
import { attemptFields, attemptListField, readAttempts } from './attempts';
import { phoneNumbers } from './phoneNumbers';
import {
	oddDays,
	readRunoverDays,
	readSchedule,
	runoverDaysField,
	scheduleFields,
} from './schedule';

const MAX_NAME_CHARACTERS = 100;
const FROM_OPERATOR = 'from the service operator';
const NEVER_INVENTED = 'Never invent one: leave it empty and ask the user for it.';

const nameField = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. May reminders',
	description: 'Name of the campaign: unique, at most 100 characters',
} satisfies INodeProperties;

const operatorIdField = (
	displayName: string,
	name: string,
	searchListMethod: string,
	sample: string,
	description: string,
) =>
	({
		...locator({
			displayName,
			name,
			searchListMethod,
			description: `${description} The service operator tells you the ID; the list has those of earlier campaigns.`,
			listPlaceholder: 'Select from earlier campaigns...',
			idPlaceholder: `e.g. ${sample}, ${FROM_OPERATOR}`,
		}),
		default: { mode: 'id', value: '' },
		builderHint: {
			propertyHint: `An integer that the service operator supplies, in mode "id". ${NEVER_INVENTED}`,
		},
	}) satisfies INodeProperties;

/** A text field is empty at first; a number would start as 0, which may mean something. */
const codeField = (displayName: string, name: string, description: string) =>
	({
		displayName,
		name,
		type: 'string',
		default: '',
		required: true,
		placeholder: `e.g. 1, ${FROM_OPERATOR}`,
		description,
		builderHint: { propertyHint: `An integer whose values are not documented. ${NEVER_INVENTED}` },
	}) satisfies INodeProperties;

const callFlowField = operatorIdField(
	'Call Flow ID',
	'callflow_Id',
	'searchCallFlows',
	'301',
	'Call flow, which decides what happens in a call.',
);

const cliField = (name: CliName) =>
	operatorIdField(
		'Caller ID (CLI)',
		name,
		'searchClis',
		'401',
		'Caller line identity, which the called phones show.',
	);

const answerMachineField = codeField(
	'On Answering Machine',
	'answerMachineDetected',
	'What to do when an answering machine picks up, as a number that the service operator tells you. The service also calls this AnswerPhoneMessage.',
);

const smsOnBusyField = codeField(
	'Text When Busy',
	'smsOnBusy',
	'Whether to send an SMS to a number whose line is busy, as a number that the service operator tells you',
);

/** The request's key for the caller identity, by which the two create operations differ. */
type CliName = 'defaultCli_Id' | 'cli_Id';

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
		...recipientFields(phoneNumbers),
		callFlowField,
		cliField(cliName),
		answerMachineField,
		smsOnBusyField,
		...scheduleFields,
		...attemptFields,
		additionalFields([
			attemptListField,
			...additional,
			runoverDaysField,
			otherFieldNames(phoneNumbers),
		]),
	];
}

/** The create request's body; of its fields, those that say whom it reaches, and when. */
export interface CampaignBody extends IDataObject {
	startDate: string;
	startTime: string;
	finishTime: string;
	attempts?: IDataObject[];
	runoverDays?: IDataObject[];
	phoneNumbers: IDataObject[];
}

/** The create request's body, checked before anything is sent. */
export function readCampaignBody(input: OperationInput, cliName: CliName): CampaignBody {
	const { parameters } = input;
	const zone = serviceZone(input);
	const schedule = readSchedule(parameters, zone);
	const attempts = readAttempts(parameters);
	const runoverDays = readRunoverDays(parameters, zone);
	for (const text of oddDays(schedule.startDate, runoverDays ?? [])) input.warn?.(text);
	return {
		name: partName(readName(parameters.read(nameField)), input.block?.part ?? 1),
		...schedule,
		callflow_Id: parameters.integer(callFlowField),
		[cliName]: parameters.integer(cliField(cliName)),
		answerMachineDetected: parameters.integer(answerMachineField),
		smsOnBusy: parameters.integer(smsOnBusyField),
		attempts,
		runoverDays,
		phoneNumbers: input.block?.recipients ?? [],
	};
}

function readName(name: string): string {
	const { length } = [...name];
	if (length <= MAX_NAME_CHARACTERS) return name;
	throw Failure.ofField(
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
