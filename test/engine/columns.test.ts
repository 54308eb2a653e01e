import type { IDataObject } from 'n8n-workflow';
import { findOperation } from '../../nodes/MessagingService/resources';
import { isChanging } from '../../nodes/MessagingService/resources/operation';
import { returnsOf } from '../../nodes/MessagingService/resources/returns';
import type { Fields, FieldSchema } from '../../nodes/MessagingService/returns/fields';
import { runAction } from '../support/engine';
import { pairs, validParameters } from '../support/everyOperation';
import { serversOfTest, type ReceivedRequest } from '../support/servers';

/** What is read comes out the same, however the service orders its fields and writes its numbers. */

const startServer = serversOfTest();

const WRITTEN = '447400123456';
const SHOWN = '+447400123456';

/** Fields that the nodes add to a record. */
const ADDED = ['outcomeName', 'stageName', 'statusName', 'statusCode'];

function sampleOf({ examples, items, properties }: FieldSchema): unknown {
	if (items !== undefined) return [sampleOf(items)];
	return properties === undefined ? examples?.[0] : recordOf(properties);
}

/** A record with these fields, the last one first. */
function recordOf(fields: Fields): IDataObject {
	const entries = Object.entries(fields)
		.filter(([name]) => !ADDED.includes(name))
		.map(([name, schema]) => [name, sampleOf(schema)] as const)
		.reverse();
	const record = Object.fromEntries(entries) as IDataObject;
	for (const name of ['number', 'phoneNumber']) if (name in record) record[name] = WRITTEN;
	// The one that a check for "none" takes for none.
	for (const name of ['status', 'stage']) if (name in record) record[name] = 0;
	return record;
}

/** What a service responds that has one of these records. */
function answer({ url }: ReceivedRequest, record: IDataObject): unknown {
	const { pathname } = new URL(url, 'http://service');
	if (/phonenumbers\/\d+\/1$/.test(pathname)) return [record];
	if (/phonenumbers|\/0$/.test(pathname)) return [];
	if (/voice$/.test(pathname)) return [record];
	const isList = /(SMSMessages|[Cc]ampaigns|Contacts|voice\/p|Item\/\d+\/\d+)$/.test(pathname);
	if (!isList) return record;
	return { pageIndex: 1, totalPages: 1, totalRecords: 1, items: [record] };
}

/** Each operation that returns the records of the service, with each of its outputs. */
const reading = pairs.flatMap(({ resource, operation }) => {
	const found = findOperation(resource, operation);
	if (found === undefined || isChanging(found) || operation === 'getSummary') return [];
	const { fields, otherwise = [] } = returnsOf(resource, operation);
	const outputs = [{ when: {}, fields }, ...otherwise];
	// What is not simplified is as the service has it.
	return outputs
		.filter(({ when }) => when.simple !== false)
		.map((output) => ({ resource, operation, record: fields, ...output }));
});

/** What people look at last, by operation and output; the columns of others are as the service has them. */
const LAST: Readonly<Record<string, readonly string[]>> = {
	'smsMessage get': ['statusCode', 'newId', 'id', 'campaignId'],
	'smsMessage getAll': ['statusCode', 'newId', 'id', 'campaignId'],
	'smsCampaign get': ['status', 'id'],
	'smsCampaign getAll': ['status', 'id'],
	'voiceCampaign get': ['campaignStatus', 'id'],
	'voiceCampaign getAll': ['type', 'campaignStatus', 'callFlow_Id', 'cli_id', 'id'],
	'voiceCampaign getAllUnpaged': ['type', 'campaignStatus', 'callFlow_Id', 'cli_id', 'id'],
	'voiceCampaign getPhoneNumbers': ['id'],
	'voiceCampaign getPhoneNumbers calls': ['campaignId', 'phoneNumberId', 'eventKey'],
	'voiceCampaign getPhoneNumbers smss': ['campaignId', 'phoneNumberId', 'eventKey'],
};

describe.each(reading)('$resource $operation $when', ({ resource, operation, when, ...output }) => {
	let item: IDataObject;

	beforeAll(async () => {
		const record = recordOf(output.record);
		const service = await startServer((request, response) => {
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(answer(request, record)));
		});
		const { items, error } = await runAction({
			credential: { baseUrl: service.url, authentication: 'none' },
			parameters: { ...validParameters({ resource, operation }), ...when },
		});
		await service.close();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		item = items[0]?.json ?? {};
	});

	it('ends with codes and identifiers', () => {
		const last = LAST[`${resource} ${operation} ${Object.values(when).join()}`.trim()];
		const columns = Object.keys(item);
		const isPlain = resource === 'phoneNumberStorage' || operation === 'getContacts';
		expect(columns.slice(-(last ?? columns).length)).toEqual(isPlain ? columns : last);
	});

	it('has a name for each code, for 0 as well', () => {
		const records = [item, ...[item.calls ?? [], item.smss ?? []].flat()] as IDataObject[];
		for (const { stage, stageName, status, statusName, statusCode, smsCount } of records) {
			if (stage !== undefined) expect([stage, stageName]).toEqual([0, 'No Action']);
			if (smsCount === undefined) continue;
			expect(statusCode === undefined ? [status, statusName] : [statusCode, status]).toEqual([
				...[0, 'Sent'],
			]);
		}
	});

	it('shows phone numbers with + and country code, but for stored ones', () => {
		const isStored = resource === 'phoneNumberStorage';
		for (const name of ['number', 'phoneNumber']) {
			if (name in item) expect(item[name]).toBe(isStored ? WRITTEN : SHOWN);
		}
	});
});

it('phone numbers are in the items of four resources', () => {
	const resources = reading
		.filter(({ fields }) => 'number' in fields || 'phoneNumber' in fields)
		.map(({ resource }) => resource);
	expect([...new Set(resources)].sort()).toEqual([
		'phoneNumberStorage',
		'smsCampaign',
		'smsMessage',
		'voiceCampaign',
	]);
});
