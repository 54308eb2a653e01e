import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { canceledError, stoppedError } from '../../nodes/MessagingService/execution/nodeError';
import { Rows, type Outcome, type Result } from '../../nodes/MessagingService/execution/rows';
import { Failure } from '../../nodes/MessagingService/failure';
import type { Complaint } from '../../nodes/MessagingService/reason';

const warned: string[] = [];
const contextIn = (mode: string) =>
	({
		getNode: (): INode => ({
			...{ id: '1', name: 'Messaging Service', type: 'x', typeVersion: 1 },
			...{ position: [0, 0], parameters: {} },
		}),
		getMode: () => mode,
		getExecutionId: () => '7',
		logger: { warn: (text: string) => warned.push(text) },
	}) as unknown as IExecuteFunctions;

/** Rows with what each came to; those without anything were not reached. */
function rowsOf(results: readonly (Result | undefined)[]): Rows {
	const rows = new Rows(results.length);
	results.forEach((result, row) => {
		if (result !== undefined) rows.set([row], result);
	});
	return rows;
}

const SENT: Result = { sent: 'yes', records: [] };
const POSSIBLY: Result = {
	sent: 'possibly',
	failure: new Failure('Earlier', '', { isEarlier: true }),
};
const noWith = (failure: Failure): Result => ({ sent: 'no', failure });
const FAILED = noWith(new Failure('It failed', 'Ask the operator.', { httpCode: '500' }));
const invalid = (fix = 'Enter a text.') =>
	noWith(Failure.ofField('Message', `is wrong: ${fix.slice(0, 7)}`, fix));
const EMPTY = () => noWith(Failure.ofField('Message', 'is empty', 'Enter a text.'));

/** What the error says that the first failed row stops the node with, and which item it names. */
function said(results: readonly (Result | undefined)[], { mode = 'manual', people = true } = {}) {
	const rows = rowsOf(results);
	const outcome = rows.firstFailed() as Outcome & { failure: Failure };
	const { message, description, context } = stoppedError(contextIn(mode), rows, outcome, people);
	return [message, description, context.itemIndex];
}

const NOTHING = 'Nothing was sent by this run of the node.';
const OTHERS = 'To send the other rows, set On Error of this node to continue.';
const RETRY = 'To send only what was not sent, use Retry in the list of executions.';
const NEW = 'A new execution with these items sends all of them again.';
const RUN_ONLY =
	'Run only the items that were not sent: a retry of the parent workflow sends all of them again.';

describe('the error of a run that sent nothing', () => {
	test.each<[string, (Result | undefined)[], unknown[]]>([
		['one row that fails', [FAILED], ['It failed', `Ask the operator. ${NOTHING}`, 0]],
		['one invalid row', [EMPTY()], ['Message is empty', `Enter a text. ${NOTHING}`, 0]],
		[
			'one invalid row of two',
			[undefined, EMPTY()],
			['Message is empty', `Enter a text. ${NOTHING} ${OTHERS}`, 1],
		],
		[
			'two invalid rows of three, for one reason',
			[EMPTY(), EMPTY(), undefined],
			[
				'Message is empty',
				`Enter a text. In 2 of 3 rows: items 0 to 1 (from 0). ${NOTHING} ${OTHERS}`,
				undefined,
			],
		],
		[
			'all rows, for one reason',
			[EMPTY(), EMPTY()],
			['Message is empty', `Enter a text. In all 2 rows. ${NOTHING}`, undefined],
		],
		[
			'all rows, of which nothing is said to do',
			[invalid(''), invalid('')],
			['Message is wrong: ', `In all 2 rows. ${NOTHING}`, undefined],
		],
		[
			'rows with one remedy',
			[EMPTY(), invalid()],
			[
				'2 of 2 rows cannot be sent',
				`Item 0 (from 0): Message is empty. Item 1: Message is wrong: Enter a. Enter a text. ${NOTHING}`,
				undefined,
			],
		],
		[
			'rows with several',
			[EMPTY(), invalid('Write less.'), undefined],
			[
				'2 of 3 rows cannot be sent',
				`Item 0 (from 0): Message is empty. Item 1: Message is wrong: Write l. Dry Run says how to fix each. ${NOTHING} ${OTHERS}`,
				undefined,
			],
		],
		[
			'more rows than it names',
			[1, 2, 3, 4, 5, 6, 7].map((each) => invalid(`${each}`)),
			[
				'7 of 7 rows cannot be sent',
				`Item 0 (from 0): Message is wrong: 1. Item 1: Message is wrong: 2. Item 2: Message is wrong: 3. Item 3: Message is wrong: 4. Item 4: Message is wrong: 5. And 2 more. Dry Run says how to fix each. ${NOTHING}`,
				undefined,
			],
		],
	])('%s', (_, results, expected) => {
		expect(said(results)).toEqual(expected);
	});

	test('says it once', () => {
		const failure = new Failure(
			'It failed',
			'Nobody. Nothing was sent. This request was not accepted.',
			{},
		);
		expect(said([noWith(failure)])[1]).toBe(`Nobody. ${NOTHING}`);
	});

	test('says of several rows that fail for one cause what it says of one', () => {
		const one = EMPTY();
		const expected = ['Message is empty', `Enter a text. ${NOTHING} ${OTHERS}`, 0];
		expect(said([one, one, undefined])).toEqual(expected);
	});

	test('in a sub-workflow, or of what reaches nobody', () => {
		expect(said([FAILED], { mode: 'integrated' })[1]).toBe(
			`Ask the operator. ${NOTHING} ${RUN_ONLY}`,
		);
		expect(said([FAILED], { people: false })[1]).toBe('Ask the operator.');
	});

	test('of several rows that fail as one names no item', () => {
		const rows = new Rows(2);
		rows.set([0, 1], EMPTY());
		const outcome = rows.firstFailed() as Outcome & { failure: Failure };
		const { context, description } = stoppedError(contextIn('manual'), rows, outcome, true);
		expect([context.itemIndex, description]).toEqual([undefined, `Enter a text. ${NOTHING}`]);
	});
});

describe('the error of a run that sent some', () => {
	const inPart = { text: 'Sent: rows 1 to 3 of the file.', isOpen: true, isClear: true };
	const PART: Result = { ...FAILED, sent: 'possibly', inPart };
	const ENDED: Result = { ...PART, inPart: { ...inPart, isOpen: false } };
	const refused = (reason: object) =>
		noWith(new Failure('Refused', 'Change it.', { reasons: [reason as Complaint] }));
	const ask = 'Ask the operator.';

	test.each<[string, (Result | undefined)[], string]>([
		[
			'each state of the rows',
			[SENT, SENT, POSSIBLY, FAILED, undefined, undefined],
			`${ask} Sent: items 0 to 1 (2 in total). Possibly sent: item 2. Check in the service before sending again. Not sent: items 3 to 5 (3 in total). ${RETRY} ${NEW}`,
		],
		['a file alone: how far it came', [PART], `${ask} Sent: rows 1 to 3 of the file. ${RETRY}`],
		['a file that has ended', [ENDED], `${ask} Sent: rows 1 to 3 of the file.`],
		[
			'a file beside others',
			[PART, SENT, undefined],
			`${ask} Item 0: Sent: rows 1 to 3 of the file. Sent: item 1. Not sent: item 2. ${RETRY}`,
		],
		[
			'a rule that refuses the item each time',
			[SENT, refused({ code: 'allowedCountries' })],
			'Change it. Sent: item 0. Not sent: item 1. Until this is fixed, a retry is refused as well.',
		],
		[
			'such a rule, with others that wait',
			[SENT, refused({ code: 'allowedCountries' }), undefined],
			'Change it. Sent: item 0. Not sent: items 1 to 2 (2 in total). To send the others, set On Error of this node to continue, then use Retry in the list of executions: as it is, a retry stops at this item again.',
		],
		[
			'a pause of the policy, which ends',
			[SENT, refused({ code: 'pauseSending' })],
			`Change it. Sent: item 0. Not sent: item 1. ${RETRY} ${NEW}`,
		],
		[
			'a rule of the time',
			[SENT, refused({ code: 'sendingHours', nextAllowedTime: '2030-01-01T00:00:00Z' })],
			`Change it. Sent: item 0. Not sent: item 1. ${RETRY} ${NEW}`,
		],
		[
			'a count that a retry continues',
			[SENT, refused({ code: 'maxRecipients' })],
			'Change it. Sent: item 0. Not sent: item 1. To send only what was not sent, start a new execution with these items alone: a retry is refused as well.',
		],
	])('%s', (_, results, description) => {
		expect(said(results)[1]).toBe(description);
	});

	test('keeps that the last request was not accepted', () => {
		const failure = new Failure('It failed', 'Wait. This request was not accepted.', {});
		expect(said([SENT, noWith(failure)])[1]).toBe(
			`Wait. This request was not accepted. Sent: item 0. Not sent: item 1. ${RETRY} ${NEW}`,
		);
	});

	test('in a sub-workflow', () => {
		const mode = 'integrated';
		expect(said([SENT, FAILED], { mode })[1]).toBe(
			`${ask} Sent: item 0. Not sent: item 1. ${RUN_ONLY}`,
		);
		expect(said([SENT, { ...FAILED, sent: 'possibly' }], { mode })[1]).toBe(
			`${ask} Sent: item 0. Possibly sent: item 1. Check in the service before sending again. A retry of the parent workflow sends all of them again.`,
		);
	});

	test('of what reaches nobody speaks of doing', () => {
		expect(said([SENT, SENT, FAILED], { people: false })[1]).toBe(
			`${ask} Done: items 0 to 1 (2 in total). Not done: item 2. To do only what was not done, use Retry in the list of executions. A new execution with these items does all of them again.`,
		);
	});
});

test('an execution that was cancelled says what was sent, in the log as well: n8n does not keep it', () => {
	const rows = rowsOf([SENT, undefined]);
	const { message, description } = canceledError(contextIn('manual'), rows, true);
	const what =
		'Sent: item 0. Not sent: item 1. To continue, start a new execution with only what was not sent.';
	expect([message, description]).toEqual(['The execution was canceled', what]);
	expect(warned).toEqual([`The execution was canceled (7). ${what}`]);
});
