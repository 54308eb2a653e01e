import type { IDataObject } from 'n8n-workflow';
import type { RecordReading } from '../../nodes/MessagingService/results/listCursor';
import {
	hasOpenSms,
	messageResults,
	numberResults,
	type TimedEvent,
} from '../../nodes/MessagingService/results/resultLists';
import { isBefore, momentOf, wallClockOf } from '../../nodes/MessagingService/results/times';
import type { ServiceClient } from '../../nodes/MessagingService/transport/request';

describe('the statuses of SMS messages', () => {
	it('are reported by a later poll where one has no room, also one that is not known yet', () => {
		const { read } = messageResults(
			{ filters: {}, createdSince: '2030-01-01T00:00:00', campaignIds: undefined },
			{
				client: {} as ServiceClient,
				pageSize: 10,
				origin: { clientId: '1001', zone: 'UTC' },
				startFrom: undefined,
			},
		);
		const message = { id: 1, status: null, dateCreated: '2030-05-17T09:00:00' };
		const full = read(message, undefined, 0, false);
		expect(full).toMatchObject({ events: [], isComplete: false });
		const next = read(message, full?.state, 1, false);
		expect(next?.events).toHaveLength(1);
		expect(read(message, next?.state, 1, false)).toMatchObject({ events: [], isComplete: true });
	});
});

describe('the calls and SMS of a phone number', () => {
	const all = { calls: true, sms: true, finished: true };
	const call = (attemptNumber: number, outcome: number | null, more = {}) => ({
		...{ attemptNumber, outcome, startTime: `2030-05-17T09:0${String(attemptNumber)}:00` },
		...more,
	});
	const sms = (status: number | null, minute = 0) => ({
		...{ status, smsCount: 1, dateReceived: `2030-05-17T10:0${String(minute)}:00` },
	});

	function readerFor(wanted = all, startFrom?: number) {
		const { read } = numberResults('42', { attempts: 2 }, wanted, {
			...{ client: {} as ServiceClient, pageSize: 10, startFrom },
			origin: { clientId: '1001', zone: 'UTC' },
		});
		return (record: IDataObject, state?: string, { room = 10, isBaseline = false } = {}) => {
			const reading = read({ id: 1, number: '+1', ...record }, state, room, isBaseline);
			return { ...(reading as RecordReading<TimedEvent>), kinds: kindsOf(reading?.events ?? []) };
		};
	}
	const kindsOf = (events: readonly TimedEvent[]) =>
		events.map(({ item }) => item.attemptNumber ?? `sms ${String(item.statusCode)}`);

	it('are known by nothing but slots and statuses', () => {
		const read = readerFor();
		expect(read({}).state).toBe('[[]]');
		const { state } = read({ calls: [call(2, 3), call(1, 3)], smss: [sms(0), sms(null)] });
		expect(state).toBe('[["1","2"],0,null]');
		expect(read({ calls: [call(1, 3)] }).state).toBe('[["1"]]');
	});

	it('are reported once, and each change of a status', () => {
		const read = readerFor();
		const first = read({ calls: [call(1, 3)], smss: [sms(0), sms(1, 1)] });
		expect(first.kinds).toEqual([1, 'sms 0', 'sms 1']);
		const same = read({ calls: [call(1, 3)], smss: [sms(0), sms(1, 1)] }, first.state);
		expect([same.kinds, same.state]).toEqual([[], first.state]);
		const next = read(
			{ calls: [call(1, 3), call(2, 1)], smss: [sms(5, 2), sms(1, 1)] },
			same.state,
		);
		expect(next.kinds).toEqual([2, 'sms 5']);
		expect(read({ smss: [sms(5, 2), sms(1, 1), sms(0)] }, next.state).kinds).toEqual(['sms 0']);
	});

	it.each([
		[1, [1]],
		[2, [1, 2]],
		[3, [1, 2, 'sms 0']],
		[4, [1, 2, 'sms 0', 'sms 1']],
	])('wait where there is room for %d, and lose nothing', (room, kinds) => {
		const read = readerFor();
		const record = { calls: [call(1, 3), call(2, 3)], smss: [sms(0), sms(1)] };
		const first = read(record, undefined, { room });
		expect([first.kinds, first.isComplete]).toEqual([kinds, room === 4]);
		const rest = read(record, first.state);
		expect([...first.kinds, ...rest.kinds]).toEqual([1, 2, 'sms 0', 'sms 1']);
	});

	it('are known without being reported where they are not wanted, or were there before', () => {
		const record = { calls: [call(1, 3)], smss: [sms(0)] };
		expect(readerFor({ ...all, calls: false })(record).kinds).toEqual(['sms 0']);
		expect(readerFor({ ...all, sms: false })(record).kinds).toEqual([1]);
		const old = readerFor()(record, undefined, { isBaseline: true });
		expect([old.kinds, old.state]).toEqual([[], '[["1"],0]']);
		const startFrom = Date.parse('2030-05-17T09:02:00Z');
		const calls = [call(1, 3), call(2, 3), call(3, 3, { startTime: 'unknown' })];
		const some = readerFor(all, startFrom)({ calls, smss: [sms(0)] }, undefined, {
			isBaseline: true,
		});
		expect(some.kinds).toEqual([2, 'sms 0']);
	});

	it('of a number are open while it may be called, or a call is in progress', () => {
		const isOpen = (...calls: IDataObject[]) => readerFor()({ calls }).isOpen;
		expect([isOpen(), isOpen(call(1, 3)), isOpen(call(1, 1))]).toEqual([true, true, false]);
		expect([isOpen(call(1, 3), call(2, 3)), isOpen(call(1, 1), call(2, null))]).toEqual([
			...[false, true],
		]);
	});

	it.each([
		['[["1"]]', false],
		['[[],1,3,4,5,7,34,1000]', false],
		['[[],1,0]', true],
		['[[],2,1]', true],
		['[[],null]', true],
	])('with the state %s may change: %s', (state, isOpen) => {
		expect(hasOpenSms(state)).toBe(isOpen);
	});
});

describe('which messages are of interest', () => {
	const { read } = messageResults(
		{ filters: {}, createdSince: '2030-05-17T09:00:00', campaignIds: new Set(['a-b']) },
		{
			...{ client: {} as ServiceClient, pageSize: 10, startFrom: undefined },
			origin: { clientId: '1001', zone: 'UTC' },
		},
	);

	it.each([
		[{ dateCreated: '2030-05-17T09:00:00', campaignId: 'A-B' }, true],
		[{ dateCreated: '2030-05-17 09:00:00', campaignId: 'a-b' }, true],
		[{ dateCreated: '2030-05-17T08:59:59', campaignId: 'a-b' }, false],
		[{ dateCreated: '2030-05-17 08:59:59', campaignId: 'a-b' }, false],
		[{ campaignId: 'a-b' }, true],
		[{ dateCreated: '', campaignId: 'a-b' }, true],
		[{ dateCreated: '2030-05-17T09:00:00', campaignId: 'b' }, false],
		[{ dateCreated: '2030-05-17T09:00:00' }, false],
	])('%j: %s', (message, isOne) => {
		expect(read({ id: 1, status: 1, ...message }, undefined, 1, false) !== undefined).toBe(isOne);
	});
});

describe('times of the service', () => {
	it('are read on its clock, and written as it writes them', () => {
		const moment = Date.parse('2030-05-17T08:30:00Z');
		for (const text of ['2030-05-17T09:30:00', ' 2030-05-17 09:30 ', '2030-05-17T08:30:00Z']) {
			expect(momentOf(text, 'Europe/London')).toBe(moment);
		}
		for (const none of [undefined, null, 5, '', 'soon']) expect(momentOf(none, 'UTC')).toBeNaN();
		expect(wallClockOf(moment, 'Europe/London')).toBe('2030-05-17T09:30:00');
	});

	it.each<[unknown, boolean]>([
		['2030-05-17T09:29:59', true],
		['2030-05-17 09:29:59', true],
		['2030-05-17T09:30:00', false],
		['2030-05-17 23:30:00', false],
		...[undefined, null, '', 5].map((value): [unknown, boolean] => [value, false]),
	])('%j is before 09:30: %s', (value, isEarlier) => {
		expect(isBefore(value, '2030-05-17T09:30:00')).toBe(isEarlier);
	});
});
