import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { SendingGuard, type Admission } from '../../../nodes/MessagingService/policy/guard';
import { readPolicy } from '../../../nodes/MessagingService/policy/policy';
import type { RefusalFailure } from '../../../nodes/MessagingService/policy/violation';
import { reachOf } from '../../../nodes/MessagingService/policy/reach';
import { timingOf } from '../../../nodes/MessagingService/policy/timing';
import type { ServiceRequest } from '../../../nodes/MessagingService/transport/request';
import {
	instants,
	MINUTE,
	modelAllows,
	modelHours,
	numbers,
	policies,
	SERVICE_ZONE,
} from '../../support/policyModel';
import { runs } from '../../support/runs';

const message = (phoneNumber: IDataObject[string]): ServiceRequest => ({
	method: 'POST',
	path: '/api/SMSMessages',
	body: { phoneNumber, message: 'Hi', sender: 'Shop' },
});

const campaign = (list: readonly string[], more = {}): ServiceRequest => ({
	method: 'POST',
	path: '/api/Campaigns',
	body: { message: 'Hi', contacts: list.map((phoneNumber) => ({ phoneNumber })), ...more },
});

function guardWith(fields: object, now: number, context: object = {}) {
	return new SendingGuard(readPolicy({ sendingPolicy: true, ...fields }), {
		context,
		zone: SERVICE_ZONE,
		now: () => now,
		readCampaign: async () => Promise.reject(new Error('not asked')),
	});
}

async function failureOf(guard: SendingGuard, request: ServiceRequest) {
	const judged = await guard.admit(request);
	return 'failure' in judged ? judged.failure : undefined;
}

const refusalOf = async (...asked: Parameters<typeof failureOf>) =>
	(await failureOf(...asked))?.refusal;

describe('the guard of a sending policy', () => {
	it('agrees with a slow model on who may get a message, and when next', async () => {
		await fc.assert(
			fc.asyncProperty(
				policies,
				fc.constantFrom(...numbers),
				instants,
				async (fields, number, instant) => {
					const refusal = await refusalOf(guardWith(fields, instant), message(number));
					const isAllowed = modelAllows(fields, number, instant);
					expect({ number, isAllowed: refusal === undefined }).toEqual({ number, isAllowed });
					if (refusal?.rule !== 'sendingHours' || refusal.nextAllowedTime === undefined) return;
					const next = DateTime.fromISO(refusal.nextAllowedTime).toMillis();
					expect(next).toBeGreaterThan(instant);
					expect(modelHours(fields, number, next)).toBe(true);
					expect(modelHours(fields, number, next - MINUTE)).toBe(false);
					expect(await refusalOf(guardWith(fields, next), message(number))).toBeUndefined();
				},
			),
			{ numRuns: runs(400) },
		);
	}, 300_000);

	it('refuses exactly those of a campaign that it would refuse alone', async () => {
		await fc.assert(
			fc.asyncProperty(
				policies,
				fc.array(fc.constantFrom(...numbers), { minLength: 1, maxLength: 8 }),
				instants,
				async (fields, list, instant) => {
					const guard = guardWith(fields, instant);
					const together = await refusalOf(guard, campaign(list));
					const alone = await Promise.all(
						list.map(async (number) => await refusalOf(guard, message(number))),
					);
					expect(together?.recipients.map(({ position }) => position) ?? []).toEqual(
						alone.flatMap((refusal, position) => (refusal === undefined ? [] : [position])),
					);
				},
			),
			{ numRuns: runs(60) },
		);
	}, 300_000);

	it('never admits more recipients than the maximum, in any order of requests', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 20 }),
				fc.array(fc.record({ size: fc.integer({ min: 1, max: 8 }), isAccepted: fc.boolean() })),
				async (maxRecipients, requests) => {
					const context: { policy?: { recipients: number } } = {};
					let reached = 0;
					await Promise.all(
						requests.map(async ({ size, isAccepted }) => {
							const guard = guardWith({ maxRecipients, blockedNumberTypes: [] }, 0, context);
							const request = campaign(Array.from({ length: size }, () => '+447400123456'));
							const judged = await guard.admit(request);
							if ('failure' in judged) return;
							if (isAccepted) reached += size;
							else judged.release();
							expect(reached).toBeLessThanOrEqual(maxRecipients);
						}),
					);
					expect(context.policy?.recipients ?? 0).toBe(reached);
				},
			),
			{ numRuns: runs(60) },
		);
	});

	it('refuses texts that are no number, or whose country is unknown', async () => {
		const guard = guardWith({}, 0);
		for (const number of ['', undefined, 'Bob', '07400 123456', '+447400123456,+33900', {}]) {
			expect((await refusalOf(guard, message(number)))?.rule).toBe('blockedNumberTypes');
		}
	});

	it('refuses a number of an unknown time zone where the hours are those of the recipient', async () => {
		const policy = readPolicy({
			sendingPolicy: true,
			blockedNumberTypes: [],
			sendingHoursFrom: '09:00',
		});
		const guard = new SendingGuard(policy, {
			context: {},
			zone: SERVICE_ZONE,
			now: () => 0,
			readCampaign: async () => Promise.reject(new Error('not asked')),
		});
		expect(await refusalOf(guard, message('07400 123456'))).toMatchObject({
			rule: 'sendingHours',
			recipients: [{ reason: 'is of an unknown time zone' }],
			allowed: expect.stringContaining('09:00'),
		});
	});

	it('names the first recipients that it refuses, and says how many more there are', async () => {
		const guard = guardWith({ allowedCountries: 'FR' }, 0);
		const list = Array.from({ length: 7 }, (_, index) => `+44740012345${index}`);
		expect((await failureOf(guard, campaign(list.slice(0, 2))))?.description).toMatch(
			/^\+447400123450 is [^,]+, \+447400123451 is [^,]+\. /,
		);
		expect((await failureOf(guard, campaign(list)))?.description).toMatch(
			/^\+447400123450 is .*, \+447400123454 is [^,]+, and 2 more\. /,
		);
	});

	it('names numbers as the request has them: text, digits, or nothing', async () => {
		const guard = guardWith({ allowedCountries: 'FR' }, 0);
		const shownFor = async (number: IDataObject[string]) =>
			(await refusalOf(guard, message(number)))?.recipients[0]?.phoneNumber;
		expect(await shownFor(447400123456)).toBe('447400123456');
		expect(await shownFor('+44 7400 123456')).toBe('+44 7400 123456');
		expect(await shownFor({ number: 1 })).toBe('');
		expect(await shownFor('1'.repeat(99))).toBe('1'.repeat(30));
	});

	it('says which clocks count, of a number with many time zones the first ones', async () => {
		const days = { sendingDays: [1], blockedNumberTypes: [] };
		const sunday = Date.UTC(2030, 4, 12, 12);
		const tollFree = message('+18002345678');
		expect((await refusalOf(guardWith(days, sunday), tollFree))?.allowed).toMatch(
			/, in every time zone of the number \(\w+\/\w+, \w+\/\w+, \w+\/\w+, \.\.\.\)\.$/,
		);
		const ofService = { ...days, sendingHoursIn: 'service' };
		expect((await refusalOf(guardWith(ofService, sunday), tollFree))?.allowed).toMatch(
			/, in the time zone of the service \(Asia\/Kathmandu\)\.$/,
		);
	});

	it('refuses a request that it does not know, and says so', async () => {
		const request: ServiceRequest = { method: 'POST', path: '/api/something/new', body: {} };
		expect(await failureOf(guardWith({}, 0), request)).toMatchObject({
			message: 'The Sending Policy does not allow this operation',
			description: expect.stringContaining('(POST /api/something/new)'),
		});
	});
});

describe('whom a request reaches', () => {
	const kindOf = (path: string, body?: ServiceRequest['body']) =>
		reachOf({ method: 'POST', path, ...(body === undefined ? {} : { body }) }).kind;
	const contacts = [{ phoneNumber: '+447400123456' }];
	const phoneNumbers = [{ number: '+447400123456' }];

	it.each([
		['/api/SMSMessages', { phoneNumber: '1' }, 'messages'],
		['/API/smsmessages/', { phoneNumber: '1' }, 'messages'],
		['/api/Campaigns', { contacts }, 'messages'],
		['/api/campaigns/true', { contacts }, 'messages'],
		['/api/Campaigns/true', { message: 'New' }, 'messages'],
		['/api/Campaigns/42', { message: 'New' }, 'campaign'],
		['/api/Campaigns/42', undefined, 'unknown'],
		['/api/campaigns/voice', { phoneNumbers }, 'calls'],
		['/api/campaigns/voice/false', { phoneNumbers }, 'calls'],
		['/api/Campaign/Voice/', { phoneNumbers }, 'calls'],
		['/api/Campaign/Voice/1001', { phoneNumbers }, 'calls'],
		['/api/campaigns/voice', { message: 'New' }, 'calls'],
		['/api/PhoneNumberStorageItem', { number: '1' }, 'nobody'],
		['/api/PhoneNumberStorageItem/a', { number: '1' }, 'unknown'],
		['/api/integrations/UpdateWebHook', undefined, 'nobody'],
		['/api/something/new', { phoneNumber: '1' }, 'unknown'],
	])('POST %s with %j: %s', (path, body, kind) => {
		expect(kindOf(path, body)).toBe(kind);
	});
});

describe('an endpoint that only looks like a known one', () => {
	const bodies = {
		...{ contacts: [{ phoneNumber: '1' }], phoneNumbers: [{ number: '1' }], phoneNumber: '1' },
	};
	const known = [
		...['/api/SMSMessages', '/api/Campaigns', '/api/Campaigns/true', '/api/Campaigns/42'],
		...['/api/Campaigns/voice', '/api/Campaigns/voice/false', '/api/Campaign/voice/1001'],
		...['/api/PhoneNumberStorageItem', '/api/Integrations/UpdateWebHook/1001'],
	];

	it.each(known)('reaches unknown recipients: %s', (path) => {
		const kindOf = (other: string) => reachOf({ method: 'POST', path: other, body: bodies }).kind;
		expect(kindOf(path)).not.toBe('unknown');
		expect(kindOf(`${path.replaceAll('/', '//')}/`)).toBe(kindOf(path));
		expect(reachOf({ method: 'GET', path: '/api/new' }).kind).toBe('nobody');
		for (const other of [`/x${path}`, `${path}/x/y`, `x${path}`, path.slice(1), `${path}/ /x`]) {
			expect([other, kindOf(other)]).toEqual([other, 'unknown']);
		}
		expect(kindOf('/api/smsmessagesx')).toBe('unknown');
	});

	it('has the numbers of its list, also of entries that are none', () => {
		const contacts = [{ phoneNumber: '1' }, null, {}] as IDataObject[];
		expect(reachOf({ method: 'POST', path: '/api/Campaigns', body: { contacts } })).toEqual({
			...{ kind: 'messages', numbers: ['1', undefined, undefined], start: undefined },
		});
		const days = [{ date: '2030-05-18' }];
		const body = { phoneNumbers: [{ number: '1' }], startDate: '2030-05-17', runoverDays: days };
		expect(reachOf({ method: 'POST', path: '/api/Campaigns/voice', body })).toMatchObject({
			...{ kind: 'calls', numbers: ['1'], days: [{ date: '2030-05-17' }, ...days] },
		});
	});
});

describe('what a refusal says', () => {
	const british = '+447400123456';

	it('begins with what is allowed, of a request to one recipient', async () => {
		const failure = await failureOf(guardWith({ allowedCountries: 'FR,DE' }, 0), message(british));
		expect(failure?.description).toMatch(
			/^Allowed Countries: DE, FR\. This request was not sent\. The owner /,
		);
		const premium = await failureOf(guardWith({}, 0), message('+449098790000'));
		expect(premium?.description).toMatch(/^Blocked Number Types: Premium Rate\./);
		expect(premium?.description).not.toMatch(/Next allowed time/);
	});

	it('names the rule because of which a number needs its country', async () => {
		const refusalFor = async (fields: object) =>
			await refusalOf(guardWith(fields, 0), message('07400 123456'));
		expect(await refusalFor({})).toMatchObject({
			...{
				rule: 'blockedNumberTypes',
				allowed: expect.stringMatching(/^Blocked Number Types: .* Default Country/),
			},
		});
		expect(await refusalFor({ allowedCountries: 'GB' })).toMatchObject({
			...{
				rule: 'allowedCountries',
				allowed: expect.stringMatching(/^Allowed Countries: GB\. Write/),
			},
		});
		expect(await refusalFor({ blockedNumberTypes: [] })).toBeUndefined();
	});

	it('has the latest of the next allowed times, where each recipient has one', async () => {
		const hours = { sendingHoursFrom: '09:00', sendingHoursTo: '17:00', blockedNumberTypes: [] };
		const guard = guardWith(hours, Date.UTC(2030, 4, 14, 2));
		expect((await failureOf(guard, message(british)))?.description).toMatch(
			/This request was not sent\. Next allowed time: 2030-05-14T08:00:00Z\. The owner /,
		);
		const both = await refusalOf(guard, campaign([british, '+4915123456789']));
		expect(both?.recipients.map(({ nextAllowedTime }) => nextAllowedTime)).toEqual([
			...['2030-05-14T08:00:00Z', '2030-05-14T07:00:00Z'],
		]);
		expect(both?.nextAllowedTime).toBe('2030-05-14T08:00:00Z');
		const one = await refusalOf(guard, campaign([british, '07400 123456']));
		expect(one?.recipients).toHaveLength(2);
		expect(one).not.toHaveProperty('nextAllowedTime');
	});

	it('is that nobody is known, where the list is empty or missing', async () => {
		const without: ServiceRequest = { method: 'POST', path: '/api/Campaigns/true', body: {} };
		for (const request of [campaign([]), without]) {
			expect((await refusalOf(guardWith({}, 0), request))?.rule).toBe('unknownRequest');
		}
	});

	it('is that the time is not known, where the start cannot be read', async () => {
		const request = campaign([british], { startDateTime: 'soon' });
		expect((await refusalOf(guardWith({}, 0), request))?.rule).toBe('unknownRequest');
		expect(await refusalOf(guardWith({}, 0), campaign([british], { startDateTime: '' }))).toBe(
			undefined,
		);
	});
});

describe('a request that was admitted', () => {
	it('is checked again after a second, not before', async () => {
		let now = Date.UTC(2030, 4, 14, 18, 59, 59, 500);
		const policy = readPolicy({ sendingPolicy: true, sendingHoursTo: '20:00' });
		const guard = new SendingGuard(policy, {
			...{ context: {}, zone: SERVICE_ZONE, now: () => now },
			readCampaign: async () => Promise.reject(new Error('not asked')),
		});
		const admission = (await guard.admit(message('+447400123456'))) as Admission;
		expect(admission.refusal()).toBeUndefined();
		now += 1000;
		expect(admission.refusal()).toBeUndefined();
		now += 1;
		expect(admission.refusal()).toMatchObject({ sent: 'no' });
	});

	it('has hours for the numbers of a request only', () => {
		const guard = guardWith({ sendingHoursTo: '20:00' }, Date.UTC(2030, 4, 14, 19, 30));
		expect(guard.hoursFor(message('1'))?.('+447400123456')?.rule).toBe('sendingHours');
		const update: ServiceRequest = { method: 'POST', path: '/api/Campaigns/42', body: {} };
		expect(guard.hoursFor(update)).toBeUndefined();
		expect(guardWith({}, 0).hoursFor(message('1'))).toBeUndefined();
		expect(guardWith({ maxRecipients: -1 }, 0).hoursFor(message('1'))).toBeUndefined();
		expect(guardWith({ sendingPolicy: false }, 0).hoursFor(message('1'))).toBeUndefined();
	});
});

test('calls have a time where each of their days has one', () => {
	const day = { date: '2030-05-17', startTime: '09:00', finishTime: '18:00' };
	const window = [Date.UTC(2030, 4, 17, 8), Date.UTC(2030, 4, 17, 17)];
	const timing = (days: IDataObject[]) =>
		timingOf({ kind: 'calls', numbers: [], days }, 0, 'Europe/London');
	expect(timing([day, day])).toEqual([window, window]);
	for (const change of [{ finishTime: '09:00' }, { startTime: 'x' }, { date: undefined }]) {
		expect(timing([day, { ...day, ...change }])).toBeUndefined();
	}
});

describe('a policy that cannot be read', () => {
	it.each([
		[{ allowedCountries: 'GB, UK1' }, 'Allowed Countries', 'has an unknown code (UK1)'],
		[
			{ allowedCountries: 'UnitedKingdom' },
			'Allowed Countries',
			'has an unknown code (UNITEDKING)',
		],
		[{ onlyTheseNumbers: '07400 123456' }, 'Only These Numbers', 'has an invalid number (07400'],
		[{ onlyTheseNumbers: '+447400123456 me' }, 'Only These Numbers', 'has an invalid number'],
		[{ blockedNumberTypes: ['premium'] }, 'Blocked Number Types', 'cannot be "premium"'],
		[{ maxRecipients: -1 }, 'Max Recipients', 'is less than 0 (-1)'],
		[{ maxRecipients: 'many' }, 'Max Recipients', 'is not a whole number'],
		[{ sendingHoursFrom: '25:00' }, 'Sending Hours From', 'is not a time'],
		[
			{ sendingHoursFrom: '20:00', sendingHoursTo: '08:00' },
			...(['Sending Hours To', 'is not after Sending Hours From'] as const),
		],
		[{ sendingDays: [] }, 'Sending Days', 'is empty'],
		[{ sendingDays: [8] }, 'Sending Days', 'cannot be "8"'],
		[{ sendingHoursIn: 'mine' }, 'Sending Hours In', 'cannot be "mine"'],
		[{ allowedCountries: { toString: null } }, 'A field', 'cannot be read'],
		[{ allowedCountries: ' , ' }, 'Allowed Countries', 'has an unknown code ()'],
		[{ sendingPolicy: 'yes' }, 'The switch', 'is neither on nor off'],
		[{ sendingPolicy: 1 }, 'The switch', 'is neither on nor off'],
	])('%j refuses every sending request: %s %s', async (fields, field, problem) => {
		const guard = guardWith(fields, 0);
		const failure = (await failureOf(guard, message('+447400123456'))) as RefusalFailure;
		expect(failure).toMatchObject({ field, sent: 'no' });
		expect(failure.description).toMatch(/^Fix it in the credential\. [A-Z].{10,}\. Until then/);
		expect(failure.message).toContain(`${field} ${problem}`);
		expect(failure.message.length).toBeLessThanOrEqual(80);
	});

	it.each([undefined, null, ''])('takes %j in a field for its preset', (value) => {
		const names = [
			'onlyTheseNumbers',
			'allowedCountries',
			'maxRecipients',
			'sendingHoursFrom',
			'sendingHoursTo',
		];
		const others = ['sendingDays', 'sendingHoursIn', 'simulate'];
		const fields = Object.fromEntries([...names, ...others].map((name) => [name, value]));
		expect(readPolicy({ sendingPolicy: true, ...fields } as never)).toEqual({
			onlyThese: undefined,
			countries: new Set(),
			blockedTypes: new Set(['premiumRate']),
			maxRecipients: undefined,
			hours: undefined,
			hoursIn: 'recipient',
			isSimulated: false,
		});
	});

	it.each([
		[
			{ onlyTheseNumbers: '+44 7400 123456, 0044 7400 123457\n+447400123458;' },
			{ onlyThese: new Set(['+447400123456', '+447400123457', '+447400123458']) },
		],
		[{ onlyTheseNumbers: ' , ' }, { onlyThese: new Set() }],
		[{ allowedCountries: ' gb;IE fr,' }, { countries: new Set(['GB', 'IE', 'FR']) }],
		[{ allowedCountries: ['gb'] }, { countries: new Set(['GB']) }],
		[{ blockedNumberTypes: [] }, { blockedTypes: new Set() }],
		[{ blockedNumberTypes: 'mobile, voip' }, { blockedTypes: new Set(['mobile', 'voip']) }],
		[{ maxRecipients: 0 }, { maxRecipients: undefined }],
		[{ maxRecipients: '7' }, { maxRecipients: 7 }],
		[{ sendingHoursIn: 'service' }, { hoursIn: 'service' }],
		[{ sendingHoursFrom: '00:00', sendingHoursTo: '24:00' }, { hours: undefined }],
		[{ sendingDays: [1, 2, 3, 4, 5, 6, 7] }, { hours: undefined }],
		[{ sendingDays: '6 7' }, { hours: { from: 0, to: 1440, days: new Set([6, 7]) } }],
		[
			{ sendingHoursFrom: ' 9:05 ' },
			{ hours: { from: 545, to: 1440, days: new Set([1, 2, 3, 4, 5, 6, 7]) } },
		],
		[
			{ sendingHoursTo: '23:59' },
			{ hours: { from: 0, to: 1439, days: new Set([1, 2, 3, 4, 5, 6, 7]) } },
		],
		[{ simulate: true }, { isSimulated: true }],
		[{ simulate: 'false' }, { isSimulated: false }],
		// Any text but these is not off.
		[{ simulate: 'no' }, { isSimulated: true }],
	])('does not refuse %j: %j', (fields, policy) => {
		expect(readPolicy({ sendingPolicy: true, ...fields } as never)).toMatchObject(policy);
	});

	it.each<object>([
		...['24:01', '09:60', '9', '09:5', '9:00 am', 'x09:00', '009:00', '-1:00'].map((time) => ({
			sendingHoursFrom: time,
		})),
		...[1.5, '1x', NaN, 2 ** 60, -1].map((maxRecipients) => ({ maxRecipients })),
		...['0', '1,8', 'Monday', [1.5]].map((sendingDays) => ({ sendingDays })),
		{ sendingHoursFrom: '09:00', sendingHoursTo: '09:00' },
		{ sendingHoursTo: '00:00' },
		{ sendingDays: [] },
	])('refuses %j, and says how to fix it', (fields) => {
		const failure = readPolicy({ sendingPolicy: true, ...fields } as never);
		if (failure === undefined || !('sent' in failure)) throw new Error('It was taken');
		expect(failure.description).toMatch(/^Fix it in the credential\. [A-Z].{10,}\. Until then/);
	});

	it('is off only when it is off', () => {
		expect(readPolicy({})).toBeUndefined();
		expect(readPolicy({ sendingPolicy: false })).toBeUndefined();
		expect(readPolicy({ sendingPolicy: 'true' })).toBeDefined();
	});
});
