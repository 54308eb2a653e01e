import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { decodeEvent, readEvent } from '../../nodes/MessagingService/events/events';
import { passesFilters } from '../../nodes/MessagingService/events/filters';
import { SERVICE_KINDS } from '../../nodes/MessagingService/events/kinds';
import { anyJsonText, objectText } from './support/json';
import { SMS_STATUSES } from './support/interfaceTables';
import { holds } from '../support/runs';

const READING = { zone: 'UTC', country: '', selected: ['callAttempted', 'smsStatus'] };

const shownBy = Object.entries(SERVICE_KINDS).flatMap(([event, { filters }]) =>
	filters.flatMap(({ name, placeholder = '' }) =>
		[...placeholder.matchAll(/\d+/g)].map(([entry]) => ({ event, name, placeholder, entry })),
	),
);

test.each(shownBy)(
	'the filter $name passes $entry, as its placeholder shows it: $placeholder',
	({ event, name, placeholder, entry }) => {
		const example = placeholder.replace('e.g. ', '');
		const item = { event, campaignId: Number(entry), userInput: entry };
		expect(passesFilters(item, { [name]: example }, '')).toBe(true);
	},
);

test('there are such filters of campaigns and keys', () => {
	expect(new Set(shownBy.map(({ name }) => name))).toEqual(new Set(['campaignIds', 'userInputs']));
});

/** An event of a kind with these data, decoded as the trigger does it. */
function decode(webHookType: unknown, data: unknown): IDataObject {
	const event = readEvent({ webHookType, data });
	if (typeof event === 'string') throw new Error(event);
	return decodeEvent(event, READING);
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
	test.each([
		[' 1 ', 'smsStatus'],
		['+1', 'smsStatus'],
		['-1', 'unknown'],
		['007', 'unknown'],
	])('may have the digits %j as its type: %s', (webHookType, kind) => {
		expect(decode(webHookType, {}).event).toBe(kind);
	});
});

describe('an event of a kind that is not known', () => {
	test('says which, and has all that was sent, whatever its fields are called', () => {
		const data = { event: 'opened', eventId: 'e1', webHookType: 'w', campaignId: 5, outCome: null };
		expect(decode(7, data)).toEqual({
			...data,
			event: 'unknown',
			webHookType: 7,
			eventId: expect.stringMatching(/^[\da-f]{32}$/),
			eventKey: expect.stringMatching(/^unknown\//),
		});
	});
});

describe('what should be a number, and is none,', () => {
	test.each(['parts', 'price'])('is passed on as received: %s', (field) => {
		expect(decode(1, { ...SMS, [field]: '0,08 GBP' })).toMatchObject({ [field]: '0,08 GBP' });
	});
});

describe('a code or a number that is blank or missing', () => {
	test.each([
		['outCome', decodeCall, CALL, { outcomeCode: null, answered: null }],
		['stage', decodeCall, CALL, { stageCode: null, optedIn: null, optedOut: null }],
		['statusCode', decodeSms, SMS, { statusCode: null, delivered: null, failed: null }],
	] as const)('is none, not 0: %s', (field, decodeData, data, expected) => {
		for (const value of ['', ' ', null, undefined]) {
			expect(decodeData({ ...data, [field]: value })).toMatchObject(expected);
		}
	});

	test('is passed on where it is of a value', () => {
		for (const value of ['', ' ']) {
			expect(decodeSms({ ...SMS, parts: value, price: value })).toMatchObject({
				...{ parts: value, price: value },
			});
		}
	});
});

describe('a call', () => {
	test('has the price that the lists give it as a number, also where only calls are selected', () => {
		for (const selected of [['callAttempted'], ['callAttempted', 'smsStatus']]) {
			const event = { webHookType: 0, data: { ...CALL, price: '0.1' } };
			expect(decodeEvent(event, { ...READING, selected })).toMatchObject({ price: 0.1 });
		}
	});

	test('keeps fields that the interface does not list, also one called id', () => {
		expect(decodeCall({ ...CALL, id: 77, lane: 'x' })).toMatchObject({ id: 77, lane: 'x' });
	});

	test('never fails or arrives as an SMS does', () => {
		expect(decodeCall({ ...CALL, statusCode: 5 })).toMatchObject({ failed: null, statusCode: 5 });
		expect(decodeCall({ ...CALL, statusCode: 1 })).toMatchObject({ delivered: null });
	});
});

describe('the duration of a call', () => {
	test.each([
		['2030-05-17T09:31:05.500Z', 65.5],
		['2030-05-17T09:30:00Z', 0],
		['2030-05-17T09:29:59Z', null],
		['0001-01-01T00:00:00', null],
		['2030-05-18T09:30:00Z', 86_400],
		['2030-05-18T09:30:01Z', null],
		[null, null],
	])('that ends at %p is %p seconds', (endTime, durationSeconds) => {
		expect(decodeCall({ ...CALL, endTime })).toMatchObject({ durationSeconds });
	});

	test('does not depend on the time zone of the process', () => {
		// In London, an hour is skipped between these times.
		const script =
			"require('./nodes/MessagingService/events/decode').secondsBetween('2030-03-31T00:59:30', '2030-03-31T02:00:30')";
		const options = { env: { ...process.env, TZ: 'Europe/London' }, encoding: 'utf8' } as const;
		const call = ['--require', './test/bench/typescript.cjs', '--print', script];
		expect(execFileSync(process.execPath, call, options).trim()).toBe('3660');
	});
});

describe('the status of an SMS', () => {
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

	// False would make "if not answered, send an SMS" send one for the status of that very SMS.
	test('says nothing of being answered, opted in or opted out', () => {
		expect(decodeSms({ ...SMS, outCome: 3, stage: 14 })).toMatchObject({
			answered: null,
			optedIn: null,
			optedOut: null,
		});
	});

	test('shows first what people look at, and identifiers last', () => {
		for (const record of [decodeCall(CALL), decodeSms(SMS)]) {
			const names = Object.keys(record);
			expect(names.slice(0, 5)).toEqual(['event', 'phoneNumber', 'result', 'outcome', 'stage']);
			expect(names.slice(-6)).toEqual([
				...['campaignId', 'messageId', 'phoneNumberId', 'clientId', 'eventId', 'eventKey'],
			]);
		}
	});
});

describe('the ID of an event', () => {
	const idOf = (text: string) => {
		const event = readEvent(JSON.parse(text));
		if (typeof event === 'string') throw new Error(event);
		return decodeEvent(event, READING).eventId;
	};
	const eventText = (webHookType: number, fields: readonly (readonly [string, string])[]) =>
		`{"webHookType":${webHookType},"data":${objectText(fields)}}`;
	const anyFields = fc.uniqueArray(fc.tuple(fc.string({ maxLength: 4 }), anyJsonText(['a', 'b'])), {
		maxLength: 5,
		selector: ([key]) => key,
	});

	test('does not depend on the order of the fields', async () => {
		const shuffled = anyFields.chain((fields) =>
			fc.tuple(
				fc.constant(fields),
				fc.shuffledSubarray(fields, { minLength: fields.length, maxLength: fields.length }),
			),
		);
		await holds(
			fc.property(shuffled, fc.integer(), ([fields, reordered], type) => {
				// Fields named "event" or "eventId" would hide the ones looked at.
				fc.pre(!fields.some(([key]) => key.startsWith('event')));
				const text = `{"data":${objectText(reordered)},"webHookType":"${type}"}`;
				expect(idOf(text)).toBe(idOf(eventText(type, fields)));
			}),
			100,
		);
	});

	test('differs for every other content', async () => {
		await holds(
			fc.property(anyFields, anyJsonText(['a']), anyJsonText(['a']), (fields, one, other) => {
				const isSame = JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
				const rest = fields.filter(([key]) => key !== 'x');
				const ids = [one, other].map((text) => idOf(eventText(0, [['x', text], ...rest])));
				// Equal up to the order of fields is left to the tests above.
				if (isSame) expect(ids[0]).toBe(ids[1]);
				else if (!one.includes('{')) expect(ids[0]).not.toBe(ids[1]);
			}),
			100,
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
});
