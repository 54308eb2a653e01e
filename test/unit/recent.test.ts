import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readRecent, type RecentRequest } from '../../nodes/MessagingService/transport/recent';
import type { Page } from '../../nodes/MessagingService/transport/request';
import { holds } from '../support/runs';

const START = Date.parse('2030-05-17T09:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const textOf = (time: number) => new Date(time).toISOString().slice(0, 19);

/** A list as a service keeps it, the oldest message first, and how it pages it. */
interface ServerOptions {
	/** How many minutes after the message before each was created. */
	gaps: number[];
	size: number;
	firstIndex: number;
	order: 'newestFirst' | 'newestLast';
	/** What the envelope tells; everything by default. */
	tells?: { pageIndex?: boolean; totals?: boolean };
	/** What happens to the list just before each request, the first one included. */
	changes?: ((list: IDataObject[]) => void)[];
	/** Empty pages behind the last one that `totalPages` counts. */
	emptyPages?: number;
}

class Server {
	/** The oldest first. */
	readonly list: IDataObject[] = [];
	requests = 0;
	private readonly options: ServerOptions;

	constructor(options: ServerOptions) {
		this.options = options;
		let time = START;
		for (const [id, gap] of options.gaps.entries()) {
			time += gap * MINUTE;
			this.list.push({ id, dateCreated: textOf(time) });
		}
	}

	get pages() {
		return Math.ceil(this.list.length / this.options.size);
	}

	async read(since: string, settings: Partial<RecentRequest> = {}) {
		const fetchPage = async (index: number | undefined) => await this.page(index);
		return await readRecent({ keyOf: ({ id }) => id, fetchPage, since, ...settings });
	}

	private async page(index: number | undefined): Promise<Page> {
		const { size, firstIndex, order, changes = [], emptyPages = 0 } = this.options;
		const { pageIndex: tellsIndex = true, totals: tellsTotals = true } = this.options.tells ?? {};
		this.requests++;
		changes.shift()?.(this.list);
		const shown = order === 'newestFirst' ? [...this.list].reverse() : this.list;
		const pageIndex = index ?? firstIndex;
		if (pageIndex < firstIndex) throw new Error('There is no page before the first one');
		const start = (pageIndex - firstIndex) * size;
		return {
			items: structuredClone(shown.slice(start, start + size)),
			...(tellsIndex ? { pageIndex } : {}),
			...(tellsTotals ? { totalPages: this.pages + emptyPages, totalRecords: shown.length } : {}),
		};
	}
}

const idsOf = (records: readonly IDataObject[]) => records.map(({ id }) => Number(id));
const sorted = (ids: readonly unknown[]) => ids.map(Number).sort((a, b) => a - b);
const since = (list: readonly IDataObject[], time: string) =>
	idsOf(list.filter(({ dateCreated }) => String(dateCreated) >= time));

const orders = ['newestFirst', 'newestLast'] as const;

/** Messages of years: many of one time, others minutes, hours or days apart. */
const gaps = fc
	.array(fc.oneof(fc.constant(0), fc.nat({ max: 90 }), fc.nat({ max: 5000 })), { maxLength: 80 })
	.map((all) => [0, 61, ...all]);
const anyServer = fc.record({
	gaps,
	size: fc.integer({ min: 1, max: 12 }),
	firstIndex: fc.constantFrom(0, 1),
	order: fc.constantFrom(...orders),
	emptyPages: fc.constantFrom(0, 0, 0, 1, 2),
});
/** Which of the messages is the first one wanted. */
const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const timeAt = (server: Server, place: number) =>
	String(server.list[Math.floor(place * server.list.length)]?.dateCreated ?? textOf(START));

describe('the recent messages of a list in order', () => {
	test('come all, in either order, whatever share a time', async () => {
		const isEmpty = fc.nat(9).map((number) => number === 0);
		await holds(
			fc.asyncProperty(anyServer, share, isEmpty, async (anyOptions, place, hasNone) => {
				const options = hasNone ? { ...anyOptions, gaps: [] } : anyOptions;
				const server = new Server(options);
				const time = timeAt(server, place);
				const { records, isOrdered } = await server.read(time);
				// Newest first, an empty page at the end may be one that failed.
				if (options.emptyPages === 0) expect(isOrdered).toBe(true);
				expect(new Set(idsOf(records)).size).toBe(records.length);
				expect(idsOf(records)).toEqual(expect.arrayContaining(since(server.list, time)));
			}),
			200,
		);
	});

	test('cost the pages that hold them and one that is older', async () => {
		await holds(
			fc.asyncProperty(anyServer, share, async (options, place) => {
				const gaps = options.gaps.map(() => 120);
				// Behind the newest messages, pages may be empty.
				const emptyPages = options.order === 'newestLast' ? options.emptyPages : 0;
				const server = new Server({ ...options, gaps, emptyPages });
				const time = timeAt(server, place);
				await server.read(time);
				const wanted = Math.ceil(since(server.list, time).length / options.size);
				// They may begin within a page, and the first and the last page show the direction.
				expect(server.requests).toBeLessThanOrEqual(wanted + 4 + emptyPages);
			}),
			200,
		);
	});

	test.each([
		['a blank', (text: string) => text.replace('T', ' ')],
		['fractions of a second', (text: string) => `${text}.1234567`],
		['blanks around it', (text: string) => ` ${text} `],
	])('come without the older ones where a time has %s', async (_, written) => {
		for (const order of orders) {
			const server = new Server({ gaps: Array(60).fill(300), size: 5, firstIndex: 1, order });
			const time = timeAt(server, 0.9);
			for (const each of server.list) each.dateCreated = written(String(each.dateCreated));
			const { records, isOrdered } = await server.read(time);
			expect([isOrdered, records.length < 60]).toEqual([true, true]);
			expect(idsOf(records)).toEqual(expect.arrayContaining([54, 55, 56, 57, 58, 59]));
		}
	});

	test.each(orders)('come up to a limit: the newest, %s', async (order) => {
		const server = new Server({ gaps: Array(40).fill(300), size: 5, firstIndex: 0, order });
		const { records } = await server.read(textOf(START), { limit: 8 });
		expect(sorted(idsOf(records))).toEqual(Array.from({ length: 10 }, (_, index) => 30 + index));
		expect(server.requests).toBeLessThanOrEqual(3);
	});

	test.each(['', null, undefined])(
		'come each, and once, where their identifier is %j: some of them, or all',
		async (id) => {
			for (const order of orders) {
				for (const isWithout of [() => true, (place: number) => place % 3 === 0]) {
					const server = new Server({ gaps: Array(40).fill(120), size: 5, firstIndex: 1, order });
					const time = timeAt(server, 0.6);
					for (const [place, each] of server.list.entries()) {
						each.number = place;
						if (isWithout(place)) Object.assign(each, { id });
					}
					const { records, isOrdered } = await server.read(time);
					const read = sorted(records.map(({ number }) => number));
					expect(isOrdered).toBe(true);
					expect(read).toEqual(
						Array.from({ length: read.length }, (_, index) => 40 - read.length + index),
					);
					expect(read.length).toBeGreaterThanOrEqual(16);
					// Nothing has moved: no part is read again.
					expect(server.requests).toBeLessThanOrEqual(6);
				}
			}
		},
	);

	test('may be an hour out of order, as on the night when clocks are put back', async () => {
		for (const order of orders) {
			const server = new Server({ gaps: Array(40).fill(30), size: 2, firstIndex: 1, order });
			for (const message of server.list.slice(30)) {
				message.dateCreated = textOf(Date.parse(`${String(message.dateCreated)}Z`) - HOUR);
			}
			const time = timeAt(server, 0.8);
			const { records, isOrdered } = await server.read(time);
			expect(isOrdered).toBe(true);
			// Those before the night are read as well.
			expect(sorted(idsOf(records))).toEqual(expect.arrayContaining([29, 30]));
			expect(idsOf(records)).toEqual(expect.arrayContaining(since(server.list, time)));
		}
	});
});

describe('the recent messages of a list that changes while it is read', () => {
	const change = fc.record({
		kind: fc.constantFrom('remove', 'remove', 'add'),
		place: fc.double({ min: 0, max: 0.999, noNaN: true }),
	});
	/** Up to three changes before a request. */
	const changes = fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 6 });

	test('come all, wherever records are removed and however many are added, in either order', async () => {
		await holds(
			fc.asyncProperty(anyServer, share, changes, async (options, place, groups) => {
				let added = 1000;
				const server = new Server({
					...{ ...options, emptyPages: 0 },
					changes: groups.map((group) => (list) => {
						for (const { kind, place: at } of group) {
							// The first message stays: of a list of one time nobody can tell the newest end.
							if (kind === 'remove') list.splice(1 + Math.floor(at * (list.length - 1)), 1);
							else list.push({ id: added++, dateCreated: last });
						}
					}),
				});
				const last = String(server.list.at(-1)?.dateCreated ?? textOf(START));
				const time = timeAt(server, place);
				const before = since(server.list, time);
				// Each group of changes can spoil one pass: with more, no pass might see it stand still.
				const { records, isOrdered } = await server.read(time).catch((error: Error) => {
					expect(error.message).toBe('The list changed while it was read');
					return { records: server.list, isOrdered: true };
				});
				// Of a list that is read whole, nobody can tell what one moment removes and adds.
				const isTold = groups.every((group) => new Set(group.map(({ kind }) => kind)).size < 2);
				if (!isOrdered && !isTold) return;
				const stayed = before.filter((id) => idsOf(server.list).includes(id));
				expect(idsOf(records)).toEqual(expect.arrayContaining(stayed));
			}),
			500,
			{ seeds: [647995125] },
		);
	});

	test.each([
		['removed from a page that was read', 'newestFirst', 10],
		['added and removed between two pages', 'newestFirst', 12],
	] as const)('come all where records are %s', async (_, order, expected) => {
		const options = { gaps: Array(40).fill(300), size: 5, firstIndex: 1, order };
		const added = { id: 99, dateCreated: textOf(START + 40 * 300 * MINUTE) };
		const server = new Server({
			...options,
			changes: [
				() => undefined,
				(list) => void (expected === 12 && list.push(added)),
				(list) => void list.splice(38, expected === 12 ? 2 : 1),
			],
		});
		const { records } = await server.read(timeAt(server, 28 / 40));
		const ids = idsOf(records);
		for (let id = 28; id < 38; id++) expect(ids).toContain(id);
	});
});

describe('what it costs that a list changes while it is read', () => {
	const LONG = { gaps: Array(40).fill(300), size: 5, firstIndex: 1, order: 'newestFirst' as const };
	let added = 1000;
	const add = (count: number) => (list: IDataObject[]) => {
		for (let each = 0; each < count; each++) {
			list.push({ id: added++, dateCreated: String(list.at(-1)?.dateCreated) });
		}
	};
	const remove = (count: number) => (list: IDataObject[]) => void list.splice(-count, count);
	const stay = () => undefined;

	test('new messages cost no second pass, be they as many as a page', async () => {
		for (const count of [1, 3, 5]) {
			const server = new Server({ ...LONG, changes: [stay, add(count)] });
			const { records, isOrdered } = await server.read(timeAt(server, 30 / 40));
			expect([isOrdered, sorted(idsOf(records)).includes(30)]).toEqual([true, true]);
			expect(server.requests).toBeLessThanOrEqual(4);
		}
	});

	test('a list that lost messages is read again, up to three times; then it is an error', async () => {
		const read = async (changes: ((list: IDataObject[]) => void)[]) => {
			const server = new Server({ ...LONG, changes });
			return await server.read(timeAt(server, 32 / 40));
		};
		const once = [stay, remove(1)];
		// A pass reads three pages; the end of the list is read in the first one.
		const twice = [...once, stay, stay, remove(1)];
		expect((await read(twice)).isOrdered).toBe(true);
		const always = Array.from({ length: 12 }, (_, place) => (place === 0 ? stay : remove(1)));
		await expect(read(always)).rejects.toThrow('The list changed while it was read');
	});

	test.each(orders)(
		'two messages of one time that change places between two pages both come, %s',
		async (order) => {
			const swap = (list: IDataObject[]) => {
				list.splice(34, 2, ...list.slice(34, 36).reverse());
			};
			const changes = order === 'newestFirst' ? [stay, swap] : [stay, stay, swap];
			const server = new Server({ ...LONG, order, changes });
			Object.assign(server.list[35] ?? {}, { dateCreated: server.list[34]?.dateCreated });
			const { records } = await server.read(timeAt(server, 32 / 40));
			expect(sorted(idsOf(records)).slice(-8)).toEqual([32, 33, 34, 35, 36, 37, 38, 39]);
		},
	);

	test('a list whose last page is gone is still in order', async () => {
		const server = new Server({
			...{ ...LONG, gaps: Array(10).fill(300) },
			changes: [stay, (list) => void list.splice(0, 5)],
		});
		const { records, isOrdered } = await server.read(textOf(START));
		expect([isOrdered, sorted(idsOf(records))]).toEqual([true, [5, 6, 7, 8, 9]]);
	});

	test('a limit that the pages fill exactly costs no page more', async () => {
		const server = new Server(LONG);
		expect((await server.read(textOf(START), { limit: 10 })).records).toHaveLength(10);
		expect(server.requests).toBe(2);
	});

	test('messages of one hour may be in any order on the first page', async () => {
		const server = new Server(LONG);
		const newest = Date.parse(`${String(server.list.at(-1)?.dateCreated)}Z`);
		for (const [place, minutes] of [20, 30, 0, 10, 5].entries()) {
			Object.assign(server.list[35 + place] ?? {}, {
				dateCreated: textOf(newest - minutes * MINUTE),
			});
		}
		Object.assign(server.list[35] ?? {}, { dateCreated: textOf(newest + MINUTE) });
		expect((await server.read(timeAt(server, 30 / 40))).isOrdered).toBe(true);
		expect(server.requests).toBeLessThanOrEqual(5);
	});
});

describe('a list in no order', () => {
	test.each(orders)(
		'is read whole, wherever the order of %s breaks in the pages that are read',
		async (order) => {
			await holds(
				fc.asyncProperty(
					fc.integer({ min: 1, max: 6 }),
					fc.nat({ max: 9 }),
					fc.constantFrom<IDataObject>(
						{ dateCreated: null },
						{ dateCreated: '0001-01-01T00:00:00' },
						{ dateCreated: textOf(START) },
					),
					async (size, place, change) => {
						const server = new Server({ gaps: Array(60).fill(240), size, firstIndex: 1, order });
						// The 20 newest are wanted.
						const time = timeAt(server, 40 / 60);
						Object.assign(server.list[45 + place] ?? {}, change);
						Object.assign(server.list[3] ?? {}, { dateCreated: timeAt(server, 0.95) });
						const { records, isOrdered } = await server.read(time);
						expect(isOrdered).toBe(false);
						expect(sorted(idsOf(records))).toEqual(sorted(idsOf(server.list)));
					},
				),
				40,
			);
		},
	);

	test.each([{ totals: false }, { pageIndex: false }])(
		'is one that does not number its pages: %j',
		async (tells) => {
			for (const order of orders) {
				const gaps = Array(30).fill(240);
				const server = new Server({ gaps, size: 4, firstIndex: 1, tells, order });
				const { records, isOrdered } = await server.read(timeAt(server, 0.9));
				expect([records.length, isOrdered]).toEqual([30, false]);
			}
		},
	);

	test.each(orders)(
		'is one whose messages all have one time: newer ones may come anywhere',
		async (order) => {
			const server = new Server({ gaps: Array(40).fill(0), size: 4, firstIndex: 1, order });
			Object.assign(server.list[20] ?? {}, { dateCreated: '2030-05-20T00:00:00' });
			const { records } = await server.read('2030-05-20T00:00:00');
			expect(idsOf(records)).toContain(20);
		},
	);

	test('is not an empty one', async () => {
		const server = new Server({ gaps: [], size: 4, firstIndex: 1, order: 'newestLast' });
		expect(await server.read(textOf(START))).toEqual({ records: [], isOrdered: true });
		expect(server.requests).toBe(1);
	});

	test.each(orders)('is not one whose messages are seconds apart, %s', async (order) => {
		const server = new Server({ gaps: Array(40).fill(0.1), size: 4, firstIndex: 1, order });
		expect((await server.read(textOf(START))).isOrdered).toBe(true);
	});

	test('is one where another page comes than the one asked for', async () => {
		const server = new Server({
			gaps: Array(30).fill(240),
			size: 4,
			firstIndex: 1,
			order: 'newestFirst',
		});
		const first = { ...(await server['page'](1)), pageIndex: undefined };
		const fetchPage = async () => await Promise.resolve(first);
		await expect(server.read(textOf(START), { fetchPage })).rejects.toThrow(
			'does not recognize the page parameter',
		);
	});

	test('is refused where it has more pages than may be read', async () => {
		const serverOf = (length: number, firstIndex: number, tells: ServerOptions['tells']) => {
			const server = new Server({
				...{ gaps: Array(length).fill(240), size: 4, firstIndex, tells },
				order: 'newestFirst',
			});
			server.list.reverse();
			Object.assign(server.list[1] ?? {}, { dateCreated: textOf(START) });
			return server;
		};
		const settings = { maxUnorderedPages: 3 };
		for (const [firstIndex, tells] of [
			[0, {}],
			[1, {}],
			[1, { pageIndex: false }],
		] as const) {
			const read = async (length: number) =>
				await serverOf(length, firstIndex, tells).read(textOf(START), settings);
			expect((await read(12)).records).toHaveLength(12);
			await expect(read(13)).rejects.toMatchObject({
				message: 'The SMS messages are in no order, and more than 3 pages',
			});
		}
	});
});

describe('a list of 1,500,000 messages', () => {
	const LENGTH = 1_500_000;

	/** Its messages are five minutes apart; 2,010 of them are wanted. */
	function listIn(order: (typeof orders)[number] | 'no order', size: number) {
		const pages = Math.ceil(LENGTH / size);
		let requests = 0;
		const fetchPage = async (index = 1): Promise<Page> => {
			requests++;
			const newest = order === 'newestFirst' ? index - 1 : pages - index;
			const dateCreated = order === 'no order' ? textOf(START) : undefined;
			const items = Array.from({ length: size }, (_, number) => {
				const id = newest * size + (order === 'newestFirst' ? number : size - 1 - number);
				return { id, dateCreated: dateCreated ?? textOf(START - id * 5 * MINUTE) };
			});
			if (order === 'no order') items.push({ id: LENGTH + index, dateCreated: textOf(0) });
			return await Promise.resolve({ pageIndex: index, totalPages: pages, items });
		};
		const list = {
			keyOf: ({ id }: IDataObject) => id,
			since: textOf(START - 2009 * 5 * MINUTE),
			fetchPage,
		};
		return { list, requests: () => requests };
	}

	test.each(orders)('costs six requests at most, %s', async (order) => {
		const { list, requests } = listIn(order, 1000);
		const { records } = await readRecent(list, ({ id }) => Number(id));
		expect(sorted(records).slice(0, 2010)).toEqual(Array.from({ length: 2010 }, (_, id) => id));
		expect(requests()).toBeLessThanOrEqual(6);
	});

	test('in no order is not too long', async () => {
		const { list } = listIn('no order', 100_000);
		expect((await readRecent(list, () => undefined)).records).toHaveLength(LENGTH + 15);
	});
});
