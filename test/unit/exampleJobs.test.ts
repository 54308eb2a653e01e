import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { get } from 'lodash';
import { DateTime } from 'luxon';
import type { WorkflowContent } from '../../host/n8nClient.ts';

type Row = Record<string, unknown>;

const now = DateTime.fromISO('2030-05-17T12:00:00', { zone: 'utc' });
const hoursAgo = (hours: number) => now.minus({ hours }).toISO() ?? '';
const itemsOf = (rows: readonly Row[]) => rows.map((json) => ({ json }));

/** What the code of an example's node makes of these rows, with those of other nodes. */
function run(
	file: string,
	node: string,
	rows: readonly Row[],
	others: Record<string, readonly Row[]> = {},
): Row[] {
	const text = readFileSync(path.resolve(__dirname, '..', '..', 'examples', file), 'utf8');
	const { nodes } = JSON.parse(text) as WorkflowContent;
	const code = String(nodes.find(({ name }) => name === node)?.parameters.jsCode);
	const $ = (name: string) => ({
		all: () => itemsOf(others[name] ?? []),
		itemMatching: (index: number) => itemsOf(others[name] ?? [])[index],
	});
	const context = {
		...{ $, DateTime, $now: now, $workflow: { id: 'own' } },
		$input: { all: () => itemsOf(rows) },
	};
	const items = runInNewContext(`(() => { ${code} })()`, context) as { json: Row }[];
	// From another realm, which Jest tells apart.
	return JSON.parse(JSON.stringify(items.map(({ json }) => json))) as Row[];
}

describe('two texts, one winner', () => {
	const file = 'two-texts-one-winner.json';
	const tested = (variant: string, more: Row = {}) => ({
		...{ campaign: 'Spring', variant, text: variant, state: 'sent', sentAt: hoursAgo(3) },
		...more,
	});
	const rest = { campaign: 'Spring', variant: 'rest', text: '', state: '' };
	const isReady = (...rows: Row[]) => run(file, 'Two Groups', [...rows, rest]).length > 0;

	test.each([
		['two hours after the last text', [tested('A'), tested('B')], true],
		['not before', [tested('A'), tested('B', { sentAt: hoursAgo(1) })], false],
		['not while a text is being sent', [tested('A'), tested('B', { state: 'sending' })], false],
		['not while none of a group is sent', [tested('A'), tested('B', { state: '' })], false],
		[
			'without one that the service refuses again and again',
			[tested('A'), tested('B'), tested('B', { state: '', sentAt: hoursAgo(0) })],
			true,
		],
		['without a group that opted out', [tested('A'), tested('B', { state: 'opted out' })], true],
	])('is decided %s', (_name, rows, expected) => {
		expect(isReady(...rows)).toBe(expected);
	});

	test('is not decided twice', () => {
		const decided = [tested('A'), tested('B'), { ...rest, text: 'A' }];
		expect(run(file, 'Two Groups', decided)).toEqual([]);
	});

	/** The winner where so many of each group got a text, have it and have opened its link. */
	const winner = (a: [number, number, number], b: [number, number, number]) => {
		const groups = Object.entries({ A: a, B: b }).flatMap(([variant, [sent, , opened]]) =>
			Array.from({ length: sent }, (_, index) =>
				tested(variant, { clicked: index < opened ? hoursAgo(1) : '' }),
			),
		);
		const statuses = Object.values({ a, b }).flatMap(([sent, delivered]) =>
			Array.from({ length: sent }, (_, index) => ({
				status: index < delivered ? 'Delivered' : 'Undeliverable',
			})),
		);
		return run(file, 'Which Text Wins', statuses, { 'Two Groups': groups })[0]?.winner;
	};

	test.each([
		[[10, 10, 3], [10, 10, 4], 'B'],
		[[10, 10, 4], [10, 10, 3], 'A'],
		// Of fewer people, as many are a larger part.
		[[10, 10, 3], [8, 8, 3], 'B'],
		// As many links: more that arrived.
		[[10, 8, 0], [10, 9, 0], 'B'],
		[[10, 9, 2], [10, 9, 2], 'A'],
		[[10, 0, 0], [10, 0, 0], 'none'],
		[[0, 0, 0], [10, 9, 1], 'B'],
	] as [[number, number, number], [number, number, number], string][])(
		'sent, delivered and opened: A %j, B %j, the winner is %s',
		(a, b, expected) => {
			expect(winner(a, b)).toBe(expected);
		},
	);

	test.each([
		['while a status cannot be read', { messageId: 'm2' }, { error: 'Failed', httpStatus: 500 }, 0],
		['while the service cannot be reached', { messageId: 'm2' }, { error: 'No connection' }, 0],
		[
			'with a text that the service does not know',
			{ messageId: 'm2' },
			{ error: 'None', httpStatus: 404 },
			1,
		],
		['with a text that was possibly sent, so has no ID', { messageId: '' }, { error: 'No ID' }, 1],
	])('decides %s: %j %j', (_name, text, got, expected) => {
		const groups = [tested('A', { messageId: 'm1' }), tested('B', text)];
		const decided = run(file, 'Which Text Wins', [{ status: 'Delivered' }, got], {
			'Two Groups': groups,
		});
		expect(decided).toHaveLength(expected);
	});
});

/** The first of the rows that a node looks for, by a column. */
function firstOf(file: string, node: string, column: string): unknown {
	const text = readFileSync(path.resolve(__dirname, '..', '..', 'examples', file), 'utf8');
	const { nodes } = JSON.parse(text) as WorkflowContent;
	const { filters } = nodes.find(({ name }) => name === node)?.parameters as {
		filters: { conditions: { keyName: string; condition?: string; keyValue?: string }[] };
	};
	const found = filters.conditions.find(
		({ keyName, condition = '' }) => keyName === column && condition.startsWith('gt'),
	);
	const [, expression = 'undefined'] = /^=\{\{(.*)\}\}$/.exec(found?.keyValue ?? '') ?? [];
	return runInNewContext(expression, { $now: now });
}

/** What the expressions of a node's field give for an item. */
function valueOf(file: string, node: string, field: string, $json: Row): unknown {
	const text = readFileSync(path.resolve(__dirname, '..', '..', 'examples', file), 'utf8');
	const { nodes } = JSON.parse(text) as WorkflowContent;
	const written = get(nodes.find(({ name }) => name === node)?.parameters, field) as string;
	const [, expression = 'undefined'] = /^=\{\{(.*)\}\}$/.exec(written) ?? [];
	return runInNewContext(expression, { $json, $now: now });
}

describe('a sheet in which two people have the same damaged number', () => {
	const file = 'write-results-back-to-the-sheet.json';
	const inSheet = (field: string, name: string, check: Row) =>
		valueOf(file, 'Add Row', field, { phone: '4.477E+11', name, check });
	const fields = ['columns.value.number', 'filters.conditions[0].keyValue'];

	test.each(fields)('has a row for each, and one for a number of two names: %s', (field) => {
		const rows = (check: Row) => ['Ada', 'Bob'].map((name) => inSheet(field, name, check));
		expect(rows({ valid: false, phoneNumber: '4.477E+11' })).toEqual([
			'4.477E+11 Ada',
			'4.477E+11 Bob',
		]);
		const number = '+447700900101';
		expect(rows({ valid: true, phoneNumber: number })).toEqual([number, number]);
	});

	test('says what is wrong with the number as it was written', () => {
		const texted = (row: Row) => valueOf(file, 'Send SMS', 'phoneNumber', row);
		expect(texted({ number: '4.477E+11 Ada', phone: '4.477E+11' })).toBe('4.477E+11');
		expect(texted({ number: '+447700900101', phone: '07700 900101' })).toBe('+447700900101');
	});
});

test('a basket of long ago that was changed today is looked at', () => {
	const file = 'left-in-the-basket.json';
	expect(firstOf(file, 'Recent Baskets', 'changed')).toBe('2030-05-13T12:00:00.000Z');
	expect(firstOf(file, 'Recent Baskets', 'createdAt')).toBeUndefined();
});

test('an appointment that n8n slept through is looked at when it is back, to be named', () => {
	const file = 'text-before-an-appointment.json';
	expect(firstOf(file, 'Not Texted Yet', 'day')).toBe('2030-05-03');
});

describe('a basket that was left', () => {
	const basket = (more: Row) => ({
		...{ id: 1, basket: 'b1', number: '+447700900101', state: '', changed: hoursAgo(5) },
		updatedAt: hoursAgo(5),
		...more,
	});
	const claims = (...rows: Row[]) =>
		run('left-in-the-basket.json', 'Who Is Due', rows, {
			'People Who Said Yes': [{ number: '+447700900101' }],
		}).map(({ basket: id, claim }) => `${String(id)} ${String(claim)}`);

	test.each([
		['is due after four hours', [basket({})], ['b1 sending']],
		['is not due before', [basket({ changed: hoursAgo(3) })], []],
		['is missed after 48 hours', [basket({ changed: hoursAgo(49) })], ['b1 missed']],
		['is nothing after an order', [basket({ state: 'ordered', changed: undefined })], []],
		['is nothing without a yes', [basket({ number: '+447700900102' })], []],
		[
			'gets one text for two baskets, about the last one',
			[basket({}), basket({ basket: 'b2', changed: hoursAgo(4.5) })],
			['b2 sending', 'b1 texted already'],
		],
		[
			'gets none within 48 hours of another',
			[basket({ state: 'sent', updatedAt: hoursAgo(40) }), basket({ basket: 'b2' })],
			['b2 texted already'],
		],
		[
			'gets another one afterwards',
			[basket({ state: 'sent', updatedAt: hoursAgo(50) }), basket({ basket: 'b2' })],
			['b2 sending'],
		],
	])('%s', (_name, rows, expected) => {
		expect(claims(...rows)).toEqual(expected);
	});
});

describe('a text before an appointment', () => {
	const file = 'text-before-an-appointment.json';
	const claims = (day: string, time: string, more: Row = {}) =>
		run(file, 'Who Is Due', [
			{ ...{ id: 1, day, time, told: '', state: '', createdAt: hoursAgo(400) }, ...more },
		]).map(({ claim }) => claim);

	test.each([
		['is due within a day', '2030-05-18', '11:00', {}, ['sending']],
		['is not due before', '2030-05-18', '13:00', {}, []],
		['is too late within the hour', '2030-05-17', '12:30', {}, ['too late']],
		['is named as too late after n8n was off for days', '2030-05-13', '09:00', {}, ['too late']],
		['is named once', '2030-05-13', '09:00', { told: '09:00', state: 'too late' }, []],
		[
			'of the past was no appointment when it was uploaded',
			'2030-05-13',
			'09:00',
			{ createdAt: hoursAgo(1) },
			[],
		],
	])('%s', (_name, day, time, more, expected) => {
		expect(claims(day, time, more)).toEqual(expected);
	});
});

describe('a series', () => {
	const person = (more: Row) => ({
		...{ id: 1, number: '+447700900101', name: 'Ada', series: '', createdAt: hoursAgo(1) },
		...more,
	});
	const due = (...rows: Row[]) =>
		run('a-series.json', 'Who Is Due', rows).map(
			({ name, next }) => `${String(name)} ${String(next)}`,
		);

	test.each([
		['starts with whoever is new', [person({})], ['Ada 1']],
		['goes on after days', [person({ series: '1 sent 2030-05-14' })], ['Ada 2']],
		[
			'is one for two people with one number',
			[person({}), person({ id: 2, name: 'Blaise' })],
			['Ada 1'],
		],
		[
			'does not start for the second one while the first is being texted',
			[person({ series: '1 sending 2030-05-17' }), person({ id: 2, name: 'Blaise' })],
			[],
		],
	])('%s', (_name, rows, expected) => {
		expect(due(...rows)).toEqual(expected);
	});

	test('keeps the distance of the later texts where one goes out late', () => {
		// The second text was due on the 10th, the third four days behind it.
		const [late] = run('a-series.json', 'Who Is Due', [person({ series: '1 sent 2030-05-07' })]);
		const sent = `${String(late?.next)} sent ${String(late?.start)}`;
		expect(late?.next).toBe(2);
		expect(due(person({ series: sent }))).toEqual([]);
	});
});

test('whoever has answered is not named as not asked, also where the text was possibly sent only', () => {
	const asked = (name: string, state: string, answer = '') => ({
		...{ name, state, answer, question: 'Will you come?' },
	});
	const rows = [
		...[asked('Ada', 'sent', 'Yes'), asked('Blaise', 'possibly sent', 'Yes')],
		...[asked('Charles', 'sent'), asked('Dorothy', 'possibly sent'), asked('Edsger', 'not sent')],
	];
	expect(run('answer-by-link.json', 'Summary', rows)).toEqual([
		{
			subject: 'Answers: Will you come?',
			text: 'Yes: 2\nNo answer: Charles\nNot asked: Dorothy (possibly sent), Edsger (not sent)',
			notAsked: ['Dorothy (possibly sent)', 'Edsger (not sent)'],
		},
	]);
});

describe('people from a file', () => {
	const file = 'people-from-a-file.json';
	const check = { valid: true, phoneNumber: '+441' };
	const stored = (row: Row) => run(file, 'Rows to Store', [{ name: 'Ada', check, ...row }])[0];

	test('a file empties nothing: cells that are empty, unreadable or not in it stay as they were', () => {
		expect(stored({ consent: 'yes' })).toEqual({
			...{ number: '+441', name: 'Ada', proof: expect.stringMatching(/^file, 2030-05-17/) },
		});
		const cells = { branch: '', mail: 'ada@example.com', birthday: 'May', lastVisit: '2030-05-01' };
		const { mail, lastVisit } = cells;
		expect(Object.keys(stored({ consent: 'yes', ...cells }) ?? {})).toEqual(
			expect.arrayContaining(['mail', 'lastVisit']),
		);
		expect(stored({ consent: 'yes', ...cells })).toMatchObject({ mail, lastVisit });
		expect(stored({ consent: 'yes', ...cells })).not.toHaveProperty('branch');
		expect(stored({ consent: 'yes', ...cells })).not.toHaveProperty('birthday');
		expect(run(file, 'Rows to Store', [{ check: { valid: false } }])).toEqual([]);
	});

	test('a no is stored with its row, and a yes only when all names of the number are known', () => {
		expect(stored({ consent: 'no' })).toMatchObject({ consent: 'no' });
		expect(stored({ consent: 'perhaps' })).toMatchObject({ consent: 'no' });
		expect(stored({ consent: 'yes' })).not.toHaveProperty('consent');
	});

	const ada = { number: '+441', name: 'Ada' };
	const bob = { number: '+441', name: 'Bob' };
	test.each([
		['whoever is new', [ada], [ada], ['yes']],
		['nobody who has opted out', [ada], [{ ...ada, consent: 'no', optedOut: '2030' }], ['no']],
		['nobody whose other name has opted out', [ada], [ada, { ...bob, optedOut: '2030' }], ['no']],
		['nobody whose other name says no', [ada], [ada, { ...bob, consent: 'no' }], ['no']],
		['whoever said no, and says yes now', [ada], [{ ...ada, consent: 'no' }], ['yes']],
		[
			'all names of a number that said no, and say yes now',
			[ada, bob],
			[ada, bob].map((each) => ({ ...each, consent: 'no' })),
			['yes', 'yes'],
		],
		[
			'nobody of whom two rows say something else',
			[ada, { ...ada, consent: 'no' }],
			[{ ...ada, consent: 'no' }],
			['no'],
		],
	])('a yes of the file counts for %s', (_name, rows, names, expected) => {
		const agreed = run(file, 'Who Agrees', names, { 'Rows to Store': rows });
		expect(agreed.map(({ consent }) => consent)).toEqual(expected);
	});
});

describe('what should have run', () => {
	const file = 'what-should-have-run.json';
	const schedule = (...interval: Row[]) => ({
		...{ id: 'a', name: 'Job', updatedAt: hoursAgo(1000) },
		nodes: [
			{ type: 'n8n-nodes-messaging-service.messagingService' },
			{ type: 'n8n-nodes-base.scheduleTrigger', parameters: { rule: { interval } } },
		],
	});

	test.each([
		['each hour', [{ field: 'cronExpression', expression: '0 9-18 * * *' }], 25],
		['each second', [{ field: 'cronExpression', expression: '* * * * * *' }], 25],
		['each day', [{ field: 'days', triggerAtHour: 8 }], 25],
		['each third day', [{ field: 'days', daysInterval: 3 }], 73],
		['on Mondays', [{ field: 'cronExpression', expression: '0 10 * * 1' }], 169],
		['each week', [{ field: 'weeks' }], 169],
		['on the first of a month', [{ field: 'cronExpression', expression: '0 10 1 * *' }], 745],
		['each month', [{ field: 'months' }], 745],
		['at the most frequent of two', [{ field: 'weeks' }, { field: 'days' }], 25],
		['never by itself', [], undefined],
	])('a job that runs %s is late after some hours', (_name, interval, hours) => {
		const job =
			interval.length > 0
				? schedule(...interval)
				: {
						...schedule(),
						nodes: [{ type: 'n8n-nodes-messaging-service.messagingServiceTrigger' }],
					};
		expect(run(file, 'Which Jobs', [job])[0]?.hours).toBe(hours);
	});

	test('other workflows, and itself, are no jobs', () => {
		const other = { ...schedule({ field: 'days' }), nodes: [{ type: 'n8n-nodes-base.set' }] };
		expect(run(file, 'Which Jobs', [other, { ...schedule({}), id: 'own' }])).toEqual([]);
	});

	const execution = (more: Row) => ({
		...{ id: '1', workflowId: 'a', status: 'success', mode: 'trigger' },
		...{ startedAt: hoursAgo(2), data: {} },
		...more,
	});
	const problems = (...runs: Row[]) =>
		run(file, 'How They Went', runs, {
			'Which Jobs': [{ id: 'a', name: 'Job', hours: 25, updatedAt: hoursAgo(1000) }],
		})[0];

	test.each([
		['has run', [execution({})], []],
		[
			'has run too long ago',
			[execution({ startedAt: hoursAgo(30) })],
			['has not run since 16 May, 06:00'],
		],
		['has run by hand only', [execution({ mode: 'manual' })], ['has never run']],
		['has never run', [{}], ['has never run']],
		[
			'has failed',
			[
				execution({}),
				execution({
					id: '2',
					status: 'error',
					data: { resultData: { error: { message: 'Not texted: Ada' } } },
				}),
			],
			['ended in an error 1 of 2 times: Not texted: Ada'],
		],
	])('a job that %s', (_name, runs, expected) => {
		expect(problems(...runs)?.problems).toEqual(expected);
	});

	test('counts the people whom a job has reached since yesterday', () => {
		const output = (...items: Row[]) => ({
			resultData: { runData: { Send: [{ data: { main: [itemsOf(items), null] } }] } },
		});
		const runs = [
			execution({ data: output({ sent: 'yes' }, { sent: 'no' }, { sent: 'possibly' }) }),
			execution({ id: '2', data: output({ sent: 'yes', recipients: 40 }) }),
			execution({ id: '3', startedAt: hoursAgo(30), data: output({ sent: 'yes' }) }),
		];
		expect(problems(...runs)).toMatchObject({ reached: 41, possiblyReached: 1, runs: 2 });
	});

	test('names rows that are due or were being sent, and no others', () => {
		const rows = [
			{ name: 'Ada', voucher: '2030 due' },
			{ name: 'Blaise', series: '2 sending 2030-05-20' },
			{ name: 'Charles', recall: 'due for 2029-11-17' },
			{ number: '+447700900104', state: 'planning 4711' },
			{ name: 'due diligence', state: 'sent' },
			{ name: 'Grace', voucher: '2030 sent', text: 'due now' },
			{},
		];
		const tables = rows.map(() => ({ name: 'People' }));
		const others = { 'Tables of Jobs': tables, 'How They Went': [{ job: 'Job', problems: [] }] };
		expect(run(file, 'What Is Wrong', rows, others)).toEqual([
			{
				wrong:
					'Not done in People: 4, Ada (2030 due), Blaise (2 sending 2030-05-20), Charles (due for 2029-11-17), +447700900104 (planning 4711)',
			},
		]);
		expect(run(file, 'What Is Wrong', [{}], others)).toEqual([]);
	});
});

test('the week by branch counts by the column of People, and what has none', () => {
	const of = (number: string, branch: string) => ({ number, branch, consent: 'no' });
	const text = (phoneNumber: string, statusCode: number, days: number) => ({
		...{ phoneNumber, statusCode, price: 0.04 },
		dateCreated: now.minus({ days }).toISO({ includeOffset: false }),
	});
	const call = (outcome: number, days: number) => ({
		...{ outcome, price: 0.5, startTime: now.minus({ days }).toISO({ includeOffset: false }) },
	});
	const items = [
		{ id: null },
		of('+441', 'North'),
		of('+442', ''),
		// Today, eight days ago, and within the week.
		text('+441', 1, 0),
		text('+441', 1, 8),
		text('+441', 1, 1),
		text('+441', 5, 7),
		text('+442', 1, 2),
		{ number: '+441', calls: [call(1, 3), call(6, 3), call(1, 20)] },
	];
	const [report] = run('nightly-campaign-report.json', 'By Branch', items);
	expect(report?.rows).toEqual([
		{ branch: 'North', texts: 2, delivered: 1, calls: 2, answered: 1, cost: 1.08 },
		{ branch: 'No branch', texts: 1, delivered: 1, calls: 0, answered: 0, cost: 0.04 },
		{ branch: 'All', texts: 3, delivered: 2, calls: 2, answered: 1, cost: 1.12 },
	]);
	expect(report?.week).toBe('10 May to 16 May 2030');
	expect(run('nightly-campaign-report.json', 'By Branch', items.slice(0, 5))).toEqual([]);
});

describe('whom Hours Between Texts leaves out for today is not noted as opted out', () => {
	const leftOut = { sent: 'no', skipped: true, nextAllowedTime: '2030-05-18T12:00:00Z' };
	const optedOut = { sent: 'no', skipped: true };
	const row = { series: 'sending', recall: 'sending', voucher: '2030 sending', time: '09:00' };
	const $ = () => ({ item: { json: row } });
	const noted = globSync('examples/*.json').flatMap((file) => {
		const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as WorkflowContent;
		const texts = JSON.stringify(nodes).match(/"=[^"]*'opted out'[^"]*"/g) ?? [];
		const expressions = texts.map((text) => JSON.parse(text) as string);
		return expressions.filter((text) => text.includes('$json.sent')).map((text) => [file, text]);
	});
	const valueOf = (text: string, $json: Row) =>
		/\{\{(?!.*\{\{)(.*)\}\}/
			.exec(text)
			?.slice(1)
			.map((code) => String(runInNewContext(`(${code})`, { $json, $ })))[0];

	test('there are such examples', () => {
		expect(noted.length).toBeGreaterThanOrEqual(8);
	});

	test.each(noted)('%s', (file = '', text = '') => {
		expect([file, valueOf(text, optedOut)]).toEqual([file, expect.stringContaining('opted out')]);
		expect(valueOf(text, leftOut)).not.toContain('opted out');
	});
});

test('an approved campaign is not sent again for those whom Hours Between Texts has left out', () => {
	const { nodes } = JSON.parse(
		readFileSync('examples/campaign-with-approval.json', 'utf8'),
	) as WorkflowContent;
	const { rules } = nodes.find(({ name }) => name === 'Why Not?')?.parameters as {
		rules: { values: { outputKey: string; conditions: { conditions: { leftValue: string }[] } }[] };
	};
	const tooEarly = rules.values.find(({ outputKey }) => outputKey === 'too early');
	const condition = tooEarly?.conditions.conditions[0]?.leftValue.slice('={{'.length, -2) ?? '';
	const waits = ($json: Row) => runInNewContext(condition, { $json }) as unknown;
	const nextAllowedTime = '2030-05-18T12:00:00Z';
	expect(waits({ sent: 'no', nextAllowedTime })).toBe(true);
	expect(waits({ sent: 'no', nextAllowedTime, skipped: true })).toBe(false);
	expect(waits({ sent: 'possibly', nextAllowedTime })).toBe(false);
});
