import type { IDataObject } from 'n8n-workflow';
import type { OperationInput } from '../../parameters/operationInput';
import { isObject } from '../../json';
import type { ReachOf } from '../../reach';
import { withClientId } from '../../transport/clientId';
import type { ExpectedResponse } from '../../transport/request';
import { ACCEPTANCE, identifierOf, isIdentifier } from '../../transport/responseShape';
import { numbersOf } from '../../recipients/kind';
import { defineOperation } from '../define';
import type { ChangingOperation, OperationRequest } from '../operation';
import {
	clientIdField,
	invalidPhoneNumbersField,
	invalidPhoneNumbersSuffix,
	readClientId,
} from '../shared/fields';
import { createdCampaign } from '../shared/outcomes';
import { createFields, readCampaignBody, type CampaignBody } from './campaignBody';
import { phoneNumbers } from './phoneNumbers';

/** What the response must be; otherwise it is not certain that a campaign exists. */
const campaignWithId: ExpectedResponse = {
	description: 'a campaign with an ID',
	matches: (body) => ACCEPTANCE.matches(body) && isIdentifier(identifierOf(body)),
};

/** What both create operations share. */
const creating = {
	recipients: phoneNumbers,
	reaches: 'calls',
	result: describeCampaign,
} satisfies Partial<ChangingOperation>;

/** `POST /api/campaigns/voice` (interface, "Voice campaigns"); responds with the campaign. */
export const create = defineOperation({
	...creating,
	value: 'create',
	name: 'Create',
	action: 'Create voice campaign',
	description:
		'Start a new voice campaign: phone everyone in a list, for example every row of a sheet, by a call flow and with several attempts per phone number',
	fields: createFields('defaultCli_Id', [invalidPhoneNumbersField]),
	request(input) {
		const path = `/api/campaigns/voice${invalidPhoneNumbersSuffix(input.parameters)}`;
		return campaignRequest(path, readCampaignBody(input, 'defaultCli_Id'), input);
	},
});

/** `POST /api/Campaign/Voice/` (interface, "Voice campaigns"); of the response, only an ID is shown. */
export const createForClient = defineOperation({
	...creating,
	value: 'createForClient',
	name: 'Create for Another Client',
	action: 'Create voice campaign for another client',
	description: 'Start a bulk voice campaign for another client than the one in the credential',
	fields: createFields('cli_Id', [clientIdField]),
	request(input) {
		return withClientId(
			input.client,
			campaignRequest('/api/Campaign/Voice/', readCampaignBody(input, 'cli_Id'), input),
			readClientId(input),
		);
	},
});

/** @param body with its list of phone numbers, its first day and the days after it */
function campaignRequest(
	path: string,
	body: CampaignBody,
	input: OperationInput,
): OperationRequest<ReachOf<'calls'>> {
	const { startDate: date, startTime, finishTime, runoverDays = [] } = body;
	const days = [{ date, startTime, finishTime }, ...runoverDays];
	const numbers = numbersOf(phoneNumbers, body.phoneNumbers);
	const reaches = { kind: 'calls' as const, numbers, days };
	const output = {
		recipients: numbers.length,
		...createdCampaign(input),
		firstCall: `${date} ${startTime}`,
		attempts: body.attempts?.length ?? 1,
		name: body.name,
	};
	return { method: 'POST', path, body, reaches, expected: campaignWithId, output };
}

/** The output: how many people are called, from when on, and how often. */
function describeCampaign(response: unknown, output: IDataObject): IDataObject {
	const { phoneNumbers: taken, name } = isObject(response) ? response : {};
	return {
		...output,
		// The service may have left out invalid numbers, so its own list counts before the request's.
		recipients: Array.isArray(taken) ? taken.length : output.recipients,
		name: name ?? output.name,
		id: identifierOf(response),
	};
}
