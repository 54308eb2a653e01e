import type { IDataObject } from 'n8n-workflow';
import escapeRegExp from 'lodash/escapeRegExp';
import { getGlobalState, setGlobalState } from 'n8n-workflow';
import type { Batch } from '../../nodes/MessagingService/recipients/batch';
import { planRecipients } from '../../nodes/MessagingService/recipients/plan';
import { InputError } from '../../nodes/MessagingService/parameters/inputError';
import { readAttempts } from '../../nodes/MessagingService/resources/voiceCampaign/attempts';
import { readCampaign } from '../../nodes/MessagingService/resources/voiceCampaign/campaignBody';
import { phoneNumbers } from '../../nodes/MessagingService/resources/voiceCampaign/phoneNumbers';
import { readRunoverDays } from '../../nodes/MessagingService/resources/voiceCampaign/schedule';
import type { NodeFields } from './support/call';
import { callWith } from './support/call';
import { thrown } from './support/thrown';

/** The fields of a campaign that can be created. */
const FIELDS: IDataObject = {
	name: 'May reminders',
	startDate: '2099-05-17',
	startTime: '09:30',
	finishTime: '17:00',
	callflow_Id: 11,
	defaultCli_Id: 21,
	answerMachineDetected: 0,
	smsOnBusy: 1,
	phoneNumbersSource: 'list',
	phoneNumbers: { entry: [{ number: '+447700900123' }] },
	additionalFields: {},
};

function bodyOf(changes: IDataObject = {}, options: NodeFields = {}): IDataObject {
	const call = callWith({ parameters: { ...FIELDS, ...changes }, ...options });
	const { batches, obstacle } = planRecipients(phoneNumbers, call);
	if (obstacle !== undefined) throw obstacle;
	return readCampaign({ ...call, batch: batches[0] as Batch }, 'defaultCli_Id');
}

/** Asserts that a campaign is refused with a message, which names the field. */
function expectRefused(changes: IDataObject, message: RegExp, options: NodeFields = {}) {
	const error = thrown(() => bodyOf(changes, options));
	expect(error).toBeInstanceOf(InputError);
	expect(error).toMatchObject({
		message: expect.stringMatching(message),
		description: expect.stringMatching(/\w/),
	});
}

describe('the body of a create request', () => {
	test('has what was set and nothing else', () => {
		expect(bodyOf()).toEqual({
			name: 'May reminders',
			startDate: '2099-05-17',
			startTime: '09:30',
			finishTime: '17:00',
			callflow_Id: 11,
			defaultCli_Id: 21,
			answerMachineDetected: 0,
			smsOnBusy: 1,
			phoneNumbers: [{ number: '+447700900123' }],
		});
	});

	test('has the other key for the caller identity where that is asked for', () => {
		const call = callWith({ parameters: { ...FIELDS, cli_Id: 22 } });
		const body = readCampaign(call, 'cli_Id');
		expect(body.cli_Id).toBe(22);
		expect(body).not.toHaveProperty('defaultCli_Id');
	});

	test('has attempts and run-over days where they were added', () => {
		const additionalFields = {
			attempts: { attempt: [{ interval: 30 }, { interval: 60 }] },
			runoverDays: { day: [{ date: '2099-05-18', startTime: '8:00', finishTime: '12:00' }] },
		};
		expect(bodyOf({ additionalFields })).toMatchObject({
			attempts: [
				{ interval: 30, attemptNumber: 1 },
				{ interval: 60, attemptNumber: 2 },
			],
			runoverDays: [{ date: '2099-05-18', startTime: '08:00', finishTime: '12:00' }],
		});
	});

	test.each([
		['callflow_Id', 'Call Flow ID'],
		['defaultCli_Id', 'Caller ID (CLI)'],
		['answerMachineDetected', 'On Answering Machine'],
		['smsOnBusy', 'Text When Busy'],
	])('has an integer as %s', (name, label) => {
		expect(bodyOf({ [name]: '7' })[name]).toBe(7);
		for (const value of ['seven', '3e2', '0x12D', '7.0', '+7', 1.5, 2 ** 53, true]) {
			expectRefused(
				{ [name]: value },
				new RegExp(`^${escapeRegExp(label)} is not a whole number \\(`),
			);
		}
		for (const value of ['', ' ', null]) {
			expectRefused({ [name]: value }, new RegExp(`^${escapeRegExp(label)} is empty$`));
		}
	});
});

describe('the name of a campaign', () => {
	test('has at most 100 characters, however many units each takes', () => {
		for (const character of ['a', 'ü', '😀']) {
			const name = character.repeat(100);
			expect(bodyOf({ name }).name).toBe(name);
			expectRefused({ name: `${name}b` }, /^Name is longer than 100 characters \(101\)$/);
		}
	});

	test('is not empty', () => {
		expectRefused({ name: ' ' }, /^Name is empty$/);
	});
});

describe('the schedule of a campaign', () => {
	test.each([
		[{ startDate: '2001-05-17' }, /^Start Date is not in the future \(2001-05-17 09:30\)$/],
		[{ startDate: '' }, /^Start Date is empty$/],
		[{ startDate: '17.05.2099' }, /^Start Date is not a date \(17\.05\.2099\)$/],
		[{ startDate: '2099-02-29' }, /^Start Date is not a date \(2099-02-29\)$/],
		[{ startTime: '' }, /^Start Time is empty$/],
		[{ startTime: '25:00' }, /^Start Time is not a time \(25:00\)$/],
		[{ finishTime: '5 pm' }, /^Finish Time is not a time \(5 pm\)$/],
		[{ finishTime: '09:30' }, /^Finish Time is not after the start time \(09:30 to 09:30\)$/],
		[{ finishTime: '9:29' }, /^Finish Time is not after the start time \(09:30 to 09:29\)$/],
		[{ startTime: '22:00', finishTime: '02:00' }, /^Finish Time is not after the start time/],
	])('is refused with %j', (changes, message) => {
		expectRefused(changes, message);
	});

	test('is written as the service wants it', () => {
		const changes = { startDate: '2099-05-17T00:00:00', startTime: '9:05:30', finishTime: '10:00' };
		expect(bodyOf(changes)).toMatchObject({
			startDate: '2099-05-17',
			startTime: '09:05',
			finishTime: '10:00',
		});
	});

	test('is meant in the zone of the service, or else of the workflow', () => {
		const descriptionIn = (options: NodeFields) =>
			(thrown(() => bodyOf({ startDate: '2001-05-17' }, options)) as InputError).description;
		expect(descriptionIn({ timezone: 'Asia/Tokyo' })).toContain('in Asia/Tokyo.');
		expect(
			descriptionIn({ timezone: 'Asia/Tokyo', settings: { timeZone: 'Europe/London' } }),
		).toContain('in Europe/London.');
	});

	test('needs a zone that exists', () => {
		expectRefused({}, /^Service Time Zone is not a known time zone \(Mars\/Olympus\)$/, {
			settings: { timeZone: 'Mars/Olympus' },
		});
		expectRefused({}, /^Timezone is not a known time zone \(Mars\/Olympus\)$/, {
			timezone: 'Mars/Olympus',
		});
	});

	test('is meant in the zone of the instance where the workflow inherits it', () => {
		const { defaultTimezone } = getGlobalState();
		setGlobalState({ defaultTimezone: 'Pacific/Kiritimati' });
		const error = thrown(() => bodyOf({ startDate: '2001-05-17' }, { timezone: 'DEFAULT' }));
		setGlobalState({ defaultTimezone });
		expect(error).toMatchObject({ description: expect.stringContaining('Pacific/Kiritimati') });
	});

	test('keeps a midnight as a day, unless the time of day comes from the same value', () => {
		const zone = { settings: { timeZone: 'America/New_York' } };
		const midnight = '2099-07-17T00:00:00.000Z';
		expect(bodyOf({ startDate: midnight, finishTime: '21:00' }, zone)).toMatchObject({
			startDate: '2099-07-17',
			startTime: '09:30',
		});
		const both = { startDate: midnight, startTime: midnight, finishTime: '21:00' };
		expect(bodyOf(both, zone)).toMatchObject({ startDate: '2099-07-16', startTime: '20:00' });
	});
});

/** A call of which only the additional fields are set. */
const withFields = (additionalFields: IDataObject) =>
	callWith({ parameters: { additionalFields } }).parameters;
const daysOf = (runoverDays: IDataObject) => readRunoverDays(withFields({ runoverDays }), 'UTC');
const attemptsOf = (attempts: IDataObject) => readAttempts(withFields({ attempts }));

describe('run-over days', () => {
	test('are empty without an entry', () => {
		expect(daysOf({})).toEqual([]);
	});

	test.each([
		[{ date: '', startTime: '08:00', finishTime: '09:00' }, 'Date of Extra Calling Day 2 is empty'],
		[
			{ date: '2099-05-18', startTime: '8', finishTime: '09:00' },
			'Start Time of Extra Calling Day 2 is not a time (8)',
		],
		[
			{ date: '2099-05-18', startTime: '08:00', finishTime: '' },
			'Finish Time of Extra Calling Day 2 is empty',
		],
		[
			{ date: '2099-05-18', startTime: '08:00', finishTime: '07:59' },
			'Finish Time of Extra Calling Day 2 is not after the start time (08:00 to 07:59)',
		],
	])('are refused by their place: %j', (second, message) => {
		const first = { date: '2099-05-17', startTime: '08:00', finishTime: '09:00' };
		expect(thrown(() => daysOf({ day: [first, second] }))).toMatchObject({ message });
	});

	test('are refused with a field that they do not have', () => {
		const day = { date: '2099-05-17', startTime: '08:00', finishTime: '09:00', endTime: '10:00' };
		expect(thrown(() => daysOf({ day: [day] }))).toMatchObject({
			message: expect.stringMatching(/ has an unknown field "endTime" \(day 1\)$/),
			description: 'The fields of a day are date, startTime, finishTime.',
		});
	});
});

describe('attempts', () => {
	test('are numbered from 1 in their order', () => {
		const attempt = [{ interval: 5 }, { interval: '10' }, { interval: 5 }];
		expect(attemptsOf({ attempt })).toEqual([
			{ interval: 5, attemptNumber: 1 },
			{ interval: 10, attemptNumber: 2 },
			{ interval: 5, attemptNumber: 3 },
		]);
	});

	test.each([0, -1, 1.5, '', 'soon', null, NaN])('are refused with the interval %j', (interval) => {
		expect(() => attemptsOf({ attempt: [{ interval: 5 }, { interval }] })).toThrow(
			/^Interval of Attempt 2 is (not a whole number|less than 1|empty)/,
		);
	});
});

describe('a phone number of a campaign', () => {
	/** The entry made from a candidate, and what was reported about it. */
	function build(others: IDataObject) {
		const problems: string[] = [];
		const entry = phoneNumbers.build('+447700900123', others, (problem) => problems.push(problem));
		return { entry, problems };
	}

	test('has its name and those of parameters 1 to 9 that are set', () => {
		const all = Object.fromEntries(
			Array.from({ length: 11 }, (_, index) => [`parameter${index}`, `text ${index}`]),
		);
		expect(build({ name: 'Ada', ...all, parameter2: '', parameter3: null, parameter4: 0 })).toEqual(
			{
				entry: {
					number: '+447700900123',
					name: 'Ada',
					parameters: [
						{ parameter: 1, value: 'text 1' },
						{ parameter: 4, value: '0' },
						...[5, 6, 7, 8, 9].map((parameter) => ({ parameter, value: `text ${parameter}` })),
					],
				},
				problems: [],
			},
		);
	});

	test('has neither name nor parameters when none are set', () => {
		const nothing = { name: '', parameter1: undefined, parameters: [] };
		expect(build(nothing)).toEqual({ entry: { number: '+447700900123' }, problems: [] });
	});

	test('takes parameters as the service has them', () => {
		const parameters = [
			{ parameter: 9, value: 5 },
			{ parameter: '1', value: 'Monday' },
		];
		expect(build({ parameters })).toEqual({
			entry: {
				number: '+447700900123',
				parameters: [
					{ parameter: 9, value: '5' },
					{ parameter: 1, value: 'Monday' },
				],
			},
			problems: [],
		});
	});

	test.each([0, 10, -1, 1.5, '', 'one', null, undefined, {}])(
		'has no parameter of the number %j',
		(parameter) => {
			const { problems } = build({ parameters: [{ parameter, value: 'x' }] });
			expect(problems).toEqual([`the parameter number ${String(parameter)} is not 1 to 9`]);
		},
	);

	test.each([
		[
			{
				parameters: [
					{ parameter: 2, value: 'a' },
					{ parameter: 2, value: 'b' },
				],
			},
		],
		[
			{
				parameters: [
					{ parameter: 2, value: 'a' },
					{ parameter: '2', value: 'a' },
				],
			},
		],
		[{ parameters: [{ parameter: 2, value: 'a' }], parameter2: 'b' }],
	])('has no parameter number twice: %j', (others) => {
		expect(build(others).problems).toEqual(['a parameter number is used twice']);
	});

	test.each([
		[{ parameters: 'Monday' }, 'parameters is not an array'],
		[{ parameters: { parameter: 1, value: 'x' } }, 'parameters is not an array'],
		[{ parameter1: { a: 1 } }, 'Parameter 1 is neither text nor a number'],
		[{ parameters: [{ parameter: 3, value: [] }] }, 'Parameter 3 is neither text nor a number'],
		[{ name: {} }, 'Name is neither text nor a number'],
		[{ parameters: [null] }, 'the parameter number undefined is not 1 to 9'],
	])('is complained about: %j', (others, problem) => {
		const { entry, problems } = build(others);
		expect(problems).toEqual([problem]);
		// Sent anyway where the user wants that: without what is invalid.
		expect(entry).toStrictEqual({ number: '+447700900123' });
	});

	test.each([
		[{ parameters: null, name: null }],
		[{ parameters: [] }],
		[{ parameters: [{ parameter: 1, value: '' }, { parameter: 2 }] }],
	])('has nothing of what is empty: %j', (others) => {
		expect(build(others)).toStrictEqual({ entry: { number: '+447700900123' }, problems: [] });
	});
});

describe('the phone numbers of a campaign', () => {
	test('are one at least', () => {
		expectRefused({ phoneNumbers: {} }, /^Phone Numbers are empty$/);
		expectRefused(
			{ phoneNumbersSource: 'json', phoneNumbersJson: '[]' },
			/^Phone Numbers are empty/,
		);
	});

	test('come from all input items, by the fields that are named', () => {
		const body = bodyOf(
			{
				phoneNumbersSource: 'inputItems',
				phoneNumberField: 'customer.phone',
				additionalFields: { otherFields: { name: 'customer.name', parameter3: 'day' } },
			},
			{
				items: [
					{ customer: { phone: 447700900123, name: 'Ada' }, day: 'Monday' },
					{ customer: { phone: '+447700900124' } },
				],
			},
		);
		expect(body.phoneNumbers).toEqual([
			{ number: '447700900123', name: 'Ada', parameters: [{ parameter: 3, value: 'Monday' }] },
			{ number: '+447700900124' },
		]);
	});

	test('are refused with the places of all bad ones', () => {
		const items = ['+447700900123', '4.4E11', '', '+447700900124', 1e300].map((phone) => ({
			phone,
		}));
		const changes = { phoneNumbersSource: 'inputItems', phoneNumberField: 'phone' };
		expectRefused(
			changes,
			/^Phone Numbers include 3 invalid or duplicate items of 5 \(items 1, 2 and 4\)$/,
			{
				items,
			},
		);
		const entry = [{ number: '+447700900123' }, { number: '' }];
		expectRefused({ phoneNumbers: { entry } }, /^Phone Numbers .* of 2 \(entry 2\)$/);
	});

	test('come from JSON, also as bare numbers', () => {
		const phoneNumbersJson =
			'["+447700900123", 447700900124, { "number": "+447700900125", "name": "Ada" }]';
		expect(bodyOf({ phoneNumbersSource: 'json', phoneNumbersJson }).phoneNumbers).toEqual([
			{ number: '+447700900123' },
			{ number: '447700900124' },
			{ number: '+447700900125', name: 'Ada' },
		]);
		expectRefused(
			{ phoneNumbersSource: 'json', phoneNumbersJson: '{"number": "1"}' },
			/^Phone Numbers \(JSON\) is not a JSON array$/,
		);
	});
});

test('true is no parameter number', () => {
	const problems: string[] = [];
	phoneNumbers.build('1', { parameters: [{ parameter: true, value: 'x' }] }, (problem) =>
		problems.push(problem),
	);
	expect(problems).toEqual(['the parameter number true is not 1 to 9']);
});
