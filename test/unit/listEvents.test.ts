import type { IDataObject } from 'n8n-workflow';
import {
	callEvent,
	campaignEvent,
	messageEvent,
	numberSmsEvent,
} from '../../nodes/MessagingService/events/listEvents';

const ORIGIN = { clientId: '1001', zone: 'Europe/London' };
const NUMBER = { id: 7, number: '+447700900123', name: 'Ann', calls: [1], smss: [2] };

/** What has a value. */
const given = (event: IDataObject) =>
	Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null));

describe('a record of a list as an event', () => {
	const numberFields = {
		...{ clientId: 1001, campaignId: '42', phoneNumber: '+447700900123', phoneNumberId: 7 },
		name: 'Ann',
	};
	const keys = { eventId: expect.any(String), eventKey: expect.any(String) };

	test('has what is known of a call and its number', () => {
		const call = {
			...{ outcome: 1, stage: 14, attemptNumber: 2, price: 0.02, userInput: '9' },
			...{ startTime: '2030-05-17T09:30:00', endTime: '2030-05-17T09:30:40', clientId: 5 },
		};
		expect(given(callEvent(call, NUMBER, '42', ORIGIN))).toEqual({
			...{ event: 'callAttempted', outcome: 'Answered', outcomeCode: 1, answered: true },
			...{ stage: 'Opt out', stageCode: 14, optedIn: false, optedOut: true, durationSeconds: 40 },
			...{ startTime: call.startTime, endTime: call.endTime, attemptNumber: 2, price: 0.02 },
			...{ userInput: '9', ...numberFields, ...keys },
		});
	});

	test('has what is known of an SMS of a voice campaign', () => {
		const sms = { status: 5, smsCount: 2, dateReceived: '2030-05-17T10:00:00', message: 'Hi' };
		expect(given(numberSmsEvent(sms, NUMBER, '42', ORIGIN))).toEqual({
			...{ event: 'smsStatus', status: 'Undeliverable', statusCode: 5, parts: 2, message: 'Hi' },
			...{ delivered: false, failed: true, lastUpdated: '2030-05-17T10:00:00' },
			...numberFields,
			...keys,
		});
	});

	test('has what is known of an SMS message', () => {
		const message = {
			...{ client_Id: 1001, id: 3001, newId: 'a-guid', status: 1, smsCount: 2, price: 0.08 },
			...{ dateCreated: '2030-05-17T09:00:00', dateModified: '2030-05-17T09:05:00' },
			...{ dateReceived: '2030-05-17T09:04:00', phoneNumber: '+447700900123', campaignId: 'c' },
		};
		const expected = {
			...{ event: 'smsStatus', status: 'Delivered', statusCode: 1, parts: 2, price: 0.08 },
			...{ delivered: true, failed: false, dateCreated: message.dateCreated },
			...{ clientId: 1001, messageId: 3001, newId: 'a-guid', campaignId: 'c' },
			...{ dateReceived: message.dateReceived, phoneNumber: message.phoneNumber, ...keys },
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

	test.each([
		['1001', 1001],
		['0', 0],
		['123456789012345', 123_456_789_012_345],
		['1234567890123456', '1234567890123456'],
		['acme7', 'acme7'],
		['7acme', '7acme'],
		['-1', '-1'],
		[' 1', ' 1'],
		['', null],
	])('has the client ID %j of the credential as %j', (clientId, expected) => {
		const event = callEvent({ outcome: 1 }, NUMBER, '42', { ...ORIGIN, clientId });
		expect(event.clientId).toBe(expected);
		expect(numberSmsEvent({}, NUMBER, '42', { ...ORIGIN, clientId }).clientId).toBe(expected);
	});

	test('has the times of its key on the clock of the service', () => {
		const at = (startTime: string, zone: string) =>
			callEvent({ startTime }, NUMBER, '42', { ...ORIGIN, zone }).eventKey;
		expect(at('2030-05-17T08:30:00Z', 'Europe/London')).toBe(
			at('2030-05-17T09:30:00', 'Europe/London'),
		);
		expect(at('2030-05-17T08:30:00Z', 'UTC')).not.toBe(at('2030-05-17T09:30:00', 'UTC'));
	});
});

describe('an event of a campaign', () => {
	const eventOf = (type: 'voice' | 'sms', record: IDataObject, what = '', details = {}) =>
		campaignEvent('campaignStatus', { type, id: '42', record }, what, details);

	test('has the name and the status under the names of its kind', () => {
		const record = { name: 'Spring', campaignStatus: 'Running', status: 3 };
		const common = {
			...{ event: 'campaignStatus', campaignName: 'Spring', campaignId: '42', more: 1 },
			eventId: expect.stringMatching(/^[\da-f]{32}$/),
		};
		expect(eventOf('voice', record, 'Running', { more: 1 })).toEqual({
			...{ ...common, campaignStatus: 'Running', campaignType: 'voice' },
			eventKey: 'campaign/voice/42/campaignStatus/Running',
		});
		expect(eventOf('sms', record, '', { more: 1 })).toEqual({
			...{ ...common, campaignStatus: 3, campaignType: 'sms' },
			eventKey: 'campaign/sms/42/campaignStatus',
		});
		expect(eventOf('sms', {})).toMatchObject({ campaignName: null, campaignStatus: null });
	});

	test('has an ID of its own for each status', () => {
		const ids = ['a', 'b', 'a', ''].map((what) => eventOf('voice', {}, what).eventId);
		expect(new Set(ids).size).toBe(3);
		expect(ids[0]).toBe(ids[2]);
	});
});
