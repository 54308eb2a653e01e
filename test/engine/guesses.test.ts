import type { IDataObject } from 'n8n-workflow';
import { actionSuite, createCampaign } from '../support/actionSuite';
import { voiceParameters } from '../support/voiceCampaign';

/** A campaign whose file or column nobody has named. */

const { bodies, run } = actionSuite();

const voice = { ...voiceParameters, operation: 'create' };

/** What the output says, and whom the campaign reaches. */
async function created(items: IDataObject[], parameters: IDataObject = {}, files?: Buffer[]) {
	const { error, items: output } = await run(
		{ ...createCampaign, options: { defaultCountry: 'GB' }, ...parameters },
		files === undefined ? { items } : { items, files },
	);
	const [body] = (await bodies('createSmsCampaign')) as { contacts?: IDataObject[] }[];
	const numbers = body?.contacts?.map(({ phoneNumber }) => phoneNumber);
	return { error: error?.message, warnings: output[0]?.json.warnings, numbers };
}

const NAMES = 'Phone mobil Cell tel Number Numer Rufnummer Handy MSISDN WhatsApp SMS gsm'.split(
	' ',
);

describe('the only column that holds phone numbers is taken, and a hint says so', () => {
	it.each([
		['by its name', { 'Mobile Phone': 7700900123, customer: 4711 }],
		['by the 0 of its numbers', { contact: '07700 900123', order: '20261127' }],
		['by the 0 in brackets', { contact: '(07700) 900123', order: '20261127' }],
		['by the + of its numbers', { contact: ' +44 7700 900123', order: '20261127' }],
		['beside empty columns', { contact: '07700 900123', note: '', phone: null, 'Mobile 2': ' ' }],
	])('%s', async (_how, row) => {
		const [column] = Object.keys(row);
		expect(await created([row])).toEqual({
			...{ error: undefined, numbers: ['+447700900123'] },
			warnings: [
				`Phone Number Field: the column "${String(column)}" was taken, the only one that holds phone numbers.`,
			],
		});
	});

	it.each(NAMES)(
		'by a name as people give it, also where a row has no number: %s',
		async (name) => {
			const rows = [447700900123, '', null, 447700900124].map((number) => ({
				[name]: number,
				id: 1,
			}));
			expect(await created(rows, { options: { unusable: 'skip' } })).toMatchObject({
				numbers: ['447700900123', '447700900124'],
			});
		},
	);

	it('also by the name of the field in another spelling, if only named columns are wanted', async () => {
		const options = { defaultCountry: 'GB', mappingMode: 'defineBelow' };
		const { warnings, numbers } = await created([{ 'Phone Number': '07700 900123' }], { options });
		expect(numbers).toEqual(['+447700900123']);
		expect(warnings).toEqual([expect.stringContaining('the column "Phone Number" was taken')]);
	});

	it('by its first 20 values', async () => {
		const row = { phone: '+447700900123' };
		const rows = [...Array<IDataObject>(20).fill(row), { phone: 'none' }];
		const options = { unusable: 'skip', duplicates: 'skip' };
		expect(await created(rows, { options })).toMatchObject({ numbers: ['+447700900123'] });
	});

	it('in a file, too', async () => {
		const file = Buffer.from('name;handy\nAda;07700 900123\nBo;07700 900124\n');
		const { warnings, numbers } = await created([{}], { contactsSource: 'file' }, [file]);
		expect(numbers).toEqual(['+447700900123', '+447700900124']);
		expect(warnings).toEqual([expect.stringContaining('the column "handy" was taken')]);
	});
});

it('no column of JSON Lines is taken, of which later lines may have others', async () => {
	const rows = [{ mobile: '+447700900123' }, { mobile: '', fax: '+442079460958', note: 'x' }];
	const file = Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'));
	expect(await created([{}], { contactsSource: 'file' }, [file])).toEqual({
		error: 'Phone Number Field names "phoneNumber", which is no column of the file',
		...{ numbers: undefined, warnings: undefined },
	});
});

describe('the first row of a list without a header is not taken for one', () => {
	const title = 'Phone Number Field names "07700 900123", which is a phone number';

	it.each([{}, { phoneNumberField: '07700 900123' }])('in items: %j', async (parameters) => {
		const rows = ['07700 900124', '07700 900125'].map((number) => ({ '07700 900123': number }));
		expect(await created(rows, parameters)).toMatchObject({ error: title, numbers: undefined });
	});

	it.each([{}, { phoneNumberField: '07700 900123' }])('in a file: %j', async (parameters) => {
		const file = Buffer.from('07700 900123;Ada\n07700 900124;Bo\n');
		const options = { contactsSource: 'file', ...parameters };
		expect(await created([{}], options, [file])).toMatchObject({
			error: title,
			numbers: undefined,
		});
	});
});

it.each<[string, IDataObject, IDataObject, IDataObject?]>([
	['several columns hold numbers', { mobile: '07700 900123', home: '020 7946 0958' }, {}],
	['its values are dates or order numbers', { order: '447700900123', day: '20261127' }, {}],
	['its 20th value is no number', { phone: '07700 900123' }, {}, { phone: 'none' }],
	['another name is set', { mobile: '07700 900123' }, { phoneNumberField: 'phone' }],
	['another name is set', { phoneNumber: '07700 900123' }, { phoneNumberField: 'mobile' }],
])('no column is taken where %s', async (_why, row, parameters, last: IDataObject = row) => {
	const { error, numbers } = await created([...Array<IDataObject>(19).fill(row), last], parameters);
	expect(error).toMatch(/^Phone Number Field names ".*", which is no input field$/);
	expect(numbers).toBeUndefined();
});

it.each([
	['phoneNumber', createCampaign, 'createSmsCampaign', 'contacts'],
	['phoneNumber', voice, 'createVoiceCampaign', 'phoneNumbers'],
	['number', voice, 'createVoiceCampaign', 'phoneNumbers'],
] as const)(
	'the column %s has the numbers, though others hold numbers as well: %j',
	async (column, parameters, request, list) => {
		const items = [{ mobile: '+447700900124', [column]: '+447700900123', fax: '+442079460958' }];
		const { items: output } = await run(parameters, { items });
		const [body] = (await bodies(request)) as Record<string, IDataObject[]>[];
		const reached = body?.[list]?.map(({ number, phoneNumber }) => number ?? phoneNumber);
		expect(reached).toEqual(['+447700900123']);
		expect(output[0]?.json.warnings).toBeUndefined();
	},
);

it.each(['phone ', ' person.phone '])(
	'blanks around a field name do not matter: %j',
	async (name) => {
		const rows = [{ phone: '07700 900123', person: { phone: '07700 900123' } }];
		const { error, numbers } = await created(rows, { phoneNumberField: name });
		expect([error, numbers]).toEqual([undefined, ['+447700900123']]);
	},
);

it('a text for each person in a campaign is refused with one sentence: use Send', async () => {
	const { error } = await run(
		{ ...createCampaign, message: '=Hello {{ $json.name }}' },
		{
			items: ['Ada', 'Bo'].map((name, row) => ({ phoneNumber: `+44770090000${row}`, name })),
		},
	);
	expect(error?.message).toBe('Message must be the same for all input items');
	expect(error?.description).toContain(
		'A campaign has one text for everybody: for a text of their own, use SMS Message: Send.',
	);
});

it('the only file of an item is taken under any name', async () => {
	const file = Buffer.from('phoneNumber\n+447700900123\n');
	const { warnings, numbers } = await created(
		[{}],
		{ contactsSource: 'file', binaryPropertyName: 'list' },
		[file],
	);
	expect(numbers).toEqual(['+447700900123']);
	expect(warnings).toEqual(['File: there is no "list", so the only file was taken: "data".']);
});

it('of two files, the one that is named is taken, and none under another name', async () => {
	const [file, other] = ['+447700900123', '+447700900124'].map((number) =>
		Buffer.from(`phoneNumber\n${number}\n`),
	);
	const more = { items: [{}], files: [file as Buffer], otherFiles: { people: other as Buffer } };
	const fromFile = { ...createCampaign, contactsSource: 'file' };
	for (const binaryPropertyName of ['people', ' people ']) {
		await run({ ...fromFile, binaryPropertyName }, more);
	}
	const contacts = [{ phoneNumber: '+447700900124' }];
	expect(await bodies('createSmsCampaign')).toMatchObject([{ contacts }, { contacts }]);
	const { error } = await run({ ...fromFile, binaryPropertyName: 'list' }, more);
	expect(error?.message).toBe('File names "list", which item 0 does not have');
	expect(error?.description).toContain('The item has: data, people.');
});

it('an item without a file is named', async () => {
	const { error } = await run({ ...createCampaign, contactsSource: 'file' }, { items: [{}] });
	expect(error?.message).toBe('File names "data", which item 0 does not have');
	expect(error?.description).toContain('The item has: no binary field.');
});
