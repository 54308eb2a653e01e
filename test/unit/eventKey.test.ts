import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { eventKeyOf } from '../../nodes/MessagingService/events/eventKey';
import { holds } from '../support/runs';

const UTC = { zone: 'UTC', country: '' };
const keyOf = (data: IDataObject, zone: string) =>
	eventKeyOf('callAttempted', data, { zone, country: '' });
const call = { campaignId: 2001, phoneNumber: '+447700900123', startTime: '2030-05-17T09:30:00' };

describe('the key of an event', () => {
	it('names the call, however it was received', () => {
		const key = 'call/2001/447700900123/2030-05-17T09:30:00.000';
		expect(keyOf(call, 'Europe/London')).toBe(key);
		expect(
			keyOf(
				{ campaignId: '2001', phoneNumber: '00447700900123', startTime: '2030-05-17T08:30:00Z' },
				'Europe/London',
			),
		).toBe(key);
	});

	it('names the status of an SMS', () => {
		const sms = { phoneNumber: '+44 7700 900123', statusCode: 1, parts: 2 };
		expect(eventKeyOf('smsStatus', { ...sms, lastUpdated: '2030-05-17T09:30:00.5' }, UTC)).toBe(
			'sms/447700900123/1/2/2030-05-17T09:30:00.500',
		);
	});

	it('is the same with and without a designator, in every zone, also when clocks go back', async () => {
		const zone = fc.constantFrom('UTC', 'Europe/London', 'America/New_York', 'Asia/Kathmandu');
		const moment = fc.date({
			min: new Date('2029-01-01'),
			max: new Date('2031-01-01'),
			noInvalidDate: true,
		});
		await holds(
			fc.property(zone, moment, fc.constantFrom('UTC', 'Asia/Tokyo'), (name, date, written) => {
				const local = DateTime.fromJSDate(date, { zone: name });
				const key = (startTime: string | null) => keyOf({ ...call, startTime }, name);
				const listed = key(local.toISO({ includeOffset: false }));
				expect(key(local.toUTC().toISO())).toBe(listed);
				expect(key(local.setZone(written).toISO())).toBe(listed);
			}),
			100,
		);
		// The hour that repeats: the same wall clock, two moments.
		expect(keyOf({ ...call, startTime: '2030-10-27T00:30:00Z' }, 'Europe/London')).toBe(
			keyOf({ ...call, startTime: '2030-10-27T01:30:00' }, 'Europe/London'),
		);
	});

	it('is the same however many decimals of a second are written', () => {
		for (const decimals of ['', '.1', '.12', '.1230000', '.1234567', '.123456789']) {
			const written = `2030-05-17T09:30:00${decimals}`;
			const listed = keyOf({ ...call, startTime: written }, 'Europe/London');
			expect(keyOf({ ...call, startTime: `${written}+01:00` }, 'Europe/London')).toBe(listed);
		}
	});

	it('is the same with a blank between date and time, and blanks around them', () => {
		for (const end of ['', '.5', 'Z', '+01:00']) {
			const key = keyOf({ ...call, startTime: `2030-05-17T09:30:00${end}` }, 'Europe/London');
			for (const startTime of [`2030-05-17 09:30:00${end}`, ` 2030-05-17T09:30:00${end} `]) {
				expect(keyOf({ ...call, startTime }, 'Europe/London')).toBe(key);
			}
		}
	});

	it('without a part names the content: different calls never share a key', () => {
		const one = keyOf({ campaignId: '1', phoneNumber: '+447700900123', userInput: '1' }, 'UTC');
		const two = keyOf({ campaignId: '1', phoneNumber: '+447700900123', userInput: '2' }, 'UTC');
		expect(one).not.toBe(two);
		expect(one).toMatch(/^call\/[0-9a-f]{32}$/);
		expect(eventKeyOf('unknown', { a: 1 }, UTC)).toMatch(/^unknown\/[0-9a-f]{32}$/);
	});
});
