import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { CHANGED_NUMBERS } from '../unit/support/changedNumbers';
import { NUMBER_TYPES } from '../../nodes/MessagingService/numbers/numberTypes';
import { firstSentence } from '../../nodes/MessagingService/texts';
import { actionSuite, sendMessage } from '../support/actionSuite';
import { holds } from '../support/runs';
import { cell, country } from '../unit/support/numberCells';

const { bodies, credential, describeOperation, run, sandbox } = actionSuite();

const check = { resource: 'phoneNumber', operation: 'check', phoneNumber: '={{ $json.phone }}' };
const british = { defaultCountry: 'GB' };

async function checked(phones: unknown[], options: IDataObject = british) {
	const items = phones.map((phone, row) => ({ phone, row }) as IDataObject);
	const result = await run({ ...check, options }, { items });
	expect(result.error).toBeUndefined();
	return result.items.map(({ json }) => json);
}

describeOperation('phoneNumber', 'check', () => {
	it('says of each row what is known of its number, and keeps the fields of the row', async () => {
		expect(await checked(['07400 123456', '+1 212 555 0100', '4.477E+11', null])).toEqual([
			{
				...{ phone: '07400 123456', row: 0, reason: 'OK' },
				...{ valid: true, phoneNumber: '+447400123456', country: 'GB', type: 'mobile' },
				...{ timeZone: 'Europe/London' },
			},
			{
				...{ phone: '+1 212 555 0100', row: 1, reason: 'OK' },
				...{ valid: true, phoneNumber: '+12125550100', country: 'US' },
				...{ type: 'fixedLineOrMobile', timeZone: 'America/New_York' },
			},
			{
				...{ phone: '4.477E+11', row: 2 },
				...{ valid: false, phoneNumber: '4.477E+11', country: null, type: null, timeZone: null },
				reason:
					'The phone number has lost digits (4.477E+11). Format the column as text in the spreadsheet, then restore the numbers.',
			},
			expect.objectContaining({
				...{ phone: null, row: 3, phoneNumber: '', valid: false },
				reason:
					'This row has no phone number. Enter a number in international form, for example +447700900123.',
			}),
		]);
	});

	it('keeps a number whose country is unknown as entered, as a campaign sends it', async () => {
		const [row] = await checked(['07400 123456'], {});
		expect(row).toMatchObject({
			...{ valid: true, phoneNumber: '07400 123456', country: null, type: null },
			...{ timeZone: null },
		});
	});

	it.each([
		['+447400123456', 'Europe/London'],
		['+61412345678', 'Australia/Perth'],
		['+14805550123', 'America/Phoenix'],
		['+80012345678', null],
	])('gives %s the time zone in which a time of day comes last (%s)', async (phone, zone) => {
		const [row] = await checked([phone]);
		expect(row).toMatchObject({ timeZone: zone });
	});

	it('knows a number whose type is not allowed', async () => {
		const [row] = await checked(['020 7946 0958'], { ...british, allowedTypes: ['mobile'] });
		expect(row).toMatchObject({
			...{ valid: false, phoneNumber: '+442079460958', country: 'GB', type: 'fixedLine' },
			reason: expect.stringContaining('is of type Fixed Line, not allowed'),
		});
	});

	it('puts the result into the field of your choice', async () => {
		const [row] = await checked(['07400 123456'], { ...british, outputField: 'number' });
		expect(row).toMatchObject({ row: 0, number: { valid: true } });
		expect(row).not.toHaveProperty('check');
	});

	it('puts its own columns before those of the row, which it replaces if they have its names', async () => {
		const items = [{ row: 1, phone: '07400 123456', country: 'England', valid: false }];
		const [item] = (await run({ ...check, options: british }, { items })).items;
		expect(item?.json).toMatchObject({ ...items[0], country: 'GB', valid: true });
		expect(Object.keys(item?.json ?? {})).toEqual([
			...['phoneNumber', 'valid', 'reason', 'country', 'type', 'timeZone', 'row', 'phone'],
		]);
	});

	describe('of which a row has a wrong Default Country of its own', () => {
		const items = [
			{ phone: '07400 123456', country: 'UK' },
			{ phone: '+1 212 555 0100', country: 'Utopia' },
			{ phone: '07400 123456', country: '' },
		];
		const options = { defaultCountry: '={{ $json.country }}' };

		it('says so of this row, and checks the others', async () => {
			const { error, items: output } = await run({ ...check, options }, { items });
			expect(error).toBeUndefined();
			expect(output.map(({ json }) => json)).toMatchObject([
				{ valid: true, phoneNumber: '+447400123456' },
				{
					...{ valid: false, phoneNumber: '+12125550100', country: 'US' },
					reason:
						'Default Country is not a country code (Utopia). Use a two-letter code of ISO 3166-1, for example GB for the United Kingdom.',
				},
				{
					valid: false,
					reason: expect.stringMatching(/Check the digits and the country\.$/) as string,
				},
			]);
		});

		it('sends this row to the error output where the user wants it there', async () => {
			const { items: output, errorItems } = await run(
				{ ...check, options: { ...options, onInvalid: 'error' } },
				{ items: items.slice(0, 2), onError: 'continueErrorOutput' },
			);
			expect(output).toHaveLength(1);
			expect(errorItems[0]?.json.error).toBe('Default Country is not a country code (Utopia)');
		});

		it('stops all rows where the country is one setting for all', async () => {
			for (const defaultCountry of ['Utopia', '={{ "Utopia" }}']) {
				const { error } = await run({ ...check, options: { defaultCountry } }, { items });
				expect(error?.message).toBe('Default Country is not a country code (Utopia)');
			}
		});
	});

	it('sends invalid rows to the error output where the user wants them there', async () => {
		const { items, errorItems } = await run(
			{ ...check, options: { ...british, onInvalid: 'error' } },
			{
				items: [{ phone: '07400 123456' }, { phone: 'none' }],
				onError: 'continueErrorOutput',
			},
		);
		expect(items.map(({ json }) => json.phone)).toEqual(['07400 123456']);
		expect(errorItems.map(({ json }) => json)).toMatchObject([
			{ phone: 'none', error: expect.stringMatching(/^Phone Number /) },
		]);
	});

	it('makes no request', async () => {
		await checked(['07400 123456']);
		expect((await sandbox().requests()).total).toBe(0);
	});
});

const withList = (changes: IDataObject = {}) =>
	credential({
		sendingPolicy: true,
		doNotContactParameter: 'parameter3',
		doNotContactValue: 'Opt out',
		...changes,
	} as never);

const optOut = { resource: 'phoneNumber', operation: 'optOut', phoneNumber: '={{ $json.phone }}' };
const undo = { ...optOut, operation: 'undoOptOut' };

async function storedNumbers() {
	const path = '/api/PhoneNumberStorageItem/100/1';
	return (await sandbox().api.get<{ items: IDataObject[] }>(path)).data.items;
}

describeOperation('phoneNumber', 'optOut', () => {
	it('stores the number with the mark of the credential, under an ID of its own', async () => {
		const { items } = await run(optOut, {
			items: [{ phone: '+44 7700 900-001' }, { phone: 447700900002 }],
			credential: withList(),
		});
		const stored = ['447700900001', '447700900002'].map((digits) => ({
			...{ storageID: `opt-out-${digits}`, parameter3: 'Opt out' },
		}));
		expect(await storedNumbers()).toMatchObject(stored);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ phoneNumber: '+447700900001', optedOut: true, storageID: 'opt-out-447700900001' },
			{ optedOut: true, storageID: 'opt-out-447700900002' },
		]);
	});

	it('keeps the person out of what the credential sends, however the number is written', async () => {
		const list = withList({ defaultCountry: 'GB', clientId: '1002' });
		await run(optOut, { items: [{ phone: '07700 900001' }], credential: list });
		const { errorItems } = await run(
			{ ...sendMessage, phoneNumber: '+447700900001' },
			{ credential: list, onError: 'continueErrorOutput' },
		);
		expect(errorItems.map(({ json }) => json)).toMatchObject([{ sent: 'no', skipped: true }]);
	});

	it.each([' Moved away\nOpt out, Undeliverable', 'Moved away; Opt out'])(
		'stores the first of several values, and leaves out whoever has one: %j',
		async (doNotContactValue) => {
			const several = withList({ doNotContactValue });
			await run(optOut, { items: [{ phone: '+447700900001' }], credential: several });
			expect(await storedNumbers()).toMatchObject([{ parameter3: 'Moved away' }]);
			const other = { storageID: 'b', number: '+447700900002', parameter3: 'Opt out' };
			await sandbox().api.post('/api/PhoneNumberStorageItem', other);
			const { items } = await run(
				{ ...sendMessage, phoneNumber: '={{ $json.phone }}' },
				{
					items: ['1', '2', '3'].map((end) => ({ phone: `+44770090000${end}` })),
					credential: several,
					onError: 'continueErrorOutput',
				},
			);
			expect(items.map(({ json }) => json.phoneNumber)).toEqual(['+447700900003']);
		},
	);

	it('leaves a record alone that stores the number under another ID', async () => {
		const customer = { storageID: 'customer-1', number: '+447700900001', parameter1: 'Ada' };
		await sandbox().api.post('/api/PhoneNumberStorageItem', customer);
		await run(optOut, { items: [{ phone: '+447700900001' }], credential: withList() });
		expect(await storedNumbers()).toMatchObject([customer, { storageID: 'opt-out-447700900001' }]);
	});

	it.each([
		['has no policy', credential],
		['has a policy without the rule', () => credential({ sendingPolicy: true })],
	])('says which two fields to set where the credential %s', async (_, without) => {
		const { error, requests } = await run(optOut, {
			items: [{ phone: '+447700900001' }],
			credential: without(),
		});
		expect(error?.message).toBe('The credential has no do-not-contact list');
		expect(error?.description).toMatch(/Do Not Contact: Parameter.* and Do Not Contact: Value/);
		expect(requests).toEqual([]);
	});

	const unclear = [{ kind: 'status', status: 500 }, { kind: 'cutAfterAccept' }] as const;

	const store = { resource: 'phoneNumberStorage', operation: 'create', storageID: 'a' };
	const storing = [optOut, undo, { ...store, number: '={{ $json.phone }}' }];
	it.each(storing.flatMap((each) => unclear.map((fault) => ({ fault, each }))))(
		'is stored again where the response does not say whether it was: %j',
		async ({ fault, each }) => {
			await sandbox().fault({ match: { method: 'POST' }, fault });
			const { error, requests } = await run(each, {
				items: [{ phone: '+447700900001' }],
				credential: withList(),
			});
			expect(error).toBeUndefined();
			expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
			expect(await storedNumbers()).toHaveLength(1);
		},
	);

	it('is sent: no where every try fails, so that the next execution of the node stores it', async () => {
		await sandbox().fault({ ...{ match: { method: 'POST' }, times: 'always' }, fault: unclear[0] });
		const { errorItems } = await run(optOut, {
			items: [{ phone: '+447700900001' }],
			credential: withList(),
			onError: 'continueErrorOutput',
		});
		expect(errorItems.map(({ json }) => json)).toMatchObject([
			{ sent: 'no', description: expect.not.stringContaining('may have been accepted') },
		]);
	});

	it('stores no number that would protect nobody', async () => {
		const { items, errorItems } = await run(optOut, {
			items: [{ phone: '4.477E+11' }, { phone: '' }, { phone: '+447700900001' }],
			credential: withList(),
			onError: 'continueErrorOutput',
		});
		expect(items).toHaveLength(1);
		expect(errorItems.map(({ json }) => json.error)).toEqual([
			expect.stringContaining('lost digits'),
			expect.stringContaining('Phone Number'),
		]);
		expect(await storedNumbers()).toHaveLength(1);
	});
});

describeOperation('phoneNumber', 'undoOptOut', () => {
	it('has one ID for one person, in the older spelling and in the one of today', async () => {
		const changed = CHANGED_NUMBERS.filter(([, , , verdict]) => verdict === 'one');
		const readable = await checked(
			changed.map(([, was]) => was),
			{},
		);
		const one = changed.filter((_, row) => readable[row]?.valid === true);
		expect(one.length).toBeGreaterThan(5);
		const idsOf = async (parameters: typeof undo, phones: string[]) => {
			const { items } = await run(parameters, {
				items: phones.map((phone) => ({ phone })),
				credential: withList(),
			});
			return items.map(({ json }) => json.storageID);
		};
		const [older, today] = [one.map(([, was]) => was), one.map(([, , is]) => is)];
		const stored = await idsOf(optOut, older);
		expect(stored).toHaveLength(one.length);
		expect(await idsOf(undo, today)).toEqual(stored);
		const marks = (await storedNumbers()).map(({ parameter3 }) => parameter3);
		expect(new Set(marks)).toEqual(new Set(['']));
	});

	it('takes the mark away again, however the number is written', async () => {
		const settings = { credential: withList({ defaultCountry: 'GB' }) };
		await run(optOut, { items: [{ phone: '+447700900001' }], ...settings });
		const { items } = await run(undo, { items: [{ phone: '07700 900 001' }], ...settings });
		expect(items.map(({ json }) => json)).toEqual([
			{
				...{ phoneNumber: '+447700900001', optedOut: false, reason: 'OK' },
				storageID: 'opt-out-447700900001',
			},
		]);
		expect(await storedNumbers()).toMatchObject([
			{ storageID: 'opt-out-447700900001', number: '+447700900001', parameter3: '' },
		]);
	});

	it.each([
		['another of the marks', { storageID: 'undeliverable-1', parameter3: 'Undeliverable' }],
		['another ID', { storageID: 'imported-1', parameter3: 'opt-out' }],
		['another spelling', { storageID: 'imported-1', number: '07700900001', parameter3: 'Opt out' }],
		[
			'the last digits, whose number it may be',
			{ storageID: 'imported-1', number: '0331 0900001 (work)', parameter3: 'Opt out' },
		],
	])('says which record still keeps the person out: one with %s', async (_, record) => {
		const settings = {
			items: [{ phone: '+447700900001' }],
			credential: withList({ doNotContactValue: 'Opt out, Undeliverable', defaultCountry: 'GB' }),
		};
		const stored = { number: '+447700900001', ...record };
		const others = ['+447700900002', '+447700900003'].map((number, index) => ({
			...{ storageID: `other-${index}`, number, parameter3: ['Opt out', ''][index] },
		}));
		for (const each of [stored, ...others]) {
			await sandbox().api.post('/api/PhoneNumberStorageItem', each);
		}
		await run(optOut, settings);
		const { items } = await run(undo, settings);
		expect(items.map(({ json }) => json)).toMatchObject([
			{
				optedOut: true,
				reason: `Still on the list, under the ID ${record.storageID}. If its number is this person's, empty Parameter 3 there with Phone Number Storage: Update.`,
			},
		]);
		const sending = { ...settings, onError: 'continueErrorOutput' } as const;
		const refused = await run({ ...sendMessage, phoneNumber: '={{ $json.phone }}' }, sending);
		expect(refused.errorItems).toHaveLength(1);
	});

	it('reads the list once for all numbers, and says where it cannot be read', async () => {
		const settings = {
			items: [{ phone: '+447700900001' }, { phone: '+447700900002' }],
			credential: withList(),
		};
		const { items, requests } = await run(undo, settings);
		expect(items.map(({ json }) => json.optedOut)).toEqual([false, false]);
		expect(requests.filter(({ path }) => path.endsWith('/5000/1'))).toHaveLength(1);
		await sandbox().fault({
			...{ match: { method: 'GET' }, times: 'always' },
			fault: { kind: 'status', status: 403 },
		});
		const unread = await run(undo, settings);
		expect(unread.items.map(({ json }) => json)).toMatchObject(
			settings.items.map(() => ({
				optedOut: null,
				reason: expect.stringMatching(/^Taken off, but another record may still have the number: /),
			})),
		);
	});
});

it('says of every number what SMS Campaign: Create does with it', async () => {
	const rows = fc.array(cell, { minLength: 1, maxLength: 30 });
	const types = fc.option(fc.subarray([...NUMBER_TYPES], { minLength: 1 }), { nil: undefined });
	await holds(
		fc.asyncProperty(rows, country, types, async (phones, defaultCountry, allowedTypes) => {
			await sandbox().reset();
			const options = {
				...(defaultCountry === undefined ? {} : { defaultCountry }),
				...(allowedTypes === undefined ? {} : { allowedTypes }),
			};
			const found = await checked(phones, options);
			// Without a policy, these refuse a campaign as a whole.
			const isCostly = ({ type, phoneNumber }: IDataObject) =>
				['premiumRate', 'personalNumber'].includes(String(type)) ||
				/^\+8(70|8[1-3])/.test(String(phoneNumber));
			fc.pre(!found.some(isCostly));
			const created = await run(
				{
					...{ resource: 'smsCampaign', operation: 'create', message: 'Hi', sender: 'Shop' },
					phoneNumberField: 'phone',
					options: { ...options, unusable: 'skip', duplicates: 'send' },
				},
				{ items: phones.map((phone) => ({ phone, row: 1 })), onError: 'continueErrorOutput' },
			);
			const contacts = (await bodies('createSmsCampaign')).flatMap(
				(body) => (body as { contacts: { phoneNumber: string }[] }).contacts,
			);
			expect(found.filter(({ valid }) => valid).map(({ phoneNumber }) => phoneNumber)).toEqual(
				contacts.map(({ phoneNumber }) => phoneNumber),
			);
			const problems = found.filter(({ valid }) => valid === false);
			expect(created.errorItems.map(({ json }) => String(json.error).toLowerCase())).toEqual(
				problems.map(({ reason }) => firstSentence(String(reason)).slice(0, -1).toLowerCase()),
			);
		}),
		30,
	);
}, 120_000);
