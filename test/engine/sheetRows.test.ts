import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { contacts } from '../../nodes/MessagingService/resources/smsCampaign/contacts';
import { phoneNumbers } from '../../nodes/MessagingService/resources/voiceCampaign/phoneNumbers';
import { runAction } from '../support/engine';
import { modelSuite } from '../support/modelSuite';
import { voiceParameters } from '../support/voiceCampaign';

/** Rows and columns as sheets and exports have them. */
const { service, credential } = modelSuite();

const campaign = {
	...{ resource: 'smsCampaign', operation: 'create', message: 'Sale', sender: 'Shop' },
	phoneNumberField: 'phone',
};
const send = {
	...{ resource: 'smsMessage', operation: 'send', message: 'Sale', sender: 'Shop' },
	phoneNumber: '={{ $json.phone }}',
};
const ann = { phone: '+447700900123', name: 'Ann' };
const bob = { phone: '+447700900124', name: 'Bob' };

const run = async (parameters: IDataObject, items: IDataObject[], more: object = {}) =>
	await runAction({ credential, parameters, items, ...more });
const runFile = async (lines: string[], parameters: IDataObject = {}, more: object = {}) =>
	await run({ ...campaign, contactsSource: 'file', ...parameters }, [{}], {
		files: [Buffer.from([...lines, ''].join('\n'))],
		...more,
	});

const reached = () =>
	service.accepted.flatMap(({ body }) =>
		'contacts' in body
			? (body.contacts as { phoneNumber: string }[]).map(({ phoneNumber }) => phoneNumber)
			: [body.phoneNumber],
	);
const both = [ann.phone, bob.phone];

describe('a row of nothing but blank cells is nobody', () => {
	const blank = [{ phone: '', name: '' }, { phone: ' ', name: null, row_number: 4 }, {}];

	test.each([{}, { unusable: 'send', duplicates: 'send' }])(
		'among the input items of a campaign (options %j)',
		async (options) => {
			const result = await run({ ...campaign, options }, [ann, ...blank, bob]);
			expect(result.error).toBeUndefined();
			expect(reached()).toEqual(both);
			expect(result.hints).toEqual(['Left out 3 of 5 rows: 3 blank.']);
			expect(result.items[0]?.json).toMatchObject({ recipients: 2, skippedCount: 3 });
		},
	);

	test('but fails as the only row', async () => {
		for (const row of blank) {
			const { error } = await run(send, [row]);
			expect(error?.message).toBe('Phone Number is empty');
		}
	});

	test('but is one time where the node reaches nobody of its own', async () => {
		const start = { resource: 'smsCampaign', operation: 'postById', dryRun: true };
		const campaignId = { __rl: true, mode: 'id', value: 'a' };
		const { items } = await run({ ...start, campaignId }, [{}, {}]);
		expect(items.map(({ json }) => json.wouldSend)).toEqual([true, true]);
	});

	test('among the entries of a list in JSON', async () => {
		const rows: IDataObject[] = [ann, ...blank, bob];
		const entries = rows.map(({ phone, name }) => ({ phoneNumber: phone, name }));
		const list = { contactsSource: 'json', contactsJson: JSON.stringify([...entries, '', null]) };
		const result = await run({ ...campaign, ...list }, [{}]);
		expect(result.error).toBeUndefined();
		expect(reached()).toEqual(both);
		expect(result.hints).toEqual(['Left out 5 of 7 rows: 5 blank.']);
		expect(result.items[0]?.json).toMatchObject({ recipients: 2, skippedCount: 5 });
	});

	test('but an empty entry of the form stops the campaign: somebody has added it', async () => {
		const contacts = { entry: [{ phoneNumber: ann.phone }, { phoneNumber: '', name: '' }] };
		const { error } = await run({ ...campaign, contactsSource: 'list', contacts }, [{}]);
		expect(error?.message).toBe('Contacts include 1 invalid or duplicate entry of 2');
		expect(error?.description).toContain('For entry 2, this row has no phone number.');
		expect(error?.description).not.toContain('All of them');
		expect(reached()).toEqual([]);
	});

	test('among the messages that Send sends', async () => {
		const result = await run(send, [ann, ...blank, bob], { onError: 'continueErrorOutput' });
		expect(reached()).toEqual(both);
		expect(result.hints).toEqual(['Left out 3 of 5 rows: 3 blank.']);
		expect(result.errorItems.map(({ json }) => json)).toEqual(
			blank.map((row) => expect.objectContaining({ ...row, sent: 'no' }) as object),
		);
	});

	test('and does not stop Send, as a row with a name and no number does', async () => {
		expect((await run(send, [ann, ...blank, bob])).error).toBeUndefined();
		service.reset();
		const { error } = await run(send, [{ phone: '', name: 'Ann' }, bob]);
		expect(error?.message).toContain('Phone Number is empty');
		expect(reached()).toEqual([]);
	});

	test('but an item gets its message where its fields are not what is sent', async () => {
		await run({ ...send, phoneNumber: ann.phone }, [{ note: '' }]);
		expect(reached()).toEqual([ann.phone]);
	});

	test('in a dry run of Send, which says so', async () => {
		const result = await run({ ...send, dryRun: true }, [ann, { phone: '' }]);
		expect(result.items.map(({ json }) => json)).toMatchObject([
			{ wouldSend: true },
			{ wouldSend: false, reason: expect.stringMatching(/the row is blank/i) },
		]);
		expect(result.hints).toEqual([
			'Dry run: nothing was sent. 1 of 2 rows would be sent, 1 SMS part.',
		]);
	});

	test.each([
		['CSV', ['phone,name', `${ann.phone},Ann`, ',', '  , ', ',,,', '""', `${bob.phone},Bob`]],
		[
			'JSON Lines',
			[ann, { phone: '', name: null }, { phone: ' ' }, {}, { name: '' }, bob].map((row) =>
				JSON.stringify(row),
			),
		],
	])('in a file (%s)', async (_, lines) => {
		const fileOptions = { problemsFile: true };
		const result = await runFile(lines, { fileOptions });
		expect(result.error).toBeUndefined();
		expect(reached()).toEqual(both);
		expect(result.items[0]?.json.file).toMatchObject({ rows: 6, leftOut: { blank: 4 } });
		expect(result.hints).toEqual(['Left out 4 of 6 rows: 4 blank.']);
		expect(result.items[0]?.binary).toBeUndefined();
	});

	test('and a list of them has nobody to send to', async () => {
		const { error } = await run(campaign, blank.slice(0, 2));
		expect(error?.message).toBe('Contacts are all left out');
		expect(error?.description).toContain(
			'None of 2 is left to send to. For the first of them, the row is blank.',
		);
		const ofFile = await runFile(['phone,name', ',', ' ,']);
		expect([ofFile.error?.message, ofFile.error?.description]).toEqual([
			error?.message,
			error?.description,
		]);
	});
});

describe('a column is found', () => {
	const names = [
		...['\ufeffphone', 'phone ', ' phone', '\u200bphone', 'phone\u00a0', '\ufeff phone\t'],
		'\u3164phone\ufe0f',
	];

	test.each(names)('by its name, when the sheet has it as %j', async (name) => {
		await run(campaign, [{ [name]: ann.phone }]);
		expect(reached()).toEqual([ann.phone]);
	});

	test.each(names)('in a file, when its header has it as %j', async (name) => {
		await runFile([`name,${name}`, `Ann,${ann.phone}`]);
		expect(reached()).toEqual([ann.phone]);
	});

	test('when the sheet has the name of a field with a byte order mark before it', async () => {
		const other = {
			...campaign,
			phoneNumberField: 'mobile',
			options: { mappingMode: 'defineBelow' },
		};
		await run({ ...other, additionalFields: { otherFields: { name: 'first' } } }, [
			{ '\ufeffmobile': ann.phone, 'first ': 'Ann' },
		]);
		expect(service.accepted[0]?.body.contacts).toEqual([{ phoneNumber: ann.phone, name: 'Ann' }]);
	});

	test.each(['te\u0301le\u0301phone', 'téléphone'])(
		'with accents, as the letters are or with the marks of macOS behind them: %j',
		async (name) => {
			const french = { ...campaign, phoneNumberField: 'téléphone' };
			await run(french, [{ [name]: ann.phone }]);
			await runFile([`name,${name}`, `Ann,${bob.phone}`], french);
			expect(reached()).toEqual([ann.phone, bob.phone]);
		},
	);

	test.each([
		'Phone\nnumber',
		'Phone \r\nnumber',
		'Phone\u00a0number',
		'Phone\tnumber',
		'Phone  number',
	])(
		'as people read its name, where the sheet has something else than one blank in it: %j',
		async (name) => {
			const read = { ...campaign, phoneNumberField: 'Phone number' };
			await run(read, [{ [name]: ann.phone }]);
			await runFile([`name,"${name}"`, `Ann,${bob.phone}`], read);
			expect(reached()).toEqual([ann.phone, bob.phone]);
		},
	);

	const nested = { customer: { phone: ann.phone, first: 'Ann' }, note: 'x' };
	test.each([
		['input items', async (fields: IDataObject) => await run(fields, [nested])],
		['JSON Lines', async (fields: IDataObject) => await runFile([JSON.stringify(nested)], fields)],
	])(
		'by a path with blanks around it, of which the first name counts as used: %s',
		async (_, from) => {
			const otherFields = { name: ' customer.first ' };
			const { items } = await from({
				...{ ...campaign, phoneNumberField: ' customer.phone ' },
				additionalFields: { otherFields },
			});
			expect(service.accepted[0]?.body.contacts).toEqual([{ phoneNumber: ann.phone, name: 'Ann' }]);
			expect(items[0]?.json).toMatchObject({ columnsUsed: ['customer'], columnsNotUsed: ['note'] });
		},
	);

	const otherFields = [
		...Object.entries(contacts.otherFields).map((each) => [...each, campaign] as const),
		...Object.entries(phoneNumbers.otherFields).map((each) => [...each, voiceParameters] as const),
	];
	test.each(otherFields)(
		'under the name that was entered for %s, not under another one: %s Field',
		async (name, label, parameters) => {
			const additionalFields = { otherFields: { [name]: 'no such' } };
			const { error } = await run({ ...campaign, ...parameters, additionalFields }, [
				{ ...ann, [name]: 'Ann' },
			]);
			expect(error?.message).toBe(`${label} Field names "no such", which is no input field`);
			expect(service.accepted).toEqual([]);
		},
	);

	test('for a field that nobody has named, too', async () => {
		await run(campaign, [{ phone: ann.phone, '\ufeffName ': 'Ann B' }]);
		await run(campaign, [{ phone: bob.phone, 'custom_1\u200b': 'Oxford' }]);
		expect(service.accepted.map(({ body }) => body.contacts)).toEqual([
			[{ phoneNumber: ann.phone, name: 'Ann B' }],
			[{ phoneNumber: bob.phone, custom1: 'Oxford' }],
		]);
	});

	test('only under the names that were entered, if nothing else is wanted', async () => {
		const options = { mappingMode: 'defineBelow' };
		const additionalFields = { otherFields: { custom1: 'town' } };
		const { items } = await run({ ...campaign, options, additionalFields }, [
			{ phone: ann.phone, name: 'Ann', town: 'Oxford', custom2: 'x' },
		]);
		expect(service.accepted[0]?.body.contacts).toEqual([
			{ phoneNumber: ann.phone, custom1: 'Oxford' },
		]);
		expect(items[0]?.json.columnsNotUsed).toEqual(['name', 'custom2']);
	});

	test.each<[string, IDataObject]>([
		['customer.phone', { customer: { phone: bob.phone } }],
		['phones[1]', { phones: [ann.phone, bob.phone] }],
		["customer['Phone No']", { customer: { 'Phone No': bob.phone } }],
	])(
		'by a path such as n8n writes, also where the first rows do not have it: %s',
		async (phoneNumberField, row) => {
			const options = { unusable: 'skip' };
			await run({ ...campaign, phoneNumberField, options }, [{}, { customer: {} }, row]);
			expect(reached()).toEqual([bob.phone]);
		},
	);

	test.each(['custom1', 'Custom 1', 'CUSTOM_1', 'custom-1', 'custom - 1'])(
		'by the name of a field of the service, written as people write it: %s',
		async (name) => {
			await run(campaign, [{ phone: ann.phone, [name]: 'Oxford' }]);
			await runFile([`phone,${name}`, `${bob.phone},Leeds`]);
			expect(service.accepted.map(({ body }) => body.contacts)).toEqual([
				[{ phoneNumber: ann.phone, custom1: 'Oxford' }],
				[{ phoneNumber: bob.phone, custom1: 'Leeds' }],
			]);
		},
	);

	test('exactly, where two differ in what cannot be seen', async () => {
		await run(campaign, [{ '\ufeffphone': bob.phone, phone: ann.phone }]);
		expect(reached()).toEqual([ann.phone]);
	});

	test('or the error shows what cannot be seen', async () => {
		const { error } = await run({ ...campaign, phoneNumberField: 'phone no' }, [
			{ '\ufeffphone': '', 'name ': 'Ann', 'a\u00a0b': 1, ok: 2 },
		]);
		expect(error?.message).toBe('Phone Number Field names "phone no", which is no input field');
		expect(error?.description).toContain('There are: [U+FEFF]phone, name[blank], a[U+00A0]b, ok.');
	});

	test.each([
		['all of an ordinary sheet', 10, 10],
		['the first of very many', 100, 16],
	])('or the error names the columns: %s', async (_, count, named) => {
		const names = Array.from({ length: count }, (_each, index) => `Column ${index + 100}`);
		const sheet = Object.fromEntries(names.map((name) => [name, 'x']));
		const { error } = await run({ ...campaign, phoneNumberField: 'tel' }, [sheet]);
		const [, list = ''] = /There are: (.*?)(\.|$)/.exec(error?.description ?? '') ?? [];
		expect(list.split(', ').slice(0, named)).toEqual(names.slice(0, named));
		expect(error?.description?.includes('...')).toBe(named < count);
		expect(error?.description?.length).toBeLessThan(300);
	});

	test.each(['Handy;phone', 'Handy\tphone'])(
		'or the error says that the columns were not separated: %j',
		async (name) => {
			const { error } = await run(campaign, [{ [name]: `Ann;${ann.phone}` }]);
			expect(error?.description).toContain(
				'The columns are not separated: set Delimiter in the node that reads the file. There are: ',
			);
		},
	);

	test('or the error says which two it may be', async () => {
		const { error } = await run(campaign, [{ '\ufeffphone': '1', 'phone ': '2' }]);
		expect(error?.message).toBe('Phone Number Field matches "[U+FEFF]phone" and "phone[blank]"');
	});
});

test.each([
	['Send', () => send],
	['Create', () => campaign],
])(
	'several numbers in one field send nothing, and the error says how to have an item for each: %s',
	async (_, parameters) => {
		const { error } = await run(parameters(), [{ phone: [ann.phone, bob.phone], name: 'Ann' }]);
		expect(`${error?.message} ${error?.description}`).toMatch(/phone number is a list/i);
		expect(error?.description).toContain('Put Split Out before this node');
		expect(reached()).toEqual([]);
	},
);

describe('a start that is over', () => {
	const minutesAgo = (minutes: number) => DateTime.utc().minus({ minutes }).toISO();
	const update = {
		...{ resource: 'smsCampaign', operation: 'update' },
		campaignId: { mode: 'id', value: '00000000-0000-4000-8000-000000000001' },
	};

	test.each([61, 60 * 24 * 400])('by %s minutes is refused', async (minutes) => {
		const startDateTime = minutesAgo(minutes);
		for (const parameters of [
			{ ...campaign, startDateTime },
			{ ...update, updateFields: { startDateTime } },
		]) {
			const { error } = await run(parameters, [ann]);
			expect(error?.message).toMatch(/^Start Date and Time is more than an hour ago \(2/);
			expect(error?.description).toContain('Leave it empty to start immediately');
		}
		expect(service.accepted).toEqual([]);
	});

	test.each([58, 1.5, 0.1])(
		'by %s minutes is sent, with a warning after a minute',
		async (minutes) => {
			const startDateTime = minutesAgo(minutes);
			// So long as the run takes, it is still that minute.
			const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
			const { items } = await run({ ...campaign, startDateTime }, [ann]);
			clock.mockRestore();
			expect(items[0]?.json.warnings).toEqual(
				minutes > 1 ? [expect.stringContaining('is in the past')] : undefined,
			);
			expect(reached()).toEqual([ann.phone]);
		},
	);

	test('is refused in calls as well, whose start must be in the future', async () => {
		const { error } = await run({ ...voiceParameters, startDate: '2020-05-17' }, [
			{ phoneNumber: ann.phone },
		]);
		expect(error?.message).toContain('Start Date is not in the future');
	});
});

test('a spreadsheet runs nothing that stands in the problems file', async () => {
	const cells = [
		...['=HYPERLINK("http://x")', '@SUM(1)', '\t=1', '+44 20', '-1', "'=1"],
		...['+HYPERLINK("http://x")', "-2+cmd|'/C calc'!A0", '\uff1d1+1'],
	];
	const result = await runFile(
		['phone,note,=cmd()', ...cells.map((cell) => `"","${cell.replaceAll('"', '""')}",`)],
		{ options: { unusable: 'skip' }, fileOptions: { problemsFile: true } },
		{ onError: 'continueErrorOutput' },
	);
	const { data = '' } = result.errorItems[0]?.binary?.problems ?? {};
	const text = Buffer.from(data, 'base64').toString().replace('\ufeff', '');
	const [header, ...lines] = text.trim().split('\n');
	expect(header).toBe("line of the file,why not sent,phone,note,'=cmd()");
	expect(lines.map((line) => line.split(',,')[1]?.slice(0, -1))).toEqual([
		`"'=HYPERLINK(""http://x"")"`,
		"'@SUM(1)",
		"'\t=1",
		'+44 20',
		'-1',
		"'=1",
		`"'+HYPERLINK(""http://x"")"`,
		"'-2+cmd|'/C calc'!A0",
		"'\uff1d1+1",
	]);
});
