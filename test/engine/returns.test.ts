import type { IDataObject } from 'n8n-workflow';
import { resources } from '../../nodes/MessagingService/resources';
import { TRIGGER_RETURNS } from '../../nodes/MessagingService/returns/events';
import { outputSchemas } from '../../nodes/MessagingService/schemas';
import { decodeEvent } from '../../nodes/MessagingService/events/events';
import { sampleItems } from '../../nodes/MessagingService/trigger/samples';
import { assertActionReturns, assertReturns } from '../support/returns';

/**
 * The engine tests hold every item that comes from the sandbox against the definitions (test/support:
 * engine.ts, trigger.ts and poll.ts). These tests show that this can fail, and what n8n gets.
 */

const send = { resource: 'smsMessage', operation: 'send' };
const sent = { newId: 'an-id', phoneNumber: '+447700900123', parts: 1, sent: 'yes' };
const getCalls = { resource: 'voiceCampaign', operation: 'getPhoneNumbers', output: 'calls' };

describe('an output item', () => {
	const check =
		(item: IDataObject, parameters: IDataObject = send) =>
		() => {
			assertActionReturns([item], parameters);
		};

	it('may have the fields of the definition, those of a dry run, or those of a failed row', () => {
		expect(check(sent, send)).not.toThrow();
		expect(check({ dryRun: true, wouldSend: true, recipients: 1 }, send)).not.toThrow();
		expect(check({ error: 'Sender is empty', description: '', sent: 'no' }, send)).not.toThrow();
	});

	it.each<[string, IDataObject, IDataObject]>([
		['of an unknown name', { ...sent, messageId: 1 }, send],
		['of the wrong type', { ...sent, parts: '1' }, send],
		['of the wrong type in a list', { ...sent, warnings: [1] }, send],
		['before one that should come first', { phoneNumber: '+447700900123', newId: 'an-id' }, send],
		['of a dry run in another item', { ...sent, wouldSend: true }, send],
		['of another value of Output', { id: 1, number: '+447700900123' }, getCalls],
	])('has no field %s', (_, item, parameters) => {
		expect(check(item, parameters)).toThrow('An output item is not what `returns` says');
	});
});

describe('an event', () => {
	const order = Object.keys(TRIGGER_RETURNS.fields);
	const events = [
		{ webHookType: 0, data: { outCome: 3, stage: 0, phoneNumber: '+447700900123' } },
		{ webHookType: 1, data: { Id: 1, statusCode: 1, phoneNumber: '+447700900123' } },
	];

	it.each(events)('has all columns of the schema, in its order: %j', (event) => {
		expect(Object.keys(decodeEvent(event))).toEqual(order);
	});

	it('starts with what happened to whom, and ends with the identifiers', () => {
		expect(order.slice(0, 5)).toEqual(['event', 'phoneNumber', 'outcome', 'stage', 'status']);
		expect(order.slice(-6)).toEqual([
			...['campaignId', 'clientId', 'messageId', 'phoneNumberId', 'eventId', 'eventKey'],
		]);
	});

	it.each(['callAttempted', 'smsStatus'] as const)('%s has a sample like it', (kind) => {
		for (const simplify of [true, false]) {
			const samples = sampleItems([kind], simplify, {}).map(({ json }) => json);
			expect(samples).toHaveLength(1);
			expect(() => {
				assertReturns(samples, TRIGGER_RETURNS, { simplify });
			}).not.toThrow();
		}
	});
});

describe('the output schemas', () => {
	const schemas = outputSchemas();

	it('are one for each operation and each trigger', () => {
		expect(Object.keys(schemas).sort()).toEqual(
			[
				...resources.flatMap(({ value, operations }) =>
					operations.map((operation) => `v1.0.0/${value}/${operation.value}.json`),
				),
				'v1.0.0.json',
				'v2.0.0.json',
			].sort(),
		);
	});

	it.each([
		['smsCampaign/create', ['id', 'recipients', 'sent']],
		['voiceCampaign/create', ['id', 'recipients', 'name', 'startDate', 'sent']],
		['smsMessage/send', ['newId', 'phoneNumber', 'parts', 'sent']],
		['smsMessage/get', ['phoneNumber', 'status', 'message']],
	])('show the fields of %s in the order in which people use them', (name, first) => {
		const columns = Object.keys(schemas[`v1.0.0/${name}.json`]?.properties ?? {});
		expect(columns.slice(0, first.length)).toEqual(first);
	});

	it('give each field a type and an example', () => {
		const fields = Object.values(schemas).flatMap(({ properties = {} }) =>
			Object.entries(properties),
		);
		const hasExample = ([, { examples, items, properties }]: (typeof fields)[number]) =>
			examples !== undefined || items !== undefined || properties !== undefined;
		expect(fields.length).toBeGreaterThan(200);
		expect(fields.filter((field) => !hasExample(field))).toEqual([]);
	});
});
