import type { IDataObject } from 'n8n-workflow';
import { actionSuite } from '../support/actionSuite';

const { bodies, run } = actionSuite({ concurrentRequests: 1 });

const mapping = (options: IDataObject) => ({
	options: { mappingMode: 'autoMapInputData', ...options },
});
const send = { resource: 'smsMessage', operation: 'send', ...mapping({}) };
const store = { resource: 'phoneNumberStorage', operation: 'create', ...mapping({}) };

describe('Map Automatically', () => {
	it('takes input fields whose names are alike, as campaigns do', async () => {
		const { error } = await run(send, {
			items: [{ 'Phone Number': '+447700900001', MESSAGE: 'Hi', sender: 'Shop' }],
		});
		expect(error).toBeUndefined();
		expect(await bodies('sendSmsMessage')).toEqual([
			{ phoneNumber: '+447700900001', message: 'Hi', sender: 'Shop' },
		]);
	});

	it.each(['undefined', 'null', 'NaN'])(
		'refuses a cell with nothing but %s, not a text with it',
		async (word) => {
			const row = { phoneNumber: '+447700900001', sender: 'Shop' };
			const { error, requests } = await run(send, { items: [{ ...row, message: word }] });
			expect(error?.message).toBe(`Message contains "${word}"`);
			expect(requests).toEqual([]);
			await run(send, { items: [{ ...row, message: `Is it ${word}?` }] });
			expect(await bodies('sendSmsMessage')).toMatchObject([{ message: `Is it ${word}?` }]);
		},
	);

	it('refuses two input fields that match one field', async () => {
		const { error, requests } = await run(send, {
			items: [
				{ 'Phone Number': '+447700900001', message: 'Hi', sender: 'Shop' },
				{ PhoneNumber: '+447700900002', message: 'Hi', sender: 'Shop' },
			],
		});
		expect(error?.message).toBe('Phone Number Field matches "Phone Number" and "PhoneNumber"');
		expect(requests).toEqual([]);
	});

	it.each([false, NaN, 1e21, 'Hi \ud83d'])(
		'refuses %p as a name of a contact, too',
		async (name) => {
			const { error, requests } = await run(
				{
					...{ resource: 'smsCampaign', operation: 'create', message: 'Hi', sender: 'Shop' },
					...{ contactsSource: 'inputItems', phoneNumberField: 'phoneNumber' },
				},
				{ items: [{ phoneNumber: '+447700900001', name } as IDataObject] },
			);
			expect(error?.message).toContain('Contacts include 1 invalid or duplicate item of 1');
			expect(error?.description).toMatch(/Name (is|contains)/);
			expect(requests).toEqual([]);
		},
	);

	it('refuses names of input fields that differ between the items', async () => {
		const item = { mobile: '+447700900002', phoneNumber: '+447700900001', message: 'Hi' };
		const { error, requests } = await run(
			{ ...send, ...mapping({ inputFieldNames: { phoneNumber: '={{ $json.column }}' } }) },
			{ items: ['phoneNumber', 'mobile'].map((column) => ({ ...item, sender: 'Shop', column })) },
		);
		expect(error?.message).toBe('Input Field Names differs between the input items');
		expect(requests).toEqual([]);
	});

	it('reads fields of other names, also nested ones, as mapped once', async () => {
		await run(
			{
				...send,
				...mapping({
					inputFieldNames: { phoneNumber: 'customer.phone', message: 'Text to Send' },
				}),
			},
			{
				items: [{ customer: { phone: '+447700900001' }, 'Text to Send': 'Hi', sender: 'Shop' }],
			},
		);
		expect(await bodies('sendSmsMessage')).toEqual([
			{ phoneNumber: '+447700900001', message: 'Hi', sender: 'Shop' },
		]);
	});

	it('uses the values for all items where an item has none', async () => {
		await run(
			{
				...send,
				...mapping({ sharedValues: { sender: '={{ "Sh" + "op" }}', message: 'Hello' } }),
			},
			{
				items: [
					{ phoneNumber: '+447700900001', sender: '' },
					{ phoneNumber: '+447700900002', sender: 'Club', message: null },
				],
			},
		);
		expect(await bodies('sendSmsMessage')).toEqual([
			{ phoneNumber: '+447700900001', message: 'Hello', sender: 'Shop' },
			{ phoneNumber: '+447700900002', message: 'Hello', sender: 'Club' },
		]);
	});

	it('makes a value for all items of the fields of each', async () => {
		const message = '={{ "Hi " + $json.name }}';
		const items = ['Ada', 'Ben'].map((name, row) => ({ phoneNumber: `+44770090000${row}`, name }));
		await run({ ...send, ...mapping({ sharedValues: { sender: 'Shop', message } }) }, { items });
		expect(await bodies('sendSmsMessage')).toMatchObject([
			{ phoneNumber: '+447700900000', message: 'Hi Ada' },
			{ phoneNumber: '+447700900001', message: 'Hi Ben' },
		]);
	});

	it('refuses a name that no input item has, and says what they have', async () => {
		const { error } = await run(
			{
				...send,
				...mapping({
					inputFieldNames: { message: 'Txt' },
					sharedValues: { message: 'Hello', sender: 'Shop' },
				}),
			},
			{ items: [{ phoneNumber: '+447700900001', Text: 'Your own offer' }] },
		);
		expect(error?.message).toBe('Message Field names "Txt", which is no input field');
		expect(error?.description).toContain('There are: phoneNumber, Text.');
		expect(await bodies('sendSmsMessage')).toEqual([]);
	});

	it('stores numbers with the parameters that the items have', async () => {
		const { error } = await run(
			{ ...store, ...mapping({ inputFieldNames: { parameter2: 'city' } }) },
			{
				items: [
					{
						storageID: 'a',
						number: '+447700900001',
						parameter1: 'x',
						city: 'Leeds',
						parameter9: 9,
					},
					{ storageID: 7, number: 447700900002, parameter1: '' },
				],
			},
		);
		expect(error).toBeUndefined();
		expect(await bodies('saveStoredPhoneNumber')).toEqual([
			{
				storageID: 'a',
				number: '+447700900001',
				parameter1: 'x',
				parameter2: 'Leeds',
				parameter9: '9',
			},
			{ storageID: '7', number: '447700900002' },
		]);
	});
});
