import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { SendingGuard } from '../../../nodes/MessagingService/policy/guard';
import { policyFields, readPolicy } from '../../../nodes/MessagingService/policy/policy';
import type { Complaint } from '../../../nodes/MessagingService/reason';
import { Failure } from '../../../nodes/MessagingService/failure';
import type { PostRequest, ReadClient } from '../../../nodes/MessagingService/transport/request';
import {
	COSTLY,
	instants,
	MINUTE,
	modelAllows,
	modelHours,
	modelTypes,
	numbers,
	onlyOfRecipients,
	policies,
	SERVICE_ZONE,
	storedPage,
	texts,
	UNREADABLE,
} from '../../support/policyModel';
import { runs } from '../../support/runs';

const message = (phoneNumber: IDataObject[string], text = 'Hi'): PostRequest => ({
	method: 'POST',
	path: '/api/SMSMessages',
	reaches: { kind: 'messages', numbers: [phoneNumber] },
	body: { phoneNumber, message: text, sender: 'Shop' },
});

const campaign = (list: readonly string[], more = {}): PostRequest => ({
	method: 'POST',
	path: '/api/Campaigns',
	reaches: { kind: 'messages', numbers: list, ...more },
	body: { message: 'Hi', sender: 'Shop', contacts: list.map((phoneNumber) => ({ phoneNumber })) },
});

let accounts = 0;

/** A service that has these stored numbers, and nothing else. */
function serviceWith(stored: readonly string[]): ReadClient {
	const notAsked = async () => await Promise.reject(new Error('not asked'));
	return {
		accountKey: String(accounts++),
		settings: {
			...{ baseUrl: '', clientId: '', clientIdPlace: 'query', defaultCountry: '' },
			...{ pageIndexParameter: '', pageSizeParameter: '', timeZone: SERVICE_ZONE },
		},
		page: async ({ path }) =>
			await Promise.resolve(path.endsWith('/1') ? storedPage(stored) : storedPage([])),
		record: notAsked,
		records: notAsked,
	};
}

function guardWith(
	fields: object,
	now: number,
	{
		context = {},
		stored = [],
		client = serviceWith(stored),
	}: { context?: object; stored?: readonly string[]; client?: ReadClient } = {},
) {
	jest.useFakeTimers({ now });
	return new SendingGuard(readPolicy({ sendingPolicy: true, ...fields }), {
		context,
		client,
		isEvaluation: false,
		noteUnreadable: () => undefined,
	});
}

async function failureOf(guard: SendingGuard, request: PostRequest) {
	const check = await guard.check(request);
	return check instanceof Failure ? check : undefined;
}

const reasonsFor = async (...asked: Parameters<typeof failureOf>) =>
	(await failureOf(...asked))?.facts.reasons as readonly Complaint[] | undefined;

afterEach(() => {
	jest.useRealTimers();
});

describe('without a policy', () => {
	const without = { sendingPolicy: false };

	it('premium-rate, personal and satellite numbers are refused, and all others are not', async () => {
		const refused = numbers.filter((number) =>
			modelTypes(number).some((type) => COSTLY.includes(type)),
		);
		expect(refused.length).toBeGreaterThan(50);
		const guard = guardWith(without, 0);
		const reasons = await reasonsFor(guard, campaign(numbers));
		expect(reasons?.map(({ phoneNumber }) => phoneNumber)).toEqual(refused);
		expect(new Set(reasons?.map(({ code }) => code))).toEqual(new Set(['blockedNumberTypes']));
		const others = numbers.filter((number) => !refused.includes(number));
		expect(await failureOf(guard, campaign(others))).toBeUndefined();
	});

	it.each(['', 'Bob', '07400 123456', '9006 123456', {}])(
		'%j is let through: nobody can tell its type',
		async (number) => {
			expect(await failureOf(guardWith(without, 0), message(number))).toBeUndefined();
		},
	);

	it('says how they can be allowed', async () => {
		const failure = await failureOf(guardWith(without, 0), message('+449098790000'));
		expect(failure?.message).toBe(
			'Sending Policy: +449098790000 is of a blocked type (Premium Rate)',
		);
		expect(failure?.description).toContain('switch on Sending Policy in the credential');
		const allowed = { blockedNumberTypes: ['pager'] };
		expect(await failureOf(guardWith(allowed, 0), message('+449098790000'))).toBeUndefined();
	});

	it('it does not matter when a request reaches people', async () => {
		const request = campaign(['+447400123456'], { start: 'soon' });
		expect(await failureOf(guardWith(without, 0), request)).toBeUndefined();
	});

	it('nothing is read, also where a request does not name whom it reaches', async () => {
		const guard = guardWith(without, 0);
		const path = '/api/Campaigns/c7';
		for (const reaches of [{ kind: 'unknown' }, { kind: 'campaign', path }] as const) {
			expect(await failureOf(guard, { method: 'POST', path, reaches })).toBeUndefined();
		}
	});
});

describe('Allowed Senders', () => {
	const rule = { allowedSenders: 'Shop, +44 7700 900100' };
	const update = (body: IDataObject): PostRequest => ({
		...{ method: 'POST', path: '/api/Campaigns/c7', body },
		reaches: { kind: 'campaign', path: '/api/Campaigns/c7' },
	});
	const guardOf = (own: IDataObject) =>
		guardWith(rule, 0, {
			client: {
				...serviceWith([]),
				record: async () => await Promise.resolve(own),
				page: async () =>
					await Promise.resolve({
						...{ pageIndex: 1, totalPages: 1, totalRecords: 1 },
						items: [{ id: '1', phoneNumber: '+447400123456' }],
					}),
			},
		});

	it.each([
		['the new sender', { sender: 'Shop' }, {}, true],
		['another sender', { sender: 'Bank' }, { sender: 'Shop' }, false],
		['the sender that it has', { message: 'Hi' }, { sender: 'shop ' }, true],
		['a number', { message: 'Hi' }, { sender: '+44 7700 900100' }, true],
		['a sender that it should not have', { message: 'Hi' }, { sender: 'Bank' }, false],
		['a sender that begins like an allowed one', { sender: 'Shop24' }, {}, false],
		['a sender that ends like an allowed one', { sender: 'My Shop' }, {}, false],
		['a part of an allowed one', { sender: 'Sho' }, {}, false],
		['a sender that the service does not tell', { message: 'Hi' }, {}, false],
		[
			'the sender that it has, without a start',
			{ message: 'Hi' },
			{ sender: 'Shop', startDateTime: null },
			true,
		],
		[
			'the sender that it has, with an empty start',
			{ message: 'Hi' },
			{ sender: 'Shop', startDateTime: '' },
			true,
		],
	])('of an update look at %s', async (_, body, own, isAllowed) => {
		const reasons = await reasonsFor(guardOf(own), update(body));
		expect(reasons?.map(({ code }) => code)).toEqual(isAllowed ? undefined : ['allowedSenders']);
	});

	it.each([{}, { sender: null }, { sender: ' ' }])(
		'say that the sender of a campaign is not known: %j',
		async (own) => {
			const failure = await failureOf(guardOf(own), update({ message: 'Hi' }));
			expect(failure?.message).toBe('Sending Policy: the sender of the campaign is not known');
			expect(failure?.description).toContain('Set Sender under Update Fields.');
		},
	);

	it('do not concern calls', async () => {
		const day = { date: '2030-01-10', startTime: '09:00', finishTime: '10:00' };
		const calls: PostRequest = {
			...{ method: 'POST', path: '/api/campaigns/voice', body: {} },
			reaches: { kind: 'calls', numbers: ['+447400123456'], days: [day] },
		};
		expect(await failureOf(guardWith(rule, 0), calls)).toBeUndefined();
	});
});

describe('the guard of a sending policy', () => {
	it('is tried with every field of the form', () => {
		const [tried] = fc.sample(policies, 1);
		const [, ...rules] = policyFields.map(({ name }) => name);
		// These have tests, and a model, of their own.
		const own = ['simulate', 'allowWebhookChanges', 'hoursBetweenTexts'];
		expect([...Object.keys(tried?.fields ?? {}), ...own].sort()).toEqual(rules.sort());
	});

	it('agrees with a slow model on who may get a message, and when next', async () => {
		await fc.assert(
			fc.asyncProperty(
				policies,
				fc.constantFrom(...numbers),
				instants,
				texts,
				async ({ fields, stored }, number, instant, text) => {
					const reasonsAt = async (now: number) =>
						await reasonsFor(guardWith(fields, now, { stored }), message(number, text));
					const [reason] = (await reasonsAt(instant)) ?? [];
					const isAllowed = modelAllows({ fields, stored }, number, instant, text);
					expect({ number, isAllowed: reason === undefined }).toEqual({ number, isAllowed });
					if (reason?.code !== 'sendingHours' || reason.nextAllowedTime === undefined) return;
					const next = DateTime.fromISO(reason.nextAllowedTime).toMillis();
					expect(next).toBeGreaterThan(instant);
					expect(modelHours(fields, number, next)).toBe(true);
					expect(modelHours(fields, number, next - MINUTE)).toBe(false);
					expect(await reasonsAt(next)).toBeUndefined();
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
				async ({ fields, stored }, list, instant) => {
					const guard = guardWith(onlyOfRecipients(fields), instant, { stored });
					const together = await reasonsFor(guard, campaign(list));
					const alone = await Promise.all(
						list.map(async (number) => await reasonsFor(guard, message(number))),
					);
					expect(together?.map(({ place }) => place) ?? []).toEqual(
						alone.flatMap((reasons, place) => (reasons === undefined ? [] : [place])),
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
							const guard = guardWith({ maxRecipients }, 0, { context });
							const request = campaign(Array.from({ length: size }, () => '+447400123456'));
							const check = await guard.check(request);
							if (check instanceof Failure) return;
							if (isAccepted) reached += size;
							guard.noteResult(check, isAccepted ? 'yes' : 'no');
							expect(reached).toBeLessThanOrEqual(maxRecipients);
						}),
					);
					expect(context.policy?.recipients ?? 0).toBe(reached);
				},
			),
			{ numRuns: runs(60) },
		);
	});

	it('counts nobody for a request that reaches nobody', async () => {
		const guard = guardWith({ maxRecipients: 1 }, 0);
		const storing: PostRequest = {
			...{ method: 'POST', path: '/api/PhoneNumberStorageItem', reaches: { kind: 'nobody' } },
		};
		expect(await failureOf(guard, storing)).toBeUndefined();
		expect(await failureOf(guard, message('+447400123456'))).toBeUndefined();
		expect(await failureOf(guard, message('+447400123456'))).toBeDefined();
	});

	it('looks for message parts in requests with a message only', async () => {
		const request = { ...message('+447400123456'), body: {} };
		expect(await failureOf(guardWith({ maxMessageParts: 1 }, 0), request)).toBeUndefined();
	});

	it('refuses beforehand what is then refused because of the maximum, and counts nothing by that', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 20 }),
				fc.array(fc.integer({ min: 1, max: 8 })),
				async (maxRecipients, sizes) => {
					const guard = guardWith({ maxRecipients }, 0);
					for (const size of sizes) {
						const request = campaign(Array.from({ length: size }, () => '+447400123456'));
						const beforehand = await guard.rehearse([request]);
						const failure = await failureOf(guard, request);
						expect(beforehand?.description).toBe(failure?.description);
					}
				},
			),
			{ numRuns: runs(60) },
		);
	});

	it('refuses a number whose time zone is unknown, where there are sending hours', async () => {
		const freephone = '+80012345678';
		expect(await reasonsFor(guardWith({}, 0), message(freephone))).toBeUndefined();
		const guard = guardWith({ sendingHoursTo: '23:59' }, 0);
		const text = 'is of an unknown time zone';
		const advice = expect.stringMatching(
			/^Sending Hours: 00:00 to 23:59 .* Write the number with \+/,
		);
		expect(await reasonsFor(guard, message(freephone))).toMatchObject([{ text, advice }]);
	});

	it.each(['+33612345678', 33612345678])('names the number that it refuses: %j', async (number) => {
		const failure = await failureOf(guardWith({ allowedCountries: 'GB' }, 0), message(number));
		expect(failure?.message).toContain(`Policy: ${number} is of`);
		expect(failure?.facts.reasons).toMatchObject([{ phoneNumber: String(number), place: 0 }]);
	});

	it('refuses texts that are no number, or whose country is unknown', async () => {
		const guard = guardWith({}, 0);
		for (const number of ['', undefined, 'Bob', '07400 123456', '+447400123456,+33900', {}]) {
			expect((await reasonsFor(guard, message(number)))?.[0]?.code).toBe('blockedNumberTypes');
		}
	});

	it('judges by a list that was read again, also if it has just judged by the one before', async () => {
		const stored: string[] = [];
		const rule = { doNotContactParameter: 'parameter2', doNotContactValue: 'opted out' };
		const guard = guardWith(rule, 0, { stored });
		expect(await failureOf(guard, message('+447400123456'))).toBeUndefined();
		jest.setSystemTime(5 * MINUTE - 1);
		const check = await guard.check(message('+447400123456'));
		if (check instanceof Failure) throw check;
		stored.push('+447400123456');
		jest.setSystemTime(5 * MINUTE);
		expect(check.refusal()?.facts).toMatchObject({ retry: {} });
		await check.prepare();
		expect(check.refusal()?.facts.reasons).toMatchObject([{ code: 'doNotContact' }]);
	});

	it('refuses a text whose turn comes two seconds after the end of the sending hours', async () => {
		const end = Date.UTC(2030, 0, 17, 21);
		const guard = guardWith({ sendingHoursTo: '21:00' }, end - 1000);
		const check = await guard.check(message('+447400123456'));
		if (check instanceof Failure) throw check;
		expect(check.refusal()).toBeUndefined();
		jest.setSystemTime(end + 1000);
		expect(check.refusal()?.facts.reasons).toMatchObject([{ code: 'sendingHours' }]);
	});

	it.each([
		['+447400123456', 1, false],
		['+34612345678', 2, false],
		['+6281234567890', 3, false],
		['+18002345678', 3, true],
	])('names the time zones of a number outside the hours: %s', async (number, named, isMore) => {
		const guard = guardWith({ sendingHoursTo: '00:01' }, Date.UTC(2030, 0, 17, 10, 30));
		const [reason] = (await reasonsFor(guard, message(number))) ?? [];
		const [, list = ''] = /every time zone of the number \((.*)\)/.exec(reason?.advice ?? '') ?? [];
		const names = list.split(', ');
		expect(names.filter((name) => /^\w+\/\w+/.test(name))).toHaveLength(named);
		expect(names.includes('...')).toBe(isMore);
	});

	it('says that sending is paused, whatever else it would refuse', async () => {
		const guard = guardWith(
			{ pauseSending: true, maxMessageParts: 1, sendingHoursIn: 'service' },
			0,
		);
		const reasons = await reasonsFor(guard, message('+33612345678', 'x'.repeat(161)));
		expect(reasons).toMatchObject([{ code: 'pauseSending' }]);
	});

	it.each([
		[1, 1, ''],
		[2, 2, ''],
		[5, 5, ''],
		[6, 5, ', and 1 more'],
		[8, 5, ', and 3 more'],
	])('names of %i refused recipients the first %i', async (count, named, more) => {
		const french = Array.from({ length: count }, (_, index) => `+3361234567${index}`);
		const guard = guardWith({ allowedCountries: 'GB' }, 0);
		const failure = await failureOf(guard, campaign(['+447400123456', ...french]));
		const names = french.slice(0, named).map((each) => `${each} is of a blocked country (FR)`);
		expect(failure?.message).toBe(`The Sending Policy refuses ${count} of ${count + 1} recipients`);
		expect(failure?.description.startsWith(`${names.join(', ')}${more}. Allowed`)).toBe(true);
	});

	it('refuses a request that it does not know, and says so', async () => {
		const request: PostRequest = {
			...{ method: 'POST', path: '/api/something/new', body: {} },
			reaches: { kind: 'unknown' },
		};
		expect(await failureOf(guardWith({}, 0), request)).toMatchObject({
			message: 'The Sending Policy does not allow this operation',
			description: expect.stringContaining('(POST /api/something/new)'),
		});
	});
});

describe('what is said of everybody who is refused', () => {
	const NUMBER = '+447400123456';
	const hours = { sendingHoursTo: '00:01', sendingHoursIn: 'service' };
	const events: PostRequest = {
		...{ method: 'POST', path: '/api/integrations/UpdateWebHook' },
		reaches: { kind: 'events' },
	};
	const calls: PostRequest = {
		...{ method: 'POST', path: '/api/campaigns/voice', body: {} },
		reaches: {
			...{ kind: 'calls', numbers: [NUMBER] },
			days: [{ date: '2030-01-10', startTime: '09:00', finishTime: '10:00' }],
		},
	};
	const doNotContact = { doNotContactParameter: 'parameter2', doNotContactValue: 'opted out' };
	const zoneless = () => {
		const client = serviceWith([]);
		return { client: { ...client, settings: { ...client.settings, timeZone: '' } } };
	};
	const between = { hoursBetweenTexts: 1 };
	const toNumber = message(NUMBER);
	/** What an error says, and what it says of each recipient. */
	interface Refusal {
		code: string;
		fields: object;
		title: string;
		/** Its description, before "This request was not sent." */
		why: string;
		text: string;
		/** Where it is not the description. */
		advice?: string;
		/** The recipient that is refused; undefined where the request is. */
		who?: { place?: number; phoneNumber?: string; nextAllowedTime?: string };
		request?: PostRequest;
		more?: Parameters<typeof guardWith>[2];
	}
	const one = (what: string, phoneNumber = NUMBER, more = {}) => ({
		...{ title: `Sending Policy: ${phoneNumber} ${what}`, text: what },
		who: { place: 0, phoneNumber, ...more },
	});
	const COMPLETE =
		'Write the number with + and the country code, or set Default Country in the credential or in Options (and Number Format to International).';
	const TYPES = 'Blocked Number Types: Premium Rate, Personal Number, Satellite.';
	const SHORTEN =
		'Shorten the text, or replace emoji and letters such as ë, ç and ł, which cut a part from 160 to 70 characters.';
	const NO_ZONE = {
		...{ title: 'Sending Policy: Service Time Zone is not set, or not known' },
		...{ text: 'cannot be checked', more: zoneless() },
		advice: 'Allowed: after Service Time Zone is set in the credential.',
	};
	const SET_ZONE =
		'Switch on Service Conventions in the credential and set Service Time Zone, as a name like Europe/London.';
	const NEED_ZONE = `The Sending Hours of calls, and those in the time zone of the service, need it. ${SET_ZONE}`;
	const KNOWN =
		'Allowed: requests whose recipients and time are known, or any request with a credential whose Sending Policy is off.';
	const UNKNOWN = {
		...{ code: 'unknownRequest', fields: {}, text: 'cannot be told', advice: KNOWN },
		title: 'The Sending Policy does not allow this operation',
	};
	const LONG = `/api/${'x'.repeat(70)}`;
	const callsOn = (day: object): PostRequest => ({
		...calls,
		reaches: { kind: 'calls', numbers: [NUMBER], days: [day as IDataObject] },
	});
	const REFUSALS: Refusal[] = [
		{
			...{ code: 'onlyTheseNumbers', fields: { onlyTheseNumbers: '+447400123457' } },
			...one('is not in Only These Numbers'),
			why: 'The credential reaches no other numbers.',
		},
		{
			...{ code: 'allowedCountries', fields: { allowedCountries: 'FR, DE' } },
			...one('is of a blocked country (GB)'),
			why: 'Allowed Countries: DE, FR.',
		},
		{
			...{ code: 'allowedCountries', fields: { allowedCountries: 'FR' } },
			...{ ...one('is of an unknown country', '07400'), request: message('07400') },
			why: `Allowed Countries: FR. ${COMPLETE}`,
		},
		{
			...{ code: 'blockedNumberTypes', fields: { blockedNumberTypes: ['mobile'] } },
			...one('is of a blocked type (Mobile)'),
			why: 'Blocked Number Types: Mobile.',
		},
		{
			...{ code: 'blockedNumberTypes', fields: {}, why: TYPES },
			...{ ...one('is of a blocked type (Satellite)', '+881612345678') },
			request: message('+881612345678'),
		},
		{
			...{ code: 'blockedNumberTypes', fields: {}, why: `${TYPES} ${COMPLETE}` },
			...{ ...one('is of an unknown type', '07400'), request: message('07400') },
		},
		{
			...{ code: 'blockedNumberTypes', fields: {}, why: `${TYPES} ${COMPLETE}` },
			...{ ...one('is of an unknown type', 'x'.repeat(30)), request: message('x'.repeat(31)) },
		},
		{
			...{ code: 'blockedNumberTypes', fields: {}, why: `${TYPES} ${COMPLETE}` },
			...{ ...one('is of an unknown type', ''), request: message({}) },
		},
		{
			...{ code: 'maxMessageParts', fields: { maxMessageParts: 1 } },
			title: 'Sending Policy: Message has 2 SMS parts, and 1 is allowed',
			...{ why: `Max Message Parts: 1. ${SHORTEN}`, advice: 'Max Message Parts: 1.' },
			...{ text: 'would get too many SMS parts', request: message(NUMBER, 'x'.repeat(161)) },
		},
		{
			...{ code: 'maxMessageParts', fields: { maxMessageParts: 2 } },
			title: 'Sending Policy: Message has 3 SMS parts, and 2 are allowed',
			...{ why: `Max Message Parts: 2. ${SHORTEN}`, advice: 'Max Message Parts: 2.' },
			...{ text: 'would get too many SMS parts', request: message(NUMBER, 'x'.repeat(400)) },
		},
		...[1, 2].map((max) => ({
			...{ code: 'maxRecipients', fields: { maxRecipients: max }, text: 'is one too many' },
			title: `The Sending Policy allows ${max} recipient${max === 1 ? '' : 's'} in one execution`,
			why: `0 are counted already, and this would reach 3 more. Max Recipients: ${max} for this node in one execution, ${max} of them left.`,
			advice: `Max Recipients: ${max} for this node in one execution, ${max} of them left.`,
			request: campaign([NUMBER, NUMBER, NUMBER]),
		})),
		{
			...{ code: 'allowedSenders', fields: { allowedSenders: 'Bank' } },
			title: 'Sending Policy: sender "Shop" is not allowed',
			...{ why: 'Allowed Senders: Bank.', text: 'would get a text from another sender' },
		},
		{
			...{ code: 'doNotContact', fields: doNotContact, more: { stored: [NUMBER] } },
			...one('is on the do-not-contact list of the credential'),
			why: 'Every workflow with this credential leaves it out while it is stored like this.',
		},
		{
			...{ code: 'sendingHours', fields: hours },
			...one('is outside the sending hours', NUMBER, { nextAllowedTime: '2030-01-09T18:15:00Z' }),
			why: 'It is 17:45 there. Next: tomorrow 00:00. Sending Hours: 00:00 to 00:01 every day, in the time zone of the service (Asia/Kathmandu).',
		},
		{
			...{ code: 'sendingHours', fields: { sendingHoursTo: '00:01' } },
			...one('is of an unknown time zone', '+80012345678'),
			why: `Sending Hours: 00:00 to 00:01 every day, in the time zone of the recipient. ${COMPLETE}`,
			request: message('+80012345678'),
		},
		{
			...{ code: 'sendingHours', fields: { sendingHoursTo: '00:30' } },
			...{ ...one('is outside the sending hours'), request: calls },
			why: 'It will be 03:15 to 04:15 there. Sending Hours: 00:00 to 00:30 every day, in every time zone of the number (Europe/London).',
		},
		{ ...{ code: 'sendingHours', fields: hours, why: NEED_ZONE }, ...NO_ZONE },
		{
			...{ code: 'sendingHours', fields: { sendingHoursTo: '23:59' }, why: NEED_ZONE },
			...{ ...NO_ZONE, request: calls },
		},
		{
			...{ code: 'hoursBetweenTexts', fields: between, ...NO_ZONE },
			why: `Hours Between Texts needs it to read the times of the service, which have no zone. ${SET_ZONE}`,
		},
		{
			...{ code: 'hoursBetweenTexts', fields: between, request: campaign([NUMBER, NUMBER]) },
			title: 'The Sending Policy refuses 1 of 2 recipients',
			why: `${NUMBER} has another text within an hour. Hours Between Texts: 1. The other text: 2030-01-09T12:00:00Z.`,
			text: 'has another text within an hour',
			advice: 'Hours Between Texts: 1. The other text: 2030-01-09T12:00:00Z.',
			who: { place: 1, phoneNumber: NUMBER, nextAllowedTime: '2030-01-09T13:00:00Z' },
		},
		{
			...{ code: 'allowWebhookChanges', fields: {}, text: 'would change the webhook URL' },
			title: 'Sending Policy: the webhook URL may not be changed',
			why: 'Allowed: after Allow Webhook Changes is switched on in the credential. A Messaging Service Trigger registers its URL when it is published.',
			advice: 'Allowed: after Allow Webhook Changes is switched on in the credential.',
			request: events,
		},
		...[
			{ method: 'POST', path: LONG, reaches: { kind: 'unknown' } } as const,
			campaign([NUMBER], { start: 'soon' }),
			callsOn({ date: '2030-01-10', startTime: '09:00', finishTime: '09:00' }),
			callsOn({ date: '2030-01-40', startTime: '09:00', finishTime: '10:00' }),
		].map((request) => ({
			...{ ...UNKNOWN, request },
			why: `It cannot be told whom this request reaches or when (POST ${request.path.slice(0, 60)}). ${KNOWN}`,
		})),
	];

	it.each(REFUSALS)('names a way out: $code $fields $title', async (refusal) => {
		const { code, fields, title, why, text, advice = why, who = {}, more } = refusal;
		const guard = guardWith(fields, Date.UTC(2030, 0, 9, 12), more);
		const failure = await failureOf(guard, refusal.request ?? toNumber);
		const { nextAllowedTime: at } = who;
		const next = at === undefined ? '' : ` Next allowed time: ${at}.`;
		expect([failure?.message, failure?.description, failure?.facts.reasons]).toEqual([
			title,
			`${why} This request was not sent.${next} The owner of the credential sets its Sending Policy.`,
			[{ code, text, advice, ...who }],
		]);
	});

	it('says who can switch on a sending that is paused', async () => {
		const failure = await failureOf(guardWith({ pauseSending: true }, 0), toNumber);
		const advice = 'Allowed: after Pause Sending is switched off in the credential.';
		expect([failure?.message, failure?.description, failure?.facts.reasons]).toEqual([
			'Sending is paused by the Sending Policy',
			`${advice} This request was not sent. Whoever may edit the credential can switch it off.`,
			[{ code: 'pauseSending', text: 'is not sent to while sending is paused', advice }],
		]);
	});

	it('is tried for each rule of the form', () => {
		const [, ...names] = policyFields.map(({ name }) => name);
		const rules = names.filter((name) => !/^(simulate$|sending|pauseSending$)/.test(name));
		const isTried = (name: string) => REFUSALS.some(({ code }) => name.startsWith(code));
		expect(rules.filter((name) => !isTried(name))).toEqual([]);
	});
});

describe('the menus of the form', () => {
	const valuesOf = (field: string) =>
		policyFields
			.find(({ name }) => name === field)
			?.options?.map((option) => 'value' in option && [option.name, option.value]);

	it('have the days of the week from Monday on', () => {
		const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
		expect(valuesOf('sendingDays')).toEqual(days.map((day, index) => [day, String(index + 1)]));
	});

	it('have the nine parameters of a stored number', () => {
		const parameters = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [`Parameter ${n}`, `parameter${n}`]);
		expect(valuesOf('doNotContactParameter')).toEqual([['None', ''], ...parameters]);
	});
});

describe('a policy that cannot be read', () => {
	it.each(UNREADABLE)('%j refuses every sending request: %s %s', async (fields, field, problem) => {
		const guard = guardWith(fields, 0);
		const failure = (await failureOf(guard, message('+447400123456'))) as Failure;
		expect(failure).toMatchObject({ facts: { field }, sent: 'no' });
		expect(failure.description).toMatch(/^Fix it in the credential\. [A-Z].{10,}\. Until then/);
		expect(failure.message).toContain(`${field} ${problem}`);
		// Nor does Opt Out know its mark.
		expect(() => guard.optOutMatches()).toThrow(failure.message);
		expect(failure.message.length).toBeLessThanOrEqual(80);
	});

	const [FIRST, SECOND, FRENCH, PREMIUM] = [
		...['+447400123456', '+447400123457', '+33612345678', '+449098790000'],
	] as const;
	const at = (time: string) => Date.parse(`2030-05-14T${time}:00+05:45`);

	it.each([
		...[undefined, null, ''].map((nothing) => {
			const names = ['onlyTheseNumbers', 'allowedCountries', 'maxRecipients', 'sendingHoursFrom'];
			const others = ['sendingHoursTo', 'sendingDays', 'sendingHoursIn', 'simulate'];
			const fields = Object.fromEntries([...names, ...others].map((name) => [name, nothing]));
			return [fields, [FIRST, FRENCH], [PREMIUM]] as const;
		}),
		[{ onlyTheseNumbers: ' +44 7400 123456, 0044 7400 123457\n' }, [FIRST, SECOND], [FRENCH]],
		[{ onlyTheseNumbers: ' , ' }, [], [FIRST]],
		[{ allowedCountries: ' gb;IE fr,' }, [FIRST, FRENCH], ['+4915112345678']],
		[{ allowedCountries: ['gb', ' FR '] }, [FIRST, FRENCH], ['+4915112345678']],
		[{ allowedCountries: 'UK' }, [FIRST], [FRENCH]],
		[{ allowedCountries: 'el' }, ['+306941234567'], [FRENCH]],
		[{ blockedNumberTypes: [] }, [FIRST], [PREMIUM]],
		[{ blockedNumberTypes: [' mobile'] }, [PREMIUM], [FIRST]],
		[{ blockedNumberTypes: ['pager'] }, [FIRST, PREMIUM], []],
		[{ blockedNumberTypes: 'mobile, voip' }, [PREMIUM], [FIRST]],
	] as const)('of fields %j admits %j and refuses %j', async (fields, admitted, refused) => {
		const isAdmitted = async (number: string) =>
			(await reasonsFor(guardWith(fields, at('12:00')), message(number))) === undefined;
		expect(await Promise.all(admitted.map(isAdmitted))).toEqual(admitted.map(() => true));
		expect(await Promise.all(refused.map(isAdmitted))).toEqual(refused.map(() => false));
	});

	it.each([
		[{ sendingHoursFrom: ' 9:05 ' }, ['09:05', '23:59'], ['09:04']],
		[{ sendingHoursTo: '23:59' }, ['00:00', '23:58'], ['23:59']],
		[{ sendingHoursFrom: '00:00', sendingHoursTo: '24:00' }, ['00:00', '23:59'], []],
		[{ sendingDays: '2 7' }, ['00:00', '23:59'], []],
		[{ sendingDays: [] }, ['00:00', '23:59'], []],
		[{ sendingDays: '6 7' }, [], ['12:00']],
	] as const)('with %j is open at %j and closed at %j', async (fields, open, closed) => {
		const isOpen = async (time: string) => {
			const guard = guardWith({ ...fields, sendingHoursIn: 'service' }, at(time));
			return (await reasonsFor(guard, message(FIRST))) === undefined;
		};
		expect(await Promise.all(open.map(isOpen))).toEqual(open.map(() => true));
		expect(await Promise.all(closed.map(isOpen))).toEqual(closed.map(() => false));
	});

	// An expression gives any value. What is unclear sends less.
	it.each([
		...[undefined, null, false, '', 'false'].map((value) => [value, false] as const),
		...[true, 'true', 'no', 1, {}].map((value) => [value, true] as const),
	])('of the switches, %j pauses and simulates: %p', async (value, isOn) => {
		const isPaused = await reasonsFor(guardWith({ pauseSending: value }, 0), message(FIRST));
		const simulatedBy = guardWith({ simulate: value }, 0).simulatedBy(message(FIRST));
		expect([isPaused !== undefined, simulatedBy]).toEqual([isOn, isOn ? 'policy' : undefined]);
	});

	it.each([undefined, null, false, '', 'false', 'true', 'yes', 1])(
		'the webhook URL cannot be changed where Allow Webhook Changes is %j, only where it is true',
		async (allowWebhookChanges) => {
			const request: PostRequest = {
				...{ method: 'POST', path: '/api/integrations/UpdateWebHook' },
				reaches: { kind: 'events' },
			};
			const reasons = await reasonsFor(guardWith({ allowWebhookChanges }, 0), request);
			expect(reasons).toMatchObject([{ code: 'allowWebhookChanges' }]);
			expect(await failureOf(guardWith({ allowWebhookChanges: true }, 0), request)).toBeUndefined();
		},
	);

	it('is off only when it is off', () => {
		expect(readPolicy({})).toBeUndefined();
		expect(readPolicy({ sendingPolicy: false })).toBeUndefined();
		expect(readPolicy({ sendingPolicy: 'true' })).toBeDefined();
	});
});

test('a do-not-contact list that cannot be read is read once more after five minutes', async () => {
	let readings = 0;
	const service = serviceWith([]);
	const guard = guardWith({ doNotContactParameter: 'parameter2', doNotContactValue: 'x' }, 0, {
		client: {
			...service,
			page: async (request) => {
				if (request.path.endsWith('/0')) return await service.page(request);
				readings++;
				return await Promise.reject(new Error('out of order'));
			},
		},
	});
	const timesRead = async () => {
		for (const number of numbers) {
			await expect(guard.check(message(number))).rejects.toThrow('out of order');
		}
		return readings;
	};
	expect(await timesRead()).toBe(1);
	jest.setSystemTime(5 * MINUTE - 1);
	expect(await timesRead()).toBe(1);
	jest.setSystemTime(5 * MINUTE);
	expect(await timesRead()).toBe(2);
});
