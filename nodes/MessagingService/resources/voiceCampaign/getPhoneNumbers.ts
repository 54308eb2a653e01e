import type { IDataObject } from 'n8n-workflow';
import { codeName, OUTCOMES, STAGES } from '../../codes';
import { readList } from '../../transport/paginate';
import type { OperationCall } from '../define';
import { defineOperation } from '../define';
import { voiceCampaignLocator } from '../shared/fields';
import {
	limitFields,
	pageSizeOption,
	positiveInteger,
	readLimit,
	readPageSize,
} from '../shared/lists';
import { readCampaignId } from './campaignId';

const OPTIONS = 'Options';

/** "Default page size" and "Default page number" of the interface's section "Limits". */
const SERVICE_PAGE_SIZE = 10;
const FIRST_PAGE_NUMBER = 1;

/**
 * The three forms of `GET /api/campaigns/voice/:id/phonenumbers` (interface, "Voice campaigns"):
 * the plain one for a first page of ten, the one with a page number for one page of ten, the one
 * with page size and number for everything else.
 */
export const getPhoneNumbers = defineOperation({
	value: 'getPhoneNumbers',
	name: 'Get Phone Numbers',
	action: 'Get phone numbers of voice campaign',
	description: 'Get the phone numbers of a voice campaign with the results of their calls and SMS',
	kind: 'perItem',
	fields: [
		voiceCampaignLocator,
		{
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
					description: 'Each phone number with its calls and SMS, as the service gives it',
				},
				{
					name: 'One Item per SMS',
					value: 'smss',
					description: 'Each SMS with its status, its number and the campaign ID',
				},
			],
			default: 'phoneNumbers',
			description: 'What becomes an output item',
		},
		...limitFields,
		{
			displayName: OPTIONS,
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				{
					displayName: 'Include Code Names',
					name: 'includeCodeNames',
					type: 'boolean',
					default: true,
					description:
						'Whether to add outcomeName and stageName, the meanings of the codes, to every call',
				},
				{
					displayName: 'Page Number',
					name: 'pageNumber',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 1,
					description: 'Get only this page, of 10 phone numbers unless Page Size says otherwise',
				},
				pageSizeOption,
			],
		},
	],
	async run(call) {
		const { parameters } = call;
		const { id: campaignId, path } = readCampaignId(parameters);
		const records = await readRecords(call, `${path}/phonenumbers`);
		const { includeCodeNames } = parameters.collection('options', OPTIONS);
		const toCall = includeCodeNames === false ? asReceived : withCodeNames;
		switch (parameters.text('output', 'Output')) {
			case 'calls':
				return records.flatMap((record) =>
					entriesOf(record.calls).map((entry) => ({
						...originOf(record, campaignId),
						...toCall(entry),
					})),
				);
			case 'smss':
				return records.flatMap((record) =>
					entriesOf(record.smss).map((entry) => ({ ...originOf(record, campaignId), ...entry })),
				);
			default:
				return records.map((record) =>
					Array.isArray(record.calls)
						? { ...record, calls: entriesOf(record.calls).map(toCall) }
						: record,
				);
		}
	},
});

async function readRecords(call: OperationCall, path: string): Promise<IDataObject[]> {
	const { client, parameters } = call;
	const page = async (suffix: string) =>
		await client.records({ method: 'GET', path: path + suffix });
	const { pageNumber, pageSize } = parameters.collection('options', OPTIONS);
	const limit = readLimit(call);

	if (pageNumber !== undefined) {
		const number = positiveInteger(pageNumber, 'Page Number');
		const size = pageSize === undefined ? '' : `/${readPageSize(call, undefined)}`;
		return (await page(`${size}/${number}`)).slice(0, limit);
	}
	if (pageSize === undefined && limit !== undefined && limit <= SERVICE_PAGE_SIZE) {
		return (await page('')).slice(0, limit);
	}
	const size = readPageSize(call, limit);
	return await readList({
		limit,
		firstPageIndex: FIRST_PAGE_NUMBER,
		// Without a total nobody knows which page is the last: one at a time, up to an empty one.
		pagesAtOnce: 1,
		keyOf: ({ id }) => id,
		fetchPage: async (number = FIRST_PAGE_NUMBER) => ({ items: await page(`/${size}/${number}`) }),
	});
}

function originOf(record: IDataObject, campaignId: string): IDataObject {
	return { campaignId, phoneNumberId: record.id, number: record.number, name: record.name };
}

function entriesOf(value: unknown): IDataObject[] {
	return Array.isArray(value) ? (value as IDataObject[]) : [];
}

function asReceived(entry: IDataObject): IDataObject {
	return entry;
}

function withCodeNames(entry: IDataObject): IDataObject {
	return {
		...entry,
		...(typeof entry.outcome === 'number' && { outcomeName: codeName(OUTCOMES, entry.outcome) }),
		...(typeof entry.stage === 'number' && { stageName: codeName(STAGES, entry.stage) }),
	};
}
