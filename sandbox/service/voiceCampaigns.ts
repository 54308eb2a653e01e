import { voiceCampaignStatus } from './campaignStatuses.ts';
import { problem } from './errors.ts';
import { listPage, pageBounds } from './paging.ts';
import type { InvalidNumbers } from './phoneNumbers.ts';
import { ok, type Handler, type Service } from './service.ts';
import type { Client } from './settings.ts';
import { checkVoiceRequest, type CheckedRequest, type VoiceRequest } from './voiceRequests.ts';
import { firstCalls, windowsOf, type CallWindow } from './voiceSchedule.ts';

/** Campaign types: assumptions of the sandbox (interface: not told). */
const campaignType = { standard: 0, bulk: 1 } as const;

/** What the interface says of the phone number list without page size or number. */
const defaultNumbersPerPage = 10;

/** Stores a campaign without its numbers. */
const insertCampaign = (
	{ clock, database }: Service,
	client: Client,
	type: number,
	{ request, runOverDays }: CheckedRequest,
	windows: CallWindow[],
): number => {
	const { startDate, startTime, finishTime, attempts = [{ interval: 0 }] } = request;
	const numbered = attempts.map(({ interval }, index) => ({ interval, attemptNumber: index + 1 }));
	return database.insert('voiceCampaigns', {
		client_Id: client.clientId,
		name: request.name,
		startDate: `${startDate}T00:00:00`,
		starttime: startTime,
		finishtime: finishTime,
		type,
		callFlow_Id: request.callflow_Id,
		campaignStatus: voiceCampaignStatus.scheduled,
		cli_Id: request.defaultCli_Id ?? request.cli_Id ?? 0,
		attempts: JSON.stringify(numbered),
		runOverDays: JSON.stringify(runOverDays),
		answerMachineDetected: request.answerMachineDetected,
		smsOnBusy: request.smsOnBusy,
		windows: JSON.stringify(windows),
		createdAt: clock.moment(),
	});
};

const insert = (
	service: Service,
	client: Client,
	type: number,
	checked: CheckedRequest,
): number => {
	const { clock, database, settings } = service;
	const { startDate, startTime, finishTime } = checked.request;
	const { phoneNumbers } = checked;
	const windows = windowsOf(
		[{ date: startDate, startTime, finishTime }, ...checked.runOverDays],
		settings.current.conventions.timeZone,
	);
	const moments = firstCalls(windows, settings.current.voice.callsPerSecond, phoneNumbers.length);
	const id = database.transaction(() => {
		const campaignId = insertCampaign(service, client, type, checked, windows);
		for (const [position, { number, name = '', parameters = [] }] of phoneNumbers.entries()) {
			database.insert('voiceNumbers', {
				...{ campaignId, position, number, name, attempt: 1 },
				parameters: JSON.stringify(parameters),
				nextAt: moments.next().value ?? null,
			});
		}
		return campaignId;
	});
	clock.wake();
	return id;
};

const single = ({ database }: Service, id: unknown): Record<string, unknown> => {
	const row = database.get<{ attempts: string; runOverDays: string }>(
		`SELECT id, name, startDate, starttime, finishtime, type, callFlow_Id, campaignStatus, callCount,
			cli_id AS cli_Id, attempts, runOverDays
		FROM voiceCampaignRecords WHERE id = ?`,
		Number(id),
	);
	if (!row) throw problem(404, `There is no voice campaign ${String(id)}.`);
	return {
		...row,
		attempts: JSON.parse(row.attempts) as unknown,
		runOverDays: JSON.parse(row.runOverDays) as unknown,
	};
};

/** Operation 1: the response repeats the request keys. */
const create =
	(invalidNumbers: InvalidNumbers): Handler =>
	(service, { body, client }) => {
		const request = body as VoiceRequest;
		const checked = checkVoiceRequest(service, request, client, invalidNumbers);
		const id = insert(service, client, campaignType.standard, checked);
		return ok({ id, ...request, phoneNumbers: checked.phoneNumbers });
	};

/** Operation 2: a bulk campaign from a pre-compiled list, for the client of `clientId`. */
const createForClient: Handler = (service, { body, client }) => {
	const checked = checkVoiceRequest(service, body as VoiceRequest, client, 'accept');
	return ok(single(service, insert(service, client, campaignType.bulk, checked)));
};

const callsOf = ({ database }: Service, numberId: number) =>
	database
		.all<{ isTransferCall: number }>(
			`SELECT startTime, endTime, stage, outcome, userInput, price, isTransferCall, attemptNumber, secondsDuration
			FROM calls WHERE numberId = ? ORDER BY id`,
			numberId,
		)
		.map((call) => ({ ...call, isTransferCall: call.isTransferCall === 1 }));

const smssOf = ({ database, settings }: Service, numberId: number) => {
	const smss = database.all(
		`SELECT status, price, smsCount, dateReceived, senderNumber, message
		FROM smsMessageDetails WHERE voiceNumberId = ? ORDER BY id`,
		numberId,
	);
	return settings.current.nullFieldsForSomeClients
		? smss.map((sms) => ({ ...sms, senderNumber: null, message: null }))
		: smss;
};

const phoneNumbers: Handler = (service, { params }) => {
	const { id, pageSize = defaultNumbersPerPage, pageNumber = 1 } = params;
	single(service, id);
	const { firstPageIndex } = service.settings.current.conventions;
	const { limit, offset } = pageBounds(
		service,
		Number(pageNumber) - 1 + firstPageIndex,
		Number(pageSize),
	);
	const numbers = service.database.all<{
		id: number;
		number: string;
		name: string;
		parameters: string;
	}>(
		`SELECT id, number, name, parameters FROM voiceNumbers WHERE campaignId = ?
		ORDER BY position LIMIT ? OFFSET ?`,
		Number(id),
		limit,
		offset,
	);
	return ok(
		numbers.map((number) => ({
			...number,
			parameters: JSON.parse(number.parameters) as unknown,
			calls: callsOf(service, number.id),
			smss: smssOf(service, number.id),
		})),
	);
};

const listAll: Handler = ({ database, contract }) => {
	const columns = contract.fields('VoiceCampaignListItem').join(', ');
	return ok(database.all(`SELECT ${columns} FROM voiceCampaignRecords ORDER BY seq`));
};

/** The operations on voice campaigns (interface: "Endpoints", "Voice campaigns"). */
export const voiceCampaignHandlers: Record<string, Handler> = {
	listAllVoiceCampaigns: listAll,
	listVoiceCampaigns: (service, call) =>
		ok(
			listPage(
				service,
				call,
				'voiceCampaignRecords',
				service.contract.fields('VoiceCampaignListItem'),
			),
		),
	getVoiceCampaign: (service, { params }) => ok(single(service, params.id)),
	createVoiceCampaign: create('accept'),
	createVoiceCampaignIgnoringInvalidNumbers: create('ignore'),
	createVoiceCampaignRejectingInvalidNumbers: create('reject'),
	createVoiceCampaignForClient: createForClient,
	createVoiceCampaignForClientInPath: createForClient,
	listVoiceCampaignPhoneNumbers: phoneNumbers,
	listVoiceCampaignPhoneNumbersByPage: phoneNumbers,
	listVoiceCampaignPhoneNumbersBySize: phoneNumbers,
};
