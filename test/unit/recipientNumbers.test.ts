import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { planRecipients } from '../../nodes/MessagingService/recipients/plan';
import { readNumberOptions } from '../../nodes/MessagingService/recipients/numberOptions';
import { contacts } from '../../nodes/MessagingService/resources/smsCampaign/contacts';
import { callWith } from './support/call';
import { cell, country } from './support/numberCells';
import { thrown } from './support/thrown';
import { runs } from '../support/runs';

/** All recipients of a campaign whose rows hold these phone numbers. */
function planOf(phoneNumbers: readonly unknown[], options: IDataObject) {
	const call = callWith({
		parameters: {
			...{ contactsSource: 'inputItems', phoneNumberField: 'phone' },
			options: { mappingMode: 'defineBelow', unusable: 'skip', ...options },
		},
		items: phoneNumbers.map((phone) => ({ phone }) as IDataObject),
	});
	const plan = planRecipients(contacts, call);
	const recipients = plan.batches.flatMap((batch) => batch.recipients) as IDataObject[];
	return { ...plan, numbers: recipients.map(({ phoneNumber }) => phoneNumber) };
}

describe('the numbers of all recipients', () => {
	it('are the same when they are completed again', () => {
		fc.assert(
			fc.property(
				fc.array(cell, { minLength: 1, maxLength: 20 }),
				country,
				fc.constantFrom('international', 'asEntered'),
				(texts, defaultCountry, numberFormat) => {
					const options = {
						...{ numberFormat, duplicates: 'skip' },
						...(defaultCountry === undefined ? {} : { defaultCountry }),
					};
					const once = planOf(texts, options);
					expect(once.numbers.length + once.skipped.length).toBe(texts.length);
					if (once.numbers.length === 0) return;
					const again = planOf(once.numbers, options);
					expect(again.numbers).toEqual(once.numbers);
					expect(again.skipped).toEqual([]);
				},
			),
			{ numRuns: runs(500) },
		);
	}, 60_000);

	it('are never sent to one person twice', () => {
		fc.assert(
			fc.property(fc.array(cell, { minLength: 1, maxLength: 20 }), country, (texts, region) => {
				const options = {
					duplicates: 'skip',
					...(region === undefined ? {} : { defaultCountry: region }),
				};
				const { numbers } = planOf([...texts, ...texts], options);
				expect(new Set(numbers).size).toBe(numbers.length);
			}),
			{ numRuns: runs(200) },
		);
	}, 60_000);
});

describe('numbers that are sent although they are invalid', () => {
	const sentOf = (texts: string[], options: IDataObject = {}) =>
		planOf(texts, { unusable: 'send', duplicates: 'skip', defaultCountry: 'GB', ...options })
			.numbers;

	it('are compared by number where it could be read', () => {
		const texts = ['020 7946 0958', '+44 20 7946 0958'];
		expect(sentOf(texts, { allowedTypes: ['mobile'] })).toEqual([texts[0]]);
	});

	it('are compared by their digits, or by their text where it holds more', () => {
		expect(sentOf(['12345', '123 45', '12346'])).toEqual(['12345', '12346']);
		const letters = ['0800 FLOWERS', '0800 FLOWERS ', '0800 CARDS'];
		expect(sentOf(letters)).toEqual([letters[0], letters[2]]);
	});

	it('are not compared where there is nothing', () => {
		expect(sentOf(['', ''])).toEqual(['', '']);
	});
});

describe('the options of phone numbers', () => {
	const optionsOf = (options: IDataObject, credential = '') =>
		readNumberOptions(
			callWith({ parameters: { options }, settings: { defaultCountry: credential } }),
		);

	it('have defaults', () => {
		expect(optionsOf({})).toEqual({ format: 'international' });
	});

	it.each(['GB', 'gb', ' gb '])('take the country %j', (defaultCountry) => {
		expect(optionsOf({ defaultCountry }).defaultCountry).toBe('GB');
	});

	it.each(['UK', 'United Kingdom', '44', '001', '__proto__', 'constructor'])(
		'refuse the country %j',
		(defaultCountry) => {
			expect(thrown(() => optionsOf({ defaultCountry }))).toMatchObject({
				message: `Default Country is not a country code (${defaultCountry})`,
			});
		},
	);

	it('take the country of the credential unless they have their own', () => {
		expect(optionsOf({}, ' gb ').defaultCountry).toBe('GB');
		expect(optionsOf({ defaultCountry: 'IE' }, 'GB').defaultCountry).toBe('IE');
		expect(thrown(() => optionsOf({}, 'UK'))).toMatchObject({
			message: 'Default Country of the credential is not a country code (UK)',
		});
	});

	it('take types as a list or as text, and refuse others', () => {
		expect(optionsOf({ allowedTypes: 'mobile, unknown' }).allowedTypes).toEqual(
			new Set(['mobile', 'unknown']),
		);
		expect(thrown(() => optionsOf({ allowedTypes: ['cell'] }))).toMatchObject({
			message: 'Allowed Types cannot be "cell"',
			description: expect.stringContaining('fixedLineOrMobile') as string,
		});
	});
});
