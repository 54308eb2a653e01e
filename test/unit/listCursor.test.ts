import type { IDataObject } from 'n8n-workflow';
import type { ListSource } from '../../nodes/MessagingService/results/listCursor';
import { newCursor, readOn } from '../../nodes/MessagingService/results/listCursor';

const unlimited = { room: Infinity, isOver: () => false };

/** A list of records that each give one event when they are first seen. */
function source(fetchPage: ListSource<number>['fetchPage']): ListSource<number> {
	return {
		firstPage: 1,
		fetchPage,
		idOf: ({ id }) => id,
		read: ({ id }, state, room, isBaseline) => {
			const isNew = state !== 'seen' && !isBaseline;
			const hasRoom = !isNew || room > 0;
			return {
				events: isNew && hasRoom ? [Number(id)] : [],
				state: hasRoom ? 'seen' : '',
				isComplete: hasRoom,
				isOpen: Number(id) > 2,
			};
		},
	};
}

const records = (...ids: number[]): IDataObject[] => ids.map((id) => ({ id }));

const pagesOf = (...pages: IDataObject[][]) =>
	source(async (page = 1) => ({ items: pages[page - 1] ?? [] }));

describe('a cursor over a list', () => {
	it('reads to the end and knows what it has seen', async () => {
		const list = pagesOf(records(1, 2), records(3));
		const first = await readOn(newCursor(false), list, unlimited);
		expect(first.events).toEqual([1, 2, 3]);
		expect(first.completed).toEqual({
			missing: 0,
			hasMoved: false,
			hasChanges: true,
			open: 1,
			records: 3,
		});
		const second = await readOn(first.cursor, list, unlimited);
		expect(second.events).toEqual([]);
		expect(second.completed).toMatchObject({ hasChanges: false });
	});

	it('stops after a page when the time is over, and reads on there', async () => {
		const list = pagesOf(records(1, 2), records(3, 4), records(5));
		const first = await readOn(newCursor(false), list, { room: Infinity, isOver: () => true });
		expect(first.events).toEqual([1, 2]);
		expect(first.cursor.reading).toMatchObject({ page: 2 });
		const stored = JSON.parse(JSON.stringify(first.cursor)) as typeof first.cursor;
		const second = await readOn(stored, list, unlimited);
		expect(second.events).toEqual([3, 4, 5]);
	});

	it('keeps what it read before a failure', async () => {
		const failure = new Error('The service failed');
		const list = source(async (page = 1) => {
			if (page === 2) throw failure;
			return { items: records(1) };
		});
		const reading = await readOn(newCursor(false), list, unlimited);
		expect(reading).toMatchObject({ events: [1], failure });
		expect(reading.cursor.reading).toMatchObject({ page: 2 });
	});

	it('reads a baseline again where records moved, so that none counts as new later', async () => {
		let readings = 0;
		const list = source(async (page = 1) => {
			if (page === 1) readings++;
			// In the first reading, record 3 moves to the first page when that has been read.
			const all = readings === 1 && page === 1 ? [1, 2, 3, 4] : [3, 1, 2, 4];
			return { items: records(...all.slice((page - 1) * 2, page * 2)) };
		});
		const baseline = await readOn(newCursor(true), list, unlimited);
		expect(readings).toBe(2);
		expect(baseline.cursor.isBaseline).toBeUndefined();
		expect((await readOn(baseline.cursor, list, unlimited)).events).toEqual([]);
	});

	it('says that the service ignores which page is asked for', async () => {
		const same = source(async () => ({ items: records(1, 2) }));
		const { failure } = await readOn(newCursor(false), same, unlimited);
		expect(failure).toMatchObject({ name: 'PageParameterIgnored' });
		const first = source(async () => ({ items: records(1), pageIndex: 1, totalPages: 5 }));
		expect((await readOn(newCursor(false), first, unlimited)).failure).toMatchObject({
			name: 'PageParameterIgnored',
		});
	});

	it('of an envelope ends with the last page', async () => {
		let requests = 0;
		const list = source(async (page) => {
			requests++;
			const pageIndex = page ?? 0;
			return { pageIndex, totalPages: 2, items: records(pageIndex) };
		});
		const { events } = await readOn(newCursor(false), { ...list, firstPage: undefined }, unlimited);
		expect(events).toEqual([0, 1]);
		expect(requests).toBe(2);
	});

	it('asks for nothing where there is no room', async () => {
		const fetchPage = jest.fn(async () => ({ items: records(1) }));
		const reading = await readOn(newCursor(false), source(fetchPage), { ...unlimited, room: 0 });
		expect(fetchPage).not.toHaveBeenCalled();
		expect([reading.events, reading.completed]).toEqual([[], undefined]);
	});

	it('stays on a page that has no room, and takes the rest of it later', async () => {
		const list = pagesOf(records(1, 2, 3), records(4, 5));
		let cursor = newCursor(false);
		const events: number[] = [];
		const opened: (number | undefined)[] = [];
		for (let poll = 0; poll < 4; poll++) {
			const reading = await readOn(cursor, list, { ...unlimited, room: 2 });
			expect(reading.events.length).toBeLessThanOrEqual(2);
			events.push(...reading.events);
			opened.push(reading.completed?.open);
			cursor = JSON.parse(JSON.stringify(reading.cursor)) as typeof cursor;
		}
		expect(events).toEqual([1, 2, 3, 4, 5]);
		expect(opened).toEqual([undefined, undefined, 3, 3]);
	});

	it('knows which records are missing, of which more is expected, and which moved', async () => {
		const all = pagesOf(records(1, 2), records(3, 4));
		const { cursor } = await readOn(newCursor(false), all, unlimited);
		const fewer = await readOn(cursor, pagesOf(records(1, 2), records(4)), unlimited);
		expect(fewer.completed).toEqual({
			...{ missing: 1, hasMoved: false, hasChanges: false, open: 1, records: 4 },
		});
		const moved = await readOn(cursor, pagesOf(records(1, 2), records(2, 3)), unlimited);
		expect(moved.completed).toEqual({
			...{ missing: 1, hasMoved: true, hasChanges: false, open: 1, records: 4 },
		});
	});

	it('says where the page is that the service ignores: in the path, or in the query', async () => {
		const same = async () => ({ items: records(1, 2) });
		const textOf = async (firstPage: number | undefined) => {
			const list = { ...source(same), firstPage };
			const { failure } = await readOn(newCursor(false), list, unlimited);
			return (failure as { description: string }).description;
		};
		expect(await textOf(1)).not.toBe(await textOf(undefined));
	});

	it('reads a baseline three times at most, in a list that never rests', async () => {
		let readings = 0;
		const list = source(async (page = 1) => {
			if (page === 1) readings++;
			return { items: page < 3 ? records(1, 1 + page + readings) : [] };
		});
		const { cursor, events } = await readOn(newCursor(true), list, unlimited);
		expect(readings).toBe(3);
		expect(events).toEqual([]);
		expect(cursor.isBaseline).toBeUndefined();
	});

	it('leaves a baseline for the next poll when the time is over', async () => {
		const list = pagesOf(records(1, 2), records(2, 3));
		let cursor = newCursor(true);
		const readings: (number | undefined)[] = [];
		while (cursor.isBaseline === true) {
			({ cursor } = await readOn(cursor, list, { room: Infinity, isOver: () => true }));
			readings.push(cursor.baselineReadings);
		}
		// Two pages with records and the empty one behind them, for each reading.
		expect(readings).toEqual([0, 0, 1, 1, 1, 2, 2, 2, undefined]);
	});
});
