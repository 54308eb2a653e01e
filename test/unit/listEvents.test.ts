import type { IDataObject } from 'n8n-workflow';
import { POLL_KINDS } from '../../nodes/MessagingService/events/kinds';
import { entryEvent, messageEvent } from '../../nodes/MessagingService/events/listEvents';

const ORIGIN = {
	clientId: '1001',
	zone: 'Europe/London',
	country: '',
	selected: ['callAttempted', 'smsStatus'],
};
const NUMBER = { id: 7, number: '+447700900123', name: 'Ann', calls: [1], smss: [2] };

test('the poll trigger offers the events of the lists, and no others', () => {
	const origin = { ...ORIGIN, campaignId: '42' };
	const entries = (['calls', 'smss'] as const).map((list) => entryEvent(list, {}, NUMBER, origin));
	const listed = [...entries, messageEvent({}, ORIGIN)].map(({ event }) => event);
	const campaigns = ['campaignFinished', 'campaignStatus'];
	expect(new Set([...listed, ...campaigns])).toEqual(new Set(Object.keys(POLL_KINDS)));
});

/** What has a value. */
const given = (event: IDataObject) =>
	Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null));

describe('a record of a list as an event', () => {
	const numberFields = {
		clientId: 1001,
		campaignId: '42',
		phoneNumber: '+447700900123',
		phoneNumberId: 7,
		name: 'Ann',
	};
	const keys = { eventId: expect.any(String), eventKey: expect.any(String) };

	test('has what is known of an SMS of a voice campaign', () => {
		const sms = { status: 5, smsCount: 2, dateReceived: '2030-05-17T10:00:00', message: 'Hi' };
		expect(given(entryEvent('smss', sms, NUMBER, { ...ORIGIN, campaignId: '42' }))).toEqual({
			event: 'smsStatus',
			result: 'Undeliverable',
			status: 'Undeliverable',
			statusCode: 5,
			parts: 2,
			message: 'Hi',
			delivered: false,
			failed: true,
			lastUpdated: '2030-05-17T10:00:00',
			...numberFields,
			...keys,
		});
	});

	test.each([
		['1001', 1001],
		['client-7', 'client-7'],
		['', null],
	])('has the Client ID of the credential: %j', (clientId, expected) => {
		for (const list of ['calls', 'smss'] as const) {
			const origin = { ...ORIGIN, clientId, campaignId: '42' };
			expect(entryEvent(list, {}, NUMBER, origin).clientId).toBe(expected);
		}
	});

	test('has what is known of an SMS message', () => {
		const message = {
			client_Id: 1001,
			id: 3001,
			newId: 'a-guid',
			status: 1,
			smsCount: 2,
			price: 0.08,
			dateCreated: '2030-05-17T09:00:00',
			dateModified: '2030-05-17T09:05:00',
			dateReceived: '2030-05-17T09:04:00',
			phoneNumber: '+447700900123',
			campaignId: 'c',
		};
		const expected = {
			event: 'smsStatus',
			result: 'Delivered',
			status: 'Delivered',
			statusCode: 1,
			parts: 2,
			price: 0.08,
			delivered: true,
			failed: false,
			dateCreated: message.dateCreated,
			clientId: 1001,
			messageId: 3001,
			newId: 'a-guid',
			campaignId: 'c',
			dateReceived: message.dateReceived,
			phoneNumber: message.phoneNumber,
			...keys,
		};
		expect(given(messageEvent(message, ORIGIN))).toEqual({
			...expected,
			lastUpdated: message.dateModified,
		});
		expect(given(messageEvent({ ...message, dateModified: null }, ORIGIN))).toEqual({
			...expected,
			lastUpdated: message.dateReceived,
		});
	});
});
