import type { IDataObject } from 'n8n-workflow';
import { errorItem, failureReason } from '../../nodes/MessagingService/execution/errorItem';
import { Rows, type Outcome } from '../../nodes/MessagingService/execution/rows';
import { Failure } from '../../nodes/MessagingService/failure';
import type { Complaint } from '../../nodes/MessagingService/reason';
import { findOperation } from '../../nodes/MessagingService/resources';

const SEND = ['smsMessage', 'send'] as const;
const CREATE = ['smsCampaign', 'create'] as const;
const STORE = ['phoneNumberStorage', 'create'] as const;

const number = '+33612345678';
const REFUSED: Complaint = {
	...{ code: 'allowedCountries', text: `is of a blocked country (${number})`, place: 0 },
	...{ advice: 'Allowed Countries: GB.', phoneNumber: number },
};
const WRONG: Complaint = {
	...{ code: 'notOneNumber', text: 'is not a single number (none)', place: 0 },
	...{ advice: 'Write one number. Or none.', phoneNumber: 'none' },
};

/** The output item of the one row of a run. */
function itemOf(
	[resource, name]: readonly [string, string],
	outcome: Partial<Outcome> & { because?: string },
	message: unknown = 'Hi',
): IDataObject {
	const operation = findOperation(resource, name);
	const rows = new Rows(1);
	const price = { pricePerPart: 0.04, currency: 'EUR' };
	if (resource === 'smsMessage') rows.noteMessage(0, { phoneNumber: number, message, price });
	else rows.noteNumbers(() => number);
	return errorItem({ sent: 'no', rows: [0], ...outcome }, 0, { rows, operation }).json;
}

const noted = { phoneNumber: number, message: 'Hi', currency: 'EUR', parts: 1, newId: null };
const failed = new Failure('The service failed', 'Ask the operator.', { httpCode: '500' });

describe('the item of a row that is not sent says all that is known of it', () => {
	test('a message', () => {
		expect(itemOf(SEND, { failure: failed })).toEqual({
			...{ ...noted, sent: 'no', estimatedCost: 0, reason: 'Not sent: The service failed.' },
			...{ error: 'The service failed', description: 'Ask the operator.', httpStatus: 500 },
		});
	});

	test('a message that may have been sent by an earlier try', () => {
		expect(itemOf(SEND, { failure: failed, sent: 'possibly' })).toEqual({
			...{ ...noted, sent: 'possibly', estimatedCost: 0.04 },
			...{ reason: 'Possibly sent: The service failed.', error: 'The service failed' },
			description:
				'Ask the operator. This item may have been sent by this or another try of the execution: check in the service before you send it again.',
			httpStatus: 500,
		});
	});

	test('a message whose failure says that it may have been sent', () => {
		const facts = { sent: 'possibly', httpCode: '500' } as const;
		const failure = new Failure('It failed', 'Check in the service.', facts);
		const { description } = itemOf(SEND, { failure, sent: 'possibly' });
		expect(description).toBe('Check in the service.');
	});

	test('a number that may have been stored', () => {
		expect(itemOf(STORE, { failure: failed, sent: 'possibly' })).toEqual({
			...{ error: 'The service failed', sent: 'possibly', httpStatus: 500 },
			description:
				'Ask the operator. This item may have been done by this or another try of the execution.',
		});
	});

	test('a row of a campaign: no text and no price', () => {
		expect(itemOf(CREATE, { failure: failed })).toEqual({
			...{ phoneNumber: number, sent: 'no', reason: 'Not sent: The service failed.' },
			...{ error: 'The service failed', description: 'Ask the operator.', httpStatus: 500 },
		});
	});

	test('a row that waits for others: which ones, and the rule, but not whom it refuses', () => {
		const reasons = [REFUSED, { ...REFUSED, place: 3 }];
		const failure = new Failure('Refused', 'Change the list.', { reasons });
		const because = 'Not sent because of items 1 and 3';
		expect(itemOf(CREATE, { failure, because })).toEqual({
			...{ phoneNumber: number, sent: 'no', reason: because },
			...{ error: because, description: 'Change the list.', policyRule: 'allowedCountries' },
		});
	});

	test.each([
		[true, 'Sent in part: The service failed.'],
		[false, 'Possibly sent: The service failed.'],
	])('a list that was sent in part, where this is known of all of it: %p', (isClear, reason) => {
		const inPart = { text: 'Sent in part.', isOpen: true, isClear };
		expect(itemOf(CREATE, { failure: failed, sent: 'possibly', inPart })).toEqual({
			...{ phoneNumber: number, sent: 'possibly', reason, error: 'The service failed' },
			...{ description: 'Ask the operator. Sent in part.', httpStatus: 500 },
		});
	});

	test.each<[Partial<Complaint>, string]>([
		[{}, 'Nothing was sent to this recipient. Write one number. Or none.'],
		[{ code: 'duplicate' }, 'Write one number. Or none.'],
	])('somebody who is left out: %j', (changes, description) => {
		expect(itemOf(CREATE, { complaint: { ...WRONG, ...changes } })).toEqual({
			...{ phoneNumber: number, sent: 'no', skipped: true, description },
			...{ reason: 'Left out: The phone number is not a single number.' },
			error: 'The phone number is not a single number (none)',
		});
	});

	test('in texts that are not endless', () => {
		const long = 'x'.repeat(5000);
		const complaint = { ...WRONG, text: long, advice: long };
		const cut = itemOf(SEND, { complaint }, long);
		const lengths = [cut.error, cut.description, cut.reason, cut.message].map(
			(text) => String(text).length,
		);
		expect(lengths).toEqual([300, 1000, 1000, 1000]);
		expect(cut.parts).toBe(33);
	});
});

describe('a list that the policy refuses', () => {
	const detailsOf = (count: number) => {
		const reasons = Array.from({ length: count }, (_, place) => ({ ...REFUSED, place }));
		const failure = new Failure('Refused', 'Change it.', { reasons });
		const { policyRule, allowed, phoneNumber, refused, refusedCount } = itemOf(STORE, { failure });
		return { policyRule, allowed, phoneNumber, refused, refusedCount };
	};
	const rule = { policyRule: 'allowedCountries', allowed: 'Allowed Countries: GB.' };
	const listed = { ...rule, phoneNumber: number, reason: REFUSED.text };

	test('names the one whom it is refused for', () => {
		expect(detailsOf(1)).toEqual({ ...rule, phoneNumber: number });
	});

	test('lists several, up to a thousand', () => {
		expect(detailsOf(2)).toEqual({ ...rule, refusedCount: 2, refused: [listed, listed] });
		expect(detailsOf(1001)).toEqual({
			...{ ...rule, refusedCount: 1001 },
			refused: Array(1000).fill(listed),
		});
	});
});

test.each<[string, Failure, string]>([
	[
		'one row, with the first sentence of how to fix it',
		new Failure('x', 'y', { reasons: [WRONG] }),
		'Not sent: The phone number is not a single number. Write one number.',
	],
	[
		'several, with what the first one asks for',
		new Failure('Sending Policy: 2 are refused', 'Change it.', { reasons: [REFUSED, WRONG] }),
		'Refused: 2 are refused. Allowed Countries: GB.',
	],
	[
		'a field',
		Failure.ofField('Message', 'is empty', 'Enter a text. Any.'),
		'Not sent: Message is empty. Enter a text.',
	],
	['the service', failed, 'Not sent: The service failed.'],
])('the reason is short: %s', (_, failure, reason) => {
	expect(failureReason(failure, 'no', 'none')).toBe(reason);
});
