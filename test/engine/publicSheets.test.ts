import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';
import { runAction } from '../support/engine';
import { modelSuite } from '../support/modelSuite';

/**
 * Sheets of people who have reported what other projects made of them: cells and columns are as
 * reported (digits that were left out there are filled in), and each has its source.
 */
interface Sheet {
	/** A project and its issue, or a page. */
	source: string;
	/** The CSV file, with its header. */
	lines: string[];
	/** The column of the numbers, if it is another one than `phone`. */
	column?: string;
	country?: string;
	/** Who gets the text. */
	sent: string[];
	/** What is said of the rows that are left out, in their order. */
	leftOut?: string[];
}

const SHEETS: Sheet[] = [
	{
		source: 'Automattic/camptix#40',
		lines: ['phone,name', '4.41E+11,Ann', '+447700900124,Bob', '441000000000,Cy'],
		sent: ['+447700900124'],
		leftOut: ['has lost digits', 'has lost digits'],
	},
	{
		source: 'SpartnerNL/Laravel-Excel#300',
		lines: ['phone', '470123456', '+32470123457'],
		country: 'BE',
		sent: ['+32470123456', '+32470123457'],
	},
	{
		source: 'mautic/mautic#890',
		lines: ['FirstName,phone', 'Ann,073 090 7665', ',', 'Bob,730 907 666', ',', ','],
		country: 'SE',
		sent: ['+46730907665', '+46730907666'],
	},
	{
		source: 'chatwoot/chatwoot#14124',
		lines: ['\ufeffphone_number,name', '+447700900123,Ann'],
		column: 'phone_number',
		sent: ['+447700900123'],
	},
	{
		source: 'verbb/hyper#86',
		lines: ['phone', '\u202d07976399087\u202c', '\u202d+447976399088\u202c', 'tel:+447976399089'],
		country: 'GB',
		sent: ['+447976399087', '+447976399088', '+447976399089'],
	},
	{
		source: 'signalapp/Signal-Android#11630',
		lines: ['phone', '\u2068+44 7976 399087\u2069'],
		sent: ['+447976399087'],
	},
	{
		source: 'catamphetamine/libphonenumber-js#141',
		lines: ['phone', '+٩٦٤٧٥٠١٢٣٤٥٦٧'],
		sent: ['+9647501234567'],
	},
	{
		source: 'owncloud-archive/contacts#827',
		lines: [
			'Name,Given Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value',
			'Имя Фамилия,Имя,* My Contacts ::: University ::: School,* ,email@example.com,Mobile,+7 912 345-67-89',
		],
		column: 'Phone 1 - Value',
		sent: ['+79123456789'],
	},
	{
		source: 'owncloud-archive/contacts#818',
		lines: ['phone', '+1 415 666 1234 ::: +1 415 666 1235', '+1 415 666 1236'],
		sent: ['+14156661236'],
		leftOut: ['is not a single number'],
	},
	{
		source: 'pakaccountants.com/formatting-telephone-numbers-in-excel',
		lines: ['phone', '923001234567', '00923001234568'],
		country: 'PK',
		sent: ['+923001234567', '+923001234568'],
	},
	{
		source: 'splitforge.app/blog/clean-international-phone-numbers-crm',
		lines: ['phone', '(415) 666-1234', '+44 20 7123 4567', '+55 11 98765-4321'],
		country: 'US',
		sent: ['+14156661234', '+442071234567', '+5511987654321'],
	},
	{
		source: 'nyaruka/rapidpro#241',
		lines: ['phone', '250788123123.0'],
		country: 'RW',
		sent: ['+250788123123'],
	},
	{
		source: 'wireservice/csvkit#1143',
		lines: ['phone', '+1234567891', '1234567891.0', '4156661234.0'],
		country: 'US',
		sent: ['+14156661234'],
		leftOut: ['is not a valid number', 'is not a valid number'],
	},
	{
		source: 'nyaruka/rapidpro#389',
		lines: ['phone', '+250 (788) 123-123'],
		sent: ['+250788123123'],
	},
	{
		source: 'YetiForceCompany/YetiForceCRM#13261',
		lines: ['phone', '02618512345', '+4902618512346', '2618512347'],
		country: 'DE',
		sent: ['+492618512345', '+492618512346', '+492618512347'],
	},
	{
		source: 'dilshod/xlsx2csv#190',
		lines: ['phone', '+1 (310) 820-7129', '3.108207130E9'],
		country: 'US',
		sent: ['+13108207129'],
		leftOut: ['has lost digits'],
	},
	{
		source: 'buralog.jp/en/trusted-phone-number-risk-2-en/',
		lines: ['phone', '090-1234-5678', '０９０－１２３４－５６７９', '+81 90-1234-5680'],
		country: 'JP',
		sent: ['+819012345678', '+819012345679', '+819012345680'],
	},
	{
		source: 'smartpushteam.zendesk.com/hc/en-001/articles/27102957225495',
		lines: ['phone', '+14/156(661)234', '+1 *- 4156661235', '+0014156661236'],
		sent: ['+14156661234', '+14156661236'],
		leftOut: ['is not a single number'],
	},
	{
		source: 'support.ripplescience.com/hc/en-us/articles/22381707904525',
		lines: ['phone', '415- 666-1234', '(+1)415-666-1235', '415. 666.1236', '1-800-CALL-XYZ'],
		country: 'US',
		sent: ['+14156661234', '+14156661235', '+14156661236'],
		leftOut: ['is not a single number'],
	},
	{
		source: 'support.electionbuddy.com/article/493',
		lines: ['phone', '415-666-1234 x12', '415-666-1235'],
		country: 'US',
		sent: ['+14156661235'],
		leftOut: ['is not a single number'],
	},
	{
		source: 'howtomicrosoftofficetutorials.blogspot.com/2017/02/',
		lines: ['phone', '14255550177', '0014255550178'],
		country: 'US',
		// In the United States, 00 is no exit code: whoever writes it means +.
		sent: ['+14255550177', '+14255550178'],
	},
	{
		source: 'howtomicrosoftofficetutorials.blogspot.com/2017/07/',
		lines: ['phone', '1.4E+10', '14255550179'],
		sent: ['14255550179'],
		leftOut: ['has lost digits'],
	},
	{
		source: 'nosheet.ai/blog/clean-csv-for-twilio',
		lines: ['phone', '415.666.1234', '(415) 666-1235'],
		country: 'US',
		sent: ['+14156661234', '+14156661235'],
	},
	{
		source: 'nextcloud/contacts#2208',
		lines: ['phone', 'TEL;CELL:075-622-8531'],
		country: 'TH',
		sent: [],
		leftOut: ['is not a single number'],
	},
	{
		source: 'help.vtcdn.net/kb/how-should-phone-numbers-be-formatted',
		lines: ['phone', '+34612345678', '+1456-456-9845'],
		sent: ['+34612345678', '+14564569845'],
	},
];

const { service, credential } = modelSuite();

const campaign = {
	...{ resource: 'smsCampaign', operation: 'create', message: 'Sale', sender: 'Shop' },
};

describe('sheets that other projects have read wrongly', () => {
	it('there are twenty of them', () => {
		expect(SHEETS.length).toBeGreaterThanOrEqual(20);
	});

	const cases = SHEETS.flatMap((sheet) =>
		['a file', 'items'].map((from) => [sheet.source, from, sheet] as const),
	);
	it.each(cases)('%s, as %s', async (_source, from, sheet) => {
		const { lines, column = 'phone', country, sent, leftOut = [] } = sheet;
		const options = { unusable: 'skip', ...(country && { defaultCountry: country }) };
		const isFile = from === 'a file';
		const rows = parse(lines.join('\n'), { columns: true, delimiter: ',' }) as IDataObject[];
		const { items, errorItems, error } = await runAction({
			credential,
			parameters: {
				...{ ...campaign, phoneNumberField: column, options },
				...(isFile ? { contactsSource: 'file' } : {}),
			},
			items: isFile ? [{}] : rows,
			...(isFile ? { files: [Buffer.from(`${lines.join('\r\n')}\r\n`)] } : {}),
			onError: 'continueErrorOutput',
		});
		expect(error).toBeUndefined();
		const reached = service.accepted.flatMap(
			({ body }) => body.contacts as { phoneNumber: string }[],
		);
		expect(reached.map(({ phoneNumber }) => phoneNumber)).toEqual(sent);
		const problems = [...items, ...errorItems].flatMap(
			({ json }) => (json.problems ?? []) as IDataObject[],
		);
		const reasons = isFile
			? problems.map(({ reason }) => reason)
			: errorItems
					.map(({ json }) => json.reason)
					.filter((reason) => !/is blank/.test(String(reason)));
		expect(reasons).toEqual(leftOut.map((words) => expect.stringContaining(words) as string));
	});
});
