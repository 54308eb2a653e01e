import { omit, pick } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { getGlobalState } from 'n8n-workflow';
import { actionSuite, byId, onTheWire, type ActionOptions } from '../support/actionSuite';
import { serversOfTest } from '../support/servers';
import { voiceBody } from '../support/voiceCampaign';

const { credential, describeOperation, run, sandbox } = actionSuite();
const startServer = serversOfTest();

/** What `create` sends, beside the phone numbers. */
const created = omit(voiceBody({ name: 'May reminders' }), 'phoneNumbers');

const create = {
	resource: 'voiceCampaign',
	operation: 'create',
	...created,
};

/** What identifies the campaign in the output. */
/** The output of `created`; the tests that set a start time or attempts say so. */
const made = (recipients: number, { firstCall = '09:00', attempts = 1 } = {}) => ({
	...{ recipients, sent: 'yes', reason: 'Accepted by the service', campaign: 1 },
	...{ firstCall: `${created.startDate} ${firstCall}`, attempts },
	...{ name: created.name, id: expect.any(Number) },
});

const person = { number: '+447700900123' };

/** A campaign made on the service itself; gives its ID. */
async function createdCampaign(changes: object = {}): Promise<number> {
	const { data } = await sandbox().api.post<{ id: number }>('/api/campaigns/voice', {
		...created,
		phoneNumbers: [person],
		...changes,
	});
	return data.id;
}

/** A campaign, or a list of them, as the service gives it. */
const fetched = async <T = IDataObject>(place: string) =>
	(await sandbox().api.get<T>(`/api/campaigns/voice/${place}`.replace(/\/$/, ''))).data;

const SIMPLIFIED = [
	...['id', 'name', 'startDate', 'starttime', 'finishtime', 'campaignStatus', 'callCount'],
];

const numbers = (count: number, ending = '123') =>
	Array.from({ length: count }, (_, index) => ({
		number: `+4477${String(index).padStart(5, '0')}${ending}`,
	}));

/** Runs with phone numbers that come from input items with a field `number`. */
const fromItems = { phoneNumberField: 'number' };

/** Leaves invalid numbers to the service. */
const sendingInvalid = { options: { unusable: 'send' } };

describeOperation('voiceCampaign', 'create', () => {
	const tryTo = async (changes: IDataObject, options: ActionOptions = {}) =>
		await run({ ...create, ...fromItems, ...changes }, { items: [person], ...options });

	it('sends only what the user set', async () => {
		const { requests, items } = await run({ ...create, ...fromItems }, { items: [person] });
		const body = { ...created, phoneNumbers: [person] };
		expect(requests.map(onTheWire)).toEqual([{ line: 'POST /api/campaigns/voice', body }]);
		const about = { sent: 'yes', columnsUsed: ['number'], columnsNotUsed: [] };
		expect(items).toEqual([{ json: { ...made(1), ...about }, pairedItem: { item: 0 } }]);
	});

	it('sends every key of the request, spelled as the interface spells it', async () => {
		const { requests, items } = await run(
			{
				...create,
				...fromItems,
				answerMachineDetected: 2,
				smsOnBusy: 1,
				startTime: '9:30',
				additionalFields: {
					otherFields: { name: 'customer.name', parameter1: 'day', parameter9: 'amount' },
					attempts: { attempt: [{ interval: 30 }, { interval: '45' }, { interval: 60 }] },
					runoverDays: {
						day: [
							{ date: '2999-01-11', startTime: '09:00', finishTime: '17:00' },
							{ date: '2999-01-12', startTime: '10:00:00', finishTime: '12:00' },
						],
					},
				},
			},
			{
				items: [
					{ number: 447700900123, customer: { name: 'Ada' }, day: 'Monday', amount: 12.5 },
					{ number: '+447700900124', customer: {}, day: '', amount: 0 },
				],
			},
		);
		const body = {
			...created,
			answerMachineDetected: 2,
			smsOnBusy: 1,
			startTime: '09:30',
			attempts: [
				{ interval: 30, attemptNumber: 1 },
				{ interval: 45, attemptNumber: 2 },
				{ interval: 60, attemptNumber: 3 },
			],
			runoverDays: [
				{ date: '2999-01-11', startTime: '09:00', finishTime: '17:00' },
				{ date: '2999-01-12', startTime: '10:00', finishTime: '12:00' },
			],
			phoneNumbers: [
				{
					number: '447700900123',
					name: 'Ada',
					parameters: [
						{ parameter: 1, value: 'Monday' },
						{ parameter: 9, value: '12.5' },
					],
				},
				{ number: '+447700900124', parameters: [{ parameter: 9, value: '0' }] },
			],
		};
		expect(requests.map(onTheWire)).toEqual([{ line: 'POST /api/campaigns/voice', body }]);
		expect(items).toEqual([
			{
				json: {
					...made(2, { firstCall: '09:30', attempts: 3 }),
					sent: 'yes',
					columnsUsed: ['number', 'customer', 'day', 'amount'],
					columnsNotUsed: [],
				},
				pairedItem: [{ item: 0 }, { item: 1 }],
			},
		]);
	});

	it('takes the phone numbers from JSON, also when an expression gives the array itself', async () => {
		const named = {
			...{ number: '+447700900001', name: 'Ada' },
			parameters: [{ parameter: 3, value: 'three' }],
		};
		const empty = { number: '+447700900004', parameters: [{ parameter: 2, value: '' }] };
		const list = [named, '+447700900002', 447700900003, empty];
		for (const phoneNumbersJson of ['={{ $json.list }}', JSON.stringify(list)]) {
			const { requests } = await run(
				{ ...create, phoneNumbersSource: 'json', phoneNumbersJson },
				{ items: [{ list }] },
			);
			expect(requests[0]?.body).toEqual({
				...created,
				phoneNumbers: [
					named,
					...['+447700900002', '447700900003', '+447700900004'].map((number) => ({ number })),
				],
			});
		}
	});

	it.each([
		['{}', {}],
		['errors', { errors: { name: ['Name is not unique.'] } }],
		['[]', []],
	])('does not report success for a response without an ID: %s', async (_what, body) => {
		await sandbox().fault({ fault: { kind: 'unexpectedBody', body } });
		const { error, items } = await run({ ...create, ...fromItems }, { items: [person] });
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/not a (campaign|record) with an ID|reported an error/);
		expect(error?.description).toMatch(/may have been (accepted|created)/);
	});

	it.each<[IDataObject, IDataObject]>([
		[
			{ id: 7, name: 'May', phoneNumbers: [person] },
			{ recipients: 1, name: 'May', id: 7 },
		],
		[{ id: 7 }, { recipients: 2, name: 'May reminders', id: 7 }],
	])('the output says what the service has taken, where it tells: %j', async (body, taken) => {
		await sandbox().fault({ fault: { kind: 'unexpectedBody', body } });
		const other = { number: '+447700900124' };
		const { items } = await run({ ...create, ...fromItems }, { items: [person, other] });
		const columns = { columnsUsed: ['number'], columnsNotUsed: [] };
		expect(items.map(({ json }) => json)).toEqual([{ ...made(2), ...taken, ...columns }]);
	});

	it.each([
		[
			'an extra day before the start',
			'Europe/London',
			{ date: '2037-03-27', startTime: '09:00', finishTime: '17:00' },
			'Extra Calling Day 1 (2037-03-27) is before Start Date: no calls may be made then.',
		],
		[
			'an extra day that is the first day',
			'Europe/London',
			{ date: '2037-03-28', startTime: '18:00', finishTime: '19:00' },
			'Extra Calling Day 1 (2037-03-28) has the date of another day: one of them may be ignored.',
		],
		[
			'each of the extra days of which something is odd',
			'UTC',
			['2037-03-29', '2037-03-01', '2037-03-29'].map((date) => ({
				...{ date, startTime: '09:00', finishTime: '17:00' },
			})),
			[
				'Extra Calling Day 2 (2037-03-01) is before Start Date: no calls may be made then.',
				'Extra Calling Day 3 (2037-03-29) has the date of another day: one of them may be ignored.',
			],
		],
		[
			'nothing of a later day',
			'UTC',
			{ date: '2037-03-29', startTime: '01:30', finishTime: '09:00' },
			undefined,
		],
	])('warns of %s', async (_name, timezone, day, warning) => {
		const additionalFields = { runoverDays: { day: [day].flat() } };
		const { items } = await run(
			{ ...create, ...fromItems, startDate: '2037-03-28', additionalFields, dryRun: true },
			{ items: [person], timezone },
		);
		expect(items.map(({ json }) => json.warnings)).toEqual([warning && [warning].flat()]);
	});

	it.each([
		['one attempt is left to the service', {}, undefined],
		[
			'three attempts have the same interval',
			{ attemptCount: 3, minutesBetween: 30 },
			[1, 2, 3].map((attemptNumber) => ({ interval: 30, attemptNumber })),
		],
		[
			'a list counts in place of the number',
			{ attemptCount: 3, additionalFields: { attempts: { attempt: [{ interval: 5 }] } } },
			[{ interval: 5, attemptNumber: 1 }],
		],
	])('%s', async (_what, fields, attempts) => {
		const { requests } = await run({ ...create, ...fromItems, ...fields }, { items: [person] });
		expect((requests[0]?.body as IDataObject).attempts).toEqual(attempts);
	});

	it('a name of 100 characters is taken, however they are written', async () => {
		const name = '😀'.repeat(100);
		const { requests } = await run({ ...create, ...fromItems, name }, { items: [person] });
		expect((requests[0]?.body as IDataObject).name).toBe(name);
	});

	it.each<[string, IDataObject, string]>([
		['a long name', { name: 'x'.repeat(101) }, 'Name is longer than 100 characters (101)'],
		[
			'a start that is over',
			{ startDate: '2020-01-10' },
			'Start Date is not in the future (2020-01-10 09:00)',
		],
		[
			'a finish at the start',
			{ finishTime: '09:00' },
			'Finish Time is not after the start time (09:00 to 09:00)',
		],
		[
			'an extra day that finishes before it starts',
			{
				additionalFields: {
					runoverDays: {
						day: [
							{ date: '2999-01-11', startTime: '09:00', finishTime: '10:00' },
							{ date: '2999-01-12', startTime: '09:00', finishTime: '08:00' },
						],
					},
				},
			},
			'Finish Time of Extra Calling Day 2 is not after the start time (09:00 to 08:00)',
		],
		[
			'an attempt without an interval',
			{ additionalFields: { attempts: { attempt: [{ interval: 5 }, { interval: 0 }] } } },
			'Interval of Attempt 2 is less than 1 (0)',
		],
		[
			'attempts right after one another',
			{ attemptCount: 2, minutesBetween: 0 },
			'Minutes Between is less than 1 (0)',
		],
		['no attempt at all', { attemptCount: 0 }, 'How Many Attempts is less than 1 (0)'],
		[
			'a phone number for the number of attempts',
			{ attemptCount: 101 },
			'How Many Attempts is more than 100 (101)',
		],
		['no attempt', { additionalFields: { attempts: {} } }, 'Attempt List has no entry'],
		[
			'no phone number in the list',
			{ phoneNumbersSource: 'list', phoneNumbers: {} },
			'Phone Numbers are empty',
		],
		[
			'JSON that is no array',
			{ phoneNumbersSource: 'json', phoneNumbersJson: '{}' },
			'Phone Numbers (JSON) is not a JSON array',
		],
	])('refuses %s before sending', async (_what, changes, message) => {
		const { error, requests } = await tryTo(changes);
		expect(error?.message).toBe(message);
		expect(error?.context?.itemIndex).toBe(0);
		expect(requests).toEqual([]);
	});

	it('says in one line how to write JSON', async () => {
		const { error } = await tryTo({ phoneNumbersSource: 'json', phoneNumbersJson: '{}' });
		expect(error?.description).toContain(
			'Write it like [ { "number": "+447700900123", "name": "Ada",',
		);
	});

	it.each<[string, IDataObject]>([
		[
			'a parameter number is used twice',
			{ parameters: [2, 2].map((parameter) => ({ parameter, value: 'a' })) },
		],
		['the parameter number 0 is not 1 to 9', { parameters: [{ parameter: 0, value: 'a' }] }],
		['the parameter number 10 is not 1 to 9', { parameters: [{ parameter: 10, value: 'a' }] }],
		[
			'the parameter number true is not 1 to 9',
			{ parameters: [{ parameter: true, value: 'a' } as never] },
		],
		['parameters is not an array', { parameters: 'a' }],
		['Name is neither text nor a number', { name: { first: 'Ada' } }],
	])('refuses an entry before sending: %s', async (problem, entry) => {
		const { error, requests } = await tryTo({
			phoneNumbersSource: 'json',
			phoneNumbersJson: JSON.stringify([{ ...person, ...entry }]),
		});
		expect(error?.message).toBe('Phone Numbers include 1 invalid or duplicate entry of 1');
		expect(error?.description).toContain(problem);
		expect(requests).toEqual([]);
	});

	describe('a start that is over in one time zone and in the future in another', () => {
		const EAST = 'Pacific/Kiritimati';
		const WEST = 'Pacific/Pago_Pago';
		// Noon of the latest day whose noon is past in the east: in the west, 25 hours later, it is not.
		const startDate = DateTime.now().setZone(EAST).minus({ hours: 12 }).toFormat('yyyy-MM-dd');
		const noon = { startDate, startTime: '12:00', finishTime: '12:30' };
		const inZone = (serviceTimeZone: string, serviceConventions = true) =>
			credential({ serviceConventions, serviceTimeZone });

		it.each([
			['the service time zone, not that of the workflow', WEST, () => inZone(EAST), EAST],
			['the zone of the workflow, if the service has none', EAST, () => credential(), EAST],
			['the zone of the workflow, if conventions are off', EAST, () => inZone(WEST, false), EAST],
			['the service time zone, which is the western one', EAST, () => inZone(WEST), WEST],
		])('is judged by %s', async (_what, timezone, use, zone) => {
			await sandbox().settings({ conventions: { timeZone: WEST } });
			const { error, requests } = await tryTo(noon, { timezone, credential: use() });
			expect(requests).toHaveLength(zone === WEST ? 1 : 0);
			if (zone === WEST) return expect(error).toBeUndefined();
			expect(error?.message).toBe(`Start Date is not in the future (${startDate} 12:00)`);
			expect(error?.description).toContain(`by its clock in ${EAST}`);
		});
	});

	it('takes the time zone of the instance where the workflow inherits it', async () => {
		const inherited = { items: [person], timezone: 'DEFAULT' };
		const { requests } = await run({ ...create, ...fromItems }, inherited);
		expect(requests[0]?.body).toMatchObject({ startDate: '2999-01-10', startTime: '09:00' });
		const { error } = await run({ ...create, ...fromItems, startDate: '2020-01-10' }, inherited);
		expect(error?.message).toBe('Start Date is not in the future (2020-01-10 09:00)');
		expect(error?.description).toContain(getGlobalState().defaultTimezone);
	});

	it('converts a date and time with an offset into the zone of the service', async () => {
		const { requests } = await run(
			{
				...create,
				...fromItems,
				startDate: '2999-07-17T10:00:00-04:00',
				startTime: '2999-07-17T10:00:00-04:00',
				finishTime: '2999-07-17T12:30:00-04:00',
			},
			{
				items: [person],
				credential: credential({ serviceConventions: true, serviceTimeZone: 'Europe/London' }),
			},
		);
		expect(requests[0]?.body).toMatchObject({
			startDate: '2999-07-17',
			startTime: '15:00',
			finishTime: '17:30',
		});
	});

	it.each([
		['not set', {}, 'POST /api/campaigns/voice', 2],
		['ignore', { invalidPhoneNumbers: 'ignore' }, 'POST /api/campaigns/voice/true', 1],
	])(
		'with "Invalid Phone Numbers" %s, the service takes what it takes',
		async (_what, additionalFields: IDataObject, line, count) => {
			const { items, requests } = await run(
				{ ...create, ...fromItems, ...sendingInvalid, additionalFields },
				{ items: [person, { number: '123' }] },
			);
			expect(requests.map((request) => onTheWire(request).line)).toEqual([line]);
			expect(requests[0]?.body).toEqual({
				...created,
				phoneNumbers: [person, { number: '123' }],
			});
			expect(items[0]?.json.recipients).toBe(count);
			expect((await sandbox().summary()).voicePhoneNumbers).toBe(count);
		},
	);

	it('with "Invalid Phone Numbers" reject, the complaint about the number comes out', async () => {
		const { error, requests } = await run(
			{
				...{ ...create, ...fromItems, ...sendingInvalid },
				additionalFields: { invalidPhoneNumbers: 'reject' },
			},
			{ items: [person, { number: '123' }] },
		);
		expect(requests.map(({ url }) => url)).toEqual(['/api/campaigns/voice/false']);
		expect(error?.message).toMatch(/^phoneNumbers\[1\]\.number: '123' is not a valid phone number/);
		expect((await sandbox().summary()).voiceCampaigns).toBe(0);
	});
});

describeOperation('voiceCampaign', 'createForClient', () => {
	const forClient = { ...omit(create, 'defaultCli_Id'), operation: 'createForClient', cli_Id: 401 };
	const body = { ...omit(created, 'defaultCli_Id'), cli_Id: 401, phoneNumbers: [person] };

	it.each([
		['query', '?clientId=1001', {}],
		['path', '1001', {}],
		['body', '', { clientId: 1001 }],
	])('carries the client ID in the %s', async (clientIdPlace, ending, inBody) => {
		await sandbox().settings({ conventions: { clientIdPlace } });
		const { items, requests } = await run(
			{ ...forClient, ...fromItems },
			{ items: [person], credential: credential({ serviceConventions: true, clientIdPlace }) },
		);
		expect(requests.map(onTheWire)).toEqual([
			{ line: `POST /api/Campaign/Voice/${ending}`, body: { ...body, ...inBody } },
		]);
		expect(items).toMatchObject([{ json: { name: 'May reminders', sent: 'yes', recipients: 1 } }]);
	});

	it('takes the client ID of the node before that of the credential', async () => {
		const additionalFields = { clientId: ' 1002 ', attempts: { attempt: [{ interval: 15 }] } };
		const { requests } = await run(
			{ ...forClient, ...fromItems, callflow_Id: 303, cli_Id: 403, additionalFields },
			{ items: [person] },
		);
		expect(requests.map(({ url }) => url)).toEqual(['/api/Campaign/Voice/?clientId=1002']);
		expect(requests[0]?.body).toMatchObject({ attempts: [{ interval: 15, attemptNumber: 1 }] });
	});

	it.each([
		['a number', 4711, 4711],
		['a text', '4711', '4711'],
		['an object', { campaignId: 4711 }, 4711],
	])('outputs the identifier when the response is %s', async (_what, response, id) => {
		await sandbox().fault({ fault: { kind: 'unexpectedBody', body: response } });
		const { items } = await run({ ...forClient, ...fromItems }, { items: [person] });
		expect(items.map(({ json }) => json)).toEqual([
			{ ...made(1), id, sent: 'yes', columnsUsed: ['number'], columnsNotUsed: [] },
		]);
	});
});

describeOperation('voiceCampaign', 'get', () => {
	const get = { resource: 'voiceCampaign', operation: 'get', campaignId: byId('={{ $json.id }}') };

	it('outputs every field as received', async () => {
		const id = await createdCampaign({
			attempts: [{ interval: 30, attemptNumber: 1 }],
			runoverDays: [{ date: '2999-01-11', startTime: '10:00', finishTime: '12:00' }],
		});
		const { items, requests } = await run({ ...get, simple: false }, { items: [{ id }] });
		expect(requests.map(onTheWire)).toEqual([
			{ line: `GET /api/campaigns/voice/${id}`, body: null },
		]);
		expect(items).toEqual([{ json: await fetched(String(id)), pairedItem: { item: 0 } }]);
	});

	it('simplifies unless told not to', async () => {
		const ids = [await createdCampaign(), await createdCampaign({ name: 'Second' })];
		const { items } = await run(get, { items: ids.map((id) => ({ id })) });
		const campaigns = await Promise.all(ids.map(async (id) => await fetched(String(id))));
		expect(items).toEqual(
			campaigns.map((campaign, item) => ({
				json: pick(campaign, SIMPLIFIED),
				pairedItem: { item },
			})),
		);
	});

	it.each(
		['get', 'getSummary', 'getPhoneNumbers'].flatMap((operation) =>
			['p', '1.5', '1/phonenumbers'].map((id) => ({ operation, id })),
		),
	)(
		'refuses the ID $id, which is not a whole number: its path is another operation ($operation)',
		async ({ operation, id }) => {
			const { error, items, requests } = await run({ ...get, operation }, { items: [{ id }] });
			expect(error?.message).toMatch(/^Campaign /);
			expect(items).toEqual([]);
			expect(requests).toEqual([]);
		},
	);
});

describeOperation('voiceCampaign', 'getAll', () => {
	it('outputs every field as received', async () => {
		await createdCampaign();
		await createdCampaign({ name: 'Second' });
		const { items, requests } = await run({ resource: 'voiceCampaign', operation: 'getAll' });
		expect(requests.map(onTheWire)).toEqual([
			{ line: 'GET /api/campaigns/voice/p?pageSize=50', body: null },
		]);
		const { items: campaigns } = await fetched<{ items: IDataObject[] }>('p');
		expect(campaigns).toHaveLength(2);
		expect(items).toEqual(campaigns.map((json) => ({ json, pairedItem: { item: 0 } })));
	});
});

describeOperation('voiceCampaign', 'getAllUnpaged', () => {
	it('outputs all campaigns of one response, every field as received', async () => {
		for (const { number } of numbers(25)) await createdCampaign({ name: number });
		const getAllUnpaged = { resource: 'voiceCampaign', operation: 'getAllUnpaged' };
		const { items, requests } = await run(getAllUnpaged);
		expect(requests.map(onTheWire)).toEqual([{ line: 'GET /api/campaigns/voice', body: null }]);
		expect(items).toHaveLength(25);
		expect(items.map(({ json }) => json)).toEqual(await fetched<IDataObject[]>(''));
	});
});

describeOperation('voiceCampaign', 'getPhoneNumbers', () => {
	const getPhoneNumbers = {
		resource: 'voiceCampaign',
		operation: 'getPhoneNumbers',
		campaignId: byId('={{ $json.id }}'),
		returnAll: true,
	};

	/** A campaign that has run: one number busy, then answered, with an SMS; one transferred. */
	async function finishedCampaign(): Promise<number> {
		const id = await createdCampaign({
			smsOnBusy: 1,
			attempts: [
				{ interval: 30, attemptNumber: 1 },
				{ interval: 30, attemptNumber: 2 },
			],
			phoneNumbers: [
				{
					number: '+447700900723',
					name: 'Ada',
					parameters: [{ parameter: 1, value: 'Monday' }],
				},
				{ number: '+447700900808' },
			],
		});
		await sandbox().advanceTo('2999-01-10T18:00:00Z');
		return id;
	}

	const recordsOf = async (id: number) => await fetched<IDataObject[]>(`${id}/phonenumbers/100/1`);

	it('outputs one item per phone number, every field as received, names beside the codes', async () => {
		const id = await finishedCampaign();
		const { items } = await run(getPhoneNumbers, { items: [{ id }] });
		const names = [
			[
				{ outcomeName: 'Busy', stageName: 'No Action' },
				{ outcomeName: 'Answered', stageName: 'Answered' },
			],
			[{ outcomeName: 'Answered', stageName: 'Right party transfer accepted' }],
		];
		expect(items).toEqual(
			(await recordsOf(id)).map(({ calls, smss, ...record }, place) => ({
				json: {
					...record,
					calls: (calls as IDataObject[]).map((call, index) => ({
						...{ ...call, ...names[place]?.[index] },
					})),
					smss: (smss as IDataObject[]).map((sms) => ({ ...sms, statusName: 'Delivered' })),
				},
				pairedItem: { item: 0 },
			})),
		);
	});

	it('outputs one item per call, with its number and the campaign ID', async () => {
		const id = await finishedCampaign();
		const { items } = await run({ ...getPhoneNumbers, output: 'calls' }, { items: [{ id }] });
		const records = await recordsOf(id);
		expect(items).toEqual(
			records.flatMap(({ id: phoneNumberId, number, name, calls }) =>
				(calls as IDataObject[]).map((call) => ({
					json: {
						...{ campaignId: String(id), phoneNumberId, number, name, ...call },
						...{ outcomeName: expect.any(String), stageName: expect.any(String) },
						eventKey: `call/${id}/${String(number).slice(1)}/${String(call.startTime)}`,
					},
					pairedItem: { item: 0 },
				})),
			),
		);
		expect(items).toHaveLength(3);
	});

	it.each([false, true])(
		'outputs one item per SMS, with its number and the campaign ID (null fields: %p)',
		async (nullFieldsForSomeClients) => {
			await sandbox().settings({ nullFieldsForSomeClients });
			const id = await finishedCampaign();
			const { items } = await run({ ...getPhoneNumbers, output: 'smss' }, { items: [{ id }] });
			const [record] = await recordsOf(id);
			const [sms] = record?.smss as IDataObject[];
			expect(sms?.message === null).toBe(nullFieldsForSomeClients);
			expect(items).toEqual([
				{
					json: {
						campaignId: String(id),
						eventKey: expect.stringMatching(/^sms\/447700900723\/1\/1\/2999-01-10T/),
						phoneNumberId: record?.id,
						number: '+447700900723',
						name: 'Ada',
						...sms,
						statusName: 'Delivered',
					},
					pairedItem: { item: 0 },
				},
			]);
		},
	);

	it.each([
		['phoneNumbers', ['+447700900814'], 1],
		['calls', ['+447700900814'], 1],
	])('outputs only the %s of people who pressed a key', async (output, found, limit) => {
		const phoneNumbers = [...numbers(15), { number: '+447700900814' }];
		const id = await createdCampaign({ phoneNumbers });
		await sandbox().advanceTo('2999-01-10T18:00:00Z');
		const { items } = await run(
			{ ...getPhoneNumbers, output, returnAll: false, limit, options: { userInputs: '7, 9' } },
			{ items: [{ id }] },
		);
		expect(items.map(({ json }) => json.number)).toEqual(found);
	});

	it.each(['phoneNumbers', 'calls', 'smss'])('finds who pressed a key: %s', async (output) => {
		const called = (number: string, userInput: string) => ({
			...{ id: number, number, smss: [{ status: 1 }] },
			calls: [{ outcome: 1, userInput }],
		});
		const records = ['9', '1', '1,9', ' 9 ', '19', ''].map((keys, index) =>
			called(`+44770090012${index}`, keys),
		);
		const { url } = await startServer(({ url: path }, response) => {
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(path.endsWith('/1') ? records : []));
		});
		const { items } = await run(
			{ ...getPhoneNumbers, output, options: { userInputs: '9' } },
			{ items: [{ id: 1 }], credential: credential({ baseUrl: url }) },
		);
		expect(items.map(({ json }) => json.number)).toEqual(
			['0', '2', '3'].map((end) => `+44770090012${end}`),
		);
	});

	it.each([1, 5, 9, 30])('limits the calls, not the numbers they are of, to %p', async (limit) => {
		// Numbers that end in 7 are called twice each, after twenty that are never reached.
		const phoneNumbers = [...numbers(120, '000'), ...numbers(10, '723')];
		const id = await createdCampaign({
			phoneNumbers,
			attempts: [
				{ interval: 10, attemptNumber: 1 },
				{ interval: 10, attemptNumber: 2 },
			],
		});
		await sandbox().advanceTo('2999-01-10T18:00:00Z');
		const calls = (await recordsOf(id)).flatMap((record) => record.calls as IDataObject[]);
		const { items, requests } = await run(
			{ ...getPhoneNumbers, output: 'calls', returnAll: false, limit },
			{ items: [{ id }] },
		);
		expect(items).toHaveLength(Math.min(limit, calls.length));
		const read = requests.map(({ url }) => url.split('phonenumbers')[1]);
		expect(read[0]).toBe('/1000/1');
		expect(read.length).toBeLessThanOrEqual(2);
	});

	describe('chooses among the three forms of the path', () => {
		it.each([
			['a first page of ten', { returnAll: false, limit: 10 }, [''], 10],
			['one page of ten', { options: { pageNumber: 2 } }, ['/2'], 10],
			[
				'one whole page, which Limit does not cut',
				{ returnAll: false, limit: 2, options: { pageNumber: 3 } },
				['/3'],
				3,
			],
			['one page of its own size', { options: { pageNumber: 2, pageSize: 5 } }, ['/5/2'], 5],
			['more than ten', { returnAll: false, limit: 15 }, ['/15/1'], 15],
			[
				'pages of its own size',
				{ returnAll: false, limit: 8, options: { pageSize: 5 } },
				['/5/1', '/5/2'],
				8,
			],
			[
				'all, up to an empty page',
				{ options: { pageSize: 10 } },
				['/10/1', '/10/2', '/10/3', '/10/4'],
				23,
			],
		])('for %s', async (_what, changes: IDataObject, suffixes, count) => {
			const id = await createdCampaign({ phoneNumbers: numbers(23) });
			const { items, requests } = await run(
				{ ...getPhoneNumbers, ...changes },
				{ items: [{ id }] },
			);
			expect(items).toHaveLength(count);
			// Of a list whose length is not told, a few pages behind the end are asked for.
			expect(requests.map(({ url }) => url).slice(0, suffixes.length)).toEqual(
				suffixes.map((suffix) => `/api/campaigns/voice/${id}/phonenumbers${suffix}`),
			);
		});
	});
});
