import type { DecodedEvent } from '../../nodes/MessagingService/events/events';
import { isSelected, type EventFilters } from '../../nodes/MessagingService/trigger/filters';

const CALL = {
	event: 'callAttempted',
	eventId: '1',
	eventKey: 'key',
	phoneNumber: '+44 7700 900123',
	campaignId: '42',
	outcomeCode: 1,
	stageCode: 13,
	statusCode: null,
} as DecodedEvent;
const SMS = {
	event: 'smsStatus',
	eventId: '2',
	eventKey: 'key',
	phoneNumber: '447700900456',
	campaignId: null,
	outcomeCode: null,
	stageCode: null,
	statusCode: 5,
} as DecodedEvent;
const UNKNOWN = { event: 'unknown', eventId: '3' } as DecodedEvent;
const ALL = ['callAttempted', 'smsStatus'];

const passing = (kinds: string[], filters: EventFilters = {}) =>
	[CALL, SMS, UNKNOWN]
		.filter((event) => isSelected(event, { kinds, filters }))
		.map(({ event }) => event);

test.each([
	[ALL, ['callAttempted', 'smsStatus', 'unknown']],
	[['callAttempted'], ['callAttempted']],
	[['smsStatus'], ['smsStatus']],
	[[], []],
])('of the kinds %j pass %j', (kinds, expected) => {
	expect(passing(kinds)).toEqual(expected);
});

// Unknown events have no fields to filter by.
test.each<[EventFilters, string[]]>([
	[{ campaignIds: '' }, ['callAttempted', 'smsStatus', 'unknown']],
	[{ campaignIds: ' , ;\n' }, ['callAttempted', 'smsStatus', 'unknown']],
	[{ campaignIds: '41, 42' }, ['callAttempted', 'smsStatus', 'unknown']],
	[{ campaignIds: '41;42' }, ['callAttempted', 'smsStatus', 'unknown']],
	[{ campaignIds: '41\n 42 ' }, ['callAttempted', 'smsStatus', 'unknown']],
	[{ campaignIds: '4, 2' }, ['smsStatus', 'unknown']],
	[{ outcomes: [1, 2] }, ['callAttempted', 'smsStatus', 'unknown']],
	[{ outcomes: [2] }, ['smsStatus', 'unknown']],
	[{ outcomes: [] }, ['callAttempted', 'smsStatus', 'unknown']],
	[{ stages: [13] }, ['callAttempted', 'smsStatus', 'unknown']],
	[{ stages: [1] }, ['smsStatus', 'unknown']],
	[{ outcomes: [1], stages: [1] }, ['smsStatus', 'unknown']],
	[{ statuses: [5] }, ['callAttempted', 'smsStatus', 'unknown']],
	[{ statuses: [0] }, ['callAttempted', 'unknown']],
	[{ phoneNumbers: '+447700900123' }, ['callAttempted', 'unknown']],
	[{ phoneNumbers: '00447700 900-456' }, ['smsStatus', 'unknown']],
	[{ phoneNumbers: '447700900123, 447700900456' }, ['callAttempted', 'smsStatus', 'unknown']],
	[{ phoneNumbers: '7700900123' }, ['unknown']],
	// Two zeros stand for the plus sign at the beginning only.
	[{ phoneNumbers: '44770900123' }, ['unknown']],
])('with the filters %j pass %j', (filters, expected) => {
	expect(passing(ALL, filters)).toEqual(expected);
});

test('a value that is missing passes no filter', () => {
	const without = {
		event: 'callAttempted',
		eventId: '4',
		eventKey: 'key',
		phoneNumber: null,
	} as DecodedEvent;
	const isPassing = (filters: EventFilters) => isSelected(without, { kinds: ALL, filters });
	expect(isPassing({})).toBe(true);
	expect(isPassing({ phoneNumbers: '447700900123' })).toBe(false);
	expect(isPassing({ campaignIds: '42' })).toBe(false);
	expect(isPassing({ outcomes: [1] })).toBe(false);
});

// An expression may give one value, or a list of what the field has as text, and the other way round.
test.each<EventFilters>([
	{ campaignIds: 42 },
	{ campaignIds: ['41', 42] },
	{ outcomes: 1 },
	{ outcomes: '1, 2' },
	{ outcomes: ['1'] },
	{ phoneNumbers: 447700900123 },
	{ phoneNumbers: ['+447700900123'] },
	{ campaignIds: null, outcomes: undefined, stages: [] },
])('a filter may have another type: %j', (filters) => {
	expect(isSelected(CALL, { kinds: ALL, filters })).toBe(true);
});
