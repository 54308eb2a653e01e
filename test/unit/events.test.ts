import fc from 'fast-check';
import omit from 'lodash/omit';
import type { IDataObject } from 'n8n-workflow';
import { decodeEvent, kindOf, readEvent } from '../../nodes/MessagingService/events/events';
import { anyJson, anyJsonText, objectText } from './support/json';
import { OUTCOMES, SMS_STATUSES, STAGES } from './support/interfaceTables';
import { runs } from '../support/runs';

/** An event of a kind with these data, decoded as the trigger does it. */
function decode(webHookType: unknown, data: unknown): IDataObject {
	const { event, problem } = readEvent({ webHookType, data });
	if (event === undefined) throw new Error(problem);
	return decodeEvent(event);
}

const decodeCall = (data: IDataObject) => decode(0, data);
const decodeSms = (data: IDataObject) => decode(1, data);

const CALL: IDataObject = {
	clientId: 1001,
	outCome: 1,
	stage: 13,
	startTime: '2030-05-17T09:30:00Z',
	endTime: '2030-05-17T09:31:05.500Z',
	userInput: '1',
	campaignId: '4711',
	phoneNumber: '+447700900123',
};

const SMS: IDataObject = {
	clientId: 1001,
	Id: 42,
	phoneNumberId: '7',
	phoneNumber: '+447700900123',
	parts: 2,
	dateCreated: '2030-05-17T09:30:00Z',
	lastUpdated: '2030-05-17T09:30:09Z',
	price: 0.08,
	statusCode: 1,
};

describe('a delivered body', () => {
	const someBody = anyJson(
		['webHookType', 'data', 'outCome', 'stage', 'statusCode', 'phoneNumber', 'startTime'],
		['"0"', '"1"', '{"webHookType":0,"data":{}}'],
	);

	test('is an event, or there is a problem, with any JSON', () => {
		const anything = fc.oneof(someBody, fc.constant(undefined));
		fc.assert(
			fc.property(anything, (body) => {
				const { event, problem } = readEvent(body);
				if (event === undefined) {
					expect(problem).toMatch(/^(The body|webHookType|data) is/);
				} else {
					expect(Number.isInteger(event.webHookType)).toBe(true);
					expect(['callAttempted', 'smsStatus', 'unknown']).toContain(kindOf(event));
				}
			}),
			{ numRuns: runs(100) },
		);
	});

	test('is decoded with any JSON in its data', () => {
		const data = fc.dictionary(
			fc.constantFrom(...Object.keys(CALL), ...Object.keys(SMS), 'outcome', 'id'),
			anyJson(['toString', 'a']),
		);
		fc.assert(
			fc.property(fc.constantFrom(0, 1, 2, -1, '0', '1'), data, (webHookType, fields) => {
				const record = decode(webHookType, fields);
				expect(record.event).toBe(
					{ '0': 'callAttempted', '1': 'smsStatus' }[String(webHookType)] ?? 'unknown',
				);
				expect(record.eventId).toMatch(/^[0-9a-f]{32}$/);
				const { phoneNumber } = record;
				if (record.event !== 'unknown') {
					expect(phoneNumber === null || typeof phoneNumber === 'string').toBe(true);
				}
			}),
			{ numRuns: runs(200) },
		);
	});

	test.each<readonly [unknown, string]>([
		[undefined, 'The body is not a JSON object'],
		[null, 'The body is not a JSON object'],
		['text', 'The body is not a JSON object'],
		[[{ webHookType: 0, data: {} }], 'The body is not a JSON object'],
		[{}, 'webHookType is missing or not an integer'],
		[{ webHookType: 'call', data: {} }, 'webHookType is missing or not an integer'],
		[{ webHookType: 0.5, data: {} }, 'webHookType is missing or not an integer'],
		[{ webHookType: '', data: {} }, 'webHookType is missing or not an integer'],
		[{ webHookType: null, data: {} }, 'webHookType is missing or not an integer'],
		[{ webHookType: true, data: {} }, 'webHookType is missing or not an integer'],
		[{ webHookType: 0 }, 'data is missing or not an object'],
		[{ webHookType: 0, data: [] }, 'data is missing or not an object'],
		[{ webHookType: 0, data: null }, 'data is missing or not an object'],
		...['x1', '1x', '1 2', '1.0', '0x1', '1e1', '+', '1234567890123456'].map(
			(webHookType) =>
				[{ webHookType, data: {} }, 'webHookType is missing or not an integer'] as const,
		),
	])('that is no event says why (%j)', (body, problem) => {
		expect(readEvent(body)).toEqual({ problem });
	});

	test.each([
		[' 1 ', 'smsStatus'],
		['+1', 'smsStatus'],
		['-1', 'unknown'],
		['007', 'unknown'],
	])('may have the digits %j as its type: %s', (webHookType, kind) => {
		expect(decode(webHookType, {}).event).toBe(kind);
	});

	test('may have its numbers as digits', () => {
		expect(decode('0', { ...CALL, outCome: '3', stage: ' 7 ' })).toMatchObject({
			event: 'callAttempted',
			outcomeCode: 3,
			outcome: 'Busy',
			stageCode: 7,
			stage: 'Right party transfer requested',
		});
		expect(
			decode('1', {
				...SMS,
				statusCode: '1000',
				parts: '2',
				price: '0.08',
				phoneNumber: 447700900123,
			}),
		).toMatchObject({
			event: 'smsStatus',
			statusCode: 1000,
			status: 'FailedInsufficientCredit',
			failed: true,
			parts: 2,
			price: 0.08,
			phoneNumber: '447700900123',
		});
	});

	test('that are none are passed on as received', () => {
		expect(decode('1', { ...SMS, parts: 'two', price: '0,08' })).toMatchObject({
			parts: 'two',
			price: '0,08',
		});
	});
});

describe('a call', () => {
	test('becomes one flat record', () => {
		expect(decodeCall(CALL)).toEqual({
			event: 'callAttempted',
			eventId: expect.stringMatching(/^[0-9a-f]{32}$/),
			eventKey: expect.stringMatching(/^(call|sms)\//),
			clientId: 1001,
			campaignId: '4711',
			phoneNumber: '+447700900123',
			outcomeCode: 1,
			outcome: 'Answered',
			stageCode: 13,
			stage: 'Opt in',
			answered: true,
			optedIn: true,
			optedOut: false,
			startTime: '2030-05-17T09:30:00Z',
			endTime: '2030-05-17T09:31:05.500Z',
			durationSeconds: 65.5,
			userInput: '1',
			statusCode: null,
			status: null,
			delivered: null,
			failed: null,
			messageId: null,
			phoneNumberId: null,
			parts: null,
			price: null,
			dateCreated: null,
			lastUpdated: null,
		});
	});

	test.each(OUTCOMES)('has outcome %i: %s', (code, name) => {
		expect(decodeCall({ ...CALL, outCome: code })).toMatchObject({
			outcomeCode: code,
			outcome: name,
			answered: code === 1,
		});
	});

	test.each(STAGES)('has stage %i: %s', (code, name) => {
		expect(decodeCall({ ...CALL, stage: code })).toMatchObject({
			stageCode: code,
			stage: name,
			optedIn: code === 13,
			optedOut: code === 14,
		});
	});

	test('has codes without a meaning named as such', () => {
		fc.assert(
			fc.property(fc.integer(), (code) => {
				fc.pre(code < 0 || code > 20);
				expect(decodeCall({ ...CALL, outCome: code, stage: code })).toMatchObject({
					outcome: `Code ${code}`,
					stage: `Code ${code}`,
				});
			}),
			{ numRuns: runs(100) },
		);
		expect(decodeCall({ ...CALL, outCome: 0 })).toMatchObject({ outcome: 'Code 0' });
	});

	test.each(['outcome', 'outCome'])('may spell its outcome "%s"', (name) => {
		const record = decodeCall({ ...omit(CALL, 'outCome'), [name]: 3 });
		expect(record).toMatchObject({ outcomeCode: 3, outcome: 'Busy' });
		expect(Object.keys(record)).not.toContain('outCome');
	});

	test('never fails or arrives as an SMS does', () => {
		expect(decodeCall({ ...CALL, statusCode: 5 })).toMatchObject({ failed: null, statusCode: 5 });
		expect(decodeCall({ ...CALL, statusCode: 1 })).toMatchObject({ delivered: null });
	});

	test.each([
		['startTime', null],
		['startTime', 5],
		['endTime', null],
		['endTime', 5],
	])('lasts no time that is known when its %s is %j', (name, value) => {
		expect(decodeCall({ ...CALL, [name]: value }).durationSeconds).toBeNull();
	});

	test.each(['', '  ', 'x', null])('has no code where the service sends %j', (code) => {
		expect(decodeCall({ ...CALL, outCome: code })).toMatchObject({
			outcomeCode: null,
			outcome: code,
		});
	});

	test('without codes or times has null for them', () => {
		const record = decodeCall({ phoneNumber: '1', startTime: 'soon', endTime: '2030-05-17' });
		for (const name of ['outcomeCode', 'outcome', 'stageCode', 'stage', 'durationSeconds']) {
			expect(record[name]).toBeNull();
		}
		expect(record).toMatchObject({ answered: null, optedIn: null, optedOut: null });
	});
});

describe('the status of an SMS', () => {
	test('becomes one flat record', () => {
		expect(decodeSms(SMS)).toEqual({
			event: 'smsStatus',
			eventId: expect.stringMatching(/^[0-9a-f]{32}$/),
			eventKey: expect.stringMatching(/^(call|sms)\//),
			clientId: 1001,
			messageId: 42,
			phoneNumberId: '7',
			phoneNumber: '+447700900123',
			statusCode: 1,
			status: 'Delivered',
			delivered: true,
			failed: false,
			parts: 2,
			price: 0.08,
			dateCreated: '2030-05-17T09:30:00Z',
			lastUpdated: '2030-05-17T09:30:09Z',
			campaignId: null,
			outcomeCode: null,
			outcome: null,
			stageCode: null,
			stage: null,
			answered: null,
			optedIn: null,
			optedOut: null,
			startTime: null,
			endTime: null,
			durationSeconds: null,
			userInput: null,
		});
	});

	test.each(SMS_STATUSES)('has code %i: %s', (code, name) => {
		const hasFailed = [
			'Expired',
			'Deleted',
			'Undeliverable',
			'Rejected',
			'RejectedInvalidRecipient',
			'FailedInsufficientCredit',
		].includes(name);
		expect(decodeSms({ ...SMS, statusCode: code })).toMatchObject({
			statusCode: code,
			status: name,
			delivered: code === 1,
			failed: hasFailed,
		});
	});

	test('may spell its ID "id", and its fields come once only', () => {
		const record = decodeSms({ ...omit(SMS, 'Id'), id: 43, mood: 'good' });
		expect(record).toMatchObject({ messageId: 43, mood: 'good' });
		const names = Object.keys(decodeSms(SMS));
		expect(Object.keys(record).sort()).toEqual([...names, 'mood'].sort());
		expect(Object.keys(record)[0]).toBe('event');
		expect(Object.keys(record).slice(-7)).toEqual(['mood', ...names.slice(-6)]);
	});

	// False would make "if not answered, send an SMS" send one for the status of that very SMS.
	test('says nothing of being answered, opted in or opted out', () => {
		expect(decodeSms({ ...SMS, outCome: 3, stage: 14 })).toMatchObject({
			answered: null,
			optedIn: null,
			optedOut: null,
		});
	});

	test('says nothing of having failed when its code is missing', () => {
		expect(decodeSms({ ...SMS, statusCode: null })).toMatchObject({
			status: null,
			failed: null,
			delivered: null,
		});
	});

	test('shows first what people look at, and identifiers last', () => {
		for (const record of [decodeCall(CALL), decodeSms(SMS)]) {
			const names = Object.keys(record);
			expect(names.slice(0, 5)).toEqual(['event', 'phoneNumber', 'outcome', 'stage', 'status']);
			expect(names.slice(-6)).toEqual([
				...['campaignId', 'clientId', 'messageId', 'phoneNumberId', 'eventId', 'eventKey'],
			]);
		}
	});

	test('with a code without a meaning is named as such, and has not failed', () => {
		expect(decodeSms({ ...SMS, statusCode: 77 })).toMatchObject({
			status: 'Code 77',
			delivered: false,
			failed: false,
		});
	});
});

describe('an event of another kind', () => {
	test('keeps all its fields', () => {
		expect(decode(2, { anything: { nested: [1] }, phoneNumber: 5 })).toEqual({
			event: 'unknown',
			eventId: expect.any(String),
			eventKey: expect.any(String),
			webHookType: 2,
			anything: { nested: [1] },
			phoneNumber: 5,
		});
	});
});

describe('fields named like parts of objects', () => {
	test('are fields and nothing else', () => {
		const body: unknown = JSON.parse(
			'{"webHookType":2,"__proto__":{"polluted":1},"data":{"__proto__":{"polluted":1},"constructor":1}}',
		);
		const { event } = readEvent(body);
		if (event === undefined) throw new Error('No event');
		const record = decodeEvent(event);
		expect(record.polluted).toBeUndefined();
		expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
		expect(Object.prototype).not.toHaveProperty('polluted');
		expect(record.constructor).toBe(1);
	});

	test('do not stand in for fields that are missing', () => {
		const body: unknown = JSON.parse('{"__proto__":{"webHookType":0,"data":{}}}');
		expect(readEvent(body).problem).toBe('webHookType is missing or not an integer');
	});
});

describe('the ID of an event', () => {
	const idOf = (text: string) => {
		const { event } = readEvent(JSON.parse(text));
		if (event === undefined) throw new Error('No event');
		return decodeEvent(event).eventId;
	};
	const eventText = (webHookType: number, fields: readonly (readonly [string, string])[]) =>
		`{"webHookType":${webHookType},"data":${objectText(fields)}}`;
	const anyFields = fc.uniqueArray(fc.tuple(fc.string({ maxLength: 4 }), anyJsonText(['a', 'b'])), {
		maxLength: 5,
		selector: ([key]) => key,
	});

	test('does not depend on the order of the fields', () => {
		const shuffled = anyFields.chain((fields) =>
			fc.tuple(
				fc.constant(fields),
				fc.shuffledSubarray(fields, { minLength: fields.length, maxLength: fields.length }),
			),
		);
		fc.assert(
			fc.property(shuffled, fc.integer(), ([fields, reordered], type) => {
				// Fields named "event" or "eventId" would hide the ones looked at.
				fc.pre(!fields.some(([key]) => key.startsWith('event')));
				const text = `{"data":${objectText(reordered)},"webHookType":"${type}"}`;
				expect(idOf(text)).toBe(idOf(eventText(type, fields)));
			}),
			{ numRuns: runs(100) },
		);
	});

	test('does not depend on the order of nested fields', () => {
		const one = '{"webHookType":9,"data":{"a":{"x":1,"y":[{"p":1,"q":2}]},"b":2}}';
		const other = '{"data":{"b":2,"a":{"y":[{"q":2,"p":1}],"x":1}},"webHookType":9}';
		expect(idOf(other)).toBe(idOf(one));
	});

	test('differs for every other content', () => {
		fc.assert(
			fc.property(anyFields, anyJsonText(['a']), anyJsonText(['a']), (fields, one, other) => {
				const isSame = JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
				const rest = fields.filter(([key]) => key !== 'x');
				const ids = [one, other].map((text) => idOf(eventText(0, [['x', text], ...rest])));
				// Equal up to the order of fields is left to the tests above.
				if (isSame) expect(ids[0]).toBe(ids[1]);
				else if (!one.includes('{')) expect(ids[0]).not.toBe(ids[1]);
			}),
			{ numRuns: runs(100) },
		);
	});

	test.each([
		['{"x":{"a":1}}', '{"x":[["a",1]]}'],
		['{"x":{}}', '{"x":[]}'],
		['{"x":"1"}', '{"x":1}'],
		['{"x":null}', '{}'],
		['{"x":[1,2]}', '{"x":[2,1]}'],
		['{"x":[[1],2]}', '{"x":[1,[2]]}'],
		['{"__proto__":{"a":1}}', '{}'],
		['{"x":{"a":1,"b":2}}', '{"x":{"a":2,"b":1}}'],
	])('differs between %s and %s', (one, other) => {
		expect(idOf(`{"webHookType":0,"data":${one}}`)).not.toBe(
			idOf(`{"webHookType":0,"data":${other}}`),
		);
	});

	test('differs between the kinds', () => {
		expect(idOf(eventText(0, []))).not.toBe(idOf(eventText(1, [])));
	});
});

test('times without a zone are on the clock of the service, or in UTC', () => {
	const event = { webHookType: 0, data: { ...CALL, startTime: '2030-05-17T08:30:00Z' } };
	const keyIn = (zone?: string) => decodeEvent(event, zone).eventKey;
	expect(keyIn()).toBe(keyIn('UTC'));
	expect(keyIn()).toMatch(/T08:30:00/);
	expect(keyIn('Europe/London')).toMatch(/T09:30:00/);
});
