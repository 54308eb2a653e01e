import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { FAILED_STATUSES, SMS_STATUSES } from '../../../nodes/MessagingService/codes';
import { Failure, type Sent } from '../../../nodes/MessagingService/failure';
import { SendingGuard } from '../../../nodes/MessagingService/policy/guard';
import { readPolicy } from '../../../nodes/MessagingService/policy/policy';
import type { PostRequest, ReadClient } from '../../../nodes/MessagingService/transport/request';
import { runs } from '../../support/runs';

/** Hours Between Texts, with the list of a service that knows nothing of it as judge. */

const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1000;
const ZONE = 'Asia/Kathmandu';
const START = Date.UTC(2030, 4, 17, 12);

const ADA = '+447400123456';
const BEN = '+447400123457';

interface Message {
	id: number;
	newId: string;
	phoneNumber: string;
	status: number;
	at: number;
	campaignId: string | null;
}

let accounts = 0;

/** The list of messages of an account. */
class Service {
	readonly messages: Message[] = [];
	readonly url = `https://service-${String(accounts++)}.example.com`;
	/** Pages of the list of messages that were read. */
	pages = 0;
	contacts: string[] = [];
	startDateTime: string | undefined;
	zone = ZONE;
	/** In which order it lists them: by time, newest first; or as this makes it. */
	order = (messages: Message[]) => [...messages].sort((a, b) => b.at - a.at);
	private shown = (message: Message): IDataObject => ({
		...{ id: message.id, newId: message.newId, phoneNumber: message.phoneNumber },
		...{ status: message.status, campaignId: message.campaignId, message: 'Hi' },
		dateCreated: DateTime.fromMillis(message.at, { zone: this.zone }).toFormat(
			"yyyy-MM-dd'T'HH:mm:ss",
		),
	});

	add(phoneNumber: string, at: number, more: Partial<Message> = {}): Message {
		const id = this.messages.length + 1;
		const newId = `c56a4180-65aa-42ec-a945-${String(id).padStart(12, '0')}`;
		const message = { id, newId, phoneNumber, status: 1, at, campaignId: null, ...more };
		this.messages.push(message);
		return message;
	}

	client(settings: Partial<ReadClient['settings']> = {}): ReadClient {
		return {
			accountKey: this.url,
			settings: {
				...{ baseUrl: this.url, clientId: '1', clientIdPlace: 'query', defaultCountry: '' },
				...{ pageIndexParameter: 'pageIndex', pageSizeParameter: 'pageSize', timeZone: ZONE },
				...settings,
			},
			page: async ({ path, query = {} }) => {
				if (path.endsWith('/Contacts')) {
					const items = this.contacts.map((phoneNumber, id) => ({ id, phoneNumber }));
					return { pageIndex: 1, totalPages: 1, totalRecords: items.length, items };
				}
				this.pages++;
				const all = this.order(this.messages.filter(({ at }) => !(at > Date.now())));
				const size = Number(query.pageSize);
				const index = Number(query.pageIndex ?? 1);
				const items = all.slice((index - 1) * size, index * size).map(this.shown);
				const totalPages = Math.max(1, Math.ceil(all.length / size));
				return await Promise.resolve({
					...{ pageIndex: index, totalPages, totalRecords: all.length },
					items,
				});
			},
			record: async () => await Promise.resolve({ startDateTime: this.startDateTime }),
			records: async () => await Promise.reject(new Error('not asked')),
		};
	}

	guard(
		fields: object = {},
		settings: Partial<ReadClient['settings']> = {},
		accountKey = this.url,
	): SendingGuard {
		return new SendingGuard(
			readPolicy({ sendingPolicy: true, hoursBetweenTexts: 20, ...fields }) as never,
			{
				context: {},
				client: { ...this.client(settings), accountKey },
				isEvaluation: false,
				noteUnreadable: () => undefined,
			},
		);
	}
}

const texts = (numbers: readonly string[], start?: number): PostRequest => ({
	method: 'POST',
	path: '/api/Campaigns',
	reaches: {
		kind: 'messages',
		numbers,
		...(start === undefined ? {} : { start: new Date(start).toISOString() }),
	},
	body: { message: 'Hi', sender: 'Shop' },
});

function update(id: string): PostRequest {
	const path = `/api/Campaigns/${encodeURIComponent(id)}`;
	return { method: 'POST', path, body: { message: 'Hi' }, reaches: { kind: 'campaign', path } };
}

/** Why a request does not go out, if it does not. */
async function failureOf(guard: SendingGuard, request: PostRequest): Promise<Failure | undefined> {
	try {
		const check = await guard.check(request);
		if (check instanceof Failure) return check;
		guard.noteResult(check, 'no');
		return undefined;
	} catch (cause) {
		return Failure.of(cause);
	}
}

/** Sends a request. @returns whether it went out */
async function send(guard: SendingGuard, request: PostRequest, outcome: Sent, response?: unknown) {
	const check = await guard.check(request);
	if (check instanceof Failure) return false;
	guard.noteResult(check, outcome, response);
	return true;
}

const codesOf = (failure: Failure | undefined) => failure?.facts.reasons?.map(({ code }) => code);
const isLeftOut = async (guard: SendingGuard, request: PostRequest) => {
	const failure = await failureOf(guard, request);
	if (failure !== undefined) expect(codesOf(failure)).toContain('hoursBetweenTexts');
	return failure !== undefined;
};

let service: Service;
beforeEach(() => {
	jest.useFakeTimers({ now: START });
	service = new Service();
});
afterEach(() => {
	jest.useRealTimers();
});

describe('who has a text within the hours', () => {
	it.each([
		['an hour ago', -1, true],
		['a minute less than the hours ago', -20 + 1 / 60, true],
		['as long ago as the hours', -20, false],
		['longer ago', -30, false],
	])('is left out if it was created %s: %d', async (_, hours, isOut) => {
		service.add(ADA, START + hours * HOUR);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(isOut);
		expect(await isLeftOut(service.guard(), texts([BEN]))).toBe(false);
	});

	it.each(Object.keys(SMS_STATUSES).map(Number))(
		'counts with status %i unless the text has failed',
		async (status) => {
			service.add(ADA, START - HOUR, { status });
			const hasFailed = [3, 4, 5, 7, 34, 1000].includes(status);
			expect(FAILED_STATUSES.includes(status)).toBe(hasFailed);
			expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(!hasFailed);
		},
	);

	it('is told when the other text was, and when the next one may go out', async () => {
		service.add(ADA, START - HOUR);
		const failure = await failureOf(service.guard(), texts([ADA]));
		expect(failure?.facts).toMatchObject({
			isLeftOut: true,
			reasons: [
				{
					text: 'has another text within 20 hours',
					advice: 'Hours Between Texts: 20. The other text: 2030-05-17T11:00:00Z.',
					nextAllowedTime: '2030-05-18T07:00:00Z',
				},
			],
		});
	});

	it.each([
		['before one that is planned much later', 400, 19],
		['before one that is planned so much later', 39, 19],
		['behind one that is planned too soon for another text before it', 38, 58],
	])('is told the next time %s, in %d hours: in %d', async (_, planned, next) => {
		service.add(ADA, START - HOUR);
		expect(await send(service.guard(), texts([ADA], START + planned * HOUR), 'yes', 'c7')).toBe(
			true,
		);
		const failure = await failureOf(service.guard(), texts([ADA]));
		const nextAllowedTime = new Date(START + next * HOUR).toISOString().replace('.000Z', 'Z');
		expect(failure?.facts.reasons).toMatchObject([{ nextAllowedTime }]);
	});

	it('may be texted at the next time that was told, and not a second before', async () => {
		jest.setSystemTime(START + 1);
		expect(await send(service.guard(), texts([ADA]), 'yes', 'c7')).toBe(true);
		const failure = await failureOf(service.guard(), texts([ADA]));
		const next = Date.parse(failure?.facts.reasons?.[0]?.nextAllowedTime ?? '');
		jest.setSystemTime(next - SECOND);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
		jest.setSystemTime(next);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
	});

	it('counts in both directions from the start of a campaign', async () => {
		const guard = service.guard();
		expect(await send(guard, texts([ADA], START + 30 * HOUR), 'yes', 'c7')).toBe(true);
		const goesOut = async (hours: number) =>
			!(await isLeftOut(service.guard(), texts([ADA], START + hours * HOUR)));
		const found: boolean[] = [];
		for (const hours of [0, 10, 11, 29, 49, 50]) found.push(await goesOut(hours));
		expect(found).toEqual([true, true, false, false, false, true]);
	});

	it('is one person in two spellings, and without country code in the Default Country', async () => {
		service.add('+55 11 8765-4321', START - HOUR);
		service.add('07400 123456', START - HOUR);
		const guard = service.guard({}, { defaultCountry: 'gb' });
		expect(await isLeftOut(guard, texts(['+5511987654321']))).toBe(true);
		expect(await isLeftOut(guard, texts([ADA]))).toBe(true);
	});

	it('is left out for a call by nobody, and a call leaves out nobody', async () => {
		service.add(ADA, START - HOUR);
		const days = [{ date: '2030-05-18', startTime: '09:00', finishTime: '17:00' }];
		const calls: PostRequest = {
			...{ method: 'POST', path: '/api/campaigns/voice', body: {} },
			reaches: { kind: 'calls', numbers: [ADA, BEN], days },
		};
		expect(await failureOf(service.guard(), calls)).toBeUndefined();
		expect(await send(service.guard(), calls, 'yes', { id: 7 })).toBe(true);
		expect(await isLeftOut(service.guard(), texts([BEN]))).toBe(false);
	});
});

describe('what this process sends', () => {
	it('counts immediately, before the service lists it', async () => {
		expect(await send(service.guard(), texts([ADA]), 'yes', 'c7')).toBe(true);
		expect(await send(service.guard(), texts([ADA]), 'yes', 'c8')).toBe(false);
	});

	it('counts from the moment in which it is let out, not only once it was sent', async () => {
		const both = [service.guard(), service.guard()].map(async (guard) => guard.check(texts([ADA])));
		const judged = await Promise.all(both);
		expect(judged.filter((each) => each instanceof Failure)).toHaveLength(1);
	});

	it('is still let out when its turn comes', async () => {
		const check = await service.guard().check(texts([ADA]));
		if (check instanceof Failure) throw check;
		jest.setSystemTime(START + MINUTE);
		await check.prepare();
		expect(check.refusal()).toBeUndefined();
	});

	it('counts from its turn, for which it may have waited long', async () => {
		const guard = service.guard();
		const check = await guard.check(texts([ADA]));
		if (check instanceof Failure) throw check;
		jest.setSystemTime(START + 3 * HOUR);
		await check.prepare();
		expect(check.refusal()).toBeUndefined();
		guard.noteResult(check, 'yes', 'not-listed-yet');
		jest.setSystemTime(START + 22 * HOUR);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
		jest.setSystemTime(START + 23 * HOUR);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
	});

	it('counts for another credential of the account, however its address is written', async () => {
		const baseUrl = service.url.toUpperCase();
		expect(await isLeftOut(service.guard({}, { baseUrl }), texts([BEN]))).toBe(false);
		expect(await send(service.guard(), texts([ADA]), 'yes', 'c7')).toBe(true);
		expect(await isLeftOut(service.guard({}, { baseUrl }), texts([ADA]))).toBe(true);
	});

	it('counts for another key of the account', async () => {
		const other = () => service.guard({}, {}, 'another key');
		expect(await isLeftOut(other(), texts([BEN]))).toBe(false);
		expect(await send(service.guard(), texts([ADA]), 'yes', 'c7')).toBe(true);
		expect(await isLeftOut(other(), texts([ADA]))).toBe(true);
	});

	it('counts each time, also where the response names no text', async () => {
		const guard = service.guard();
		expect(await send(guard, texts([ADA]), 'yes', {})).toBe(true);
		expect(await send(guard, texts([ADA], START + 40 * HOUR), 'yes', {})).toBe(true);
		for (const hours of [1, 19, 21, 39]) {
			expect(await isLeftOut(guard, texts([ADA], START + hours * HOUR))).toBe(true);
		}
		expect(await isLeftOut(guard, texts([ADA], START + 20 * HOUR))).toBe(false);
	});

	it('counts for another credential of the account, also if that has sent it without the rule', async () => {
		const free = { hoursBetweenTexts: 0 };
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
		for (const without of [free, { sendingPolicy: false }]) {
			const person = `+4474001234${'sendingPolicy' in without ? '60' : '61'}`;
			expect(await send(service.guard(without), texts([person]), 'yes', 'c7')).toBe(true);
			expect(await send(service.guard(without), texts([person]), 'yes', 'c8')).toBe(true);
			expect(await isLeftOut(service.guard(), texts([person]))).toBe(true);
		}
	});

	it('does not count for another key, where the credentials have no Client ID', async () => {
		const [one, other] = [new Service(), new Service()];
		const of = (each: Service) => each.guard({}, { baseUrl: one.url, clientId: '' });
		other.add(BEN, START - HOUR);
		expect(await send(of(one), texts([ADA]), 'yes', 'c7')).toBe(true);
		expect(await isLeftOut(of(other), texts([BEN]))).toBe(true);
		expect(await isLeftOut(of(other), texts([ADA]))).toBe(false);
	});

	it('counts for a credential of the account with another country, whichever has read the list', async () => {
		const german = () => service.guard({}, { defaultCountry: 'DE' });
		expect(await isLeftOut(service.guard(), texts([BEN]))).toBe(false);
		jest.setSystemTime(START + 20 * SECOND);
		expect(await isLeftOut(german(), texts([BEN]))).toBe(false);
		const { newId } = service.add(ADA, START + 21 * SECOND);
		jest.setSystemTime(START + 21 * SECOND);
		expect(await send(service.guard(), texts([ADA]), 'yes', newId)).toBe(true);
		jest.setSystemTime(START + 35 * SECOND);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
		expect(await isLeftOut(german(), texts([ADA]))).toBe(true);
	});

	it('releases who was certainly not sent to', async () => {
		expect(await send(service.guard(), texts([ADA]), 'no')).toBe(true);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
	});

	it('counts if it was possibly sent, until the list of the service tells', async () => {
		await send(service.guard(), texts([ADA, BEN]), 'possibly');
		service.add(ADA, START);
		expect(await isLeftOut(service.guard(), texts([BEN]))).toBe(true);
		jest.setSystemTime(START + 11 * MINUTE);
		expect(await isLeftOut(service.guard(), texts([BEN]))).toBe(false);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
	});

	it('that was possibly sent counts until ten minutes after its request, beside a planned one', async () => {
		const guard = service.guard();
		const check = await guard.check(texts([ADA]));
		if (check instanceof Failure) throw check;
		expect(await send(guard, texts([ADA], START + 40 * HOUR), 'yes', 'c9')).toBe(true);
		jest.setSystemTime(START + 5 * MINUTE);
		guard.noteResult(check, 'possibly');
		jest.setSystemTime(START + 15 * MINUTE);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
		jest.setSystemTime(START + 16 * MINUTE);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
		expect(await isLeftOut(service.guard(), texts([ADA], START + 39 * HOUR))).toBe(true);
	});

	it('was sent if it was accepted, whatever fails after that', async () => {
		const guard = service.guard();
		const check = await guard.check(texts([ADA]));
		if (check instanceof Failure) throw check;
		guard.noteResult(check, 'yes', 'not-listed-yet');
		guard.noteResult(check, 'possibly');
		jest.setSystemTime(START + HOUR);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
	});

	it('does not count once the list says that it has failed', async () => {
		const newId = 'c56a4180-65aa-42ec-a945-00000000000a';
		expect(await send(service.guard(), texts([ADA]), 'yes', newId.toUpperCase())).toBe(true);
		const message = service.add(ADA, START, { newId, status: 2 });
		jest.setSystemTime(START + MINUTE);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
		message.status = 1000;
		jest.setSystemTime(START + 2 * MINUTE);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
	});

	it('is not noted by Simulate, which looks', async () => {
		const simulating = service.guard({ simulate: true });
		expect(await simulating.check(texts([ADA]))).not.toBeInstanceOf(Failure);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
		service.add(BEN, START);
		jest.setSystemTime(START + MINUTE);
		expect(await send(service.guard({ simulate: true }), texts([BEN]), 'no')).toBe(false);
	});

	it('keeps those whom a rehearsal leaves out from counting for Max Recipients', async () => {
		const [CYD, DAN] = ['+447400123458', '+447400123459'];
		service.add(BEN, START - HOUR);
		const rehearse = async (...lists: string[][]) =>
			service.guard({ maxRecipients: 2 }).rehearse(lists.map((list) => texts(list)));
		expect(await rehearse([ADA, BEN], [CYD])).toBeUndefined();
		expect(codesOf(await rehearse([ADA, BEN], [CYD, DAN]))).toEqual(['maxRecipients']);
	});

	it('is not noted by a rehearsal, in which rows count for the next ones', async () => {
		const guard = service.guard();
		const rehearsal = guard.startRehearsal();
		const rehearse = async (list: string[]) => guard.rehearse([texts(list)], rehearsal);
		expect(await rehearse([ADA])).toBeUndefined();
		expect(codesOf(await rehearse([ADA]))).toEqual(['hoursBetweenTexts']);
		expect(await rehearse([ADA, BEN])).toBeUndefined();
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
	});
});

describe('an update', () => {
	beforeEach(() => {
		service.contacts = [ADA, BEN];
		service.startDateTime = new Date(START + HOUR).toISOString();
	});

	it.each([
		['C7', 'c7'],
		['May/é 7', 'May/é 7'],
	])('ignores the messages of its own campaign %s', async (campaignId, id) => {
		service.add(ADA, START - HOUR, { campaignId });
		expect(await isLeftOut(service.guard(), update(id))).toBe(false);
		expect(await isLeftOut(service.guard(), update('c8'))).toBe(true);
	});

	it('ignores what this process has sent with its own campaign', async () => {
		expect(await send(service.guard(), texts([ADA, BEN], START + HOUR), 'yes', 'c7')).toBe(true);
		expect(await isLeftOut(service.guard(), update('c8'))).toBe(true);
		expect(await send(service.guard(), update('c7'), 'yes', {})).toBe(true);
		expect(await isLeftOut(service.guard(), update('c7'))).toBe(false);
		expect(await isLeftOut(service.guard(), texts([ADA], START + 2 * HOUR))).toBe(true);
	});

	it('that was accepted moves the texts of its campaign to the new start', async () => {
		expect(await send(service.guard(), texts([ADA, BEN], START + HOUR), 'yes', 'c7')).toBe(true);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
		service.startDateTime = new Date(START + 50 * HOUR).toISOString();
		expect(await send(service.guard(), update('c7'), 'yes', {})).toBe(true);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
		expect(await isLeftOut(service.guard(), texts([ADA], START + 45 * HOUR))).toBe(true);
	});

	it('that was possibly accepted leaves it open when its texts go out', async () => {
		expect(await send(service.guard(), texts([ADA, BEN], START + HOUR), 'yes', 'c7')).toBe(true);
		service.startDateTime = new Date(START + 50 * HOUR).toISOString();
		expect(await send(service.guard(), update('c7'), 'possibly')).toBe(true);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
		expect(await isLeftOut(service.guard(), texts([ADA], START + 45 * HOUR))).toBe(true);
	});

	it('may have somebody twice: the campaign has them already', async () => {
		service.contacts = [ADA, BEN, ADA];
		expect(await isLeftOut(service.guard(), update('c7'))).toBe(false);
	});

	it('is refused as a whole if somebody in it has another text', async () => {
		service.add(BEN, START - HOUR);
		const failure = await failureOf(service.guard(), update('c7'));
		expect(failure?.facts.isLeftOut).not.toBe(true);
		expect(codesOf(failure)).toEqual(['hoursBetweenTexts']);
	});
});

describe('the list of the service', () => {
	it('is read by each run, and by all within 30 seconds together', async () => {
		const pagesOf = async () => {
			const before = service.pages;
			await Promise.all([1, 2, 3].map(async () => failureOf(service.guard(), texts([ADA]))));
			return service.pages - before;
		};
		const first = await pagesOf();
		expect(first).toBeGreaterThan(0);
		expect(await pagesOf()).toBe(0);
		service.add(ADA, START + 29 * SECOND);
		jest.setSystemTime(START + 29 * SECOND);
		expect(await pagesOf()).toBe(0);
		jest.setSystemTime(START + 30 * SECOND);
		expect(await pagesOf()).toBeGreaterThan(0);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
	});

	it('is read as far back as the hours of each credential', async () => {
		service.add(ADA, START - 10 * HOUR);
		for (const [hoursBetweenTexts, isOut] of [
			[1, false],
			[20, true],
			[9, false],
			[11, true],
		] as const) {
			const guard = service.guard({ hoursBetweenTexts });
			expect([hoursBetweenTexts, await isLeftOut(guard, texts([ADA]))]).toEqual([
				hoursBetweenTexts,
				isOut,
			]);
		}
	});

	it('that takes a minute to read is not read again in the next one', async () => {
		service.order = (messages) => {
			jest.setSystemTime(Date.now() + MINUTE);
			return messages;
		};
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
		const { pages } = service;
		jest.setSystemTime(Date.now() + 50 * SECOND);
		expect(await isLeftOut(service.guard(), texts([BEN]))).toBe(false);
		expect(service.pages).toBe(pages);
		jest.setSystemTime(Date.now() + 4 * MINUTE);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
		expect(service.pages).toBeGreaterThan(pages);
	});

	it('is read again for a request that has waited for its turn, and decides about it', async () => {
		const check = await service.guard().check(texts([ADA]));
		if (check instanceof Failure) throw check;
		service.add(ADA, START + 10 * SECOND);
		jest.setSystemTime(START + MINUTE);
		await check.prepare();
		expect(codesOf(check.refusal())).toEqual(['hoursBetweenTexts']);
		// Nor does it go out where nobody can tell any more.
		jest.setSystemTime(START + 2 * MINUTE);
		service.order = () => {
			throw new Error('The list is gone');
		};
		await expect(check.prepare()).rejects.toThrow('The list is gone');
	});

	it('is read no farther back than the hours', async () => {
		for (let index = 0; index < 10_000; index++) {
			service.add(`+44741${String(index).padStart(7, '0')}`, START - 25 * HOUR - index * SECOND);
		}
		service.add(ADA, START - HOUR);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
		expect(service.pages).toBeLessThanOrEqual(3);
	});

	it.each([ZONE, 'UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
		'is read back by the clock of the service: %s',
		async (timeZone) => {
			service.zone = timeZone;
			// Two pages of others are newer.
			for (const [hours, digit] of [
				[1, '1'],
				[18, '2'],
			] as const) {
				for (let index = 0; index < 1000; index++) {
					const number = `+4474${digit}${String(index).padStart(7, '0')}`;
					service.add(number, START - hours * HOUR - index * SECOND);
				}
			}
			service.add(ADA, START - 19 * HOUR);
			service.add(BEN, START - 21 * HOUR);
			const guard = () => service.guard({}, { timeZone });
			expect(await isLeftOut(guard(), texts([ADA]))).toBe(true);
			expect(await isLeftOut(guard(), texts([BEN]))).toBe(false);
		},
	);

	it('is asked again about a text that may have failed since', async () => {
		const message = service.add(ADA, START - 10 * HOUR, { status: 0 });
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
		jest.setSystemTime(START + HOUR);
		message.status = 5;
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
	});

	it.each([
		[
			'without country code',
			{ phoneNumber: '07400 123456' },
			'phone number (07400 123456)',
			/Set Default Country/,
		],
		['without a time', { at: NaN }, 'time (Invalid DateTime)', /dateCreated/],
	])('lets nothing out with a text %s, and says what to do', async (_, more, title, advice) => {
		service.add(BEN, START - HOUR, more);
		const failure = await failureOf(service.guard(), texts([ADA]));
		expect(failure?.message).toBe(`The list of messages has an unreadable ${title}`);
		expect(failure?.description).toMatch(advice);
		expect(failure?.description).toContain('This request was not sent.');
	});

	it('keeps out whoever has a text that seems to be created hours from now', async () => {
		const ahead = service.add(ADA, START + 50 * HOUR);
		service.order = () => [ahead];
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
		expect(await isLeftOut(service.guard(), texts([BEN]))).toBe(false);
	});

	it.each([
		['slow', -1],
		['fast', 1],
	])(
		'of a clock that is an hour too %s ends the hours an hour off, and no more',
		async (_, off) => {
			const guard = service.guard();
			const check = await guard.check(texts([ADA]));
			if (check instanceof Failure) throw check;
			guard.noteResult(check, 'yes', service.add(ADA, START + off * HOUR).newId);
			const isOutAfter = async (hours: number) => {
				jest.setSystemTime(START + hours * HOUR);
				return await isLeftOut(service.guard(), texts([ADA]));
			};
			expect(await isOutAfter(0)).toBe(true);
			expect(await isOutAfter(18.9)).toBe(true);
			expect(await isOutAfter(21)).toBe(false);
		},
	);

	it('may hold what cannot be read where it has failed, or is older', async () => {
		service.add('unknown', START - HOUR, { status: 34 });
		service.add('unknown', START - 21 * HOUR);
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(false);
	});

	it('may be in another order if it is not long', async () => {
		service.order = (messages) => messages;
		service.add(ADA, START - HOUR);
		service.add(BEN, START - 300 * HOUR);
		for (let index = 0; index < 1500; index++) {
			service.add(`+4474${String(index).padStart(8, '0')}`, START - ((index * 7919) % 500) * HOUR);
		}
		expect(await isLeftOut(service.guard(), texts([ADA]))).toBe(true);
		expect(await isLeftOut(service.guard(), texts([BEN]))).toBe(false);
	});

	it('lets nothing out if it is in no order and long, and says what to do', async () => {
		service.order = (messages) => messages;
		for (let index = 0; index < 21_000; index++) {
			service.add(`+4474${String(index).padStart(8, '0')}`, START - ((index * 7919) % 500) * HOUR);
		}
		const failure = await failureOf(service.guard(), texts([ADA]));
		expect(failure?.message).toMatch(/in no order, and more than 20 pages/);
		expect(failure?.description).toMatch(
			/order of dateCreated.*0 switches it off. This request was not sent/,
		);
	});

	it.each([
		['not set', ''],
		['unknown', 'Mars/Olympus'],
		['an abbreviation', 'BST'],
	])('needs a Service Time Zone: %s', async (_, timeZone) => {
		for (const request of [texts([ADA]), update('c7')]) {
			const failure = await failureOf(service.guard({}, { timeZone }), request);
			expect(failure?.message).toBe('Sending Policy: Service Time Zone is not set, or not known');
			expect(codesOf(failure)).toEqual(['hoursBetweenTexts']);
		}
	});
});

describe('over random runs', () => {
	const people = [ADA, BEN, '+447400123458'];
	const HOURS = 5;
	const step = fc.oneof(
		{
			weight: 5,
			arbitrary: fc.record({
				kind: fc.constant('send' as const),
				numbers: fc.uniqueArray(fc.constantFrom(...people), { minLength: 1 }),
				inHours: fc.constantFrom(0, 0, 0, 3, 9),
				outcome: fc.constantFrom('yes', 'yes', 'yes', 'no', 'possibly') as fc.Arbitrary<
					'yes' | 'no' | 'possibly'
				>,
				isReal: fc.boolean(),
				hasRule: fc.constantFrom(true, true, true, false),
			}),
		},
		fc.record({ kind: fc.constant('other' as const), number: fc.constantFrom(...people) }),
		fc.record({
			kind: fc.constant('fail' as const),
			place: fc.nat(30),
			status: fc.constantFrom(...FAILED_STATUSES),
		}),
		fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 400 }) }),
	);

	it('nobody gets two texts within the hours, and nobody is left out for a text that has failed', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
				service = new Service();
				jest.setSystemTime(START);
				/** What was possibly sent and is not listed: whoever it went to may be left out. */
				const unclear: { number: string; until: number }[] = [];
				const another = (number: string, at: number, own?: Message) =>
					service.messages.find(
						(each) =>
							each !== own &&
							each.phoneNumber === number &&
							!FAILED_STATUSES.includes(each.status) &&
							Math.abs(each.at - at) < HOURS * HOUR,
					);
				await service.guard({ hoursBetweenTexts: HOURS }).check(texts(['+447400123499']));
				for (const each of steps) {
					const now = Date.now();
					if (each.kind === 'wait') jest.setSystemTime(now + each.minutes * MINUTE);
					// A reading is shared for half a minute.
					else jest.setSystemTime(now + 31 * SECOND);
					if (each.kind === 'other') service.add(each.number, Date.now(), { status: 0 });
					if (each.kind === 'fail') {
						const found = service.messages[each.place];
						if (found !== undefined && found.at <= Date.now()) found.status = each.status;
					}
					if (each.kind !== 'send') continue;
					const start = Date.now() + each.inHours * HOUR;
					const guard = service.guard({ hoursBetweenTexts: each.hasRule ? HOURS : 0 });
					for (const number of each.numbers) {
						const check = await guard.check(texts([number], start));
						if (check instanceof Failure) {
							expect(each.hasRule).toBe(true);
							const isUnclear = unclear.some(
								(one) => one.number === number && one.until > Date.now(),
							);
							const isTexted = another(number, start) !== undefined;
							expect({ isTexted: isTexted || isUnclear }).toEqual({ isTexted: true });
							continue;
						}
						if (each.hasRule) expect(another(number, start)).toBeUndefined();
						const { outcome, isReal } = each;
						const isListed = outcome === 'yes' || (outcome === 'possibly' && isReal);
						const message = isListed ? service.add(number, start, { status: 0 }) : undefined;
						if (outcome === 'possibly') unclear.push({ number, until: start + 12 * MINUTE });
						guard.noteResult(check, outcome, message?.newId);
					}
				}
			}),
			{ numRuns: runs(150) },
		);
	}, 120_000);
});
