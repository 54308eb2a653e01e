import {
	orderFinding,
	readNewest,
	zoneFinding,
} from '../../nodes/MessagingService/resources/service/times';

const NOW = Date.parse('2030-05-17T12:00:00Z');

/** A page of messages that were created at these times. */
const page = (...times: unknown[]) => ({
	...{ kind: 'messages' as const, path: '/api/SMSMessages', date: NOW },
	records: times.map((dateCreated) => ({ dateCreated: dateCreated as string })),
});

const answer = ({ found }: { found: string }) => found;

describe('the order of messages', () => {
	it.each([
		['with a T', '', 'T', ''],
		['with a blank', '', ' ', ''],
		['with blanks around', ' ', ' ', ' '],
		['with a zone', '', 'T', 'Z'],
	])('is seen in times %s', (_, start, between, end) => {
		const times = ['17', '16', '16', '15'].map(
			(day) => `${start}2030-05-${day}${between}09:00:00${end}`,
		);
		expect(answer(orderFinding(page(...times)))).toBe('newest first');
		expect(answer(orderFinding(page(...times.reverse())))).toBe('oldest first');
		const [one, two, , last] = times;
		expect(answer(orderFinding(page(two, one, last)))).toMatch(/^no order/);
		expect(answer(orderFinding(page(one, two, two)))).toBe('oldest first');
	});

	it.each([
		[[]],
		[['2030-05-17T09:00:00', null, '']],
		[['0001-01-01T00:00:00', '', 7]],
		[['0001-01-01T00:00:00', '0001-01-02T00:00:00', '0001-01-03T00:00:00']],
	])('cannot be seen in %j', (times) => {
		expect(answer(orderFinding(page(...times)))).toMatch(/^not tried: there are too few/);
	});
});

describe('the time zone of messages', () => {
	it.each([
		['2030-05-17T11:59:00', '', 'UTC', 'they fit UTC, that of the workflow'],
		['2030-05-17T11:45:00', '', 'UTC', 'they fit UTC, that of the workflow'],
		['2030-05-17T12:02:00', '', 'UTC', 'they fit UTC, that of the workflow'],
		['2030-05-17 13:59:00', 'Europe/Berlin', 'UTC', 'they fit Europe/Berlin'],
		...[
			['2030-05-17 13:59:00', 119],
			['2030-05-17 12:03:00', 3],
		].map(([time, minutes]) => [
			...[String(time), '', 'UTC'],
			`read in UTC, that of the workflow, the newest lies ${minutes} minutes ahead of the clock of the service`,
		]),
		...['2030-05-17 11:44:00', '2030-05-17 08:00:00'].map((time) => [
			...[time, '', 'UTC'],
			'without a zone; the newest is too old to tell whether it is UTC, that of the workflow',
		]),
		...[
			['2030-05-17 08:00:00', 240],
			['2030-04-17 12:00:00', 43_200],
		].map(([time, minutes]) => [
			...[String(time), 'UTC', 'UTC'],
			`they fit UTC, if the newest was sent ${minutes} minutes ago`,
		]),
		['2030-05-17T11:59:00Z', '', 'Asia/Tokyo', 'times have a zone'],
	])(
		'of which the newest was created at %j (credential: %j, workflow: %s)',
		(time = '', own = '', zone = '', found = '') => {
			const older = '2030-04-01T09:00:00';
			for (const messages of [page(older, time), page(time, older)]) {
				expect(answer(zoneFinding(messages, own, zone))).toBe(found);
			}
		},
	);
});

describe('the page with the newest message', () => {
	const days = ['15', '16', '17'].map((day) => `2030-05-${day}T09:00:00`);
	const oldestFirst = page(...days);
	const newestFirst = page(...[...days].reverse());
	const last = page('2030-05-18T09:00:00');
	const readLast = async () => await Promise.resolve(last);

	it('is the last one of a list that starts with the oldest', async () => {
		expect(await readNewest(oldestFirst, { findings: [], largest: oldestFirst, readLast })).toBe(
			last,
		);
	});

	it.each([
		['a list that starts with the newest', newestFirst, newestFirst, readLast],
		['a list whose pages were not read', oldestFirst, page(), readLast],
		['a list without a parameter for the page', oldestFirst, oldestFirst, undefined],
		[
			'a last page that cannot be read',
			...[oldestFirst, oldestFirst],
			async () => await Promise.reject(new Error('refused')),
		],
		['no list at all', undefined, undefined, readLast],
	] as const)('is the first one of %s', async (_, messages, largest, read) => {
		expect(await readNewest(messages, { findings: [], largest, readLast: read })).toBe(messages);
	});
});
