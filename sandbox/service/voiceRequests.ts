import { localText } from './clock.ts';
import { ErrorCollector } from './errors.ts';
import { acceptedEntries, type InvalidNumbers } from './phoneNumbers.ts';
import type { Service } from './service.ts';
import type { Client } from './settings.ts';
import { windowsOf, withDates, type RunOverDay } from './voiceSchedule.ts';

/** A phone number entry of the create request (interface: "Voice campaign create request"). */
export interface PhoneNumberEntry {
	number: string;
	name?: string;
	parameters?: { parameter: number; value: string }[];
}

/** The create request of both operations, once openapi.yaml has been checked. */
export interface VoiceRequest {
	name: string;
	startDate: string;
	startTime: string;
	finishTime: string;
	runoverDays?: { date?: string; startTime: string; finishTime: string }[];
	callflow_Id: number;
	defaultCli_Id?: number;
	cli_Id?: number;
	attempts?: { interval: number; attemptNumber?: number }[];
	answerMachineDetected: number;
	smsOnBusy: number;
	phoneNumbers: PhoneNumberEntry[];
}

/** A request that may be carried out, with the numbers to call and the run-over days with their dates. */
export interface CheckedRequest {
	request: VoiceRequest;
	phoneNumbers: PhoneNumberEntry[];
	runOverDays: RunOverDay[];
}

const checkTimes = (
	request: VoiceRequest,
	runOverDays: RunOverDay[],
	{ clock, settings }: Service,
	errors: ErrorCollector,
): void => {
	const { timeZone } = settings.current.conventions;
	const { startDate, startTime, finishTime } = request;
	const today = localText(clock.moment(), timeZone).slice(0, 10);
	const [first] = windowsOf([{ date: startDate, startTime, finishTime }], timeZone);
	if (startDate < today) errors.add('startDate', 'The date must be in the future.');
	else if (first && first.from <= clock.moment()) {
		errors.add('startTime', 'The time must be in the future.');
	}
	if (finishTime <= startTime) errors.add('finishTime', 'The time must be after startTime.');
	let last = startDate;
	for (const [index, day] of runOverDays.entries()) {
		const field = `runoverDays[${String(index)}]`;
		if (day.date <= last) errors.add(`${field}.date`, 'The date must be after the day before it.');
		if (day.finishTime <= day.startTime) {
			errors.add(`${field}.finishTime`, 'The time must be after startTime.');
		}
		last = day.date;
	}
};

const checkAttempts = ({ attempts = [] }: VoiceRequest, errors: ErrorCollector): void => {
	for (const [index, { attemptNumber = index + 1 }] of attempts.entries()) {
		if (attemptNumber === index + 1) continue;
		errors.add(
			`attempts[${String(index)}].attemptNumber`,
			`The numbers start at 1 and increase by 1; ${String(index + 1)} is expected here.`,
		);
	}
};

const checkOperatorIds = (request: VoiceRequest, client: Client, errors: ErrorCollector): void => {
	const { callflow_Id, defaultCli_Id, cli_Id } = request;
	const owner = `client ${String(client.clientId)}`;
	if (!client.callFlowIds.includes(callflow_Id)) {
		errors.add('callflow_Id', `There is no call flow ${String(callflow_Id)} of ${owner}.`);
	}
	for (const [field, value] of Object.entries({ defaultCli_Id, cli_Id })) {
		if (value === undefined || client.cliIds.includes(value)) continue;
		errors.add(field, `There is no CLI ${String(value)} linked to ${owner}.`);
	}
};

const checkParameters = (phoneNumbers: PhoneNumberEntry[], errors: ErrorCollector): void => {
	for (const [index, { parameters = [] }] of phoneNumbers.entries()) {
		const numbers = new Set(parameters.map(({ parameter }) => parameter));
		if (numbers.size === parameters.length) continue;
		errors.add(`phoneNumbers[${String(index)}].parameters`, 'A parameter is given twice.');
	}
};

/** Checks what openapi.yaml cannot say. */
export const checkVoiceRequest = (
	service: Service,
	request: VoiceRequest,
	client: Client,
	invalidNumbers: InvalidNumbers,
): CheckedRequest => {
	const errors = new ErrorCollector();
	const runOverDays = withDates(request.startDate, request.runoverDays ?? []);
	if (
		service.database.get(
			'SELECT 1 FROM voiceCampaigns WHERE client_Id = ? AND name = ?',
			client.clientId,
			request.name,
		)
	) {
		errors.add('name', `A campaign is named '${request.name}' already.`);
	}
	checkTimes(request, runOverDays, service, errors);
	checkAttempts(request, errors);
	checkOperatorIds(request, client, errors);
	checkParameters(request.phoneNumbers, errors);
	const phoneNumbers = acceptedEntries(
		request.phoneNumbers,
		['phoneNumbers', 'number'],
		invalidNumbers,
		errors,
	);
	errors.throwIfAny();
	return { request, phoneNumbers, runOverDays };
};
