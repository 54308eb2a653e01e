import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../transport/paginate';
import { PageParameterIgnored } from '../transport/listErrors';
import type { EncodedStates, RecordStates } from './recordStates';
import { decodeStates, encodeStates, recordId } from './recordStates';

/**
 * A cursor over a list that is read again and again. It knows the state of each record by its ID,
 * not a time or a position: records that move to other pages, share a time or appear late are
 * neither missed nor reported twice. One reading of the list may take several polls.
 */
export interface ListCursor {
	known: EncodedStates;
	/** The first reading of the list: what it finds was there before. */
	isBaseline?: boolean;
	/** Complete readings for the baseline, records having moved in each of them. */
	baselineReadings?: number;
	/** A reading of the list that was not finished. */
	reading?: UnfinishedReading;
}

/** Where an unfinished reading continues, and what it has seen up to there. */
interface UnfinishedReading {
	page: number;
	firstPage: number;
	seen: EncodedStates;
	hasChanges: boolean;
	hasMoved: boolean;
	open: number;
}

/** What a record gives, compared with its state when it was read before. */
export interface RecordReading<Event> {
	events: Event[];
	/** The state once these events are reported. */
	state: string;
	/** False where there was no room for all events: the record is read again in the next poll. */
	isComplete: boolean;
	/** Whether more is expected of this record. */
	isOpen: boolean;
}

/** A list and what its records mean. */
export interface ListSource<Event> {
	/** Index of the first page; undefined where the first response tells it. */
	firstPage: number | undefined;
	fetchPage(page: number | undefined): Promise<Page>;
	idOf(record: IDataObject): unknown;
	/**
	 * Compares a record with its known state.
	 * @param room how many events may be reported
	 * @returns undefined for a record that is not of interest (any longer)
	 */
	read(
		record: IDataObject,
		state: string | undefined,
		room: number,
		isBaseline: boolean,
	): RecordReading<Event> | undefined;
}

/** How far a poll may read. */
export interface Limits {
	/** Events that may be reported. */
	room: number;
	/** Whether the time is over; asked after every page. */
	isOver(): boolean;
}

/** What a reading of the whole list found. */
export interface CompletedReading {
	/** Known records that were not seen: removed from the list, or missed because others moved. */
	missing: number;
	/** A record was on two pages: others may have been missed. Where none was, none was missed. */
	hasMoved: boolean;
	/** A record was new or had another state than in the reading before. */
	hasChanges: boolean;
	/** Records of which more is expected. */
	open: number;
	records: number;
}

/** What reading on gave. */
export interface ListReading<Event> {
	events: Event[];
	cursor: ListCursor;
	/** Set when the end of the list was reached. */
	completed?: CompletedReading;
	/** What ended the reading early. The cursor stands where it can be read on. */
	failure?: unknown;
}

/**
 * Pages in a row with the records of the page before, after which the page parameter counts as
 * ignored: a whole page may have been added in front between two requests.
 */
const MOST_REPETITIONS = 2;

/** Readings for a baseline during which records move: in a list that never rests, it has to end. */
const MOST_BASELINE_READINGS = 3;

/** A cursor that knows nothing yet. */
export function newCursor(isBaseline: boolean): ListCursor {
	return { known: encodeStates(new Map()), ...(isBaseline && { isBaseline }) };
}

/** Reads on from where the cursor stands, up to the end of the list, a limit or a failure. */
export async function readOn<Event>(
	cursor: ListCursor,
	source: ListSource<Event>,
	limits: Limits,
): Promise<ListReading<Event>> {
	const { room } = limits;
	let result = await readOnce(cursor, source, limits);
	const events = [...result.events];
	// A baseline is not left half read: what happens before the next poll would become part of it.
	while (isAgain(result) && events.length < room && !limits.isOver()) {
		result = await readOnce(result.cursor, source, { ...limits, room: room - events.length });
		events.push(...result.events);
	}
	return { ...result, events };
}

/** Whether the list was read to its end, but its baseline has to be read once more. */
function isAgain({ completed, cursor }: ListReading<unknown>): boolean {
	return completed !== undefined && cursor.isBaseline === true;
}

async function readOnce<Event>(
	cursor: ListCursor,
	source: ListSource<Event>,
	limits: Limits,
): Promise<ListReading<Event>> {
	const reading = new Reading(cursor, source, limits.room);
	let failure: unknown;
	try {
		while (reading.canGoOn) {
			reading.take(await source.fetchPage(reading.page));
			if (limits.isOver()) break;
		}
	} catch (error) {
		failure = error;
	}
	return { ...reading.result(), failure };
}

class Reading<Event> {
	page: number | undefined;

	private firstPage: number | undefined;

	private readonly events: Event[] = [];

	private readonly known: RecordStates;

	private readonly seen: RecordStates;

	private hasChanges: boolean;

	/** A record was on two pages: others may have moved to a page that had been read already. */
	private hasMoved: boolean;

	private open: number;

	private isAtEnd = false;

	private isFull: boolean;

	private previousIds: string | undefined;

	private repetitions = 0;

	private readonly cursor: ListCursor;

	private readonly source: ListSource<Event>;

	private readonly room: number;

	constructor(cursor: ListCursor, source: ListSource<Event>, room: number) {
		this.cursor = cursor;
		this.source = source;
		this.room = room;
		const { reading, known } = cursor;
		this.page = reading?.page ?? source.firstPage;
		this.firstPage = reading?.firstPage ?? source.firstPage;
		this.known = decodeStates(known);
		this.seen = decodeStates(reading?.seen);
		this.hasChanges = reading?.hasChanges ?? false;
		this.hasMoved = reading?.hasMoved ?? false;
		this.open = reading?.open ?? 0;
		this.isFull = room <= 0;
	}

	get canGoOn() {
		return !this.isFull && !this.isAtEnd;
	}

	/** Takes what is new from a page; stays on it where there was no room for all. */
	take(page: Page) {
		const { items, pageIndex, totalPages } = page;
		const index = pageIndex ?? this.page ?? 1;
		if (this.page !== undefined && index !== this.page) {
			throw this.ignored(this.page, index);
		}
		this.firstPage ??= index;
		this.assertProgress(index, items);
		const onPage = new Map<number | string, { isOpen: boolean }>();
		for (const record of items) {
			const reading = this.takeRecord(record);
			if (reading === undefined) continue;
			if (!reading.isComplete) {
				this.isFull = true;
				this.page = index;
				return;
			}
			onPage.set(recordId(this.source.idOf(record)), reading);
		}
		for (const [id, { isOpen }] of onPage) this.see(id, isOpen);
		const lastPage = totalPages === undefined ? undefined : this.firstPage + totalPages - 1;
		this.isAtEnd = lastPage === undefined ? items.length === 0 : index >= lastPage;
		this.page = index + 1;
	}

	private takeRecord(record: IDataObject): RecordReading<Event> | undefined {
		const id = recordId(this.source.idOf(record));
		const state = this.known.get(id);
		const room = this.room - this.events.length;
		const reading = this.source.read(record, state, room, this.cursor.isBaseline === true);
		if (reading === undefined) {
			this.known.delete(id);
			this.seen.delete(id);
			return undefined;
		}
		this.events.push(...reading.events);
		if (reading.state !== state) {
			this.hasChanges = true;
			this.known.set(id, reading.state);
		}
		return reading;
	}

	private see(id: number | string, isOpen: boolean) {
		if (this.seen.has(id)) {
			this.hasMoved = true;
			return;
		}
		this.seen.set(id, '');
		if (isOpen) this.open++;
	}

	private ignored(requested: number, received?: number): PageParameterIgnored {
		const isInPath = this.source.firstPage !== undefined;
		return new PageParameterIgnored(requested, received, isInPath);
	}

	private assertProgress(index: number, items: readonly IDataObject[]) {
		const ids = items.map((record) => String(this.source.idOf(record))).join();
		const isRepetition = items.length > 0 && ids === this.previousIds;
		this.repetitions = isRepetition ? this.repetitions + 1 : 0;
		this.previousIds = ids;
		if (this.repetitions === MOST_REPETITIONS) throw this.ignored(index);
	}

	result(): Omit<ListReading<Event>, 'failure'> {
		const { events, hasChanges, hasMoved, open } = this;
		const known = encodeStates(this.known);
		const { isBaseline, baselineReadings = 0 } = this.cursor;
		if (this.isAtEnd) {
			const missing = this.known.size - this.seen.size;
			const completed = { missing, hasMoved, hasChanges, open, records: this.known.size };
			const readings = baselineReadings + 1;
			if (isBaseline !== true || !hasMoved || readings === MOST_BASELINE_READINGS) {
				return { events, cursor: { known }, completed };
			}
			return { events, cursor: { known, isBaseline, baselineReadings: readings }, completed };
		}
		const cursor: ListCursor = {
			known,
			...(isBaseline === true && { isBaseline, baselineReadings }),
		};
		if (this.page !== undefined && this.firstPage !== undefined) {
			const { page, firstPage } = this;
			const seen = encodeStates(this.seen);
			cursor.reading = { page, firstPage, seen, hasChanges, hasMoved, open };
		}
		return { events, cursor };
	}
}
