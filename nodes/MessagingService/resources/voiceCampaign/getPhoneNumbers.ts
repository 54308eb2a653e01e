import { mapValues, pick, pickBy } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OperationInput } from '../../parameters/operationInput';
import { objectsOf } from '../../json';
import { codeName, OUTCOMES, SMS_STATUSES, STAGES } from '../../codes';
import { entryKey } from '../../events/listEvents';
import { receivedNumber } from '../../numbers/received';
import { entriesIn } from '../../texts';
import { numberList } from '../../transport/listRequests';
import { readList } from '../../transport/paginate';
import { defineOperation } from '../define';
import { limitFields, pageSizeFor, pageSizeOption, readLimit } from '../shared/lists';
import { readVoiceCampaign, voiceCampaignLocator } from '../shared/locators';
import { moveToEnd, withNumbers } from '../shared/responses';
import { serviceZone } from '../shared/zones';

const OPTIONS = 'options';

/** "Default page size" of the interface's section "Limits". */
const SERVICE_PAGE_SIZE = 10;

const outputField = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'One Item per Call',
			value: 'calls',
			description: 'Each call attempt with its outcome, its number and the campaign ID',
		},
		{
			name: 'One Item per Phone Number',
			value: 'phoneNumbers',
			description: 'Each phone number with its calls and SMS, as the service returns it',
		},
		{
			name: 'One Item per SMS',
			value: 'smss',
			description: 'Each SMS with its status, its number and the campaign ID',
		},
	],
	default: 'phoneNumbers',
	description: 'What each output item contains',
} satisfies INodeProperties;

const pageNumberOption = {
	displayName: 'Page Number',
	name: 'pageNumber',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description:
		'Page to return: 10 phone numbers, or as many as Page Size says. Limit does not cut it. Without this option, all pages up to Limit.',
} satisfies INodeProperties;

const keysOption = {
	displayName: 'Keys Pressed',
	name: 'userInputs',
	type: 'string',
	default: '',
	placeholder: 'e.g. 1, 9',
	description:
		'Only numbers and calls in which the person pressed one of these, separated by commas',
} satisfies INodeProperties;

/**
 * The three forms of `GET /api/campaigns/voice/:id/phonenumbers` (interface, "Voice campaigns"):
 * the plain one for a first page of ten, the one with a page number for one page of ten, the one
 * with page size and number for everything else.
 */
export const getPhoneNumbers = defineOperation({
	value: 'getPhoneNumbers',
	name: 'Get Phone Numbers',
	action: 'Get phone numbers of voice campaign',
	description:
		'List the phone numbers of a voice campaign with the results of their calls and SMS: each outcome and status',
	fields: [voiceCampaignLocator, outputField, ...limitFields],
	options: [keysOption, pageNumberOption, pageSizeOption],
	async run(input) {
		const { parameters } = input;
		const { id, path } = readVoiceCampaign(parameters);
		// A page is returned whole: the next one would not begin where Limit cut it.
		const isPage = parameters.member(OPTIONS, pageNumberOption) !== undefined;
		const limit = isPage ? undefined : readLimit(input);
		const toItems = itemMaker(input, id);
		const records = await readRecords(input, path, limit, toItems);
		const items = records.flatMap(toItems);
		if (limit === undefined || items.length < limit) return items;
		// These lists tell no total.
		input.noteCut?.({ returned: limit, total: undefined });
		return items.slice(0, limit);
	},
});

/** What makes the output items of a phone number record. */
function itemMaker(
	input: OperationInput,
	campaignId: string,
): (record: IDataObject) => IDataObject[] {
	const { parameters, client } = input;
	const { defaultCountry: country } = client.settings;
	const output = parameters.read(outputField);
	const keys = entriesIn(parameters.member(OPTIONS, keysOption));
	const isPressed = ({ userInput }: IDataObject) =>
		keys.length === 0 || entriesIn(userInput).some((key) => keys.includes(key));
	const isWanted = ({ calls }: IDataObject) =>
		keys.length === 0 || objectsOf(calls).some(isPressed);
	if (output !== 'calls' && output !== 'smss') {
		return (record) => (isWanted(record) ? [wholeRecord(record, country)] : []);
	}
	const origin = { campaignId, zone: serviceZone(input), country };
	return (record) =>
		(isWanted(record) ? objectsOf(record[output]) : [])
			.filter((entry) => output === 'smss' || isPressed(entry))
			// What people look at first comes first; identifiers come last.
			.map((entry) => ({
				number: receivedNumber(record.number, country),
				name: record.name,
				...withCodeNames(entry),
				campaignId,
				phoneNumberId: record.id,
				eventKey: entryKey(output, entry, record, origin),
			}));
}

/** A phone number record, with the names of the codes in its lists. */
function wholeRecord(record: IDataObject, country: string): IDataObject {
	const lists = pickBy(pick(record, ['calls', 'smss']), Array.isArray);
	const named = mapValues(lists, (entries) => objectsOf(entries).map(withCodeNames));
	return moveToEnd('id')(withNumbers({ ...record, ...named }, country));
}

/** The records that the wanted number of output items is made of, or all without a limit. */
async function readRecords(
	{ client, parameters }: OperationInput,
	path: string,
	limit: number | undefined,
	toItems: ReturnType<typeof itemMaker>,
): Promise<IDataObject[]> {
	const page = async (suffix: string) =>
		await client.records({ method: 'GET', path: `${path}/phonenumbers${suffix}` });
	const pageNumber = parameters.member(OPTIONS, pageNumberOption);
	const pageSize = parameters.member(OPTIONS, pageSizeOption);
	if (pageNumber !== undefined) {
		return await page(`${pageSize === undefined ? '' : `/${pageSize}`}/${pageNumber}`);
	}
	// One record may give no item or several, so only a limit of records tells a page size.
	const isPerRecord =
		parameters.read(outputField) === 'phoneNumbers' &&
		parameters.member(OPTIONS, keysOption) === undefined;
	const recordLimit = isPerRecord ? limit : undefined;
	if (pageSize === undefined && recordLimit !== undefined && recordLimit <= SERVICE_PAGE_SIZE) {
		return await page('');
	}
	return await readList({
		...numberList(client, path, pageSize ?? pageSizeFor(recordLimit)),
		limit,
		resultsOf: (record) => toItems(record).length,
	});
}

function withCodeNames(entry: IDataObject): IDataObject {
	return {
		...(typeof entry.status === 'number' && { statusName: codeName(SMS_STATUSES, entry.status) }),
		...(typeof entry.outcome === 'number' && { outcomeName: codeName(OUTCOMES, entry.outcome) }),
		...(typeof entry.stage === 'number' && { stageName: codeName(STAGES, entry.stage) }),
		...entry,
	};
}
