import { orderFinding, zoneFinding } from '../../nodes/MessagingService/resources/service/times';

const NOW = Date.parse('2030-05-17T12:00:00Z');

/** A page of messages that were created at these times. */
const page = (...times: unknown[]) => ({
	...{ kind: 'messages' as const, path: '/api/SMSMessages', date: NOW },
	records: times.map((dateCreated) => ({ dateCreated: dateCreated as string })),
});

const answer = ({ found }: { found: string }) => found;

describe('the order of messages', () => {
	it.each([
		['with a T', 'T', ''],
		['with a blank', ' ', ''],
		['with blanks around', ' ', ' '],
		['with a zone', 'T', 'Z'],
	])('is seen in times %s', (_, between, end) => {
		const times = ['17', '16', '16', '15'].map((day) => `2030-05-${day}${between}09:00:00${end}`);
		expect(answer(orderFinding(page(...times)))).toBe('newest first');
		expect(answer(orderFinding(page(...times.reverse())))).toBe('oldest first');
		const [one, two, , last] = times;
		expect(answer(orderFinding(page(two, one, last)))).toMatch(/^no order/);
	});

	it.each([[[]], [['2030-05-17T09:00:00', null, '']], [['0001-01-01T00:00:00', '', 7]]])(
		'cannot be seen in %j',
		(times) => {
			expect(answer(orderFinding(page(...times)))).toMatch(/^not tried: there are too few/);
		},
	);
});

describe('the time zone of messages', () => {
	it.each([
		['2030-05-17T11:59:00', '', 'UTC', /^they fit UTC, that of the workflow$/],
		['2030-05-17 13:59:00', 'Europe/Berlin', 'UTC', /^they fit Europe\/Berlin$/],
		['2030-05-17 13:59:00', '', 'UTC', /lies 119 minutes ahead of the clock of the service$/],
		['2030-05-17 08:00:00', 'UTC', 'UTC', /if the newest was sent 240 minutes ago$/],
		['2030-05-17T11:59:00Z', '', 'Asia/Tokyo', /^times have a zone$/],
	])(
		'of which the newest was created at %j (credential: %j, workflow: %s)',
		(time, own, zone, found) => {
			const older = '2030-05-01T09:00:00';
			expect(answer(zoneFinding(page(older, time), own, zone))).toMatch(found);
		},
	);
});
