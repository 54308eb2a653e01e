import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { HOUR_MS } from '../times';
import type { ListRequest } from './listRequests';
import { identityOf, listMoved, MAX_PASSES, readList, Totals } from './paginate';
import type { Page } from './request';

/** Reads the list of SMS messages from its newest end, where its pages show that it has one. */

/** A list of SMS messages (interface, "SMS message"), of which the recent ones are wanted. */
export interface RecentRequest extends ListRequest {
	/**
	 * Messages created from this time on are wanted. As the service writes times, by its clock:
	 * `2030-05-17T09:30:00`.
	 */
	since: string;
	/**
	 * The most pages that are read of a list in no order. A longer one is a Failure; by default it is
	 * read whole.
	 */
	maxUnorderedPages?: number;
}

/** What was read of a list. */
interface RecentRecords<Kept> {
	/** All that are wanted, and older ones that were on the same pages, in no particular order. */
	records: Kept[];
	/** Whether the pages are in the order of `dateCreated`; otherwise the list was read whole. */
	isOrdered: boolean;
}

/**
 * Times at most an hour apart may be in either order: the clocks of several servers differ, and one
 * night a year they are put back.
 */
const DISORDER_MS = HOUR_MS;

/**
 * Reads the messages created since a time, page by page from the newest end of the list until a page
 * is older. All pages that are read must be in the order of `dateCreated`, in either direction; if
 * they are not, the list is read whole, however long it is. If it loses or moves records meanwhile,
 * the part is read again.
 * @param keep what is kept of a record. It is called again for a record that is read again: the last
 * one counts
 * @throws Failure of a request, where records may be missing, and for `maxUnorderedPages`
 */
export async function readRecent<Kept = IDataObject>(
	request: RecentRequest,
	keep: (record: IDataObject) => Kept = (record) => record as Kept,
): Promise<RecentRecords<Kept>> {
	const kept = new Map<unknown, Kept>();
	for (let passes = 1; ; passes++) {
		const end = await newestEndOf(request);
		const pass = end && new RecentPass(request, end);
		await pass?.read((id, record) => kept.set(id, keep(record)));
		if (pass?.isOrdered !== true) return await readWhole(request, keep);
		const isLast = passes === MAX_PASSES;
		if (isLast && pass.hasLost) throw listMoved();
		if (isLast || pass.isComplete) return { records: [...kept.values()], isOrdered: true };
	}
}

async function readWhole<Kept>(
	request: RecentRequest,
	keep: (record: IDataObject) => Kept,
): Promise<RecentRecords<Kept>> {
	const { limit = Infinity, maxUnorderedPages = Infinity } = request;
	let firstIndex: number | undefined;
	const fetchPage = async (index: number | undefined): Promise<Page> => {
		if (index !== undefined && index - (firstIndex ?? index) >= maxUnorderedPages) {
			throw listUnordered(maxUnorderedPages);
		}
		const page = await request.fetchPage(index);
		firstIndex ??= page.pageIndex ?? 1;
		return page;
	};
	return { records: await readList({ ...request, limit, fetchPage }, keep), isOrdered: false };
}

/** The page at the newest end of a list, and the way from there to the oldest one. */
interface NewestEnd {
	page: Page;
	index: number;
	step: 1 | -1;
	pageCount: number;
	/** A page of the other end, if one was read. */
	otherPage?: Page;
}

/** Undefined for a list whose first and last page show no order, or that does not number its pages. */
async function newestEndOf({ fetchPage }: ListRequest): Promise<NewestEnd | undefined> {
	const page = await fetchPage(undefined);
	const { pageIndex: index, totalPages: pageCount } = page;
	if (index === undefined || pageCount === undefined) return undefined;
	const slope = slopeOf(page.items);
	if (slope < 0 || pageCount <= 1) return { page, index, step: slope > 0 ? -1 : 1, pageCount };
	let lastIndex = index + pageCount - 1;
	let last = await fetchPage(lastIndex);
	// The last pages may be empty: records were removed, or the number of pages is too high.
	while (last.items.length === 0 && lastIndex > index) last = await fetchPage(--lastIndex);
	const direction = slope || slopeOf([...page.items.slice(0, 1), ...last.items.slice(-1)]);
	if (direction < 0) return { page, index, step: 1, pageCount, otherPage: last };
	if (!(direction > 0)) return undefined;
	const step = -1;
	return { page: last, index: lastIndex, step, pageCount: lastIndex - index + 1, otherPage: page };
}

/** One pass from the newest end of a list to the first page that is older than wanted. */
class RecentPass {
	/** Whether what was read is in order; otherwise nothing is known of the rest. */
	isOrdered = true;
	private readonly request: RecentRequest;
	private readonly end: NewestEnd;
	private readonly since: number;
	private pageCount: number;
	private readonly ids = new Set<unknown>();
	private received = 0;
	private oldest = Infinity;
	private readonly totals = new Totals();

	constructor(request: RecentRequest, end: NewestEnd) {
		this.request = request;
		this.end = end;
		this.pageCount = end.pageCount;
		this.since = timeOf({ dateCreated: request.since });
	}

	/** Whether a record may have moved from a page that was to come to one that had been read. */
	get hasLost(): boolean {
		return this.end.step > 0 && this.totals.hasShrunk;
	}

	/**
	 * Whether nothing is missing. Newest first, a new record pushes another one to the next page, where
	 * it comes again. Anything else that comes twice has moved, and others may have.
	 */
	get isComplete(): boolean {
		const { first = 0, newest } = this.totals;
		const pushed = this.end.step > 0 ? Math.max(0, newest - first) : 0;
		return !this.hasLost && this.received - this.ids.size <= pushed;
	}

	async read(take: (id: unknown, record: IDataObject) => void): Promise<void> {
		const { page: newestPage, index: start, step } = this.end;
		for (let taken = 0; taken < this.pageCount; taken++) {
			const index = start + step * taken;
			const page = taken === 0 ? newestPage : await this.request.fetchPage(index);
			this.isOrdered &&= this.continues(page, index);
			if (this.isOrdered) this.take(page, take);
			if (!this.isOrdered || this.isEnd(page, taken + 1)) return;
		}
	}

	/** Whether a page is the one asked for, and is not empty before the end. */
	private continues({ pageIndex, totalPages, items }: Page, index: number): boolean {
		const { step, index: start } = this.end;
		// Newest first, a list that grows has more pages behind.
		if (step > 0) this.pageCount = totalPages ?? this.pageCount;
		const isBehind = step > 0 && index - start >= this.pageCount;
		return pageIndex === index && (items.length > 0 || isBehind);
	}

	/** Takes the records of a page, the newest first. */
	private take(page: Page, take: (id: unknown, record: IDataObject) => void) {
		const { items } = page;
		this.totals.note(page);
		for (const item of this.end.step > 0 ? items : [...items].reverse()) {
			const id = this.idOf(item);
			// One that comes again has moved.
			if (!this.ids.has(id)) this.follow(timeOf(item));
			this.ids.add(id);
			take(id, item);
		}
		this.received += items.length;
	}

	private follow(time: number): void {
		this.isOrdered &&= this.isNext(time);
		this.oldest = Math.min(this.oldest, time);
	}

	/** Whether a time can follow all that were read; that of a record without one cannot. */
	private isNext(time: number): boolean {
		return time - DISORDER_MS <= this.oldest;
	}

	private isEnd({ items }: Page, taken: number): boolean {
		if (items.length === 0) return true;
		if (this.ids.size >= (this.request.limit ?? Infinity)) return true;
		const isOlder = !this.isNext(this.since) && items.every((item) => timeOf(item) < this.since);
		if (isOlder && taken < this.pageCount) {
			const { otherPage } = this.end;
			this.isOrdered = otherPage?.items.every((item) => this.isNext(timeOf(item))) !== false;
		}
		return isOlder;
	}

	private idOf(record: IDataObject): unknown {
		return identityOf(record, this.request);
	}
}

/**
 * 1 for records that become later, -1 for those that become earlier, 0 where that cannot be told: of
 * times within an hour, only if all are in order.
 */
function slopeOf(records: readonly IDataObject[]): number {
	const times = records.map(timeOf);
	const distance = (times.at(-1) ?? NaN) - (times[0] ?? NaN);
	const slope = Math.sign(distance);
	const isExact = times.every((time, index) => (time - (times[index - 1] ?? time)) * slope >= 0);
	return isExact || Math.abs(distance) > DISORDER_MS ? slope : 0;
}

/**
 * When a message was created, in milliseconds by the service's clock; NaN where it does not tell. A
 * time before 1970 (`0001-01-01`) stands for none.
 */
function timeOf(record: IDataObject | undefined): number {
	const text = String(record?.dateCreated ?? '').trim();
	const time = Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`);
	return time >= 0 ? time : NaN;
}

function listUnordered(pages: number): Failure {
	return new Failure(
		`The SMS messages are in no order, and more than ${pages} pages`,
		'Ask the service operator to list messages in the order of dateCreated.',
	);
}
