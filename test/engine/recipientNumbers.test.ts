import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { runAction } from '../support/engine';
import { modelSuite } from '../support/modelSuite';
import { holds } from '../support/runs';
import { cell, country } from '../unit/support/numberCells';

const { service, credential } = modelSuite();

/** The numbers that a campaign of these rows reaches, and how many rows are left out. */
async function reached(cells: readonly unknown[], options: IDataObject) {
	service.reset();
	const { items, errorItems } = await runAction({
		credential,
		parameters: {
			...{ resource: 'smsCampaign', operation: 'create', message: 'Sale', sender: 'Shop' },
			...{ contactsSource: 'inputItems', phoneNumberField: 'phone' },
			options: { mappingMode: 'defineBelow', unusable: 'skip', duplicates: 'skip', ...options },
		},
		items: cells.map((phone) => ({ phone }) as IDataObject),
		onError: 'continueErrorOutput',
	});
	const [request] = service.accepted;
	expect(items).toHaveLength(request === undefined ? 0 : 1);
	const contacts = (request?.body.contacts ?? []) as { phoneNumber: string }[];
	return { numbers: contacts.map(({ phoneNumber }) => phoneNumber), leftOut: errorItems.length };
}

const anyCells = fc.array(cell, { minLength: 1, maxLength: 20 });
const anyOptions = fc.record({
	numberFormat: fc.constantFrom('international', 'asEntered'),
	defaultCountry: country,
});
const given = (options: IDataObject): IDataObject =>
	options.defaultCountry === undefined ? { numberFormat: options.numberFormat } : options;

test('a campaign of any cells reaches nobody twice and accounts for every row', async () => {
	await holds(
		fc.asyncProperty(anyCells, country, async (cells, defaultCountry) => {
			const options = given({ numberFormat: 'international', defaultCountry });
			const { numbers, leftOut } = await reached([...cells, ...cells], options);
			expect(new Set(numbers).size).toBe(numbers.length);
			expect(numbers.length + leftOut).toBe(2 * cells.length);
		}),
		30,
	);
}, 60_000);

test('numbers that a campaign reached are the same when they are sent again', async () => {
	await holds(
		fc.asyncProperty(anyCells, anyOptions, async (cells, options) => {
			const once = await reached(cells, given(options));
			if (once.numbers.length === 0) return;
			const again = await reached(once.numbers, given(options));
			expect(again).toEqual({ numbers: once.numbers, leftOut: 0 });
		}),
		30,
	);
}, 60_000);

test('numbers sent although they are invalid are compared by what identifies them', async () => {
	const sent = async (cells: unknown[], options: IDataObject = {}) =>
		(await reached(cells, { unusable: 'send', defaultCountry: 'GB', ...options })).numbers;
	const landline = ['020 7946 0958', '+44 20 7946 0958'];
	expect(await sent(landline, { allowedTypes: ['mobile'] })).toEqual([landline[0]]);
	expect(await sent(['12345', '123 45', '12346'])).toEqual(['12345', '12346']);
	// A cell that holds a number, not text.
	expect(await sent([12345, '123 45', 12346])).toEqual(['12345', '12346']);
	// An object is no number: its text would be "[object Object]".
	expect(await sent([{ area: 1 }, '12345'])).toEqual(['', '12345']);
	const letters = ['0800 FLOWERS', '0800 FLOWERS ', '0800 CARDS'];
	expect(await sent(letters)).toEqual([letters[0], letters[2]]);
});

test('Default Country of the node counts before that of the credential', async () => {
	const send = { resource: 'smsMessage', operation: 'send', message: 'Hi', sender: 'Shop' };
	const inBritain = { ...credential, baseUrl: service.url, defaultCountry: ' gb ' };
	for (const [phoneNumber, options] of [
		['07400 123456', {}],
		['06 12 34 56 78', { defaultCountry: 'FR' }],
		['07400 123457', { defaultCountry: 'uk' }],
	] as const) {
		await runAction({ credential: inBritain, parameters: { ...send, phoneNumber, options } });
	}
	const numbers = service.accepted.map(({ body }) => body.phoneNumber);
	expect(numbers).toEqual(['+447400123456', '+33612345678', '+447400123457']);
});

test('a person with two spellings of a number gets one message', async () => {
	const cells = ['+55 11 8123-4567', '+55 11 98123-4567', '+52 1 55 1234 5678', '+525512345678'];
	expect(await reached(cells, {})).toEqual({
		numbers: ['+551181234567', '+525512345678'],
		leftOut: 2,
	});
});
