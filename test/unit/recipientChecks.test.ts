import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readDoNotContact } from '../../nodes/MessagingService/recipients/doNotContact';
import { readRecipientNumber } from '../../nodes/MessagingService/recipients/number';
import { countNumbers } from '../../nodes/MessagingService/recipients/numberCounts';
import { planRecipients } from '../../nodes/MessagingService/recipients/plan';
import { columnChoices } from '../../nodes/MessagingService/recipients/sources';
import { contacts } from '../../nodes/MessagingService/resources/smsCampaign/contacts';
import { callWith } from './support/call';
import { thrown } from './support/thrown';
import { runs } from '../support/runs';

const FORMAT = { format: 'international' } as const;

describe('a number that is sent although it is invalid', () => {
	it.each([
		// As it is, and compared by its digits.
		['123', '123', '+123'],
		['0 12', '0 12', '012'],
		['(0)1/2-3.4', '(0)1/2-3.4', '01234'],
		['+1', '+1', '+1'],
		['5', '5', '+5'],
		[' 12 ', ' 12 ', '+12'],
		[12n, '12', '+12'],
		[12, '12', '+12'],
		// Compared by its text.
		['12 Bob', '12 Bob', '12 Bob'],
		[' Bob ', ' Bob ', 'Bob'],
		['12,5', '12,5', '12,5'],
		['()', '()', '()'],
		// Nothing to compare.
		['', '', undefined],
		['  ', '  ', undefined],
		[null, '', undefined],
		[true, '', undefined],
		[{}, '', undefined],
	])('%p is %j, compared as %j', (value, number, key) => {
		const reading = readRecipientNumber(value, FORMAT);
		expect(reading.problem).toBeDefined();
		expect([reading.number, reading.key]).toEqual([number, key]);
	});

	it('is compared by the number where only its type is not allowed', () => {
		const options = { ...FORMAT, allowedTypes: new Set(['mobile'] as const) };
		expect(readRecipientNumber('+44 20 7946 0958', options)).toMatchObject({
			...{ reason: 'type', number: '+44 20 7946 0958', key: '+442079460958' },
		});
	});
});

/** What an InputError says, which always has advice. */
function complaintOf(run: () => unknown) {
	const { message, field, description } = thrown(run) as Error & {
		field: string;
		description: string;
	};
	expect(description).toMatch(/^[A-Z].{10,}\.$/);
	return { message, field, description };
}

const rows = (options: IDataObject, phones: unknown[], parameters: IDataObject = {}) =>
	callWith({
		parameters: {
			...{ contactsSource: 'inputItems', phoneNumberField: 'phone', ...parameters },
			options: { mappingMode: 'defineBelow', defaultCountry: 'GB', ...options },
		},
		items: phones.map((phone) => ({ phone }) as IDataObject),
	});

describe('recipients are divided', () => {
	const phoneOf = (index: number) => `07400 ${String(100_000 + index)}`;
	const numberOf = (index: number) => `+447400${String(100_000 + index)}`;
	const numbersOf = (batch: { recipients: unknown }) =>
		(batch.recipients as { phoneNumber: string }[]).map(({ phoneNumber }) => phoneNumber);

	it('into campaigns of at most so many, in their order, none lost', () => {
		const lengths = fc.integer({ min: 1, max: 20 });
		fc.assert(
			fc.property(lengths, fc.integer({ min: 1, max: 5 }), fc.boolean(), (length, size, isJson) => {
				const phones = Array.from({ length }, (_, index) => phoneOf(index));
				const list = phones.map((phoneNumber) => ({ phoneNumber }));
				const json = isJson ? { contactsSource: 'json', contactsJson: list } : {};
				const call = rows({ perCampaign: size }, isJson ? ['x'] : phones, json);
				const { batches } = planRecipients(contacts, call);
				const indexes = phones.map((_, index) => index);
				expect(batches.flatMap(numbersOf)).toEqual(indexes.map(numberOf));
				expect(batches).toHaveLength(Math.ceil(length / size));
				batches.forEach((batch, index) => {
					expect([batch.part, batch.parts]).toEqual([index + 1, batches.length]);
					expect(batch.recipients.length).toBeLessThanOrEqual(size);
					const from = index * size;
					expect(batch.itemIndexes).toEqual(isJson ? [0] : indexes.slice(from, from + size));
				});
			}),
			{ numRuns: runs(100) },
		);
	});

	it('without those left out, whose places are told', () => {
		const reason = { code: 'doNotContact', reason: 'is in a list' } as const;
		const call = rows({}, [5, 6, 7].map(phoneOf));
		const { batches, skipped } = planRecipients(contacts, call, (number) =>
			number === numberOf(6) ? reason : undefined,
		);
		expect(batches.map(({ itemIndexes }) => itemIndexes)).toEqual([[0, 2]]);
		expect(batches.flatMap(numbersOf)).toEqual([numberOf(5), numberOf(7)]);
		expect(skipped).toEqual([{ itemIndex: 1, phoneNumber: numberOf(6), ...reason }]);
	});
});

describe('where recipients come from', () => {
	it.each([
		[{ phoneNumberField: '' }, 'Phone Number Field is empty', 'Phone Number Field'],
		[{ additionalFields: { otherFields: [] } }, / is not an object$/, undefined],
		[
			{ additionalFields: { otherFields: { name: 5 } } },
			/^\w+ Field is not the name of a field$/,
			undefined,
		],
		[{ contactsSource: 'elsewhere' }, 'Contacts From cannot be "elsewhere"', 'Contacts From'],
		[{ contactsSource: 'list' }, 'Contacts are empty', 'Contacts'],
		[
			{ contactsSource: 'json', contactsJson: '{}' },
			'Contacts (JSON) is not a JSON array',
			undefined,
		],
		[
			{
				contactsSource: 'json',
				contactsJson: [{ phoneNumber: '1' }, { phoneNumber: '2', nam: 'x' }],
			},
			'Contacts (JSON) has an unknown field "nam" (entry 2)',
			'Contacts (JSON)',
		],
	])('%j: %s', (parameters, message, field) => {
		const call = rows({}, ['07400 123456'], parameters);
		const complaint = complaintOf(() => {
			columnChoices(contacts, call);
			return planRecipients(contacts, call);
		});
		expect(complaint).toMatchObject({
			message: typeof message === 'string' ? message : expect.stringMatching(message),
			...(field === undefined ? {} : { field }),
		});
	});

	it('says which fields an entry of a JSON list can have', () => {
		const contactsJson = [{ number: '1', phone: '2' }];
		const call = rows({}, [''], { contactsSource: 'json', contactsJson });
		expect(complaintOf(() => planRecipients(contacts, call)).description).toBe(
			`The fields of an entry are ${['phoneNumber', ...Object.keys(contacts.otherFields)].join(', ')}. Rename or remove the others: number, phone.`,
		);
	});
});

it.each([
	['autoMapInputData', 'phoneNumber', ['phoneNumber', 'phoneNumber']],
	['autoMapInputData', ' phoneNumber ', ['phoneNumber', 'phoneNumber']],
	['autoMapInputData', 'phone', []],
	['defineBelow', 'phoneNumber', []],
	['defineBelow', 'phone', []],
])('with the mapping %s, %j may also be %j', (mappingMode, phoneNumberField, matches) => {
	const call = rows({ mappingMode }, ['1'], { phoneNumberField });
	expect(columnChoices(contacts, call)[0]).toMatchObject({
		path: phoneNumberField.trim(),
		matches,
	});
});

describe('what is wrong with recipients', () => {
	const phones = ['07400 123456', '12', '+44 7400 123456', '07400 123457', 'Bob', '07400 123457'];
	const planOf = (options: IDataObject) => planRecipients(contacts, rows(options, phones));
	const places = (complaints: readonly { itemIndex: number }[]) =>
		complaints.map(({ itemIndex }) => itemIndex);

	it('stops everything, in the order of the input, with the first problem and what to do', () => {
		const { obstacle, invalid, duplicates, skipped } = planOf({});
		expect([places(invalid), places(duplicates), skipped]).toEqual([[1, 4], [2, 5], []]);
		expect(places(obstacle?.complaints ?? [])).toEqual([1, 2, 4, 5]);
		expect(obstacle).toMatchObject({
			message: expect.stringMatching(
				/^Contacts include 4 invalid or duplicate items of 6 \(items 1, /,
			),
			areSkipped: false,
			description: expect.stringMatching(/^For the first of them, the phone number .*\(12\).*\. /),
		});
		expect(duplicates[0]).toMatchObject({
			...{ code: 'duplicate', reason: 'the phone number is a duplicate of item 0' },
		});
		expect(duplicates[1]?.reason).toMatch(/ of item 3$/);
	});

	it('is left out, or sent, as the user chooses', () => {
		const skipping = planOf({ unusable: 'skip', duplicates: 'skip' });
		expect(skipping.obstacle).toBeUndefined();
		expect(places(skipping.skipped)).toEqual([1, 2, 4, 5]);
		expect(skipping.batches[0]?.itemIndexes).toEqual([0, 3]);
		const sending = planOf({ unusable: 'send', duplicates: 'send' });
		expect([sending.obstacle, sending.skipped]).toEqual([undefined, []]);
		expect(sending.batches[0]?.recipients).toHaveLength(6);
		const mixed = planOf({ unusable: 'skip', duplicates: 'stop' });
		expect(mixed.obstacle?.message).toMatch(/^Contacts include 2 .*\(items 2 and 5\)$/);
	});

	it('has advice for every invalid number', () => {
		const { invalid } = planRecipients(contacts, rows({}, ['abc', '', '+44 7400 12345678']));
		expect(invalid.map(({ advice }) => advice)).toEqual([
			expect.stringContaining('+447700900123'),
			expect.stringContaining('+447700900123'),
			expect.stringContaining('Check the digits'),
		]);
	});

	it('may leave nobody to send to', () => {
		const { obstacle } = planRecipients(contacts, rows({ unusable: 'skip' }, ['12', 'Bob']));
		expect(obstacle).toMatchObject({
			message: 'Contacts include none to send to',
			areSkipped: true,
			description: expect.stringMatching(/^All 2 were skipped\. The first: the phone number .*\.$/),
		});
	});

	it('names entries of a list from 1, as people count', () => {
		const entry = ['07400 123456', '12', '07400 123456'].map((phoneNumber) => ({ phoneNumber }));
		const call = rows({}, [''], { contactsSource: 'list', contacts: { entry } });
		const { obstacle, duplicates } = planRecipients(contacts, call);
		expect(obstacle?.message).toBe(
			'Contacts include 2 invalid or duplicate entries of 3 (entries 2 and 3)',
		);
		expect(duplicates[0]?.reason).toMatch(/ of entry 1$/);
	});
});

it('numbers are counted by country and type, the most frequent first', () => {
	const numbers = ['+447400123456', '+33612345678', '07400 1', '+447400123457', '+80012345678'];
	const { byCountry, byType } = countNumbers([...numbers, '+442079460958', null], FORMAT);
	expect(Object.entries(byCountry)).toEqual([
		['GB', 3],
		['unknown', 2],
		['FR', 1],
		['international', 1],
	]);
	expect(Object.entries(byType)).toEqual([
		['mobile', 3],
		['unknown', 2],
		['tollFree', 1],
		['fixedLine', 1],
	]);
});

describe('numbers not to contact', () => {
	const listOf = async (doNotContactNumbers: unknown, more: IDataObject = {}) => {
		const options = { doNotContactNumbers, ...more } as IDataObject;
		return await readDoNotContact(callWith({ parameters: { options } }));
	};

	it.each([
		['+447400123456, 07400 123457;\n+447400123458\n'],
		[['+447400123456', '', null, '07400 123457', '+447400123458']],
	])('are a text or an array: %j', async (entered) => {
		const isBlocked = await listOf(entered, { defaultCountry: 'GB' });
		for (const ending of [6, 7, 8]) {
			expect(isBlocked?.(`+44740012345${String(ending)}`)).toBe('is in "Do Not Contact"');
		}
		expect(isBlocked?.('+447400123459')).toBeUndefined();
		expect(isBlocked?.('Bob')).toBe('cannot be compared with those not to contact');
	});

	it('may be the same where a country is unknown', async () => {
		const isBlocked = await listOf('07400 123456');
		expect(isBlocked?.('+447400123456')).toBe('may be in "Do Not Contact"');
	});

	it.each([
		[{ doNotContactNumbers: 'Bob' }, 'Do Not Contact has an invalid number (Bob)'],
		[{ doNotContactNumbers: null }, 'Do Not Contact is empty'],
		[
			{ doNotContactStored: { match: [{ parameter: 'parameter10', value: 'x' }] } },
			'Parameter cannot be "parameter10"',
		],
		[
			{ doNotContactStored: { match: [{ parameter: 'parameter1', value: [1] }] } },
			/^Value of Do Not Contact \(Stored Numbers\) /,
		],
	])('%j: %s', async (options, message) => {
		const [outcome] = await Promise.allSettled([
			readDoNotContact(callWith({ parameters: { options: options as IDataObject } })),
		]);
		const complaint = complaintOf(() => {
			if (outcome.status === 'rejected') throw outcome.reason as Error;
		});
		expect(complaint.message).toEqual(
			typeof message === 'string' ? message : expect.stringMatching(message),
		);
	});
});
