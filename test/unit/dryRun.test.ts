import type { IDataObject } from 'n8n-workflow';
import {
	describePlan,
	describeRequest,
	listOf,
	plannedRequest,
} from '../../nodes/MessagingService/execution/dryRun';
import type { Complaint } from '../../nodes/MessagingService/recipients/checks';
import type { RecipientKind } from '../../nodes/MessagingService/recipients/kind';
import {
	RecipientsRefused,
	type RecipientPlan,
} from '../../nodes/MessagingService/recipients/plan';
import type { Operation } from '../../nodes/MessagingService/resources/operation';
import type { ServiceClient, ServiceRequest } from '../../nodes/MessagingService/transport/request';
import { callWith, clientWith } from './support/call';

const kind = {
	...{ name: 'contacts', numberName: 'number', otherFields: { name: 'Name' } },
} as unknown as RecipientKind<unknown>;
const numberAt = (row: number) => ({ number: `+44770090000${row}` });
const requestOf = (body?: IDataObject): ServiceRequest => ({
	...{ method: 'POST', path: '/x' },
	...(body === undefined ? {} : { body }),
});
const complaintOf = (itemIndex: number, others: Partial<Complaint> = {}): Complaint => ({
	...{ itemIndex, phoneNumber: 'nope', reason: 'is missing', code: 'placeholder' },
	...others,
});
const planOf = (others: Partial<RecipientPlan> = {}): RecipientPlan => ({
	...{ batches: [], invalid: [], duplicates: [], skipped: [], isItems: true },
	...{ numbers: { format: 'international' as const }, numberName: 'number' },
	...others,
});

describe('a request that is planned', () => {
	const sends: (keyof ServiceClient)[] = ['record', 'records', 'page', 'identifier', 'anything'];

	it.each(sends.filter((name) => name !== 'settings'))('is not sent by %s', async (name) => {
		const request = requestOf();
		const send = async (client: ServiceClient) =>
			await (client[name] as (request: ServiceRequest) => Promise<unknown>)(request);
		let isBehind = false;
		const planned = await plannedRequest(clientWith(), async (client) => {
			await send(client);
			isBehind = true;
		});
		expect([planned, isBehind]).toEqual([request, false]);
		// Reading is no sending: it is done, and here it fails.
		await expect(
			plannedRequest(
				clientWith(),
				async (client) =>
					await (client[name] as (request: ServiceRequest) => Promise<unknown>)({
						...{ method: 'GET', path: '/x' },
					}),
			),
		).rejects.toThrow('This test sends nothing');
	});

	it('is none where the operation sends nothing', async () => {
		expect(await plannedRequest(clientWith(), async () => 'done')).toBeUndefined();
	});
});

test.each([
	[undefined, { path: '/x' }],
	[[], { contacts: [] }],
	[[1, 2, 3], { contacts: [1, 2, 3] }],
	[[1, 2, 3, 4], { contacts: [1, 2, 3, '... 4 in all'] }],
])('the recipients %j of a request are shown as the first of them', (contacts, expected) => {
	const body = contacts === undefined ? { path: '/x' } : { contacts };
	expect(describeRequest(requestOf(body), kind)).toStrictEqual({
		...{ method: 'POST', path: '/x', body: expected },
	});
	expect(describeRequest(requestOf(body), undefined).body).toBe(body);
});

test('a request has its query and its body only where there are such', () => {
	expect(describeRequest(requestOf(), kind)).toStrictEqual({ method: 'POST', path: '/x' });
	expect(describeRequest({ ...requestOf(), query: { a: '1' } }, kind)).toStrictEqual({
		...{ method: 'POST', path: '/x', query: { a: '1' } },
	});
});

test('a thousand complaints are listed, and the places of the others', () => {
	const nextAllowedTime = '2030-05-18T08:00:00Z';
	const many = Array.from({ length: 1003 }, (_, index) =>
		complaintOf(index === 1002 ? 2000 : index, index === 0 ? { nextAllowedTime } : {}),
	);
	const items = listOf('invalid', many, planOf());
	const entries = listOf('invalid', many, planOf({ isItems: false }));
	const described = { phoneNumber: 'nope', reason: 'is missing' };
	for (const [list, others, place] of [
		[items, '1000 to 1001, 2000', (index: number) => ({ itemIndex: index })],
		[entries, '1001 to 1002, 2001', (index: number) => ({ entry: index + 1 })],
	] as const) {
		expect([list.invalidCount, list.invalidOthers]).toEqual([1003, others]);
		const listed = list.invalid as IDataObject[];
		expect(listed).toHaveLength(1000);
		expect(listed.slice(0, 2)).toStrictEqual([
			{ ...place(0), ...described, nextAllowedTime },
			{ ...place(1), ...described },
		]);
	}
	expect(listOf('invalid', many.slice(0, 1000), planOf())).not.toHaveProperty('invalidOthers');
});

describe('the plan of a campaign', () => {
	const { parameters } = callWith({});
	const operation = { recipients: kind } as Operation;
	const batchOf = (part: number, parts: number) => ({
		...{ recipients: [1, 2].map(numberAt), itemIndexes: [0], part, parts },
	});
	const describeBatch = (part = 1, parts = 1, plan = planOf(), body: IDataObject = {}) =>
		describePlan(requestOf(body), operation, plan, { batch: batchOf(part, parts), parameters });

	it('lists what was left out once, and each reason with the first of its recipients', () => {
		const invalid = [
			complaintOf(1),
			complaintOf(3, { code: 'empty', reason: 'is too short', advice: 'Add digits.' }),
			complaintOf(4),
		];
		const plan = planOf({ invalid, skipped: invalid, duplicates: [complaintOf(5)] });
		const first = describeBatch(1, 2, plan);
		expect(first).toMatchObject({
			...{ recipients: 2, campaign: '1 of 2', invalidCount: 3, duplicatesCount: 1 },
			...{ skippedCount: 3, wouldSend: true, dryRun: true },
		});
		expect(first.reasons).toStrictEqual([
			{
				...{ code: 'placeholder', count: 2 },
				first: { itemIndex: 1, phoneNumber: 'nope', reason: 'is missing' },
			},
			{
				...{ code: 'empty', count: 1 },
				first: {
					...{ itemIndex: 3, phoneNumber: 'nope', reason: 'is too short' },
					advice: 'Add digits.',
				},
			},
		]);
		const second = describeBatch(2, 2, plan);
		expect(second.campaign).toBe('2 of 2');
		for (const name of ['reasons', 'invalid', 'duplicates', 'skippedCount'])
			expect(second).not.toHaveProperty(name);
		expect(describeBatch(1, 1, plan)).not.toHaveProperty('campaign');
	});

	it('says why nothing would be sent', () => {
		const obstacle = new RecipientsRefused('Contacts', 'are bad', 'Fix them.', []);
		expect(describeBatch(1, 1, planOf({ obstacle }))).toMatchObject({
			...{ wouldSend: false, reason: 'Contacts are bad. Fix them.' },
		});
		expect(describeBatch()).not.toHaveProperty('reason');
	});

	it('counts the parts of a message, if there is one', () => {
		expect(describeBatch(1, 1, planOf(), { message: 'Hi {{name}}' })).toMatchObject({
			...{ message: { parts: 1, partsInAll: 2 } },
			unfilledPlaceholders: [{ placeholder: '{{name}}', recipients: 2 }],
		});
		expect(describeBatch()).not.toHaveProperty('message');
	});

	it('has one recipient where the request itself is one, and none where it is not known', () => {
		const one = describePlan(
			requestOf({ phoneNumber: '+447400123456', message: 'Hi' }),
			{ reach: 1 } as Operation,
			undefined,
			{ parameters },
		);
		expect(one).toMatchObject({
			...{ recipients: 1, byCountry: { GB: 1 }, byType: { mobile: 1 } },
			message: { partsInAll: 1 },
		});
		const unknown = describePlan(undefined, {} as Operation, undefined, { parameters });
		expect(unknown).toStrictEqual({ dryRun: true, wouldSend: true });
	});
});
