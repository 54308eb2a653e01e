import {
	numbersFinding,
	statusFinding,
} from '../../nodes/MessagingService/resources/service/contents';

const list = (path: string, ...records: object[]) => ({ path, records: records as never[] });
const numbers = (...written: unknown[]) =>
	list('/api/SMSMessages', ...written.map((phoneNumber) => ({ phoneNumber })));

describe('how phone numbers are written', () => {
	it.each([
		['+44 7700 900123', 'with +'],
		['0044 7700 900123', 'with 00'],
		['(00) 447700900123', 'with 00'],
		['447700900123', 'without +'],
		['44 7700-900.123', 'without +'],
		['07700 900123', 'without country code'],
	])('%s is %s', (written, form) => {
		expect(numbersFinding([numbers(written)], 'GB').found).toBe(form);
	});

	it('is told of all lists, in any of their fields, each form once', () => {
		const lists = [
			list('/api/campaigns/voice/1/phonenumbers/10/1', { number: '07700900123' }),
			numbers('+447700900123', '+447700900124', 'Shop', null, 447700900123),
		];
		expect(numbersFinding(lists, '')).toMatchObject({
			...{ result: 'ask', found: 'with +, without country code' },
		});
		expect(numbersFinding(lists, 'GB')).toMatchObject({
			...{ result: 'ok', advice: expect.stringContaining('as numbers of GB') },
		});
	});
});

test('without any number, how they are written is to be asked', () => {
	expect(numbersFinding([numbers('Shop', null, 447700900123)], 'GB')).toEqual({
		...{ question: 'How are phone numbers written?', result: 'ask', setting: '', value: '' },
		found: 'not tried: no list that was read has a number',
		advice: 'How do lists and events write a phone number: with + and the country code?',
	});
});

describe('statuses that the interface does not show', () => {
	const voice = (...statuses: unknown[]) =>
		list('/api/campaigns/voice/1/phonenumbers/10/1', {
			...{ number: '+447700900123', status: 77 },
			smss: statuses.map((status) => ({ status })),
		});
	const messages = (...statuses: unknown[]) =>
		list('/api/SMSMessages', ...statuses.map((status) => ({ status })));

	it.each([
		['none', [messages(0, 1, 34, 1000, null, 'Sent'), voice(1)]],
		['SMS messages: 9999', [messages(1), voice(9999, 1)]],
		['SMS messages: 12, 50, 100', [messages(100, 12, 50, 12), voice(50)]],
		['none', [list('/api/Campaigns', { status: 50 })]],
	])('%s', (found, lists) => {
		expect(statusFinding(lists).found).toBe(found);
	});
});
