import fc from 'fast-check';
import { chunk, intersection, sum, sumBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../nodes/MessagingService/failure';
import {
	envelopeList,
	numberList,
	storageList,
	type ListRequest,
} from '../../nodes/MessagingService/transport/listRequests';
import { readList } from '../../nodes/MessagingService/transport/paginate';
import type { Page, ReadClient } from '../../nodes/MessagingService/transport/request';
import { toPage } from '../../nodes/MessagingService/transport/responseShape';
import { holds } from '../support/runs';

/** How a model server responds: with a full envelope, one without `pageIndex`, or a bare array. */
type Shape = 'envelope' | 'withoutIndex' | 'array';

/** What happens to the list just before a server evaluates its n-th request (counted from 0). */
interface Change {
	beforeRequest: number;
	apply(list: IDataObject[]): void;
}

/** A list as a service keeps it, and how that service pages it. */
interface ServerOptions {
	length: number;
	askedSize: number;
	/** The size that the service really uses: at most this many records per page. */
	cappedSize?: number;
	firstIndex: number;
	shape: Shape;
	ignoresPage?: boolean;
	/** What an empty list has as `totalPages`. */
	pagesOfNothing?: number;
	/** Totals in place of the true ones. */
	told?: { totalPages: number; totalRecords: number };
	changes?: Change[];
	/** A record's fields beside `id`, different in every response. */
	isRestless?: boolean;
}

const record = (id: number | string): IDataObject => ({ id });

const idsOf = (records: readonly IDataObject[]) => records.map(({ id }) => id);

/** A service in memory that keeps a list and counts what it is asked for. */
class ModelServer {
	readonly list: IDataObject[];
	readonly askedFor: (number | undefined)[] = [];
	private evaluated = 0;

	private readonly options: ServerOptions;

	constructor(options: ServerOptions) {
		this.options = options;
		this.list = Array.from({ length: options.length }, (_, index) => record(index));
	}

	get size() {
		return Math.min(this.options.askedSize, this.options.cappedSize ?? Infinity);
	}

	/** Number of pages that hold records. */
	get pages() {
		return Math.ceil(this.list.length / this.size);
	}

	/** Reads this server's list with the code under test. */
	async read(settings: Partial<ListRequest> = {}): Promise<IDataObject[]> {
		const { shape, firstIndex } = this.options;
		return await readList({
			keyOf: ({ id }) => id,
			firstPageIndex: shape === 'envelope' ? undefined : firstIndex,
			fetchPage: async (index) => await this.fetchPage(index),
			...settings,
		});
	}

	private async fetchPage(index: number | undefined): Promise<Page> {
		const { firstIndex, shape, ignoresPage, pagesOfNothing = 0, changes } = this.options;
		this.askedFor.push(index);
		if (this.askedFor.length > 10_000) throw new Error('The list is read in an endless loop');

		const request = this.evaluated++;
		for (const { beforeRequest, apply } of changes ?? []) {
			if (beforeRequest === request) apply(this.list);
		}
		const pageIndex = ignoresPage ? firstIndex : (index ?? firstIndex);
		const start = (pageIndex - firstIndex) * this.size;
		const items = this.list
			.slice(start, start + this.size)
			.map((entry) => (this.options.isRestless ? { ...entry, tick: request } : { ...entry }));
		if (shape === 'array') return { items };
		const envelope = {
			totalPages: this.list.length === 0 ? pagesOfNothing : this.pages,
			totalRecords: this.list.length,
			...this.options.told,
			items,
		};
		return toPage(shape === 'envelope' ? { ...envelope, pageIndex } : envelope);
	}
}

const shapes: Shape[] = ['envelope', 'withoutIndex', 'array'];
const anyShape = fc.constantFrom(...shapes);
const anyServer: fc.Arbitrary<ServerOptions> = fc.record({
	length: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constantFrom(0, 1, 10, 20, 30)),
	askedSize: fc.oneof(fc.integer({ min: 1, max: 25 }), fc.constantFrom(1, 5, 10)),
	cappedSize: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
	firstIndex: fc.constantFrom(0, 1),
	shape: anyShape,
	pagesOfNothing: fc.constantFrom(0, 1),
});

describe('a list that stands still', () => {
	test('comes whole and in order, with no page fetched twice', async () => {
		await holds(
			fc.asyncProperty(anyServer, async (options) => {
				const server = new ModelServer(options);
				const records = await server.read();

				expect(idsOf(records)).toEqual(idsOf(server.list));
				const fetched = server.askedFor.map((index) => index ?? options.firstIndex);
				expect(new Set(fetched).size).toBe(fetched.length);
				// The end of a list without totals shows in an empty page only.
				const needed = options.shape === 'array' ? server.pages + 1 : Math.max(server.pages, 1);
				expect(fetched.length).toBe(needed);
			}),
			100,
		);
	});

	test.each([
		[0, 0],
		[-1, -1],
		[1, 1],
		[0, 25],
	])(
		'comes whole, also where it tells %i pages and %i records',
		async (totalPages, totalRecords) => {
			const told = { totalPages, totalRecords };
			const server = new ModelServer({
				...{ length: 25, askedSize: 10, firstIndex: 1, shape: 'envelope', told },
			});
			expect(idsOf(await server.read())).toEqual(idsOf(server.list));
		},
	);

	test('comes up to its limit, with no page more than the limit needs', async () => {
		await holds(
			fc.asyncProperty(anyServer, fc.integer({ min: 1, max: 70 }), async (options, limit) => {
				const server = new ModelServer(options);
				const records = await server.read({ limit });

				expect(idsOf(records)).toEqual(idsOf(server.list.slice(0, limit)));
				const enough = Math.ceil(Math.min(limit, server.list.length) / server.size);
				if (server.list.length >= limit || options.shape !== 'array') {
					expect(server.askedFor.length).toBe(Math.max(enough, 1));
				}
			}),
			100,
		);
	});
});

/** Adds new records at one end of a list; `beforeRequest` names them, so they are told apart. */
function addition(beforeRequest: number, count: number, end: 'front' | 'back'): Change {
	return {
		beforeRequest,
		apply(list) {
			const added = Array.from({ length: count }, (_, index) =>
				record(`${beforeRequest}.${index}`),
			);
			if (end === 'front') list.unshift(...added);
			else list.push(...added);
		},
	};
}

/** Asserts that every record that was there the whole time came once, in the order of the list. */
function expectExactly(server: ModelServer, original: readonly unknown[], records: IDataObject[]) {
	const ids = idsOf(records);
	expect(new Set(ids).size).toBe(ids.length);
	const remaining = new Set(idsOf(server.list));
	const stayed = original.filter((id) => remaining.has(id as IDataObject[string]));
	const wanted = new Set(stayed);
	expect(ids.filter((id) => wanted.has(id))).toEqual(stayed);
}

describe('a list that changes while it is read', () => {
	/** Additions of up to a whole page each, at most `most`. */
	const additions = (most: number) =>
		fc.uniqueArray(
			fc.record({
				// Every other request: a full page in front of each would leave no progress to see.
				request: fc.integer({ min: 0, max: 10 }).map((number) => number * 2 + 1),
				share: fc.double({ min: 0.01, max: 1, noNaN: true }),
				end: fc.constantFrom<'front' | 'back'>('front', 'back'),
			}),
			{ maxLength: most, selector: ({ request }) => request },
		);

	const anyLimit = fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined, freq: 2 });
	test.each(shapes)(
		'loses and repeats nothing when records are added, up to its limit (%s)',
		async (shape) => {
			await holds(
				fc.asyncProperty(anyServer, additions(6), anyLimit, async (options, added, limit) => {
					const size = Math.min(options.askedSize, options.cappedSize ?? Infinity);
					// Without a total, a whole page of new records makes the first page come again.
					const most = shape === 'array' ? size - 1 : size;
					fc.pre(most > 0);
					const changes = added.map(({ request, share, end }) =>
						addition(request, Math.max(1, Math.floor(share * most)), end),
					);
					const server = new ModelServer({ ...options, shape, changes });
					const original = idsOf(server.list);
					const records = await server.read({ limit });
					// New records may take the place of the last ones.
					const known = intersection(original, idsOf(records));
					const wanted = limit === undefined ? original : original.slice(0, known.length);
					expectExactly(server, wanted, records);
					expect(known).toEqual(wanted);
					expect(records.length).toBeGreaterThanOrEqual(Math.min(limit ?? 0, original.length));
					expect(records.length).toBeLessThanOrEqual(limit ?? Infinity);
				}),
				200,
			);
		},
	);

	test('loses and repeats nothing when records are removed, where the service tells totals', async () => {
		const removals = fc.uniqueArray(
			fc.record({
				request: fc.integer({ min: 1, max: 8 }),
				place: fc.double({ min: 0, max: 0.999, noNaN: true }),
				kind: fc.constantFrom<'remove' | 'addFront' | 'addBack'>(
					'remove',
					'remove',
					'addFront',
					'addBack',
				),
			}),
			// Each can spoil one walk through the list: with more, no walk might see it stand still.
			{ minLength: 1, maxLength: 2, selector: ({ request }) => request },
		);
		await holds(
			fc.asyncProperty(
				anyServer,
				fc.constantFrom<Shape>('envelope', 'withoutIndex'),
				removals,
				async (options, shape, events) => {
					// Of one record a page, a removal and an addition can show the first page as the second.
					const pageSize = Math.min(options.askedSize, options.cappedSize ?? Infinity);
					fc.pre(shape === 'envelope' || pageSize > 1);
					const changes = events.map(({ request, place, kind }): Change =>
						kind === 'remove'
							? {
									beforeRequest: request,
									apply: (list) => void list.splice(Math.floor(place * list.length), 1),
								}
							: addition(request, 1, kind === 'addFront' ? 'front' : 'back'),
					);
					const server = new ModelServer({ ...options, shape, changes });
					const original = idsOf(server.list);
					const records = await server.read();
					expectExactly(server, original, records);
				},
			),
			300,
		);
	});

	test.each<Shape>(['envelope', 'array'])(
		'loses and repeats nothing when records move (%s)',
		async (shape) => {
			const place = fc.double({ min: 0, max: 0.999, noNaN: true });
			// Each can spoil one walk through the list: with more, no walk might see it stand still.
			const moves = fc.uniqueArray(
				fc.record({ request: fc.integer({ min: 1, max: 8 }), from: place, to: place }),
				{ minLength: 1, maxLength: 2, selector: ({ request }) => request },
			);
			await holds(
				fc.asyncProperty(anyServer, moves, async (options, events) => {
					// Of a page of one record, two moves can show it three times: an ignored parameter.
					const pageSize = Math.min(options.askedSize, options.cappedSize ?? Infinity);
					fc.pre(shape === 'envelope' || pageSize > 2);
					const changes = events.map(({ request, from, to }): Change => ({
						beforeRequest: request,
						apply(list) {
							const moved = list.splice(Math.floor(from * list.length), 1);
							list.splice(Math.floor(to * (list.length + 1)), 0, ...moved);
						},
					}));
					const server = new ModelServer({ ...options, shape, changes });
					const records = await server.read();
					expect(idsOf(records).sort()).toEqual(idsOf(server.list).sort());
				}),
				500,
			);
		},
	);

	const serverOf = (length: number, size: number, shape: Shape, changes: Change[]) =>
		new ModelServer({ length, askedSize: size, firstIndex: 1, shape, changes } as ServerOptions);
	const removal = (beforeRequest: number): Change => ({
		beforeRequest,
		apply: (list) => void list.shift(),
	});

	test('comes whole where a page of new records is added each time that it is read', async () => {
		const changes = [1, 4, 7].map((request) => addition(request, 2, 'front'));
		const server = serverOf(4, 2, 'envelope', changes);
		expectExactly(server, idsOf(server.list), await server.read());
	});

	test('loses nothing that an earlier walk has seen, where no total is told', async () => {
		const server = serverOf(6, 2, 'array', [addition(1, 1, 'front'), removal(6)]);
		const records = await server.read();
		expect(idsOf(records)).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 5]));
	});

	test.each([
		[[4, 3], 'The list changed while it was read'],
		[[5, 5], 'The service returned 4 of 5 records'],
	])('is an error if it tells %j records each time that it is read', async (told, message) => {
		const pages = [1, 3].map((id) => [record(id), record(id + 1)]);
		const fetchPage = async (index = 0) =>
			await Promise.resolve({
				...{ pageIndex: index, totalPages: 2, totalRecords: told[index] },
				items: pages[index] ?? [],
			});
		const list = { firstPageIndex: 0, keyOf: ({ id }: IDataObject) => id, fetchPage };
		await expect(readList(list)).rejects.toMatchObject({ message });
	});

	test('loses nothing where a record is removed before the limit is reached', async () => {
		const records = await serverOf(30, 10, 'envelope', [removal(1)]).read({ limit: 20 });
		expect(idsOf(records)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
	});

	test('may begin with a page of new records, where no total is told', async () => {
		const records = await serverOf(6, 2, 'array', [addition(1, 2, 'front')]).read();
		expect(idsOf(records)).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 5]));
	});
});

describe('a server that ignores the page parameter', () => {
	test('is reported also where the list changed after the first page, and has no total', async () => {
		const pages = [[1, 2, 3], ...Array.from({ length: 50 }, () => [2, 3, 4])];
		const asked: unknown[] = [];
		const reading = readList({
			firstPageIndex: 0,
			limit: 50,
			keyOf: ({ id }) => id,
			fetchPage: async (index = 0) => {
				asked.push(index);
				return await Promise.resolve({ items: (pages[index] ?? []).map((id) => record(id)) });
			},
		});
		await expect(reading).rejects.toThrow('does not recognize the page parameter');
		expect(asked.length).toBeLessThanOrEqual(4);
	});

	test('is reported after a few requests, instead of endless or doubled records', async () => {
		await holds(
			fc.asyncProperty(anyServer, fc.boolean(), async (options, isRestless) => {
				const server = new ModelServer({ ...options, ignoresPage: true, isRestless });
				const isOnePage = server.list.length <= server.size;
				const reading = server.read();
				if (server.list.length === 0 || (isOnePage && options.shape !== 'array')) {
					expect(idsOf(await reading)).toEqual(idsOf(server.list));
				} else {
					await expect(reading).rejects.toThrow('does not recognize the page parameter');
				}
				expect(server.askedFor.length).toBeLessThanOrEqual(11);
			}),
			100,
		);
	});

	test.each(shapes)('is reported for records without a key (%s)', async (shape) => {
		const server = new ModelServer({
			length: 25,
			askedSize: 10,
			firstIndex: 1,
			shape,
			ignoresPage: true,
		});
		await expect(server.read({ keyOf: () => undefined })).rejects.toThrow(
			'does not recognize the page parameter',
		);
	});
});

/** Serves these pages, the first one as page 0. */
const serving =
	(pages: IDataObject[][], envelope: Partial<Page> = {}): ListRequest['fetchPage'] =>
	async (index = 0) => ({ ...envelope, items: pages[index] ?? [] });

/** Reads these pages, of a list that tells its total and number of pages. */
const readPages = async (
	pages: IDataObject[][],
	settings: Partial<ListRequest> = {},
	total = pages.flat().length,
) =>
	await readList({
		firstPageIndex: 0,
		keyOf: ({ id }) => id,
		fetchPage: serving(pages, { totalPages: pages.length, totalRecords: total }),
		...settings,
	});

test('records that give several results, or none, come until there are enough results', async () => {
	const anyCount = fc.nat(4);
	await holds(
		fc.asyncProperty(fc.array(anyCount, { maxLength: 20 }), fc.nat(25), async (counts, more) => {
			const limit = more + 1;
			const pages = chunk(
				counts.map((count, id) => ({ id, count })),
				3,
			);
			const read = await readPages(pages, { limit, resultsOf: ({ count }) => Number(count) });
			const given = sumBy(read, ({ count }) => Number(count));
			expect(given).toBeGreaterThanOrEqual(Math.min(limit, sum(counts)));
		}),
		100,
		// A whole page gives none.
		{ examples: [[[0, 0, 0, 1], 0]] },
	);
});

describe('records with the same identifier', () => {
	test.each(['', null, undefined])('that is %j for all are no wrong error', async (id) => {
		const pages = [0, 1, 2].map((page) =>
			[1, 2].map((number) => ({ id, number: page * 2 + number })),
		);
		expect(await readPages(pages as IDataObject[][])).toEqual(pages.flat());
	});
});

describe('a record that moves to the next page while the list is read', () => {
	/** The pages that a service gives one after the other; it refuses a page 0. */
	const clientOf = (pages: IDataObject[][]) => {
		const records = async ({ path, query }: { path: string; query?: IDataObject }) => {
			const index = Number(query?.pageIndex ?? /\/(\d+)$/.exec(path)?.[1] ?? 1);
			if (index === 0) throw new Failure('There is no page 0', '', { httpCode: '400' });
			return await Promise.resolve(structuredClone(pages[index - 1] ?? []));
		};
		const settings = { pageIndexParameter: 'pageIndex', pageSizeParameter: 'pageSize' };
		const page = async (request: { path: string }) => ({ items: await records(request) });
		return { settings, records, page } as unknown as ReadClient;
	};
	const LISTS: [string, (client: ReadClient) => Promise<ListRequest>, string][] = [
		[
			'a list in an envelope',
			async (client) => await Promise.resolve(envelopeList(client, '/api/SMSMessages', 2)),
			'id',
		],
		[
			'the numbers of a voice campaign',
			async (client) => await Promise.resolve(numberList(client, '/api/campaigns/voice/7', 2)),
			'id',
		],
		['stored numbers', async (client) => await storageList(client, 2), 'storageID'],
	];

	test.each(LISTS)('comes once: %s', async (_, listOf, key) => {
		const records = ['a', 'b', 'c'].map((id) => ({ [key]: id, status: 0 })) as IDataObject[];
		const [first = {}, second = {}, third = {}] = records;
		const moved = [
			[first, second],
			[{ ...second, status: 1 }, third],
		];
		const read = await readList(await listOf(clientOf(moved)));
		expect(read.map((each) => each[key])).toEqual(['a', 'b', 'c']);
	});
});

describe('the end of a list that tells no total', () => {
	const notFound = () => new Failure('Nothing there', '', { httpCode: '404', sent: 'no' });
	const pages = [
		[record(1), record(2)],
		[record(3), record(4)],
	];
	const fetchPage = async (index = 0): Promise<Page> => {
		const items = pages[index];
		if (items === undefined) throw notFound();
		return { items };
	};
	const list = { firstPageIndex: 0, keyOf: ({ id }: IDataObject) => id };

	test('may be a page that is not found', async () => {
		expect(idsOf(await readList({ ...list, fetchPage }))).toEqual([1, 2, 3, 4]);
	});

	test.each(['400', '500', undefined])('is not a page that fails with %p', async (httpCode) => {
		const failing = async (index = 0): Promise<Page> => {
			if (index === 2) throw new Failure('Out of order', '', { httpCode, sent: 'no' });
			return await fetchPage(index);
		};
		await expect(readList({ ...list, fetchPage: failing })).rejects.toThrow('Out of order');
	});

	test('is not the first page, nor one within the number of pages', async () => {
		await expect(readList({ ...list, firstPageIndex: 5, fetchPage })).rejects.toThrow(
			'Nothing there',
		);
		const told = async (index?: number) => ({ ...(await fetchPage(index)), totalPages: 3 });
		await expect(readList({ ...list, fetchPage: told })).rejects.toThrow('Nothing there');
	});

	test.each([2, 3])('is not an empty page: %d of 3', async (empty) => {
		const whole = [1, 2, 3].map((page) => (page === empty ? [] : [record(page)]));
		const gap = serving(whole, { totalPages: 3 });
		await expect(readList({ ...list, fetchPage: gap })).rejects.toMatchObject({
			message: `The service returned no records on page ${empty} of 3`,
		});
	});

	test('is the last page', async () => {
		const last = serving([[record(1)], [record(2)]], { totalPages: 2 });
		expect(idsOf(await readList({ ...list, fetchPage: last }))).toEqual([1, 2]);
	});
});

test('a list of more than 1,000,000 records is an error, unless the user wants as many', async () => {
	const page = () => Array.from({ length: 100_000 }, () => ({}));
	const list = {
		firstPageIndex: 0,
		keyOf: () => undefined,
		fetchPage: async (index = 0) => ({ items: [{ index }, ...page()] }),
	};
	await expect(readList(list)).rejects.toMatchObject({
		message: 'The list exceeds 1,000,000 records',
	});
	expect(await readList({ ...list, limit: 1_000_500 })).toHaveLength(1_000_500);
});
