import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { DateTime } from 'luxon';
import {
	type ActionOptions,
	actionSuite,
	createCampaign,
	sendEach,
	sendMessage,
} from '../support/actionSuite';
import { runAction } from '../support/engine';
import { serversOfTest, type Answer } from '../support/servers';
import { voiceParameters } from '../support/voiceCampaign';

const { bodies, credential, run, sandbox } = actionSuite({ concurrentRequests: 1 });

const startServer = serversOfTest();
const SOME_ID = 'c56a4180-65aa-42ec-a945-5fd21dec0538';

const LONDON = '+447400123456';
const NEW_YORK = '+12125550123';
const TOKYO = '+81312345678';
const NUMBERS = [LONDON, NEW_YORK, TOKYO];
const items = NUMBERS.map((phoneNumber) => ({ phoneNumber }));

const sms = createCampaign;
const single = sendEach;

/** Noon in London; 7:00 in New York, 20:00 in Tokyo. */
const START = '2098-05-14T11:00:00Z';
/** The service's clock, where the credential says it. */
const IN_UTC = { serviceConventions: true, serviceTimeZone: 'UTC' };
const HOURS = { sendingPolicy: true, sendingHoursFrom: '09:00', sendingHoursTo: '20:00' };
const POLICY = { ...HOURS, ...IN_UTC };

const jsons = (list: readonly INodeExecutionData[]) => list.map(({ json }) => json);

const create = async (
	options: IDataObject,
	more: Partial<Parameters<typeof run>[1]> = {},
	fields: IDataObject = {},
) =>
	await run(
		{ ...sms, startDateTime: START, options, ...fields },
		{ items, onError: 'continueErrorOutput', credential: credential(POLICY), ...more },
	);

interface Campaign {
	startDateTime: string;
	contacts: { phoneNumber: string }[];
}

const campaigns = async () =>
	((await bodies('createSmsCampaign')) as Campaign[]).map(({ startDateTime, contacts }) => ({
		startDateTime: DateTime.fromISO(startDateTime, { zone: 'utc' }).toFormat("yyyy-MM-dd'T'HH:mm"),
		numbers: contacts.map(({ phoneNumber }) => phoneNumber),
	}));

describe('outside the sending hours', () => {
	it('stops: nothing is sent, and each row says when it would be allowed', async () => {
		const { items: output, errorItems } = await create({});
		expect(output).toEqual([]);
		expect(jsons(errorItems).map(({ nextAllowedTime }) => nextAllowedTime)).toEqual([
			undefined,
			'2098-05-14T13:00:00Z',
			'2098-05-15T00:00:00Z',
		]);
		expect(await campaigns()).toEqual([]);
	});

	it('stops a list in one item, and says when all of it would be allowed', async () => {
		const { errorItems } = await create(
			{},
			{ items: [{ people: [NEW_YORK, TOKYO] }] },
			{ contactsSource: 'json', contactsJson: '={{ $json.people }}' },
		);
		expect(jsons(errorItems)).toEqual([
			expect.objectContaining({ refusedCount: 2, nextAllowedTime: '2098-05-15T00:00:00Z' }),
		]);
		expect(errorItems[0]?.json.description).toContain('Next allowed time: 2098-05-15T00:00:00Z.');
	});

	it('skips: only those are reached who may be now', async () => {
		const { items: output, errorItems } = await create({ outsideSendingHours: 'skip' });
		expect(jsons(output)).toEqual([expect.objectContaining({ sent: 'yes' })]);
		expect(jsons(errorItems)).toEqual([
			expect.objectContaining({ skipped: true, nextAllowedTime: '2098-05-14T13:00:00Z' }),
			expect.objectContaining({ skipped: true, nextAllowedTime: '2098-05-15T00:00:00Z' }),
		]);
		expect(await campaigns()).toEqual([{ startDateTime: '2098-05-14T11:00', numbers: [LONDON] }]);
	});

	it.each([
		['a list', { contactsSource: 'json', contactsJson: NUMBERS }, 'skipped', { skippedCount: 2 }],
		['a file', { contactsSource: 'file' }, 'problems', { file: { leftOut: { sendingHours: 2 } } }],
	])('skip people of %s, whose output says when each may be reached', async (...row) => {
		const [, source, field, counted] = row;
		const files = [Buffer.from(['phoneNumber', ...NUMBERS].join('\n'))];
		const { items: output } = await create(
			{ outsideSendingHours: 'skip' },
			{ items: [{}], files },
			source,
		);
		expect(output[0]?.json[field]).toMatchObject([
			{ phoneNumber: NEW_YORK, nextAllowedTime: '2098-05-14T13:00:00Z' },
			{ phoneNumber: TOKYO, nextAllowedTime: '2098-05-15T00:00:00Z' },
		]);
		expect(output[0]?.json).toMatchObject(counted);
		expect(await campaigns()).toEqual([{ startDateTime: '2098-05-14T11:00', numbers: [LONDON] }]);
	});

	it('skip nobody for having no country code, where there is a Default Country', async () => {
		const options = { outsideSendingHours: 'skip', defaultCountry: 'GB' };
		await create(options, { items: [{ phoneNumber: '07400 123456' }] });
		expect((await campaigns()).map(({ numbers }) => numbers)).toEqual([[LONDON]]);
	});

	it('on an unknown clock skip nobody: the list stops, and says which field is missing', async () => {
		const withoutZone = credential({ ...HOURS, sendingHoursIn: 'service' });
		const options = { outsideSendingHours: 'skip' };
		const atNight = { startDateTime: '2098-05-14T03:00:00Z' };
		const more = { credential: withoutZone };
		const { items: output, errorItems } = await create(options, more, atNight);
		expect(output).toEqual([]);
		const missing = { error: 'Sending Policy: Service Time Zone is not set, or not known' };
		expect(jsons(errorItems)).toEqual(items.map(() => expect.objectContaining(missing)));
		expect(jsons(errorItems).filter(({ skipped }) => skipped === true)).toEqual([]);
	});

	const voice = {
		...voiceParameters,
		operation: 'create',
		...{ startDate: '2098-05-14', startTime: '10:00', finishTime: '11:00' },
	};
	const campaignKinds = { sms: { ...sms, startDateTime: START }, voice };
	const PARIS = '+33142685300';
	it.each([
		['allowedCountries', 'sms', 'GB'],
		['allowedCountries', 'voice', 'GB'],
		['onlyTheseNumbers', 'sms', LONDON],
		['onlyTheseNumbers', 'voice', LONDON],
		['blockedNumberTypes', 'sms', ['fixedLine']],
		['blockedNumberTypes', 'voice', ['fixedLine']],
	] as const)('skip nobody whom %s refuses: the %s campaign stops', async (rule, kind, value) => {
		const {
			items: output,
			errorItems,
			requests,
		} = await run(
			{ ...campaignKinds[kind], options: { outsideSendingHours: 'skip' } },
			{
				...{ items: [LONDON, PARIS, NEW_YORK].map((phoneNumber) => ({ phoneNumber })) },
				...{ onError: 'continueErrorOutput', credential: credential({ ...POLICY, [rule]: value }) },
			},
		);
		expect([output, requests]).toEqual([[], []]);
		expect(jsons(errorItems)).toEqual([
			expect.objectContaining({ phoneNumber: LONDON, sent: 'no' }),
			expect.objectContaining({ phoneNumber: PARIS, policyRule: rule, sent: 'no' }),
			expect.objectContaining({ skipped: true, nextAllowedTime: '2098-05-14T13:00:00Z' }),
		]);
		expect(jsons(errorItems).filter(({ skipped }) => skipped === true)).toHaveLength(1);
	});

	it('do not matter for somebody who must not be contacted: no later time is named', async () => {
		const options = { outsideSendingHours: 'skip', doNotContactNumbers: TOKYO };
		const { errorItems } = await create(options);
		expect(jsons(errorItems)).toEqual([
			expect.objectContaining({ phoneNumber: NEW_YORK, nextAllowedTime: expect.any(String) }),
			expect.not.objectContaining({ nextAllowedTime: expect.any(String) }),
		]);
	});

	it('of a voice campaign: every calling window counts, by the clock of the service', async () => {
		const options = { outsideSendingHours: 'skip' };
		const settings = { onError: 'continueErrorOutput' as const, credential: credential(POLICY) };
		const skipped = await run({ ...voice, options }, { items, ...settings });
		expect(jsons(skipped.errorItems).map(({ nextAllowedTime }) => nextAllowedTime)).toEqual([
			'2098-05-14T13:00:00Z',
		]);
		const runoverDays = { day: [{ date: '2098-05-15', startTime: '19:00', finishTime: '20:30' }] };
		const refused = await run(
			{ ...voice, name: 'June', additionalFields: { runoverDays } },
			{ items: [{ phoneNumber: LONDON }], ...settings },
		);
		expect(jsons(refused.errorItems)).toEqual([
			expect.objectContaining({ policyRule: 'sendingHours' }),
		]);
	});
});

describe('do not contact', () => {
	let accounts = 3000;
	/** An account whose stored numbers no other test has read. */
	const storedIn = () => String(accounts++);
	const store = async (stored: IDataObject[]) => {
		for (const [index, fields] of stored.entries()) {
			const { number, ...parameters } = fields;
			await run({
				resource: 'phoneNumberStorage',
				operation: 'create',
				storageID: `n${index}`,
				number,
				parameters,
			});
		}
	};
	const match = (value: string) => ({ match: [{ parameter: 'parameter2', value }] });

	it('leaves out the numbers of a list, and says so', async () => {
		const { items: output, errorItems } = await run(
			{ ...sms, options: { doNotContactNumbers: `${NEW_YORK}, 0044 7400 123456` } },
			{ items, onError: 'continueErrorOutput' },
		);
		expect(jsons(output)).toEqual([expect.objectContaining({ sent: 'yes' })]);
		expect(jsons(errorItems)).toEqual([
			expect.objectContaining({
				error: 'The phone number is in "Do Not Contact"',
				skipped: true,
				sent: 'no',
			}),
			expect.objectContaining({ skipped: true }),
		]);
		expect((await campaigns()).map(({ numbers }) => numbers)).toEqual([[TOKYO]]);
	});

	it('leaves out stored numbers by the value of a parameter, with any capitals and blanks', async () => {
		await store([
			{ number: LONDON, parameter2: 'Opted  Out' },
			{ number: NEW_YORK, parameter2: 'customer' },
			{ number: TOKYO, parameter1: 'opted out' },
		]);
		await run({ ...sms, options: { doNotContactStored: match('opted out ') } }, { items });
		expect((await campaigns()).map(({ numbers }) => numbers)).toEqual([[NEW_YORK, TOKYO]]);
	});

	it('reads the stored numbers once per execution, for single messages as well', async () => {
		await store([{ number: LONDON, parameter2: 'opted out' }]);
		const {
			items: output,
			errorItems,
			requests,
		} = await run(
			{ ...single, options: { doNotContactStored: match('opted out') } },
			{ items, onError: 'continueErrorOutput' },
		);
		expect(output).toHaveLength(2);
		expect(jsons(errorItems)).toEqual([
			expect.objectContaining({
				error: 'The phone number is a stored number that must not be contacted',
				skipped: true,
				sent: 'no',
			}),
		]);
		const pages = requests.filter(({ method, status }) => method === 'GET' && status === 200);
		expect(pages).toHaveLength(1);
	});

	it('reads stored numbers again in the next round of a loop if they could not be read, and then no more', async () => {
		const asked: string[] = [];
		const { url } = await startServer(({ method }, response) => {
			asked.push(method);
			// Each reading asks for page 0, then for page 1.
			const isDown = method === 'GET' && asked.length <= 2;
			response.writeHead(isDown ? 403 : 200, { 'content-type': 'application/json' });
			const page = { pageIndex: 1, totalPages: 1, totalRecords: 0, items: [] };
			response.end(JSON.stringify(method === 'GET' ? page : SOME_ID));
		});
		const { run: execution } = await runAction({
			credential: credential({ baseUrl: url }),
			parameters: { ...single, options: { doNotContactStored: match('opted out') } },
			items: [...items, ...items, ...items],
			loop: items.length,
			onError: 'continueRegularOutput',
		});
		const rounds = execution.data.resultData.runData['Messaging Service'] ?? [];
		const sent = rounds.map(({ data }) => data?.main?.[0]?.map(({ json }) => json.sent));
		expect(sent).toEqual(['no', 'yes', 'yes'].map((each) => items.map(() => each)));
		expect(asked.filter((method) => method === 'GET')).toHaveLength(4);
	});

	it.each([
		['address', () => ({})],
		['client', (url: string) => ({ baseUrl: url, clientId: '1002' })],
		['key', (url: string) => ({ baseUrl: url, headerSecret: 'another-key' })],
	])('knows who has opted out at an account of another %s', async (_, change) => {
		const number = '+447400123456';
		let sent = 0;
		const answer: Answer = ({ method }, response) => {
			if (method === 'POST') sent++;
			// The first account sends, the second one knows that the person has opted out.
			const items = sent > 0 ? [{ storageID: '1', number, parameter2: 'opted out' }] : [];
			const page = { pageIndex: 1, totalPages: 1, totalRecords: items.length, items };
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(method === 'GET' ? page : SOME_ID));
		};
		const [server, another] = [await startServer(answer), await startServer(answer)];
		const first = {
			...sendMessage,
			phoneNumber: number,
			options: { doNotContactStored: match('opted out') },
		};
		const { error, errorItems } = await runAction({
			credential: credential({ baseUrl: another.url, ...change(server.url) }),
			parameters: first,
			first,
			firstCredential: credential({ baseUrl: server.url }),
			onError: 'continueErrorOutput',
		});
		expect(error).toBeUndefined();
		expect(jsons(errorItems)).toMatchObject([{ sent: 'no', skipped: true }]);
		expect(sent).toBe(1);
	});

	const listed = Array.from({ length: 20 }, (_, index) => `+447400${String(200_000 + index)}`);
	it.each([
		['as a text with line breaks', () => listed.join('\n')],
		['as a text with commas', () => `${listed.join(', ')},`],
		['as a text with semicolons', () => listed.join(' ;')],
		['by an expression', () => "={{ $('Input').all().map(({ json }) => json.blocked) }}"],
		['by an expression on the item', () => '={{ [$json.blocked, ...$json.others] }}'],
	])('leaves out everybody on a list that is given %s', async (_, doNotContactNumbers) => {
		const [first = '', ...others] = listed;
		const rows = [LONDON, ...listed].map((phoneNumber, index) => ({
			phoneNumber,
			blocked: listed[index] ?? first,
			others,
		}));
		if (!doNotContactNumbers().includes('Input')) for (const row of rows) row.blocked = first;
		const { items: output, errorItems } = await run(
			{ ...single, options: { doNotContactNumbers: doNotContactNumbers() } },
			{ items: rows, onError: 'continueErrorOutput' },
		);
		expect(jsons(output)).toEqual([expect.objectContaining({ phoneNumber: LONDON, sent: 'yes' })]);
		expect(jsons(errorItems).map(({ phoneNumber }) => phoneNumber)).toEqual(listed);
	});

	it.each([
		['text', '={{ $json.blocked }}'],
		['array', '={{ [$json.blocked] }}'],
	])('takes the %s of each item where an expression gives each another', async (_, list) => {
		const { items: output, errorItems } = await run(
			{ ...single, options: { doNotContactNumbers: list } },
			{
				items: NUMBERS.map((phoneNumber, index) => ({ phoneNumber, blocked: NUMBERS[index && 2] })),
				onError: 'continueErrorOutput',
			},
		);
		expect(jsons(errorItems).map(({ phoneNumber }) => phoneNumber)).toEqual([LONDON, TOKYO]);
		expect(jsons(output)).toEqual([expect.objectContaining({ sent: 'yes' })]);
	});

	it.each([
		['array', "={{ $('Input').all().map(({ json }) => json.misspelt) }}"],
		['text', "={{ $('Input').all().map(({ json }) => json.misspelt).join() }}"],
		['array of one', '={{ [$json.misspelt] }}'],
		['array of two', "={{ ['', ''] }}"],
	])('refuses an %s of a field that no row has', async (_, doNotContactNumbers) => {
		const { error, requests } = await run(
			{ ...single, options: { doNotContactNumbers } },
			{ items },
		);
		expect(error?.message).toBe('Do Not Contact has only empty entries');
		expect(requests).toEqual([]);
	});

	it.each(['={{ [] }}', '={{ "" }}', '={{ [$json.none] }}'])(
		'leaves out nobody where the list is %s',
		async (doNotContactNumbers) => {
			const rows = items.map((item) => ({ ...item, none: '' }));
			const { items: output } = await run(
				{ ...single, options: { doNotContactNumbers } },
				{ items: rows },
			);
			expect(output).toHaveLength(items.length);
		},
	);

	it.each([
		['+54 9 11 2345 6704', '+54 11 2345 6704'],
		['+54 11 2345 6704', '+54 9 11 2345 6704'],
		['+54 11 15 2345 6704', '+54 11 2345 6704'],
		['+54 9 11 2345 6704', '+54 11 15 2345 6704'],
	])('leaves out %s, which is also written %s', async (phoneNumber, doNotContactNumbers) => {
		const { items: output } = await run(
			{ ...single, options: { doNotContactNumbers } },
			{ items: [{ phoneNumber }], onError: 'continueErrorOutput' },
		);
		expect(output).toEqual([]);
	});

	it.each([
		['entered', { doNotContactNumbers: '06 12 34 56 78' }],
		['stored', { doNotContactStored: match('opted out') }],
	])('reads the %s numbers in the Default Country of each item', async (_, options) => {
		await store([{ number: '06 12 34 56 78', parameter2: 'opted out' }]);
		const rows = ['FR', 'NL'].flatMap((country) =>
			['+33612345678', '+31612345678'].map((phoneNumber) => ({ country, phoneNumber })),
		);
		const { items: output } = await run(
			{ ...single, options: { ...options, defaultCountry: '={{ $json.country }}' } },
			{ items: rows, onError: 'continueErrorOutput' },
		);
		expect(jsons(output).map(({ phoneNumber }) => phoneNumber)).toEqual([
			...['+31612345678', '+33612345678'],
		]);
	});

	it('leaves out by the match of each item, and by any of several', async () => {
		await store([
			{ number: LONDON, parameter2: 'opted out' },
			{ number: NEW_YORK, parameter2: 'moved' },
		]);
		const rows = ['opted out', 'moved'].flatMap((value) =>
			items.map((item) => ({ ...item, value })),
		);
		const each = { ...single, options: { doNotContactStored: match('={{ $json.value }}') } };
		const { errorItems } = await run(each, { items: rows, onError: 'continueErrorOutput' });
		expect(jsons(errorItems).map(({ phoneNumber }) => phoneNumber)).toEqual([LONDON, NEW_YORK]);
		const both = { match: [...match('opted out').match, ...match('moved').match] };
		await run({ ...sms, options: { doNotContactStored: both } }, { items });
		expect((await campaigns()).map(({ numbers }) => numbers)).toEqual([[TOKYO]]);
	});

	it.each([
		['+447400123456', '07400 123456'],
		['07400 123456', '+447400123456'],
		['+447400123456', '7400123456'],
		['0044 7400 123456', '07400-123456'],
	])('leaves out %s where the list has %s, without Default Country', async (phoneNumber, own) => {
		const rows = { items: [{ phoneNumber }, { phoneNumber: TOKYO }] };
		const entered = await run({ ...sms, options: { doNotContactNumbers: own } }, rows);
		await store([{ number: own, parameter2: 'opted out' }]);
		const stored = await run({ ...sms, options: { doNotContactStored: match('opted out') } }, rows);
		for (const { items: output } of [entered, stored]) {
			expect(jsons(output)).toEqual([expect.objectContaining({ sent: 'yes', skippedCount: 1 })]);
		}
		expect((await campaigns()).map(({ numbers }) => numbers)).toEqual([[TOKYO], [TOKYO]]);
	});

	it('leaves out a number that cannot be compared, even if it is to be sent anyway', async () => {
		const { errorItems } = await run(
			{ ...sms, options: { doNotContactNumbers: LONDON, unusable: 'send' } },
			{
				items: [{ phoneNumber: `${LONDON} ext. 4` }, { phoneNumber: TOKYO }],
				onError: 'continueErrorOutput',
			},
		);
		expect(jsons(errorItems)).toEqual([expect.objectContaining({ skipped: true, sent: 'no' })]);
		expect((await campaigns()).map(({ numbers }) => numbers)).toEqual([[TOKYO]]);
	});

	it('stops nobody else where a stored number is no number, and leaves out what it may be', async () => {
		const number = `${LONDON.slice(-9)} (mobile?) x`;
		for (const [storageID, text] of Object.entries({ n0: 'see above', n1: number })) {
			const item = { storageID, number: text, parameter2: 'opted out' };
			await sandbox().api.post('/api/PhoneNumberStorageItem', item);
		}
		await run(
			{ ...sms, options: { doNotContactStored: match('opted out') } },
			{ items: [{ phoneNumber: LONDON }, { phoneNumber: TOKYO }] },
		);
		expect((await campaigns()).map(({ numbers }) => numbers)).toEqual([[TOKYO]]);
	});

	it.each([{}, { number: null }])(
		'stops nobody where a stored record has the number %j, and a hint says what that means',
		async (number) => {
			const stored = { storageID: 'n1', ...number, parameter2: 'opted out' };
			const body = { pageIndex: 1, totalPages: 1, totalRecords: 1, items: [stored] };
			const fault = { kind: 'status', status: 200, body };
			await sandbox().fault({ match: { method: 'GET' }, times: 'always', fault });
			const rule = { doNotContactParameter: 'parameter2', doNotContactValue: 'opted out' };
			const inCredential = credential({ sendingPolicy: true, ...rule, clientId: storedIn() });
			const ways: [IDataObject, ActionOptions][] = [
				[{ doNotContactStored: match('opted out') }, {}],
				[{}, { credential: inCredential }],
			];
			for (const [options, more] of ways) {
				const sent = await run({ ...sms, options }, { items, ...more });
				expect(sent.hints.join()).toMatch(/storage ID n1\)\..*may be reached/);
			}
			expect((await campaigns()).map(({ numbers }) => numbers)).toEqual([NUMBERS, NUMBERS]);
		},
	);

	it.each(['={{ $json.missing }}', '={{ null }}', '={{ [] }}', '={{ {} }}'])(
		'sends nothing where the value of the stored numbers to leave out is %s, which is no text',
		async (value) => {
			await store([{ number: LONDON, parameter2: '' }]);
			const { errorItems, items: output } = await run(
				{ ...sms, options: { doNotContactStored: match(value) } },
				{ items, onError: 'continueErrorOutput' },
			);
			expect(output).toEqual([]);
			expect(String(errorItems[0]?.json.error)).toContain('Value of Skip Stored Numbers');
			expect(await campaigns()).toEqual([]);
		},
	);

	it('leaves out whoever is on one of two lists', async () => {
		await store([{ number: LONDON, parameter2: 'opted out' }]);
		const options = { doNotContactNumbers: NEW_YORK, doNotContactStored: match('opted out') };
		await run({ ...sms, options }, { items });
		expect((await campaigns()).map(({ numbers }) => numbers)).toEqual([[TOKYO]]);
	});

	it('sends nothing where the list cannot be read', async () => {
		for (const parameters of [sms, single]) {
			const invalid = await run(
				{ ...parameters, options: { doNotContactNumbers: `${LONDON}, ask Bob` } },
				{ items, onError: 'continueErrorOutput' },
			);
			const told = {
				error: 'Do Not Contact has an invalid number (ask Bob)',
				description: expect.stringMatching(
					/^The phone number is not a single number \(ask Bob\)\. Fix or remove it\./,
				),
			};
			expect(jsons(invalid.errorItems)).toMatchObject([told, told, told]);
			expect(invalid.requests).toEqual([]);
		}
		const rounded = '={{ [447400123456, 447700000000] }}';
		const { error: lost } = await run(
			{ ...sms, options: { doNotContactNumbers: rounded } },
			{ items },
		);
		expect(lost?.message).toBe('Do Not Contact has an invalid number (447700000000)');
		expect(lost?.description).toMatch(/^The phone number has lost digits \(447700000000\)\./);
		for (const nothing of ['={{ null }}', '={{ $json.misspelt }}']) {
			const options = { doNotContactNumbers: nothing };
			const { error } = await run({ ...sms, options }, { items });
			expect(error?.message).toBe('Do Not Contact is empty');
		}
		const empty = await run({ ...sms, options: { doNotContactStored: {} } }, { items });
		expect(empty.error?.message).toBe('Skip Stored Numbers has no match');
		for (const fault of [
			{ kind: 'status', status: 400 },
			{ kind: 'status', status: 200, body: { items: null } },
			{ kind: 'status', status: 200, body: { items: [{ StorageID: 'n1', Number: LONDON }] } },
		]) {
			await sandbox().fault({ match: { method: 'GET' }, times: 'always', fault });
			const unread = await run(
				{ ...sms, options: { doNotContactStored: match('x') } },
				{ items, onError: 'continueErrorOutput' },
			);
			expect(unread.items).toEqual([]);
			expect(unread.errorItems).toHaveLength(3);
			await sandbox().clearFaults();
		}
		expect(await campaigns()).toEqual([]);
	});
});

describe('a list that is divided into campaigns', () => {
	const divided = { ...createCampaign, options: { perCampaign: 2, unusable: 'skip' } };
	const onlyFour = () => credential({ sendingPolicy: true, maxRecipients: 4 });
	const number = (index: number) => `+44740012340${index}`;
	const rowsOf = (...numbers: string[]) => numbers.map((phoneNumber) => ({ phoneNumber }));
	const numbersSent = async () => (await campaigns()).map(({ numbers }) => numbers);
	const toBranch = (more: ActionOptions): ActionOptions => ({
		onError: 'continueErrorOutput',
		credential: credential({ sendingPolicy: true, allowedCountries: 'GB' }),
		...more,
	});
	const rows = rowsOf(number(0), number(1), 'none', number(2), '+33612345678', number(3));

	it('is refused as a whole where the policy refuses a recipient of a later campaign', async () => {
		const { items: output, errorItems } = await run(divided, toBranch({ items: rows }));
		expect(output).toEqual([]);
		expect(await numbersSent()).toEqual([]);
		const because = expect.objectContaining({
			error: 'Not sent because of item 4',
			policyRule: 'allowedCountries',
			sent: 'no',
		});
		expect(jsons(errorItems)).toEqual([
			because,
			because,
			expect.objectContaining({ skipped: true, sent: 'no' }),
			because,
			expect.objectContaining({
				error: 'Sending Policy: +33612345678 is of a blocked country (FR)',
				phoneNumber: '+33612345678',
				sent: 'no',
			}),
			because,
		]);
	});

	it('counts as one for Max Recipients', async () => {
		const five = rowsOf(...[0, 1, 2, 3, 4].map(number));
		const refused = await run(divided, toBranch({ items: five, credential: onlyFour() }));
		expect(await numbersSent()).toEqual([]);
		expect(jsons(refused.errorItems)).toEqual(
			five.map(() =>
				expect.objectContaining({
					error: 'The Sending Policy allows 4 recipients in one execution',
					allowed: 'Max Recipients: 4 for this node in one execution, 4 of them left.',
					sent: 'no',
				}),
			),
		);
		const four = await run(divided, toBranch({ items: five.slice(1), credential: onlyFour() }));
		expect(four.errorItems).toEqual([]);
		expect(await numbersSent()).toHaveLength(2);
	});

	const fileOf = (...numbers: string[]) => Buffer.from(['phoneNumber', ...numbers].join('\n'));
	const sources = [
		['json', { contactsJson: '={{ $json.contacts }}' }],
		['file', { additionalFields: {} }],
	] as const;

	it.each(sources)(
		'is sent whole or not at all, where others are sent in the same run: %s',
		async (contactsSource, fields) => {
			const lists = [[0, 1, 2].map(number), [3, 4, 5].map(number)];
			const { errorItems } = await run(
				{ ...divided, contactsSource, ...fields },
				toBranch({
					items: lists.map((numbers) => ({ contacts: rowsOf(...numbers) })),
					files: lists.map((numbers) => fileOf(...numbers)),
					credential: credential({
						...{ sendingPolicy: true, maxRecipients: 4, concurrentRequests: 5 },
					}),
				}),
			);
			expect((await numbersSent()).flat().sort()).toEqual([0, 1, 2].map(number));
			expect(jsons(errorItems)).toMatchObject([{ policyRule: 'maxRecipients', sent: 'no' }]);
		},
	);

	it('is not asked again about the campaigns that an earlier try has sent', async () => {
		const four = rowsOf(...[0, 1, 2, 3].map(number));
		await sandbox().fault({ fault: { kind: 'status', status: 400 }, skip: 1 });
		const { error, items: output } = await run(divided, {
			items: four,
			credential: onlyFour(),
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		});
		expect(error).toBeUndefined();
		expect(output).toHaveLength(2);
	});

	it.each(sources)(
		'is sent once by an agent that asks for it twice: %s',
		async (contactsSource, fields) => {
			const four = [0, 1, 2, 3].map(number);
			const { error, run: made } = await run(
				{ ...divided, contactsSource, ...fields },
				{
					items: [{ contacts: rowsOf(...four) }],
					files: [fileOf(...four)],
					loops: 2,
					credential: onlyFour(),
					settings: { type: 'messagingServiceTool' },
				},
			);
			expect(error).toBeUndefined();
			const again = made.data.resultData.runData['Messaging Service']?.[1]?.data?.main?.[0] ?? [];
			expect(jsons(again)).toEqual([
				expect.objectContaining({ sent: 'yes', alreadySent: true }),
				expect.objectContaining({ sent: 'yes', alreadySent: true }),
			]);
			expect(await numbersSent()).toHaveLength(2);
		},
	);
});

describe('a dry run', () => {
	it('says that a message to a number that must not be contacted would not be sent', async () => {
		const options = { doNotContactNumbers: LONDON };
		const { items: output } = await run({ ...single, dryRun: true, options }, { items });
		expect(output.map(({ json }) => json.wouldSend)).toEqual([false, true, true]);
	});

	it('says what the policy would refuse, and counts nothing', async () => {
		const { items: output } = await create({}, { onError: 'stopWorkflow' });
		expect(output).toEqual([]);
		const planned = await run(
			{ ...sms, dryRun: true, startDateTime: START },
			{ items, credential: credential({ ...POLICY, maxRecipients: 3 }) },
		);
		expect(jsons(planned.items)).toEqual([
			expect.objectContaining({
				dryRun: true,
				wouldSend: false,
				reason: expect.stringMatching(/The Sending Policy refuses 2 of 3 recipients/),
			}),
		]);
		expect((await sandbox().summary()).requests).toBe(0);
	});
});
