import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
} from 'n8n-workflow';
import type { CallResult } from '../../nodes/MessagingService/execution/calls';
import {
	ErrorItems,
	rowFailureOf,
	toNodeError,
} from '../../nodes/MessagingService/execution/errorItems';
import type { FileOutcome } from '../../nodes/MessagingService/execution/fileCall';
import { FileProgress } from '../../nodes/MessagingService/execution/fileProgress';
import { Output } from '../../nodes/MessagingService/execution/output';
import type { PartResult } from '../../nodes/MessagingService/execution/parts';
import type { Refusal } from '../../nodes/MessagingService/policy/violation';
import type { Complaint } from '../../nodes/MessagingService/recipients/checks';
import { Problems } from '../../nodes/MessagingService/recipients/file/problems';
import {
	RecipientsRefused,
	type RecipientPlan,
} from '../../nodes/MessagingService/recipients/plan';
import { InputError } from '../../nodes/MessagingService/resources/shared/inputError';
import { toNodeApiError } from '../../nodes/MessagingService/transport/errors';

const NODE = { id: '1', name: 'N', type: 'messagingService', typeVersion: 1 } as INode;

function contextWith(onError?: INode['onError'], items: IDataObject[] = []): IExecuteFunctions {
	return {
		getNode: () => ({ ...NODE, ...(onError === undefined ? {} : { onError }) }),
		getInputData: () => items.map((json) => ({ json })),
	} as unknown as IExecuteFunctions;
}

const batchOf = (itemIndexes: readonly number[], part = 1, parts = 1) => ({
	...{ recipients: [], itemIndexes, part, parts },
});
const complaintOf = (itemIndex: number, others: Partial<Complaint> = {}): Complaint => ({
	...{ itemIndex, phoneNumber: 'nope', reason: 'the phone number is missing', code: 'placeholder' },
	...(others as object),
});
const planOf = (others: Partial<RecipientPlan> = {}): RecipientPlan => ({
	...{ batches: [], invalid: [], duplicates: [], skipped: [], isItems: true },
	...{ numbers: { format: 'international' as const }, numberName: 'phoneNumber' },
	...others,
});
const resultOf = (others: Partial<CallResult> = {}): CallResult => ({
	...{ itemIndexes: [0, 1, 2, 3], parts: [], isDryRun: false, warnings: [], cuts: [] },
	...others,
});
const sentTo = (itemIndexes: readonly number[], id: number): PartResult => ({
	...{ itemIndexes, batch: batchOf(itemIndexes), records: [{ id, sent: 'yes' }] },
});
const failedWith = (
	cause: unknown,
	itemIndexes: readonly number[],
	isCertain = true,
): PartResult => ({
	...{ itemIndexes, batch: batchOf(itemIndexes) },
	failure: { cause, isCertain, isEarlier: false },
});

/** The items of a call, with what n8n takes to the error branch. */
const itemsOf = (result: CallResult, onError?: INode['onError'], items: IDataObject[] = []) =>
	new Output(contextWith(onError, items)).ofCall(result);

const NOT_SENT = 'Nothing was sent to this recipient.';
const FIX = 'Fix the row, then send it again.';
const leftOutItem = (row: number, more: IDataObject = {}) => ({
	json: {
		...{ error: 'The phone number is missing', description: `${NOT_SENT} ${FIX}` },
		...{ sent: 'no', skipped: true, ...more },
	},
	pairedItem: { item: row },
});

describe('the items of campaigns', () => {
	const skipped = [complaintOf(1), complaintOf(3, { nextAllowedTime: '2030-05-18T08:00:00Z' })];
	const parts = [sentTo([0], 7), sentTo([2], 8)];
	const listed = {
		skippedCount: 2,
		skipped: [
			{ itemIndex: 1, phoneNumber: 'nope', reason: 'the phone number is missing' },
			{
				...{ itemIndex: 3, phoneNumber: 'nope', reason: 'the phone number is missing' },
				nextAllowedTime: '2030-05-18T08:00:00Z',
			},
		],
	};

	it('list what was left out in the first of them', () => {
		expect(itemsOf(resultOf({ plan: planOf({ skipped }), parts }))).toStrictEqual([
			{ json: { id: 7, sent: 'yes', ...listed }, pairedItem: { item: 0 } },
			{ json: { id: 8, sent: 'yes' }, pairedItem: { item: 2 } },
		]);
	});

	it('have it on the error branch where there is one, in the order of the input', () => {
		const items = itemsOf(resultOf({ plan: planOf({ skipped }), parts }), 'continueErrorOutput');
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(items[0]?.json).toStrictEqual({ id: 7, sent: 'yes', skippedCount: 2 });
		expect(items[3]?.json).toMatchObject({
			...{ skipped: true, nextAllowedTime: '2030-05-18T08:00:00Z', sent: 'no' },
		});
	});

	it('have an item for each row left out where no campaign was created', () => {
		const failed = failedWith(new InputError('Sender', 'is empty', 'Enter one.'), [0, 2]);
		const items = itemsOf(resultOf({ plan: planOf({ skipped }), parts: [failed] }));
		const error = { error: 'Sender is empty', description: 'Enter one.', field: 'Sender' };
		const failedItem = (item: number) => ({
			...{ json: { ...error, sent: 'no' }, pairedItem: { item } },
		});
		expect(items).toStrictEqual([
			...[failedItem(0), leftOutItem(1), failedItem(2)],
			leftOutItem(3, { nextAllowedTime: '2030-05-18T08:00:00Z' }),
		]);
	});

	it('list what was left out of a list with an error branch, too', () => {
		const plan = planOf({ isItems: false, skipped: [complaintOf(1)] });
		const items = itemsOf(
			resultOf({ plan, parts: [parts[0] as PartResult] }),
			'continueErrorOutput',
		);
		expect(items.map(({ json }) => json)).toMatchObject([{ skipped: [{ entry: 2 }] }]);
	});

	it('say of a dry run nothing of it, which the plan lists', () => {
		const result = resultOf({ plan: planOf({ skipped }), parts, isDryRun: true });
		for (const onError of [undefined, 'continueErrorOutput'] as const)
			expect(itemsOf(result, onError).map(({ json }) => json)).toStrictEqual([
				...[
					{ id: 7, sent: 'yes' },
					{ id: 8, sent: 'yes' },
				],
			]);
	});

	it('have no rows left out where the run was stopped before them', () => {
		expect(itemsOf(resultOf({ plan: planOf({ skipped }) }), 'continueErrorOutput')).toEqual([]);
		const obstacle = new RecipientsRefused('Contacts', 'are bad', 'Fix them.', []);
		const refused = resultOf({
			plan: planOf({ skipped, obstacle }),
			parts: [failedWith(obstacle, [0])],
		});
		expect(itemsOf(refused)).toHaveLength(1);
	});

	it('name columns and warnings once, in the first', () => {
		const columns = { used: ['phone'], notUsed: ['city'], read: (row: IDataObject) => row };
		const warnings = ['Start is in the past', 'Start is in the past'];
		const items = itemsOf(resultOf({ plan: planOf({ columns }), parts, warnings }));
		expect(items.map(({ json }) => json)).toStrictEqual([
			{
				...{ id: 7, sent: 'yes', warnings: ['Start is in the past'] },
				...{ columnsUsed: ['phone'], columnsNotUsed: ['city'] },
			},
			{ id: 8, sent: 'yes' },
		]);
		expect(itemsOf(resultOf({ warnings }))).toEqual([]);
	});

	it('have the reason of a row that was left out', () => {
		const duplicate = complaintOf(1, { code: 'duplicate', reason: 'the same' });
		const advised = complaintOf(2, { advice: 'Wait.' });
		const leftOut = [duplicate, advised].map((each) => ({ itemIndexes: [], leftOut: each }));
		expect(itemsOf(resultOf({ parts: leftOut })).map(({ json }) => json)).toStrictEqual([
			{
				...{ error: 'The same', sent: 'no', skipped: true },
				description: expect.stringContaining('There is nothing to fix.'),
			},
			{
				...{ error: 'The phone number is missing', sent: 'no', skipped: true },
				description: `${NOT_SENT} Wait.`,
			},
		]);
	});
});

const MAY_BE_SENT =
	'This item may have been sent by this or another try of the execution: check in the service before you send it again.';

describe('the items of refused recipients', () => {
	const complaints = [complaintOf(1), complaintOf(2)];
	const refused = (areSkipped = false) =>
		new RecipientsRefused('Contacts', 'are bad', 'Fix them.', complaints, areSkipped);

	it('have a reason of their own, the others name them', () => {
		const parts = [failedWith(refused(), [0, 1, 2])];
		expect(itemsOf(resultOf({ plan: planOf(), parts })).map(({ json }) => json)).toStrictEqual([
			{
				...{ error: 'Not sent because of items 1 and 2', description: 'Fix them.' },
				...{ field: 'Contacts', sent: 'no' },
			},
			...[1, 2].map(() => ({
				...{ error: 'The phone number is missing', sent: 'no' },
				description: `${NOT_SENT} ${FIX}`,
			})),
		]);
	});

	it.each([false, true])(
		'do not say that nothing was sent where another try may have (left out: %p)',
		(areSkipped) => {
			const parts = [failedWith(refused(areSkipped), [0, 1, 2], false)];
			const items = itemsOf(resultOf({ plan: planOf(), parts }));
			const open = { error: 'The phone number is missing', sent: 'possibly' };
			expect(items.map(({ json }) => json)).toStrictEqual([
				{
					...{ error: 'Possibly sent by another try', field: 'Contacts', sent: 'possibly' },
					description: `This try sent nothing because of items 1 and 2. ${MAY_BE_SENT}`,
				},
				...[1, 2].map(() => ({
					...open,
					description: MAY_BE_SENT,
					...(areSkipped ? { skipped: true } : {}),
				})),
			]);
		},
	);

	it.each([
		[
			'one item, which is the reason itself',
			planOf(),
			[1],
			refused(),
			{ error: 'Contacts are bad' },
		],
		['one that was left out', planOf(), [1], refused(true), { skipped: true }],
		['items without a plan', undefined, [0, 1], refused(), { error: /^Not sent because/ }],
	])('of %s', (_name, plan, rows, cause, expected) => {
		const parts = [failedWith(cause, rows)];
		const result = resultOf({ itemIndexes: rows, parts, ...(plan && { plan }) });
		const [item] = itemsOf(result);
		const { error, ...others } = expected as IDataObject;
		if (error !== undefined) expect(item?.json.error).toMatch(error as string);
		expect(item?.json).toMatchObject(others);
	});

	it('of a list are one item for its row', () => {
		const result = resultOf({
			...{ itemIndexes: [5], plan: planOf({ isItems: false }) },
			parts: [failedWith(refused(), [5])],
		});
		expect(itemsOf(result)).toStrictEqual([
			{
				json: {
					...{ error: 'Contacts are bad', description: 'Fix them.' },
					...{ field: 'Contacts', sent: 'no' },
				},
				pairedItem: { item: 5 },
			},
		]);
	});
});

describe('the items of a refusal by the sending policy', () => {
	const recipient = (position: number) => ({
		...{ position, phoneNumber: `+4477009000${position}`, rule: 'sendingHours' as const },
		...{ reason: 'is asleep', allowed: 'From 09:00.', nextAllowedTime: '2030-05-18T08:00:00Z' },
	});
	const refusal = (...positions: number[]): Refusal => ({
		...{ rule: 'sendingHours', allowed: 'From 09:00.', recipients: positions.map(recipient) },
	});
	const failure = (...positions: number[]) =>
		toNodeApiError(NODE, {
			...{ message: 'Sending Policy', description: 'Not now.', sent: 'no' },
			refusal: refusal(...positions),
		});
	const jsonOf = (cause: unknown, rows: number[], plan?: RecipientPlan) =>
		itemsOf(resultOf({ parts: [failedWith(cause, rows)], ...(plan && { plan }) })).map(
			({ json, pairedItem }) => [(pairedItem as { item: number }).item, json],
		);
	const general = { error: 'Sending Policy', description: 'Not now.', sent: 'no' };
	const rule = { policyRule: 'sendingHours', allowed: 'From 09:00.' };
	const next = { nextAllowedTime: '2030-05-18T08:00:00Z' };

	it('are those of its rows, each with its own reason', () => {
		expect(jsonOf(failure(1), [4, 6, 7], planOf())).toStrictEqual([
			[4, { ...general, error: 'Not sent because of item 6', policyRule: 'sendingHours' }],
			[
				6,
				{
					...{ error: 'Sending Policy: +44770090001 is asleep', sent: 'no' },
					description: 'From 09:00. Nothing was sent to this recipient.',
					...{ phoneNumber: '+44770090001', ...rule, ...next },
				},
			],
			[7, { ...general, error: 'Not sent because of item 6', policyRule: 'sendingHours' }],
		]);
	});

	it.each([
		['one item', failure(0), [4], planOf(), { phoneNumber: '+44770090000' }],
		['rows of no items', failure(0), [4], undefined, { phoneNumber: '+44770090000' }],
		['nobody in particular', failure(), [4, 5], planOf(), {}],
	])('are all the same for %s', (_name, cause, rows, plan, fields) => {
		expect(jsonOf(cause, rows, plan)).toStrictEqual(
			rows.map((row) => [row, { ...general, ...rule, ...fields }]),
		);
	});

	it('list a thousand of them at most', () => {
		const many = Array.from({ length: 1001 }, (_, position) => position);
		const [[, json]] = jsonOf(failure(...many), [4]) as [[number, IDataObject]];
		expect([json.refusedCount, (json.refused as unknown[]).length]).toEqual([1001, 1000]);
	});

	it('are one for the row of a list', () => {
		const plan = planOf({ isItems: false });
		expect(jsonOf(failure(0), [0], plan)).toStrictEqual([
			[0, { ...general, ...rule, phoneNumber: '+44770090000' }],
		]);
	});

	it('list the recipients where one row has several of them', () => {
		const listed = [0, 1].map((position) => {
			const { phoneNumber, reason } = recipient(position);
			return { phoneNumber, policyRule: 'sendingHours', reason, ...next };
		});
		expect(jsonOf(failure(0, 1), [4])).toStrictEqual([
			[4, { ...general, ...rule, refusedCount: 2, refused: listed }],
		]);
	});
});

describe('the item of a list that became several campaigns', () => {
	const plan = planOf({ isItems: false, skipped: [complaintOf(2)] });
	const failed = (part: number, sent: 'no' | 'possibly' = 'no') => ({
		...failedWith(new InputError('Sender', 'is empty', 'Enter one.'), [3], sent === 'no'),
		batch: batchOf([3], part, 3),
	});
	const itemOf = (parts: PartResult[]) => {
		const items = itemsOf(resultOf({ itemIndexes: [3], plan, parts }));
		expect(items).toHaveLength(1);
		expect(items[0]?.pairedItem).toEqual({ item: 3 });
		return items[0]?.json;
	};
	const about = {
		...{ error: 'Sender is empty', field: 'Sender', skippedCount: 1 },
		skipped: [{ entry: 3, phoneNumber: 'nope', reason: 'the phone number is missing' }],
	};

	it('says which of them failed, and that others were created', () => {
		const created = { ...sentTo([3], 7), batch: batchOf([3], 2, 3) };
		expect(itemOf([failed(1), created, failed(3)])).toStrictEqual({
			...about,
			description:
				'Enter one. Campaigns 1 of 3, 3 of 3 failed; the others were created (see created).',
			...{ sent: 'possibly', created: [{ id: 7, sent: 'yes' }] },
		});
	});

	it.each(['no', 'possibly'] as const)('says where none was created: %s', (sent) => {
		expect(itemOf([failed(1), failed(2, sent)])).toStrictEqual({
			...{ ...about, description: 'Enter one.', sent },
		});
	});
});

describe('the items of a file', () => {
	const outcomeOf = (others: Partial<FileOutcome> = {}): FileOutcome => ({
		...{ records: [], problems: new Problems(undefined), firstRow: 1, rows: 4, leftOut: undefined },
		...{ columns: { used: ['phone'], notUsed: ['city'] }, binary: {}, milliseconds: 1 },
		progress: new FileProgress({ startAtRow: 1 }),
		...{ isComplete: true, isUnsent: true, costly: undefined, failure: undefined },
		...others,
	});
	const columns = { columnsUsed: ['phone'], columnsNotUsed: ['city'] };
	const binary = { problems: { data: '', mimeType: 'text/csv' } };
	const itemsOfFile = (file: FileOutcome, warnings: string[] = []) =>
		itemsOf(resultOf({ itemIndexes: [2], file, warnings }));
	const problems = () => {
		const found = new Problems(undefined);
		found.add(complaintOf(3), undefined);
		return found;
	};

	it('are its campaigns, the first of which tells about the file', () => {
		const leftOut = { invalid: 1, duplicate: 0, doNotContact: 0, sendingHours: 0 };
		const found = problems();
		const file = outcomeOf({ records: [{ id: 7 }, { id: 8 }], leftOut, problems: found, binary });
		expect(itemsOfFile(file, ['Late', 'Late'])).toStrictEqual([
			{
				json: {
					...{ id: 7, warnings: ['Late'], ...columns },
					file: { rows: 4, campaigns: 2, leftOut: { invalid: 1 } },
					...{ problemsCount: 1, problems: found.listed },
				},
				...{ pairedItem: { item: 2 }, binary },
			},
			{ json: { id: 8 }, pairedItem: { item: 2 } },
		]);
		expect(itemsOfFile(outcomeOf({ records: [{ stored: 4 }] }))).toStrictEqual([
			{
				json: { stored: 4, ...columns, file: { rows: 4, campaigns: 1 } },
				pairedItem: { item: 2 },
			},
		]);
	});

	it('are one of a dry run, which has no campaigns', () => {
		expect(itemsOfFile(outcomeOf({ records: [{ dryRun: true }] }))).toStrictEqual([
			{ json: { dryRun: true, ...columns }, pairedItem: { item: 2 } },
		]);
	});

	it('are none where the run was stopped before it', () => {
		expect(itemsOfFile(outcomeOf())).toEqual([]);
	});

	it('are one error with what was sent by then', () => {
		const progress = new FileProgress({ startAtRow: 1 });
		progress.endAt(4);
		const failure = { cause: new InputError('Sender', 'is empty', 'Enter one.'), isEarlier: false };
		const error = { error: 'Sender is empty', field: 'Sender' };
		expect(itemsOfFile(outcomeOf({ progress, failure }))).toStrictEqual([
			{ json: { ...error, description: 'Enter one.', sent: 'no' }, pairedItem: { item: 2 } },
		]);
		progress.note({ part: 1, firstRow: 1, lastRow: 2, campaigns: 1, state: 'sent' });
		const [item] = itemsOfFile(
			outcomeOf({ progress, failure, records: [{ id: 7 }], binary, problems: problems() }),
		);
		expect(item).toStrictEqual({
			json: {
				...error,
				description: expect.stringMatching(/^Enter one\. Sent: rows 1 to 2 of the file\. /),
				...{ sent: 'partly', sentRows: '1 to 2', notSentRows: '3 to 4', continueAtRow: 3 },
				...{ created: [{ id: 7 }], problemsCount: 1, problems: problems().listed },
			},
			...{ pairedItem: { item: 2 }, binary },
		});
	});
});

describe('the item of a failed row', () => {
	const failure = { message: 'No', description: 'Because.', sent: 'no' as const };
	const branch = (input: IDataObject, others: IDataObject = {}) =>
		new ErrorItems(contextWith('continueErrorOutput', [input])).item(failure, 0, others);

	it('says what went wrong, in texts that n8n can keep thousands of', () => {
		const items = new ErrorItems(contextWith());
		const long = { message: 'm'.repeat(5000), description: 'd'.repeat(5000), sent: 'no' as const };
		const { json } = items.item({ ...long, httpStatus: 400, field: 'Sender' }, 3, { more: 1 });
		expect(json).toMatchObject({ httpStatus: 400, field: 'Sender', sent: 'no', more: 1 });
		expect(String(json.error).length).toBeLessThanOrEqual(301);
		expect(String(json.description).length).toBeLessThanOrEqual(1001);
		expect(items.item(failure, 3)).toStrictEqual({
			json: { error: 'No', description: 'Because.', sent: 'no' },
			pairedItem: { item: 3 },
		});
	});

	it('keeps the fields of the input that it would hide, beside its own', () => {
		const { json } = branch({ sent: 'yesterday', city: 'Leeds', row: 1 }, { row: 2 });
		expect(json).toStrictEqual({
			...{ error: 'No', description: 'Because.', sent: 'no', row: 2 },
			inputFields: { sent: 'yesterday', row: 1 },
		});
		expect(branch({ city: 'Leeds' }).json).not.toHaveProperty('inputFields');
	});

	it('takes away the details of an earlier error', () => {
		const details = {
			...{ httpStatus: 400, field: 'x', policyRule: 'x', allowed: 'x', nextAllowedTime: 'x' },
			...{ refusedCount: 1, refused: [], skipped: true, skippedCount: 1, created: [] },
			...{ sentRows: '1', possiblySentRows: '1', partlySentRows: '1', notSentRows: '1' },
			...{ continueAtRow: 1, problemsCount: 1, problems: [] },
		};
		for (const sent of ['no', 'possibly', 'partly']) {
			const { json } = branch({ error: 'Old', description: '', sent, ...details });
			for (const name of Object.keys(details))
				expect([name, json[name]]).toEqual([name, undefined]);
			expect(Object.keys(json)).toEqual(expect.arrayContaining(Object.keys(details)));
			expect(json).not.toHaveProperty('inputFields');
		}
	});

	it.each([
		{ error: 'Old', description: 'x', sent: 'yes' },
		{ error: 1, description: 'x', sent: 'no' },
		{ error: 'Old', sent: 'no' },
	])('takes %j for no item of its own', (input) => {
		expect(branch(input as IDataObject).json.inputFields).toEqual(input);
	});

	it('is taken to the error branch, once for all rows with the same reason', () => {
		const items = new ErrorItems(contextWith('continueErrorOutput', [{}, {}]));
		const [first, second] = [items.item(failure, 0), items.item(failure, 1)];
		expect(first.error).toBeInstanceOf(NodeOperationError);
		expect(first.error?.message).toBe('No');
		expect(second.error).toBe(first.error);
		expect(Object.keys(first)).toEqual(['json', 'pairedItem']);
		expect(
			new ErrorItems(contextWith('continueRegularOutput')).item(failure, 0).error,
		).toBeUndefined();
	});
});

test.each<[unknown, boolean, object]>([
	[new Error('x'), true, { message: 'x', description: '', sent: 'no' }],
	[new Error('x'), false, { message: 'x', description: MAY_BE_SENT, sent: 'possibly' }],
	['x', true, { message: 'x', description: '', sent: 'no' }],
	[
		Object.assign(new Error('x'), { description: 7 }),
		true,
		{ message: 'x', description: '', sent: 'no' },
	],
	[
		new InputError('Sender', 'is empty', 'Enter one.'),
		true,
		{ message: 'Sender is empty', description: 'Enter one.', field: 'Sender', sent: 'no' },
	],
	[
		toNodeApiError(NODE, { message: 'No', description: 'D', sent: 'possibly', httpCode: '500' }),
		true,
		{ message: 'No', description: 'D', httpStatus: 500, sent: 'possibly' },
	],
	[
		toNodeApiError(NODE, { message: 'No', description: 'D', sent: 'no', field: 'Sender' }),
		true,
		{ message: 'No', description: 'D', field: 'Sender', sent: 'no' },
	],
])('the error %j of a row (certain: %j) means this', (error, isCertain, expected) => {
	expect(rowFailureOf(error, isCertain)).toStrictEqual(expected);
});

test('what is known of an error outlasts that it is certain', () => {
	const failure = { message: 'No', description: 'D', sent: 'possibly', httpCode: '500' } as const;
	const [cause, unknown] = [failure, { ...failure, httpCode: 'ETIMEDOUT' }].map((each) =>
		toNodeApiError(NODE, each),
	);
	expect(rowFailureOf(cause, true)).toMatchObject({ sent: 'possibly', httpStatus: 500 });
	expect(rowFailureOf(unknown, true)).not.toHaveProperty('httpStatus');
});

test('an error is shown with the item that it is about, unless it names one itself', () => {
	const context = contextWith();
	const cause = toNodeApiError(NODE, { message: 'No', description: 'D', sent: 'no' });
	expect(toNodeError(context, cause, 3)).toBe(cause);
	expect(cause.context.itemIndex).toBe(3);
	expect(toNodeError(context, cause, 4).context.itemIndex).toBe(3);
	const own = new NodeOperationError(NODE, 'x');
	expect(toNodeError(context, own, 0)).toBe(own);
	for (const other of [new Error('preexisting ENOENT'), 'preexisting ENOENT']) {
		const { message, context: about } = toNodeError(context, other, 5);
		expect([message, about.itemIndex]).toEqual(['preexisting ENOENT', 5]);
	}
});

test('a run that could not start fails for every row', () => {
	const output = new Output(contextWith());
	const items = output.ofFailedRun(
		new InputError('Dry Run', 'is empty', 'Fix it.'),
		2,
		() => false,
	);
	expect(items.map(({ json, pairedItem }) => [json.sent, pairedItem])).toEqual([
		...[
			['possibly', { item: 0 }],
			['possibly', { item: 1 }],
		],
	]);
});
